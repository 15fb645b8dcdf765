"""`solvent profile`, `solvent trace` and `--profile`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solvent.cli import main

PROGRAM = """\
def total(xs: tuple[int, int, int, int]) -> None:
    result = 0
    for x in xs:
        if x > 0:
            result += x
    assert result >= 0


def endless(n: int) -> int:
    kept = []
    place = 0
    while True:
        if n > place:
            kept.append(place)
        place += 1
    return len(kept)


def popped(op: int, stack: list[int]) -> int:
    return stack.pop() if op else 0
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def test_a_summary_names_the_worst_line_and_what_to_do(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["profile", f"{program}::total"]) == 0
    out = capsys.readouterr().out
    assert "total: verified" in out
    lines = out.splitlines()
    table = next(place for place, line in enumerate(lines) if line.endswith("worst lines"))
    assert f"{program}:4" in lines[table + 1]
    assert "docs/antipatterns.md#" in out


def test_json_page_and_comparison(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "profile.html"
    command = ["profile", f"{program}::total", "--json", "--html", str(page)]
    assert main(command) == 0
    text = capsys.readouterr().out
    found = json.loads(text)
    assert (found["command"], found["verdict"], found["stopped"]) == ("profile", "holds", False)
    assert found["totals"]["forks"] == 4
    assert found["answer"]["status"] == "unsat"
    assert sum(line["exclusive"]["forks"] for line in found["lines"]) == 4
    assert page.read_text().startswith("<!doctype html>")
    earlier = tmp_path / "earlier.json"
    earlier.write_text(text)
    assert main(["profile", f"{program}::total", "--json", "--compare", str(earlier)]) == 0
    comparison = json.loads(capsys.readouterr().out)["comparison"]
    assert comparison["before"]["forks"] == comparison["after"]["forks"] == 4


def test_what_does_not_end_is_stopped_and_shown(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # On a machine that is very busy the first second may pass before anything has run.
    for seconds in ("1.5", "6", "60"):
        assert main(["profile", f"{program}::endless", "--seconds", seconds, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["stopped"]
        if found["totals"]["forks"] > 10:
            break
    assert found["totals"]["forks"] > 10
    assert found["lines"][0]["line"] in (13, 14)


@pytest.mark.parametrize("text", ["no JSON", "[]", "{}"])
def test_what_is_no_profile_is_bad_input(
    program: Path, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier = tmp_path / "earlier.json"
    earlier.write_text(text)
    assert main(["profile", f"{program}::total", "--compare", str(earlier)]) == 2
    error = capsys.readouterr().err
    assert "earlier.json" in error
    assert "`solvent profile --json`" in error


@pytest.mark.parametrize("command", ["verify", "solve", "test"])
def test_other_commands_write_a_page(
    command: str, program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "profile.html"
    assert main([command, f"{program}::total", "--profile", str(page)]) == 0
    assert f"wrote {page}" in capsys.readouterr().err
    assert "Profile of total" in page.read_text()


@pytest.mark.parametrize(
    ("command", "of"),
    [
        ("trace program.py::popped --max-len 1", "program.py:20  popped"),
        ("reference diff --count 3", "reference/interpreter.py:"),
        ("bench table4 --language ifcl --only B1 --kind same --quiet", "ifcl/paper.py:"),
        ("cstar model a.c", "riscu/step.py:"),
        ("validate a.c -kmax 60", "riscu/step.py:"),
    ],
)
def test_all_that_evaluates_takes_a_profile(
    command: str,
    of: str,
    program: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(program.parent)
    Path("a.c").write_text("uint64_t main() { return 1; }")
    assert main([*command.split(), "--profile", "profile.html"]) == 0
    assert of in capsys.readouterr().err
    assert "Profile of" in Path("profile.html").read_text()


@pytest.mark.parametrize(
    "command", ["test program.py", "test program.py::total --from-findings", "solve a.smt2"]
)
def test_what_is_about_more_or_less_than_a_function_takes_none(
    command: str,
    program: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(program.parent)
    Path("a.smt2").write_text("(check-sat)")
    assert main([*command.split(), "--profile", "profile.html"]) == 2
    assert "--profile is for one function" in capsys.readouterr().err


def test_what_is_stopped_is_shown(
    program: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solvent.profiling.tracing.make_solver", stopped)
    page = tmp_path / "profile.html"
    assert main(["trace", f"{program}::popped", "--profile", str(page)]) == 130
    assert "popped" in capsys.readouterr().err
    assert "popped" in page.read_text()


def test_a_profile_that_is_stopped_is_shown_as_far_as_it_came(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, page = tmp_path / "stopping.py", tmp_path / "profile.html"
    program.write_text(
        "import signal\n\n\n"
        "def total(x: int):\n"
        "    y = x * x + 1\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "    assert y > 0\n"
    )
    command = ["profile", f"{program}::total", "--html", str(page)]
    assert main(command) == 130
    told = capsys.readouterr().out
    assert "worst lines" in told
    assert f"wrote {page}" in told
    assert "total" in page.read_text()
    assert main([*command, "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["verdict"] == "unknown"


def test_a_trace(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", f"{program}::popped", "--max-len", "1"]) == 0
    out = capsys.readouterr().out
    assert f"{program}:20: IndexError: pop from empty list" in out
    assert "for example popped(" in out
    assert main(["trace", f"{program}::popped", "--json", "--max-len", "1"]) == 0
    (swallowed,) = json.loads(capsys.readouterr().out)["swallowed"]
    assert swallowed["status"] == "sat"
    assert swallowed["how"] == "ended by an exception"


def test_a_trace_of_what_is_not_there(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", f"{program}::nothing"]) == 2
    assert "there is no function 'nothing'" in capsys.readouterr().err


def test_the_languages_take_profiles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "profile.html"
    assert main(["ifcl", "verify", "B1", "--steps", "3", "--profile", str(page)]) == 1
    told = capsys.readouterr()
    assert "B1: 3 steps: a secret leaks" in told.out
    # The machine is a program like any other: its own lines are told.
    assert "ifcl/machine.py:" in told.err
    assert "Profile of ifcl B1" in page.read_text()


def test_a_machine_takes_a_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, page = tmp_path / "a.c", tmp_path / "profile.html"
    program.write_text("uint64_t main() { uint64_t x; x = 3; return x - 3; }")
    assert main(["cstar", "check", str(program), "--profile", str(page)]) == 0
    assert "riscu/step.py:" in capsys.readouterr().err
    assert "Profile of cstar check" in page.read_text()
    assert main(["cstar", "check", str(program), str(program), "--profile", str(page)]) == 2
