"""The search: run after run until no side of a branch is left.

An `End` is what one path comes to.  A run has one, unless a builtin that was merged fails for some
of the inputs on the path: each such failure is an end of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from solvent.errors import (
    NotLiftedError,
    SolventError,
    SymbolicBoolError,
    UnboundedError,
    UnwindingError,
)
from solvent.explore.concretizing import (
    Choices,
    Fixed,
    have,
    operands,
    terms_in,
    together,
    values_of,
    wishes,
    with_values,
)
from solvent.explore.directing import Decision, DirectedMachine, Guide, Start
from solvent.explore.frontier import Frontier
from solvent.explore.solving import PathSolver, truth_under
from solvent.lift.reflection import symbolics
from solvent.queries.inputs import Inputs
from solvent.queries.problem import is_limit, reason_of
from solvent.queries.replay import shown
from solvent.queries.run import Run, run
from solvent.solvers.status import Status
from solvent.terms.booleans import and_, not_, or_
from solvent.terms.kinds import Concrete
from solvent.terms.model import Model
from solvent.terms.term import Term
from solvent.verdicts import Deadline
from solvent.vm.state import Failure
from solvent.vm.values import Guard, Value

# How refusals say what is refused, before they say why and what to do instead.
_REFUSING = " is not lifted"


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a search goes."""

    depth: int = 100
    paths: int = 1_000
    seconds: float | None = None
    # Of loops with symbolic tests and of recursion, as in other queries.
    bound: int | None = None
    # How many values are tried at each place where a symbolic one is not possible.
    values: int = 4


@dataclass(frozen=True, slots=True)
class End:
    """What a path comes to: a result, or an exception."""

    decisions: tuple[Decision, ...]
    condition: Guard
    model: Model
    run: Run
    failure: Failure | None = None
    # Where values were chosen for symbolic ones, and which.
    concretized: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unexplored:
    """Inputs whose paths were not followed to the end, and why."""

    condition: Guard
    reason: str
    # Whether a larger bound of loops, recursion or decisions would lead further.
    bounded: bool = False

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
    # How values are chosen for what is symbolic and must not be; `None` refuses it.
    choices: Choices | None = None
    ends: list[End] = field(default_factory=list)
    unexplored: list[Unexplored] = field(default_factory=list)
    # Inputs that the function assumes away.
    discarded: dict[Guard, None] = field(default_factory=dict)
    runs: int = 0
    refused: NotLiftedError | None = None
    # Inputs whose paths are refused whatever values are chosen: only CPython can tell of them.
    stranded: list[Model] = field(default_factory=list)
    frontier: Frontier = field(init=False)

    def __post_init__(self) -> None:
        self.frontier = Frontier(self.order)

    @property
    def complete(self) -> bool:
        """Whether every input that is assumed is on one of the paths."""
        return not self.left_out

    @property
    def left_out(self) -> list[Unexplored]:
        """What is not known: paths that were not followed, and values that were not tried."""
        if self.choices is None:
            return self.unexplored
        reached = [or_(list(conditions)) for conditions, _ in self.choices.notes.values()]
        tried = [
            Unexplored(condition, f"concretized: {text}")
            for condition, text in zip(reached, self.choices.told(), strict=True)
        ]
        return [*self.unexplored, *tried]

    @property
    def assumed(self) -> Guard:
        """The condition under which no assumption is false."""
        return not_(or_(list(self.discarded)))

    def __iter__(self) -> Iterator[End]:
        """Explore, one end after the other."""
        frontier = self.frontier
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
                choices=self.choices,
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
            self.unexplored.append(Unexplored(start.condition, reason))

    def follow(self, guide: Guide) -> Iterator[End]:
        """Run the function once."""
        self.runs += 1
        machine = DirectedMachine(guide)
        inputs = with_values(self.inputs, guide.start.fixed.values)
        try:
            found = run(
                self.function,
                inputs.args,
                inputs.named,
                assumptions=inputs.assumptions,
                bound=self.bounds.bound,
                machine=machine,
            )
        except (NotLiftedError, SymbolicBoolError, UnboundedError) as error:
            self.refuse(guide, error)
            return
        finally:
            self.discarded.update(dict.fromkeys(guide.discarded))
            for reason in guide.unknown:
                self.unexplored.append(Unexplored(and_(guide.trail), reason))
        if guide.cut:
            self.unexplored.append(Unexplored(and_(guide.trail), guide.cut, guide.is_deep))
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
                self.limit(guide, condition, failure)
                continue
            notes = tuple(guide.concretized)
            yield End(decisions, condition, model, found, failure, notes)

    def limit(self, guide: Guide, condition: Guard, failure: Failure) -> None:
        """A path ends because of Solvent: redo it with values, or leave it."""
        refused = isinstance(failure.exception, NotLiftedError)
        if not refused or not self.redo(guide, [], reason_of(failure)):
            bounded = isinstance(failure.exception, UnwindingError)
            self.unexplored.append(Unexplored(condition, reason_of(failure), bounded))

    def refuse(self, guide: Guide, error: SolventError) -> None:
        """A run came to what is not lifted: redo it with values, or leave the path."""
        unbounded = isinstance(error, UnboundedError)
        if not unbounded and self.redo(guide, operands(error), str(error)):
            return
        if isinstance(error, SymbolicBoolError) and self.choices is None:
            raise error
        if isinstance(error, NotLiftedError):
            self.refused = error
        if self.choices is not None and not unbounded:
            known = guide.model
            model = known if known is not None else self.solver.check(guide.trail, True).model
            self.stranded += [model] if model is not None else []
        self.unexplored.append(Unexplored(and_(guide.trail), str(error)))

    def redo(self, guide: Guide, needed: list[Term], reason: str) -> bool:
        """Follow a path once more, with values for the inputs that something needs.

        If it has them and that was not enough, all inputs get values; whether there are more.
        """
        if self.choices is None:
            return False
        fixed = guide.start.fixed
        known = set(fixed.values)
        wanted = [c for c in together(self.inputs, needed) if c not in known] if needed else []
        if known.issuperset(needed):
            every = symbolics((self.inputs.args, self.inputs.named))
            wanted = [constant for constant in every if constant not in known]
        if not wanted:
            return False
        head, refusing, _ = reason.partition("; ")[0].partition(_REFUSING)
        what = head + refusing
        conditions = list(guide.trail)
        asked: list[Guard] = [True]
        while asked:
            model = self.first_model(conditions, asked)
            values = values_of(wanted, model) if model is not None else None
            if model is None or values is None:
                break
            start = self.restart(guide, dict(zip(wanted, values, strict=True)), what, model)
            self.frontier.add(start)
            conditions.append(not_(start.fixed.given[-1]))
            more = self.choices.another(what) and not guide.deadline.is_over
            asked = wishes(needed or wanted, self.choices.tried[what] - 1) if more else []
        return len(conditions) > len(guide.trail)

    def first_model(self, conditions: list[Guard], asked: list[Guard]) -> Model | None:
        """A model of conditions and of the first of several more with which there is one."""
        for more in asked:
            model = self.solver.check(conditions, more).model
            if model is not None:
                return model
        return None

    def restart(self, guide: Guide, values: dict[Term, Concrete], what: str, model: Model) -> Start:
        """A run that follows the same path with values for some inputs."""
        assert self.choices is not None
        fixed = guide.start.fixed
        # An item behind the end of a list is none: it need not differ, and nobody asks for it.
        present = set(symbolics(terms_in((self.inputs.args, self.inputs.named), model)))
        chosen = {constant: value for constant, value in values.items() if constant in present}
        listed = ", ".join(f"{constant.name} = {shown(v, 60)}" for constant, v in chosen.items())
        note = self.choices.note(what, listed, and_(guide.trail))
        equal = have(chosen, chosen.values())
        return Start(
            (),
            model,
            Fixed({**fixed.values, **values}, (*guide.trail, equal), (*guide.concretized, note)),
        )

    def model_of(self, guide: Guide, condition: Guard) -> Model | None:
        """An input that takes a path, if there is one."""
        if guide.model is not None and truth_under(guide.model, condition):
            return guide.model
        found = self.solver.check(guide.trail, condition)
        if found.status is Status.UNKNOWN:
            self.unexplored.append(Unexplored(condition, found.reason or "the solver gave up"))
        return found.model
