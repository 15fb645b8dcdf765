"""The search: run after run until no side of a branch is left.

An `End` is what one path comes to.  A run has one, unless a builtin that was merged fails for some
of the inputs on the path: each such failure is an end of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from solvent.errors import NotLiftedError, UnboundedError
from solvent.explore.directing import Decision, DirectedMachine, Guide, Start
from solvent.explore.frontier import Frontier
from solvent.explore.solving import PathSolver, truth_under
from solvent.queries.inputs import Inputs
from solvent.queries.problem import is_limit, reason_of
from solvent.queries.run import Run, run
from solvent.solvers.status import Status
from solvent.terms.booleans import and_, not_, or_
from solvent.terms.model import Model
from solvent.verdicts import Deadline
from solvent.vm.state import Failure
from solvent.vm.values import Guard, Value


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a search goes."""

    depth: int = 100
    paths: int = 1_000
    seconds: float | None = None
    # Of loops with symbolic tests and of recursion, as in other queries.
    bound: int | None = None


@dataclass(frozen=True, slots=True)
class End:
    """What a path comes to: a result, or an exception."""

    decisions: tuple[Decision, ...]
    condition: Guard
    model: Model
    run: Run
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Unexplored:
    """Inputs whose paths were not followed to the end, and why."""

    condition: Guard
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} (where {self.condition})"


@dataclass(slots=True)
class Search:
    """The paths of one function on symbolic inputs."""

    function: Callable[..., Value]
    inputs: Inputs
    solver: PathSolver
    order: str = "depth"
    bounds: Bounds = field(default_factory=Bounds)
    ends: list[End] = field(default_factory=list)
    unexplored: list[Unexplored] = field(default_factory=list)
    # Inputs that the function assumes away.
    discarded: dict[Guard, None] = field(default_factory=dict)
    runs: int = 0
    refused: NotLiftedError | None = None

    @property
    def complete(self) -> bool:
        """Whether every input that is assumed is on one of the paths."""
        return not self.unexplored

    @property
    def assumed(self) -> Guard:
        """The condition under which no assumption is false."""
        return not_(or_(list(self.discarded)))

    def __iter__(self) -> Iterator[End]:
        """Explore, one end after the other."""
        frontier = Frontier(self.order)
        frontier.add(Start((), Model({})))
        deadline = Deadline(self.bounds.seconds, "the time is over")
        while len(frontier):
            if deadline.is_over:
                self.give_up(frontier, deadline.message)
                return
            start = frontier.take()
            guide = Guide(
                self.solver,
                start,
                lambda other, _: frontier.add(other),
                depth=self.bounds.depth,
                deadline=deadline,
            )
            for end in self.follow(guide):
                if len(self.ends) >= self.bounds.paths:
                    self.unexplored.append(Unexplored(end.condition, self.too_many()))
                    self.give_up(frontier, self.too_many())
                    return
                self.ends.append(end)
                yield end
            frontier.visit(guide.decisions)

    def too_many(self) -> str:
        """Why the search ends before the frontier is empty."""
        return f"there are more than {self.bounds.paths} paths"

    def give_up(self, frontier: Frontier, reason: str) -> None:
        """Say of all that is left why it is."""
        for start in frontier.waiting:
            condition = and_([d.condition for d in start.decisions if not d.forced])
            self.unexplored.append(Unexplored(condition, reason))

    def follow(self, guide: Guide) -> Iterator[End]:
        """Run the function once."""
        self.runs += 1
        machine = DirectedMachine(guide)
        try:
            found = run(
                self.function,
                self.inputs.args,
                self.inputs.named,
                assumptions=self.inputs.assumptions,
                bound=self.bounds.bound,
                machine=machine,
            )
        except (NotLiftedError, UnboundedError) as error:
            if isinstance(error, NotLiftedError):
                self.refused = error
            self.unexplored.append(Unexplored(and_(guide.trail), str(error)))
            return
        finally:
            self.discarded.update(dict.fromkeys(guide.discarded))
            for reason in guide.unknown:
                self.unexplored.append(Unexplored(and_(guide.trail), reason))
        if guide.cut:
            self.unexplored.append(Unexplored(and_(guide.trail), guide.cut))
        yield from self.ends_of(guide, found)

    def ends_of(self, guide: Guide, found: Run) -> Iterator[End]:
        """The ends of one run."""
        decisions = tuple(decision for decision in guide.decisions if not decision.forced)
        outcome = found.outcome
        rows: list[tuple[Guard, Failure | None]] = [(f.condition, f) for f in outcome.failures]
        if not outcome.halted:
            rows.append((outcome.path.term, None))
        for condition, failure in rows:
            model = self.model_of(guide, condition)
            if model is None:
                continue
            if failure is not None and is_limit(failure):
                self.unexplored.append(Unexplored(condition, reason_of(failure)))
                continue
            yield End(decisions, condition, model, found, failure)

    def model_of(self, guide: Guide, condition: Guard) -> Model | None:
        """An input that takes a path, if there is one."""
        if guide.model is not None and truth_under(guide.model, condition):
            return guide.model
        found = self.solver.check(guide.trail, condition)
        if found.status is Status.UNKNOWN:
            self.unexplored.append(Unexplored(condition, found.reason or "the solver gave up"))
        return found.model
