"""`solvent test --from-findings`: failing calls as regression tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from solvent.cli import main

PROGRAM = '''
def share(total: int, people: int) -> int:
    return total // people


def fine(n: int) -> int:
    return n + 1


def only_told(n: int) -> int:
    """post: _ > 0"""
    return n
'''


def outcomes(folder: Path) -> str:
    """What pytest says of the tests in a folder, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_found.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.splitlines()[-1]


def test_a_test_fails_until_the_program_is_mended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, tests = tmp_path / "sharing.py", tmp_path / "test_found.py"
    program.write_text(PROGRAM)
    assert main(["test", str(program), "--from-findings", "-o", str(tests), "--budget", "60"]) == 0
    assert "wrote 1 tests" in capsys.readouterr().out
    text = tests.read_text()
    assert "share(total=0, people=0)" in text
    assert "# Not tested: only_told(n=0): the call alone does not fail" in text
    assert outcomes(tmp_path).startswith("1 failed")
    program.write_text(PROGRAM.replace("total // people", "total // people if people else 0"))
    assert outcomes(tmp_path).startswith("1 passed")


def test_without_findings_there_is_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, tests = tmp_path / "sharing.py", tmp_path / "test_found.py"
    program.write_text(PROGRAM)
    assert main(["test", f"{program}::fine", "--from-findings", "-o", str(tests)]) == 0
    assert "no finding" in capsys.readouterr().out
    assert not tests.exists()
