"""Questions that are answered in this process: as other solvers say, and only if they are small."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from solvent import BitVec, Bool, Int, Solver
from solvent.solvers import Status, config, here
from solvent.solvers.context import Context
from solvent.solvers.engines import minisat_engine
from solvent.solvers.engines.base import Unsupported
from solvent.solvers.engines.minisat_engine import MinisatEngine, TooLarge
from solvent.solvers.process import pool
from solvent.terms import (
    and_,
    ashr,
    bv,
    concat,
    div,
    eq,
    evaluate,
    extract,
    ite,
    lshr,
    mod,
    not_,
    or_,
    sign_extend,
    sle,
    udiv,
    ule,
    urem,
    zero_extend,
)
from solvent.terms.bitvectors import sdiv, smod, srem
from solvent.terms.model import Model

pytestmark = pytest.mark.skipif(not minisat_engine.is_available(), reason="python-sat is missing")

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b,
    "lshr": lshr,
    "ashr": ashr,
    "udiv": udiv,
    "urem": urem,
    "sdiv": sdiv,
    "srem": srem,
    "smod": smod,
}
TESTS: dict[str, Callable[[Any, Any], Any]] = {"eq": eq, "ule": ule, "sle": sle}


@pytest.fixture(autouse=True)
def nothing_remembered() -> Any:
    with config(remember=False):
        yield


def said(formula: Any, solver: str | None = None) -> Status:
    with Solver(solver) as asked:
        asked.add(formula)
        return asked.check()


# --- the same as other solvers -------------------------------------------------------------------


@pytest.mark.parametrize("name", [*BINARY, *TESTS])
@pytest.mark.parametrize("width", [1, 3])
def test_operators_on_all_values(name: str, width: int) -> None:
    """What an operator gives is what its terms are evaluated to, and nothing else."""
    operator = {**BINARY, **TESTS}[name]
    x, y = BitVec("x", width), BitVec("y", width)
    term = operator(x, y)
    with Solver() as solver:
        for a, b in product(range(1 << width), repeat=2):
            value = evaluate(term, Model({x: bv(a, width), y: bv(b, width)}))
            given = (eq(x, a), eq(y, b))
            assert solver.check(*given, eq(term, value)) is Status.SAT
            assert solver.check(*given, not_(eq(term, value))) is Status.UNSAT
        assert solver.name == "clauses"


def bits(chance: Random, width: int, depth: int) -> Any:
    """A random bitvector."""
    if depth == 0:
        if chance.random() < 0.2:
            return bv(chance.getrandbits(width), width)
        return BitVec(f"{chance.choice('xyz')}{width}", width)
    kind = chance.randrange(8)
    if kind == 0:
        return ite(truth(chance, depth - 1), *(bits(chance, width, depth - 1) for _ in "ab"))
    if kind == 1 and width > 1:
        low = chance.randrange(1, width)
        return concat(bits(chance, width - low, depth - 1), bits(chance, low, depth - 1))
    if kind == 2:
        low = chance.randrange(3)
        return extract(low + width - 1, low, bits(chance, width + low + 1, depth - 1))
    if kind == 3 and width > 1:
        extend = chance.choice([zero_extend, sign_extend])
        return extend(1, bits(chance, width - 1, depth - 1))
    if kind == 4:
        negated = bits(chance, width, depth - 1)
        return chance.choice([-negated, ~negated])
    operator = chance.choice(list(BINARY.values()))
    return operator(bits(chance, width, depth - 1), bits(chance, width, depth - 1))


def number(chance: Random, depth: int) -> Any:
    """A random int: one of some unknowns, of some literals, or a choice."""
    if depth and chance.random() < 0.3:
        return ite(truth(chance, depth - 1), *(number(chance, depth - 1) for _ in "ab"))
    return chance.choice([Int("i"), Int("j"), Int("k"), Int("l"), -7, 0, 10**30])


def truth(chance: Random, depth: int) -> Any:
    """A random condition."""
    if depth == 0:
        return Bool(chance.choice("pqr"))
    kind = chance.randrange(6)
    if kind == 0:
        return not_(truth(chance, depth - 1))
    if kind in (1, 2):
        return (and_, or_)[kind - 1](*(truth(chance, depth - 1) for _ in range(3)))
    if kind == 3:
        return eq(number(chance, depth - 1), number(chance, depth - 1))
    width = chance.choice([1, 2, 3, 5])
    operator = chance.choice(list(TESTS.values()))
    return operator(bits(chance, width, depth - 1), bits(chance, width, depth - 1))


@pytest.mark.parametrize("seed", range(8))
def test_random_formulas(seed: int) -> None:
    """Verdicts are those of Z3, models are models, and cores are unsatisfiable."""
    chance = Random(seed)
    with Solver() as solver, Solver("z3") as other:
        verdicts = set()
        for _ in range(12):
            one, two, three = (truth(chance, 4) for _ in range(3))
            for asked in (solver, other):
                asked.push()
                asked.add(one)
            assumed = (two, eq(number(chance, 1), number(chance, 1)), three)
            status = solver.check(*assumed)
            assert status is other.check(*assumed)
            verdicts.add(status)
            if status is Status.SAT:
                assert solver.model().evaluate(and_(one, *assumed)) is True
            else:
                core = solver.unsat_core()
                assert said(and_(*solver.assertions, *core), "z3") is Status.UNSAT
            if chance.random() < 0.7:
                solver.pop()
                other.pop()
            assert solver.name == "clauses"
    assert Status.SAT in verdicts


def test_ints_that_are_compared_are_as_many_as_are_needed() -> None:
    """No other domain is meant than all ints: any number of unknowns may differ."""
    unknowns = [Int(f"n{k}") for k in range(6)]
    different = and_(not_(eq(a, b)) for a, b in combinations(unknowns, 2))
    few = and_(or_(eq(a, value) for value in range(5)) for a in unknowns)
    with Solver() as solver:
        solver.add(different, not_(eq(unknowns[0], 5)))
        assert solver.check() is Status.SAT
        assert solver.model().evaluate(and_(different, not_(eq(unknowns[0], 5)))) is True
        assert solver.check(few) is Status.UNSAT
        assert solver.name == "clauses"


def test_ints_that_come_later() -> None:
    """There are codes for some more ints; when they are used up, another solver is asked."""
    first, *later = [Int(f"n{k}") for k in range(20)]
    with Solver() as solver:
        solver.add(not_(eq(first, 3)))
        assert (solver.check(), solver.name) == (Status.SAT, "clauses")
        solver.add([not_(eq(a, b)) for a, b in combinations([first, *later], 2)])
        assert (solver.check(), solver.name) == (Status.SAT, "z3")
        assert solver.model().evaluate(and_(*solver.assertions)) is True
        solver.add(eq(first, later[0]))
        assert solver.check() is Status.UNSAT


@pytest.mark.parametrize("seed", range(6))
def test_ints_with_bounds_as_bitvectors(seed: int) -> None:
    """Their arithmetic is exact, and values, cores and verdicts are those of the ints."""
    chance = Random(seed)
    x, y, z = Int("x"), Int("y"), Int("z")
    bounds = [
        and_(least <= unknown, unknown <= least + chance.randrange(1, 12))
        for unknown in (x, y, z)
        for least in [chance.randrange(-9, 9)]
    ]

    def term(depth: int) -> Any:
        if depth == 0:
            return chance.choice([x, y, z, chance.randrange(-5, 6)])
        a, b = term(depth - 1), term(depth - 1)
        kind = chance.randrange(5)
        if kind == 3:
            return div(a, chance.choice([2, 3, -4]))
        return mod(a, chance.choice([2, 5])) if kind == 4 else (a + b, a - b, a * b)[kind]

    pool.close()
    answered = set()
    for _ in range(15):
        formula = and_(*bounds, eq(term(2), term(2)), or_(term(2) <= term(1), eq(term(1), y)))
        with Solver() as solver:
            solver.add(formula)
            status = solver.check()
            answered.add(solver.name)
            assert status is said(formula, "z3")
            if status is Status.SAT:
                assert solver.model().evaluate(formula) is True
            assumed = (eq(x, 3), eq(y, 2))
            if solver.check(*assumed) is Status.UNSAT:
                core = solver.unsat_core()
                assert said(and_(formula, *core), "z3") is Status.UNSAT
    assert "clauses" in answered


# --- who is asked --------------------------------------------------------------------------------


def test_no_process_starts_for_a_small_question() -> None:
    pool.close()
    x = BitVec("x", 8)
    with Solver() as solver:
        solver.prepare(eq(x * x, 49))
        solver.add(eq(x * x, 49))
        assert solver.check() is Status.SAT
        assert solver.statistics()["solver statistics"]
    assert not any(pool._idle.values())


def test_who_is_asked_by_name_answers() -> None:
    x = BitVec("x", 8)
    for name in ("z3", "bitwuzla", "cvc5"):
        with Solver(name) as solver:
            solver.add(eq(x * x, 49))
            assert (solver.check(), solver.name) == (Status.SAT, name)


# It has no such factors, being prime.
M, N = BitVec("m", 24), BitVec("n", 24)
HARD = and_(
    eq(M * N, 15_485_863),
    *(and_(ule(2, factor), ule(factor, 4095)) for factor in (M, N)),
)


@pytest.mark.parametrize(("limit", "value"), [("MOST_CONFLICTS", 0), ("MOST_GATES", 50)])
def test_what_is_hard_or_large_goes_to_a_process(
    monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    monkeypatch.setattr(here, limit, value)
    monkeypatch.setattr(minisat_engine, "_SLICE_CONFLICTS", 1)
    p = Bool("p")
    with Solver() as solver:
        solver.add(p)
        assert (solver.check(), solver.name) == (Status.SAT, "clauses")
        solver.push()
        solver.add(HARD)
        assert solver.name == "clauses"
        expected = said(HARD, "z3")
        assert (solver.check(), solver.name) == (expected, "bitwuzla")
        attempts = [str(one) for one in solver.question().attempts]
        assert any("clauses" in one for one in attempts) == (limit == "MOST_CONFLICTS")
        solver.pop()
        # It knows what was asserted while nobody else was asked.
        assert solver.check(not_(p)) is Status.UNSAT
        assert solver.unsat_core() == [not_(p)]
        solver.reset()
        solver.add(p)
        assert (solver.check(), solver.name) == (Status.SAT, "clauses")


@pytest.mark.parametrize("reason", ["interrupted", "timeout"])
def test_an_attempt_can_be_stopped(monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    monkeypatch.setattr(minisat_engine, "_SLICE_CONFLICTS", 1)
    # No process is asked.
    monkeypatch.setattr(Context, "_lease", None)
    search = MinisatEngine.search
    with Solver() as solver:
        solver.add(HARD)

        def stopped(self: Any, *args: Any) -> Any:
            if reason == "interrupted":
                solver.interrupt()
            return search(self, *args)

        monkeypatch.setattr(MinisatEngine, "search", stopped)
        limit = None if reason == "interrupted" else 1e-9
        assert solver.check(timeout=limit) is Status.UNKNOWN
        assert solver.reason == reason


def test_without_the_package_others_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minisat_engine, "find_spec", lambda name: None)
    with Solver() as solver:
        solver.add(eq(BitVec("x", 8), 3))
        assert (solver.check(), solver.name) == (Status.SAT, "bitwuzla")


# --- the engine by itself ------------------------------------------------------------------------


def test_what_the_engine_refuses() -> None:
    with pytest.raises(Unsupported, match="no modes"):
        MinisatEngine("fast")
    engine = MinisatEngine()
    with pytest.raises(Unsupported, match="no theory of Real"):
        engine.define([], [(-1, "r", ("Real",))])
    with pytest.raises(Unsupported, match=r"no operator \+"):
        engine.define([("+", ())], [(-1, "n", ("Int",)), (0, 0, 0)])
    engine.forget()


def test_a_product_is_not_begun_if_it_is_too_large() -> None:
    engine = MinisatEngine(most_gates=1000)
    rows = [(-1, "x", ("BitVec", 64)), (0, 0, 0)]
    with pytest.raises(TooLarge):
        engine.define([("bvmul", ())], rows)
    assert len(engine._gates) < 100


def test_the_engine_keeps_its_own_limit() -> None:
    engine = MinisatEngine()
    engine.define([("not", ())], [(-1, "p", ("Bool",)), (0, 0)])
    engine.assert_formula(0)
    assert engine.check([], 5.0) == ("sat", "")
    assert engine.model() == ([(0, True)], [], [])
    assert engine.check([1], None) == ("unsat", "")
    assert engine.core() == [1]
