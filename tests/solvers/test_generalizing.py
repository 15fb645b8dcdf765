"""Large functions of one int taken for unknown numbers: never more proofs than there are."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solvent import Solver
from solvent.lift.spelling.changes import change, changed
from solvent.solvers import narrowing
from solvent.solvers.generalizing import generalized
from solvent.terms import Int, and_, evaluate, ite, not_, or_
from solvent.terms.graph import reachable
from solvent.vm.machine import Machine

CODES = [Int(name) for name in "abc"]
IN_RANGE = and_([and_(0 <= code, code <= 0x10FFFF) for code in CODES])


def small(code: Any) -> Any:
    """The small letter of a character that has one."""
    found: list[Any] = []
    Machine().run(lambda: found.append(changed(code, change(str.lower))))
    (value,) = found
    # The one that becomes two is left out.
    return next(m.codes[0] for _, m in value._solvent_choices if len(m) == 1)


LOW = [small(code) for code in CODES]


def sorted_by_it() -> Any:
    """Whether three characters are out of order after being sorted by their small letters."""
    places: list[tuple[Any, Any]] = list(zip(CODES, LOW, strict=True))
    for first, second in ((0, 1), (1, 2), (0, 1)):
        (a, x), (b, y) = places[first], places[second]
        swap = y < x
        places[first] = (ite(swap, b, a), ite(swap, y, x))
        places[second] = (ite(swap, a, b), ite(swap, x, y))
    keys = [key for _, key in places]
    return not_(and_(keys[0] <= keys[1], keys[1] <= keys[2]))


@pytest.fixture(autouse=True)
def no_short_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small queries go where large ones go; those that do not are in `test_here.py`."""
    monkeypatch.setattr(narrowing, "_FEW_TERMS", 0)


def test_the_functions_go() -> None:
    formula = and_(IN_RANGE, sorted_by_it())
    found = generalized(formula)
    assert found is not None
    assert len(reachable([formula])) > 1_000
    assert len(reachable([found])) < 150


def test_it_holds_wherever_the_formula_does() -> None:
    rng = random.Random(2)
    # As if the function's value were put in for the number.
    for _ in range(20):
        a, b = rng.sample(range(3), 2)
        formula = and_(IN_RANGE, or_(LOW[a] < LOW[b], LOW[a] == CODES[b] + rng.randint(-1, 1)))
        found = generalized(formula)
        assert found is not None
        with Solver() as solver:
            values = {code: rng.randint(60, 130) for code in CODES}
            solver.add(found)
            solver.add(and_([code == value for code, value in values.items()]))
            if evaluate(formula, values):
                assert solver.check() == "sat"


def test_what_depends_on_the_function_is_not_decided_by_a_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for first in ("_FIRST_SECONDS", "_FIRST_GLANCE"):
        monkeypatch.setattr(narrowing, first, 0.0)
    asked: list[bool] = []
    original = narrowing.NarrowingContext._asked_otherwise

    def noted(self: Any, query: Any, *others: Any) -> Any:
        asked.append(query.is_general)
        return original(self, query, *others)

    monkeypatch.setattr(narrowing.NarrowingContext, "_asked_otherwise", noted)
    with Solver() as solver:
        # A large letter becomes a small one: true of the function, not of any number.
        solver.add(and_(IN_RANGE, 65 <= CODES[0], CODES[0] <= 90, LOW[0] != CODES[0] + 32))
        assert solver.check() == "unsat"
    with Solver() as solver:
        solver.add(and_(IN_RANGE, LOW[0] == 97, CODES[0] != 97))
        assert solver.check() == "sat"
        assert solver.model()[CODES[0]] == 65
    assert asked == [True, False] * 2
    asked.clear()
    with Solver() as solver:
        solver.add(and_(IN_RANGE, sorted_by_it()))
        assert solver.check() == "unsat"
    assert asked == [True]


def test_values_that_are_asked_for_are_known() -> None:
    code, low = CODES[0], LOW[0]
    formula = and_(IN_RANGE, code == 75, low != 107, LOW[1] > 3)
    found = generalized(formula)
    assert found is not None
    assert Solver().check(found) == "unsat"
    kept = generalized(and_(IN_RANGE, code == 75, low == 107))
    assert kept is not None
    assert Solver().check(kept) == "sat"
