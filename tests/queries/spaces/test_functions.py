"""Functions as inputs: equal arguments give equal results, and the lambda that is printed runs.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

import enum
import itertools
import operator
from collections.abc import Callable
from functools import reduce
from typing import Any, ParamSpec

import pytest

from solvent import NotLiftedError, debug, integers, verify
from solvent.errors import InputSpaceError
from solvent.queries.spaces.functions import Functions, as_function
from solvent.queries.spaces.making import space
from tests.queries.spaces.enumerated import fails, holds, values


class Side(enum.Enum):
    """Two members."""

    LEFT = "l"
    RIGHT = "r"


def adds_up(f: Callable[[int], int], x: int) -> None:
    assert f(x) + f(x + 1) != 7


def of_two(f: Callable[[int, str], bool]) -> None:
    assert not f(1, "a") or f(1, "b")


def of_none(f: Callable[[], int]) -> None:
    assert f() + f() != 8


def of_any(f: Callable[..., int]) -> None:
    assert f(1, key=2) != 5


def bare(f: Callable) -> None:  # type: ignore[type-arg]
    assert f() != "b"


def of_members(f: Callable[[Side, tuple[int, bool]], Side | None]) -> None:
    assert f(Side.LEFT, (1, True)) is not Side.RIGHT or f(Side.LEFT, (1, False)) is not None


def of_floats(f: Callable[[float], int], x: float) -> None:
    assert f(x) == f(0.5) or f(x) == f(-1.5)


def called_wrongly(f: Callable[[int], int]) -> None:
    f(1, 2)  # type: ignore[call-arg]


def unordered(xs: list[int], key: Callable[[int], int]) -> None:
    ys = sorted(xs, key=key)
    assert len(ys) < 2 or ys[0] <= ys[1]


def mapped(xs: list[int], f: Callable[[int], bool]) -> None:
    assert list(map(f, xs)) != [True, False, True] or xs[0] == xs[2]


def folded(xs: list[int], f: Callable[[int, int], int]) -> None:
    assert len(xs) < 3 or reduce(f, xs) == f(xs[0], f(xs[1], xs[2]))


def same_list(f: Callable[[int], list[int]]) -> None:
    assert f(1) is f(1)


def returned(f: Callable[[int], Callable[[int], int]]) -> None:
    assert f(1)(2) == f(2)(2)


@pytest.mark.parametrize(
    "function",
    [
        adds_up,
        of_two,
        of_none,
        of_any,
        bare,
        of_members,
        of_floats,
        called_wrongly,
        unordered,
        mapped,
        folded,
        same_list,
        returned,
    ],
)
def test_a_function_is_found(function: Callable[..., Any]) -> None:
    fails(function)


def is_a_function(f: Callable[[int], int], x: int, y: int) -> None:
    if x == y:
        assert f(x) == f(y)
    assert callable(f)
    assert f


def equal_keys(f: Callable[[int | bool], int]) -> None:
    assert f(1) == f(True)


def ordered(xs: list[int], key: Callable[[int], int]) -> None:
    ys = sorted(xs, key=key)
    assert all(key(a) <= key(b) for a, b in itertools.pairwise(ys))


def is_new(f: Callable[[int], list[int]]) -> None:
    before = len(f(1))
    f(1).append(2)
    assert len(f(1)) == before


def at_most_three(f: Callable[[int], int]) -> None:
    assert len({f(x) for x in range(5)}) <= 4


@pytest.mark.parametrize("function", [is_a_function, equal_keys, ordered, is_new, at_most_three])
def test_what_holds_of_all_functions(function: Callable[..., Any]) -> None:
    holds(function)


def test_exactly_the_functions_of_a_space() -> None:
    found = values(Functions((integers(0, 2),), space(bool), 2))
    # A result for all other arguments, and up to two of three for which it is the other one.
    expected = {
        tuple((x in others) != default for x in range(4))
        for default in (False, True)
        for count in range(3)
        for others in itertools.combinations(range(3), count)
    }
    assert sorted(tuple(map(function, range(4))) for function in found) == sorted(expected)


def one_more(f: Callable[[int], int], x: int) -> None:
    y = f(x) + 1
    assert y != 4


def test_a_function_is_shown_and_debugged() -> None:
    result = verify(adds_up)
    assert result.as_dict()["inputs"]["f"] in result.call
    assert result.inputs["f"](result.inputs["x"]) + result.inputs["f"](result.inputs["x"] + 1) == 7
    explained = debug(one_more, limit=None)
    assert any(suspect.text == "f(x)" for core in explained.cores for suspect in core)


def with_list(f: Callable[[list[int]], int]) -> None:
    f([1])


def by_name(f: Callable[[int], int]) -> None:
    f(x=1)  # type: ignore[call-arg]


def sets_attribute(f: Callable[[int], int]) -> None:
    try:
        f.calls = 0  # type: ignore[attr-defined]
    except AttributeError:
        return


def in_other_code(f: Callable[[int], int]) -> None:
    # Written in C, and not lifted.
    operator.call(f, 1)


def with_object(f: Callable[[int], int], x: int) -> None:
    f(Ellipsis if x > 3 else x)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            with_list,
            "the function `f` is an input .* cannot be called with a list; pass a function",
        ),
        (by_name, "the function `f` is called with `x=`, .* call it by position"),
        (with_object, "cannot be called with a ellipsis"),
        (in_other_code, "`_operator.call` is not lifted and was called with a symbolic value"),
        (sets_attribute, "so its attribute `calls` cannot be set; keep the value elsewhere"),
    ],
)
def test_calls_that_are_refused(function: Callable[..., Any], message: str) -> None:
    try:
        result = verify(function)
    except NotLiftedError as error:
        reason = str(error)
    else:
        assert result.status.name == "UNKNOWN"
        reason = result.reason
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(reason)


Parameters = ParamSpec("Parameters")


def of_parameters(f: Callable[Parameters, int]) -> None: ...


def test_parameters_must_be_listed() -> None:
    with pytest.raises(InputSpaceError, match="no function can be made for the parameters `~Par"):
        verify(of_parameters)


def test_the_first_entry_counts_and_no_number_is_a_nan() -> None:
    nan = float("nan")
    found = as_function(1, [((1,), "a"), ((1,), "b"), ((nan,), "c")], "d")
    assert [found(1), found(True), found(nan), found(2)] == ["a", "a", "d", "d"]
