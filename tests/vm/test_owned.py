"""Reference counts tell who else refers to an object, in whichever Python runs.

Each function makes two lists on two paths and gives the merged one back.  Where nothing else refers
to them it is a new list; where something does they stay the objects that they are, in a union.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Bool
from solvent.lift import execute
from solvent.vm import owned
from solvent.vm.spread import combine
from solvent.vm.union import Union
from tests.lift.differential import agree

P = Bool("p")


class Box:
    pass


def of_variables(p: Any, kept: list[Any]) -> Any:
    if p:
        xs = [1]
    else:
        xs = [2]
    return xs


def of_aliased_variables(p: Any, kept: list[Any]) -> Any:
    if p:
        xs = [1]
        kept.append(xs)
    else:
        xs = [2]
    return xs


def of_variables_with_two_names(p: Any, kept: list[Any]) -> Any:
    if p:
        xs = ys = [1]
    else:
        xs = ys = [2]
    return (xs, ys)[0]


def of_returns(p: Any, kept: list[Any]) -> Any:
    for number in range(2):
        if p:
            return [number]
    return [5]


def of_aliased_returns(p: Any, kept: list[Any]) -> Any:
    for _ in range(2):
        if p:
            xs = [1]
            kept.append(xs)
            return xs
    return [5]


def of_attributes(p: Any, kept: list[Any]) -> Any:
    box = Box()
    if p:
        box.xs = [1]
    else:
        box.xs = [0]
    return box.xs


def of_aliased_attributes(p: Any, kept: list[Any]) -> Any:
    box = Box()
    box.xs = [0]
    kept.append(box.xs)
    if p:
        box.xs = [1]
    return box.xs


def of_nested_lists(p: Any, kept: list[Any]) -> Any:
    if p:
        xs = [[1]]
    else:
        xs = [[2]]
    return xs[0]


def of_aliased_nested_lists(p: Any, kept: list[Any]) -> Any:
    if p:
        xs = [[1]]
        kept.append(xs[0])
    else:
        xs = [[2]]
    return xs[0]


ALONE = (of_variables, of_returns, of_attributes, of_nested_lists)
SHARED = (
    of_aliased_variables,
    of_variables_with_two_names,
    of_aliased_returns,
    of_aliased_attributes,
    of_aliased_nested_lists,
)


@pytest.mark.parametrize("function", ALONE)
def test_objects_with_one_owner_become_one(function: Callable[..., Any]) -> None:
    assert type(execute(function, P, []).value) is list


@pytest.mark.parametrize("function", SHARED)
def test_objects_with_other_owners_stay_themselves(function: Callable[..., Any]) -> None:
    assert type(execute(function, P, []).value) is Union


def test_results_of_members() -> None:
    kept = [1]
    assert type(combine([(P, [1]), (True, [2])])) is list
    assert type(combine([(P, kept), (True, [2])])) is Union
    assert type(combine([(P, [1]), (True, kept)])) is Union


def test_a_result_that_one_list_holds_stays_in_it() -> None:
    def looked_up(p: bool) -> Any:
        rows = [[1]]
        found = (rows.__getitem__ if p else (lambda _: [3]))(0)
        found.append(9)
        return rows, found

    agree(looked_up, [False, True])


def test_counts_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = owned._held()
    assert measured == (owned.HELD, owned.PASSED)
    # A Python that counts one reference more everywhere is understood as well.
    count = owned.getrefcount
    monkeypatch.setattr(owned, "getrefcount", lambda value: count(value))
    # The lambda's own parameter.
    assert owned._held() == (measured[0] + 1, measured[1] + 1)


# What a Python without these counts might say, before Solvent is imported.
WITHOUT_COUNTS = """
import sys
sys.getrefcount = {count}
from solvent.terms import Bool
from solvent.lift import evaluate, execute
from solvent.vm import owned
from solvent.vm.union import Union

def lists(p):
    if p:
        xs = [1]
    else:
        xs = [2, 3]
    ys = xs
    ys.append(4)
    return xs

value = execute(lists, Bool("p")).value
print(owned.PASSED == owned.NEVER, type(value) is Union, end=" ")
print(evaluate(value, {{"p": True}}), evaluate(value, {{"p": False}}))
"""


@pytest.mark.parametrize("count", ["lambda value: 1 << 30", "lambda value: 0"])
def test_without_counts_nothing_is_owned_and_all_is_right(count: str) -> None:
    script = WITHOUT_COUNTS.format(count=count)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "True True [1, 4] [2, 3, 4]\n"
