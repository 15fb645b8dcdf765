"""`solvent verify` as a race: what is shown meanwhile, Ctrl-C, and what goes wrong in a lane."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from solvent.cli import main

ENDLESS = (
    "def halves(n: int) -> int:\n    count = 0\n    while n > 0:\n        n //= 2\n"
    "        count += 1\n    return count\n"
)
TWO_FAILURES = "def first(xs: list[int], k: int) -> int:\n    return xs[0] // k\n"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def asked(capsys: pytest.CaptureFixture[str], text: str, *more: str) -> tuple[int, dict[str, list]]:
    Path("p.py").write_text(text)
    code = main(["verify", "p.py", "--json", "--no-cache", *more])
    return code, json.loads(capsys.readouterr().out)


def test_a_spent_budget_tells_what_was_covered(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = asked(capsys, ENDLESS, "--budget", "1.5")
    (row,) = found["results"]
    assert code == 3
    assert row["reason"].startswith("the budget of 1.5 s is spent; ")
    coverage = row["coverage"]
    assert coverage["probes"] > 0
    assert coverage["open"]
    assert not coverage["proved"]


def test_one_failure_or_all(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = asked(capsys, TWO_FAILURES, "--all")
    names = {row["failure"]["exception"] for row in found["results"]}
    assert (code, names) == (1, {"IndexError", "ZeroDivisionError"})
    code, found = asked(capsys, TWO_FAILURES, "--no-probes")
    assert code == 1
    assert [row["failure"]["exception"] for row in found["results"]] == ["IndexError"]


def test_a_solver_that_dies_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    text = "def f(x: int):\n    assert x * x != 7\n"
    code, found = asked(capsys, text, "--solver", "smtlib:false", "--budget", "3")
    assert code == 3
    assert found["results"][0]["reason"]


COMMAND = [sys.executable, "-m", "solvent", "verify", "p.py", "--no-cache"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_stops_a_check_leaves_what_is_known(number: signal.Signals) -> None:
    Path("p.py").write_text(ENDLESS)
    leader, follower = pty.openpty()
    with subprocess.Popen([*COMMAND, "--json"], stdout=subprocess.PIPE, stderr=follower) as running:
        os.close(follower)
        shown = b""
        while b"rounds" not in shown:
            shown += os.read(leader, 4096)
        running.send_signal(number)
        assert running.stdout is not None
        found = json.loads(running.stdout.read())
    os.close(leader)
    assert running.returncode == 128 + number
    why = "Ctrl-C" if number == signal.SIGINT else "SIGTERM"
    assert found["results"][0]["reason"].startswith(f"stopped by {why}")


TWO = "def good(x: bool) -> None:\n    pass\ndef bad(x: int) -> None:\n    assert x != 3\n"


@pytest.mark.parametrize(("function", "code"), [("::good", 141), ("", 1)])
def test_a_reader_that_went_away(function: str, code: int) -> None:
    """What is printed is lost, and nothing else: a violation is one, and files are written."""
    Path("p.py").write_text(TWO)
    command = [*COMMAND[:-2], f"p.py{function}", "--no-cache", "--sarif", "found.sarif"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (code, b"")
    found = json.loads(Path("found.sarif").read_text())["runs"][0]["results"]
    assert [one["level"] for one in found] == ([] if function else ["error"])


def test_output_that_is_closed_or_full() -> None:
    Path("p.py").write_text(TWO)
    full = "solvent: standard output: No space left on device\n"
    for function, where, code, said in (
        ("::good", ">&-", 0, ""),
        ("::good", ">&- 2>&-", 0, ""),
        ("::good", ">/dev/full", 3, full),
        ("::good", ">/dev/full 2>/dev/full", 3, ""),
        # Several functions are checked side by side; a violation is one all the same.
        ("", ">/dev/full", 1, full),
    ):
        command = shlex.join([*COMMAND[:-2], f"p.py{function}", "--no-cache"])
        done = subprocess.run(["sh", "-c", f"{command} {where}"], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (code, said), where


@pytest.mark.parametrize("more", [(), ("--quiet",)])
def test_the_line_is_shown_on_a_terminal_and_gone_in_the_end(more: tuple[str, ...]) -> None:
    Path("p.py").write_text(ENDLESS)
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "--budget", "1.5", *more], stdout=subprocess.DEVNULL, stderr=follower
    ) as running:
        os.close(follower)
        shown = b""
        while True:
            try:
                piece = os.read(leader, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
    os.close(leader)
    assert running.returncode == 3
    if more:
        assert shown == b""
    else:
        assert b"halves: " in shown
        assert shown.endswith(b"\r\x1b[2K")


def test_answers_stand_on_lines_of_their_own() -> None:
    Path("p.py").write_text(ENDLESS + ENDLESS.replace("def halves", "def other"))
    leader, follower = pty.openpty()
    command = [*COMMAND, "--budget", "1.5", "--jobs", "2"]
    with subprocess.Popen(command, stdout=follower, stderr=follower) as running:
        os.close(follower)
        shown = b""
        with contextlib.suppress(OSError):
            while piece := os.read(leader, 4096):
                shown += piece
    os.close(leader)
    assert running.returncode == 3
    assert b"running: " in shown
    headline = rb"(?s)(.?)p\.py:\d+: (?:\x1b\[[\d;]*m)?(?:halves|other): unknown"
    assert set(re.findall(headline, shown)) <= {b"", b"K", b"\n"}
    assert len(re.findall(headline, shown)) == 2


def test_nothing_is_shown_without_a_terminal() -> None:
    Path("p.py").write_text(ENDLESS)
    done = subprocess.run([*COMMAND, "--budget", "1"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (3, b"")
