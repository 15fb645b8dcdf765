"""Bits, shifts and powers of symbolic ints against CPython, with bounds and without."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Bool, Int, NotLiftedError, assume, evaluate, verify
from solvent.lift import execute
from solvent.solvers import Status
from solvent.terms import and_
from solvent.vm.machine import Outcome
from tests.lift.differential import agree, run

BITWISE = [operator.and_, operator.or_, operator.xor]
SHIFTS = [operator.lshift, operator.rshift]
BITS = [False, True]
WIDE = [-(2**70), -(2**63), -(2**40) - 5, -1, 0, 1, 77, 2**31, 2**63 - 1, 2**63, 2**70 + 9]


def same_as_cpython(outcome: Outcome, plain: Callable[..., Any], *domains: list[int]) -> int:
    """Compare under models in which nothing is refused; how many there were."""
    compared = 0
    for values in itertools.product(*domains):
        model = dict(zip(("x", "y"), values, strict=False))
        found = [f for f in outcome.failures if evaluate(f.condition, model)]
        if found and type(found[0].exception) is NotLiftedError:
            continue
        compared += 1
        expected, error = run(plain, values)
        if error is not None:
            assert [type(f.exception) for f in found] == [type(error)], values
            continue
        assert not found, (values, found)
        assert repr(evaluate(outcome.value, model)) == repr(expected), values
    return compared


@pytest.mark.parametrize("operation", BITWISE)
@pytest.mark.parametrize("low", [0, -6, -1])
def test_both_have_bounds(operation: Any, low: int) -> None:
    agree(lambda x, y: operation(x, y), range(low, 10), range(-1 if low else 0, 18))


@pytest.mark.parametrize("operation", BITWISE)
@pytest.mark.parametrize(("low", "high"), [(0, 5), (-3, 9), (-8, -7), (0, 0), (-1, -1)])
def test_one_has_bounds(operation: Any, low: int, high: int) -> None:
    def left(x: Any, y: Any) -> Any:
        assume(and_(low <= y, y <= high))
        return operation(x, y)

    def right(x: Any, y: Any) -> Any:
        assume(and_(low <= y, y <= high))
        return operation(y, x)

    for f, plain in ((left, operation), (right, lambda x, y: operation(y, x))):
        outcome = execute(f, Int("x"), Int("y"))
        assert same_as_cpython(outcome, plain, WIDE, list(range(low, high + 1))) == len(WIDE) * (
            high - low + 1
        )


@pytest.mark.parametrize("operation", BITWISE)
def test_none_has_bounds(operation: Any) -> None:
    outcome = execute(lambda x, y: operation(x, y), Int("x"), Int("y"))
    fitting = [n for n in WIDE if -(2**63) <= n < 2**63]
    assert same_as_cpython(outcome, operation, WIDE, WIDE) == len(fitting) ** 2
    assert {type(f.exception) for f in outcome.failures} == {NotLiftedError}


def test_no_handler_sees_what_is_refused() -> None:
    def f(x: int, y: int) -> None:
        try:
            found = x | y
        except Exception:
            raise AssertionError from None
        else:
            assert (found & 1) == (x & 1 or y & 1)

    found = verify(f)
    assert found.status is Status.UNKNOWN
    assert "bounds" in str(found.reason)


def test_bounds_from_branches() -> None:
    def f(x: Any, y: Any) -> Any:
        if 0 <= x < 8 and -4 <= y <= 4:
            return x & y, x | y, x ^ y, x << (y + 4), y >> x
        return None

    outcome = execute(f, Int("x"), Int("y"))
    assert outcome.failures == ()
    assert outcome.stats.solver_calls == 0
    assert same_as_cpython(outcome, f, list(range(-2, 10)), list(range(-6, 7))) == 12 * 13


def test_bounds_that_a_solver_knows() -> None:
    def f(x: Any, y: Any) -> Any:
        assume(and_(x + y == 9, x - y >= 0, x <= 9 + y))
        return x ^ y

    outcome = execute(f, Int("x"), Int("y"))
    assert outcome.failures == ()
    assert evaluate(outcome.value, {"x": 7, "y": 2}) == 7 ^ 2


def test_bounds_of_one_branch_are_none_of_the_other() -> None:
    def f(x: Any, y: Any) -> Any:
        if 0 <= x <= 3 and 0 <= y <= 3:
            found = x ^ y
        else:
            found = -1
        assume(and_(-20 <= x, x <= 20, -20 <= y, y <= 20))
        return found, x ^ y

    outcome = execute(f, Int("x"), Int("y"))
    assert same_as_cpython(outcome, f, [-20, -1, 0, 2, 3, 4, 19], [-3, 0, 3, 5, 20]) == 35


@pytest.mark.parametrize("operation", SHIFTS)
def test_shifts_with_bounds(operation: Any) -> None:
    agree(lambda x, y: operation(x, y), range(-9, 10), range(-2, 8))
    agree(lambda y: (operation(5, y), operation(-5, y), operation(0, y)), range(-1, 8))
    agree(lambda x, p: (operation(x, p), operation(p, x)), range(-1, 5), BITS)


@pytest.mark.parametrize("operation", SHIFTS)
def test_shifts_without_bounds(operation: Any) -> None:
    counts = [-(2**70), -1, 0, 1, 63, 64, 65, 100, 2**10]
    outcome = execute(lambda x, y: operation(x, y), Int("x"), Int("y"))
    compared = same_as_cpython(outcome, operation, WIDE, counts)
    # Every count up to 64, and where nothing but the sign is left.
    zeros = WIDE.count(0) if operation is operator.lshift else sum(abs(n) < 2**64 for n in WIDE)
    assert compared == len(WIDE) * 6 + zeros * 3


def test_a_right_shift_of_a_number_with_bounds_is_exact_for_every_count() -> None:
    def f(x: Any, y: Any) -> Any:
        assume(and_(-100 <= x, x <= 100))
        return x >> y

    outcome = execute(f, Int("x"), Int("y"))
    counts = [-1, 0, 3, 7, 8, 500, 2**62]
    assert same_as_cpython(outcome, operator.rshift, [-100, -1, 0, 1, 100], counts) == 35


def test_powers() -> None:
    agree(lambda n: (2**n, 10**n, (-3) ** n, 1**n), range(5))
    agree(lambda n: (2**n, (-2) ** n, 1**n, True**n), range(-3, 4))
    agree(lambda n: 0**n, range(-2, 3))
    agree(lambda x, n: x**n, range(-4, 5), range(4))
    agree(lambda p, n: p**n, BITS, range(4))
    agree(lambda x, p: x**p, range(-2, 3), BITS)
    agree(lambda n: (10**400) ** n, range(-1, 2))


def test_powers_without_bounds() -> None:
    outcome = execute(lambda x: 3**x, Int("x"))
    assert same_as_cpython(outcome, lambda x: 3**x, [-65, -64, -1, 0, 1, 64, 65]) == 5
    # A symbolic base to a negative power is rounded.
    outcome = execute(lambda x, y: x**y, Int("x"), Int("y"))
    assert same_as_cpython(outcome, operator.pow, [-2, 0, 3], [-1, 0, 5, 64, 65]) == 10


def test_modular_powers() -> None:
    agree(lambda a, n: pow(a, n, 7), range(-3, 9), range(6))
    agree(lambda n: (pow(3, n, 5), pow(3, n, -5), pow(2, n, 1)), range(6))
    agree(lambda a, m: pow(a, 3, m), range(-3, 4), range(-4, 5))
    agree(lambda a, n, m: pow(a, n, m), range(-2, 3), range(3), range(-2, 4))
    agree(lambda p, n: pow(p, n, 3), BITS, range(3))


def test_modular_inverses() -> None:
    agree(lambda a: (pow(a, -1, 7) if a % 7 else 0, pow(2 * a + 1, -3, 8)), range(-8, 9))
    agree(lambda a: pow(a, -1, 6), range(-7, 8))
    agree(lambda a, n: pow(a, n, 5), range(1, 5), range(-3, 4))
    agree(lambda a: pow(2 * a + 1, -1, -4), range(-4, 5))


def test_modular_powers_that_are_refused() -> None:
    outcome = execute(lambda x, y: pow(x, -1, y), Int("x"), Int("y"))
    assert NotLiftedError in {type(f.exception) for f in outcome.failures}
    assert outcome.halted


def test_wrong_operands() -> None:
    agree(lambda p, n: n & ("a" if p else 1.5), BITS, [1, 2])
    agree(lambda p, n: n << ("a" if p else 1.5), BITS, [1, 2])
    agree(lambda p, n: pow(n, 2, "a" if p else 1.5), BITS, [1, 2])


def test_fractional_powers_are_refused() -> None:
    with pytest.raises(NotLiftedError, match="multiply"):
        execute(lambda x: x**0.3, Int("x"))


def test_bits_of_truth_values() -> None:
    agree(lambda p, n: (p & n, n | p, p ^ n, ~p, ~n, p << n), BITS, range(4))


def test_hash_functions_are_decided() -> None:
    word = 2**64 - 1

    def xorshift(x: int) -> None:
        assume(1 <= x <= word)
        x ^= (x << 13) & word
        x ^= x >> 7
        x ^= (x << 17) & word
        assert x != 0

    def fnv(a: int, b: int) -> None:
        assume(0 <= a <= 255 and 0 <= b <= 255)
        h = 0xCBF29CE484222325
        for c in (a, b):
            h = ((h ^ c) * 0x100000001B3) & word
        assert h != 0x8328807B4EB6FED

    assert verify(xorshift).status is Status.UNSAT
    assert verify(fnv).status is Status.SAT


def test_one_of_both_sides() -> None:
    assert execute(lambda p, x: x & (3 if p else 5), Bool("p"), Int("x")).failures == ()
