"""Control-flow-graph programs: the language of figure 1, with contracts and assertions.

Variables are constants of terms, and expressions are terms over them.  The value that a global
variable `g` had when its procedure was entered is the constant that `old_value(g)` names.

>>> from solvent.terms import Int
>>> x = Int("x")
>>> block = Block("start", (Havoc((x,)), Assume(x > 3), Assign((x,), (x + 1,))), ())
>>> print(block)
start:
  havoc x;
  assume x > 3;
  x := x + 1;
  return;
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from solvent.errors import SolventError, shortened
from solvent.reach.positions import NOWHERE as NOWHERE
from solvent.reach.positions import Position as Position
from solvent.reach.positions import some_names
from solvent.terms.graph import reachable
from solvent.terms.kinds import Guard, Operand
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.term import Term, TermT

# A constant of a term: what a program can assign.
Variable = Term
# A term, or a concrete value.
Expression = Operand


class ProgramError(SolventError, ValueError):
    """A program that an engine cannot read, with a position."""


# What was checked is assumed then as Boogie counts: 0 never, 1 without quantifiers, 2 always.
NEVER, ALWAYS = 0, 2
# What failing assertions are called.
ASSERTION = "This assertion might not hold."
PRECONDITION = "A precondition for this call might not hold."
POSTCONDITION = "A postcondition might not hold on this return path."

# The procedure that `yield` calls: a name that no procedure of a program has.
YIELD = "yield"


def old_value(variable: TermT) -> TermT:
    """The constant for the value of a global variable at the entry of the procedure.

    >>> from solvent.terms import Int
    >>> old_value(Int("g"))
    old(g)
    """
    return variable.sort(f"old({variable.name})")  # type: ignore[return-value]


# --- commands ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assume:
    """Executions go on only where the condition holds."""

    condition: Guard
    where: Position = NOWHERE
    # Whether assertions of a procedure that checks some of its own only count from here on.
    starts: bool = False

    def __str__(self) -> str:
        return f"assume {self.condition};"


@dataclass(frozen=True, slots=True)
class Assert:
    """The execution fails where the condition does not hold."""

    condition: Guard
    where: Position = NOWHERE
    # What to say if it fails, and where else to look: at a contract, for instance.
    message: str = ASSERTION
    related: tuple[tuple[Position, str], ...] = ()
    # Whether modular verification does not assume afterwards that it held.
    aside: bool = False

    def __str__(self) -> str:
        return f"assert {self.condition};"


@dataclass(frozen=True, slots=True)
class Assign:
    """All targets get their values at the same time."""

    targets: tuple[Variable, ...]
    values: tuple[Expression, ...]
    where: Position = NOWHERE

    def __str__(self) -> str:
        return f"{_listed(self.targets)} := {_listed(self.values)};"


@dataclass(frozen=True, slots=True)
class Havoc:
    """Variables get any values."""

    variables: tuple[Variable, ...]
    where: Position = NOWHERE

    def __str__(self) -> str:
        return f"havoc {_listed(self.variables)};"


@dataclass(frozen=True, slots=True)
class Call:
    """A procedure call."""

    procedure: str
    inputs: tuple[Expression, ...] = ()
    outputs: tuple[Variable, ...] = ()
    where: Position = NOWHERE
    # A free call does not check the preconditions.
    free: bool = False
    # Whether it starts a thread, and goes on at once.
    asynchronous: bool = False
    # In a parallel call, whose arms are threads that are waited for: how many arms follow.
    arms: int | None = None
    # Which preconditions modular verification assumes after it has checked them.
    subsumption: int = ALWAYS

    def __str__(self) -> str:
        results = f"{_listed(self.outputs)} := " if self.outputs else ""
        word = "free call" if self.free else "async call" if self.asynchronous else "call"
        word = word if self.arms is None else "par call"
        return f"{word} {results}{self.procedure}({_listed(self.inputs)});"


Command = Assume | Assert | Assign | Havoc | Call


def _listed(items: Sequence[object]) -> str:
    return ", ".join(map(str, items))


# --- blocks and procedures ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition of a contract or of a loop; a free one is assumed, but never checked."""

    condition: Guard
    free: bool = False
    where: Position = NOWHERE
    message: str = ""
    # What is assumed where the clause is, if that is weaker than what is checked.
    assumed: Guard | None = None
    # Whether it comes from the declaration of a variable, and so is about any value of it only.
    declared: bool = False
    # Whether a free one is assumed where it would be checked, if it were not free.
    always: bool = False
    # Whether modular verification does not assume that it held, where it has checked it.
    aside: bool = False

    @property
    def assumption(self) -> Guard:
        """What may be assumed."""
        return self.condition if self.assumed is None else self.assumed

    def command(self, message: str) -> Command:
        """The clause where it stands: a free one is assumed, another one is checked."""
        if self.free:
            return Assume(self.assumption, self.where)
        return Assert(self.condition, self.where, self.message or message)

    def mapped(self, change: Callable[[Guard], Guard]) -> Clause:
        """The clause with other conditions."""
        assumed = None if self.assumed is None else change(self.assumed)
        return replace(self, condition=change(self.condition), assumed=assumed)


@dataclass(frozen=True, slots=True)
class Block:
    """Commands, and the labels of the blocks that may come next; without any it returns."""

    label: str
    commands: tuple[Command, ...]
    targets: tuple[str, ...]
    where: Position = NOWHERE
    # If this is the head of a loop: what holds whenever it is reached.
    invariants: tuple[Clause, ...] = ()
    # Where it ends, for a return.
    ends: Position | None = None
    # The block of the source program that this one is, or a part of; itself if it is not said.
    source: str | None = None

    @property
    def original(self) -> str:
        """The label of this block in the source program; empty if there is none."""
        return self.label if self.source is None else self.source

    @property
    def end(self) -> Position:
        """Where the block ends."""
        return self.where if self.ends is None else self.ends

    def __str__(self) -> str:
        last = f"goto {', '.join(self.targets)};" if self.targets else "return;"
        lines = [*map(str, self.commands), last]
        return f"{self.label}:\n" + "\n".join(f"  {line}" for line in lines)


@dataclass(frozen=True, slots=True)
class Procedure:
    """A procedure; without blocks it does whatever its contract allows."""

    name: str
    inputs: tuple[Variable, ...] = ()
    outputs: tuple[Variable, ...] = ()
    locals: tuple[Variable, ...] = ()
    blocks: Mapping[str, Block] = field(default_factory=dict)
    requires: tuple[Clause, ...] = ()
    ensures: tuple[Clause, ...] = ()
    # The global variables that calls may change.
    modifies: tuple[Variable, ...] = ()
    where: Position = NOWHERE
    # What is assumed of variables whenever they get any value.
    wheres: Mapping[Variable, Guard] = field(default_factory=dict)
    # Whether only those assertions are checked that are reached from where checking starts.
    selective: bool = False

    @property
    def entry(self) -> str:
        """The label of the first block."""
        return next(iter(self.blocks))

    @property
    def commands(self) -> Iterator[Command]:
        """All commands, block by block."""
        for block in self.blocks.values():
            yield from block.commands

    @property
    def calls(self) -> list[Call]:
        """All calls."""
        return [command for command in self.commands if isinstance(command, Call)]

    def __str__(self) -> str:
        head = f"procedure {self.name}({_declared(self.inputs)})"
        if self.outputs:
            head += f" returns ({_declared(self.outputs)})"
        if not self.blocks:
            return f"{head};"
        variables = [f"  var {_declared([variable])};" for variable in self.locals]
        return "\n".join([f"{head} {{", *variables, *map(str, self.blocks.values()), "}"])


def _declared(variables: Sequence[Variable]) -> str:
    return ", ".join(f"{variable}: {variable.sort}" for variable in variables)


@dataclass(frozen=True, slots=True)
class Program:
    """Global variables, procedures, and axioms about functions and constants."""

    globals: tuple[Variable, ...] = ()
    procedures: Mapping[str, Procedure] = field(default_factory=dict)
    axioms: tuple[Guard, ...] = ()
    # The global variables of which each thread has its own.
    thread_local: tuple[Variable, ...] = ()

    def procedure(self, name: str) -> Procedure:
        """The procedure of a name."""
        if name not in self.procedures:
            known = some_names(sorted(self.procedures))
            raise ProgramError(f"there is no procedure {shortened(name)!r}; there are: {known}")
        return self.procedures[name]

    @property
    def call_graph(self) -> dict[str, list[str]]:
        """For each procedure the names of those that it calls."""
        return {
            name: [call.procedure for call in procedure.calls]
            for name, procedure in self.procedures.items()
        }

    def __str__(self) -> str:
        lines = [f"var {_declared([variable])};" for variable in self.globals]
        lines += [f"axiom {axiom};" for axiom in self.axioms]
        return "\n".join([*lines, *map(str, self.procedures.values())])


def assigned(commands: Iterable[Command], program: Program) -> dict[Variable, None]:
    """The variables that commands may change, calls included, in the order in which they occur.

    They are the keys of a dictionary: `in` of a list would compare terms.
    """
    found: dict[Variable, None] = {}
    for command in commands:
        match command:
            case Assign(targets):
                found.update(dict.fromkeys(targets))
            case Havoc(variables):
                found.update(dict.fromkeys(variables))
            case Call(name, _, outputs):
                found.update(dict.fromkeys(outputs))
                found.update(dict.fromkeys(program.procedure(name).modifies))
    return found


def read_by(commands: Iterable[Command]) -> list[Expression]:
    """The expressions that commands evaluate.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> read_by([Assume(x > 3), Assign((x,), (y + 1,)), Havoc((y,))])
    [x > 3, y + 1]
    """
    found: list[Expression] = []
    for command in commands:
        match command:
            case Assume(condition) | Assert(condition):
                found.append(condition)
            case Assign(_, values):
                found += values
            case Call(inputs=inputs):
                found += inputs
    return found


def has_quantifiers(condition: Expression) -> bool:
    """Whether a condition contains a quantifier.

    >>> from solvent.terms import Function, Int, forall
    >>> x, f = Int("x"), Function("f", [Int], Int)
    >>> has_quantifiers(forall([x], f(x) > x)), has_quantifiers(True)
    (True, False)
    """
    return any(term.op.base in QUANTIFIERS for term in reachable([condition]))


def is_aside(subsumption: int, condition: Guard) -> bool:
    """Whether a condition is not assumed after it was checked, at a level of subsumption.

    >>> is_aside(NEVER, True), is_aside(1, True), is_aside(ALWAYS, True)
    (True, False, False)
    """
    return subsumption == NEVER or (subsumption != ALWAYS and has_quantifiers(condition))


def quantified(program: Program) -> bool:
    """Whether there are quantifiers anywhere in a program."""
    conditions = [
        found.condition
        for procedure in program.procedures.values()
        for found in (*procedure.requires, *procedure.ensures, *procedure.commands)
        if isinstance(found, (Assume, Assert, Clause))
    ]
    return any(map(has_quantifiers, (*program.axioms, *conditions)))
