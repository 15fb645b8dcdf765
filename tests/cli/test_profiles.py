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
    command = ["profile", f"{program}::endless", "--seconds", "1.5", "--json"]
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["stopped"]
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
