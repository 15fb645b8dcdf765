"""Several queries at once."""

from __future__ import annotations

import io
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import pytest

from solvent import Int, integers, solve, verify
from solvent.errors import QueryError
from solvent.queries import ask_all, question


def below(x: int, limit: int) -> None:
    """A function that another process can import."""
    assert x * x < limit


LIMITS = range(78, 86)
EXPECTED = [limit > 81 for limit in LIMITS]


def questions() -> list[Any]:
    return [question(verify, below, integers(0, 9), limit) for limit in LIMITS]


def test_in_threads_in_order() -> None:
    assert [answer.holds for answer in ask_all(questions())] == EXPECTED
    with ThreadPoolExecutor(2) as executor:
        assert [answer.holds for answer in ask_all(questions(), executor)] == EXPECTED


def test_in_processes() -> None:
    with ProcessPoolExecutor(2) as executor:
        answers = ask_all(questions(), executor)
    assert [answer.holds for answer in answers] == EXPECTED
    found = answers[0]
    # What comes back is complete: model, replay, failure.
    assert found.confirmed
    assert found.inputs == {"x": 9, "limit": 78}
    assert isinstance(found.failure.exception, AssertionError)
    assert found.model is not None


def test_no_questions() -> None:
    assert ask_all([]) == []


def test_an_error_is_raised() -> None:
    def bad(x: int) -> None:
        raise AssertionError

    with (
        ProcessPoolExecutor(1) as executor,
        pytest.raises(QueryError, match="cannot be sent to another process"),
    ):
        ask_all([question(verify, bad, Int("x"))], executor)


def test_a_bar_is_shown_if_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    ask_all(questions()[:2])
    assert stream.getvalue() == ""
    ask_all(questions()[:2], progress=True)


def test_not_under_a_condition() -> None:
    def program(x: int) -> None:
        if x > 0:
            ask_all([question(solve, below, x, 3)])

    with pytest.raises(QueryError, match="one by one"):
        verify(program)
