"""Verdicts, findings and answers: what qualifies them, put together, and shown."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar

import pytest

from solvent.verdicts import (
    BAD_INPUT,
    DONE,
    UNKNOWN,
    VIOLATION,
    Answer,
    Finding,
    Together,
    Verdict,
    as_json,
    color,
    exit_code,
    lines,
    worst,
)

CRASH = Finding("division by zero", "a.c", 7, {"input": "b'q'"}, ("main", "f"), True)


@dataclass(frozen=True, slots=True)
class Engine(Answer):
    """An engine's own answer."""

    WORDS: ClassVar[Mapping[Verdict, str]] = {**Answer.WORDS, Verdict.VIOLATED: "bug"}

    state: int = 0

    @property
    def findings(self) -> tuple[Finding, ...]:
        return (CRASH,) if self.verdict is Verdict.VIOLATED else ()

    def details(self) -> Iterator[str]:
        yield f"state: {self.state}"


BUG = Engine(4, verdict=Verdict.VIOLATED, bound=2)


def test_subclasses_are_answers() -> None:
    assert (BUG.words, BUG.holds, BUG.findings) == ("bug", False, (CRASH,))
    assert replace(BUG, verdict=Verdict.HOLDS).words == "holds"
    assert replace(BUG, verdict=Verdict.HOLDS).findings == ()
    assert pickle.loads(pickle.dumps(BUG)) == BUG
    with pytest.raises(AttributeError):
        BUG.reason = "no"  # type: ignore[misc]


def test_lines() -> None:
    assert list(lines(BUG)) == ["bug", "  state: 4"]
    assert list(lines(Answer(reason="late"), "a.c")) == ["a.c: unknown: late"]
    both = Together.of([BUG, Answer(verdict=Verdict.HOLDS)])
    assert list(lines(both)) == ["violated", "  a.c:7: division by zero"]


def test_json_has_one_core() -> None:
    found = json.loads(json.dumps(as_json(BUG)))
    assert (found["verdict"], found["holds"], found["bound"], found["reason"]) == (
        "violated", False, 2, "",
    )  # fmt: skip
    assert found["findings"] == [
        {
            "message": "division by zero",
            "file": "a.c",
            "line": 7,
            "inputs": {"input": "b'q'"},
            "trace": ["main", "f"],
            "confirmed": True,
            "kind": "",
        }
    ]
    assert [as_json(Answer(verdict=one))["holds"] for one in Verdict] == [True, None, False, None]


def test_the_worst_counts() -> None:
    order = [Verdict.HOLDS, Verdict.BOUNDED, Verdict.UNKNOWN, Verdict.VIOLATED]
    for first, second in product(order, order):
        expected = max(first, second, key=order.index)
        assert Verdict.worst([first, second]) is expected
        assert Together.of([Answer(verdict=first), Answer(verdict=second)]).verdict is expected


def test_together() -> None:
    one = Answer(verdict=Verdict.BOUNDED, bound=9, reason="enough")
    two = Answer(bound=5, reason="late")
    three = Answer(reason="late")
    assert Together.of([one, two, three]) == Together(
        (one, two, three), verdict=Verdict.UNKNOWN, reason="late", bound=5
    )
    assert Together.of([one, BUG]).reason == ""
    assert Together.of([one, BUG]).findings == (CRASH,)
    assert Together.of([]).holds


def test_exit_codes() -> None:
    assert [exit_code(one) for one in Verdict] == [DONE, UNKNOWN, VIOLATION, UNKNOWN]
    assert (DONE, VIOLATION, BAD_INPUT, UNKNOWN) == (0, 1, 2, 3)
    assert worst([]) == DONE
    assert worst(iter([DONE, UNKNOWN, BAD_INPUT])) == BAD_INPUT
    assert worst([BAD_INPUT, VIOLATION]) == VIOLATION


def test_colors() -> None:
    assert [color(one) for one in Verdict] == ["green", "yellow", "red", "yellow"]


def test_places() -> None:
    assert str(Finding("wrong")) == "wrong"
    assert str(Finding("wrong", "a.py")) == "a.py: wrong"
    assert str(Finding("wrong", "a.py", 3)) == "a.py:3: wrong"
