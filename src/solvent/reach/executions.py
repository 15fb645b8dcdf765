"""Executions: what a model says about an inlined call tree, as a tree of steps and as events.

An `Execution` is one activation of a procedure: the blocks that it goes through, the commands with
the values they give to variables, and the executions of its calls.  `events` is the same as what a
concrete interpreter has to be told: which way to go, and what `havoc` gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from solvent.reach.program import Command, Havoc, Position, Variable
from solvent.reach.stratified import Node, path
from solvent.terms.kinds import Concrete, Operand
from solvent.terms.model import Model


@dataclass(frozen=True, slots=True)
class Step:
    """A command that was executed, what it gave to variables, and the call it made."""

    command: Command
    where: Position
    values: Mapping[Variable, Operand]
    call: Execution | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    """A block that was executed."""

    label: str
    # Its label in the source program; empty if it was made by a transformation.
    original: str
    where: Position
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Execution:
    """An activation of a procedure."""

    procedure: str
    # The values of its inputs, and of its other variables at the start.
    inputs: Mapping[Variable, Operand]
    start: Mapping[Variable, Operand]
    visits: tuple[Visit, ...] = field(default=())


def execution(node: Node, model: Model) -> Execution:
    """The execution of an inlined node that a model describes; calls are not nested in Python."""
    children: dict[int, Execution] = {}
    for inner in _bottom_up(node, model):
        children[id(inner)] = _one(inner, model, children)
    return children[id(node)]


def _bottom_up(node: Node, model: Model) -> list[Node]:
    """The nodes that are executed, each after those that it calls."""
    found: list[Node] = []
    stack = [node]
    while stack:
        here = stack.pop()
        found.append(here)
        stack += [child for child in here.children if _happens(child, model)]
    return found[::-1]


def _happens(node: Node, model: Model) -> bool:
    return not node.is_open and model.evaluate(node.taken) is True


def _one(node: Node, model: Model, known: Mapping[int, Execution]) -> Execution:
    assert node.template is not None
    passive = node.template.passive
    procedure = passive.procedure
    calls = {child.taken: child for child in node.children}

    def value(term: Operand) -> Concrete:
        return model.evaluate(node.value(term))

    visits = []
    for label in path(node, model):
        block = passive.blocks[label]
        steps = []
        for statement in block.statements:
            if statement.origin is None:
                continue
            values = {variable: value(term) for variable, term in statement.values}
            child = calls.get(node.value(statement.condition))
            inner = known.get(id(child)) if child is not None else None
            steps.append(Step(statement.origin, statement.where, values, inner))
        found = procedure.blocks.get(label)
        original = "" if found is None else found.original
        visits.append(Visit(label, original, block.where, tuple(steps)))
    start = {variable: value(term) for variable, term in passive.entry_values.items()}
    inputs = {variable: start[variable] for variable in procedure.inputs}
    return Execution(procedure.name, inputs, start, tuple(visits))


# --- events ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Enter:
    """A block of the source program is entered."""

    label: str


@dataclass(frozen=True, slots=True)
class Given:
    """The values that a `havoc`, or the start of a procedure, gives to variables."""

    values: Mapping[Variable, Operand]


@dataclass(frozen=True, slots=True)
class Begin:
    """A procedure of the source program is called."""

    procedure: str


@dataclass(frozen=True, slots=True)
class End:
    """It ends."""

    procedure: str


Event = Enter | Given | Begin | End


def events(root: Execution, procedures: Mapping[str, object]) -> Iterator[Event]:
    """What an execution of the source program is told; loop procedures are taken apart again."""
    stack: list[Iterator[Event | Execution]] = [_events(root, procedures)]
    while stack:
        for item in stack[-1]:
            if isinstance(item, Execution):
                stack.append(_events(item, procedures))
                break
            yield item
        else:
            stack.pop()


def _events(one: Execution, procedures: Mapping[str, object]) -> Iterator[Event | Execution]:
    source = one.procedure in procedures
    if source:
        yield Begin(one.procedure)
        yield Given(one.start)
    for visit in one.visits:
        if visit.original:
            yield Enter(visit.original)
        for step in visit.steps:
            if isinstance(step.command, Havoc):
                yield Given(step.values)
            if step.call is not None:
                yield step.call
    if source:
        yield End(one.procedure)
