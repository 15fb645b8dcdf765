"""Bounded integers as bitvectors: the translation is exact, and answers come back as integers."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from solvent import Solver
from solvent.errors import SolverMissingError, UnsupportedError
from solvent.solvers import narrowing
from solvent.solvers.context import Context, Frame
from solvent.solvers.narrowing import CannotNarrowError, Narrowing, NarrowingContext
from solvent.terms import (
    Array,
    BitVec,
    Bool,
    Float,
    Function,
    Int,
    Real,
    Str,
    and_,
    bv_to_int,
    eq,
    evaluate,
    forall,
    is_nan,
    ite,
    length,
    not_,
    or_,
)
from solvent.terms.values import bv

RANGES = {"x": (0, 6), "y": (-4, 3), "z": (5, 5), "w": (-9, -7)}


# What other theories say beside bounded numbers.
BESIDE = [
    Array(Int, Int)("m")[Int("x")] == Int("y"),
    eq(Array(Int, Int)("m"), Array(Int, Int)("n")),
    Array(BitVec(3), Bool)("b")[BitVec("v", 3)],
    Str("s") == "ab",
    Str("s") == Str("t"),
    length(Str("s")) == Int("x"),
    Real("r") == Real("q"),
    Real("r") < 1,
    Float("f") == Float("g"),
    is_nan(Float("f")),
]


def _bounds() -> list[Any]:
    return [and_(low <= Int(name), Int(name) <= high) for name, (low, high) in RANGES.items()]


def _number(rng: random.Random, depth: int) -> Any:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([Int(name) for name in RANGES] + [rng.randint(-8, 8)])
    a, b = _number(rng, depth - 1), _number(rng, depth - 1)
    return rng.choice(
        [
            lambda: a + b,
            lambda: a - b,
            lambda: a * b,
            lambda: -a,
            lambda: ite(_condition(rng, depth - 1), a, b),
            lambda: a % rng.randint(1, 7),
            lambda: a // rng.randint(1, 7),
            lambda: bv_to_int(BitVec("v", 3)) + a,
        ]
    )()


def _condition(rng: random.Random, depth: int) -> Any:
    if depth == 0:
        return Bool("p")
    a, b = _number(rng, depth - 1), _number(rng, depth - 1)
    first, second = _condition(rng, depth - 1), _condition(rng, depth - 1)
    return rng.choice(
        [
            lambda: a <= b,
            lambda: a < b,
            lambda: a == b,
            lambda: a != b,
            lambda: and_(first, second),
            lambda: or_(first, not_(second)),
        ]
    )()


def _inputs() -> Any:
    spaces = [range(low, high + 1) for low, high in RANGES.values()]
    return itertools.product(*spaces, (False, True), range(0, 8, 3))


@pytest.mark.parametrize("seed", range(60))
def test_the_translation_is_exact(seed: int) -> None:
    rng = random.Random(seed)
    formula = _condition(rng, 4)
    result, translation = Narrowing.of([*_bounds(), formula])
    translated = and_(result)
    for *numbers, p, v in _inputs():
        model: dict[Any, Any] = {Bool("p"): p, BitVec("v", 3): bv(v, 3)}
        bits = dict(model)
        for name, number in zip(RANGES, numbers, strict=True):
            model[Int(name)] = number
            found = translation.constants.get(Int(name))
            if found is not None:
                bits[found] = bv(number, found.sort.width)
        # What the formula itself says of a constant may leave it fewer bits than its bounds.
        read = {c: translation.value(c, bits[b]) for c, b in translation.constants.items()}
        if any(read[constant] != model[constant] for constant in read):
            assert not evaluate(formula, model)
        else:
            assert evaluate(translated, bits) == evaluate(formula, model)


def test_numbers_out_of_range_are_excluded() -> None:
    x = Int("x")
    result, translation = Narrowing.of([and_(0 <= x, x <= 5), x * 3 != 100])
    bits = translation.constants[x]
    allowed = [n for n in range(8) if evaluate(and_(result), {bits: bv(n, 3)})]
    assert allowed == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "formula",
    [
        Int("free") > 3,
        Function("f", [Int], Int)(Int("x")) == 2,
        forall([Int("k")], Int("k") * 0 == Int("x")),
        Int("x") * 2**200 > Int("y"),
        Int("x") % Int("z") == 1,
        *BESIDE,
    ],
    ids=str,
)
def test_what_has_no_translation(formula: Any) -> None:
    with pytest.raises(CannotNarrowError):
        Narrowing.of([*_bounds(), formula])


@pytest.fixture
def only_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The theories of the query never answer."""
    check = Context.check

    def late(self: Context, *args: Any) -> Any:
        if self.specs[0].name == "bitwuzla" and not self._automatic:
            return check(self, *args)
        return "unknown", "timeout"

    monkeypatch.setattr(Context, "check", late)


def test_models_and_cores_are_of_the_query(only_narrow: None) -> None:
    x, y = Int("x"), Int("y")
    with Solver() as solver:
        solver.add(and_(0 <= x, x <= 100), and_(-50 <= y, y <= 50), x * 3 + y == 20, y < -15)
        assert str(solver.check()) == "sat"
        model = solver.model()
        assert set(model) == {x, y}
        assert model[x] * 3 + model[y] == 20
        assert type(model[y]) is int
        assert solver.values([y])[y] == model[y]
        assert str(solver.check(x > 90, y > -20, x < 5)) == "unsat"
        core = solver.unsat_core()
        assert core
        assert all(any(part is one for one in (x > 90, y > -20, x < 5)) for part in core)
        assert solver.name == "bitwuzla"


def test_what_cannot_be_translated_goes_on_as_it_is() -> None:
    asked: list[float | None] = []

    class Late(Context):
        def check(self, frames: Any, assumptions: Any, seconds: Any, interrupted: Any) -> Any:
            asked.append(seconds)
            return "unknown", "timeout"

    context = NarrowingContext(0)
    context._wide = Late(None, 0)
    frame = Frame()
    frame.entries = [(and_(0 <= Int("x"), Int("x") <= 3), None), (Int("x") < Int("free"), None)]
    assert context.check([frame], [], 10.0, lambda: False) == ("unknown", "timeout")
    first, second = asked
    assert first is not None
    assert second is not None
    assert first <= narrowing._FIRST_SECONDS < second


class Scripted(Context):
    """Answers as it is told, and remembers for how long it was asked."""

    def __init__(self, *answers: Any) -> None:
        super().__init__(None, 0)
        self.answers = list(answers)
        self.asked: list[float | None] = []

    def check(self, frames: Any, assumptions: Any, seconds: Any, interrupted: Any) -> Any:
        self.asked.append(seconds)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


LATE, SAT, UNSAT = ("unknown", "timeout"), ("sat", ""), ("unsat", "")
LOST = ("unknown", "incomplete")


@pytest.mark.parametrize(
    ("wide", "narrow", "expected"),
    [
        # As it is at first, then side by side, and who answers wins.
        ([SAT], [], SAT),
        ([LATE, LATE], [UNSAT], UNSAT),
        ([LATE, UNSAT], [LATE], UNSAT),
        ([LATE, LATE], [LATE], LATE),
        # The bits cannot be asked, or give up: the theories go on.
        ([LATE, SAT], [SolverMissingError("none is here")], SAT),
        ([LATE, SAT], [UnsupportedError("not by this one")], SAT),
        ([LATE, SAT], [LOST], SAT),
        # The theories give up: the bits go on.
        ([LOST], [UNSAT], UNSAT),
        ([LATE, LOST], [SAT], SAT),
        # Both do.
        ([LATE, LOST], [LOST], LOST),
        ([LOST], [LOST], LOST),
        ([LOST], [SolverMissingError("none is here")], LOST),
    ],
    ids=str,
)
def test_who_gives_up_leaves_the_other_one_going(wide: Any, narrow: Any, expected: Any) -> None:
    context = NarrowingContext(0)
    context._wide, context._narrow = Scripted(*wide), Scripted(*narrow)
    frame = Frame()
    frame.entries = [(and_(0 <= Int("x"), Int("x") <= 3, Int("x") * Int("x") > 2), None)]
    assert context.check([frame], [], 1000.0, lambda: False) == expected
    # Who is not needed any more may not have been asked.
    assert len(context._wide.answers) <= (expected in (SAT, UNSAT) and expected in narrow)
    assert not context._narrow.answers
    first, *later = [*context._wide.asked, *context._narrow.asked]
    assert first is not None
    assert first < 1
    # All the time that is left.
    assert all(seconds is not None and seconds > 500 for seconds in later)


@pytest.fixture
def late_at_first(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The theories of the query answer only when they are asked again; who was asked is told."""
    check = Context.check
    asked: list[str] = []

    def late(self: Context, frames: Any, *rest: Any) -> Any:
        asked.append("by bits" if not self._automatic else "as it is")
        if self._automatic and asked.count("as it is") == 1:
            return LATE
        return check(self, frames, *rest)

    monkeypatch.setattr(Context, "check", late)
    return asked


@pytest.mark.parametrize("formula", BESIDE, ids=str)
def test_other_theories_beside_bounded_numbers(formula: Any, late_at_first: list[str]) -> None:
    with Solver() as solver:
        solver.add(*_bounds(), formula)
        assert str(solver.check()) == "sat"
        assert evaluate(formula, solver.model()) is True
    # There are no bits of it.
    assert len(late_at_first) == 2


def test_a_solver_that_is_missing(
    late_at_first: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    late = Context.check

    def missing(self: Context, *args: Any) -> Any:
        if not self._automatic:
            late_at_first.append("missing")
            raise SolverMissingError("it is not installed")
        return late(self, *args)

    monkeypatch.setattr(Context, "check", missing)
    x = Int("x")
    with Solver() as solver:
        solver.add(and_(0 <= x, x <= 100), x * x == 49)
        assert str(solver.check()) == "sat"
        assert solver.model()[x] == 7
    assert sorted(late_at_first) == ["as it is", "as it is", "missing"]


def test_random_queries_agree_with_integers(only_narrow: None) -> None:
    for seed in range(30):
        rng = random.Random(f"query {seed}")
        formula = _condition(rng, 4)
        expected = any(
            evaluate(
                formula,
                {
                    **{Int(n): v for n, v in zip(RANGES, numbers, strict=True)},
                    Bool("p"): p,
                    BitVec("v", 3): bv(v, 3),
                },
            )
            for *numbers, p, v in itertools.product(
                *[range(low, high + 1) for low, high in RANGES.values()], (False, True), range(8)
            )
        )
        with Solver() as solver:
            solver.add(*_bounds(), formula)
            assert str(solver.check()) == ("sat" if expected else "unsat")
            if expected:
                assert evaluate(formula, solver.model())
                known = {*map(Int, RANGES), Bool("p"), BitVec("v", 3)}
                assert known.issuperset(solver.model())
