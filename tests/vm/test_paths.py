"""The path on which a run ends says exactly when it ends normally.

PYTEST_DONT_REWRITE: the assertions in the programs are part of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Bool, Int, assume, evaluate, execute
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


@pytest.mark.parametrize("program", [early_returns, handlers, loops])
def test_the_path_at_the_end(program: Callable[..., Any]) -> None:
    outcome = execute(program, Int("a"), Int("b"))
    seen = set()
    for a, b in itertools.product(range(-2, 4), repeat=2):
        normal, assumes, asserts = evaluate(
            (outcome.normal, outcome.assumes, outcome.asserts), {"a": a, "b": b}
        )
        assert normal == (assumes and asserts)
        seen.add(normal)
    assert seen == {True, False}


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
