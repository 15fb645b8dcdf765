"""`solvent reference`: tables, exit codes, progress, and what is shown of a difference."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from solvent.cli import compared, main
from solvent.cli import reference as command
from solvent.reference import differential, tables
from solvent.reference.differential import ROUTES, UNKNOWN, Limits, Row
from solvent.reference.enumeration import Test
from solvent.reference.faults import FAULTS, IfsymSwapsGuards
from solvent.reference.naive import NaiveFactory
from solvent.reference.syntax import parse
from solvent.units.journal import Journal


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Journals are kept in the project."""
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").touch()


FEW = ["--count", "12", "--seed", "3", "--jobs", "1"]


def test_diff(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reference", "diff", *FEW]) == 0
    out, err = capsys.readouterr()
    assert "naive state" in out
    assert "12 programs: 12 validated" in out
    # There is no progress bar unless somebody looks.
    assert err == ""


def test_diff_as_json_and_html(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "table.html"
    assert main(["reference", "diff", *FEW, "--json", "--html", str(page)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["programs"], data["validated"], data["minimal"]) == (12, 12, [])
    assert "12 programs: 12 validated" in page.read_text()


def test_diff_in_several_processes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reference", "diff", "--count", "8", "--seed", "3", "--jobs", "2"]) == 0
    assert "8 programs: 8 validated" in capsys.readouterr().out


def dying(function: Any, is_its_time: Any) -> Any:
    """A function that ends the process of its unit when it is given something."""
    here = os.getpid()

    def performs(data: Any, tell: Any) -> Any:
        if os.getpid() != here and is_its_time(data):
            os.kill(os.getpid(), signal.SIGKILL)
        return function(data, tell)

    return performs


def test_programs_that_are_lost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of a process that dies are unknown, all others are compared; and so with --resume."""
    whole = compared.perform_tests
    monkeypatch.setattr(compared, "BATCH", 4)
    monkeypatch.setattr(compared, "perform_tests", dying(whole, lambda data: 0 in data["numbers"]))
    diff = ["reference", "diff", "--count", "12", "--seed", "3", "--jobs", "2", "--json"]
    assert main(diff) == 3
    data = json.loads(capsys.readouterr().out)
    assert (data["programs"], data["validated"], data["unknown"]) == (12, 8, 4)
    assert "SIGKILL" in data["others"][0]["detail"]


def test_programs_that_are_known_are_not_compared_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that was stopped goes on where it was."""
    whole = compared.perform_tests
    monkeypatch.setattr(compared, "BATCH", 4)
    diff = ["reference", "diff", "--count", "12", "--seed", "3", "--jobs", "1", "--json"]

    def interrupt(row: Row) -> None:
        raise KeyboardInterrupt

    assert main(diff) == 0
    expected = json.loads(capsys.readouterr().out)
    with monkeypatch.context() as patch:
        patch.setattr(tables, "as_json", interrupt)
        patch.setattr(Journal, "close", lambda self, complete: None)
        assert main(diff) == 130
    capsys.readouterr()
    monkeypatch.setattr(compared, "perform_tests", dying(whole, lambda data: True))
    assert main([*diff, "--resume"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert [again[name] for name in ("programs", "validated", "asked")] == [
        expected[name] for name in ("programs", "validated", "asked")
    ]


def test_a_fault_that_is_lost(
    few_faults: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not known whether it is caught, which is another answer than that it is not."""
    lost = few_faults[1]
    whole = compared.perform_fault
    monkeypatch.setattr(compared, "perform_fault", dying(whole, lambda data: data["fault"] == lost))
    faults = ["reference", "faults", "--count", "60", "--seed", "3", "--jobs", "2"]
    assert main(faults) == 3
    out = capsys.readouterr().out
    assert f"{len(few_faults) - 1} of {len(few_faults)} faults caught, 1 unknown" in out
    assert "it was ended by SIGKILL" in out


def test_one_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reference", "diff", "--program", "(if p (+ x y) (error))"]) == 0
    assert "1 programs: 1 validated" in capsys.readouterr().out


def test_a_difference(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    broken = differential.by_rules(NaiveFactory, IfsymSwapsGuards)
    routes = {**ROUTES, "naive": broken}
    monkeypatch.setattr(differential.check, "__defaults__", (Limits(), routes))
    assert main(["reference", "diff", *FEW]) == 1
    out = capsys.readouterr().out
    assert "naive and optimised: different" in out
    assert "; p: bool\n(if p " in out
    assert "✗" in out
    assert main(["reference", "diff", *FEW, "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["different"] > 0
    assert data["minimal"][0]["program"].startswith("; p: bool\n(if p ")


def test_unknown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    row = Row(Test.of(parse("x")), UNKNOWN, "naive and machine: unknown: timeout")
    monkeypatch.setattr(command, "compared", lambda *details: [row])
    assert main(["reference", "diff", *FEW]) == 3
    assert "1 unknown" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["diff", "--program", "(if p"],
        ["diff", *FEW, "--html", "/no/such/folder/page.html"],
    ],
)
def test_bad_input(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reference", *arguments]) == 2
    assert capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["diff", "--count", "0"], ["diff", "--jobs", "x"], ["diff", "--timeout", "-1"], ["other"]],
)
def test_bad_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["reference", *arguments])
    assert stopped.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_a_progress_bar_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert main(["reference", "diff", *FEW]) == 0
    out, err = capsys.readouterr()
    assert "comparing" in err
    assert "comparing" not in out


# --- faults ------------------------------------------------------------------------------------


@pytest.fixture
def few_faults(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names = [
        name for name in FAULTS if name.startswith(("IFSYM", "ERROR", "merge", "join drops w"))
    ]

    monkeypatch.setattr(command, "FAULTS", {name: FAULTS[name] for name in names})
    return names


def test_faults(few_faults: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "table.html"
    arguments = ["--count", "60", "--seed", "3", "--jobs", "1", "--html", str(page)]
    assert main(["reference", "faults", *arguments]) == 0
    out = capsys.readouterr().out
    for name in few_faults:
        assert name in out
        assert name in page.read_text()
    assert out.count("✓") == len(few_faults)
    assert f"{len(few_faults)} of {len(few_faults)} faults caught" in out


def test_faults_as_json(few_faults: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["reference", "faults", "--count", "60", "--seed", "3", "--jobs", "1", "--json"]) == 0
    )
    data = json.loads(capsys.readouterr().out)
    assert [row["fault"] for row in data["faults"]] == few_faults
    assert all(row["caught"] and row["programs"] > 0 and row["program"] for row in data["faults"])


@pytest.mark.usefixtures("few_faults")
def test_a_fault_that_is_not_caught(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reference", "faults", "--count", "1", "--jobs", "1"]) == 1
    assert "✗" in capsys.readouterr().out


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the kernel must be Linux")
def test_ctrl_c_ends_all_processes_without_a_word() -> None:
    """Ctrl-C in a terminal reaches this process and those that it has just started."""
    program = "import sys; from solvent_command import main; sys.exit(main())"
    running = subprocess.Popen(
        [sys.executable, "-c", program, "reference", "diff", "--count", "500", "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    while running.poll() is None and len(children.read_text().split()) < 2:
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGINT)
    output, errors = running.communicate()
    assert running.returncode == 130
    # It depends on the moment whether there is something to say of what was covered.
    assert errors == "solvent: interrupted\n" or (errors == "" and "stopped by Ctrl-C" in output)
