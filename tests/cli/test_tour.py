"""`solvent tour` finds the paper's answers, and notices wrong ones."""

from __future__ import annotations

import json

import pytest

from solvent.cli import main, tour
from solvent.languages import cadr


def test_the_tour(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tour"]) == 0
    out = capsys.readouterr().out
    assert out.count("✓ checked") == len(tour.STEPS)
    assert "word = []" in out
    assert '"r": "end"' in out
    assert "Every answer was checked" in out


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tour", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [row["step"] for row in data["steps"]] == [step.__doc__ for step in tour.STEPS]


def test_a_wrong_automaton_is_noticed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cadr, "M", cadr.broken)
    assert main(["tour"]) == 1
    assert "✗" in capsys.readouterr().out


def test_a_wrong_core_is_noticed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cadr, "broken", lambda word: word != "cadaddrr")
    assert main(["tour"]) == 1
    assert "✗ the core is" in capsys.readouterr().out
