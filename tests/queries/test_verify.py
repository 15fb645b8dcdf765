"""`verify`: counterexamples are real, proofs are right on every input of a small domain.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import itertools
import random
import re
import time
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from solvent import (
    Bool,
    Int,
    Options,
    Str,
    assume,
    integers,
    lifted,
    lists,
    optimize,
    session,
    solve,
    solve_all,
    verify,
    verify_all,
)
from solvent.errors import AssumptionError, UnboundedError
from solvent.explore import explore
from solvent.queries import verifying
from solvent.queries.replay import Replay
from solvent.queries.verifying import failed
from solvent.solvers import Status
from solvent.vm.state import Failure

SMALL = range(-3, 4)


def absolute(x: int) -> int:
    """Absolute value."""
    if x < 0:
        return -x
    return x


def e_abs(y: Any) -> Any:
    """The program e_abs of section 3 of the paper: |y| > 0 if y is not 0."""
    assume(y != 0)
    assert absolute(y) > 0
    return True


def test_the_absolute_value_program() -> None:
    """Example 2: correct for all ints, and any environment but y = 0 is normal."""
    result = verify(e_abs, Int("y"))
    assert result.holds
    assert (result.status, result.model, result.confirmed) == (Status.UNSAT, None, False)

    def without_the_assumption(y: int) -> None:
        assert absolute(y) > 0

    result = verify(without_the_assumption)
    assert result.inputs == {"y": 0}
    assert result.confirmed


def test_free_variables_are_inputs() -> None:
    """Section 3.1: free variables are treated as inputs to the program."""
    y = Int("y")

    def program() -> None:
        assume(y != 0)
        assert absolute(y) > 1

    result = verify(program)
    assert result.inputs["y"] in (-1, 1)
    assert result.confirmed
    assert result.call.endswith("program()")


def test_values_of_other_types_fail() -> None:
    """Example 2: e_abs is not correct for values that are not numbers."""
    y = Bool("b")

    def program(flag: bool) -> None:
        value: Any = 1 if flag else "text"
        absolute(value)

    result = verify(program, y)
    assert result.inputs == {"flag": False}
    assert type(result.failure.exception) is TypeError  # type: ignore[union-attr]
    assert result.confirmed


# --- against CPython on every input ------------------------------------------------------------


def clamp(x: int, low: int, high: int) -> int:
    assume(low <= high)
    result = low if x < low else high if x > high else x
    assert low <= result <= high
    return result


def wrong_clamp(x: int, low: int, high: int) -> int:
    result = low if x < low else high if x > high else x
    assert low <= result <= high
    return result


def divide(a: int, b: int, c: int) -> int:
    return a // (b - c)


def lookup(a: int, b: int, c: int) -> int:
    table = {0: "x", 1: "y", a: "z"}
    return len(table[b]) + c


def index(a: int, b: int, c: int) -> int:
    items = [a, b, c]
    items[a] = 5
    return items[b]


def unbound(a: int, b: int, c: int) -> int:
    if a > b:
        found = c
    return found


def nested(a: int, b: int, c: int) -> int:
    try:
        if a == b:
            raise ValueError(c)
        return 1 // (a - c)
    except ZeroDivisionError:
        if b == 2:
            raise KeyError(b) from None
        return 0


@pytest.mark.parametrize("function", [clamp, wrong_clamp, divide, lookup, index, unbound, nested])
def test_as_cpython_says(function: Callable[..., Any]) -> None:
    failing: dict[type, int] = {}
    for values in itertools.product(SMALL, repeat=3):
        try:
            function(*values)
        except AssumptionError:
            continue
        except Exception as error:
            failing[type(error)] = failing.get(type(error), 0) + 1
    domain = [integers(SMALL[0], SMALL[-1])] * 3
    result = verify(function, *domain)
    assert result.holds == (not failing)
    found = verify_all(function, *domain)
    kinds = {type(row.failure.exception) for row in found if row.failure is not None}
    assert kinds == set(failing)
    assert all(row.confirmed for row in found if row.found)


def test_each_failing_place_is_found_once() -> None:
    def places(x: int) -> None:
        assert x != 1, "one"
        for k in (2, 3):
            assert x != k, "two or three"
        raise ValueError("always")

    found = verify_all(places)
    assert sorted(str(row.failure.exception) for row in found) == ["always", "one", "two or three"]  # type: ignore[union-attr]
    assert all(row.confirmed for row in found)


def test_nothing_is_changed_by_a_query() -> None:
    kept = [1, 2]
    counter = {"calls": 0}

    def change(x: int) -> None:
        kept.append(x)
        counter["calls"] += 1
        if x > 3:
            kept.clear()
        assert len(kept) != 3 or x != 2

    result = verify(change)
    assert result.inputs["x"] == 2
    assert result.confirmed
    # CPython's replay is a run of the real function; the symbolic run left nothing behind.
    assert kept == [1, 2, 2]
    assert counter == {"calls": 1}


def test_mutated_arguments_are_shown_as_they_were() -> None:
    def pop_all(xs: list[int]) -> None:
        total = 0
        while xs:
            total += xs.pop()
        assert total != 7

    given = [Int("a"), Int("b")]
    result = verify(pop_all, given)
    assert sum(result.inputs["xs"]) == 7
    assert len(given) == 2
    assert result.confirmed


def count_to(n: int) -> None:
    i = 0
    while i < n:
        i += 1
    assert i == n or n < 0


def test_bounds() -> None:
    result = verify(count_to, bound=4)
    assert result.status is Status.UNKNOWN
    assert "the bound of 4 is too small for this loop" in result.reason
    assert verify(count_to, bound=4, unwinding="assume").holds
    assert verify(count_to, integers(0, 4), bound=4).holds
    with pytest.raises(UnboundedError):
        verify(count_to)


def test_a_failure_within_the_bound_counts() -> None:
    def fails_at_three(n: int) -> None:
        i = 0
        while i < n:
            i += 1
            assert i != 3

    result = verify(fails_at_three, bound=5)
    assert result.inputs["n"] >= 3
    assert result.confirmed


def test_unknown_has_its_reason() -> None:
    def fermat(a: int, b: int, c: int) -> None:
        assume(a > 0)
        assume(b > 0)
        assert a * a * a + b * b * b != c * c * c

    result = verify(fermat, timeout=0.3)
    assert result.status is Status.UNKNOWN
    assert result.reason
    assert "reason: " in str(result)


@lifted
def lifted_square(x: int) -> int:
    """A function that is lifted already."""
    assert x * x != 16
    return x * x


class Account:
    """An object whose method is asked about."""

    def __init__(self, balance: Any) -> None:
        self.balance = balance

    def withdraw(self, amount: int) -> None:
        """Take money."""
        if amount <= self.balance:
            self.balance -= amount
        assert self.balance > 0


def test_callables() -> None:
    result = verify(lifted_square, Int("x"))
    assert abs(result.inputs["x"]) == 4
    assert result.confirmed

    result = verify(Account(Int("balance")).withdraw, Int("amount"))
    assert result.confirmed

    class Checker:
        def __call__(self, x: int) -> None:
            assert x != 5

    assert verify(Checker(), Int("x")).confirmed
    assert verify(lambda x: 1 // x, Int("x")).inputs == {"x": 0}


def test_queries_inside_of_lifted_code_see_its_path() -> None:
    def outer(x: int) -> None:
        if x > 10:
            inner = verify(lambda: 1 // (x - 5))
            assert inner.holds
            inner = verify(lambda: 1 // (x - 12))
            assert inner.inputs["x"] == 12
        else:
            assert verify(lambda: 1 // (x - 5)).inputs["x"] == 5

    assert verify(outer).holds


def test_sessions_assume() -> None:
    x = Int("x")

    def small(x: int) -> None:
        assert x < 100

    with session() as s:
        assert s.verify(small, x).found
        s.assume(x < 50)
        assert s.verify(small, x).holds
        s.assume(x > 40)
        assert 40 < s.solve(small, x).inputs["x"] < 50


def test_a_replay_that_disagrees_is_told() -> None:
    calls: list[int] = []

    class Moody:
        """Different each time, which no symbolic run can know."""

        def __repr__(self) -> str:
            return "Moody()"

    moods = iter([True, False])
    memory = Moody()
    memory.angry = next(moods)  # type: ignore[attr-defined]

    def fails_once(x: int) -> None:
        if memory.angry:
            assert x != 3
        calls.append(x)

    result = verify(fails_once, Int("x"))
    assert result.confirmed
    memory.angry = False  # type: ignore[attr-defined]
    assert verify(fails_once, Int("x")).holds


def test_results_have_no_truth_value() -> None:
    with pytest.raises(TypeError, match=r"ask for \.holds"):
        bool(verify(absolute, Int("x")))


def test_lists_of_any_length_up_to_a_bound() -> None:
    def largest(xs: list[int]) -> int:
        best = xs[0]
        for x in xs[1:]:
            if x > best:
                best = x
        assert all(best >= x for x in xs)
        assert best in xs
        return best

    assert verify(largest, lists(Int, min_len=1, max_len=4)).holds
    result = verify(largest, lists(Int, max_len=4))
    assert result.call.endswith("largest(xs=[])")
    assert type(result.failure.exception) is IndexError  # type: ignore[union-attr]


def test_generators_are_run_to_their_end() -> None:
    def numbers(x: int) -> Any:
        yield x
        assert x != 3
        if x > 5:
            yield 10 // (x - 7)

    found = verify_all(numbers)
    assert sorted(row.inputs["x"] for row in found) == [3, 7]
    assert all(row.confirmed for row in found)


# --- what confirms a prediction -----------------------------------------------------------------


def test_only_the_predicted_exception_confirms() -> None:
    predicted = Failure(True, ValueError("predicted"), "f.py:1")
    assert failed(Replay(False, exception=ValueError("other words")), predicted)
    assert not failed(Replay(False, exception=TypeError("predicted")), predicted)
    assert not failed(Replay(False, exception=UnicodeError("a subclass")), predicted)
    assert not failed(Replay(True, value=3), predicted)
    assert not failed(Replay(None, problem="it cannot be run"), predicted)


CALLS: list[int] = []


def changes_its_mind(x: int) -> None:
    """Fails in one way when it is run symbolically, and in another when it is replayed."""
    if x == 3:
        if CALLS:
            raise KeyError
        raise ValueError


def test_another_exception_does_not_confirm(monkeypatch: pytest.MonkeyPatch) -> None:
    original = verifying.Problem.replay

    def replay(self: Any, model: Any) -> Replay:
        monkeypatch.setitem(globals(), "CALLS", [1])
        return original(self, model)

    monkeypatch.setattr(verifying.Problem, "replay", replay)
    found = verify(changes_its_mind)
    assert isinstance(found.failure.exception, ValueError)  # type: ignore[union-attr]
    assert isinstance(found.replay.exception, KeyError)  # type: ignore[union-attr]
    assert not found.confirmed
    assert "NOT confirmed: CPython raised KeyError" in str(found)


# --- what differs from run to run ---------------------------------------------------------------


def by_chance(x: int) -> None:
    assert random.random() < 2


def by_dice(x: int) -> None:
    assert random.randint(1, 6) != 7


def by_clock(x: int) -> None:
    assert time.time() > 0


def by_date(x: int) -> None:
    assert datetime.datetime.now().year > 0


def by_identifier(x: int) -> None:
    assert uuid.uuid4().version == 4


@pytest.mark.parametrize("function", [by_chance, by_dice, by_clock, by_date, by_identifier])
def test_one_value_of_many_proves_nothing(function: Callable[..., Any]) -> None:
    found = verify(function)
    assert found.status is Status.UNKNOWN
    assert re.match(r".+\.py:\d+: `.+` gives", found.reason)
    assert "gives other values in other runs" in found.reason
    assert [row.status for row in verify_all(function)] == [Status.UNKNOWN]


def test_findings_stay_findings_beside_chance() -> None:
    def f(x: int) -> None:
        time.time()
        assert x != 3

    assert verify(f).confirmed
    assert solve(f, 3).status is Status.UNKNOWN
    assert solve(f, 4).found
    assert [row.status for row in solve_all(f, 3)] == [Status.UNKNOWN]
    assert verify(e_abs, Int("y")).holds


# --- limits are neither findings nor caught -------------------------------------------------------


def caught_loop(n: int) -> None:
    i = 0
    try:
        while i < n:
            i += 1
    except Exception:
        return
    assert i != 10


def caught_assertion(n: int) -> None:
    i = 0
    try:
        while i < n:
            i += 1
    except AssertionError:
        return
    finally:
        i += 1
    assert i != 11


def suppressed_loop(n: int) -> None:
    i = 0
    with contextlib.suppress(Exception):
        while i < n:
            i += 1
        assert i != 10
    assert i in (0, n)


def recursive(n: int) -> int:
    return 0 if n <= 0 else 1 + recursive(n - 1)


def caught_recursion(n: int) -> None:
    try:
        found = recursive(n)
    except Exception:
        return
    assert found != 10


# A string of the solvers' theory, which has fewer characters than Python.
TAIL = Str("tail")


def caught_character(n: int) -> None:
    try:
        found = chr(n) + TAIL
    except Exception:
        return
    assert found != ""
    assert n != 0x30000


@pytest.mark.parametrize(
    "function",
    [caught_loop, caught_assertion, suppressed_loop, caught_recursion, caught_character],
)
def test_programs_do_not_catch_limits(function: Callable[..., Any]) -> None:
    """Each fails, or might, for an input beyond a limit, and handles all exceptions."""
    found = verify(function, bound=3)
    assert found.status is Status.UNKNOWN
    assert re.match(
        r".+test_verify\.py:\d+: (the bound of 3 is too small|a symbolic char)", found.reason
    )
    assert [row.status for row in verify_all(function, bound=3)] == [Status.UNKNOWN]
    left = explore(function, options=Options(bound=3)).unexplored
    assert [
        row for row in left if "the bound of 3" in row.reason or "a symbolic char" in row.reason
    ]


def ten(n: int) -> int:
    i = 0
    while i < n:
        i += 1
    assert i == 10 or i == 2
    return i


def test_nothing_within_the_bounds_is_not_nothing() -> None:
    only = integers(5, 20)
    assert solve(ten, only, bound=3).status is Status.UNKNOWN
    assert solve(ten, only, bound=3, unwinding="assume").status is Status.UNSAT
    assert [row.status for row in solve_all(ten, bound=3)] == [Status.SAT, Status.UNKNOWN]
    assert optimize(ten, maximize=True, bound=3).status is Status.UNKNOWN
    assert optimize(ten, maximize=True, bound=3, unwinding="assume").objectives == (2,)
    assert optimize(ten, maximize=True, n=integers(0, 12), bound=12).objectives == (10,)


# --- a symbolic value has the class of what it stands for ---------------------------------------


@functools.singledispatch
def kind(x: object) -> str:
    return "other"


@kind.register
def _(x: int) -> str:
    return "int"


def reads_class(x: int) -> None:
    assert x.__class__ is not int


def reads_class_of_either(x: int) -> None:
    value = x if x > 3 else "text"
    assert value.__class__ is not str


def gets_class(x: int) -> None:
    assert getattr(x, "__class__", None) is not int


def dispatches(x: int) -> None:
    assert kind(x) != "int"


def has_attributes(x: int) -> None:
    assert not hasattr(x, "bit_length") or hasattr(x, "sort")


def has_numerator(x: int) -> None:
    assert not hasattr(x, "numerator")


@pytest.mark.parametrize(
    "function",
    [reads_class, reads_class_of_either, gets_class, dispatches, has_attributes, has_numerator],
)
def test_programs_see_the_classes_of_python(function: Callable[..., Any]) -> None:
    assert verify(function).confirmed
