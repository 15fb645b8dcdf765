"""Procedures of threads, written for a sequential program: every step may be interrupted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from solvent.reach.positions import Position
from solvent.reach.program import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Command,
    Expression,
    Havoc,
    Procedure,
    Variable,
)
from solvent.reach.threads.contexts import (
    ATOMIC,
    FAILED,
    FAILURE,
    NEXT,
    NOW,
    STOPPED,
    Contexts,
)
from solvent.reach.threads.primitives import (
    ATOMIC_BEGIN,
    ATOMIC_END,
    CHILD_ID,
    THREAD_ID,
    YIELDS,
    arms_at,
    touched,
)
from solvent.reach.threads.source import Source
from solvent.terms import BoolTerm, IntTerm, ite, not_, or_


@dataclass(frozen=True, slots=True)
class Place:
    """What a block of the sequential program is in the program with threads.

    `enter` begins a block, `move` is a context switch before a command, or (`storing`) before the
    results of a call are stored, `stop` where a thread never goes on, `spawn` starts a thread,
    `never` one that does not get to run, and `resume` is where it goes on after a parallel call.
    """

    kind: str
    label: str
    index: int = 0
    storing: bool = False


class Writer:
    """Writes the blocks of one procedure."""

    def __init__(self, source: Source, contexts: Contexts, procedure: Procedure) -> None:
        self.source, self.contexts, self.procedure = source, contexts, procedure
        self.tests = source.tests[procedure.name]
        self.shared = set(contexts.shared)
        self.has_atomic = source.has_atomic
        self.blocks: dict[str, Block] = {}
        self.places: dict[str, Place] = {}
        self.local: dict[Variable, None] = {NEXT: None}
        self.numbers = 0
        self.block = next(iter(procedure.blocks.values()))
        self.label, self.commands = "", list[Command]()

    def run(self) -> Procedure:
        """The procedure, with its variables."""
        for block in self.procedure.blocks.values():
            self.write(block)
        local = (*self.procedure.locals, *self.local)
        return replace(self.procedure, blocks=self.blocks, locals=local)

    # --- blocks ---

    def begin(self, label: str, place: Place | None = None) -> None:
        """Start a block."""
        self.label, self.commands = label, []
        if place is not None:
            self.places[label] = place

    def finish(self, *targets: str) -> None:
        """End the open block."""
        block = self.block
        self.blocks[self.label] = Block(
            self.label, tuple(self.commands), targets, block.where, ends=block.ends
        )

    def fresh(self, kind: str) -> str:
        """A label that no block of the program has."""
        self.numbers += 1
        return f"{self.block.label} {kind} {self.numbers}"

    def held(self, variable: Variable, what: str) -> Variable:
        """A local variable for the value of another one."""
        self.numbers += 1
        made = variable.sort(f"{variable.name} {what} {self.numbers}")
        self.local[made] = None
        return made

    def give(self, new: dict[Variable, Expression], where: Position) -> None:
        """Assign, if there is something to assign."""
        if new:
            self.commands.append(Assign(tuple(new), tuple(new.values()), where))

    def write(self, block: Block) -> None:
        """Write a block."""
        self.block = block
        self.begin(block.label, Place("enter", block.label))
        commands, index = block.commands, 0
        while index < len(commands):
            command = commands[index]
            if isinstance(command, Call) and command.arms is not None:
                index = self.parallel(index)
                continue
            tested = index == 0 and block.label in self.tests.blocks
            self.command(command, index, tested)
            index += 1
        where = block.end
        if block.label in self.tests.shared:
            self.point(index, where)
        elif block.label in self.tests.partial:
            self.point(index, where, moves=False)
        self.finish(*block.targets)

    # --- switches ---

    def point(
        self,
        index: int,
        where: Position,
        *,
        moves: bool = True,
        storing: bool = False,
        yields: bool = False,
    ) -> None:
        """A place before a command where the thread may be interrupted, or stop for good."""
        if self.contexts.bound.cooperative and not yields:
            return
        stay, stop = self.fresh("stay"), self.fresh("stop")
        move = [self.fresh("move")] if moves and self.contexts.bound.contexts > 1 else []
        self.finish(stay, *move, stop)
        self.begin(stop, Place("stop", self.block.label, index, storing))
        self.outside_atomic(where)
        self.give({STOPPED: True}, where)
        self.finish()
        for label in move:
            self.begin(label, Place("move", self.block.label, index, storing))
            self.outside_atomic(where)
            self.commands += self.contexts.next_after(NOW, where, strict=True)
            self.commands += self.contexts.put_away(where)
            self.commands += self.contexts.go_to(NEXT, where)
            self.finish(stay)
        self.begin(stay)

    def outside_atomic(self, where: Position) -> None:
        """Nothing is interrupted in an atomic block."""
        if self.has_atomic:
            self.commands.append(Assume(not_(ATOMIC), where))

    def is_shared(self, command: Command) -> bool:
        """Whether a command has to do with shared variables."""
        return not self.shared.isdisjoint(touched(command))

    # --- commands ---

    def command(self, command: Command, index: int, tested: bool) -> None:
        """Write a command, after a place where it may be interrupted if that makes a difference."""
        match command:
            case Assume(condition, where):
                if not tested and condition is not True:
                    # What does not hold stops the thread, but not the others.
                    self.point(index, where, moves=self.is_shared(command))
                self.commands.append(command)
            case Assert(condition, where):
                if condition is not True:
                    self.check(command, index)
            case Call():
                self.call(command, index)
            case _:
                if self.is_shared(command):
                    self.point(index, command.where)
                self.commands.append(command)

    def check(self, command: Assert, index: int) -> None:
        """An assertion: what fails stops the thread, and one failure is enough."""
        where = command.where
        if self.is_shared(command):
            self.point(index, where)
        passed, failed = self.fresh("passed"), self.fresh("failed")
        self.finish(passed, failed)
        self.begin(failed)
        self.commands.append(Assume(not_(command.condition), where))
        self.commands.append(Assume(not_(FAILED), where))
        self.give({FAILED: True, FAILURE: NOW, STOPPED: True}, where)
        self.finish()
        self.begin(passed)
        self.commands.append(Assume(command.condition, where))

    def call(self, command: Call, index: int) -> None:
        """A call, which may stop the thread, or start another one."""
        where = command.where
        if self.source.calls_primitive(command):
            self.primitive(command, index)
        elif command.asynchronous:
            self.spawn(command, index)
        elif command.procedure in self.source.by_contract:
            if self.is_shared(command) or command.procedure in self.source.sharing:
                self.point(index, where)
            self.commands.append(command)
        else:
            if not self.shared.isdisjoint(touched(replace(command, outputs=()))):
                self.point(index, where)
            stored = {v: self.held(v, "result") for v in command.outputs if v in self.shared}
            outputs = tuple(stored.get(v, v) for v in command.outputs)
            self.commands.append(replace(command, outputs=outputs))
            if command.procedure in self.source.stopping:
                self.leave(where)
            if stored:
                self.point(index, where, storing=True)
                self.give({**stored}, where)

    def leave(self, where: Position) -> None:
        """Return if the thread has stopped."""
        out, on = self.fresh("out"), self.fresh("on")
        self.finish(out, on)
        self.begin(out)
        self.commands.append(Assume(STOPPED, where))
        self.finish()
        self.begin(on)
        self.commands.append(Assume(not_(STOPPED), where))

    def primitive(self, command: Call, index: int) -> None:
        """A call of a procedure that Corral knows."""
        where = command.where
        if command.procedure in YIELDS:
            self.point(index, where, yields=True)
        elif command.procedure == ATOMIC_BEGIN:
            self.point(index, where)
            self.give({ATOMIC: True}, where)
        elif command.procedure == ATOMIC_END:
            self.give({ATOMIC: False}, where)
        elif command.procedure in (THREAD_ID, CHILD_ID):
            if self.is_shared(command):
                self.point(index, where)
            found = self.contexts.identities
            assert found is not None
            value = found.now if command.procedure == THREAD_ID else found.child
            self.give(dict.fromkeys(command.outputs, value), where)

    # --- threads ---

    def spawn(self, command: Call, index: int) -> None:
        """Start a thread: it runs here, through all of its contexts, or never."""
        where = command.where
        if self.contexts.identities is not None or self.is_shared(command):
            self.point(index, where)
        given = self.inputs([command], where)[0]
        number = self.numbered(1, where)[0]
        kept = self.kept(where)
        after = self.fresh("after")
        self.thread(command, given, number, kept, index, after)
        self.commands += self.contexts.put_away(where)
        self.commands += self.contexts.go_to(_number(kept[NOW]), where)
        self.give({**{v: held for v, held in kept.items() if v is not NOW}, STOPPED: False}, where)
        self.finish(after)
        self.begin(after)
        if self.contexts.bound.cooperative:
            self.point(index + 1, where, yields=True)

    def inputs(self, calls: Sequence[Call], where: Position) -> list[tuple[Variable, ...]]:
        """The arguments of calls, before anything else happens."""
        procedures = self.source.program.procedures
        found = [
            tuple(self.held(v, "of thread") for v in procedures[call.procedure].inputs)
            for call in calls
        ]
        values = [value for call in calls for value in call.inputs]
        targets = [variable for variables in found for variable in variables]
        self.give(dict(zip(targets, values, strict=True)), where)
        return found

    def numbered(self, threads: int, where: Position) -> list[Expression]:
        """The identities of new threads."""
        found = self.contexts.identities
        if found is None:
            return [0] * threads
        held = [self.held(found.count, "started") for _ in range(threads)]
        numbers = [found.count + found.number(place + 1) for place in range(threads)]  # type: ignore
        last = numbers[-1]
        new = {**dict(zip(held, numbers, strict=True)), found.child: last, found.count: last}
        self.give(new, where)
        return list(held)

    def kept(self, where: Position) -> dict[Variable, Variable]:
        """What a thread has for itself, and its context, kept while others run."""
        found = {v: self.held(v, "kept") for v in (NOW, *self.contexts.own)}
        self.give({held: variable for variable, held in found.items()}, where)
        return found

    def thread(
        self,
        command: Call,
        given: tuple[Variable, ...],
        number: Expression,
        kept: dict[Variable, Variable],
        index: int,
        after: str,
        outputs: tuple[Variable, ...] = (),
    ) -> None:
        """Run a new thread from the context that is kept on; `after` is where to go without."""
        where, found = command.where, self.contexts.identities
        never, start = self.fresh("never"), self.fresh("spawn")
        self.finish(never, start)
        self.begin(never, Place("never", self.block.label, index))
        self.finish(after)
        waits = command.arms is not None
        self.begin(start, Place("spawn", self.block.label, index, waits))
        self.commands += self.contexts.next_after(_number(kept[NOW]), where, strict=False)
        self.commands += self.contexts.put_away(where)
        self.commands += self.contexts.go_to(NEXT, where)
        self.give({ATOMIC: False}, where)
        if found is not None:
            self.give({found.now: number, found.child: found.number(0)}, where)
        own = self.source.program.thread_local
        if own:
            wheres = self.source.program.procedure(command.procedure).wheres
            self.commands.append(Havoc(own, where))
            self.commands += [Assume(wheres[v], where) for v in own if v in wheres]
        self.commands.append(Call(command.procedure, given, outputs, where))

    def parallel(self, first: int) -> int:
        """A parallel call: all arms are threads, and this one waits until they have ended."""
        arms = arms_at(self.block, first)
        where, last = arms[0].where, first + len(arms) - 1
        self.point(first, where)
        self.outside_atomic(where)
        given, numbers = self.inputs(arms, where), self.numbered(len(arms), where)
        kept = self.kept(where)
        latest, dead = self.held(NOW, "latest"), self.held(STOPPED, "arm")
        self.give({latest: NOW, dead: False}, where)
        results = [tuple(self.held(v, "arm") for v in call.outputs) for call in arms]
        for place, call in enumerate(arms):
            at = first + place
            self.arm(call, at, given[place], numbers[place], kept, latest, dead, results[place])
        self.resume(arms, results, latest, dead, last)
        return last + 1

    def arm(
        self,
        call: Call,
        index: int,
        given: tuple[Variable, ...],
        number: Expression,
        kept: dict[Variable, Variable],
        latest: Variable,
        dead: Variable,
        results: tuple[Variable, ...],
    ) -> None:
        """One arm; if it does not end, the one that waits does not go on."""
        where = call.where
        lost, after = self.fresh("lost"), self.fresh("after")
        self.thread(call, given, number, kept, index, lost, results)
        self.commands += self.contexts.put_away(where)
        now = _number(latest)
        self.give({latest: ite(now < NOW, NOW, now), dead: or_([_flag(dead), STOPPED])}, where)
        self.commands += self.contexts.go_to(_number(kept[NOW]), where)
        self.give({**{v: held for v, held in kept.items() if v is not NOW}, STOPPED: False}, where)
        self.finish(after)
        self.begin(lost)
        self.give({dead: True}, where)
        self.finish(after)
        self.begin(after)

    def resume(
        self,
        arms: Iterable[Call],
        results: Iterable[tuple[Variable, ...]],
        latest: Variable,
        dead: Variable,
        index: int,
    ) -> None:
        """Go on in a context after those in which the arms have ended, or stop."""
        where = self.block.where
        on, stop = self.fresh("resume"), self.fresh("stop")
        self.finish(on, stop)
        self.begin(stop, Place("stop", self.block.label, index, True))
        self.give({STOPPED: True}, where)
        self.finish()
        self.begin(on, Place("resume", self.block.label, index))
        self.commands.append(Assume(not_(_flag(dead)), where))
        self.commands += self.contexts.next_after(_number(latest), where, strict=False)
        self.commands += self.contexts.put_away(where)
        self.commands += self.contexts.go_to(NEXT, where)
        for call, found in zip(arms, results, strict=True):
            self.give(dict(zip(call.outputs, found, strict=True)), where)


def _number(variable: Variable) -> IntTerm:
    assert isinstance(variable, IntTerm)
    return variable


def _flag(variable: Variable) -> BoolTerm:
    assert isinstance(variable, BoolTerm)
    return variable
