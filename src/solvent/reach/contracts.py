"""Contracts as commands: what a program promises is checked where executions are searched.

A precondition is asserted before a call and a postcondition where a procedure returns, as Boogie
does when it inlines.  What is free is assumed in the same places, after everything that is checked,
so that it hides no failure of the same contract.  A procedure without a body does what its
contract allows; it has no return of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from solvent.reach.passive import renamed
from solvent.reach.program import (
    ASSERTION,
    POSTCONDITION,
    PRECONDITION,
    Assert,
    Assume,
    Block,
    Call,
    Clause,
    Command,
    Procedure,
    Program,
)

# A call of this is a failure, if it has no body of its own.
NOT_REACHABLE = "corral_assert_not_reachable"


def with_checked_contracts(program: Program) -> Program:
    """The program in which contracts are assertions and assumptions of the blocks.

    >>> from solvent.reach.program import Havoc
    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> p = Procedure("p", (x,), requires=(Clause(x > 0),))
    >>> body = {"a": Block("a", (Havoc((y,)), Call("p", (y + 1,))), ())}
    >>> q = Procedure("q", outputs=(y,), blocks=body, ensures=(Clause(y > 0), Clause(y > 3, True)))
    >>> print(with_checked_contracts(Program((), {"p": p, "q": q})).procedures["q"].blocks["a"])
    a:
      havoc y;
      assert y > -1;
      call p(y + 1);
      assert y > 0;
      assume y > 3;
      return;
    """
    contracts = {name: _known(found) for name, found in program.procedures.items()}
    procedures = {
        name: replace(found, blocks=_blocks(found, contracts)) for name, found in contracts.items()
    }
    return replace(program, procedures=procedures)


def _known(procedure: Procedure) -> Procedure:
    """A procedure with what Corral knows of it: one of its own must never be called."""
    if procedure.name != NOT_REACHABLE or procedure.blocks:
        return procedure
    never = Clause(False, where=procedure.where, message=ASSERTION)
    return replace(procedure, requires=(*procedure.requires, never))


def _blocks(procedure: Procedure, others: Mapping[str, Procedure]) -> dict[str, Block]:
    blocks: dict[str, Block] = {}
    for label, block in procedure.blocks.items():
        commands = [made for found in block.commands for made in _command(found, others)]
        if not block.targets:
            commands += _ordered(_postcondition(clause, block) for clause in procedure.ensures)
        blocks[label] = replace(block, commands=tuple(commands))
    return blocks


def _command(command: Command, others: Mapping[str, Procedure]) -> Iterator[Command]:
    """A command, after what a call of it requires."""
    if isinstance(command, Call):
        callee = others[command.procedure]
        # A free call checks nothing, and what it requires need not be so.
        requires = () if command.free else callee.requires
        yield from _ordered(_precondition(clause, command, callee) for clause in requires)
    yield command


def _precondition(clause: Clause, call: Call, callee: Procedure) -> Command | None:
    if clause.declared:
        return None
    given = dict(zip(callee.inputs, call.inputs, strict=True))
    if clause.free:
        return Assume(renamed(clause.assumption, given), call.where)
    related = ((clause.where, "This is the precondition that might not hold."),)
    condition = renamed(clause.condition, given)
    return Assert(condition, call.where, clause.message or PRECONDITION, related)


def _postcondition(clause: Clause, block: Block) -> Command | None:
    if clause.declared:
        return None
    if clause.free:
        return Assume(clause.assumption, block.end)
    related = ((clause.where, "This is the postcondition that might not hold."),)
    return Assert(clause.condition, block.end, clause.message or POSTCONDITION, related)


def _ordered(commands: Iterable[Command | None]) -> list[Command]:
    """The commands that there are: what is checked comes first."""
    found = [command for command in commands if command is not None]
    return sorted(found, key=lambda command: isinstance(command, Assume))
