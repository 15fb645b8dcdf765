"""Executions of flat programs, told to the interpreter of the source program.

A witness says which blocks are entered and what is given to variables at the start and by `havoc`.
The flat program is run along it, and on the way the events are collected that the interpreter of
`solvent.reach` needs; only what that confirms is reported as an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from solvent.errors import EvaluationError
from solvent.logic.flat import Flat, Tell, Unwind
from solvent.logic.method import Failure
from solvent.reach.executions import Begin, End, Enter, Event, Given
from solvent.reach.interpreter import Confirmation, Interpreter
from solvent.reach.program import Assert, Assign, Assume, Havoc, Variable
from solvent.terms import applied_functions, constants
from solvent.terms.kinds import Concrete, Guard, Operand
from solvent.terms.model import Constant, evaluate
from solvent.terms.term import Term
from solvent.terms.values import FunctionValue

Values = dict[Variable, Concrete]
# Where values are looked up: of variables, or of constants and functions.
Places = Mapping[Any, Concrete | FunctionValue]


@dataclass(frozen=True, slots=True)
class Witness:
    """An execution of a flat program."""

    flat: Flat
    # The labels of the blocks that are entered.
    path: Sequence[str]
    start: Mapping[Variable, Concrete]
    # What each `havoc` on the way gives, in turn.
    given: Sequence[Mapping[Variable, Concrete]] = ()
    # What a model says about constants and functions that are no variables.
    fixed: Mapping[Constant, Concrete | FunctionValue] = field(default_factory=dict)


def value_of(expression: Operand, *places: Places) -> Concrete:
    """The value of an expression; what it mentions is looked up in several places in turn."""
    if not isinstance(expression, Term):
        return expression
    known: dict[Constant, Concrete | FunctionValue] = {}
    used: list[Constant] = [*constants(expression), *applied_functions(expression)]
    for one in used:
        place = next((place for place in places if one in place), None)
        if place is not None:
            known[one] = place[one]
    value: Concrete = evaluate(expression, known)
    return value


def events(witness: Witness) -> list[Event]:
    """What an interpreter of the source program is told."""
    values: Values = dict(witness.start)
    told: list[Event] = []
    given = iter(witness.given)
    for label in witness.path:
        for step in witness.flat.blocks[label].steps:
            match step:
                case Tell(event, asked):
                    told += [event] if event is not None else _given(asked, values)
                case Assign(targets, sources):
                    found = [value_of(one, values, witness.fixed) for one in sources]
                    values.update(zip(targets, found, strict=True))
                case Havoc(variables):
                    new = next(given, {})
                    values.update({v: new[v] for v in variables if v in new})
                case Assert(condition):
                    if not _holds(condition, values, witness.fixed):
                        return told
                case Unwind():
                    return told
                case Assume():
                    pass
    return told


def _given(asked: Mapping[Variable, Variable], values: Values) -> list[Event]:
    return [Given({source: values[flat] for source, flat in asked.items() if flat in values})]


def _holds(condition: Guard, *places: Places) -> bool:
    try:
        return value_of(condition, *places) is True
    except EvaluationError:
        return True


def confirm(witness: Witness) -> Confirmation:
    """Run the source program along a witness."""
    flat = witness.flat
    told = iter(events(witness))
    return Interpreter(flat.source, told, witness.fixed).run(flat.main)


def failure(witness: Witness) -> Failure | str:
    """The failure of a confirmed witness, or why it is not confirmed."""
    confirmation = confirm(witness)
    if not confirmation.confirmed or confirmation.failed is None:
        return confirmation.reason or "no assertion failed"
    flat = witness.flat
    shown = (*flat.inputs, *flat.source.globals)
    inputs = tuple((str(v), str(witness.start[v])) for v in shown if v in witness.start)
    return Failure(
        confirmation.failed.message,
        confirmation.failed.where,
        inputs,
        tuple(_labels(witness)),
        len(confirmation.believed),
    )


def _labels(witness: Witness) -> list[str]:
    """The blocks of the source program that are entered; those of callees with its name."""
    found, stack = [], list[str]()
    for event in events(witness):
        match event:
            case Begin(name):
                stack.append(name)
            case End():
                stack.pop()
            case Enter(label):
                found.append(label if len(stack) < 2 else f"{stack[-1]}.{label}")
    return found
