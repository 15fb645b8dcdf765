"""Variable abstraction: section 6 of "Reachability Modulo Theories".

Only some global variables are *tracked*.  What depends on another one is any value, and what is
assumed about another one is not assumed, so that the abstract program has more executions than the
program.  Its blocks and calls are those of the program: an execution can be followed there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from solvent.reach.program import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Clause,
    Command,
    Expression,
    Havoc,
    Procedure,
    Program,
    Variable,
    old_value,
)
from solvent.terms import and_, conjuncts, constants
from solvent.terms.kinds import Guard
from solvent.terms.term import Term


def asserted(program: Program) -> set[Variable]:
    """The global variables in assertions and invariants, with which tracking starts."""
    found: set[Variable] = set()
    for procedure in program.procedures.values():
        for command in procedure.commands:
            if isinstance(command, Assert):
                found.update(constants(command.condition))
        for block in procedure.blocks.values():
            found.update(constants(*(clause.condition for clause in block.invariants)))
    known = {variable: variable for variable in program.globals}
    known.update({old_value(variable): variable for variable in program.globals})
    return {known[variable] for variable in found if variable in known}


def abstract(program: Program, tracked: Iterable[Variable]) -> Program:
    """The program in which only some global variables have values.

    >>> from solvent.terms import Int
    >>> x, y, z = Int("x"), Int("y"), Int("z")
    >>> commands = (Assign((x, y), (y + z, 1)), Assume((y > 0) & (z > 0)))
    >>> p = Procedure("p", (z,), blocks={"a": Block("a", commands, ())}, modifies=(x, y))
    >>> print(abstract(Program((x, y), {"p": p}), [x]))
    var x: Int;
    procedure p(z: Int) {
    a:
      havoc x;
      assume z > 0;
      return;
    }
    """
    kept = set(tracked)
    return _Abstraction(program, kept).run()


@dataclass(slots=True)
class _Abstraction:
    program: Program
    tracked: set[Variable]
    lost: set[Variable] = field(default_factory=set)

    def run(self) -> Program:
        away = [variable for variable in self.program.globals if variable not in self.tracked]
        self.lost = {*away, *map(old_value, away)}
        if not away:
            return self.program
        procedures = {
            name: self.procedure(found) for name, found in self.program.procedures.items()
        }
        kept = tuple(variable for variable in self.program.globals if variable in self.tracked)
        return replace(self.program, globals=kept, procedures=procedures)

    def procedure(self, procedure: Procedure) -> Procedure:
        """A procedure that does not know what is not tracked."""
        extra: dict[Variable, None] = {}
        blocks = {label: self.block(block, extra) for label, block in procedure.blocks.items()}
        return replace(
            procedure,
            blocks=blocks,
            locals=(*procedure.locals, *extra),
            requires=self.clauses(procedure.requires),
            ensures=self.clauses(procedure.ensures),
            modifies=tuple(v for v in procedure.modifies if v in self.tracked),
        )

    def clauses(self, clauses: Iterable[Clause]) -> tuple[Clause, ...]:
        """What is known of conditions."""
        return tuple(clause.mapped(self.known) for clause in clauses)

    def known(self, condition: Guard) -> Guard:
        """The parts of a condition that depend on tracked variables only."""
        return and_([part for part in conjuncts(condition) if self.knows(part)])

    def block(self, block: Block, extra: dict[Variable, None]) -> Block:
        commands = [made for found in block.commands for made in self.command(found, extra)]
        return replace(block, commands=tuple(commands), invariants=self.clauses(block.invariants))

    def knows(self, *expressions: Expression) -> bool:
        """Whether expressions depend on tracked variables only."""
        return self.lost.isdisjoint(constants(*expressions))

    def command(self, command: Command, extra: dict[Variable, None]) -> Iterator[Command]:
        """What is left of a command."""
        match command:
            case Assume(condition, where):
                known = self.known(condition)
                if known is not True:
                    yield Assume(known, where)
            case Assert(condition):
                # What is asserted is tracked.
                yield command
            case Assign(targets, values, where):
                pairs = [
                    pair for pair in zip(targets, values, strict=True) if pair[0] not in self.lost
                ]
                kept = [pair for pair in pairs if self.knows(pair[1])]
                rest = tuple(target for target, value in pairs if not self.knows(value))
                if kept:
                    yield Assign(tuple(v for v, _ in kept), tuple(e for _, e in kept), where)
                if rest:
                    yield Havoc(rest, where)
            case Havoc(variables, where):
                left = tuple(variable for variable in variables if variable not in self.lost)
                if left:
                    yield Havoc(left, where)
            case Call():
                yield from self.call(command, extra)

    def call(self, call: Call, extra: dict[Variable, None]) -> Iterator[Command]:
        """A call: unknown arguments are any values, and what is not tracked gets no results."""
        inputs = list(call.inputs)
        unknown: list[Variable] = []
        for place, value in enumerate(inputs):
            if not self.knows(value):
                assert isinstance(value, Term)
                unknown.append(value.sort(f"{call.procedure} input {place}"))
                inputs[place] = unknown[-1]
        outputs = tuple(
            variable.sort(f"{variable.name} result") if variable in self.lost else variable
            for variable in call.outputs
        )
        extra.update(dict.fromkeys(unknown))
        extra.update(
            {new: None for new, old in zip(outputs, call.outputs, strict=True) if new is not old}
        )
        if unknown:
            yield Havoc(tuple(unknown), call.where)
        yield replace(call, inputs=tuple(inputs), outputs=outputs)
