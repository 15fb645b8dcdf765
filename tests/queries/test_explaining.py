"""Why an answer is unknown or slow."""

from __future__ import annotations

from solvent import verify
from solvent.queries.explaining import explained
from solvent.queries.results import QueryStats
from solvent.solvers import Solver, portfolio
from solvent.terms import BitVec, Int
from solvent.vm.report import Stats


def cubes(a: int, b: int, c: int) -> None:
    assert a * a * a + b * b * b + c * c * c != 114 or a % 9 == 4


def test_an_unknown_answer_names_the_question_its_theories_and_the_solver() -> None:
    result = verify(cubes, timeout=0.5)
    told = result.explain()
    question = told.question
    assert question is not None
    assert question.checked.seconds >= 0.3
    assert question.constants == 3
    assert "products of unknowns" in question.theories
    assert question.attempts
    assert question.attempts[0].solver == "z3"
    text = str(told)
    assert "timeout" in text
    assert "products of unknowns are hard" in text
    assert f"{question.terms:,} terms with 3 unknowns" in text
    assert "<b>" in told._repr_html_()
    assert told.as_dict()["question"] is not None


def easy(a: int) -> None:
    assert a + a == 2 * a


def test_an_easy_answer_has_no_hard_question() -> None:
    told = verify(easy).explain()
    assert told.question is None
    assert "no question was hard" in str(told)


def test_every_member_of_a_race_is_told() -> None:
    x, y = BitVec("x", 16), BitVec("y", 16)
    with portfolio(["bitwuzla", "z3"]) as solver:
        solver.add(x * y == 12345, x > 1, y > 1)
        assert solver.check() == "sat"
        attempts = solver.question().attempts
    assert {attempt.solver for attempt in attempts} == {"bitwuzla", "z3"}
    assert any(attempt.status == "sat" for attempt in attempts)


def test_the_hardest_question_is_the_longest() -> None:
    x = Int("x")
    with Solver() as solver:
        solver.add(x * x * x == 27)
        solver.check()
        question = solver.question()
    stats = QueryStats(Stats(seconds=5.0), "z3", 1, 0.2, 5.3, question)
    text = str(explained("f: verified", "", stats))
    assert "most of the time went into evaluation" in text
