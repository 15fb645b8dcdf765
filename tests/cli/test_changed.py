"""`--changed`: functions that differ from a revision, in themselves or in what they reach."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from solvent.cli import main
from solvent.cli.changed import compared

FILES = {
    "lib.py": """
LIMIT = 7

def clip(x: int) -> int:
    return min(x, LIMIT)

def alone(x: int) -> int:
    return x

class Base:
    def __init__(self, n: int) -> None:
        self.n = n

    def value(self) -> int:
        return self.n

class Derived(Base):
    def value(self) -> int:
        return self.n + 1

if __name__ == "__main__":
    print(clip(3))
""",
    "app.py": """
import functools
import lib
from lib import Derived as D

def uses_clip(x: int) -> int:
    return lib.clip(x)

def uses_class(b: "lib.Base") -> int:
    return b.value()

def uses_derived(n: int) -> int:
    return D(n).value()

def apart(x: int) -> int:
    return x

@functools.singledispatch
def size(x: int) -> int:
    return 0

@size.register
def _(x: int) -> int:
    return 1
""",
}


def git(*arguments: str) -> None:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    for name, text in FILES.items():
        Path(name).write_text(text)
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    return tmp_path


def edit(file: str, old: str, new: str) -> None:
    text = Path(file).read_text()
    assert old in text
    Path(file).write_text(text.replace(old, new, 1))


def changed(capsys: pytest.CaptureFixture[str], *arguments: str) -> set[str]:
    """The functions that are checked."""
    assert main(["verify", *(arguments or (".", "--changed")), "--json", "--no-cache"]) in (0, 1, 3)
    found = json.loads(capsys.readouterr().out)
    rows = [*found["results"], *found["not_checked"]]
    return {row["function"] for row in rows} - {"Base.__init__"}


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("app.py", "\nimport", "# A comment.\n\nimport", set()),
        ("lib.py", "print(clip(3))", "print(clip(4))", set()),
        ("app.py", "return x\n", "return x + 1\n", {"apart"}),
        ("lib.py", "return x\n", "return x + 1\n", {"alone"}),
        ("lib.py", "min(x, LIMIT)", "max(x, LIMIT)", {"clip", "uses_clip"}),
        ("lib.py", "LIMIT = 7", "LIMIT = 8", {"clip", "uses_clip"}),
        ("lib.py", "self.n + 1", "self.n + 2",
         {"Base.value", "Derived.value", "uses_derived", "uses_class"}),
        ("app.py", "return 1", "return 2", {"size", "_"}),
    ],
)  # fmt: skip
def test_what_has_changed(
    file: str, old: str, new: str, expected: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    edit(file, old, new)
    assert changed(capsys) == expected


def test_a_statement_without_a_name_may_change_anything(
    capsys: pytest.CaptureFixture[str],
) -> None:
    edit("lib.py", "LIMIT = 7\n", "LIMIT = 7\nfor LIMIT in (1, 2):\n    pass\n")
    assert changed(capsys, "app.py", "--changed") >= {"apart", "uses_clip", "uses_class"}


def test_what_patches_reaches_everything() -> None:
    before = b"def f(): return 1\ndef g(): return 2\nC.f = g\n"
    found = compared(before, before.replace(b"2", b"3"))
    assert found.names == {"g"}
    assert not found.everything
    assert "g" in found.words[""]


def test_other_revisions_and_new_files(capsys: pytest.CaptureFixture[str]) -> None:
    edit("app.py", "return x\n", "return x + 1\n")
    git("commit", "-q", "-am", "second")
    assert changed(capsys) == set()
    assert changed(capsys, "--changed", "HEAD~1") == {"apart"}
    # Neither git nor the one who types knows a revision with this name.
    assert changed(capsys, "--changed", "app.py") == set()
    Path("new.py").write_text("def fresh(x: int) -> int:\n    return x\n")
    Path(".gitignore").write_text("new.py\n")
    assert changed(capsys) == {"fresh"}
    assert main(["verify", "app.py", "--changed"]) == 0
    assert capsys.readouterr().out == "nothing has changed\n"


def test_no_revision(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments, message in (
        (["--changed", "nope"], "--changed nope: git has no such revision"),
        (["--changed=--help"], "--changed --help: git has no such revision"),
        (["--changed", "HEAD:app.py"], "git has no such revision"),
    ):
        assert main(["verify", "app.py", *arguments]) == 2
        error = capsys.readouterr().err
        assert message in error
        assert error.count("\n") == 1
    monkeypatch.setenv("PATH", "")
    assert main(["verify", "app.py", "--changed"]) == 2
    assert "--changed needs git" in capsys.readouterr().err
    monkeypatch.undo()
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    monkeypatch.chdir(outside)
    assert main(["verify", "app.py", "--changed"]) == 2
    assert "not a git repository" in capsys.readouterr().err


def test_a_source_that_was_none() -> None:
    assert compared(b"def f(:", b"def f(): 1").everything
    assert compared(None, b"def f(): 1").names == {"f"}
