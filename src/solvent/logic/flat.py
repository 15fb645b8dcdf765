"""One procedure for the whole program: calls are inlined, and the source program is not forgotten.

Bounded model checking, symbolic model checking and test generation read this form.  A recursive
call that is too deep becomes an *unwinding* (section 4), or stays a call.  Between the commands
stand `Tell`s, which are no logic: they say what an interpreter of the source program has to be told
there, so that every execution of the flat program can be confirmed by running the source program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from solvent.depth import deep_recursion
from solvent.reach.executions import Begin, End, Enter
from solvent.reach.graphs import components
from solvent.reach.loops import INVARIANT
from solvent.reach.passive import renamed
from solvent.reach.program import (
    NOWHERE,
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Command,
    Havoc,
    Position,
    Procedure,
    Program,
    ProgramError,
    Variable,
    old_value,
    read_by,
)
from solvent.reach.search import called, with_bodies
from solvent.terms import constants
from solvent.terms.kinds import Guard

# A flat program with more blocks is given up.
MOST_BLOCKS = 10_000


class TooLarge(ProgramError):
    """Inlining makes the program too large."""


@dataclass(frozen=True, slots=True)
class Tell:
    """An event of the source program; `given` has its variables with those of the flat program."""

    event: Begin | End | Enter | None = None
    given: Mapping[Variable, Variable] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unwind:
    """Executions that get here are longer than the bound."""

    where: Position = NOWHERE

    def __str__(self) -> str:
        return "assert false; // unwinding"


Step = Command | Tell | Unwind


@dataclass(frozen=True, slots=True)
class FlatBlock:
    """Steps, and the labels of the blocks that may come next; without any it returns."""

    label: str
    steps: tuple[Step, ...]
    targets: tuple[str, ...]

    @property
    def commands(self) -> list[Step]:
        """The steps that are logic."""
        return [step for step in self.steps if not isinstance(step, Tell)]

    def __str__(self) -> str:
        last = f"goto {', '.join(self.targets)};" if self.targets else "return;"
        return "\n".join([f"{self.label}:", *(f"  {one}" for one in (*self.commands, last))])


@dataclass(frozen=True, slots=True)
class Flat:
    """A program as one procedure; the entry is the first block."""

    # The source program, with the procedures that are called; all of them have bodies.
    source: Program
    main: str
    blocks: Mapping[str, FlatBlock]
    # What never changes, and what may.
    inputs: tuple[Variable, ...]
    variables: tuple[Variable, ...]

    @property
    def entry(self) -> str:
        """The label of the first block."""
        return next(iter(self.blocks))

    @property
    def graph(self) -> dict[str, tuple[str, ...]]:
        """The labels, with those that may come next."""
        return {label: block.targets for label, block in self.blocks.items()}

    @property
    def is_cut(self) -> bool:
        """Whether longer executions are left out."""
        return any(isinstance(s, Unwind) for b in self.blocks.values() for s in b.steps)

    def __str__(self) -> str:
        return "\n".join(map(str, self.blocks.values()))


def with_called(program: Program, main: str) -> Program:
    """The program with the procedures only that may be called; each has a body."""
    program.procedure(main)
    return with_bodies(called(program, main))


def recursive(program: Program) -> set[str]:
    """The procedures that may call themselves."""
    graph = program.call_graph
    found: set[str] = set()
    for component in components(graph):
        if len(component) > 1 or component[0] in graph[component[0]]:
            found.update(component)
    return found


def flatten(program: Program, main: str, depth: int = 1, keep: Iterable[str] = ()) -> Flat:
    """The program as one procedure; calls of procedures to `keep` stay calls.

    A recursive procedure may be active `depth` times; deeper calls are unwindings.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> p = Procedure("p", (x,), blocks={"a": Block("a", (Assert(x > 0),), ())})
    >>> q = Procedure("q", (y,), blocks={"b": Block("b", (Call("p", (y + 1,)),), ())})
    >>> print(flatten(Program((), {"p": p, "q": q}), "q"))
    b:
      p(1).x := y + 1;
      goto p(1).a;
    p(1).a:
      assert p(1).x > 0;
      goto b .1;
    b .1:
      return;
    """
    if not program.procedure(main).blocks:
        raise ProgramError(f"the procedure {main} has no body to analyse")
    source = with_called(program, main)
    with deep_recursion():
        return _Flattener(source, main, depth, set(keep)).run()


def flatten_deep(program: Program, main: str, depth: int) -> Flat:
    """The same, as deep as the size allows."""
    flat = flatten(program, main)
    deeper = 2
    while flat.is_cut and deeper <= depth and len(flat.blocks) < MOST_BLOCKS // 20:
        try:
            flat = flatten(program, main, deeper)
        except TooLarge:
            break
        deeper *= 2
    return flat


class _Flattener:
    def __init__(self, source: Program, main: str, depth: int, keep: set[str]) -> None:
        self.source = source
        self.main = main
        self.depth = depth
        self.keep = keep
        self.recursive = recursive(source)
        self.blocks: dict[str, FlatBlock] = {}
        self.variables: dict[Variable, None] = {}
        self.instances: dict[str, int] = {}
        self.active: dict[str, int] = {}

    def run(self) -> Flat:
        procedure = self.source.procedure(self.main)
        own = (*procedure.locals, *procedure.outputs)
        self.variables = dict.fromkeys((*own, *self.source.globals))
        names = {v: v for v in (*procedure.inputs, *self.variables)}
        start: list[Step] = [Tell(Begin(self.main)), Tell(None, dict(names))]
        start += self.saved(procedure, {old_value(g): old_value(g) for g in self.source.globals})
        start += [Assume(clause.assumption, clause.where) for clause in procedure.requires]
        self.active[self.main] = 1
        self.body(procedure, {}, "", start, None)
        return Flat(self.source, self.main, self.blocks, procedure.inputs, tuple(self.variables))

    def saved(self, procedure: Procedure, names: Mapping[Variable, Variable]) -> list[Step]:
        """The values that global variables have at the entry, if they are asked for later."""
        used = _used(procedure)
        asked = [g for g in self.source.globals if old_value(g) in used]
        self.variables.update(dict.fromkeys(names[old_value(g)] for g in asked))
        if not asked:
            return []
        return [Assign(tuple(names[old_value(g)] for g in asked), tuple(asked), procedure.where)]

    def body(
        self,
        procedure: Procedure,
        names: Mapping[Variable, Variable],
        prefix: str,
        start: list[Step],
        after: str | None,
    ) -> None:
        """Add the blocks of an instance of a procedure; it returns to the block `after`."""
        order = [procedure.entry, *(one for one in procedure.blocks if one != procedure.entry)]
        for label in order:
            block = procedure.blocks[label]
            self.block(block, names, prefix, start if label == procedure.entry else [], after)
            if len(self.blocks) > MOST_BLOCKS:
                raise TooLarge(f"the program has more than {MOST_BLOCKS:,} blocks")

    def block(
        self,
        block: Block,
        names: Mapping[Variable, Variable],
        prefix: str,
        start: list[Step],
        after: str | None,
    ) -> None:
        first = label = f"{prefix}{block.label}"
        if start and any(block.label in one.targets for one in self.outermost):
            # What happens at the start happens once, though a loop may come back to the entry.
            before = f"{label} ~start"
            self.blocks[before] = FlatBlock(before, tuple(start), (label,))
            start = []
        steps: list[Step] = [*start, Tell(Enter(block.label))]
        for clause in block.invariants:
            found = clause.mapped(lambda condition: renamed(condition, names))
            steps.append(found.command(INVARIANT))
        number = 0
        # The place of the block comes before those of what it calls.
        self.blocks[label] = FlatBlock(label, (), ())
        for command in block.commands:
            if not isinstance(command, Call) or command.procedure in self.keep:
                steps += _command(command, names)
            elif self.too_deep(command.procedure):
                steps.append(Unwind(command.where))
            else:
                number += 1
                following = f"{first} .{number}"
                self.blocks[label] = FlatBlock(label, (), ())
                inner = self.inner(command.procedure)
                entry, given = self.call(command, names, inner, following)
                self.blocks[label] = FlatBlock(label, (*steps, *given), (entry,))
                label, steps = following, self.returned(command, names, inner)
                self.blocks[label] = FlatBlock(label, (), ())
        targets = tuple(f"{prefix}{target}" for target in dict.fromkeys(block.targets))
        if not targets and after is not None:
            targets = (after,)
        if any(isinstance(step, Unwind) for step in steps):
            place = next(k for k, step in enumerate(steps) if isinstance(step, Unwind))
            steps, targets = steps[: place + 1], ()
        self.blocks[label] = FlatBlock(label, tuple(steps), targets)

    @property
    def outermost(self) -> Iterable[Block]:
        """The blocks of the first procedure."""
        return self.source.procedure(self.main).blocks.values()

    def too_deep(self, name: str) -> bool:
        return name in self.recursive and self.active.get(name, 0) >= self.depth

    def inner(self, name: str) -> dict[Variable, Variable]:
        """The variables of a new instance of a procedure."""
        callee = self.source.procedure(name)
        number = self.instances[name] = self.instances.get(name, 0) + 1
        own = (*callee.inputs, *callee.outputs, *callee.locals)
        return {v: v.sort(f"{name}({number}).{v.name}") for v in own}

    def call(
        self,
        call: Call,
        names: Mapping[Variable, Variable],
        inner: dict[Variable, Variable],
        after: str,
    ) -> tuple[str, list[Step]]:
        """Add the body of a callee: the label of its first block, and the steps before it."""
        callee = self.source.procedure(call.procedure)
        prefix = f"{callee.name}({self.instances[callee.name]})."
        olds = {old_value(g): g.sort(f"{prefix}{old_value(g).name}") for g in self.source.globals}
        self.variables.update(dict.fromkeys(inner.values()))
        steps: list[Step] = []
        if callee.inputs:
            values = tuple(renamed(value, names) for value in call.inputs)
            steps.append(Assign(tuple(inner[v] for v in callee.inputs), values, call.where))
        steps += self.saved(callee, olds)
        other = {v: inner[v] for v in (*callee.outputs, *callee.locals)}
        if other:
            steps.append(Havoc(tuple(other.values()), call.where))
        steps += [Tell(Begin(callee.name)), Tell(None, other)]
        self.active[callee.name] = self.active.get(callee.name, 0) + 1
        self.body(callee, {**inner, **olds}, prefix, [], after)
        self.active[callee.name] -= 1
        return f"{prefix}{callee.entry}", steps

    def returned(
        self, call: Call, names: Mapping[Variable, Variable], inner: Mapping[Variable, Variable]
    ) -> list[Step]:
        """The steps after a call."""
        callee = self.source.procedure(call.procedure)
        steps: list[Step] = [Tell(End(callee.name))]
        if call.outputs:
            values = tuple(inner[v] for v in callee.outputs)
            targets = tuple(names.get(v, v) for v in call.outputs)
            steps.append(Assign(targets, values, call.where))
        return steps


def _command(command: Command, names: Mapping[Variable, Variable]) -> list[Step]:
    """A command over the variables of an instance."""
    match command:
        case Assume(condition) | Assert(condition):
            return [replace(command, condition=renamed(condition, names))]
        case Assign(targets, values):
            new = tuple(names.get(v, v) for v in targets)
            given = tuple(renamed(value, names) for value in values)
            return [replace(command, targets=new, values=given)]
        case Havoc(variables):
            made = {v: names.get(v, v) for v in variables}
            return [replace(command, variables=tuple(made.values())), Tell(None, made)]
        case Call(inputs=inputs, outputs=outputs):
            given = tuple(renamed(value, names) for value in inputs)
            return [replace(command, inputs=given, outputs=tuple(names.get(v, v) for v in outputs))]


def _used(procedure: Procedure) -> set[Variable]:
    """The constants that the blocks of a procedure mention."""
    found: list[Guard] = [clause.assumption for clause in procedure.requires]
    for block in procedure.blocks.values():
        found += [
            one for clause in block.invariants for one in (clause.condition, clause.assumption)
        ]
    return set(constants(*found, *read_by(procedure.commands)))
