"""A concrete interpreter of control-flow-graph programs, which is told which way to go.

The events of an execution that an engine has found resolve all choices.  If every assumption holds
on the way and an assertion fails at the end, the execution is confirmed: the program itself has
been run, with loops and calls as they were written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from solvent.depth import deep_recursion
from solvent.errors import EvaluationError
from solvent.reach.elements import Elements
from solvent.reach.executions import Begin, End, Enter, Event, Given
from solvent.reach.program import (
    ASSERTION,
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Command,
    Expression,
    Havoc,
    Position,
    Procedure,
    Program,
    Variable,
    old_value,
)
from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.terms import BoolTerm, applied_functions, constants, substitute
from solvent.terms.kinds import Concrete
from solvent.terms.model import Constant, Model
from solvent.terms.term import Term
from solvent.terms.values import FunctionValue

EventT = TypeVar("EventT")

# How long a solver may think about a condition with quantifiers and values for all variables.
QUANTIFIER_SECONDS = 5.0


class Diverged(Exception):
    """The program cannot be run as the events say."""


class Failed(Exception):
    """An assertion fails."""

    def __init__(self, command: Assert) -> None:
        super().__init__(command.message)
        self.command = command


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Whether an assertion of the program failed when it was run; if not, why not."""

    confirmed: bool
    failed: Assert | None = None
    reason: str = ""
    # Conditions with quantifiers, which cannot be evaluated: they were believed.
    believed: tuple[Position, ...] = ()


@dataclass(slots=True)
class Frame:
    """An activation of a procedure."""

    procedure: Procedure
    values: dict[Variable, Concrete]


@dataclass(slots=True)
class Interpreter:
    """Runs a program; what is not a variable has the value that a model gives it."""

    program: Program
    events: Iterator[Event]
    fixed: Mapping[Constant, Concrete | FunctionValue]
    globals: dict[Variable, Concrete] = field(default_factory=dict)
    believed: list[Position] = field(default_factory=list)

    def run(self, main: str) -> Confirmation:
        """Run the procedure and say how it ended."""
        try:
            self.begin(main)
            given = self.given()
            self.globals = {g: given[g] for g in self.program.globals if g in given}
            first = self.program.procedure(main)
            frame = self.frame(first, given, {})
            for clause in first.requires:
                self.command(Assume(clause.assumption, clause.where), frame)
            with deep_recursion():
                self.procedure(frame)
        except Failed as failure:
            return Confirmation(True, failure.command, believed=tuple(self.believed))
        except Diverged as problem:
            return Confirmation(False, reason=str(problem), believed=tuple(self.believed))
        return Confirmation(False, reason="no assertion failed")

    def frame(
        self,
        procedure: Procedure,
        given: Mapping[Variable, Concrete],
        inputs: dict[Variable, Concrete],
    ) -> Frame:
        """A new activation."""
        own = (*procedure.inputs, *procedure.outputs, *procedure.locals)
        values = {variable: given[variable] for variable in own if variable in given}
        values.update(inputs)
        values.update({old_value(g): value for g, value in self.globals.items()})
        return Frame(procedure, values)

    # --- events ---

    def next(self, kind: type[EventT]) -> EventT:
        """The next event, which must be of a kind."""
        event = next(self.events, None)
        if not isinstance(event, kind):
            raise Diverged(f"the execution has {event}, but the program needs {kind.__name__}")
        return event

    def given(self) -> Mapping[Variable, Concrete]:
        """Values for variables."""
        # An execution that is run has values, not incarnations.
        return self.next(Given).values  # type: ignore[return-value]

    def begin(self, name: str) -> None:
        """The start of a procedure."""
        if self.next(Begin).procedure != name:
            raise Diverged(f"the program calls {name}, but the execution another procedure")

    # --- running ---

    def procedure(self, frame: Frame) -> None:
        """Run the blocks of an activation."""
        block = frame.procedure.blocks[frame.procedure.entry]
        targets: tuple[str, ...] = (block.label,)
        while targets:
            label = self.next(Enter).label
            if label not in targets:
                raise Diverged(f"the execution goes to {label}, but the program to {targets}")
            block = frame.procedure.blocks[label]
            self.block(block, frame)
            targets = block.targets

    def block(self, block: Block, frame: Frame) -> None:
        """Run the commands of a block; invariants are assertions."""
        for clause in block.invariants:
            self.command(clause.command(ASSERTION), frame)
        for command in block.commands:
            self.command(command, frame)

    def command(self, command: Command, frame: Frame) -> None:
        """Run one command."""
        match command:
            case Assume(condition, where):
                if not self.holds(condition, frame, where):
                    raise Diverged(f"{where}: an assumption does not hold")
            case Assert(condition, where):
                if not self.holds(condition, frame, where):
                    raise Failed(command)
            case Assign(targets, values):
                found = [self.value(value, frame) for value in values]
                for variable, value in zip(targets, found, strict=True):
                    self.store(variable, value, frame)
            case Havoc(variables):
                given = self.given()
                for variable in variables:
                    self.store(variable, given[variable], frame)
            case Call():
                self.call(command, frame)

    def call(self, command: Call, frame: Frame) -> None:
        """Run a call."""
        callee = self.program.procedure(command.procedure)
        found = [self.value(value, frame) for value in command.inputs]
        self.begin(callee.name)
        inner = self.frame(callee, self.given(), dict(zip(callee.inputs, found, strict=True)))
        self.procedure(inner)
        self.next(End)
        for variable, output in zip(command.outputs, callee.outputs, strict=True):
            self.store(variable, inner.values[output], frame)

    def holds(self, condition: Expression, frame: Frame, where: Position) -> bool:
        """Whether a condition holds; one that nobody can evaluate is believed."""
        try:
            return self.value(condition, frame) is True
        except EvaluationError:
            found = _decided(condition, self.known(condition, frame))
            if found is None:
                self.believed.append(where)
            return found is not False

    def value(self, expression: Expression, frame: Frame) -> Concrete:
        """The value of an expression."""
        if not isinstance(expression, Term):
            return expression
        # What no model gives a value to may have any.
        value: Concrete = Model(self.known(expression, frame)).evaluate(expression)
        return value

    def known(
        self, expression: Expression, frame: Frame
    ) -> dict[Constant, Concrete | FunctionValue]:
        """The values of what occurs in an expression."""
        # A model may have very many constants: only those that occur are looked up.
        used: list[Constant] = []
        if isinstance(expression, Term):
            used = [*constants(expression), *applied_functions(expression)]
        places: list[Mapping[Any, Concrete | FunctionValue]]
        places = [frame.values, self.globals, self.fixed]
        known: dict[Constant, Concrete | FunctionValue] = {}
        for one in used:
            place = next((place for place in places if one in place), None)
            if place is not None:
                known[one] = place[one]
        return known

    def store(self, variable: Variable, value: Concrete, frame: Frame) -> None:
        """Assign a variable."""
        if variable in self.globals:
            self.globals[variable] = value
        else:
            frame.values[variable] = value


def _decided(
    condition: Expression, known: Mapping[Constant, Concrete | FunctionValue]
) -> bool | None:
    """Whether a condition with quantifiers holds, if a solver knows that soon."""
    if not isinstance(condition, BoolTerm) or applied_functions(condition):
        return None
    elements = Elements()
    values = {one: elements.term(known[one]) for one in constants(condition) if one in known}  # type: ignore[arg-type]
    closed = substitute(condition, values)
    if not isinstance(closed, Term):
        return closed
    with Solver("z3", timeout=QUANTIFIER_SECONDS) as solver:
        solver.add(closed, elements.differ)
        status = solver.check()
    # With constants, other types of values could make it true than those of this run.
    if status is Status.SAT and not constants(closed):
        return True
    return False if status is Status.UNSAT else None
