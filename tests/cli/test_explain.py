"""Each kind of limitation: its example has it, and what is said to be the way around is proved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from solvent.cli import main
from solvent.cli.limits import LIMITS, Limit, code_of, marked

# How long the examples may take that would go on for ever.
BUDGET = "1.5"


def checked(text: str, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    Path("p.py").write_text(text)
    main(["verify", "p.py", "--json", "--no-cache", *more])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("limit", LIMITS.values(), ids=list(LIMITS))
def test_example_and_way_around(
    limit: Limit,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    found = checked(limit.example, capsys, "--budget", BUDGET)
    rows = {row["function"]: row for row in [*found["results"], *found["not_checked"]]}
    assert rows["f"]["verdict"] == "unknown"
    assert rows["f"]["reason"].endswith(f" [{limit.code}]")
    found = checked(limit.instead, capsys)
    assert {row["function"]: row["verdict"] for row in found["results"]}["f"] == "holds"


def test_the_code_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By `verify`, and by a command whose function cannot be run at all."""
    monkeypatch.chdir(tmp_path)
    Path("p.py").write_text(LIMITS["S112"].example)
    for command in ("verify", "solve"):
        assert main([command, "p.py::f"]) == 3
        assert "`locals()` is not lifted; use a dict [S112]" in capsys.readouterr().out


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    for limit in LIMITS.values():
        for spelling in (limit.code, f"[{limit.code.lower()}]"):
            assert main(["explain", spelling]) == 0
            out = capsys.readouterr().out
            assert out.startswith(f"{limit.code}: {limit.title}\n")
            for source in (limit.example, limit.instead):
                assert all(line in out for line in source.splitlines())
    assert main(["explain"]) == 0
    assert [line[:4] for line in capsys.readouterr().out.splitlines()] == list(LIMITS)
    assert main(["explain", "S101", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == LIMITS["S101"].title


def test_no_such_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "S999", "--json"]) == 2
    assert "there is no code 'S999'" in json.loads(capsys.readouterr().out)["error"]


def test_messages_are_marked_once() -> None:
    text = marked("`locals()` is not lifted")
    assert marked(text) == text
    assert code_of("confirmed") == ""
