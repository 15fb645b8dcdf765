"""Directed runs: one path of a program at a time (section 5 of "From Program to Logic").

The ordinary machine runs both sides of a symbolic branch and merges them.  A directed machine takes
one side: the recorded one as long as it follows the decisions of an earlier run, and the side that
its model takes after that.  The other side of each new decision, if a solver finds an input for it,
is left to a later run.  This is the directed search of DART, with the model in the place of the
concrete execution.

What is decided are the branches, loops, assertions and exceptions of the program, and which member
of a union or which length of a list it goes on with.  Branches inside of Solvent's own versions of
builtins (`max`, `sorted`, ...) are merged as always; while they are, nothing is decided.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from types import CodeType, FrameType
from typing import NoReturn

from solvent.errors import AssumptionError, NotLiftedError, QueryError
from solvent.explore.concretizing import (
    NOTHING_FIXED,
    Choices,
    Fixed,
    is_as_under,
    terms_in,
    unchanged,
    wishes,
)
from solvent.explore.solving import PathSolver, truth_under
from solvent.lift.origins import is_library_file
from solvent.lift.under_model import evaluate
from solvent.queries.replay import shown
from solvent.solvers.status import Status
from solvent.terms.booleans import NOT, and_, not_
from solvent.terms.kinds import Guard
from solvent.terms.model import Model
from solvent.terms.term import Term
from solvent.verdicts import Deadline
from solvent.vm.limits import Limits
from solvent.vm.machine import Machine, Outcome
from solvent.vm.own import is_own, outside
from solvent.vm.report import Listener
from solvent.vm.state import PathEnd
from solvent.vm.values import Value

# A place in the rewritten code of the program: which decision is made.
Site = tuple[CodeType | None, int]

# How many decisions that have only one side, one after the other, before a path is given up.
MOST_FORCED = 5_000


class Cut(PathEnd):
    """The run has reached a bound."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One side of a branch.

    If it is `forced`, no input on the path takes the other side, and the condition says nothing
    that the path does not say already.  Where values were chosen for symbolic ones, it is whether
    they are those of a `model`.
    """

    site: Site
    position: str
    condition: Guard
    taken: bool
    forced: bool = False
    model: Model | None = None

    def __str__(self) -> str:
        return f"{self.position}: {self.condition}"


@dataclass(frozen=True, slots=True)
class Start:
    """Where a run leaves the paths known before: the decisions to follow, and a model that does."""

    decisions: tuple[Decision, ...]
    model: Model | None
    fixed: Fixed = NOTHING_FIXED

    @property
    def condition(self) -> Guard:
        """Which inputs follow them."""
        decided = [decision.condition for decision in self.decisions if not decision.forced]
        return and_([*self.fixed.given, *decided])

    @property
    def depth(self) -> int:
        """How many decisions with two sides there are."""
        return sum(not decision.forced for decision in self.decisions)


class Guide:
    """What decides for one run.

    The model satisfies all conditions of the trail, whenever there is one.
    """

    def __init__(
        self,
        solver: PathSolver,
        start: Start,
        leave: Callable[[Start, Decision], None],
        *,
        depth: int,
        deadline: Deadline | None = None,
        choices: Choices | None = None,
    ) -> None:
        self.solver = solver
        self.start = start
        self.leave = leave
        self.depth = depth
        self.deadline = deadline or Deadline()
        self.model = start.model
        # How values are chosen for what is symbolic and must not be, if that is allowed.
        self.choices = choices
        self.concretized = list(start.fixed.notes)
        self.trail: list[Guard] = list(start.fixed.given)
        self.decisions: list[Decision] = []
        self.known: dict[Guard, bool] = {}
        self.taken = self.forced = 0
        # Why the run was cut, why a side is left out, and which inputs were assumed away.
        self.cut = ""
        self.is_deep = False
        self.unknown: list[str] = []
        self.discarded: list[Guard] = []

    def decide(self, condition: Guard) -> Decision:
        """Take a side of a condition that was not decided on this path before."""
        site, position = where()
        recorded = self.recorded(site, position)
        if recorded is not None:
            taken, forced = recorded.taken, recorded.forced
        else:
            taken, forced = self.choose(condition, site, position)
        holds = condition if taken else not_(condition)
        if recorded is not None and truth_under(self.model, holds) is False:
            self.model = None
        return self.take(Decision(site, position, holds, taken, forced))

    def recorded(self, site: Site, position: str) -> Decision | None:
        """The decision that an earlier run made here, if this one still follows it."""
        place = len(self.decisions)
        if place >= len(self.start.decisions):
            return None
        recorded = self.start.decisions[place]
        if recorded.site != site:
            raise QueryError(
                f"{position}: the function does not do the same on every run, so its paths "
                "cannot be explored; remove what depends on time, chance or earlier calls"
            )
        return recorded

    def take(self, decision: Decision) -> Decision:
        """Go on where a decision holds."""
        self.decisions.append(decision)
        if decision.forced:
            self.forced += 1
        else:
            self.taken += 1
            self.trail.append(decision.condition)
        return decision

    def choose(self, condition: Guard, site: Site, position: str) -> tuple[bool, bool]:
        """The side that the model takes; is it the only one?  The other is left for later."""
        self.check_bounds()
        taken = truth_under(self.model, condition)
        if taken is None:
            found = self.solver.check(self.trail, condition)
            if found.status is Status.UNSAT:
                return False, True
            taken = found.status is Status.SAT
            self.model = found.model
            if not taken:
                self.unknown.append(f"{position}: {found.reason or 'the solver gave up'}")
                self.model = self.solver.check(self.trail, not_(condition)).model
                if self.model is None:
                    self.stop(f"{position}: the solver cannot decide this branch")
                return False, False
        other = not_(condition) if taken else condition
        found = self.solver.check(self.trail, other)
        if found.status is Status.UNSAT:
            return taken, True
        if self.taken >= self.depth:
            self.is_deep = True
            self.stop(f"{position}: more than {self.depth} decisions on one path")
        if found.status is Status.UNKNOWN:
            self.unknown.append(f"{position}: {found.reason or 'the solver gave up'}")
        else:
            decision = Decision(site, position, other, not taken)
            self.leave_for(decision, found.model)
        return taken, False

    def leave_for(self, decision: Decision, model: Model | None) -> None:
        """Let a later run come here and make another decision."""
        decisions = (*self.decisions, decision)
        self.leave(replace(self.start, decisions=decisions, model=model), decision)

    def fix(self, given: Value, path: Guard, choices: Choices) -> list[Decision]:
        """Decide what a value is: the last decision says it, those before say what it is not."""
        site, position = where()
        made: list[Decision] = []
        while not made or not made[-1].taken:
            recorded = self.recorded(site, position)
            if recorded is not None and recorded.model is not None:
                model, taken = recorded.model, recorded.taken
                equal = is_as_under(given, model)
            else:
                self.check_bounds()
                model, taken = self.model_on(and_([path, *[d.condition for d in made]])), True
                equal = is_as_under(given, model)
                other = Decision(site, position, not_(equal), False, model=model)
                self.try_others(other, terms_in(given, model), choices)
            holds = equal if taken else not_(equal)
            if truth_under(self.model, holds) is False:
                self.model = None
            made.append(self.take(Decision(site, position, holds, taken, model=model)))
        return made

    def model_on(self, path: Guard) -> Model:
        """A model of the path, of which inputs that failed in a builtin have left the trail."""
        if self.model is None or truth_under(self.model, path) is not True:
            found = self.solver.check(self.trail, path)
            if found.status is Status.UNSAT:
                raise PathEnd
            if found.model is None:
                self.stop(f"no input is known that comes here: {found.reason or 'unknown'}")
            self.model = found.model
        return self.model

    def try_others(self, decision: Decision, terms: list[Term], choices: Choices) -> None:
        """Leave other values than those chosen to a later run, if there are any and it may."""
        if self.taken >= self.depth or not choices.another(decision.site):
            return
        for wish in wishes(terms, choices.tried[decision.site] - 1):
            found = self.solver.check(self.trail, and_(decision.condition, wish))
            if found.status is Status.SAT:
                self.leave_for(decision, found.model)
                return

    def check_bounds(self) -> None:
        """Stop a run that takes too long."""
        if self.deadline.is_over:
            self.stop(self.deadline.message)
        if self.forced > MOST_FORCED:
            self.stop(f"more than {MOST_FORCED} decisions with one side only")

    def stop(self, reason: str) -> NoReturn:
        """End the run, which has come too far."""
        self.cut = reason
        raise Cut

    def assume(self, condition: Guard, path: Guard) -> None:
        """Only inputs for which a condition holds are of interest from now on."""
        self.discarded.append(and_(path, not_(condition)))
        holds = truth_under(self.model, condition)
        if holds is not True:
            found = self.solver.check(self.trail, condition)
            if found.status is Status.UNSAT:
                raise AssumptionError("no input satisfies the assumption made here")
            if found.status is Status.UNKNOWN:
                self.unknown.append(found.reason or "the solver gave up")
                self.stop("the solver cannot decide an assumption")
            self.model = found.model
        self.trail.append(condition)


class DirectedLimits(Limits):
    """Settles what the machine would fork on."""

    __slots__ = ("guide",)

    directed = True

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self.guide = guide
        # A bound that is never reached: with one, `decide` is asked about every test.
        self.bound = sys.maxsize

    def settle(self, machine: Machine, condition: Guard) -> Guard:
        if condition is True or condition is False or is_merging(machine):
            return condition
        plain, same = (condition.key[1], False) if condition.op is NOT else (condition, True)
        known = self.guide.known.get(plain)
        if known is None:
            decision = self.guide.decide(plain)
            known = self.guide.known[plain] = decision.taken
            if not decision.forced:
                machine.narrow(decision.condition)
        return known is same

    def decide(self, machine: Machine, condition: Guard, code: CodeType) -> Guard:
        if is_own(code.co_filename):
            decided: Guard = super().decide(machine, condition, code)
            return decided
        if self.bound is not None and self.bound < sys.maxsize and calls_of(code) > self.bound:
            self.stop(machine, True, "recursion")
        result = self.settle(machine, condition)
        return result if type(result) is bool else super().decide(machine, condition, code)

    def may_go_on(self, machine: Machine, count: int, condition: Guard) -> bool:
        if self.bound is not None and count > self.bound:
            self.stop(machine, condition, "loop")
            return False
        result = self.settle(machine, condition)
        return result if type(result) is bool else super().may_go_on(machine, count, condition)


class DirectedMachine(Machine):
    """A machine that follows one path."""

    __slots__ = ("guide",)

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self.guide = guide
        self.limits = DirectedLimits(guide)

    def run(
        self,
        action: Callable[[], Value],
        *,
        context: Guard = True,
        undo: bool = False,
        listener: Listener | None = None,
    ) -> Outcome:
        def follow() -> Value:
            for condition in self.guide.start.fixed.given:
                self.narrow(condition)
            return action()

        return super().run(follow, context=context, undo=undo, listener=listener)

    @property
    def chooses(self) -> bool:
        return self.guide.choices is not None and not is_merging(self)

    def concretely(self, name: str, given: Value, action: Callable[[Value], Value]) -> Value:
        guide = self.guide
        choices = guide.choices
        if choices is None or is_merging(self):
            return NotImplemented
        reached = and_(guide.trail)
        for decision in guide.fix(given, self.state.path.term, choices):
            self.narrow(decision.condition)
        model = guide.model_on(self.state.path.term)
        args, named = evaluate(given, model)
        before = evaluate(given, model)
        symbolic = [
            shown(new, 60)
            for old, new in zip(_flat(given), _flat((args, named)), strict=True)
            if old is not new
        ]
        what = f"{_position()}: {name}(...)"
        guide.concretized.append(choices.note(what, ", ".join(symbolic), reached))
        try:
            return action((args, named))
        finally:
            if not unchanged(_flat((args, named)), _flat(before)):
                raise NotLiftedError(
                    f"`{name}` is not lifted and changes a value that is symbolic; make a copy of "
                    "concrete values for it"
                )

    def fail_if(self, condition: Guard, error: BaseException) -> None:
        super().fail_if(self.limits.settle(self, condition), error)

    def end_unknown(self, condition: Guard, error: BaseException) -> None:
        super().end_unknown(self.limits.settle(self, condition), error)

    def assume(self, condition: Guard) -> None:
        if type(condition) is not bool and not is_merging(self):
            self.guide.assume(condition, self.state.path.term)
        elif condition is not True:
            self.guide.discarded.append(and_(self.state.path.term, not_(condition)))
        super().assume(condition)


def _position() -> str:
    """File and line of the program that runs, which may have called a library."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not is_own(file) and not is_library_file(file):
            return f"{file}:{frame.f_lineno}"
        frame = frame.f_back
    return where()[1]


def _flat(given: tuple[tuple[Value, ...], dict[str, Value]]) -> list[Value]:
    """Arguments by place and by name, one after the other."""
    return [*given[0], *given[1].values()]


def is_merging(machine: Machine) -> bool:
    """Whether other paths wait for the one that runs, inside of a builtin."""
    return bool(machine.forks) or any(scope.others() for scope in machine.scopes)


def where() -> tuple[Site, str]:
    """The place of the program that runs."""
    frame = outside(sys._getframe(1))
    if frame is None:
        return (None, 0), "?"
    code = frame.f_code
    site = (code, _instruction(code, frame.f_lasti))
    return site, f"{code.co_filename}:{frame.f_lineno}"


_CACHE = dis.opmap["CACHE"]


@lru_cache(maxsize=4096)
def _instruction(code: CodeType, offset: int) -> int:
    """The instruction that runs at an offset.

    Python 3.12 says the place behind it for a loop over a generator that has run often.
    """
    text = code.co_code
    while text[offset] == _CACHE:
        offset -= 2
    return offset


def calls_of(code: CodeType) -> int:
    """How many calls of a function are running."""
    count = 0
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        count += frame.f_code is code
        frame = frame.f_back
    return count
