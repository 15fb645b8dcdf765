"""Rewritten code that is kept between processes: found where it is right, and never a trouble."""

from __future__ import annotations

import builtins
import errno
import linecache
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from io import FileIO
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

import solvent
from solvent import Int
from solvent.lift import kept
from solvent.lift.function import compile_function, definition_of, lift_function, with_code
from solvent.lift.rewrite import macros
from solvent.sketch import choose

TEXT = """\
def larger(a, b):
    if a > b:
        return a
    return b

def picked(a, b):
    return pick(a, b)

def outer(word):
    return [word + letter for letter in "ab" if letter in {"a", "b", "c"}]
"""


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let everything be written below a folder of the test."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "beside"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setattr(kept, "_SHELVES", {})
    return tmp_path


def loaded(folder: Path, text: str = TEXT) -> ModuleType:
    path = folder / "program.py"
    path.write_text(text)
    linecache.checkcache(str(path))
    module = ModuleType("program")
    exec(SourceFileLoader("program", str(path)).source_to_code(text, str(path)), vars(module))
    return module


def rewritten(function: FunctionType) -> CodeType:
    unit, node, classes = definition_of(function, function.__code__)
    return compile_function(unit, node, classes, function.__code__)


def find(function: FunctionType) -> CodeType | None:
    """What a new process would find."""
    shelf = kept.Shelf(function.__code__.co_filename)
    return shelf.find(function.__code__, macros.lookup_in(function))


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.name != "program.py"]


def lift_and_write(module: ModuleType) -> None:
    for function in vars(module).values():
        if isinstance(function, FunctionType):
            lift_function(function)
    kept.write()


def test_what_is_found_is_what_was_made(places: Path) -> None:
    module = loaded(places)
    assert find(module.larger) is None
    lift_and_write(module)
    again = loaded(places)
    found = find(again.larger)
    assert found == rewritten(again.larger)
    lifted = with_code(again.larger, found)
    assert repr(lifted(Int("x"), 4)) == "ite(x <= 4, 4, x)"
    assert len(files(places)) == 1


def test_lifting_uses_it(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lift_and_write(loaded(places))
    monkeypatch.setattr(kept, "_SHELVES", {})
    monkeypatch.setattr("solvent.lift.function.compile_function", None)
    again = loaded(places)
    assert repr(lift_function(again.larger)(Int("x"), 4)) == "ite(x <= 4, 4, x)"
    assert lift_function(again.outer)("x") == ["xa", "xb"]


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("a > b", "a < b"),
        TEXT.replace("return a\n", "return 0\n"),
        TEXT.replace("if a > b", "if  a > b"),
        "\n" + TEXT,
        TEXT.replace("    if", "\n    if"),
    ],
)
def test_an_edit_is_noticed(places: Path, text: str) -> None:
    lift_and_write(loaded(places))
    again = loaded(places, text)
    assert find(again.larger) is None


def test_a_text_that_is_not_that_of_the_code_is_not_kept(places: Path) -> None:
    module = loaded(places)
    edited = loaded(places, TEXT.replace("a > b", "a < b"))
    # It is lifted from what is there now, as ever; but only this process is to blame.
    assert repr(lift_function(module.larger)(Int("x"), 4)) == "ite(x <= 3, x, 4)"
    kept.write()
    assert find(module.larger) is None
    assert find(edited.larger) is None


def test_constants_that_are_equal_differ(places: Path) -> None:
    lift_and_write(loaded(places, "def one():\n    return 1\n"))
    assert find(loaded(places, "def one():\n    return 1\n").one) is not None
    assert find(loaded(places, "def one():\n    return True\n").one) is None


def test_what_a_name_stands_for_counts(places: Path) -> None:
    module = loaded(places)
    lift_and_write(module)
    again = loaded(places)
    assert find(again.picked) is not None
    again.pick = max
    assert find(again.picked) is not None
    again.pick = choose
    assert find(again.picked) is None


def test_calls_that_depend_on_their_place_are_not_kept(places: Path) -> None:
    module = loaded(places)
    module.pick = choose
    lift_and_write(module)
    assert find(loaded(places).picked) is None
    assert find(loaded(places).larger) is not None


def test_a_name_of_solvent_is_looked_up_though_nobody_has_asked_for_it(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(vars(solvent), "choose", raising=False)
    module = loaded(places, "import solvent\ndef f(a, b):\n    return solvent.choose(a, b)\n")
    assert "_sv_picks" in lift_function(module.f).__code__.co_freevars
    kept.write()
    assert find(module.f) is None


def _cut(data: bytes) -> bytes:
    return data[:-1]


def _flipped(data: bytes) -> bytes:
    return data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


@pytest.mark.parametrize("damage", [_cut, _flipped, lambda data: b"", lambda data: data[:16]])
def test_damage_is_noticed(places: Path, damage: Callable[[bytes], bytes]) -> None:
    module = loaded(places)
    lift_and_write(module)
    (file,) = files(places)
    file.write_bytes(damage(file.read_bytes()))
    assert find(module.larger) is None


def test_another_rewriter_has_written_other_code(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = loaded(places)
    lift_and_write(module)
    first, second = kept._rewriter()
    monkeypatch.setattr(kept, "_CHECKSUMS", [(first, second ^ 1)])
    assert find(module.larger) is None


def test_what_anybody_may_write_is_not_believed(places: Path) -> None:
    module = loaded(places)
    lift_and_write(module)
    (file,) = files(places)
    file.chmod(0o666)
    assert find(module.larger) is None


def test_where_nothing_can_be_written_beside_it_is_written_apart(places: Path) -> None:
    (places / "beside").write_text("a file, no folder")
    module = loaded(places)
    lift_and_write(module)
    assert [path.parent for path in files(places / "caches")] == [places / "caches" / "solvent"]
    assert find(module.larger) is not None


def test_nowhere_to_write_is_no_error(places: Path) -> None:
    for name in ("beside", "caches"):
        (places / name).write_text("a file, no folder")
    module = loaded(places)
    lift_and_write(module)
    assert find(module.larger) is None


def test_python_may_be_told_to_write_nothing(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    lift_and_write(loaded(places))
    assert files(places) == []


class Full(FileIO):
    """A file on a disk that is full."""

    def write(self, data: Any) -> int:
        super().write(data[:10])
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_nothing_behind(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = open

    def opened(name: str, mode: str) -> object:
        return Full(name, mode) if mode == "wb" else plain(name, mode)

    module = loaded(places)
    monkeypatch.setattr(builtins, "open", opened)
    lift_and_write(module)
    monkeypatch.undo()
    assert files(places) == []


def test_two_processes_lose_nothing(places: Path) -> None:
    module = loaded(places)
    one, other = (kept.Shelf(module.larger.__code__.co_filename) for _ in range(2))
    one.keep(module.larger.__code__, TEXT, (), rewritten(module.larger))
    other.keep(module.outer.__code__, TEXT, (), rewritten(module.outer))
    one.write()
    other.write()
    assert find(module.larger) is not None
    assert find(module.outer) is not None


def test_a_file_that_changes_for_ever_does_not_grow_for_ever(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST", 2)
    lift_and_write(loaded(places))
    monkeypatch.setattr(kept, "_SHELVES", {})
    module = loaded(places, "\n" + TEXT)
    lift_function(module.larger)
    kept.write()
    assert find(module.larger) is not None
    assert find(loaded(places).outer) is None


def test_what_was_typed_in_is_not_kept(places: Path) -> None:
    assert kept.shelf("<stdin>") is None
    assert kept.shelf("program.py") is None
    assert kept.shelf(str(places / "program.py")) is not None
