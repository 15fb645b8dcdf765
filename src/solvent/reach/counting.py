"""Loops that count: how often they run is known, whatever the recursion bound is.

A loop such as `i := 0; while (i < 27) { ...; i := i + 1; }` must run 27 times before anything after
it is reached.  If one variable alone decides whether the loop goes on, is changed by one assignment
that depends on nothing else, and starts with a constant, counting is just running that.  The number
only allows for more iterations than the bound does, so it need not be exact.
"""

from __future__ import annotations

from solvent.reach.graphs import Loop, predecessors
from solvent.reach.loops import loop_name, loops_of
from solvent.reach.program import (
    Assign,
    Assume,
    Block,
    Command,
    Expression,
    Procedure,
    Program,
    Variable,
    assigned,
)
from solvent.terms import constants
from solvent.terms.kinds import Concrete, Guard
from solvent.terms.model import evaluate

# Loops that run more often are not unrolled.
MOST = 2_000


def counts(program: Program, most: int = MOST) -> dict[str, int]:
    """How often loops run that count, by the names of their procedures.

    >>> from solvent.reach.program import Block
    >>> from solvent.terms import Int
    >>> i = Int("i")
    >>> blocks = [
    ...     Block("a", (Assign((i,), (0,)),), ("h",)),
    ...     Block("h", (), ("b", "e")),
    ...     Block("b", (Assume(i < 27), Assign((i,), (i + 1,))), ("h",)),
    ...     Block("e", (Assume(i >= 27),), ()),
    ... ]
    >>> p = Procedure("p", (), (), (i,), {block.label: block for block in blocks})
    >>> counts(Program((), {"p": p}))
    {'p $h': 27}
    """
    found = {}
    for name, procedure in program.procedures.items():
        for loop in loops_of(procedure):
            number = _count(procedure, loop, program, most)
            if number is not None:
                found[loop_name(name, loop.head)] = number
    return found


def _count(procedure: Procedure, loop: Loop, program: Program, most: int) -> int | None:
    body = [procedure.blocks[label] for label in procedure.blocks if label in loop.body]
    conditions = [
        command.condition
        for target in procedure.blocks[loop.head].targets
        if target in loop.body
        for command in procedure.blocks[target].commands[:1]
        if isinstance(command, Assume)
    ]
    for condition in conditions:
        deciding = constants(condition)
        if len(deciding) != 1:
            continue
        (variable,) = deciding
        steps = [
            command for block in body for command in block.commands
            if variable in assigned((command,), program)
        ]  # fmt: skip
        start = _starts(procedure, loop, variable, program)
        if len(steps) == 1 and isinstance(steps[0], Assign) and start:
            step = dict(zip(steps[0].targets, steps[0].values, strict=True))[variable]
            if all(one is variable for one in constants(step)):
                return max(_run(variable, condition, step, first, most) for first in start)
    return None


def _starts(
    procedure: Procedure, loop: Loop, variable: Variable, program: Program
) -> list[Concrete]:
    """The constants that a variable may have where a loop is entered; none if anything else may."""
    before = predecessors({label: block.targets for label, block in procedure.blocks.items()})
    waiting = [label for label in before[loop.head] if label not in loop.body]
    seen, found = set(waiting), list[Concrete]()
    if loop.head == procedure.entry:
        return []
    while waiting:
        label = waiting.pop()
        last = _last_assignment(procedure.blocks[label], variable, program)
        if isinstance(last, Assign):
            value = dict(zip(last.targets, last.values, strict=True))[variable]
            if constants(value):
                return []
            found.append(value)  # type: ignore[arg-type]
        elif last is not None or label == procedure.entry:
            return []
        else:
            waiting += [one for one in before[label] if one not in seen]
            seen.update(before[label])
    return found


def _last_assignment(block: Block, variable: Variable, program: Program) -> Command | None:
    for command in reversed(block.commands):
        if variable in assigned((command,), program):
            return command
    return None


def _run(variable: Variable, condition: Guard, step: Expression, value: Concrete, most: int) -> int:
    """How often a loop runs from a value on."""
    number = 0
    while number < most and evaluate(condition, {variable: value}):
        value = evaluate(step, {variable: value})
        number += 1
    return number
