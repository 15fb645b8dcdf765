"""`solvent test`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from solvent.cli import main
from tests.patience import FOREVER

SOURCE = """
def grade(points: int, bonus: bool) -> str:
    if points < 0:
        raise ValueError("negative")
    if points >= 50 or bonus and points >= 45:
        return "passed"
    return "failed"

def count(n: int) -> int:
    i = 0
    while i < n:
        i += 1
    return i

def helper(x: int) -> int:
    return x if x > 0 else -x

def use(a: int, b: int) -> int:
    return helper(a) + helper(b)

def hashed(x: int) -> str:
    import hashlib
    return hashlib.md5(str(x % 3).encode()).hexdigest()

def unknown(x):
    return x
"""


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    before = list(sys.path)
    path = tmp_path / "graded.py"
    path.write_text(SOURCE)
    yield path
    sys.path[:] = before
    sys.modules.pop("graded", None)


def test_writes_tests_that_pass(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = file.with_name("test_graded.py")
    assert main(["test", f"{file}::grade", "-o", str(output), "--merged"]) == 0
    out = capsys.readouterr().out
    assert "grade: 5 paths, all of them" in out
    assert "merged: 5 paths are 2 states" in out
    assert "coverage: 8 of 8 sides of 4 branches" in out
    assert f"wrote 5 tests to {output}" in out
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(output)],
        capture_output=True,
        text=True,
        timeout=FOREVER,
        check=False,
        cwd=file.parent,
    )
    assert "5 passed" in done.stdout


def test_json_and_bounds(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", f"{file}::count", "--json", "--depth", "3", "--order", "breadth"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert not found["complete"]
    assert [path["call"] for path in found["paths"]] == [f"count(n={n})" for n in range(3)]
    assert "more than 3 decisions" in found["unexplored"][0]["reason"]
    assert found["tests"] == 3
    assert "def test_count_3" in found["text"]


def test_summaries_and_inputs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["test", f"{file}::use", "--json", "--compositional", "--input", "b=integers(1, 9)"]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["paths"]) == 1
    assert found["summaries"][0]["function"] == "helper"


def test_values_for_what_is_not_lifted(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", f"{file}::hashed", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["status"] == "unsupported"
    assert main(["test", f"{file}::hashed", "--json", "--concretize"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert (found["tests"], found["complete"]) == (3, False)
    assert "openssl_md5(...) with b'0'; b'1'; b'2'" in found["unexplored"][0]["reason"]


def test_without_a_file_the_tests_are_printed(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["test", f"{file}::helper"]) == 0
    shown = capsys.readouterr()
    assert "def test_helper_1" in shown.out
    assert "helper: 2 paths" in shown.err


def test_bad_input(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for target in (str(file), f"{file}::nothing", f"{file}::unknown", "none.py::f"):
        assert main(["test", target]) == 2
        error = capsys.readouterr().err
        assert error.startswith("solvent: ")
        assert "Traceback" not in error
    assert main(["test", f"{file}::helper", "-o", str(file / "x.py")]) == 2
