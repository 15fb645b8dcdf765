"""The path on which a run ends says exactly when it ends normally.

PYTEST_DONT_REWRITE: the assertions in the programs are part of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Bool, Int, assume, evaluate
from solvent.errors import AssumptionError
from solvent.lift import execute
from solvent.terms.graph import size
from solvent.vm.state import Path, on_one_of


def early_returns(a: int, b: int) -> int:
    for i in range(3):
        if a == i:
            return 10 // b
        assert b != i
        if b > a:
            assume(a != -1)
            break
    return [5, 6][b]


def handlers(a: int, b: int) -> int:
    total = 0
    for i in (0, 1):
        try:
            total += 6 // (a - i)
        except ZeroDivisionError:
            if b == i:
                raise
            continue
        finally:
            assert b != 2
        if total > b:
            return total
    return total


def loops(a: int, b: int) -> int:
    assume(a > -3)
    assume(b < 4)
    while a < b:
        a += 1
        if a == 1:
            assume(b != 2)
        assert a != 2
    return a


def returns_out_of_a_loop(a: int, b: int) -> int:
    for i in range(3):
        if a == i:
            return i
        if b == i:
            break
    # Who returned is not here any more.
    assert a not in (0, b)
    return 9


def breaks_out_of_two_loops(a: int, b: int) -> int:
    total = 0
    for i in range(2):
        for j in range(2):
            if a == i + j:
                break
            if b == j:
                return total
            total += 1
        assert b != 0 or total > 0
    return total


def returns_out_of_a_handled_body(a: int, b: int) -> int:
    try:
        for i in range(2):
            if b == i:
                raise ValueError(i)
            if a == i + 2:
                break
        if a == 0:
            return 1
    except ValueError:
        pass
    assert a != 0 or b == 0
    return 2


@pytest.mark.parametrize(
    "program",
    [
        early_returns,
        handlers,
        loops,
        returns_out_of_a_loop,
        breaks_out_of_two_loops,
        returns_out_of_a_handled_body,
    ],
)
def test_the_path_at_the_end(program: Callable[..., Any]) -> None:
    outcome = execute(program, Int("a"), Int("b"))
    seen = set()
    for a, b in itertools.product(range(-2, 4), repeat=2):
        normal, assumes, asserts = evaluate(
            (outcome.normal, outcome.assumes, outcome.asserts), {"a": a, "b": b}
        )
        assert normal == (assumes and asserts)
        assert normal == ends_normally(program, a, b)
        seen.add(normal)
    assert seen == {True, False}


def ends_normally(program: Callable[..., Any], *values: int) -> bool:
    """Whether plain Python comes to the end of a program."""
    try:
        program(*values)
    except (AssertionError, ArithmeticError, LookupError, AssumptionError):
        return False
    return True


def test_a_run_that_cannot_end_normally() -> None:
    def never(a: int) -> None:
        assert a != a

    assert execute(never, Int("a")).normal is False


def test_what_paths_share_is_said_once() -> None:
    p = [Bool(f"p{i}") for i in range(30)]
    root = path = Path(None, True)
    ends = []
    for condition in p:
        ends.append(Path(path, condition))
        path = Path(path, condition, False)
        path = Path(path, Bool(f"ok_{condition}"))
    ends.append(path)
    formula = on_one_of(ends, root)
    assert size(formula) < 5 * len(p)
    first_three = {**{f"p{i}": i == 3 for i in range(30)}, **{f"ok_p{i}": i < 3 for i in range(30)}}
    assert evaluate(formula, first_three) is True
    assert evaluate(formula, {**first_three, "ok_p2": False}) is False
    assert evaluate(formula, {**first_three, "p0": True, "ok_p0": False}) is True
    assert on_one_of([root], root) is True
    # An end inside of another path makes what comes after it irrelevant.
    inner = Path(root, p[0])
    assert on_one_of([Path(inner, p[1]), inner], root) is p[0]
