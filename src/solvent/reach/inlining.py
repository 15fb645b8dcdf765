"""Inlining for modular verification: calls of some procedures are replaced by their bodies.

Each procedure has a depth: so many calls of it may be inside of each other.  What becomes of a call
that is deeper is the `Limit`.  Contracts of inlined procedures are checked where they are called,
loops and positions are those of the bodies, and labels and variables are named as Boogie does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import overload

from solvent.depth import deep_recursion
from solvent.reach.passive import renamed
from solvent.reach.program import (
    POSTCONDITION,
    PRECONDITION,
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Command,
    Expression,
    Havoc,
    Procedure,
    Program,
    ProgramError,
    Variable,
    is_aside,
    old_value,
    read_by,
)
from solvent.terms import constants
from solvent.terms.kinds import Guard

# More blocks than this in one procedure help nobody.
MOST_BLOCKS = 200_000


class Limit(Enum):
    """What becomes of a call whose depth is reached."""

    ASSUME = "assume"  # executions do not go there
    ASSERT = "assert"  # going there is an error
    SPEC = "spec"  # the call is what its contract says


@dataclass(frozen=True, slots=True)
class Inlined:
    """The program after inlining, and the executions that it leaves out.

    `cut` has the procedures with calls that `Limit.ASSUME` leaves out, and what is called there.
    """

    program: Program
    cut: Mapping[str, tuple[str, ...]]


def inline(
    program: Program,
    depths: Mapping[str, int],
    limit: Limit = Limit.ASSUME,
    names: Iterable[str] | None = None,
    deepest: int | None = None,
) -> Inlined:
    """Inline calls in some procedures, or in all, and at most `deepest` inside of each other.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> p = Procedure("p", (x,), blocks={"a": Block("a", (Assert(x > 0),), ())})
    >>> q = Procedure("q", (y,), blocks={"b": Block("b", (Call("p", (y + 1,)),), ())})
    >>> print(inline(Program((), {"p": p, "q": q}), {"p": 1}).program.procedures["q"])
    procedure q(y: Int) {
      var inline$p$0$x: Int;
    b:
      goto inline$p$0$Entry;
    inline$p$0$Entry:
      inline$p$0$x := y + 1;
      goto inline$p$0$a;
    inline$p$0$a:
      assert inline$p$0$x > 0;
      goto inline$p$0$Return;
    inline$p$0$Return:
      goto b$1;
    b$1:
      return;
    }
    """
    procedures = dict(program.procedures)
    cut: dict[str, tuple[str, ...]] = {}
    for name in program.procedures if names is None else names:
        inliner = _Inliner(program, depths, limit, program.procedure(name), deepest)
        with deep_recursion():
            procedures[name] = inliner.run()
        if inliner.cut:
            cut[name] = tuple(inliner.cut)
    return Inlined(replace(program, procedures=procedures), cut)


@dataclass(slots=True)
class _Inliner:
    """Inlines the calls in one procedure."""

    program: Program
    depths: Mapping[str, int]
    limit: Limit
    root: Procedure
    deepest: int | None = None
    # How many calls the current one is inside of.
    inside: int = 0
    # How many more calls of each procedure may be inside of the current ones.
    left: dict[str, int] = field(default_factory=dict)
    # How many instances of each procedure there are.
    instances: dict[str, int] = field(default_factory=dict)
    locals: list[Variable] = field(default_factory=list)
    wheres: dict[Variable, Guard] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    cut: dict[str, None] = field(default_factory=dict)
    count: int = 0

    def run(self) -> Procedure:
        """The procedure after inlining."""
        root = self.root
        if not any(self.is_inlined(call) for call in root.calls):
            return root
        self.left = dict(self.depths)
        known = (*self.program.globals, *root.inputs, *root.outputs, *root.locals)
        self.names = {variable.name for variable in known}
        blocks = self.expanded(root.blocks.values())
        return replace(
            root,
            blocks={block.label: block for block in blocks},
            locals=(*root.locals, *self.locals),
            wheres={**root.wheres, **self.wheres},
        )

    def is_inlined(self, call: Call) -> bool:
        """Whether calls of a procedure are inlined, as long as the depth allows."""
        return call.procedure in self.depths and bool(self.program.procedure(call.procedure).blocks)

    def expanded(self, blocks: Iterable[Block]) -> list[Block]:
        """Blocks with their calls inlined; what follows a call is a block of its own."""
        found: list[Block] = []
        for block in blocks:
            label, commands, number = block.label, list[Command](), 0
            for command in block.commands:
                if not isinstance(command, Call) or not self.is_inlined(command):
                    commands.append(command)
                elif self.left[command.procedure] <= 0 or self.inside == self.deepest:
                    commands.append(self.beyond(command))
                else:
                    number += 1
                    after = self.label(f"{block.label}${number}")
                    body = self.instance(command, after)
                    found.append(_part(block, label, commands, (body[0].label,)))
                    found += body
                    label, commands = after, []
            found.append(_part(block, label, commands, block.targets))
            self.count += number + 1
            if self.count > MOST_BLOCKS:
                raise ProgramError(
                    f"{self.root.where}: inlining makes {self.root.name} larger than "
                    f"{MOST_BLOCKS:,} blocks; use smaller numbers in {{:inline N}}"
                )
        return found

    def beyond(self, call: Call) -> Command:
        """What becomes of a call whose depth is reached."""
        if self.limit is Limit.SPEC:
            return call
        if self.limit is Limit.ASSERT:
            callee = self.program.procedure(call.procedure)
            related = ((callee.where, "This procedure is inlined no deeper."),)
            return Assert(False, call.where, related=related)
        self.cut[call.procedure] = None
        return Assume(False, call.where)

    def instance(self, call: Call, after: str) -> list[Block]:
        """The blocks of a callee, inlined themselves; the first one is the entry."""
        name = call.procedure
        callee = self.program.procedure(name)
        number = self.instances.get(name, 0)
        self.instances[name] = number + 1
        prefix = f"inline${name}${number}"
        while any(label.startswith(f"{prefix}$") for label in self.root.blocks):
            # The program has labels as if something were inlined already.
            prefix += "'"
        made = _Instance(callee, prefix, self)
        blocks = made.blocks(call, after)
        self.left[name] -= 1
        self.inside += 1
        blocks = self.expanded(blocks)
        self.inside -= 1
        self.left[name] += 1
        return blocks

    def label(self, wanted: str) -> str:
        """A label that no block of the procedure has."""
        while wanted in self.root.blocks:
            wanted += "'"
        return wanted

    def local(self, variable: Variable, prefix: str) -> Variable:
        """A new local variable for one of an inlined procedure."""
        name = f"{prefix}${variable.name}"
        while name in self.names:
            name += "'"
        self.names.add(name)
        self.locals.append(variable.sort(name))
        return self.locals[-1]


def _part(block: Block, label: str, commands: list[Command], targets: tuple[str, ...]) -> Block:
    """A part of a block; its invariants belong to the first one."""
    invariants = block.invariants if label == block.label else ()
    return replace(
        block, label=label, commands=tuple(commands), targets=targets, invariants=invariants
    )


class _Instance:
    """One inlined procedure: its variables under new names."""

    def __init__(self, callee: Procedure, prefix: str, inliner: _Inliner) -> None:
        self.callee = callee
        self.prefix = prefix
        own = (*callee.inputs, *callee.outputs, *callee.locals)
        self.names: dict[Variable, Variable] = {v: inliner.local(v, prefix) for v in own}
        # What is not changed has its old value.
        self.names.update({old_value(g): g for g in inliner.program.globals})
        self.saved: dict[Variable, Variable] = {}
        used = _used(callee)
        for variable in callee.modifies:
            if old_value(variable) in used:
                self.saved[variable] = inliner.local(variable, prefix)
                self.names[old_value(variable)] = self.saved[variable]
        inliner.wheres.update(
            (self.names.get(variable, variable), self.term(condition))
            for variable, condition in callee.wheres.items()
        )

    @overload
    def term(self, expression: Guard) -> Guard: ...
    @overload
    def term(self, expression: Expression) -> Expression: ...

    def term(self, expression: Expression) -> Expression:
        """An expression of the callee over the new names."""
        return renamed(expression, self.names)

    def variables(self, variables: Iterable[Variable]) -> tuple[Variable, ...]:
        """Variables of the callee under their new names; global ones have no others."""
        return tuple(self.names.get(variable, variable) for variable in variables)

    def label(self, label: str) -> str:
        """A label of the callee."""
        return f"{self.prefix}${label}"

    def own(self, label: str) -> str:
        """A label that the callee does not have."""
        while label in self.callee.blocks:
            label += "'"
        return label

    def blocks(self, call: Call, after: str) -> list[Block]:
        """The entry, the body, and the return to the caller."""
        callee = self.callee
        entry = Block(
            self.label(self.own("Entry")),
            tuple(self.begin(call)),
            (self.label(callee.entry),),
            callee.where,
        )
        results = self.variables(callee.outputs)
        end: list[Command] = [Assign(call.outputs, results, call.where)] if results else []
        last = Block(self.label(self.own("Return")), tuple(end), (after,), call.where)
        return [entry, *map(self.block, callee.blocks.values()), last]

    def begin(self, call: Call) -> Iterable[Command]:
        """Inputs get their values, preconditions are checked, other variables get any values."""
        callee, where = self.callee, call.where
        if callee.inputs:
            yield Assign(self.variables(callee.inputs), call.inputs, where)
        for clause in callee.requires:
            if clause.free:
                if clause.always:
                    yield Assume(self.term(clause.assumption), where)
            elif not call.free:
                related = ((clause.where, "This is the precondition that might not hold."),)
                condition = self.term(clause.condition)
                aside = is_aside(call.subsumption, condition)
                yield Assert(condition, where, PRECONDITION, related, aside)
        other = (*callee.outputs, *callee.locals)
        if other:
            yield Havoc(self.variables(other), where)
        if self.saved:
            yield Assign(tuple(self.saved.values()), tuple(self.saved), where)

    def block(self, block: Block) -> Block:
        """A block of the body; where it returns, postconditions are checked."""
        commands = [*map(self.command, block.commands)]
        targets = tuple(map(self.label, block.targets))
        if not block.targets:
            targets = (self.label(self.own("Return")),)
            for clause in self.callee.ensures:
                if clause.free:
                    if clause.always:
                        commands.append(Assume(self.term(clause.assumption), block.end))
                else:
                    related = ((clause.where, "This is the postcondition that might not hold."),)
                    condition = self.term(clause.condition)
                    checked = (condition, block.end, POSTCONDITION, related, clause.aside)
                    commands.append(Assert(*checked))
        return replace(
            block,
            label=self.label(block.label),
            commands=tuple(commands),
            targets=targets,
            invariants=tuple(clause.mapped(self.term) for clause in block.invariants),
        )

    def command(self, command: Command) -> Command:
        """A command of the body."""
        match command:
            case Assume(condition) | Assert(condition):
                return replace(command, condition=self.term(condition))
            case Assign(targets, values):
                new = tuple(self.term(value) for value in values)
                return replace(command, targets=self.variables(targets), values=new)
            case Havoc(variables):
                return replace(command, variables=self.variables(variables))
            case Call(inputs=inputs, outputs=outputs):
                given = tuple(self.term(value) for value in inputs)
                return replace(command, inputs=given, outputs=self.variables(outputs))


def _used(procedure: Procedure) -> set[Variable]:
    """The constants that a procedure and its contract mention."""
    clauses = [*procedure.requires, *procedure.ensures]
    for block in procedure.blocks.values():
        clauses += block.invariants
    conditions: list[Guard] = [one for c in clauses for one in (c.condition, c.assumption)]
    return set(constants(*conditions, *read_by(procedure.commands)))
