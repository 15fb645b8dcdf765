"""The backend leads Hypothesis to paths that chance does not find; spaces give strategies."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvent import Int, dicts, integers, lists, objects, one_of, sets, texts, tuples, verify
from solvent.errors import InputSpaceError
from solvent.reference.differential import time_limit
from solvent.strategies import backend
from solvent.strategies.making import strategy
from solvent.testing.registering import register
from solvent.verdicts import OutOfTime
from tests.patience import FOREVER

register()

# Random numbers do not meet this one in a few tries.
RARE = 987_654_321_234

ONCE = settings(max_examples=30, database=None, derandomize=True)


@given(st.integers(), st.text("xyz", max_size=3))
def rare(n: int, text: str) -> None:
    if n * 3 + 1 == RARE * 3 + 1:
        assert text != "zy"


@given(st.permutations(range(9)))
def ordered(p: list[int]) -> None:
    assert sorted(p) == [*range(9)]


@pytest.fixture(autouse=True)
def _explored_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is busy explores no fewer paths."""
    monkeypatch.setattr(backend, "SECONDS", float(FOREVER))


LED = settings(ONCE, backend="solvent")


def test_paths_guide_the_choice_of_inputs() -> None:
    inner = rare.hypothesis.inner_test  # type: ignore[attr-defined]
    led = LED(given(n=st.integers(), text=st.text("xyz", max_size=3))(inner))
    with pytest.raises(AssertionError):
        led()


@given(st.lists(st.integers(0, RARE * 2), min_size=1, max_size=2), st.floats(0, 1))
def rarely_full(xs: list[int], x: float) -> None:
    # A list that must have an item, or may have no more, has choices that nobody is asked for.
    if len(xs) == 2:
        assert xs[1] != RARE or x != 0.375


def test_choices_that_are_forced_are_counted() -> None:
    with pytest.raises(AssertionError):
        LED(rarely_full)()


def test_a_led_test_that_fails_ends_whatever_ran_before() -> None:
    # Hypothesis traces what fails, and a traced Python 3.11 waits for ever where an exception that
    # was raised in a thread has been taken back.
    with suppress(OutOfTime), time_limit(0.0005):
        time.sleep(0.0005)
    with time_limit(60):
        pass

    @settings(ONCE, backend="solvent")
    @given(st.integers())
    def led(n: int) -> None:
        assert n != 5

    with pytest.raises(AssertionError):
        led()


def test_chance_alone_does_not_find_it() -> None:
    settings(ONCE)(rare)()


def test_a_test_that_cannot_be_explored_is_left_to_hypothesis() -> None:
    LED(ordered)()


@dataclass
class Point:
    x: int
    y: bool


SPACES = [
    integers(-2, 2),
    lists(integers(0, 1), max_len=2),
    tuples(bool, integers(1, 3)),
    texts(max_len=2, alphabet="ab"),
    sets(integers(0, 2), max_len=2),
    dicts(["a", "b"], bool, max_len=2),
    one_of(None, integers(1, 2)),
    objects(Point, x=integers(0, 1), y=bool),
    Int,
]


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_a_strategy_has_only_values_of_its_space(space: Any) -> None:
    found: list[Any] = []

    @settings(max_examples=40, database=None, derandomize=True)
    @given(strategy(space))
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    for value in [one for place, one in enumerate(found) if one not in found[:place]][:12]:

        def other(x: Any, value: Any = value) -> None:
            assert x != value or type(x) is not type(value)

        # The space has it, too.
        assert verify(other, space if space is not Int else Int("x")).failure is not None


def test_a_space_without_a_strategy_is_told() -> None:
    with pytest.raises(InputSpaceError, match="no strategy is known"):
        strategy(range)
