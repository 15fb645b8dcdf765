"""The state of a run: legality, halting and determinism (figure 6), failures, assumptions.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

# ruff: noqa: B011, F841, PT011, PT015, PT022, RUF015

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import pytest

from solvent import Int
from solvent.errors import AssumptionError, InternalError, NotLiftedError
from solvent.lift.api import lifted
from solvent.lift.execution import execute
from solvent.lift.reflection import assume
from solvent.lift.registry import TRUSTED
from solvent.lift.under_model import evaluate
from solvent.terms import and_
from solvent.vm.forks import Fork
from solvent.vm.forks import __file__ as fork_module
from solvent.vm.machine import current
from tests.lift.cases import SMALL
from tests.lift.differential import agree

TICKS: list[Any] = []


def tick(mark: Any) -> Any:
    """Called as it is: says that the machine came here."""
    TICKS.append(mark)
    return mark


TRUSTED.add(tick)


@pytest.fixture(autouse=True)
def _no_ticks() -> Iterator[None]:
    TICKS.clear()
    yield


def ticks(function: Callable[..., Any]) -> list[Any]:
    """Where a symbolic run of a function came."""
    TICKS.clear()
    execute(function, Int("x"), Int("y"))
    return list(TICKS)


# --- halting: a path that has ended is not executed further ---------------------------------------


def raises_on_every_path(x, y):
    tick("start")
    if x > 0:
        raise ValueError
    else:
        raise KeyError
    tick("never")


def raises_on_one_path(x, y):
    if x > 0:
        tick("then")
        raise ValueError
        tick("never")
    else:
        tick("else")
    tick("after")


def asserts_false(x, y):
    assert x > y
    tick("went on")
    assert False
    tick("never")


def returns_on_every_path(x, y):
    if x > 0:
        return 1
    elif y > 0:
        return 2
    else:
        return 3
    tick("never")


def breaks_on_every_path(x, y):
    for i in range(3):
        tick(i)
        if x > 0:
            break
        else:
            break
        tick("never")
    tick("after")


def continues_on_every_path(x, y):
    for i in range(2):
        tick(i)
        if x > y:
            continue
        else:
            continue
        tick("never")


def callee_raises(x, y):
    def fail(k):
        tick("fail")
        raise ValueError(k)

    tick("before")
    r = [tick("first"), fail(x), tick("never")]
    tick("never")


def index_out_of_range(x, y):
    tick("before")
    [1, 2][5 if x > 0 else 6]
    tick("never")


def handler_runs_once_for_all_paths(x, y):
    try:
        if x > 0:
            raise ValueError(1)
        if y > 0:
            raise ValueError(2)
        tick("body")
    except ValueError:
        tick("handler")
    tick("after")


def handler_that_no_path_needs(x, y):
    try:
        if x > 0:
            raise ValueError
    except KeyError:
        tick("never")
    tick("after")


def false_assumption(x, y):
    if x > 0:
        assume(False)
        tick("never")
    tick("after")


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (raises_on_every_path, ["start"]),
        (raises_on_one_path, ["then", "else", "after"]),
        (asserts_false, ["went on"]),
        (returns_on_every_path, []),
        (breaks_on_every_path, [0, "after"]),
        (continues_on_every_path, [0, 1]),
        (callee_raises, ["before", "first", "fail"]),
        (index_out_of_range, ["before"]),
        (handler_runs_once_for_all_paths, ["body", "handler", "after"]),
        (handler_that_no_path_needs, ["after"]),
        (false_assumption, ["after"]),
    ],
)
def test_a_path_that_ended_is_not_executed_further(function, expected) -> None:
    found = ticks(function)
    assert sorted(map(str, found)) == sorted(map(str, expected)), found


def test_every_statement_runs_once_however_many_paths_reach_it() -> None:
    def many(x, y):
        n = 0
        for k in range(6):
            if x > k:
                n += 1
            else:
                n -= 1
            tick(k)
        return n

    assert ticks(many) == [0, 1, 2, 3, 4, 5]


def test_branches_that_cannot_be_taken_are_not_executed() -> None:
    def concrete(x, y):
        if 1 > 2:
            tick("never")
        if x == x:
            tick("same")
        if x > y:
            pass
        elif 3 < 2:
            tick("never")

    assert ticks(concrete) == ["same"]


def test_a_run_that_cannot_end_normally_is_halted() -> None:
    assert execute(raises_on_every_path, Int("x"), Int("y")).halted
    assert execute(asserts_false, Int("x"), Int("y")).halted
    assert not execute(raises_on_one_path, Int("x"), Int("y")).halted


# --- legality -------------------------------------------------------------------------------------


def fails_in_many_ways(x, y):
    items = [1, 2, 3]
    if x == 0:
        raise ValueError(x)
    r = items[y]
    assert x != 1, "one"
    if x > 2:
        assume(y > 0)
    return 6 // (x + 2) + r


def test_state_is_legal_and_failures_exclude_each_other() -> None:
    x, y = Int("x"), Int("y")
    outcome = execute(fails_in_many_ways, x, y)
    for a in range(-3, 5):
        for b in range(-4, 5):
            model = {x: a, y: b}
            assumes, asserts = evaluate(outcome.assumes, model), evaluate(outcome.asserts, model)
            assert assumes or asserts
            holding = [f for f in outcome.failures if evaluate(f.condition, model)]
            assert len(holding) == (0 if asserts else 1)
            assert evaluate(outcome.normal, model) == (assumes and asserts)


def test_state_before_a_failure_is_kept() -> None:
    def fails_twice(x):
        assert x > 0
        if x > 5:
            assume(x < 8)
            assert x != 6
        return x

    x = Int("x")
    outcome = execute(fails_twice, x)
    table = {
        a: (evaluate(outcome.assumes, {x: a}), evaluate(outcome.asserts, {x: a}))
        for a in range(-1, 10)
    }
    assert table[0] == (True, False)
    assert table[1] == (True, True)
    assert table[6] == (True, False)
    assert table[7] == (True, True)
    assert table[8] == (False, True)


def test_an_assumption_excuses_later_failures_only() -> None:
    def excused(x):
        assert x != 1
        assume(x > 2)
        assert x > 2
        return 1 // (x - 2)

    x = Int("x")
    outcome = execute(excused, x)
    assert [evaluate(outcome.asserts, {x: a}) for a in (1, 2, 3)] == [False, True, True]
    assert [evaluate(outcome.assumes, {x: a}) for a in (2, 3)] == [False, True]


def test_assumption_in_one_branch_says_nothing_about_the_other() -> None:
    def branch(x, y):
        if x > 0:
            assume(y > 0)
        return 6 // y if y else "zero"

    x, y = Int("x"), Int("y")
    outcome = execute(branch, x, y)
    assert evaluate(outcome.assumes, {x: 1, y: 0}) is False
    assert evaluate(outcome.assumes, {x: 0, y: 0}) is True
    assert evaluate(outcome.value, {x: 0, y: 0}) == "zero"
    assert evaluate(outcome.value, {x: 1, y: 2}) == 3


def test_assumption_that_no_input_satisfies() -> None:
    outcome = execute(lambda x: (assume(x > x), tick("never")), Int("x"))
    assert outcome.halted
    assert outcome.assumes is False
    assert TICKS == []


def test_assumption_is_no_exception_of_the_program() -> None:
    def careful(x):
        try:
            if x > 0:
                assume(False)
            return "went on"
        except Exception:
            return "caught"
        finally:
            tick("finally")

    x = Int("x")
    outcome = execute(careful, x)
    assert outcome.value == "went on"
    assert evaluate(outcome.assumes, {x: 1}) is False


# --- determinism ----------------------------------------------------------------------------------


def busy(x, y):
    items = [x, y]
    table = {}
    for k in range(3):
        if items[0] > k:
            items.append(k)
        elif items[-1] == y:
            table[x] = k
        try:
            items[k] += 6 // (x - k)
        except ZeroDivisionError:
            items.pop()
        except IndexError:
            table[k] = items[0]
    assert len(items) < 5, "long"
    return items[0] + len(table), items[x] > y, (len(items), x)


@pytest.mark.parametrize("function", [busy, fails_in_many_ways, raises_on_one_path])
def test_two_runs_give_the_same_terms(function) -> None:
    first = execute(function, Int("x"), Int("y"))
    second = execute(function, Int("x"), Int("y"))
    assert first.asserts is second.asserts
    assert first.assumes is second.assumes
    assert [f.condition for f in first.failures] == [f.condition for f in second.failures]
    assert all(
        a.condition is b.condition for a, b in zip(first.failures, second.failures, strict=True)
    )
    if function is busy:
        assert first.value[0] is second.value[0]
        assert first.value[1] is second.value[1]
        assert first.value[2][0] is second.value[2][0]


def test_terms_do_not_depend_on_runs_before() -> None:
    alone = execute(busy, Int("x"), Int("y")).asserts
    execute(fails_in_many_ways, Int("y"), Int("x"))
    with pytest.raises(ValueError):
        lifted(raises_on_every_path)(1, 2)
    assert execute(busy, Int("x"), Int("y")).asserts is alone


# --- failures -------------------------------------------------------------------------------------


def test_failures_know_where_and_what() -> None:
    outcome = execute(fails_in_many_ways, Int("x"), Int("y"))
    names = [type(failure.exception).__name__ for failure in outcome.failures]
    assert names == ["ValueError", "IndexError", "AssertionError", "ZeroDivisionError"]
    first = fails_in_many_ways.__code__.co_firstlineno
    lines = [int(failure.position.rsplit(":", 1)[1]) - first for failure in outcome.failures]
    assert lines == [3, 4, 5, 8]
    assert all(failure.position.startswith(__file__) for failure in outcome.failures)


def test_failure_in_a_callee_is_at_the_line_that_raises() -> None:
    def outer(x):
        return inner(x) + 1

    def inner(x):
        if x > 3:
            raise KeyError(x)
        return x

    (failure,) = execute(outer, Int("x")).failures
    line = int(failure.position.rsplit(":", 1)[1])
    assert line - inner.__code__.co_firstlineno == 2


def test_concrete_failure_has_no_condition() -> None:
    (failure,) = execute(lambda x: [1][2], Int("x")).failures
    assert failure.condition is True
    assert type(failure.exception) is IndexError


def test_what_is_not_the_programs_goes_to_the_user() -> None:
    def refused(x):
        if x > 0:
            return id(x)
        return 0

    with pytest.raises(NotLiftedError):
        execute(refused, Int("x"))

    def interrupted(x):
        if x > 0:
            interrupt()
        return 0

    TRUSTED.add(interrupt)
    with pytest.raises(KeyboardInterrupt):
        execute(interrupted, Int("x"))

    def interrupts(x):
        if x > 0:
            raise KeyboardInterrupt
        return 0

    (failure,) = execute(interrupts, Int("x")).failures
    assert type(failure.exception) is KeyboardInterrupt


def interrupt() -> None:
    """What Ctrl-C does."""
    signal.raise_signal(signal.SIGINT)


def test_refusals_are_not_caught_by_the_program() -> None:
    def catches_everything(x):
        try:
            if x > 0:
                id(x)
        except Exception:
            return "caught"
        finally:
            tick("finally")

    with pytest.raises(NotLiftedError):
        execute(catches_everything, Int("x"))


# --- the machine ----------------------------------------------------------------------------------

DEPTHS: list[tuple[int, ...]] = []


def depth() -> None:
    found = current()
    DEPTHS.append((len(found.forks), len(found.scopes), len(found.layers), len(found.waiting)))


TRUSTED.add(depth)


def leaves_in_every_way(x, y):
    depth()
    for i in range(3):
        try:
            if i == x:
                continue
            if i == y:
                break
            with_error(i - x, y)
        except ValueError:
            if y > 2:
                break
        finally:
            if x == y:
                pass
    depth()
    n = 0
    while n < x:
        n += 1
        if n == 2:
            break
    else:
        n = -1
    depth()
    values = [k for k in range(3) if k != x]
    depth()
    return values


def with_error(k, y):
    if k == y:
        raise ValueError(k)
    for i in range(2):
        if i == k:
            return [i for i in range(2) if i != y][0]


def test_nothing_stays_open() -> None:
    DEPTHS.clear()
    agree(leaves_in_every_way, SMALL, SMALL)
    # The first four are of the symbolic run.
    assert len(set(DEPTHS[:4])) == 1, DEPTHS[:4]


def test_runs_do_not_disturb_each_other() -> None:
    inner_outcomes = []

    def outer(x):
        if x > 0:
            inner_outcomes.append(run_inner())
        return x

    def run_inner():
        outcome = execute(raises_on_one_path, Int("a"), Int("b"))
        return len(outcome.failures)

    TRUSTED.add(run_inner)
    outcome = execute(outer, Int("x"))
    assert outcome.failures == ()
    assert outcome.asserts is True


def test_concrete_runs_need_no_machine() -> None:
    assert lifted(busy)(0, 1) == busy(0, 1)
    with pytest.raises(ValueError) as caught:
        lifted(fails_in_many_ways)(0, 1)
    assert caught.value.args == (0,)


def test_symbolic_run_outside_of_execute_joins_as_well() -> None:
    x = Int("x")

    @lifted
    def larger(a, b):
        if a > b:
            return a
        return b

    value = larger(x, 3)
    assert [evaluate(value, {x: a}) for a in (2, 3, 4)] == [3, 3, 4]


def test_assumptions_of_the_caller_hold_inside() -> None:
    def divide(x):
        assume(and_(x > 0, x < 5))
        return 12 // x

    x = Int("x")
    outcome = execute(divide, x)
    assert all(evaluate(outcome.asserts, {x: a}) for a in range(-2, 8))
    assert evaluate(outcome.value, {x: 3}) == 4


def test_assume_on_concrete_values() -> None:
    assume(True)
    with pytest.raises(AssumptionError):
        assume(False)


def test_a_mistake_in_solvent_is_not_a_failure_of_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(self: object, value: object) -> None:
        return value.no_such_attribute  # type: ignore[attr-defined]

    own_code = broken.__code__.replace(co_filename=fork_module)
    monkeypatch.setattr(Fork, "flip", FunctionType(own_code, globals()))

    def program(x: Any) -> int:
        return 1 if x > 0 else 2

    with pytest.raises(InternalError, match="Solvent itself failed"):
        execute(program, Int("x"))
