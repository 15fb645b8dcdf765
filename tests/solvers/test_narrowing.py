"""Bounded integers as bitvectors: the translation is exact, and answers come back as integers."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import pytest

from solvent import Solver
from solvent.errors import SolverError, SolverMissingError, UnsupportedError
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
    div,
    eq,
    evaluate,
    float_to_real,
    floor,
    forall,
    fp_to_sbv,
    is_negative,
    ite,
    length,
    mod,
    not_,
    or_,
    to_float,
    to_real,
)
from solvent.terms.floats import Float32, Float64
from solvent.terms.reals import divide
from solvent.terms.softfloat import RoundingMode
from solvent.terms.term import Term
from solvent.terms.values import bv, sort_of


@pytest.fixture(autouse=True)
def no_short_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small queries go where large ones go; those that do not are in `test_here.py`."""
    monkeypatch.setattr(narrowing, "_FEW_TERMS", 0)


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
    Real("r") + to_real(Int("x")) < 1,
    to_float(Real("r")) < 1.0,
    floor(float_to_real(Float("f"))) < 1,
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
            lambda: rng.choice([div, mod])(a, b),
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
    _check(_condition(rng, 4))


def _float(rng: random.Random, depth: int) -> Any:
    """A float of ints, rounded once or more often."""
    if depth == 0:
        a, b = _number(rng, 1), _number(rng, 1)
        real = rng.choice(
            [
                lambda: to_real(a),
                lambda: to_real(a) * Fraction(rng.randint(-9, 9), rng.choice([1, 2, 3, 10, 49])),
                lambda: to_real(a) / 7 + to_real(b) / 6,
                lambda: divide(to_real(a), to_real(b)) if isinstance(b, Term) else to_real(a),
                lambda: -ite(Bool("p"), to_real(a) / 3, to_real(b) / 5),
            ]
        )()
        return to_float(real, rng.choice([Float64, Float64, Float32]))
    a, b = _float(rng, depth - 1), _float(rng, 0)
    if sort_of(a) is not sort_of(b):
        return -a
    return rng.choice([lambda: a + b, lambda: a * b, lambda: ite(Bool("p"), a, b), lambda: -a])()


def _about_floats(rng: random.Random) -> Any:
    a, b = _float(rng, 2), _float(rng, 1)
    number = _number(rng, 1)
    same = sort_of(a) is sort_of(b)
    return rng.choice(
        [
            lambda: a <= b if same else a <= number,
            lambda: eq(a, b) if same else is_negative(a),
            lambda: a < number,
            lambda: and_(a >= to_real(number) / 3, is_negative(b)),
            lambda: to_real(number) / 3 <= Fraction(5, 7),
            lambda: eq(fp_to_sbv(a, 9, RoundingMode.RNE), 3),
        ]
    )()


@pytest.mark.parametrize("seed", range(20))
def test_floats_of_ints_are_rounded_once(seed: int) -> None:
    _check(_about_floats(random.Random(seed)))


def test_the_zero_of_a_quotient_has_no_sign() -> None:
    _check(is_negative(to_float(divide(to_real(Int("x")), to_real(Int("y"))))))


def test_a_quotient_of_ints_that_are_no_floats_is_not_rounded_twice() -> None:
    big = Int("x") * (2**53 + 1)
    with pytest.raises(CannotNarrowError):
        Narrowing.of([*_bounds(), to_float(to_real(big) / 3) <= 1.0])
    _check(to_float(big) >= 2.0**54)


def _check(formula: Any) -> None:
    """The translation of a formula says the same of all inputs."""
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
        Int("x") % Int("free") == 1,
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
        ([LATE, SAT], [SolverError("it failed")], SAT),
        ([LATE, LATE], [SolverError("it failed")], LATE),
        # The theories give up: the bits go on.
        ([LOST], [UNSAT], UNSAT),
        ([LATE, LOST], [SAT], SAT),
        ([LATE, SolverError("it failed")], [UNSAT], UNSAT),
        # Both do.
        ([LATE, LOST], [LOST], LOST),
        ([LOST], [LOST], LOST),
        ([LOST], [SolverMissingError("none is here")], LOST),
    ],
    ids=str,
)
def test_who_gives_up_leaves_the_other_one_going(wide: Any, narrow: Any, expected: Any) -> None:
    context = NarrowingContext(0)
    by_bits = Scripted(*narrow)
    context._wide, context._beside = Scripted(*wide), [Scripted(), by_bits]
    frame = Frame()
    frame.entries = [(and_(0 <= Int("x"), Int("x") <= 3, Int("x") * Int("x") > 2), None)]
    assert context.check([frame], [], 1000.0, lambda: False) == expected
    # Who is not needed any more may not have been asked.
    assert len(context._wide.answers) <= (expected in (SAT, UNSAT) and expected in narrow)
    assert not by_bits.answers
    first, *later = [*context._wide.asked, *by_bits.asked]
    assert first is not None
    assert first < 1
    # All the time that is left.
    assert all(seconds is not None and seconds > 500 for seconds in later)


@pytest.mark.parametrize(
    ("wide", "narrow", "error"),
    [
        ([LOST], [SolverError("it failed")], SolverError),
        ([LATE, SAT], [ZeroDivisionError("a mistake")], ZeroDivisionError),
        ([LATE, ZeroDivisionError("a mistake")], [LATE], ZeroDivisionError),
    ],
    ids=str,
)
def test_who_asks_is_told_of_exceptions(wide: Any, narrow: Any, error: Any) -> None:
    # Not the thread that raised it, of which nobody would hear.
    context = NarrowingContext(0)
    context._wide, context._beside = Scripted(*wide), [Scripted(), Scripted(*narrow)]
    frame = Frame()
    frame.entries = [(and_(0 <= Int("x"), Int("x") <= 3, Int("x") * Int("x") > 2), None)]
    with pytest.raises(error):
        context.check([frame], [], 1000.0, lambda: False)


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
