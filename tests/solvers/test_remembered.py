"""What is asked twice is answered once, also with other names; what differs is asked."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from solvent import BitVec, Bool, Int, Real, Solver
from solvent.errors import SolverError
from solvent.solvers import Status, config, joining, remembered
from solvent.solvers.choose import settings
from solvent.solvers.context import Context
from solvent.solvers.remembered import MEMORY, Known, Memory
from solvent.solvers.structure import NoKeyError, Structure, glance
from solvent.terms import Array, Function, and_, eq, evaluate, exists, forall, ite, or_, ult
from solvent.terms.graph import constants
from solvent.terms.sorts import uninterpreted_sort


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The solvers that were asked; all answers are worth keeping."""
    found: list[str] = []
    check = Context.check

    def noting(self: Context, *args: Any) -> tuple[str, str]:
        answer = check(self, *args)
        found.append(self.name)
        return answer

    monkeypatch.setattr(Context, "check", noting)
    monkeypatch.setattr(remembered, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(remembered, "_SHARE", 1e6)
    # However slow the machine is, nobody else joins.
    monkeypatch.setattr(joining, "expected_seconds", lambda *_: math.inf)
    MEMORY.clear()
    yield found
    MEMORY.clear()


def test_other_names_have_the_same_answer(asked: list[str]) -> None:
    for name in "abc":
        x, y = BitVec(f"{name}!x", 9), BitVec(f"{name}!y", 9)
        with Solver() as solver:
            solver.add(x * y == 391, ult(1, x), ult(x, y), ult(y, 29))
            assert solver.check() is Status.SAT
            assert (int(solver.model()[x]), int(solver.model()[y])) == (17, 23)
            assert solver.values([y])[y] == 23
            assert solver.name == "clauses"
    assert asked == ["clauses"]
    assert "asked before" in str(solver.question().attempts[0])


def test_an_answer_is_known_within_one_solver_too(asked: list[str]) -> None:
    x, y = BitVec("x", 8), BitVec("y", 8)
    with Solver() as solver:
        for name in (x, y, x):
            solver.push()
            solver.add(name * name == 49, ult(name, 9))
            assert solver.check() is Status.SAT
            assert solver.model()[name] == 7
            solver.pop()
        solver.add(x == 3)
        assert solver.check(y == x) is Status.SAT
        assert solver.model()[y] == 3
    assert len(asked) == 2


def test_cores_and_functions_have_the_new_names(asked: list[str]) -> None:
    for name in "ab":
        x = Int(f"{name}!x")
        f = Function(f"{name}!f", [Int], Int)
        with Solver() as solver:
            solver.add(f(x) > 3)
            assert solver.check(x < 9, f(x) < 2, x > 5) is Status.UNSAT
            assert solver.unsat_core() == [f(x) < 2]
            assert solver.check(f(x) == 5) is Status.SAT
            model = solver.model()
            assert model.evaluate(f(x)) == 5
    assert len(asked) == 2


def test_an_answer_without_its_model_is_asked_for_again(asked: list[str]) -> None:
    x = BitVec("x", 8)
    for _ in range(2):
        with Solver() as solver:
            solver.add(x * x == 17)
            assert solver.check() is Status.SAT
    assert len(asked) == 1
    for _ in range(2):
        with Solver() as solver:
            solver.add(x * x == 17)
            # What was found out has no model yet; then it has one.
            assert solver.check_for_model() is Status.SAT
            assert solver.model().evaluate(x * x) == 17
    with Solver() as solver:
        solver.add(x * x == 33)
        solver.check()
    with Solver() as solver:
        solver.add(x * x == 33)
        solver.check()
        assert solver.model().evaluate(x * x) == 33
    assert len(asked) == 4


def test_a_lost_model_is_found_again(asked: list[str]) -> None:
    x = BitVec("x", 8)
    with Solver() as solver:
        solver.add(x * x == 17)
        assert solver.check() is Status.SAT
        solver._backend.abandon()
        assert solver.model().evaluate(x * x) == 17
        assert solver.check(x == 1) is Status.UNSAT
        solver._backend.abandon()
        assert solver.unsat_core() == [x == 1]
    assert len(asked) == 4


def test_what_belongs_to_a_question(asked: list[str]) -> None:
    x, y, n = BitVec("x", 8), BitVec("y", 8), Int("n")
    with Solver() as solver:
        solver.add(x * x == 1, x > 1)
        solver.check()
    # Another solver has its own opinion, and what is assumed is not what is asserted.
    with Solver("z3") as solver:
        solver.add(x * x == 1, x > 1)
        solver.check()
    with Solver() as solver:
        solver.add(x * x == 1)
        solver.check(x > 1)
        solver.check(y > 1)
    assert asked == ["clauses", "z3", "clauses", "clauses"]
    del asked[:]
    for _ in range(2):
        with Solver() as solver:
            solver.add(n < 9)
            solver.maximize(n)
            assert (solver.check(), solver.objective_values()) == (Status.SAT, [8])
    assert len(asked) == 2


def test_what_is_not_known_is_not_kept(asked: list[str]) -> None:
    x, y = Int("x"), Int("y")
    for _ in range(2):
        with Solver("z3", timeout=0.001) as solver:
            solver.add(x * x * x + y * y * y == 114, x > 9)
            if solver.check() is Status.UNKNOWN:
                assert len(MEMORY) == 0


def test_what_is_quick_is_not_kept() -> None:
    MEMORY.clear()
    x = BitVec("x", 8)
    with Solver() as solver:
        solver.check(x == 3)
        before = len(MEMORY)
        for k in range(20):
            solver.check(x == k)
    assert len(MEMORY) <= before + 5


def test_it_can_be_switched_off(asked: list[str]) -> None:
    x = BitVec("x", 8)
    for _ in range(2):
        with config(remember=False), Solver() as solver:
            solver.add(x * x == 17)
            assert solver.check() is Status.SAT
    assert (len(asked), len(MEMORY)) == (2, 0)


def test_the_environment_can_switch_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings().remember is None
    monkeypatch.setenv("SOLVENT_REMEMBER", "0")
    assert settings().remember is False
    with config(remember=True):
        assert settings().remember is True
    monkeypatch.setenv("SOLVENT_REMEMBER", "maybe")
    with pytest.raises(SolverError, match="SOLVENT_REMEMBER must be 0 or 1, not 'maybe'"):
        settings()


def test_looking_costs_no_more_than_a_part_of_what_was_kept() -> None:
    memory = Memory()
    memory.keep("seen", b"key", Known("sat", "z3", 1.0))
    assert memory.is_worth_looking("seen")
    assert not memory.is_worth_looking("other")
    assert memory.find("seen", b"other", 0.06) is None
    assert memory.is_worth_looking("seen")
    assert memory.find("seen", b"other", 0.06) is None
    assert not memory.is_worth_looking("seen")
    assert memory.find("seen", b"key", 0.06) is not None
    assert memory.is_worth_looking("seen")


def test_the_oldest_answers_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "MOST_ANSWERS", 3)
    memory = Memory()
    for k in range(5):
        memory.keep(k, bytes([k]), Known("unsat", "z3", 1.0))
        memory.find(k, bytes([0]), 0.0)
    assert [memory.find(0, bytes([k]), 0.0) is not None for k in range(5)] == [
        True,
        False,
        False,
        True,
        True,
    ]


# --- structure -----------------------------------------------------------------------------------

f, g = Function("f", [Int], Int), Function("g", [Int], Int)
x, y, z = Int("x"), Int("y"), Int("z")
a, b = Array(Int, Int)("a"), Array(Int, Int)("b")
r, s = Real("r"), Real("s")
S, T = uninterpreted_sort("S"), uninterpreted_sort("T")

SAME = [
    ([x + y < 3], [y + z < 3]),
    ([f(x) == x], [g(y) == y]),
    ([a[x] == 3], [b[z] == 3]),
    ([forall([x], f(x) > y)], [forall([z], g(z) > x)]),
    ([BitVec("p", 8) > 3], [BitVec("q", 8) > 3]),
    ([r * (7**6000) == s], [s * (7**6000) == r]),
]
OTHERS = [
    ([x < y, y < z], [x < y, z < y]),
    ([x < 3, y < 3], [x < 3, x < 4]),
    ([x < 1], [eq(x, 1)]),
    ([BitVec("p", 8) > 3], [BitVec("p", 9) > 3]),
    ([f(x) == g(x)], [f(x) == f(y)]),
    ([forall([x], f(x) > y)], [exists([x], f(x) > y)]),
    ([forall([x], f(x) > y)], [forall([y], f(x) > y)]),
    ([eq(Int("i"), 1)], [eq(BitVec("i", 1), 1)]),
    ([eq(S("s"), S("t"))], [eq(T("s"), T("t"))]),
    ([Bool("p")], [or_(Bool("p"), Bool("q"))]),
    ([True], [1 == x]),
    ([r == Fraction(1, 3)], [r == Fraction(1, 4)]),
    ([r == 1], [x == 1]),
]


@pytest.mark.parametrize(("first", "second"), SAME, ids=str)
def test_names_do_not_count(first: Any, second: Any) -> None:
    assert Structure(first, 99).key == Structure(second, 99).key
    assert glance(first) == glance(second)


@pytest.mark.parametrize(("first", "second"), OTHERS, ids=str)
def test_all_else_counts(first: Any, second: Any) -> None:
    assert Structure(first, 99).key != Structure(second, 99).key


def test_who_looks_at_too_much_stops() -> None:
    total = sum(Int(f"n{k}") for k in range(50))
    assert len(Structure([total < 3], 200).constants) == 50
    with pytest.raises(NoKeyError):
        Structure([total < 3], 60)


def _formula(rng: random.Random, depth: int) -> Any:
    if depth == 0:
        return rng.choice((x, y, z)) <= rng.choice((x, y, z, 0, 1))
    parts = [_formula(rng, depth - 1) for _ in range(2)]
    match rng.randrange(3):
        case 0:
            return and_(*parts)
        case 1:
            return or_(*parts)
    return ite(parts[0], x + y, z) <= 1


def test_equal_keys_are_equal_formulas_up_to_names() -> None:
    rng = random.Random(1)
    by_key: dict[bytes, tuple[Any, list[Any]]] = {}
    same = 0
    for _ in range(400):
        formula = _formula(rng, rng.randrange(3))
        found = Structure([formula], 999)
        other, names = by_key.setdefault(found.key, (formula, found.constants))
        same += other is not formula
        for values in itertools.product(range(-1, 3), repeat=len(names)):
            given = dict(zip(names, values, strict=True))
            renamed = dict(zip(found.constants, values, strict=True))
            assert _value(other, given) == _value(formula, renamed)
    assert same > 20


def _value(formula: Any, values: dict[Any, int]) -> Any:
    return evaluate(formula, values) if constants(formula) else formula
