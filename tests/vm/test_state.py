"""Failures: what they show, and that they show it as it was."""

from __future__ import annotations

from typing import Any

import pytest

from solvent import Bool, Int, evaluate
from solvent.lift import execute
from solvent.vm.state import Failure, as_it_is

P = Bool("p")


@pytest.mark.parametrize(
    ("error", "position", "text"),
    [
        (ValueError("no"), "f.py:3", "ValueError: no at f.py:3 if p"),
        (ValueError("no"), "", "ValueError: no if p"),
        (ValueError(), "f.py:3", "ValueError at f.py:3 if p"),
        (KeyError("k"), "", "KeyError: 'k' if p"),
    ],
)
def test_a_failure_shows_what_where_and_when(error: Any, position: str, text: str) -> None:
    assert repr(Failure(P, error, position)) == text


def test_an_exception_keeps_showing_what_it_was_raised_with() -> None:
    shared = [1]
    error = ValueError("seen", shared)
    error.also = shared  # type: ignore[attr-defined]
    kept = as_it_is(error)
    shared.append(2)
    assert kept.args == ("seen", [1])
    assert kept.also is kept.args[1]  # type: ignore[attr-defined]
    assert type(kept) is ValueError


def test_an_exception_with_fixed_arguments_is_itself() -> None:
    for error in (
        ValueError(), ValueError("a", 1, None, Int("x")), KeyError(b"a", 1.5), KeyError((1, ("a",)))
    ):  # fmt: skip
        assert as_it_is(error) is error


def test_what_a_tuple_holds_is_kept_as_it_was() -> None:
    shared = [1]
    kept = as_it_is(ValueError((0, (shared,))))
    shared.append(2)
    assert kept.args == ((0, ([1],)),)


def test_what_other_paths_write_later_does_not_show() -> None:
    def program(p: bool) -> None:
        seen = [1]
        if p:
            raise ValueError(seen)
        seen.append(2)

    (failure,) = execute(program, P).failures
    assert evaluate(failure.condition, {P: True}) is True
    assert failure.exception.args == ([1],)
