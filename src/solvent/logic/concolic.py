"""Concrete and symbolic execution side by side: section 5.1 of "From Program to Logic".

The concrete store M and the symbolic store S map variables to values and to terms over inputs.  A
variable without a symbolic value is one whose term is concrete: the factory of terms folds it.  The
concrete values decide which way to go; what was decided is collected as the path constraint, each
part of it with the alternatives that lead elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import overload

from solvent.errors import EvaluationError
from solvent.logic.branches import Branches, Edge, choices, given_input
from solvent.logic.flat import Flat, FlatBlock, Unwind
from solvent.logic.method import Failure, Questions
from solvent.logic.witnesses import Witness, failure, value_of
from solvent.reach.passive import renamed
from solvent.reach.program import Assert, Assign, Assume, Havoc, Variable, has_quantifiers
from solvent.terms import and_, applied_functions, constants, not_, substitute
from solvent.terms.functions import APPLY, FunctionSymbol
from solvent.terms.graph import reachable
from solvent.terms.kinds import Concrete, Guard, Operand
from solvent.terms.model import Constant, Model
from solvent.terms.term import Term
from solvent.terms.values import FunctionValue
from solvent.verdicts import Deadline

# A program outside of the logic: what a function gives for concrete arguments (section 7).
External = Callable[..., Concrete]
# A run that takes longer is given up: so many steps, or seconds.
MOST_STEPS = 2_000
MOST_SECONDS = 0.5


class Outcome(Enum):
    """How a run ended."""

    RETURNED = "returned"
    FAILED = "an assertion failed"
    PRUNED = "an assumption did not hold"
    UNWOUND = "the bound was reached"
    TOO_LONG = "too many steps"


@dataclass(frozen=True, slots=True)
class Constraint:
    """A part of a path constraint, and the conditions under which the run would go elsewhere."""

    condition: Guard
    alternatives: tuple[Guard, ...] = ()
    # Whether it is that an assertion holds, so that its alternative is a failure.
    asserts: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """One execution: its inputs, path constraint, stores at the end, and how it ended."""

    # The inputs that were given, with the choices that were made for want of others.
    inputs: Model
    witness: Witness
    constraints: tuple[Constraint, ...]
    outcome: Outcome
    concrete: Mapping[Variable, Concrete]
    symbolic: Mapping[Variable, Operand]
    # Whether a concrete value took the place of a symbolic one.
    concretized: bool = False
    # Whether a condition could not be evaluated.
    believed: bool = False

    @property
    def path(self) -> tuple[Guard, ...]:
        """The path constraint, as conditions."""
        return tuple(one.condition for one in self.constraints)


@dataclass(slots=True)
class Runner:
    """Runs a flat program on an input vector: a model, which has a value for every input."""

    flat: Flat
    externals: Mapping[str, External] = field(default_factory=dict)
    most: int = MOST_STEPS
    seconds: float = MOST_SECONDS
    branches: Branches = field(init=False)

    def __post_init__(self) -> None:
        self.branches = Branches(self.flat.blocks)

    def run(self, inputs: Model) -> Run:
        """One execution."""
        return _Execution(self, inputs).run()


class _Execution:
    def __init__(self, runner: Runner, inputs: Model) -> None:
        self.runner = runner
        self.flat = runner.flat
        self.inputs = inputs
        everything = (*self.flat.inputs, *self.flat.variables)
        self.concrete: dict[Variable, Concrete] = {v: inputs[v] for v in everything}
        self.symbolic: dict[Variable, Operand] = {v: v for v in everything}
        self.start = dict(self.concrete)
        self.fixed: dict[Constant, Concrete | FunctionValue] = {key: inputs[key] for key in inputs}
        self.path: list[str] = []
        self.given: list[dict[Variable, Concrete]] = []
        self.constraints: list[Constraint] = []
        self.visits: dict[str, int] = {}
        # What external functions have given so far.
        self.seen: dict[FunctionSymbol, dict[tuple[Concrete, ...], Concrete]] = {}
        self.chosen: dict[Term, bool] = {}
        self.concretized = self.believed = False
        self.steps = 0
        self.deadline = Deadline(runner.seconds)

    def run(self) -> Run:
        label: str | None = self.flat.entry
        outcome = None
        skip = False
        while label is not None and outcome is None:
            block = self.flat.blocks[label]
            self.path.append(label)
            outcome = self.block(block, skip)
            self.visits[label] = self.visits.get(label, 0) + 1
            edge = self.next(block) if outcome is None else None
            label = None if edge is None else edge.target
            skip = edge is not None and not edge.chosen and edge.condition is not True
        for function, table in self.seen.items():
            self.fixed[function] = FunctionValue(function.range, next(iter(table.values())), table)
        witness = Witness(self.flat, tuple(self.path), self.start, tuple(self.given), self.fixed)
        return Run(
            Model({**{key: self.inputs[key] for key in self.inputs}, **self.chosen}),
            witness,
            tuple(self.constraints),
            outcome or Outcome.RETURNED,
            self.concrete,
            self.symbolic,
            self.concretized,
            self.believed,
        )

    # --- commands ---

    def block(self, block: FlatBlock, skip: bool) -> Outcome | None:
        """Run a block; the first assumption may be the condition that led here."""
        places = 0
        self.steps += 1 + len(block.commands)
        if self.steps > self.runner.most or self.deadline.is_over:
            return Outcome.TOO_LONG
        for step in block.commands:
            match step:
                case Assume(condition):
                    if not skip and not self.assume(condition):
                        return Outcome.PRUNED
                    skip = False
                case Assert(condition):
                    if not self.check(condition):
                        return Outcome.FAILED
                case Assign(targets, values):
                    pairs = [(self.value(one), self.term(one)) for one in values]
                    for variable, (value, term) in zip(targets, pairs, strict=True):
                        self.concrete[variable], self.symbolic[variable] = value, term
                case Havoc(variables):
                    self.havoc(variables, block.label, places)
                    places += 1
                case Unwind():
                    return Outcome.UNWOUND
        return None

    def assume(self, condition: Guard) -> bool:
        """Whether an assumption holds; if not, the alternative is that it does."""
        term = self.term(condition)
        if self.value(condition) is True:
            if term is not True:
                self.constraints.append(Constraint(term))
            return True
        if term is not False:
            self.constraints.append(Constraint(not_(term), (term,)))
        return False

    def check(self, condition: Guard) -> bool:
        """Whether an assertion holds; if so, the alternative is that it does not."""
        term = self.term(condition)
        if self.value(condition) is True:
            if term is not True:
                self.constraints.append(Constraint(term, (not_(term),), asserts=True))
            return True
        if term is not False:
            self.constraints.append(Constraint(not_(term), (term,)))
        return False

    def havoc(self, variables: tuple[Variable, ...], label: str, place: int) -> None:
        """Variables get values from the inputs."""
        visit = self.visits.get(label, 0)
        for variable in variables:
            one = given_input(variable, label, place, visit)
            self.symbolic[variable] = one
            self.concrete[variable] = self.fixed[one] = self.inputs[one]
        self.given.append({v: self.concrete[v] for v in variables})

    # --- branches ---

    def next(self, block: FlatBlock) -> Edge | None:
        """The way that the concrete values, or the inputs, say."""
        edges = self.runner.branches.edges(block.label)
        if len(edges) < 2:
            return edges[0] if edges else None
        if edges[0].chosen:
            return self.choose(block, edges)
        taken = next(edge for edge in edges if self.value(edge.condition) is True)
        other = next(edge for edge in edges if edge is not taken)
        term = self.term(taken.condition)
        if term is not True:
            self.constraints.append(Constraint(term, (self.term(other.condition),)))
        return taken

    def choose(self, block: FlatBlock, edges: list[Edge]) -> Edge:
        """A free choice: what the inputs say, else what is possible and was taken least."""
        label, visit = block.label, self.visits[block.label] - 1
        copy = f"{label}#{visit}" if visit else label
        conditions = choices(copy, [edge.target for edge in edges])
        known = set(self.inputs)
        if any(one in known for condition in conditions for one in constants(condition)):
            place = next(k for k, one in enumerate(conditions) if self.inputs.evaluate(one) is True)
        else:
            open_ = [k for k, edge in enumerate(edges) if self.may_enter(edge.target)]
            place = min(open_ or [0], key=lambda k: self.visits.get(edges[k].target, 0))
            for k, condition in enumerate(conditions[:-1]):
                own = constants(condition)[-1] if k <= place else None
                self.chosen.update({} if own is None else {own: k == place})
        others = [
            and_(condition, self.entering(edge.target))
            for k, (condition, edge) in enumerate(zip(conditions, edges, strict=True))
            if k != place
        ]
        # An alternative that is certainly impossible is none.
        rest = tuple(other for other in others if other is not False)
        self.constraints.append(Constraint(conditions[place], rest))
        return edges[place]

    def may_enter(self, target: str) -> bool:
        """Whether the first assumption of a block holds now."""
        test = self.first(target)
        return self.value(test) is True

    def entering(self, target: str) -> Guard:
        """The first assumption of a block, symbolically."""
        return self.term(self.first(target))

    def first(self, target: str) -> Guard:
        first = next(iter(self.flat.blocks[target].commands), None)
        return first.condition if isinstance(first, Assume) else True

    # --- expressions ---

    def value(self, expression: Operand) -> Concrete:
        """The concrete value M(e)."""
        expression = self.concretize(expression)
        try:
            return value_of(expression, self.concrete, self.fixed, self.inputs_of(expression))
        except EvaluationError:
            # A quantifier is believed, as the interpreter does.
            self.believed = True
            return True

    def inputs_of(self, expression: Operand) -> dict[Constant, Concrete | FunctionValue]:
        """The inputs that are constants or functions of the program."""
        if not isinstance(expression, Term):
            return {}
        used: list[Constant] = [*constants(expression), *applied_functions(expression)]
        found = {one: self.inputs[one] for one in used if one not in self.concrete}
        for key, value in found.items():
            self.fixed.setdefault(key, value)
        return found

    @overload
    def term(self, expression: Guard) -> Guard: ...
    @overload
    def term(self, expression: Operand) -> Operand: ...

    def term(self, expression: Operand) -> Operand:
        """The symbolic value S(e); what external functions give is concrete (section 7)."""
        return renamed(self.concretize(expression), self.symbolic)

    def concretize(self, expression: Operand) -> Operand:
        """The expression with what external functions have given in the place of their calls."""
        externals = self.runner.externals
        if not externals or not isinstance(expression, Term) or has_quantifiers(expression):
            return expression
        for one in reachable([expression]):
            if one.op.base is not APPLY or one.op.params[0].name not in externals:
                continue
            function = one.op.params[0]
            arguments = tuple(
                value_of(self.concretize(arg), self.concrete, self.fixed) for arg in one.args
            )
            result = externals[function.name](*arguments)
            self.seen.setdefault(function, {})[arguments] = result
            self.concretized = True
            return self.concretize(substitute(expression, {one: result}))
        return expression


def confirmed(runner: Runner, run: Run, questions: Questions) -> Failure | str:
    """The failure at the end of a run, or why it is none.

    Axioms, and conditions with quantifiers, cannot be evaluated: then a solver has to find the
    values, and the program is run once more on what it found.
    """
    axioms = runner.flat.source.axioms
    if axioms or run.believed:
        _, model = questions.ask([*axioms, *run.path])
        if model is None:
            return "a solver does not know whether axioms or quantified conditions hold"
        known = {key: run.inputs[key] for key in run.inputs}
        run = runner.run(Model({**known, **{key: model[key] for key in model}}))
        if run.outcome is not Outcome.FAILED:
            return "the run with the values of a solver ended otherwise"
    return failure(run.witness)
