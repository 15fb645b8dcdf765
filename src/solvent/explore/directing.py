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
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FrameType
from typing import NoReturn

from solvent.errors import AssumptionError, QueryError
from solvent.explore.solving import PathSolver, truth_under
from solvent.solvers.status import Status
from solvent.terms.booleans import NOT, and_, not_
from solvent.terms.kinds import Guard
from solvent.terms.model import Model
from solvent.verdicts import Deadline
from solvent.vm.limits import Limits
from solvent.vm.machine import Machine
from solvent.vm.own import is_own
from solvent.vm.state import PathEnd

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
    that the path does not say already.
    """

    site: Site
    position: str
    condition: Guard
    taken: bool
    forced: bool = False

    def __str__(self) -> str:
        return f"{self.position}: {self.condition}"


@dataclass(frozen=True, slots=True)
class Start:
    """Where a run leaves the paths known before: the decisions to follow, and a model that does."""

    decisions: tuple[Decision, ...]
    model: Model | None

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
    ) -> None:
        self.solver = solver
        self.start = start
        self.leave = leave
        self.depth = depth
        self.deadline = deadline or Deadline()
        self.model = start.model
        self.trail: list[Guard] = []
        self.decisions: list[Decision] = []
        self.known: dict[Guard, bool] = {}
        self.taken = self.forced = 0
        # Why the run was cut, why a side is left out, and which inputs were assumed away.
        self.cut = ""
        self.unknown: list[str] = []
        self.discarded: list[Guard] = []

    def decide(self, condition: Guard) -> Decision:
        """Take a side of a condition that was not decided on this path before."""
        site, position = where()
        place = len(self.decisions)
        if place < len(self.start.decisions):
            recorded = self.start.decisions[place]
            if recorded.site != site:
                raise QueryError(
                    f"{position}: the function does not do the same on every run, so its paths "
                    "cannot be explored; remove what depends on time, chance or earlier calls"
                )
            taken, forced = recorded.taken, recorded.forced
            holds = condition if taken else not_(condition)
            if truth_under(self.model, holds) is False:
                self.model = None
        else:
            taken, forced = self.choose(condition, site, position)
            holds = condition if taken else not_(condition)
        decision = Decision(site, position, holds, taken, forced)
        self.decisions.append(decision)
        if forced:
            self.forced += 1
        else:
            self.taken += 1
            self.trail.append(holds)
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
            self.stop(f"{position}: more than {self.depth} decisions on one path")
        if found.status is Status.UNKNOWN:
            self.unknown.append(f"{position}: {found.reason or 'the solver gave up'}")
        else:
            decision = Decision(site, position, other, not taken)
            self.leave(Start((*self.decisions, decision), found.model), decision)
        return taken, False

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


def is_merging(machine: Machine) -> bool:
    """Whether other paths wait for the one that runs, inside of a builtin."""
    return bool(machine.forks) or any(scope.others() for scope in machine.scopes)


def where() -> tuple[Site, str]:
    """The place of the program that runs."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_own(frame.f_code.co_filename):
        frame = frame.f_back
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
