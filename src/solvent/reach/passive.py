"""Passification: variables become incarnations that are assigned at most once on each path.

Assignments become assumptions (figure 4 of "Reachability Modulo Theories", figure 2 of "From
Program to Logic").  Where paths meet with different incarnations of a variable that is still used,
the assumption that they are equal is put at the end of the blocks before, or into a new block on
the edge where such a block leads elsewhere too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import overload

from solvent.reach.graphs import postorder, predecessors, topological
from solvent.reach.program import (
    NOWHERE,
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
    ProgramError,
    Variable,
    assigned,
    old_value,
)
from solvent.terms import and_, constants, eq, substitute
from solvent.terms.kinds import Guard, Operand
from solvent.terms.term import Term

# For each variable its incarnation.
Incarnations = Mapping[Variable, Variable]


@dataclass(frozen=True, slots=True)
class Statement:
    """An assumption or assertion over incarnations."""

    condition: Guard
    is_assert: bool = False
    # The command that it comes from, which may be several; None if paths meet here.
    origin: Command | None = None
    # The variables that the command gives values to, with their new incarnations.
    values: tuple[tuple[Variable, Variable], ...] = ()
    message: str = ""
    where: Position = NOWHERE
    related: tuple[tuple[Position, str], ...] = ()
    # Whether an assertion is not assumed by what follows.
    aside: bool = False

    def __str__(self) -> str:
        return f"{'assert' if self.is_assert else 'assume'} {self.condition};"


@dataclass(frozen=True, slots=True)
class PassiveBlock:
    """Statements, and where they lead."""

    label: str
    statements: tuple[Statement, ...]
    targets: tuple[str, ...]
    where: Position = NOWHERE

    def __str__(self) -> str:
        last = f"goto {', '.join(self.targets)};" if self.targets else "return;"
        lines = [*map(str, self.statements), last]
        return f"{self.label}:\n" + "\n".join(f"  {line}" for line in lines)


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call that stays open: `taken` says whether it happens."""

    taken: Guard
    procedure: str
    # The values of the inputs, and of all global variables.
    inputs: tuple[Operand, ...]
    before: Mapping[Variable, Operand]
    # The incarnations of the outputs, and of the global variables that may change.
    outputs: tuple[Operand, ...]
    after: Mapping[Variable, Operand]
    label: str = ""
    where: Position = NOWHERE


@dataclass(frozen=True, slots=True)
class Passive:
    """A procedure in passive form; its blocks come in topological order."""

    procedure: Procedure
    blocks: Mapping[str, PassiveBlock]
    # What variables are at the entry and, where it was asked for, at every return.
    entry_values: Incarnations
    exit_values: Incarnations
    calls: tuple[CallSite, ...] = ()

    @property
    def entry(self) -> str:
        """The label of the first block."""
        return next(iter(self.blocks))

    def __str__(self) -> str:
        return "\n".join(map(str, self.blocks.values()))


@dataclass(slots=True)
class Maker:
    """Makes the incarnations of one procedure."""

    counts: dict[Variable, int] = field(default_factory=dict)

    def fresh(self, variable: Variable) -> Variable:
        """The next incarnation of a variable."""
        number = self.counts.get(variable, 0)
        self.counts[variable] = number + 1
        return variable.sort(f"{variable.name}@{number}")


# What becomes of a call: statements, the new incarnations, and a call site if it stays open.
CallRule = Callable[
    ["Call", dict[Variable, Variable], Maker],
    tuple[list[Statement], dict[Variable, Variable], CallSite | None],
]


@overload
def renamed(expression: Guard, incarnations: Mapping[Variable, Operand]) -> Guard: ...
@overload
def renamed(expression: Expression, incarnations: Mapping[Variable, Operand]) -> Expression: ...


def renamed(expression: Expression, incarnations: Mapping[Variable, Operand]) -> Expression:
    """An expression over incarnations."""
    if not isinstance(expression, Term):
        return expression
    used = {v: incarnations[v] for v in constants(expression) if v in incarnations}
    return substitute(expression, used) if used else expression


# --- liveness ----------------------------------------------------------------------------------


def used_by(command: Command, program: Program) -> set[Variable]:
    """The variables that a command reads."""
    match command:
        case Assume(condition) | Assert(condition):
            return set(constants(condition))
        case Assign(_, values):
            return set(constants(*values))
        case Call(inputs=inputs):
            # The procedure may read all global variables.
            return {*constants(*inputs), *program.globals}
        case _:
            return set()


def live_at_entry(
    procedure: Procedure, program: Program, at_exit: Iterable[Variable]
) -> dict[str, set[Variable]]:
    """For each block the variables whose values may be used in it or after it."""
    graph = {label: block.targets for label, block in procedure.blocks.items()}
    last = set(at_exit)
    found: dict[str, set[Variable]] = {}
    for label in postorder(graph, procedure.entry):
        block = procedure.blocks[label]
        live = set().union(*(found[target] for target in block.targets)) if block.targets else last
        live = set(live)
        for command in reversed(block.commands):
            if isinstance(command, (Assign, Havoc)):
                live.difference_update(assigned((command,), program))
            elif isinstance(command, Call):
                live.difference_update(command.outputs)
            live |= used_by(command, program)
        found[label] = live
    return found


# --- passification -----------------------------------------------------------------------------


def passify(
    procedure: Procedure,
    program: Program,
    call: CallRule | None = None,
    results: bool = False,
) -> Passive:
    """The passive form of a procedure without loops.

    With `results`, constants for the outputs and the changed global variables are equal to their
    last incarnations at every return; `call` says what becomes of calls.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> one = Block("a", (Assign((x,), (x + 1,)), Assign((x,), (x * 2,)), Assert(x > 0)), ())
    >>> print(passify(Procedure("p", (x,), blocks={"a": one}), Program()))
    a:
      assume x + 1 == x@0;
      assume x@0 * 2 == x@1;
      assert x@1 > 0;
      return;
    """
    return _Passifier(procedure, program, call, results).run()


class _Passifier:
    def __init__(
        self, procedure: Procedure, program: Program, call: CallRule | None, results: bool
    ) -> None:
        self.procedure = procedure
        self.program = program
        self.call = call
        self.maker = Maker()
        self.results = [*procedure.outputs, *procedure.modifies] if results else []
        self.exits = {v: v.sort(f"{v.name}@exit") for v in self.results}
        self.statements: dict[str, list[Statement]] = {}
        self.out: dict[str, dict[Variable, Variable]] = {}
        # The incarnations that a block itself has made, until a join uses them.
        self.own: dict[str, set[Variable]] = {}
        self.edges: dict[tuple[str, str], list[Statement]] = {}
        self.places: dict[Variable, int] = {}
        self.sites: list[CallSite] = []

    def run(self) -> Passive:
        blocks = self.procedure.blocks
        graph = {label: block.targets for label, block in blocks.items()}
        order = topological(graph, self.procedure.entry)
        self.before = predecessors({label: graph[label] for label in order})
        self.live = live_at_entry(self.procedure, self.program, self.results)
        start = self.entry_values()
        self.places = {variable: place for place, variable in enumerate(start)}
        for label in order:
            missing = [parent for parent in self.before[label] if parent not in self.out]
            if missing:
                raise ProgramError(
                    f"{blocks[label].where}: there is a loop at {label} in {self.procedure.name}; "
                    "cut or unroll loops first"
                )
            self.block(blocks[label], self.met(label) if self.before[label] else dict(start))
        return Passive(self.procedure, self.assembled(order), start, self.exits, tuple(self.sites))

    def entry_values(self) -> dict[Variable, Variable]:
        procedure, program = self.procedure, self.program
        variables = (
            *program.globals,
            *procedure.inputs,
            *procedure.outputs,
            *procedure.locals,
        )
        start = {variable: variable for variable in variables}
        return {**start, **{old_value(g): g for g in program.globals}}

    def met(self, label: str) -> dict[Variable, Variable]:
        """The incarnations of what is still used where all paths to a block have met."""
        before = self.before[label]
        maps = [self.out[parent] for parent in before]
        # In the order of the program, whatever the order of the set is.
        live = sorted(self.live[label] & self.places.keys(), key=self.places.__getitem__)
        merged = {variable: maps[0][variable] for variable in live}
        if len(before) == 1:
            return merged
        for variable in live:
            found = [known[variable] for known in maps]
            if all(one is found[0] for one in found[1:]):
                continue
            merged[variable] = joined = self.shared(variable, label, found)
            for parent, one in zip(before, found, strict=True):
                if one is not joined:
                    equal = Statement(eq(joined, one), values=((variable, joined),))
                    self.edges.setdefault((parent, label), []).append(equal)
        return merged

    def shared(self, variable: Variable, label: str, found: Sequence[Variable]) -> Variable:
        """One incarnation for all: one that a block made which leads only here, or a new one."""
        for parent, one in zip(self.before[label], found, strict=True):
            if one in self.own[parent] and len(self.procedure.blocks[parent].targets) == 1:
                self.own[parent].discard(one)
                return one
        return self.maker.fresh(variable)

    def block(self, block: Block, known: dict[Variable, Variable]) -> None:
        """Passify the commands of a block."""
        statements: list[Statement] = []
        own: set[Variable] = set()
        for command in block.commands:
            new, site = self.command(command, known, statements)
            known.update(new)
            own.update(new.values())
            if site is not None:
                self.sites.append(replace(site, label=block.label))
        if not block.targets and self.exits:
            pairs = [(variable, final) for variable, final in self.exits.items()]
            condition = and_([eq(final, known[variable]) for variable, final in pairs])
            statements.append(Statement(condition, values=tuple(pairs)))
        self.statements[block.label] = statements
        self.out[block.label] = known
        self.own[block.label] = own

    def command(
        self, command: Command, known: dict[Variable, Variable], statements: list[Statement]
    ) -> tuple[dict[Variable, Variable], CallSite | None]:
        """Append the statements of a command; the new incarnations, and a call site if any."""
        new: dict[Variable, Variable] = {}
        match command:
            case Assume(condition, where):
                statements.append(Statement(renamed(condition, known), origin=command, where=where))
            case Assert(condition, where, message, related, aside):
                condition = renamed(condition, known)
                given = (condition, True, command, (), message, where, related, aside)
                statements.append(Statement(*given))
            case Assign(targets, values, where):
                found = [renamed(value, known) for value in values]
                new = {target: self.maker.fresh(target) for target in targets}
                equal = [eq(new[v], value) for v, value in zip(targets, found, strict=True)]
                statements.append(
                    Statement(and_(equal), False, command, tuple(new.items()), where=where)
                )
            case Havoc(variables, where):
                new = {variable: self.maker.fresh(variable) for variable in variables}
                statements.append(Statement(True, False, command, tuple(new.items()), where=where))
            case Call(where=where):
                if self.call is None:
                    raise ProgramError(f"{where}: there is a call, and nothing to do with it")
                made, new, site = self.call(command, known, self.maker)
                statements += made
                return new, site
        return new, None

    def assembled(self, order: Sequence[str]) -> dict[str, PassiveBlock]:
        """The blocks, with the equalities of joins at their ends or on their edges."""
        result: dict[str, PassiveBlock] = {}
        for label in order:
            block = self.procedure.blocks[label]
            statements = self.statements[label]
            targets = list(dict.fromkeys(block.targets))
            between: list[PassiveBlock] = []
            for place, target in enumerate(targets):
                equal = self.edges.get((label, target), [])
                if equal and len(targets) == 1:
                    statements = [*statements, *equal]
                elif equal:
                    name = f"{label}->{target}"
                    between.append(PassiveBlock(name, tuple(equal), (target,), block.where))
                    targets[place] = name
            result[label] = PassiveBlock(label, tuple(statements), tuple(targets), block.where)
            result.update({one.label: one for one in between})
        return result
