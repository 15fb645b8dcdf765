"""Weakest preconditions of blocks without loops, as one term.

There are no incarnations here: an assignment replaces a variable by its value in what has to hold
afterwards, and only a variable with any value needs a quantifier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from solvent.reach.graphs import postorder
from solvent.reach.program import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Command,
    Havoc,
    Procedure,
    ProgramError,
    Variable,
)
from solvent.terms import and_, constants, forall, implies, substitute
from solvent.terms.kinds import Guard, Operand


def weakest_precondition(blocks: Mapping[str, Block], variables: Sequence[Variable] = ()) -> Guard:
    """What must hold so that no assertion fails, from the first block on.

    All `variables` have any value at the start.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> split = Block("a", (Assign((x,), (y + 1,)),), ("b", "c"))
    >>> b, c = Block("b", (Assert(x > 3),), ()), Block("c", (Assume(x > 9), Assert(x > y)), ())
    >>> weakest_precondition({"a": split, "b": b, "c": c})
    y > 2
    """
    entry = next(iter(blocks))
    graph = {label: block.targets for label, block in blocks.items()}
    found: dict[str, Guard] = {}
    for label in postorder(graph, entry):
        block = blocks[label]
        if any(target not in found for target in block.targets):
            raise ProgramError(f"{block.where}: there is a loop at {label}")
        after = and_([found[target] for target in block.targets])
        for command in reversed(block.commands):
            after = _before(command, after)
        found[label] = after
    return _any_value(variables, found[entry])


def _before(command: Command, after: Guard) -> Guard:
    match command:
        case Assume(condition):
            return implies(condition, after)
        case Assert(condition):
            return and_(condition, after)
        case Assign(targets, values):
            return substitute(after, dict(zip(targets, values, strict=True)))
        case Havoc(variables):
            return _any_value(variables, after)
        case Call(where=where):
            raise ProgramError(f"{where}: there is a call, and nothing to do with it")


def _any_value(variables: Sequence[Variable], condition: Guard) -> Guard:
    """A condition that holds for all values of some variables."""
    used = dict.fromkeys(constants(condition))
    return forall([variable for variable in variables if variable in used], condition)


def call_commands(
    call: Call, callee: Procedure, number: int, state: Mapping[Variable, Operand]
) -> list[Command]:
    """A call by contract, as commands; `state` is what global variables are, and were, there."""
    given = [v.sort(f"{v.name}!{call.procedure}{number}") for v in callee.inputs]
    known = {
        **state,
        **dict(zip(callee.inputs, given, strict=True)),
        **dict(zip(callee.outputs, call.outputs, strict=True)),
    }
    requires = [clause for clause in callee.requires if not clause.free and not call.free]
    return [
        Assign(tuple(given), call.inputs, call.where),
        *(Assert(substitute(clause.condition, known), call.where) for clause in requires),
        Havoc(call.outputs, call.where),
        *(Assume(substitute(clause.assumption, known), call.where) for clause in callee.ensures),
    ]
