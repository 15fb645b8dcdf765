"""Types, special methods and messages are those of Python's values, not those of our own."""

from __future__ import annotations

import functools
import itertools
from collections import deque
from typing import Any

import pytest

from solvent import Bool, Int
from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.execution import execute
from solvent.lift.registry import TRUSTED
from tests.lift.cases import Case, Cases

cases = Cases()
BOOLS = [False, True]
SMALL = range(-1, 4)


# --- bound methods of unions ----------------------------------------------------------------------


@cases.on(BOOLS, SMALL)
def special_methods_of_a_union(p: Any, n: Any) -> Any:
    found: Any = {1} if p else {1: 2}
    test = found.__contains__
    return (
        test(n), found.__contains__(2), found.__len__(), list(map(test, [0, 1, n])),
        list(filter(test, [0, 1, n])), functools.partial(test, n)(), [each(n) for each in [test]],
        {"a": test}["a"](n), found.__class__, found.__class__.__name__,
    )  # fmt: skip


@cases.on(BOOLS, SMALL)
def methods_of_a_union_that_are_kept(p: Any, n: Any) -> Any:
    first: Any = []
    second: Any = deque([5])
    add = (first if p else second).append
    if n > 1:
        add(n)
    list(map(add, [1, n]))
    look = ({1: 3, 2: n} if p else [5, 2, n]).__getitem__
    return first, second, sorted([2, 1, 1], key=look), max([1, 2], key=look)


@cases.on(BOOLS, SMALL)
def methods_by_their_types(p: Any, n: Any) -> Any:
    first, second = [1], [2, 3]
    either = first if p else second
    list.append(either, n)
    queue = deque([1]) if p else deque([2])
    deque.append(queue, n)
    return first, second, queue, list.__len__(either), str.upper("a" if p else "b")


@cases.on(BOOLS, SMALL)
def special_methods_of_symbolic_values(p: Any, n: Any) -> Any:
    mixed = n if p else [1]
    return (
        n.__class__, n.__add__(1), n.__add__("a"), n.__eq__("a"), n.__str__(), n.__abs__(),
        n.__index__(), n.__bool__(), p.__class__, (n if p else "a").__repr__(), mixed.__eq__(2),
        type(n).__name__, n.imag, n.denominator, hasattr(n, "sort"), hasattr(n, "bit_length"),
    )  # fmt: skip


@cases.on(BOOLS, SMALL)
def division_by_name(p: Any, n: Any) -> Any:
    return (n if p else 6).__floordiv__(n), n.__rtruediv__(2)


# --- messages -------------------------------------------------------------------------------------


def fails(function: Any) -> Any:
    """Functions of one int that always raise."""
    cases.on(SMALL)(function)
    return function


@fails
def no_attribute_of_an_int(n: Any) -> Any:
    return n.foo


@fails
def no_length_of_a_map(n: Any) -> Any:
    return len(map(abs, [n]))


@fails
def no_length_of_a_chain(n: Any) -> Any:
    return len(itertools.chain([n]))


@fails
def no_order_of_a_deque(n: Any) -> Any:
    return deque([n]) < n


@fails
def no_sum_with_an_iterator(n: Any) -> Any:
    return n + iter([n])


@fails
def an_int_is_no_list(n: Any) -> Any:
    return list.append(n, 1)


@fails
def a_list_is_no_deque(n: Any) -> Any:
    return deque.append([], n)


@fails
def an_int_is_no_dict(n: Any) -> Any:
    return dict.get(n, n)


@fails
def an_int_is_not_called(n: Any) -> Any:
    return n(1)


@fails
def an_int_is_not_subscripted(n: Any) -> Any:
    return n[0]


@cases.on(SMALL)
def types_of_iterators(n: Any) -> Any:
    return (
        isinstance(map(abs, [n]), map), type(zip([n], [n], strict=False)) is zip,
        isinstance(iter([n]), map), type(iter([n])) is type(iter([])), isinstance(range(n), range),
        type(itertools.chain([n])).__name__, isinstance(enumerate([n]), (int, enumerate)),
    )  # fmt: skip


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_python(case: Case) -> None:
    case.check()


def test_an_attribute_that_an_iterator_does_not_have() -> None:
    def program(n: Any) -> Any:
        return iter([n]).foo  # type: ignore[attr-defined]

    (failure,) = execute(call(program), Int("n")).failures
    assert str(failure.exception) == "'list_iterator' object has no attribute 'foo'"


def test_an_attribute_that_only_pythons_iterator_has() -> None:
    def program(n: Any) -> Any:
        return iter([n]).__length_hint__  # type: ignore[attr-defined]

    with pytest.raises(NotLiftedError, match="__length_hint__"):
        execute(call(program), Int("n"))


def take_union(value: Any) -> Any:
    """Stands for a function written in C that was given a union by mistake."""
    raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")


def test_a_message_that_names_our_classes_is_not_the_programs() -> None:
    def program(p: Any, n: Any) -> Any:
        found = n if p else "a"
        return take_union(found)

    TRUSTED.add(take_union)
    with pytest.raises(NotLiftedError, match="Union"):
        execute(call(program), Bool("p"), Int("n"))


def test_powers_that_no_solver_rounds_are_refused() -> None:
    for power in (lambda n: n ** (1 / 3), lambda n: n**1.5, lambda n: 2.0 ** (n + 0.5)):
        with pytest.raises(NotLiftedError, match="symbolic"):
            execute(call(power), Int("n"))
