"""A test is judged as Hypothesis judges it: explicit examples, returned values, skips."""

from __future__ import annotations

import unittest
from typing import Any

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from solvent import verify
from solvent.errors import InputSpaceError
from solvent.queries.results import Verification
from solvent.strategies.explicit import answers
from solvent.strategies.given import given_of

small = st.integers(0, 3)


def asked(test: Any, **fixed: Any) -> Verification:
    found = given_of(test, fixed=fixed)
    return answers(found, lambda one, spaces: [verify(one, **spaces)])[0]


@given(small)
@example(99)
def explicit(n: int) -> None:
    assert n != 99


@given(small, st.lists(small))
@example(b=[5, 6], a=3)
def explicit_list(a: int, b: list[int]) -> None:
    b.append(a)
    assert b != [5, 6, 3]


@given(st.integers())
def returns(n: int) -> int | None:
    return 1 if n == 12 else None


@given(st.integers())
def yields(n: int) -> Any:
    yield n
    raise AssertionError


@given(st.integers())
def skips_too_late(n: int) -> None:
    if n == 5:
        raise AssertionError
    raise unittest.SkipTest("the others")


@given(st.integers())
def says_that_it_raises(n: int) -> None:
    """A test.

    Raises:
        ValueError: but a test must not.
    """
    if n == 512:
        raise ValueError


@pytest.mark.parametrize(
    "test", [explicit, explicit_list, returns, yields, skips_too_late, says_that_it_raises]
)
def test_it_fails(test: Any) -> None:
    result = asked(test)
    assert result.confirmed, result


def test_the_example_is_told() -> None:
    assert asked(explicit).inputs == {"n": 99}
    assert asked(explicit).derived == {"n": "99"}


@given(small)
@example(99).xfail()
@example(98)
def expected(n: int) -> None:
    assert n < 99


@settings(phases=[Phase.generate])
@given(small)
@example(99)
def left_out(n: int) -> None:
    assert n < 4


@given(st.integers())
def skips(n: int) -> None:
    if n < 7:
        pytest.skip("too small")
    assert n >= 7


@pytest.mark.parametrize("test", [expected, left_out, skips])
def test_it_holds(test: Any) -> None:
    assert asked(test).holds


@given(st.integers())
def skips_always(n: int) -> None:
    raise unittest.SkipTest("all")


def test_a_test_that_skips_all_inputs_is_not_proved() -> None:
    result = asked(skips_always)
    assert not result.holds
    assert result.failure is None


@given(small)
@example(99).xfail()
def unexpected(n: int) -> None:
    assert n < 100


@given(st.integers())
async def later(n: int) -> None:
    assert n


@given(st.nothing())
def refused(n: int) -> None:
    assert n


@given(small)
@given(small)
def twice(a: int, b: int) -> None:
    assert a


@pytest.mark.parametrize("test", [unexpected, later, refused, twice])
def test_it_is_left_to_hypothesis(test: Any) -> None:
    with pytest.raises(InputSpaceError, match=r"test_judged\.py:\d+: .*Hypothesis runs the test"):
        asked(test)


class Executing:
    def execute_example(self, run: Any) -> None:
        """Nothing is run."""

    @given(small)
    def method(self, n: int) -> None:
        assert n < 4


def test_a_class_that_runs_examples_itself_is_left_to_hypothesis() -> None:
    instance = Executing()
    with pytest.raises(InputSpaceError, match="execute_example"):
        asked(instance.method, self=instance)


def test_few_leaves_are_left_to_hypothesis() -> None:
    @given(st.recursive(st.booleans(), st.lists, max_leaves=2))
    def few(tree: Any) -> None:
        assert tree != [[True, True], [False]]

    with pytest.raises(InputSpaceError, match="leaves"):
        asked(few)


@given(st.integers().filter(lambda n: 10 // n < 99))
def raising_filter(n: int) -> None:
    assert n == n


@given(st.lists(st.integers(), unique_by=lambda n: 10 // n))
def raising_key(ns: list[int]) -> None:
    assert ns == ns


@pytest.mark.parametrize("test", [raising_filter, raising_key])
def test_a_function_of_a_strategy_that_may_raise_is_no_filter(test: Any) -> None:
    with pytest.raises(InputSpaceError, match="may raise ZeroDivisionError"):
        asked(test)


@given(st.data())
def drawn_in_one_line(data: Any) -> None:
    n = data.draw(st.integers(0, 2)) if data.draw(st.booleans()) else data.draw(st.integers(5, 7))
    assert n != 6


@given(st.data())
def drawn_between_none(data: Any) -> None:
    low = data.draw(st.integers(0, 3))
    assert data.draw(st.integers(low, 2)) <= 2


@pytest.mark.parametrize("test", [drawn_in_one_line, drawn_between_none])
def test_draws_are_told_apart_by_their_places(test: Any) -> None:
    assert asked(test).confirmed
