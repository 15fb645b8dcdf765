"""Answers that are kept: never one that is out of date, and never a reason to fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solvent.cli import cache, depending, main, stores
from solvent.cli.importing import Importer, place_of
from solvent.cli.stores import Folder
from solvent.verdicts import Answer, Verdict
from tests.patience import FOREVER

PROGRAM = """
import helper

def good(x: int) -> int:
    assert helper.K != 2
    return x

def bad(x: int) -> None:
    assert x != 3

def open_ended(n: int) -> None:
    while n > 0:
        n -= 1
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose files count as old enough."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(depending, "MARGIN", 0)
    Path("p.py").write_text(PROGRAM)
    Path("helper.py").write_text("K = 1\n")
    Path("pyproject.toml").touch()
    return tmp_path


def asked(
    capsys: pytest.CaptureFixture[str], *more: str, target: str = "p.py"
) -> dict[str, tuple[str, bool]]:
    """The status of each function, and whether it is from the cache."""
    main(["verify", target, *more, "--json", "--bound", "2"])
    captured = capsys.readouterr()
    assert captured.err == ""
    rows = json.loads(captured.out)["results"]
    return {row["function"]: (row["status"], row.get("cached", False)) for row in rows}


def fresh(capsys: pytest.CaptureFixture[str], *more: str) -> bool:
    """Whether `good` is asked about anew."""
    return not asked(capsys, *more, target="p.py::good")["good"][1]


def test_what_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    expected = {"good": "unsat", "bad": "sat", "open_ended": "unknown"}
    assert asked(capsys) == {name: (status, False) for name, status in expected.items()}
    again = asked(capsys)
    assert {name: status for name, (status, _) in again.items()} == expected
    assert {name for name, (_, cached) in again.items() if cached} == {"good", "bad"}
    assert fresh(capsys, "--no-cache")
    assert main(["verify", "p.py::bad", "--bound", "2"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("p.py:9: AssertionError when calling bad(x=3) (from the cache)\n")
    assert "  confirmed: CPython raised AssertionError at p.py:9\n" in out


def test_the_answers_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    found: list[dict[str, Any]] = []
    for _ in range(2):
        assert main(["verify", "p.py::bad", "--json"]) == 1
        found.append(json.loads(capsys.readouterr().out))
    first, second = found
    del first["results"][0]["stats"], first["seconds"], second["seconds"]
    assert second["results"][0].pop("cached") is True
    assert first == second


CHANGES: dict[str, Callable[[pytest.MonkeyPatch], object]] = {
    "the file": lambda _: Path("p.py").write_text(PROGRAM + "\n"),
    "what it imports": lambda _: Path("helper.py").write_text("K = 2\n"),
    "a package": lambda _: [Path("helper").mkdir(), Path("helper/__init__.py").write_text("K=2")],
    "Python": lambda patch: patch.setattr(depending.sys, "version", "4"),
    "Solvent": lambda patch: patch.setattr("solvent.__version__", "99"),
    "Solvent's source": lambda patch: patch.setattr(depending, "_own_source", lambda: ("other",)),
    "a solver": lambda patch: patch.setattr(depending, "_installed", lambda path: ("z3-99",)),
    "the environment": lambda patch: patch.setenv("SOLVENT_CHECK_REWRITES", "1"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_makes_it_old(
    change: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fresh(capsys)
    assert not fresh(capsys)
    CHANGES[change](monkeypatch)
    assert fresh(capsys)


@pytest.mark.parametrize(
    "more", [("--max-len", "2"), ("--alias",), ("--raises", "KeyError"), ("--input", "x=bool")]
)
def test_options_matter(more: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert fresh(capsys)
    assert fresh(capsys, *more)
    assert not fresh(capsys, *more)
    assert not fresh(capsys)


@pytest.mark.parametrize(
    "text",
    [
        "import os",
        "import random",
        "import numpy_like",
        "from time import time",
        "from pathlib import Path",
        "import sys\nK = sys.argv",
        "from datetime import datetime\nK = datetime.now()",
        "import datetime\ndef f():\n    return datetime.date.today()",
        "K = open(__file__).read()",
        "K = eval('3')",
        "def f(x: int):\n    import later\n    return later.K",
        "K = object()",
        "import math\nmath.tau = 3",
        "import math\ndef f():\n    math.tau = 3",
        "import decimal\ndecimal.getcontext().prec = 3",
        "class B: pass\ndef f(x: type[B]) -> None: pass",
        "import urllib.request",
        "K = {id(3)}",
        "import weakref",
        "import contextlib\ndef f():\n    return contextlib.os.environ",
        "from contextlib import os",
        "def f():\n    from contextlib import os\n    return os.environ",
        "import contextlib as c\ndef f():\n    d = c\n    return getattr(d, 'os').environ",
        "def f():\n    import colorsys, statistics\n    return statistics.random.random()",
        "class B: pass\ndef f(x: 'type[B]') -> None: pass",
        "import parts\ndef f():\n    from parts import later\n    return later.K",
    ],
)
def test_what_may_depend_on_more_is_not_kept(text: str) -> None:
    Path("numpy_like.py").write_text("import ctypes\n")
    Path("parts").mkdir()
    Path("parts/__init__.py").touch()
    Path("parts/later.py").write_text("K = 1\n")
    Path("q.py").write_text(text + "\ndef g(x: int) -> int:\n    return x\n")
    importer = Importer()
    try:
        module = importer.module(place_of("q.py"))
        assert depending.dependencies(module.g, {}) is None
    finally:
        importer.leave()


def test_what_depends_on_its_source_alone_is_kept() -> None:
    Path("q.py").write_text(
        "from __future__ import annotations\n"
        "import enum, math, re, functools, dataclasses\n"
        "from typing import TypeVar, Protocol\n"
        "T = TypeVar('T')\n"
        "class Color(enum.Enum):\n    RED = 1\n"
        "@dataclasses.dataclass(slots=True)\nclass P:\n    x: int = 3\n    def f(self): return 1\n"
        "class Q:\n    K = [1, {'a': (2.5, None)}]\n    @property\n    def p(self): return 1\n"
        "    @staticmethod\n    def s(): return 2\n    @classmethod\n    def c(cls): return 3\n"
        "WORD = re.compile('a')\nONE = Color.RED\nPAIRS = {1: {2, 3}}\nHELP = list[int] | None\n"
        "@functools.lru_cache\ndef cached(x: int) -> int:\n    return x\n"
        "def around(n):\n    def inner(x: int) -> int:\n        return x + n\n    return inner\n"
        "made = around(3)\n"
        "def g(x: int, y=(1, [2])) -> int:\n    return math.gcd(x, 3)\n"
    )
    importer = Importer()
    try:
        module = importer.module(place_of("q.py"))
        first = depending.dependencies(module.g, {})
        assert first is not None
        assert depending.dependencies(module.g, {}) == first
        for change in (
            lambda: module.PAIRS[1].add(4),
            lambda: module.Q.K.append(5),
            lambda: module.g.__defaults__[0][1].append(3),
            lambda: setattr(module, "ONE", 1),
            lambda: setattr(module.Q, "s", staticmethod(len)),
            lambda: setattr(module, "made", module.around(4)),
        ):
            before = depending.dependencies(module.g, {})
            change()
            assert depending.dependencies(module.g, {}) != before
    finally:
        importer.leave()


THROUGH_OTHERS = {
    "a function in a list": "import shared\ndef up(x): return x\nshared.hooks.append(up)",
    "a class in a list": "import shared\nclass Up: pass\nshared.hooks.append(Up)",
    "an attribute of a function": "import shared\nfor one in [shared.f]:\n    one.most = 5",
    "the code of a function": (
        "import shared\ndef up(x): return x\nfor one in [shared.f]:\n    one.__code__ = up.__code__"
    ),
    "a module in a list": "import shared, extra\nshared.hooks.append(extra)",
    "what it imports": "import shared, calendar\ncalendar.setfirstweekday(6)",
    "a table of a library": "import html.entities\nhtml.entities.html5['lt'] = 'x'",
}


@pytest.mark.parametrize("way", THROUGH_OTHERS)
def test_what_another_module_brings_into_this_one(way: str) -> None:
    """Its source does not count, so no answer is kept, or it is one about another program."""
    Path("shared.py").write_text("hooks = []\ndef f(x): return x\n")
    Path("extra.py").write_text("K = 1\n")
    Path("a.py").write_text("import shared\ndef g(x: int) -> int:\n    return x\n")
    Path("b.py").write_text(THROUGH_OTHERS[way] + "\n")
    found = []
    for files in (["a.py"], ["b.py", "a.py"]):
        importer = Importer()
        try:
            module = [importer.module(place_of(file)) for file in files][-1]
            found.append(depending.dependencies(module.g, {}))
        finally:
            importer.leave()
    before, after = found
    assert before is not None
    assert after != before
    assert after is None or way == "an attribute of a function"


def test_another_module_that_changes_this_one(capsys: pytest.CaptureFixture[str]) -> None:
    """What was patched by a file that was imported before is another program."""
    Path("a.py").write_text("import helper\nhelper.K = 2\ndef f(x: int): pass\n")
    assert fresh(capsys)
    assert asked(capsys, "a.py")["good"] == ("unsat", True)
    assert main(["verify", "a.py", "p.py::good", "--json", "--bound", "2"]) == 1
    rows = json.loads(capsys.readouterr().out)["results"]
    assert [row.get("cached", False) for row in rows] == [False, False]


def test_a_file_that_changes_while_it_is_checked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither just after its import, nor while the solver works."""
    monkeypatch.setattr(depending, "MARGIN", 10**12)
    assert fresh(capsys)
    monkeypatch.setattr(depending, "MARGIN", 0)
    assert fresh(capsys)
    Path("p.py").write_text(PROGRAM.replace("return x", "return x + 1"))
    from solvent.cli.checking import raced

    def slow(*arguments: Any) -> Any:
        found = raced(*arguments)
        Path("p.py").write_text(PROGRAM.replace("return x", "return 1 // x"))
        return found

    with monkeypatch.context() as patch:
        patch.setattr("solvent.cli.asking.raced", slow)
        assert asked(capsys)["good"] == ("unsat", False)
    Path("p.py").write_text(PROGRAM.replace("return x", "return x + 1"))
    assert fresh(capsys)


def entries() -> list[Path]:
    return sorted(Path(cache.FOLDER).glob("*.json"))


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"format": 1, "depends": 3}',
        b"[" * 100_000,
        # Who unpickles this opens a file.
        b"cbuiltins\nopen\n(S'opened'\nS'w'\ntR.",
    ],
)
def test_a_damaged_entry_is_none(damage: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    assert fresh(capsys)
    for path in entries():
        path.write_bytes(damage)
    assert fresh(capsys)
    assert not fresh(capsys)
    assert not Path("opened").exists()


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/full", "a pipe", "a folder"])
def test_an_entry_that_is_no_file_is_none(place: str, tmp_path: Path) -> None:
    """It may never end, or nobody may ever write to it."""
    entry = tmp_path / "entry.json"
    if place == "a pipe":
        os.mkfifo(entry)
    elif place == "a folder":
        entry.mkdir()
    else:
        entry.symlink_to(place)
    store = Folder(tmp_path)
    assert store.read("entry.json") is None
    store.write("entry.json", b"{}")
    assert store.read("entry.json") == (None if place == "a folder" else b"{}")


def test_an_answer_that_was_edited_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(capsys)["bad"] == ("sat", False)
    for path in entries():
        path.write_text(path.read_text().replace("violated", "holds"))
    assert asked(capsys)["bad"] == ("sat", False)


def test_an_entry_under_another_name_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    """The proof of one function is not taken for that of another of the same module."""
    asked(capsys)
    first, second = entries()
    told = first.read_bytes(), second.read_bytes()
    first.write_bytes(told[1])
    second.write_bytes(told[0])
    assert asked(capsys) == {
        "good": ("unsat", False),
        "bad": ("sat", False),
        "open_ended": ("unknown", False),
    }


@pytest.mark.parametrize("place", ["../shared", "local://{}/local", "file://{}/by-address"])
def test_a_shared_place(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same project elsewhere finds what was kept, and another one does not."""
    place = place.format(tmp_path)
    for number in range(3):
        folder = tmp_path / f"clone{number}"
        folder.mkdir()
        text = "K = 1\n" if number < 2 else "K = 3\n"
        (folder / "p.py").write_text(PROGRAM)
        (folder / "helper.py").write_text(text)
        (folder / "pyproject.toml").touch()
        monkeypatch.chdir(folder)
        found = asked(capsys, "p.py::bad", "--cache-at", place, target="p.py::good")
        assert found["good"] == ("unsat", number == 1), number
        assert found["bad"] == ("sat", number == 1), number
    monkeypatch.setenv("SOLVENT_CACHE", place)
    assert not fresh(capsys, "--jobs", "1")
    # Who does not know the secret is not believed.
    monkeypatch.setenv(cache.SECRET, "s3cret")
    assert fresh(capsys, "--jobs", "1")
    assert not fresh(capsys, "--jobs", "1")
    monkeypatch.setenv(cache.SECRET, "other")
    assert fresh(capsys, "--jobs", "1")


def test_a_shared_place_and_a_program_that_looks_where_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("p.py").write_text(PROGRAM + "\nHERE = __file__\n")
    for _ in range(2):
        assert fresh(capsys, "--cache-at", "shared")


def test_where_nothing_can_be_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(cache.FOLDER).write_text("a file")
    assert fresh(capsys)
    assert fresh(capsys)
    Path(cache.FOLDER).unlink()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("replace", "fdopen"):
        with monkeypatch.context() as patch:
            patch.setattr(stores.os, name, full)
            assert fresh(capsys)
        folder = Path(cache.FOLDER)
        # Markers of the folder and journals of runs may be there, but no half of an entry.
        left = {path.name for path in folder.glob("*") if path.suffix != ".TAG"}
        assert left <= {"journals"}
    assert fresh(capsys)
    assert not fresh(capsys)


def test_the_folder_is_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    Path("inner").mkdir()
    Path("inner/p.py").write_text(PROGRAM)
    Path("inner/helper.py").write_text("K = 1\n")
    os.chdir("inner")
    assert fresh(capsys)
    os.chdir("..")
    assert (Path(cache.FOLDER) / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28")
    assert (Path(cache.FOLDER) / ".gitignore").read_text() == "*\n"
    assert not Path("inner", cache.FOLDER).exists()


def test_two_at_once(tmp_path: Path) -> None:
    """Writers and readers of one entry never see half of it."""
    answers = [Answer(verdict=Verdict.HOLDS)]
    texts = [f"{number}" * 50_000 for number in range(2)]
    path = tmp_path / cache.FOLDER / "a.json"
    wrong: list[object] = []

    class Told(Answer):
        def as_dict(self) -> dict[str, object]:
            return {"findings": [], "text": texts[len(answers) % 2]}

    store = Folder(path.parent)
    one = cache.Entry(store, path.name, "about", "same", lambda: "same")

    def work() -> None:
        for _ in range(50):
            one.write([Told(verdict=Verdict.HOLDS)])
            found = one.read()
            if found is None or found[0].row["text"] not in texts:
                wrong.append(found)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert [one.name for one in path.parent.iterdir() if one.name.startswith(".new")] == []


@pytest.mark.parametrize("answer", [Answer(), Answer(verdict=Verdict.BOUNDED, bound=3)])
def test_only_what_is_definite(answer: Answer, tmp_path: Path) -> None:
    assert not cache.is_definite(answer)
    assert not cache.is_definite(Answer(verdict=Verdict.VIOLATED))


def test_a_fresh_process(monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-P", "-m", "solvent", "verify", "p.py::bad"]
    outputs = []
    for place in range(2):
        # The file is older than the second process, whatever clock its system has.
        os.utime("p.py", (1, 1)) if place == 0 else None
        done = subprocess.run(command, capture_output=True, text=True, timeout=FOREVER, check=False)
        assert (done.returncode, done.stderr) == (1, "")
        outputs.append(done.stdout.splitlines()[0])
    assert outputs[1].removesuffix(" (from the cache)") == outputs[0]
    assert outputs[1].endswith("(from the cache)")
