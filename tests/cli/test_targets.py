"""Targets as people type them: files, folders, modules, classes, methods and lines."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solvent.cli import main
from solvent.cli.importing import Importer, place_of
from solvent.cli.targets import targets

BASE = """
LIMIT = 7

def clip(x: int) -> int:
    return min(x, LIMIT)

class Box:
    def __init__(self, n: int, unused: bool = False) -> None:
        self.n = n

    def get(self, x: int) -> int:
        assert self.n != 5
        return x

    @property
    def inverse(self) -> int:
        return 1 // self.n

    @staticmethod
    def still(x: int) -> None:
        assert x != 2

    @classmethod
    def made(cls, x: int) -> None:
        assert x != 3

    def __add__(self, other: "Box") -> int:
        assert self.n + other.n != 6
        return 0

    def __hidden(self, x: int) -> None:
        assert x != 8

    def untyped(self, x):
        return x

    class Inner:
        def deep(self) -> None:
            pass

class Derived(Box):
    pass

class Error(Exception):
    def told(self) -> str:
        return ""
"""

FILES = {
    "src/pkg/__init__.py": "",
    "src/pkg/base.py": BASE,
    "src/pkg/sub/__init__.py": "",
    "src/pkg/sub/user.py": "from ..base import clip\nfrom . import other\n\n"
    "def twice(x: int) -> int:\n    assert clip(x) <= 7\n    return other.same(x)\n",
    "src/pkg/sub/other.py": "from . import user\n\ndef same(x: int) -> int:\n    return x\n",
    "one/main.py": "import util\ndef f(x: int) -> None:\n    assert util.K == 1\n",
    "one/util.py": "K = 1\n",
    "two/main.py": "import util\ndef f(x: int) -> None:\n    assert util.K == 2\n",
    "two/util.py": "K = 2\n",
    "names/numbers.py": "def f(x: int) -> None:\n    assert x != 4\n",
    "names/user.py": "import numbers\ndef f(x: int) -> None:\n    assert x != 4\n",
    "names/other.py": "from fractions import Fraction\n"
    "def f(x: int) -> None:\n    assert Fraction(x, 3) * 3 == x\n",
    "bad/missing.py": "import nowhere_at_all\n",
    "bad/failing.py": "x = 1\n1 // 0\n",
    "bad/bytes.py": b"x = '\xff'\n",
    "bad/good.py": "def f(x: int) -> None:\n    assert x == x\n",
    "tests/test_it.py": "def f(x: int) -> None:\n    assert x == x\n",
    ".hidden/f.py": "def f(x: int) -> None:\n    1 // 0\n",
    "env/pyvenv.cfg": "",
    "env/f.py": "def f(x: int) -> None:\n    1 // 0\n",
    "nothing/read.txt": "no Python",
}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with packages, scripts, and what is neither."""
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "src" / "loop").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = dict(sys.modules)
    yield tmp_path
    Importer()
    for name in set(sys.modules) - set(before):
        if name.partition(".")[0] in ("pkg", "main", "util", "user"):
            raise AssertionError(f"{name} was left behind")


def checked(capsys: pytest.CaptureFixture[str], *texts: str) -> tuple[int, dict[str, Any]]:
    code = main(["verify", *texts, "--json", "--no-cache"])
    return code, json.loads(capsys.readouterr().out)


def verdicts(found: dict[str, Any]) -> dict[str, str]:
    return {row["function"]: row["status"] for row in found["results"]}


@pytest.mark.parametrize(
    ("text", "files", "name"),
    [
        ("src/pkg/base.py", ["pkg.base"], ""),
        ("src/pkg/base.py::Box.get", ["pkg.base"], "Box.get"),
        ("pkg.base", ["pkg.base"], ""),
        ("pkg.base.clip", ["pkg.base"], "clip"),
        ("pkg.base.Box.get", ["pkg.base"], "Box.get"),
        ("pkg.sub", ["pkg.sub", "pkg.sub.other", "pkg.sub.user"], ""),
        ("pkg", ["pkg", "pkg.base", "pkg.sub", "pkg.sub.other", "pkg.sub.user"], ""),
        ("src", ["pkg", "pkg.base", "pkg.sub", "pkg.sub.other", "pkg.sub.user"], ""),
        ("one", ["main", "util"], ""),
        ("two.main", ["two.main"], ""),
        ("tests", ["test_it"], ""),
        (".hidden", ["f"], ""),
    ],
)
def test_what_a_target_stands_for(text: str, files: list[str], name: str) -> None:
    found = targets(text)
    assert [one.place.name for one in found] == files
    assert {one.name for one in found} == {name}


def test_folders_leave_out_what_is_no_program() -> None:
    names = {one.place.text for one in targets(".")}
    assert {name for name in names if not name.startswith(("src", "one", "two", "names"))} == {
        "bad/bytes.py",
        "bad/failing.py",
        "bad/good.py",
        "bad/missing.py",
    }
    assert len(names) == len({one.place.path for one in targets(".")})
    assert [one.place.text for one in targets("bad", ["bad/[bfm]*"])] == ["bad/good.py"]
    assert [one.place.text for one in targets(".", ["src", "names/", "bad", "util.py"])] == [
        "one/main.py",
        "two/main.py",
    ]


def test_a_whole_package(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = checked(capsys, "pkg")
    assert code == 1
    assert verdicts(found) == {
        "clip": "unsat",
        "Box.get": "sat",
        "Box.inverse": "sat",
        "Box.still": "sat",
        "Box.made": "sat",
        "Box.__add__": "sat",
        "Box.__hidden": "sat",
        "Box.Inner.deep": "unsat",
        "same": "unsat",
        "twice": "unsat",
    }
    assert all(row.get("confirmed", True) for row in found["results"])
    reasons = {row["function"]: row["reason"] for row in found["not_checked"]}
    assert reasons == {
        "Box.__init__": "it makes the objects that methods are called with",
        "Box.untyped": "its parameter `x` has no annotation [S301]",
        "Error.told": "its parameter `self`: no input can be made for the class `Error`, whose "
        "constructor has no annotations; give a space, such as one_of(...) or objects(...) [S302]",
    }


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("src/pkg/base.py::Box.get", "Box.get(self=Box(n=5, unused=False), x=0)"),
        ("pkg.base.Derived.get", "Box.get(self=Derived(n=5, unused=False), x=0)"),
        ("pkg.base.Box.inverse", "Box.inverse.fget(self=Box(n=0, unused=False))"),
        ("pkg.base.Box.__hidden", "Box.__hidden(self=Box(n=0, unused=False), x=8)"),
        ("src/pkg/base.py:16", "Box.inverse.fget(self=Box(n=0, unused=False))"),
        ("src/pkg/base.py:15", "Box.inverse.fget(self=Box(n=0, unused=False))"),
    ],
)
def test_methods(text: str, call: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = checked(capsys, text)
    (row,) = found["results"]
    assert (code, row["call"], row["confirmed"]) == (1, call, True)


def test_a_class_and_given_objects(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = checked(capsys, "pkg.base.Box.Inner")
    assert (code, verdicts(found)) == (0, {"Box.Inner.deep": "unsat"})
    code, found = checked(capsys, "pkg.base.Box.untyped", "--input", "x=Int")
    assert (code, verdicts(found)) == (0, {"Box.untyped": "unsat"})


def test_modules_with_the_same_name(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = checked(capsys, "one", "two", "one/main.py", "two/main.py::f")
    assert code == 0
    assert [row["position"] for row in found["results"]] == [
        "one/main.py:2",
        "two/main.py:2",
        "one/main.py:2",
        "two/main.py:2",
    ]


def test_names_of_the_standard_library(capsys: pytest.CaptureFixture[str]) -> None:
    """A file does not take the place of a standard module, and is not mistaken for one."""
    import numbers

    code, found = checked(capsys, "names/numbers.py", "names/other.py")
    assert (code, verdicts(found)) == (1, {"f": "unsat"})
    assert sys.modules["numbers"] is numbers
    assert main(["verify", "names/user.py"]) == 2
    assert "names/user.py:1: the program has a module 'numbers' of its own" in (
        capsys.readouterr().err
    )


def test_a_standard_module_that_is_not_imported_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("names/colorsys.py").write_text("raise ValueError\n")
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    importer = Importer()
    importer.module(place_of("names/other.py"))
    try:
        import colorsys

        assert colorsys.rgb_to_hsv(0, 0, 0) == (0, 0, 0)
    finally:
        importer.leave()


def test_a_dot_in_the_name_of_a_file_is_no_package(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "names/f.v2.py").write_text("def f(x: int) -> None:\n    assert x != 4\n")
    code, found = checked(capsys, "names/f.v2.py")
    assert (code, verdicts(found)) == (1, {"f": "sat"})


def test_an_import_that_never_ends(capsys: pytest.CaptureFixture[str]) -> None:
    Path("endless.py").write_text("while True:\n    pass\n")
    Path("good.py").write_text("def f(x: bool) -> None:\n    pass\n")
    assert main(["verify", "endless.py", "good.py", "--budget", "0.3", "--no-cache"]) == 2
    captured = capsys.readouterr()
    assert "endless.py: its import has not ended within 0.3 s" in captured.err
    assert "good.py:1: f: " in captured.out


def test_what_cannot_be_imported_does_not_stop_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = main(["verify", "bad", "no.such.module", "--json"])
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert code == 2
    assert verdicts(found) == {"f": "unsat"}
    assert found["verdict"] == "unknown"
    assert captured.err.count("\n") == len(found["errors"]) == 4
    for message in (
        "no.such.module: there is no such file, folder or module",
        "bad/bytes.py:1: (unicode error)",
        "bad/failing.py:2: ZeroDivisionError",
        "bad/missing.py:1: ModuleNotFoundError: No module named 'nowhere_at_all'",
    ):
        assert f"solvent: {message}" in captured.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing", "nothing: there are no Python files to check in this folder"),
        ("nowhere", "nowhere: there is no such file, folder or module"),
        ("pkg.base.nope", "there is no function 'nope'; it has: clip"),
        ("pkg.base.LIMIT", "'LIMIT' is not a function"),
        ("src/pkg/base.py:2", "src/pkg/base.py:2: there is no function at this line"),
        ("src/pkg/base.py:999", "there is no function at this line"),
        ("gone.py:3", "gone.py: there is no such file"),
        ("", "an empty text is no target"),
    ],
)
def test_what_is_no_target(text: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", text]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("solvent: ")
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_without_a_target(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify"]) == 2
    assert "verify needs a target" in capsys.readouterr().err


def test_other_commands_take_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["debug", "pkg.base.Box.inverse"]) == 0
    assert "when calling Box.inverse.fget(self=Box(n=0" in capsys.readouterr().out
    assert main(["debug", "pkg.base.Box"]) == 2
    assert "these are several functions" in capsys.readouterr().err


def test_a_package_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    Path("src/pkg/__init__.py").write_text("\nraise ValueError('no')\n")
    assert main(["verify", "src/pkg/base.py"]) == 2
    assert capsys.readouterr().err.startswith("solvent: src/pkg/__init__.py:2: ValueError: no")


def test_another_module_gets_its_name_back(capsys: pytest.CaptureFixture[str]) -> None:
    """A program may have a module with the name of one that is loaded already."""
    before = sys.modules["tests"]
    Path("tests/__init__.py").touch()
    code, found = checked(capsys, "tests/test_it.py")
    assert (code, verdicts(found)) == (0, {"f": "unsat"})
    assert sys.modules["tests"] is before


def test_the_path_is_as_before() -> None:
    before = list(sys.path)
    main(["verify", "one", "pkg.base.clip", "--no-cache"])
    assert sys.path == before


def test_links_in_a_circle() -> None:
    os.symlink("b.py", "a.py")
    os.symlink("a.py", "b.py")
    assert not {"a.py", "b.py"} & {one.place.text for one in targets(".")}


def test_generated_methods_are_not_the_users(capsys: pytest.CaptureFixture[str]) -> None:
    Path("pairs.py").write_text(
        "from typing import NamedTuple\n\n"
        "class Pair(NamedTuple):\n"
        "    first: int\n\n"
        "    def next(self) -> int:\n"
        "        return self.first + 1\n"
    )
    assert main(["verify", "pairs.py", "--json", "--no-cache"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert verdicts(answer) == {"Pair.next": "unsat"}
    assert "collections" not in json.dumps(answer["results"])
