"""What threads do besides running: the procedures that Corral knows, and what may be interrupted.

A thread is started by `async call`, or as an arm of `par`.  Every command is one step, and so is a
procedure without a body, and what is between `corral_atomic_begin` and `corral_atomic_end`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace

from solvent.reach.graphs import predecessors
from solvent.reach.program import (
    ASSERTION,
    YIELD,
    Assign,
    Assume,
    Block,
    Call,
    Command,
    Havoc,
    Procedure,
    Program,
    ProgramError,
    Variable,
    old_value,
    read_by,
)
from solvent.terms import constants, not_
from solvent.terms.sorts import Sort
from solvent.terms.term import Term

ATOMIC_BEGIN, ATOMIC_END = "corral_atomic_begin", "corral_atomic_end"
THREAD_ID, CHILD_ID = "corral_getThreadID", "corral_getChildThreadID"
YIELDS = frozenset((YIELD, "corral_yield"))
PRIMITIVES = frozenset((ATOMIC_BEGIN, ATOMIC_END, THREAD_ID, CHILD_ID, *YIELDS))


@dataclass(frozen=True, slots=True)
class Bound:
    """Which schedules are searched: so many context switches at most, or so many rounds.

    In each round every thread may run once, in the order in which a run that goes into each thread
    where it is started gets to them.  That is how Corral counts.
    """

    switches: int | None = None
    rounds: int = 3
    # Whether threads are interrupted only where they yield, and where they start others.
    cooperative: bool = False

    @property
    def contexts(self) -> int:
        """How many copies of the shared variables there are."""
        return self.rounds if self.switches is None else self.switches + 1

    def __str__(self) -> str:
        if self.switches is not None:
            return f"{self.switches} context switch{'' if self.switches == 1 else 'es'}"
        return f"{self.rounds} round{'' if self.rounds == 1 else 's'}"


def is_primitive(name: str, program: Program) -> bool:
    """Whether a procedure is one of those that Corral knows; with a body it is the program's."""
    return name in PRIMITIVES and not program.procedure(name).blocks


def has_threads(program: Program) -> bool:
    """Whether a program starts threads, or asks about them.

    >>> has_threads(Program((), {"p": Procedure("p")}))
    False
    """
    return any(
        call.asynchronous or call.arms is not None or is_primitive(call.procedure, program)
        for procedure in program.procedures.values()
        for call in procedure.calls
    )


def shared_variables(program: Program) -> list[Variable]:
    """The global variables that threads share."""
    own = set(program.thread_local)
    return [variable for variable in program.globals if variable not in own]


def with_plain_steps(program: Program) -> Program:
    """The program in which loop invariants are commands, and arms follow upon each other."""

    def flat(block: Block) -> Block:
        commands: list[Command] = [clause.command(ASSERTION) for clause in block.invariants]
        arms: list[Command] = []
        for command in block.commands:
            if isinstance(command, Call) and command.arms is not None:
                arms.append(command)
                if command.arms == 0:
                    commands, arms = [*commands, *arms], []
            else:
                # What the arms require is checked before the first one.
                commands.append(command)
        return replace(block, commands=tuple(commands), invariants=())

    procedures = {
        name: replace(one, blocks={label: flat(block) for label, block in one.blocks.items()})
        for name, one in program.procedures.items()
    }
    return replace(program, procedures=procedures)


def arms_at(block: Block, first: int) -> list[Call]:
    """The arms of the parallel call that begins at a command of a block."""
    found: list[Call] = []
    for command in block.commands[first:]:
        assert isinstance(command, Call)
        found.append(command)
        if not command.arms:
            break
    return found


def touched(command: Command) -> set[Variable]:
    """The variables that a command reads or writes by itself."""
    found: set[Variable] = set(constants(*read_by([command])))
    match command:
        case Assign(targets):
            found.update(targets)
        case Havoc(variables):
            found.update(variables)
        case Call():
            found.update(command.outputs)
    return found


def contract_touches(procedure: Procedure, shared: Set[Variable]) -> bool:
    """Whether a procedure without a body has to do with shared variables."""
    conditions = [clause.assumption for clause in procedure.ensures]
    about = {*procedure.modifies, *constants(*conditions)}
    return any(variable in about or old_value(variable) in about for variable in shared)


@dataclass(frozen=True, slots=True)
class Tests:
    """The assumptions with which branches begin: nothing can happen between a branch and them."""

    # The blocks whose first command is such an assumption.
    blocks: frozenset[str]
    # The blocks that branch to them, where these are about shared variables, and others which
    # perhaps none of the branches can pass.
    shared: frozenset[str]
    partial: frozenset[str]


def branch_tests(blocks: Mapping[str, Block], shared: Set[Variable]) -> Tests:
    """The tests of branches in a procedure."""
    before = predecessors({label: block.targets for label, block in blocks.items()})
    found: list[set[str]] = [set(), set(), set()]
    for label, block in blocks.items():
        if len(block.targets) < 2:
            continue
        tests = {
            target: blocks[target].commands[0]
            for target in block.targets
            if len(before[target]) == 1
            and blocks[target].commands
            and isinstance(blocks[target].commands[0], Assume)
        }
        found[0].update(tests)
        if any(not shared.isdisjoint(touched(test)) for test in tests.values()):
            found[1].add(label)
        elif len(tests) == len(block.targets) and not _exhaustive(tests.values()):
            found[2].add(label)
    return Tests(*map(frozenset, found))


def _exhaustive(tests: Iterable[Command]) -> bool:
    """Whether two of the assumptions contradict each other, so that one always holds."""
    conditions = [test.condition for test in tests if isinstance(test, Assume)]
    return any(not_(one) is other for one in conditions for other in conditions)


def id_sort(program: Program) -> Sort[Term] | None:
    """The sort of the identities of threads, if anybody asks for them."""
    called = {call.procedure for one in program.procedures.values() for call in one.calls}
    names = [name for name in (THREAD_ID, CHILD_ID) if name in called]
    names = [name for name in names if is_primitive(name, program)]
    outputs = [program.procedure(name).outputs for name in names]
    for name, found in zip(names, outputs, strict=True):
        if len(found) != 1:
            raise ProgramError(f"{program.procedure(name).where}: {name} must have one result")
    sorts = {found[0].sort for found in outputs}
    if len(sorts) > 1:
        raise ProgramError(f"{THREAD_ID} and {CHILD_ID} must have results of the same type")
    return next(iter(sorts), None)
