"""SSA without merge nodes, and the transformers C and P: section 4 of "From Program to Logic".

    statement      C(st, phi)                        P(st, phi)
    if c {s}       C(s, phi && c)                    P(s, phi && c)
    s; t           C(s, phi) && C(t, phi)            P(s, phi) && P(t, phi)
    assert c       true                              phi ==> c
    v@a := e       v@a == (phi ? e : v@a-1)          true

Blocks are predicated: each has the condition phi under which it is executed.  All assignments of a
variable are numbered in one row, in the order of the blocks; one that is not executed keeps the
value.  What follows `assume c` is inside of `if c`.  Where paths meet again that were split by a
branch, and nothing was lost on the way, phi is that of the branch: then figure 3 comes out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from solvent.logic.branches import Branches, Edge, given_input
from solvent.logic.flat import Flat, FlatBlock, Unwind
from solvent.logic.layers import Unrolled
from solvent.logic.witnesses import Witness
from solvent.reach.graphs import dominators
from solvent.reach.passive import renamed
from solvent.reach.program import Assert, Assign, Assume, Call, Havoc, ProgramError, Variable
from solvent.terms import and_, eq, implies, ite, not_, or_
from solvent.terms.kinds import Concrete, Operand
from solvent.terms.kinds import Guard as Condition
from solvent.terms.model import Model

# How much of the executions that reach a block is there: all that is assumed has its own unit.
Mass = dict[int, Fraction]


@dataclass(frozen=True, slots=True)
class Line:
    """A statement of the SSA form, under conditions that are nested in each other."""

    conditions: tuple[Condition, ...]
    # An assignment has a new version, the value, and the version before; an assertion a condition.
    version: Variable | None = None
    value: Operand = False
    before: Operand = False
    asserted: Condition | None = None
    guard: Condition = True
    # Whether it is there to see that the bound is large enough.
    unwinding: bool = False


@dataclass(frozen=True, slots=True)
class Guard:
    """The condition under which a point is reached, also as nested conditions of `if`s."""

    condition: Condition
    nested: tuple[Condition, ...]
    mass: Mass

    def under(self, condition: Condition, mass: Mass) -> Guard:
        """What is inside of `if`."""
        if condition is True:
            return Guard(self.condition, self.nested, mass)
        return Guard(and_(self.condition, condition), (*self.nested, condition), mass)


@dataclass(slots=True)
class Encoding:
    """The SSA form of an unrolled program: its lines, and what executions can be read from."""

    unrolled: Unrolled
    lines: list[Line] = field(default_factory=list)
    # The guards of blocks, and of the edges between them.
    reached: dict[str, Guard] = field(default_factory=dict)
    edges: dict[str, list[tuple[str, Condition]]] = field(default_factory=dict)
    # What `havoc`s give, by block: for each one its variables with their inputs.
    given: dict[str, list[dict[Variable, Variable]]] = field(default_factory=dict)
    first: dict[Variable, Variable] = field(default_factory=dict)

    @property
    def assumptions(self) -> list[Condition]:
        """C(s, true): the conditional equalities."""
        return [
            eq(line.version, ite(line.guard, line.value, line.before))
            for line in self.lines
            if line.version is not None
        ]

    @property
    def assertions(self) -> list[Condition]:
        """P(s, true): what must hold, but for unwindings."""
        return [
            implies(line.guard, line.asserted)
            for line in self.lines
            if line.asserted is not None and not line.unwinding
        ]

    @property
    def fails(self) -> Condition:
        """The negation of C ==> P."""
        return and_([*self.assumptions, not_(and_(self.assertions))])

    @property
    def unwinds(self) -> Condition:
        """That some execution is longer than the bound."""
        longer = [line.guard for line in self.lines if line.unwinding]
        return and_([*self.assumptions, or_(longer)]) if longer else False

    def witness(self, model: Model) -> Witness:
        """The execution that a model describes."""
        flat = self.unrolled.flat
        path: list[str] = []
        given: list[Mapping[Variable, Concrete]] = []
        label: str | None = self.unrolled.entry
        while label is not None and label in self.unrolled.originals:
            path.append(self.unrolled.originals[label])
            given += [
                {variable: model.evaluate(one) for variable, one in row.items()}
                for row in self.given.get(label, ())
            ]
            ways = self.edges.get(label, [])
            label = next((t for t, guard in ways if model.evaluate(guard) is True), None)
        start = {v: model.evaluate(one) for v, one in self.first.items()}
        start.update({v: model.evaluate(v) for v in flat.inputs})
        return Witness(flat, path, start, given, {key: model[key] for key in model})


def encode(unrolled: Unrolled) -> Encoding:
    """The SSA form of an unrolled program.

    >>> from solvent.logic.flat import flatten
    >>> from solvent.logic.layers import unroll
    >>> from solvent.reach.program import Block, Procedure, Program
    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> commands = (Assume(x > 3), Assign((x,), (x + 1,)), Assert(x > 4))
    >>> p = Procedure("p", (), (), (x,), {"a": Block("a", commands, ())})
    >>> found = encode(unroll(flatten(Program((), {"p": p}), "p"), 0))
    >>> found.assumptions, found.assertions
    ([x@1 == ite(x@0 <= 3, x@0, x@0 + 1)], [x@0 <= 3 or x@1 > 4])
    """
    return _Encoder(unrolled).run()


class _Encoder:
    def __init__(self, unrolled: Unrolled) -> None:
        self.unrolled = unrolled
        self.blocks = unrolled.blocks
        self.branches = Branches(unrolled.blocks)
        self.result = Encoding(unrolled)
        self.versions: dict[Variable, int] = {}
        self.current: dict[Variable, Variable] = {}
        self.ends: dict[str, Guard] = {}
        self.units = iter(range(1 << 60))
        flat: Flat = unrolled.flat
        for variable in flat.variables:
            self.versions[variable] = 0
            self.current[variable] = variable.sort(f"{variable.name}@0")
        self.result.first = dict(self.current)

    def run(self) -> Encoding:
        graph = {label: block.targets for label, block in self.blocks.items()}
        above = dominators(graph, self.unrolled.entry)
        incoming: dict[str, list[tuple[Guard, Edge]]] = {label: [] for label in self.blocks}
        for label, block in self.blocks.items():
            guard = self.entry_guard(label, incoming[label], above)
            self.result.reached[label] = guard
            guard = self.block(block, guard, self.branches.is_test(label))
            self.ends[label] = guard
            edges = self.branches.edges(label)
            part = {unit: share / max(1, len(edges)) for unit, share in guard.mass.items()}
            ways = []
            for edge in edges:
                condition = renamed(edge.condition, self.current)
                inside = guard.under(condition, dict(part))
                incoming[edge.target].append((inside, edge))
                ways.append((edge.target, inside.condition))
            self.result.edges[label] = ways
        return self.result

    def entry_guard(
        self, label: str, incoming: list[tuple[Guard, Edge]], above: Mapping[str, str]
    ) -> Guard:
        """The guard of a block: of its only edge, of the branch that is over, or of any edge."""
        if not incoming:
            return Guard(True, (), {next(self.units): Fraction(1)})
        if len(incoming) == 1:
            return incoming[0][0]
        mass: Mass = {}
        for guard, _ in incoming:
            for unit, share in guard.mass.items():
                mass[unit] = mass.get(unit, Fraction(0)) + share
        branch = self.ends[above[label]]
        if mass == branch.mass:
            return Guard(branch.condition, branch.nested, mass)
        condition = or_([guard.condition for guard, _ in incoming])
        return Guard(condition, () if condition is True else (condition,), mass)

    def block(self, block: FlatBlock, guard: Guard, tested: bool) -> Guard:
        """Encode the steps of a block; the guard at its end."""
        place = 0
        for step in block.commands:
            match step:
                case Assume(condition):
                    if not tested:
                        guard = self.assume(condition, guard)
                    tested = False
                case Assert(condition):
                    self.check(renamed(condition, self.current), guard)
                case Assign(targets, values):
                    found = [renamed(value, self.current) for value in values]
                    for variable, value in zip(targets, found, strict=True):
                        self.assign(variable, value, guard)
                case Havoc(variables):
                    inputs = {v: given_input(v, block.label, place) for v in variables}
                    self.result.given.setdefault(block.label, []).append(inputs)
                    for variable, value in inputs.items():
                        self.assign(variable, value, guard)
                    place += 1
                case Unwind():
                    self.check(False, guard, unwinding=True)
                    return guard
                case Call(where=where):
                    raise ProgramError(f"{where}: calls must be inlined first")
        return guard

    def assume(self, condition: Condition, guard: Guard) -> Guard:
        """What follows is inside of `if`; part of the executions end here."""
        term = renamed(condition, self.current)
        if term is True:
            return guard
        return guard.under(term, {next(self.units): Fraction(1)})

    def check(self, condition: Condition, guard: Guard, unwinding: bool = False) -> None:
        self.result.lines.append(
            Line(guard.nested, asserted=condition, guard=guard.condition, unwinding=unwinding)
        )

    def assign(self, variable: Variable, value: Operand, guard: Guard) -> None:
        """v@a == (phi ? e : v@a-1)."""
        number = self.versions[variable] = self.versions[variable] + 1
        before, new = self.current[variable], variable.sort(f"{variable.name}@{number}")
        self.current[variable] = new
        self.result.lines.append(Line(guard.nested, new, value, before, guard=guard.condition))
