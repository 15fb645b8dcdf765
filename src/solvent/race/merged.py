"""The lane that can prove: merged execution at growing sizes.

Each level runs all paths of inputs up to a length, with loops up to a bound, and asks about each
place that may fail, the smallest question first.  A level without failures is a fact.  The check is
over when the asked length is reached and no path was cut; until then levels grow.  What a solver
does not decide in a few seconds is asked again with more patience after everything else.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from solvent.errors import (
    NotLiftedError,
    SolventError,
    SymbolicBoolError,
    UnsupportedError,
    UnwindingError,
)
from solvent.lift.under_model import evaluate
from solvent.queries.asking import Check, Meter, other_runs
from solvent.queries.coverage import Level
from solvent.queries.guarding import telling_limits
from solvent.queries.problem import Problem, pose_on, reason_of
from solvent.queries.replay import message_of
from solvent.queries.results import QueryStats
from solvent.queries.verifying import NOTHING_CHECKED
from solvent.race.effects import Watch
from solvent.race.lanes import Report, sendable
from solvent.race.levels import Subject, levels
from solvent.race.messages import Asking, Began, Cleared, Ended, Finished, Found
from solvent.race.opinions import Opinions
from solvent.solvers.status import Status
from solvent.terms.graph import reachable
from solvent.terms.memory import created_terms
from solvent.terms.model import Model
from solvent.terms.term import Term
from solvent.vm.state import Failure
from solvent.vm.values import Guard

# Seconds for the first try of a question, and how much more patience each further round has.
FIRST_PATIENCE = 2.0
MORE_PATIENCE = 4.0
# How often it is told how large the formula has become.
TELL_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Grown:
    """How many terms there are by now."""

    terms: int


@dataclass(frozen=True, slots=True)
class Cost:
    """What the last level cost."""

    stats: QueryStats


@dataclass(slots=True)
class Place:
    """A place that may fail, in one way, and the condition under which it does."""

    position: str
    exception: str
    failures: list[Failure]
    formula: Guard
    size: int

    @property
    def kind(self) -> tuple[str, str]:
        """What makes it another failure than others."""
        return self.position, self.exception


def run_merged(subject: Subject, report: Report, everything: bool = False) -> None:
    """Run a function level by level; what is found is reported, and how it ends."""
    _tell_size(report)
    Watch(report, symbolic=True)
    try:
        with (
            telling_limits(subject.function),
            Opinions(subject.options.solver, subject.options.timeout) as solvers,
        ):
            report(_Merged(subject, report, solvers, everything).run())
    except (NotLiftedError, UnsupportedError, SymbolicBoolError) as error:
        report(Ended(reason=str(error), refused=True))
    except SolventError as error:
        report(Ended(reason=str(error)))


def _tell_size(report: Report) -> None:
    """Tell from a thread how the formula grows, since a run does not pause to do so."""

    def tell() -> None:
        while True:
            time.sleep(TELL_SECONDS)
            report(Grown(created_terms()))

    threading.Thread(target=tell, daemon=True).start()


class _Merged:
    def __init__(
        self, subject: Subject, report: Report, solvers: Opinions, everything: bool
    ) -> None:
        self.subject = subject
        self.report = report
        self.solvers = solvers
        # Whether the first level with failures is not the last.
        self.everything = everything
        self.found: set[tuple[str, str]] = set()
        # Whether it is a fact what does not fail at this level: nothing was refused or by chance.
        self.is_fact = True

    def run(self) -> Ended:
        """Go through the levels."""
        sizes = self.subject.sizes()
        ended = Ended(reason="there are no inputs")
        for level in levels(sizes, self.subject.options.bound):
            self.report(Began(level))
            ended = self.decide(level)
            if self.found and not self.everything:
                return Ended()
            if level.length == sizes.longest and (ended.complete or ended.reason):
                return ended
        return ended

    def decide(self, level: Level) -> Ended:
        """All questions of one level: whether it ends the check, if its length is the asked one."""
        meter = Meter()
        problem = self.posed(level)
        if not problem.limits:
            # No loop came to the bound, so that it is none.
            level = Level(level.length)
        self.is_fact = not problem.run.varying and self.follows_all(problem, meter)
        undecided = self.places(problem)
        patience = FIRST_PATIENCE
        while undecided:
            undecided = self.ask(level, problem, undecided, meter, patience)
            if undecided and self.subject.options.timeout is not None:
                self.report(Cost(meter.stats(problem)))
                reason = (
                    f"{undecided[0].position}: {self.solvers.first.solver.reason or 'not decided'}"
                )
                return Ended(reason=reason)
            patience *= MORE_PATIENCE
        self.report(Cost(meter.stats(problem)))
        return self.concluded(level, problem, meter)

    def follows_all(self, problem: Problem, meter: Meter) -> bool:
        """Whether every path was followed to its end or to the bound: none came to a refusal."""
        refused = [one for one in problem.limits if not isinstance(one.exception, UnwindingError)]
        if not refused:
            return True
        check = self.solvers.ask(problem.failing_by(refused), meter, FIRST_PATIENCE)
        return check.status is Status.UNSAT

    def posed(self, level: Level) -> Problem:
        """The function after its run at a level."""
        options = self.subject.options
        # Only at the bound that was asked for may longer runs be left out.
        unwinding = options.unwinding if level.bound == options.bound else "assert"
        inputs = self.subject.inputs(level.length)
        return pose_on(
            self.subject.function,
            inputs,
            bound=level.bound,
            unwinding=unwinding,
            meant=self.subject.meant,
            any_order=True,
        )

    def places(self, problem: Problem) -> list[Place]:
        """What may fail and has not been found to, smallest questions first."""
        kinds: dict[tuple[str, str], list[Failure]] = {}
        for failure in problem.failures:
            kind = failure.position, type(failure.exception).__name__
            if kind not in self.found:
                kinds.setdefault(kind, []).append(failure)
        rows = []
        for (position, exception), failures in kinds.items():
            formula = problem.failing_by(failures)
            rows.append(Place(position, exception, failures, formula, _size(formula)))
        return sorted(rows, key=lambda place: place.size)

    def ask(
        self, level: Level, problem: Problem, places: list[Place], meter: Meter, patience: float
    ) -> list[Place]:
        """Ask about each of some places; those that stay open."""
        undecided: list[Place] = []
        total = len(places)
        for number, place in enumerate(places):
            self.report(Asking(level, place.position, place.exception, number, total))
            check = self.solvers.ask(place.formula, meter, patience)
            if check.status is Status.UNKNOWN:
                undecided.append(place)
            elif check.model is None and self.is_fact:
                self.report(Cleared(level, place.position, place.exception, self.solvers.last))
            elif check.model is not None:
                self.tell(level, problem, place, check.model)
        return undecided

    def tell(self, level: Level, problem: Problem, place: Place, model: Model) -> None:
        """Report inputs that fail."""
        self.found.add(place.kind)
        error = evaluate(place.failures[0].exception, model)
        for failure in place.failures:
            if evaluate(failure.condition, model) is True:
                error = evaluate(failure.exception, model)
        found = Found(
            model,
            place.exception,
            place.position,
            message_of(error),
            level.length,
            sendable(error),
            problem.run.walked,
        )
        self.report(found)

    def concluded(self, level: Level, problem: Problem, meter: Meter) -> Ended:
        """Nothing fails at a level: whether paths were cut, and whether larger levels can help."""
        if problem.run.varying:
            return Ended(reason=other_runs(problem.run.varying))
        check = self.cut(problem, meter)
        if check.status is Status.UNSAT:
            self.finish(Level(level.length))
            if (
                not self.found
                and self.solvers.ask(problem.run.assumes, meter, FIRST_PATIENCE).status
                is Status.UNSAT
            ):
                return Ended(reason=NOTHING_CHECKED)
            return Ended(complete=True)
        limit = _limit_of(problem, check)
        cut = reason_of(limit) if limit is not None else check.reason
        self.finish(level, cut)
        if limit is None or isinstance(limit.exception, UnwindingError):
            return Ended(reason=cut) if level.bound == self.subject.options.bound else Ended()
        return Ended(reason=cut, refused=True)

    def finish(self, level: Level, cut: str = "") -> None:
        """All questions of a level are answered: without a failure, that is a fact."""
        if not self.found and self.is_fact:
            self.report(Finished(level, cut))

    def cut(self, problem: Problem, meter: Meter) -> Check:
        """Whether there are inputs whose paths were not followed to their end."""
        patience = FIRST_PATIENCE
        while True:
            check = self.solvers.ask(problem.out_of_bounds, meter, patience)
            if check.status is not Status.UNKNOWN or patience > FIRST_PATIENCE:
                return check
            patience *= MORE_PATIENCE


def _limit_of(problem: Problem, check: Check) -> Failure | None:
    """What ended a path early: something refused rather than a bound, which larger levels move."""
    under = [
        limit
        for limit in problem.limits
        if check.model is None or evaluate(limit.condition, check.model) is True
    ]
    refused = [limit for limit in under if not isinstance(limit.exception, UnwindingError)]
    return next(iter(refused or under), None)


def _size(formula: Guard) -> int:
    return sum(1 for _ in reachable([formula])) if isinstance(formula, Term) else 0
