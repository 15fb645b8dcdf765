"""What a check with a budget tells of its hardest question, whichever process asked it."""

from __future__ import annotations

from dataclasses import replace

from solvent import assume, verify
from solvent.queries.asking import Meter
from solvent.queries.results import QueryStats
from solvent.race.merged import Cost, Pending
from solvent.race.opinions import Opinions
from solvent.race.racing import _Merging
from solvent.solvers.questions import Question
from solvent.solvers.status import Checked, Status
from solvent.terms import Int
from solvent.vm.report import Stats
from tests.patience import patient


def cubes(a: int, b: int, c: int) -> None:
    assume(a > 10 and b > a and c > b)
    assert a * a * a + b * b * b != c * c * c


def test_what_is_unknown_has_a_hardest_question() -> None:
    result = verify(cubes, budget=patient(1.2))
    assert result.status is Status.UNKNOWN
    told = result.explain()
    assert "the hardest question is whether" in result.reason
    assert told.question is not None
    assert "products of unknowns" in told.question.theories
    assert told.question.checked.status is Status.UNKNOWN
    assert result.stats.checks > 0
    assert "no question was hard" not in str(told)
    assert ": 0 terms" not in str(told)


def test_all_attempts_of_a_question_belong_together() -> None:
    a, b, c = (Int(name) for name in "abc")
    formula = a * a * a + b * b * b + c * c * c == 114
    meter = Meter()
    with Opinions(None, None) as solvers:
        assert solvers.ask(formula, meter, patient(1.6)).status is Status.UNKNOWN
    assert meter.hardest is not None
    # One solver, and those that joined it.
    assert {attempt.solver for attempt in meter.hardest.attempts} == {"z3", "cvc5"}


def test_what_has_no_answer_yet_counts_for_as_long_as_it_is_asked() -> None:
    fast, slow = Checked(Status.UNSAT, "", 0.5, "z3"), Checked(Status.UNKNOWN, "", 5.0, "z3")
    question = Question.of([Int("x") * Int("y") == 6], slow)
    before = QueryStats(Stats(terms=7), "z3", 2, 0.5, 1.0, replace(question, checked=fast))
    merging = _Merging()
    merging.cost(Cost(before))
    merging.cost(Pending(question, 5.0))
    known = merging.costs()
    assert (known.run.terms, known.checks) == (7, 3)
    assert known.hardest is not None
    assert known.hardest.checked.seconds >= 5
    assert known.solver_seconds >= 5.5
    # It was answered.
    merging.cost(Cost(before))
    assert merging.costs() == before
