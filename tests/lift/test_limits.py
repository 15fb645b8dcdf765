"""Loops and recursion: asking the solver, bounds, giving up."""

from __future__ import annotations

import pytest

from solvent import BitVec, Int, Solver, UnboundedError, UnwindingError, assume, evaluate
from solvent.lift import bounded, cardinality, execute
from solvent.terms import bv, ite, not_, ult
from solvent.vm.machine import Machine


def popcount(x):
    count = 0
    while x != 0:
        x = x & (x - 1)
        count += 1
    return count


@pytest.mark.parametrize("width", [1, 8, 33, 80])
def test_popcount_ends_for_any_width(width: int) -> None:
    outcome = execute(popcount, BitVec("x", width))
    for number in {0, 1, (1 << width) - 1, 0b1011 % (1 << width)}:
        assert evaluate(outcome.value, {"x": bv(number, width)}) == number.bit_count()


def test_popcount_is_at_most_its_argument() -> None:
    x = BitVec("x", 64)
    outcome = execute(popcount, x)
    total = bv(0, 64)
    for bit in range(64):
        total = total + ite((x >> bit) & 1 == 1, bv(1, 64), bv(0, 64))
    with Solver() as solver:
        solver.add(ult(x, total))
        assert solver.check() == "unsat"
    assert evaluate(outcome.value, {x: bv(255, 64)}) == 8


def count_to(n):
    i = 0
    while i < n:
        i += 1
    return i


def test_an_unbounded_loop_is_named() -> None:
    with pytest.raises(UnboundedError, match=r"test_limits.py:\d+: this loop .*bounded"):
        execute(count_to, Int("n"))


def endless(n):
    return 0 if n == 0 else endless(n - 1) + 1


def test_an_unbounded_recursion_is_named() -> None:
    with pytest.raises(UnboundedError, match=r"test_limits.py:\d+: the recursion .*bounded"):
        execute(endless, Int("n"))


def test_a_bound_fails_where_it_is_too_small() -> None:
    def program(n):
        with bounded(3):
            return count_to(n)

    outcome = execute(program, Int("n"))
    (failure,) = outcome.failures
    assert isinstance(failure.exception, UnwindingError)
    for n in range(-1, 6):
        assert evaluate(outcome.asserts, {"n": n}) is (n <= 3)
        if n <= 3:
            assert evaluate(outcome.value, {"n": n}) == max(n, 0)


def test_a_bound_can_be_an_assumption() -> None:
    def program(n):
        with bounded(3, "assume"):
            return count_to(n)

    outcome = execute(program, Int("n"))
    assert outcome.failures == ()
    for n in range(-1, 6):
        assert evaluate(outcome.assumes, {"n": n}) is (n <= 3)


def test_a_bound_on_recursion() -> None:
    def program(n):
        with bounded(4, "assume"):
            return endless(n)

    outcome = execute(program, Int("n"))
    for n in range(4):
        assert evaluate(outcome.assumes, {"n": n}) is True
        assert evaluate(outcome.value, {"n": n}) == n
    assert evaluate(outcome.assumes, {"n": -1}) is False


def test_bounds_are_checked() -> None:
    with pytest.raises(ValueError, match="assert"), bounded(3, "maybe"):
        pass


def test_assumptions_bound_loops() -> None:
    def program(n):
        assume(n <= 20)
        return count_to(n)

    outcome = execute(program, Int("n"))
    assert evaluate(outcome.value, {"n": 20}) == 20


def test_the_number_of_iterations_is_configurable() -> None:
    assert Machine().limits.ask_after == 64


def rev_pos(xs):
    ps = ()
    for x in xs:
        if x > 0:
            ps = (x, *ps)
    return ps


@pytest.mark.parametrize("count", [1, 2, 10, 40])
def test_rev_pos_is_polynomial(count: int) -> None:
    outcome = execute(rev_pos, [Int(f"v{count}_{place}") for place in range(count)])
    assert cardinality(outcome.value) == count + 1
    assert outcome.stats.terms <= count**3 / 5 + 10 * count**2 + 10
    assert outcome.stats.largest_union <= count + 1
    assert evaluate(outcome.normal, {}) is True
    assert not_(outcome.asserts) is False


def test_lists_that_are_rebuilt_stay_small() -> None:
    def program(xs):
        ps = []
        for x in xs:
            if x > 0:
                ps = [x, *ps]
        return ps

    outcome = execute(program, [Int(f"w{place}") for place in range(40)])
    assert len(outcome.value) == 40
    assert outcome.stats.terms < 40**2 * 4


def leads_to(tree, path, depth, wanted):
    """Whether a symbolic path of turns leads to a number in a tree."""
    if isinstance(tree, int):
        return tree == wanted
    for turn, below in enumerate(tree):
        if path[depth] == turn and leads_to(below, path, depth + 1, wanted):
            return True
    return False


def test_the_solver_is_asked_rarely_in_a_walk_over_a_large_tree() -> None:
    """Asking at each of the nodes of some levels would find nothing every time."""

    def tree(depth: int, number: int):
        if depth == 0:
            return number
        return [tree(depth - 1, 2 * number), tree(depth - 1, 2 * number + 1)]

    path = [BitVec(f"turn{level}", 8) for level in range(9)]
    outcome = execute(leads_to, tree(9, 0), path, 0, 0b101100111)
    assert 0 < outcome.stats.solver_calls < 150
    right = {step: bv(int(turn), 8) for step, turn in zip(path, "101100111", strict=True)}
    assert evaluate(outcome.value, right) is True
    assert evaluate(outcome.value, {**right, path[8]: bv(0, 8)}) is False
