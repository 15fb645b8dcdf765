"""The error flag: assertions compiled away, as in section 6 of "Reachability Modulo Theories".

    assert e      becomes      error := !e; if (error) return
    call ...      is followed by      if (error) return

and an execution is sought that leaves the first procedure with the flag set.  The flag is checked
only after calls of procedures that can set it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from solvent.reach.graphs import components
from solvent.reach.program import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Command,
    Procedure,
    Program,
)
from solvent.terms import Bool, not_

# No identifier of a program contains a blank.
ERROR = Bool("error flag")


def failing(program: Program) -> set[str]:
    """The procedures in which, or below which, an assertion may fail."""
    graph = program.call_graph
    found: set[str] = set()
    for component in components(graph):
        if any(_asserts(program.procedures[name]) for name in component) or any(
            callee in found for name in component for callee in graph[name]
        ):
            found.update(component)
    return found


def _asserts(procedure: Procedure) -> bool:
    return any(
        isinstance(command, Assert) and command.condition is not True
        for command in procedure.commands
    )


def with_error_flag(program: Program) -> Program:
    """The program in which assertions set the flag and return.

    >>> from solvent.reach.program import Havoc
    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> p = Procedure("p", (x,), blocks={"a": Block("a", (Assert(x > 0), Havoc((x,))), ())})
    >>> print(with_error_flag(Program((), {"p": p})).procedures["p"])
    procedure p(x: Int) {
    a:
      goto a!1, a!1+;
    a!1:
      assume x <= 0;
      error flag := True;
      return;
    a!1+:
      assume x > 0;
      havoc x;
      return;
    }
    """
    may_fail = failing(program)
    procedures = {
        name: _flagged(procedure, may_fail) if procedure.blocks else procedure
        for name, procedure in program.procedures.items()
    }
    return replace(program, globals=(*program.globals, ERROR), procedures=procedures)


def _flagged(procedure: Procedure, may_fail: set[str]) -> Procedure:
    blocks: dict[str, Block] = {}
    for block in procedure.blocks.values():
        blocks.update({made.label: made for made in _split(block, may_fail)})
    modifies = procedure.modifies
    if procedure.name in may_fail:
        modifies = (*modifies, ERROR)
    return replace(procedure, blocks=blocks, modifies=modifies)


def _split(block: Block, may_fail: set[str]) -> Iterable[Block]:
    """The blocks that a block becomes: what follows a check is a block of its own."""
    label, commands, number = block.label, list[Command](), 0
    for command in block.commands:
        if isinstance(command, Assert):
            failed: tuple[Command, ...] = (
                Assume(not_(command.condition), command.where),
                Assign((ERROR,), (True,), command.where),
            )
            passed = Assume(command.condition, command.where)
            if command.condition is True:
                continue
        elif isinstance(command, Call) and command.procedure in may_fail:
            commands.append(command)
            failed = (Assume(ERROR, command.where),)
            passed = Assume(not_(ERROR), command.where)
        else:
            commands.append(command)
            continue
        number += 1
        out, on = f"{block.label}!{number}", f"{block.label}!{number}+"
        source = block.original if label == block.label else ""
        yield replace(
            block, label=label, commands=tuple(commands), targets=(out, on), source=source
        )
        yield Block(out, failed, (), command.where, source="")
        label, commands = on, [passed]
    source = block.original if label == block.label else ""
    yield replace(block, label=label, commands=tuple(commands), source=source)
