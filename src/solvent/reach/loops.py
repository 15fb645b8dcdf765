"""Loops: cut with invariants, unrolled, or extracted into procedures that call themselves.

Engines want blocks without cycles.  Modular verification cuts loops: the invariants are asserted
where a loop is entered and where it goes back, and assumed after everything that the loop changes
has got any value.  Reachability extracts them: a loop becomes a procedure for some whole
iterations, so that the recursion bound bounds iterations as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import takewhile

from solvent.reach.graphs import IrreducibleError, Loop, loops
from solvent.reach.program import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Clause,
    Command,
    Havoc,
    Procedure,
    Program,
    ProgramError,
    Variable,
    assigned,
    old_value,
    read_by,
)
from solvent.terms import constants, substitute

Blocks = dict[str, Block]

ON_ENTRY = "This loop invariant might not hold on entry."
MAINTAINED = "This loop invariant might not be maintained by the loop."
INVARIANT = "This loop invariant might not hold."


def loops_of(procedure: Procedure) -> list[Loop]:
    """The loops of a procedure, inner ones first; irreducible ones are refused."""
    if not procedure.blocks:
        return []
    graph = {label: block.targets for label, block in procedure.blocks.items()}
    try:
        return loops(graph, procedure.entry)
    except IrreducibleError as error:
        where = procedure.blocks[error.edge[0]].where
        raise ProgramError(
            f"{where}: {procedure.name} jumps from {error.edge[0]} into the middle of a loop at "
            f"{error.edge[1]}; let the loop have one entry"
        ) from None


def _retargeted(block: Block, new: Callable[[str], str]) -> Block:
    return replace(block, targets=tuple(new(target) for target in block.targets))


def _dead(label: str, block: Block) -> Block:
    """A block that no execution gets through."""
    return Block(label, (Assume(False, block.where),), (), block.where, source="")


# --- cutting -----------------------------------------------------------------------------------


def cut(procedure: Procedure, program: Program) -> Procedure:
    """The procedure without loops, for modular verification.

    >>> from solvent.reach.program import Clause
    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> blocks = [
    ...     Block("a", (), ("h",)),
    ...     Block("h", (Assume(x > 0),), ("b", "e"), invariants=(Clause(x > -9),)),
    ...     Block("b", (Assign((x,), (x - 1,)),), ("h",)),
    ...     Block("e", (), ()),
    ... ]
    >>> p = Procedure("p", (x,), blocks={block.label: block for block in blocks})
    >>> print(cut(p, Program()).blocks["h"])
    h:
      havoc x;
      assume x > -9;
      assume x > 0;
      goto b, e;
    """
    procedure = _with_start(procedure)
    blocks = dict(procedure.blocks)
    for loop in loops_of(procedure):
        head = _with_asserted_invariants(blocks[loop.head])
        changed = assigned(_commands(blocks, loop.body), program)
        wheres = procedure.wheres
        start: list[Command] = [Havoc(tuple(changed), head.where)] if changed else []
        start += [Assume(wheres[one], head.where) for one in changed if one in wheres]
        start += [Assume(clause.assumption, clause.where) for clause in head.invariants]
        for label, block in list(blocks.items()):
            if loop.head in block.targets:
                _cut_edge(blocks, label, head, label in loop.body)
        blocks[loop.head] = replace(
            # A loop may be one block that leads to itself.
            head,
            commands=(*start, *head.commands),
            invariants=(),
            targets=blocks[loop.head].targets,
        )
    return replace(procedure, blocks=_reachable_first(blocks, procedure.entry))


def _with_asserted_invariants(head: Block) -> Block:
    """The head of a loop whose first assertions are invariants, as Boogie reads them."""
    invariants, commands = list(head.invariants), list(head.commands)
    for place, command in enumerate(commands):
        if isinstance(command, Assert) and command.condition is not False:
            clause = Clause(command.condition, False, command.where, aside=command.aside)
            invariants.append(clause)
            commands[place] = Assume(command.condition, command.where)
        elif not isinstance(command, Assume):
            break
    return replace(head, invariants=tuple(invariants), commands=tuple(commands))


def _with_start(procedure: Procedure) -> Procedure:
    """The same procedure with an entry that no loop goes back to."""
    if not any(procedure.entry in block.targets for block in procedure.blocks.values()):
        return procedure
    label = f"{procedure.entry} ~entry"
    start = Block(label, (), (procedure.entry,), procedure.where, source="")
    return replace(procedure, blocks={start.label: start, **procedure.blocks})


def _commands(blocks: Mapping[str, Block], body: Iterable[str]) -> list[Command]:
    return [command for label in body for command in blocks[label].commands]


def _cut_edge(blocks: Blocks, label: str, head: Block, back: bool) -> None:
    """Check the invariants on the edge from a block to the head of a loop."""
    message = MAINTAINED if back else ON_ENTRY
    checks: tuple[Command, ...] = tuple(
        Assume(clause.assumption, clause.where)
        if clause.free
        else Assert(
            clause.condition,
            clause.where,
            message,
            ((head.where, "This is the loop."),),
            clause.aside,
        )
        for clause in head.invariants
        if clause.always or not clause.free
    )
    between = f"{label} ~{head.label}"
    end: tuple[Command, ...] = (Assume(False, head.where),) if back else ()
    targets = () if back else (head.label,)
    blocks[label] = _retargeted(
        blocks[label], lambda target: between if target == head.label else target
    )
    blocks[between] = Block(between, (*checks, *end), targets, blocks[label].where, source="")


def with_free_invariants(program: Program) -> Program:
    """The program whose free loop invariants are assumed also where others are checked."""
    return replace(
        program,
        procedures={
            name: replace(
                procedure,
                blocks={
                    label: replace(block, invariants=tuple(map(_always, block.invariants)))
                    for label, block in procedure.blocks.items()
                },
            )
            for name, procedure in program.procedures.items()
        },
    )


def _always(clause: Clause) -> Clause:
    return replace(clause, always=clause.free)


def _reachable_first(blocks: Blocks, entry: str) -> Blocks:
    """The same blocks, the entry first."""
    return {entry: blocks[entry], **blocks}


# --- unrolling ---------------------------------------------------------------------------------


def unroll(procedure: Procedure, times: int) -> Procedure:
    """The procedure whose loops run at most so many iterations; longer executions are left out.

    An iteration goes from the head of a loop back to it.  After the last one the head may still be
    left, if it only tests something; invariants are checked there as well.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> blocks = [
    ...     Block("h", (), ("b", "e")),
    ...     Block("b", (Assume(x > 0), Assign((x,), (x - 1,))), ("h",)),
    ...     Block("e", (), ()),
    ... ]
    >>> p = Procedure("p", (x,), blocks={block.label: block for block in blocks})
    >>> list(unroll(p, 2).blocks)
    ['h', 'b', 'e', 'h#1', 'b#1', 'h#2']
    """
    blocks = dict(procedure.blocks)
    while True:
        found = loops_of(replace(procedure, blocks=blocks))
        if not found:
            return replace(procedure, blocks=_reachable_first(blocks, procedure.entry))
        _unroll_loop(blocks, found[0], times)


def _unroll_loop(blocks: Blocks, loop: Loop, times: int) -> None:
    original = {label: blocks[label] for label in blocks if label in loop.body}
    names: dict[tuple[str, int], str] = {}
    taken = set(blocks)
    for turn in range(times + 1):
        for label in original if turn < times else (loop.head,):
            name = f"{label}#{turn}" if turn else label
            while turn and name in taken:
                # An inner loop has left copies under the same name.
                name += "'"
            taken.add(name)
            names[label, turn] = name
    for label, block in original.items():
        if not times and label != loop.head:
            del blocks[label]
        for turn in range(times):
            targets = tuple(
                names[target, turn + (target == loop.head)] if target in loop.body else target
                for target in block.targets
            )
            _add_copy(blocks, block, names[label, turn], block.commands, targets)
    head = original[loop.head]
    tests = tuple(takewhile(lambda one: isinstance(one, (Assert, Assume)), head.commands))
    out = tuple(target for target in head.targets if target not in loop.body)
    if len(tests) < len(head.commands) or not out:
        tests, out = (*tests, Assume(False, head.where)), ()
    _add_copy(blocks, head, names[loop.head, times], tests, out)


def _add_copy(
    blocks: Blocks,
    block: Block,
    name: str,
    commands: tuple[Command, ...],
    targets: tuple[str, ...],
) -> None:
    """Add a copy of a block, in which invariants are assertions."""
    blocks[name] = replace(
        block,
        label=name,
        commands=(*_invariants(block), *commands),
        targets=targets,
        invariants=(),
        source=block.original,
    )


# --- extraction --------------------------------------------------------------------------------


def extract(program: Program) -> Program:
    """The program whose loops are procedures.

    A loop procedure runs any number of whole iterations.  What is left of the loop where it stood
    is the last iteration, in which it is left, or fails; so whole iterations need no assertions.
    """
    procedures: dict[str, Procedure] = {}
    for name, procedure in program.procedures.items():
        while found := loops_of(procedure):
            procedure, made = _extract_loop(procedure, found[0], program)
            procedures[made.name] = made
            program = replace(program, procedures={**program.procedures, made.name: made})
        procedures[name] = procedure
    return replace(program, procedures=procedures)


def loop_name(procedure: str, head: str) -> str:
    """The name of the procedure for a loop: a blank keeps it apart from those of a program."""
    return f"{procedure} ${head}"


def _extract_loop(
    procedure: Procedure, loop: Loop, program: Program
) -> tuple[Procedure, Procedure]:
    body = {label: procedure.blocks[label] for label in procedure.blocks if label in loop.body}
    # In the loop procedure `old` would mean the start of the loop: what it means here is passed on.
    kept = {
        old_value(variable): variable.sort(f"{old_value(variable).name} kept")
        for variable in program.globals
        if old_value(variable) in _used(_with_invariants(body))
    }
    body = {label: _renamed(block, kept) for label, block in body.items()}
    commands = _with_invariants(body)
    local = [*procedure.inputs, *procedure.outputs, *procedure.locals]
    changed = assigned(commands, program)
    carried = tuple(variable for variable in local if variable in changed)
    used = _used(commands)
    read = tuple(v for v in local if v in used and v not in changed)
    name = loop_name(procedure.name, loop.head)
    call = Call(name, (*carried, *read, *kept), carried, body[loop.head].where)
    again = replace(call, inputs=(*carried, *read, *kept.values()))
    made = Procedure(
        name,
        (*(loop_input(variable) for variable in carried), *read, *kept.values()),
        carried,
        (),
        _iterations(body, loop, carried, again),
        modifies=tuple(variable for variable in program.globals if variable in changed),
        where=body[loop.head].where,
    )
    return replace(procedure, blocks=_last_iteration(procedure, loop, call)), made


def _with_invariants(blocks: Mapping[str, Block]) -> list[Command]:
    """All commands of a loop, its invariants among them."""
    return [c for block in blocks.values() for c in (*_invariants(block), *block.commands)]


def _renamed(block: Block, names: Mapping[Variable, Variable]) -> Block:
    """A block that reads other variables in the place of some."""
    if not names:
        return block
    commands = tuple(_renamed_command(command, names) for command in block.commands)
    invariants = tuple(
        clause.mapped(lambda condition: substitute(condition, names)) for clause in block.invariants
    )
    return replace(block, commands=commands, invariants=invariants)


def _renamed_command(command: Command, names: Mapping[Variable, Variable]) -> Command:
    match command:
        case Assume(condition) | Assert(condition):
            return replace(command, condition=substitute(condition, names))
        case Assign(_, values):
            return replace(command, values=tuple(substitute(value, names) for value in values))
        case Call(inputs=inputs):
            return replace(command, inputs=tuple(substitute(value, names) for value in inputs))
        case _:
            return command


def _used(commands: Iterable[Command]) -> set[Variable]:
    return set(constants(*read_by(commands)))


def loop_input(variable: Variable) -> Variable:
    """What a loop procedure calls the value that a variable has before it."""
    return variable.sort(f"{variable.name} in")


def _iterations(body: Blocks, loop: Loop, carried: tuple[Variable, ...], call: Call) -> Blocks:
    """The blocks of a loop procedure: none or one iteration, and again."""
    where = body[loop.head].where
    start, done, again = (f"{loop.head} ~{part}" for part in ("start", "done", "again"))
    taken = Assign(carried, tuple(map(loop_input, carried)), where)
    blocks = {
        start: Block(start, (taken,) if carried else (), (done, loop.head), where, source=""),
        done: Block(done, (), (), where, source=""),
        again: Block(again, (call,), (), where, source=""),
    }
    for label, block in body.items():
        targets = tuple(
            again if target == loop.head else target
            for target in block.targets
            if target in loop.body
        )
        commands = tuple(map(_assumed, (*_invariants(block), *block.commands)))
        if not targets:
            commands = (*commands, Assume(False, block.where))
        blocks[label] = replace(block, commands=commands, targets=targets, invariants=())
    return blocks


def _assumed(command: Command) -> Command:
    if isinstance(command, Assert):
        return Assume(command.condition, command.where)
    return command


def _invariants(block: Block) -> list[Command]:
    """The invariants of a loop as assertions and assumptions at its head."""
    return [clause.command(INVARIANT) for clause in block.invariants]


def _last_iteration(procedure: Procedure, loop: Loop, call: Call) -> Blocks:
    """The blocks of the procedure: the call of the loop, then the iteration that leaves it."""
    head = procedure.blocks[loop.head]
    last, end = f"{loop.head} ~last", f"{loop.head} ~end"
    blocks: Blocks = {}
    for label, block in procedure.blocks.items():
        if label in loop.body:
            block = _retargeted(block, lambda target: end if target == loop.head else target)
        if label == loop.head:
            blocks[label] = Block(label, (call,), (last,), block.where, source="")
            commands = (*_invariants(block), *block.commands)
            block = replace(
                block, label=last, commands=commands, invariants=(), source=block.original
            )
        blocks[block.label] = block
    blocks[end] = _dead(end, head)
    return blocks
