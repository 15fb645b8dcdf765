"""All routes agree on generated programs, and disagreements are noticed and shown."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from solvent.reference import differential, enumeration, interpreter, tables, theorems, translation
from solvent.reference.concrete import Stuck
from solvent.reference.differential import (
    DIFFERENT,
    ROUTES,
    STUCK,
    UNKNOWN,
    VALIDATED,
    Limits,
    Measure,
    Report,
    Row,
    check,
    run,
    smallest,
    time_limit,
)
from solvent.reference.enumeration import Test
from solvent.reference.faults import IfsymSwapsGuards
from solvent.reference.naive import NaiveFactory
from solvent.reference.oracle import Account, plain_account
from solvent.reference.syntax import parse, show
from solvent.verdicts import OutOfTime
from solvent.vm.machine import Machine

# Enough programs for every bucket; `solvent reference diff` compares 10,000.
COUNT = 400
SHARES = 4


def core(text: str) -> Test:
    """The test of a program."""
    return Test.of(parse(text))


@pytest.mark.parametrize("share", range(SHARES))
def test_all_routes_agree(share: int) -> None:
    chosen = list(enumeration.tests(COUNT, seed=2024))[share::SHARES]
    report = run(chosen, limits=Limits(models=3))
    assert [(row.detail, show(row.test.program)) for row in report.differences] == []
    assert report.having(UNKNOWN) == ()
    assert report.validated >= 0.99 * len(chosen)
    assert max(row.test.size for row in report.rows) > 100
    for name in ROUTES:
        measures = [row.measures[name] for row in report.rows if name in row.measures]
        assert sum(not found.trivial for found in measures) > len(chosen) / 4


@pytest.mark.parametrize(
    "text",
    [
        "(let (f (if p (λ a . (+ a y)) (λ a . x))) (f y))",
        "(let (n null) (let (n (cons x n)) (let (n (if q n p)) (if p (car n) (abort)))))",
        "(if p (let (b (+ x y)) (λ a . b)) x)",
        "(let (f (if q (λ x . (+ x y)) (λ y . (if q x p)))) (f x))",
        "(let (g (if p (let (b (+ x y)) (λ a . b)) x)) (g g))",
        "(let (x (if p x null)) (let (x (+ x x)) (abort)))",
        # On a path that does not exist, the machine finds a variable that has no value.
        "(let (x (if q (λ x . (let (p (if p #f #f)) (λ x . p))) (λ x . #f))) (if q #f (let (x (x"
        " x)) (λ x . #f))))",
        # Example 1 of the paper.
        "(let (z 0) (let (abs (λ x . (let (b0 (< x z)) (if b0 (- x) x)))) (let (b1 (= y z)) (let"
        " (_ (if b1 (abort) #t)) (let (y0 (abs y)) (let (b2 (< z y0)) (let (_ (if b2 #t (error)))"
        " _)))))))",
    ],
)
def test_programs_of_note(text: str) -> None:
    row = check(core(text))
    assert (row.verdict, row.detail) == (VALIDATED, "")
    assert set(row.measures) == set(ROUTES)


def test_figure_7a_is_dropped() -> None:
    """The naive factory does not know that 0 * x is 0, so it is stuck; the others are not."""
    text = "(let (z 0) (let (m (* z x)) (let (b (= m z)) (if b #t (let (w (λ w . (w w))) (w w))))))"
    row = check(core(text))
    assert row.verdict == STUCK
    assert row.detail == "naive: no fuel is left"
    assert set(row.measures) >= {"optimised", "machine"}


def test_figure_7b_is_validated() -> None:
    text = "(let (z 0) (let (m (* z x)) (let (b (= m z)) (if b (error) #t))))"
    row = check(core(text))
    assert row.verdict == VALIDATED
    assert (row.measures["naive"].trivial, row.measures["optimised"].trivial) == (False, True)


def test_all_are_stuck() -> None:
    row = check(core("(let (w (λ w . (w w))) (w w))"))
    assert row.verdict == STUCK
    assert row.detail.count("no fuel is left") == len(ROUTES)


# --- disagreements -----------------------------------------------------------------------------


@pytest.fixture
def wrong_naive(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    broken = differential.by_rules(NaiveFactory, IfsymSwapsGuards)
    monkeypatch.setattr(differential, "ROUTES", {**ROUTES, "naive": broken})
    monkeypatch.setattr(differential.check, "__defaults__", (Limits(), differential.ROUTES))
    return


@pytest.mark.usefixtures("wrong_naive")
def test_a_difference_is_shown_by_a_small_program() -> None:
    report = run(enumeration.tests(60, seed=5))
    assert report.differences
    row = smallest(report.differences[-1])
    assert row.verdict == DIFFERENT
    assert row.test.size <= 3
    assert row.detail.startswith("naive and optimised: different")
    assert show(row.test.program).startswith("(if p ")


def failing(test: Test, fuel: int) -> Account:
    raise Stuck("no fuel is left")


@pytest.mark.parametrize("name", ROUTES)
def test_a_route_that_fails_is_a_difference(name: str) -> None:
    def broken(test: Test, fuel: int) -> Account:
        raise ZeroDivisionError("in the machine")

    row = check(core("(if p x y)"), routes={**ROUTES, name: broken})
    assert row.verdict == DIFFERENT
    assert row.detail == f"{name} fails: ZeroDivisionError: in the machine"


@pytest.mark.parametrize("name", ["optimised", "machine"])
def test_only_a_route_that_proves_less_may_be_stuck(name: str) -> None:
    row = check(core("(if p x y)"), routes={**ROUTES, name: failing})
    assert row.verdict == DIFFERENT
    assert row.detail == f"{name} is stuck, but not naive: no fuel is left"


@pytest.mark.parametrize("name", ["naive", "interpreter"])
def test_a_route_that_proves_less_is_stuck(name: str) -> None:
    row = check(core("(if p x y)"), routes={**ROUTES, name: failing})
    assert (row.verdict, row.detail) == (STUCK, f"{name}: no fuel is left")


def test_what_the_others_say_still_counts() -> None:
    routes = {**ROUTES, "naive": failing, "interpreter": lambda test, fuel: plain_account(1)}
    assert check(core("(if p x y)"), routes=routes).verdict == DIFFERENT


def test_a_violated_theorem_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(theorems.CHECKS, "soundness", lambda run: "made up")
    row = check(core("(if p x y)"))
    assert (row.verdict, row.detail) == (DIFFERENT, "theorem soundness (naive): made up")
    assert check(core("(if p x y)"), Limits(models=0)).verdict == VALIDATED


def test_the_solver_does_not_know() -> None:
    def hard(test: Test, fuel: int) -> Account:
        found = ROUTES["machine"](core("(let (a (* x x)) (let (b (* a x)) b))"), fuel)
        cube = found.value
        return plain_account(cube == 2 * cube - 114 * 17 + ROUTES["machine"](
            core("(let (a (* y y)) (let (b (* a y)) b))"), fuel).value)  # fmt: skip

    routes = {"naive": hard, "optimised": lambda test, fuel: plain_account(False)}
    row = check(core("(+ x y)"), Limits(seconds_per_question=0.05, models=0), routes)
    assert row.verdict == UNKNOWN
    assert row.detail.startswith("naive and optimised: unknown: ")


# --- limits ------------------------------------------------------------------------------------


def spin(seconds: float) -> None:
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline:
        pass


def test_time_limit() -> None:
    with pytest.raises(OutOfTime), time_limit(0.1):
        spin(60)
    with time_limit(0.05):
        pass
    # Nothing arrives late.
    spin(0.2)


TRACED = """
import sys, time
from solvent.reference.differential import time_limit

def spin(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass

for limit, needed in (60, 0), (0.05, 60), (0.05, 0.05):
    try:
        with time_limit(limit):
            spin(needed)
    except Exception as error:
        print(type(error).__name__)
sys.settrace(lambda *event: None)
spin(0)
"""


def test_a_time_limit_leaves_nothing_behind_that_tracing_waits_for() -> None:
    # In a process of its own, as one that waits so handles no signals.
    ran = subprocess.run(
        [sys.executable, "-c", TRACED], capture_output=True, text=True, timeout=120, check=True
    )
    assert ran.stdout.splitlines()[0] == "OutOfTime"


def test_a_time_limit_that_ends_late_is_not_told_afterwards() -> None:
    for _ in range(200):
        with suppress(OutOfTime), time_limit(0.0005):
            time.sleep(0.0005)
        # Nothing arrives here.
        sum(range(100))


def test_a_slow_route_is_given_up() -> None:
    def slow(test: Test, fuel: int) -> Account:
        spin(60)
        return plain_account(0)

    row = check(core("(if p x y)"), Limits(seconds=0.2), {**ROUTES, "machine": slow})
    assert (row.verdict, row.detail) == (STUCK, "the time limit is reached")


def test_fuel() -> None:
    text = "(let (f (λ a . a)) (let (f (λ b . (f b))) (let (f (λ c . (f c))) (f x))))"
    assert check(core(text), Limits(fuel=3)).verdict == VALIDATED
    row = check(core(text), Limits(fuel=2))
    assert row.verdict == STUCK
    assert row.detail.count("no fuel is left") == len(ROUTES)


def test_the_recursion_limit_is_put_back() -> None:
    before = sys.getrecursionlimit()
    check(core("(let (w (λ w . (w w))) (w w))"))
    assert sys.getrecursionlimit() == before


# --- executors ---------------------------------------------------------------------------------


def without_times(report: Report) -> list[Row]:
    return [
        replace(row, measures={
            name: replace(found, seconds=0) for name, found in row.measures.items()
        })
        for row in report.rows
    ]  # fmt: skip


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor(kind: type[ThreadPoolExecutor] | type[ProcessPoolExecutor]) -> None:
    chosen = list(enumeration.tests(30, seed=9))
    seen: list[Row] = []
    with kind(2) as executor:
        report = run(chosen, executor, Limits(models=2), seen.append)
    assert [row.test for row in report.rows] == chosen
    assert sorted(map(id, seen)) == sorted(map(id, report.rows))
    assert report.validated == 30
    assert report.asked > 0
    assert without_times(report) == without_times(run(chosen, limits=Limits(models=2)))


# --- the interpreter ---------------------------------------------------------------------------


def writes(route: Callable[[Test], object], test: Test) -> int:
    """How often a route tells the journal of a write."""
    found = []
    with pytest.MonkeyPatch.context() as patch:
        for name in ("write_slot", "wrote_slot", "write_whole"):
            original = getattr(Machine, name)

            def noted(self: Machine, *details: Any, note: Any = original) -> None:
                found.append(details)
                note(self, *details)

            patch.setattr(Machine, name, noted)
        route(test)
    return len(found)


def test_the_interpreter_writes_to_the_heap() -> None:
    """It is there to use the journal, which the translation hardly does."""
    test = core("(let (z (if p (let (x y) x) x)) (if z x y))")
    assert writes(interpreter.run, test) > writes(translation.run, test) + 5


# --- tables ------------------------------------------------------------------------------------


def row_of(size: int, verdict: str = VALIDATED, nodes: int = 3, trivial: bool = False) -> Row:
    text = "x"
    for _ in range(size - 1):
        text = f"(λ a . {text})"
    measures = {name: Measure(0.5, nodes, trivial) for name in ROUTES}
    return Row(core(text), verdict, "some <detail>" if verdict != VALIDATED else "", measures, 2)


REPORT = Report.of(
    (
        row_of(1, trivial=True),
        row_of(12, nodes=8),
        row_of(13, nodes=4),
        row_of(24, nodes=8),
        row_of(25, DIFFERENT),
        row_of(60, STUCK),
        row_of(158, UNKNOWN),
        row_of(159),
    ),
    12.5,
)


def test_buckets() -> None:
    found = tables.buckets(REPORT)
    ranges = [(bucket.first, bucket.last, len(bucket.rows)) for bucket in found]
    assert ranges == [
        (1, 12, 2),
        (13, 24, 2),
        (25, 38, 1),
        (51, 65, 1),
        (120, 158, 1),
        (159, 159, 1),
    ]
    first, second, *_ = found
    assert first.average == 6.5
    assert (first.routes["naive"].symbolic, first.routes["naive"].average_size) == (1, 8)
    assert (second.routes["machine"].max_size, second.routes["machine"].average_size) == (8, 6)
    assert [bucket.mark for bucket in found] == ["✓", "✓", "✗", "✓", "?", "✓"]


def test_as_text() -> None:
    lines = tables.as_text(REPORT).splitlines()
    assert "naive state" in lines[0]
    assert lines[1].split()[:3] == ["range", "count", "avg"]
    cells = lines[4].split()
    assert cells[:6] == ["13", "-", "24", "2", "18", "2"]
    assert cells[-3:] == ["4", "0", "✓"]
    assert lines[-1] == (
        "8 programs: 5 validated, 1 different, 1 unknown, 1 stuck; 12.5 s, 16 questions to the "
        "solver"
    )
    for heading in ("naive state", "interpreter time"):
        assert lines[0].count(heading) == 1
    assert len({len(line) for line in lines[1:9]}) <= 2


def test_as_json() -> None:
    data = json.loads(json.dumps(tables.as_json(REPORT)))
    assert (data["programs"], data["validated"], data["different"]) == (8, 5, 1)
    assert data["buckets"][1]["routes"]["naive"] == {
        "symbolic": 2,
        "max size": 8,
        "average size": 6.0,
        "max seconds": 0.5,
        "average seconds": 0.5,
    }
    assert [row["outcome"] for row in data["others"]] == [DIFFERENT, STUCK, UNKNOWN]


def test_as_html() -> None:
    page = tables.as_html(REPORT)
    assert page.count("<tr") == page.count("</tr>") == 2 + 6 + 1
    assert "some &lt;detail&gt;" in page
    assert "<h2>different: 1</h2>" in page
    assert 'class="no"' in page


def test_an_empty_report() -> None:
    empty = Report.of((), 0.0)
    assert tables.as_text(empty).endswith(
        "0 programs: 0 validated; 0.0 s, 0 questions to the solver"
    )
    assert tables.buckets(empty) == []
