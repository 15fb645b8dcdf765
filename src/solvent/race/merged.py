"""The lane that can prove: merged execution at growing sizes.

Each level runs all paths of inputs up to a length, with loops up to a bound, and asks about each
place that may fail, the smallest question first.  A level without failures is a fact.  The check is
over when the asked length is reached and no path was cut; until then levels grow.  What a solver
does not decide in a few seconds is asked again with more patience after everything else.
"""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass, replace

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
from solvent.queries.spaces.base import DEFAULT_LENGTH
from solvent.queries.verifying import NOTHING_CHECKED
from solvent.race.effects import Watch, place_in
from solvent.race.lanes import Report, sendable
from solvent.race.levels import LAST_BOUND, Subject, levels
from solvent.race.messages import (
    Asking,
    Began,
    Cleared,
    Ended,
    Finished,
    Found,
    Proved,
    Undecided,
)
from solvent.race.opinions import Opinions
from solvent.solvers.questions import Question
from solvent.solvers.status import Checked, Status
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
# How long texts become where the program asks for longer ones.
LONGEST = 12


@dataclass(frozen=True, slots=True)
class Grown:
    """How many terms there are by now, and which line of the program runs, if one does."""

    terms: int
    position: str


@dataclass(frozen=True, slots=True)
class Cost:
    """What was asked so far cost, and the run of the last level."""

    stats: QueryStats


@dataclass(frozen=True, slots=True)
class Pending:
    """A question that has had no answer for some seconds."""

    question: Question
    seconds: float


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
    teller = _Teller(report)
    Watch(report, symbolic=True)
    try:
        with (
            telling_limits(subject.function),
            Opinions(subject.options.solver, subject.options.timeout) as solvers,
        ):
            report(_Merged(subject, report, solvers, teller, everything).run())
    except (NotLiftedError, UnsupportedError, SymbolicBoolError) as error:
        report(Ended(reason=str(error), refused=True))
    except SolventError as error:
        report(Ended(reason=str(error)))


class _Teller:
    """Tells from a thread how the formula grows, and what a solver has been asked for long.

    A run does not pause to do so, and neither does a solver.
    """

    def __init__(self, report: Report) -> None:
        self.report = report
        # What is asked, and since when.
        self.asking: tuple[Guard, float] | None = None
        # The thread that runs the program.
        self._running = threading.get_ident()
        threading.Thread(target=self._tell, daemon=True).start()

    def _tell(self) -> None:
        told = None
        while True:
            time.sleep(TELL_SECONDS)
            frame = sys._current_frames().get(self._running)
            self.report(Grown(created_terms(), place_in(frame)))
            asking = self.asking
            if asking is not None and asking is not told:
                told = asking
                self._tell_question(*asking)

    def _tell_question(self, formula: Guard, since: float) -> None:
        seconds = time.perf_counter() - since
        checked = Checked(Status.UNKNOWN, "it had no answer when the time was over", seconds)
        question = Question.of([formula], checked)
        self.report(Pending(question, time.perf_counter() - since))


class _Merged:
    def __init__(
        self,
        subject: Subject,
        report: Report,
        solvers: Opinions,
        teller: _Teller,
        everything: bool,
    ) -> None:
        self.subject = subject
        self.report = report
        self.solvers = solvers
        self.teller = teller
        self.meter = Meter()
        # Whether the first level with failures is not the last.
        self.everything = everything
        self.found: set[tuple[str, str]] = set()
        # Whether it is a fact what does not fail at this level: nothing was refused or by chance.
        self.is_fact = True
        # Lengths that texts had to have for what the program looks for, at the last level.
        self.asked: frozenset[int] = frozenset()

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
                break
        return self.longer(ended)

    def longer(self, ended: Ended) -> Ended:
        """After a proof, go on with longer texts where the program looks for such."""
        options = self.subject.options
        bound = LAST_BOUND if options.bound is None else options.bound
        while ended.complete and (more := self.next_length()):
            self.report(Proved(self.subject.longest, more))
            self.subject = replace(self.subject, longest=more)
            level = Level(more, bound)
            self.report(Began(level))
            ended = self.decide(level)
        there = max(options.max_len, self.subject.longest)
        untried = min((n for n in self.asked if n > there), default=0)
        return replace(ended, untried=untried)

    def next_length(self) -> int:
        """The next length that the program asks for, 0 if texts are long enough."""
        subject = self.subject
        if subject.options.max_len != DEFAULT_LENGTH or self.found or subject.places is not None:
            # It was asked for up to a length, or about some places only.
            return 0
        there = max(subject.options.max_len, subject.longest)
        more = min((n for n in self.asked if there < n <= LONGEST), default=0)
        longer = replace(subject, longest=more)
        return more if more and longer.inputs().derived != subject.inputs().derived else 0

    def decide(self, level: Level) -> Ended:
        """All questions of one level: whether it ends the check, if its length is the asked one."""
        meter = self.meter
        problem = self.posed(level)
        self.report(Cost(meter.stats(problem)))
        self.asked = problem.run.asked
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
        self.report(Undecided())
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
        asked = self.subject.places
        kinds: dict[tuple[str, str], list[Failure]] = {}
        for failure in problem.failures:
            kind = failure.position, type(failure.exception).__name__
            if kind not in self.found and (asked is None or asked.has(*kind)):
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
            before = meter.checks
            self.teller.asking = place.formula, time.perf_counter()
            check = self.solvers.ask(place.formula, meter, patience)
            self.teller.asking = None
            if meter.checks > before:
                self.report(Cost(meter.stats(problem)))
            if check.status is Status.UNKNOWN:
                undecided.append(place)
            elif check.model is None and self.is_fact:
                self.report(Cleared(level, place.position, place.exception, self.solvers.last))
            elif check.model is not None:
                self.tell(level, problem, place, check.model)
            self.report(_undecided(undecided, places[number + 1 :], patience))
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
            self.subject.longest,
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


def _undecided(open_still: list[Place], left: list[Place], patience: float) -> Undecided:
    """What is open in the middle of a round; in later rounds all that is left was hard before."""
    hard = open_still if patience == FIRST_PATIENCE else [*open_still, *left]
    unasked = len(open_still) + len(left) - len(hard)
    return Undecided(tuple(place.kind for place in hard), unasked)


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
