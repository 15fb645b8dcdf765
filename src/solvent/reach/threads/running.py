"""Threads that are run in exactly the order of a schedule.

Each thread is a generator that runs until the schedule interrupts it.  Nothing of the sequential
program is used but the schedule and the values: if an assertion fails, the program itself can.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from solvent.depth import deep_recursion
from solvent.reach.executions import End, Enter
from solvent.reach.interpreter import Confirmation, Diverged, EventT, Failed, Frame, Interpreter
from solvent.reach.positions import NOWHERE, Position
from solvent.reach.program import (
    Assign,
    Assume,
    Block,
    Call,
    Command,
    Havoc,
    Procedure,
    Variable,
)
from solvent.reach.threads.primitives import (
    ATOMIC_BEGIN,
    ATOMIC_END,
    CHILD_ID,
    THREAD_ID,
    Bound,
    arms_at,
)
from solvent.reach.threads.schedules import Pause, Schedule, Spawn, ThreadEvent
from solvent.reach.threads.source import Source
from solvent.terms import BitVecSort, bv
from solvent.terms.kinds import Concrete
from solvent.terms.model import Constant
from solvent.terms.values import FunctionValue


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the trace: a thread, how deep its calls are, where, and what happened."""

    thread: int
    depth: int
    where: Position
    values: Mapping[Variable, Concrete] = field(default_factory=dict)
    # The call of a procedure, or the start of another thread.
    procedure: str = ""
    started: int | None = None
    # The thread that goes on instead; the place is where this one was interrupted, if it was.
    switch: int | None = None


@dataclass(slots=True)
class Thread:
    """A thread: what it does, and what it has for itself."""

    number: int
    identity: int
    steps: Iterator[None] | None = None
    own: dict[Variable, Concrete] = field(default_factory=dict)
    results: tuple[Concrete, ...] | None = None
    child: int = 0
    atomic: bool = False
    depth: int = 0
    # Where it was interrupted.
    paused: Position | None = None


class Threads(Interpreter):
    """Runs a program with threads."""

    def __init__(
        self,
        source: Source,
        bound: Bound,
        fixed: Mapping[Constant, Concrete | FunctionValue],
    ) -> None:
        super().__init__(source.program, iter(()), fixed)
        self.source, self.bound = source, bound
        self.waiting: deque[ThreadEvent] = deque()
        self.threads: dict[int, Thread] = {}
        self.now = Thread(0, 1)
        self.identities = 1
        self.switches = 0
        self.told: list[Told] = []

    def follow(self, found: Schedule) -> Confirmation:
        """Run the schedule, and say how it ended."""
        given = found.start
        globals_ = {g: given[g] for g in self.program.globals if g in given}
        self.globals = globals_  # type: ignore[assignment]
        first = self.program.procedure(self.source.main)
        self.threads[0] = self.now
        self.now.own = {v: self.globals[v] for v in self.program.thread_local if v in self.globals}
        self.now.steps = self.thread(first, None)
        last = self.now
        try:
            with deep_recursion():
                for slice_ in found.slices:
                    if slice_.thread not in self.threads:
                        raise Diverged("a thread runs that has not been started")
                    thread = self.threads[slice_.thread]
                    if thread is not last:
                        self.switch(last, thread)
                    last = thread
                    self.resume(thread, slice_.events)
        except Failed as failure:
            return Confirmation(True, failure.command, believed=tuple(self.believed))
        except Diverged as problem:
            return Confirmation(False, reason=str(problem), believed=tuple(self.believed))
        return Confirmation(False, reason="no assertion failed")

    def switch(self, last: Thread, following: Thread) -> None:
        """Another thread goes on."""
        if last.atomic:
            raise Diverged("the schedule interrupts an atomic block")
        self.switches += 1
        if self.bound.switches is not None and self.switches > self.bound.switches:
            raise Diverged("the schedule has too many context switches")
        values = {v: self.globals[v] for v in self.source.shared if v in self.globals}
        where = NOWHERE if last.paused is None else last.paused
        self.told.append(Told(last.identity, 0, where, values, switch=following.identity))

    def resume(self, thread: Thread, told: list[ThreadEvent]) -> None:
        """Let a thread run until it is interrupted, or over."""
        self.now.own = {v: self.globals[v] for v in self.now.own}
        self.now = thread
        thread.paused = None
        self.globals.update(thread.own)
        self.waiting = deque(told)
        assert thread.steps is not None
        next(thread.steps, None)
        if self.waiting:
            raise Diverged(f"the schedule has {self.waiting[0]}, but the thread is elsewhere")

    def next(self, kind: type[EventT]) -> EventT:
        """The next event, which must be of a kind."""
        event = self.waiting.popleft() if self.waiting else None
        if not isinstance(event, kind):
            raise Diverged(f"the execution has {event}, but the program needs {kind.__name__}")
        return event

    def tell(self, where: Position, values: Mapping[Variable, Concrete]) -> None:
        """Add to the trace what variables have got."""
        if values:
            self.told.append(Told(self.now.identity, self.now.depth, where, dict(values)))

    # --- threads ---

    def thread(
        self, procedure: Procedure, inputs: dict[Variable, Concrete] | None
    ) -> Iterator[None]:
        """All steps of a thread; the first one has no caller, so that its inputs are given."""
        thread = self.now
        self.begin(procedure.name)
        frame = self.frame(procedure, self.given(), inputs or {})
        self.enter(procedure, frame)
        if inputs is None:
            for clause in procedure.requires:
                self.command(Assume(clause.assumption, clause.where), frame)
        yield from self.body(frame)
        self.next(End)
        thread.results = tuple(frame.values[output] for output in procedure.outputs)

    def enter(self, procedure: Procedure, frame: Frame) -> None:
        """Add the call of a procedure to the trace."""
        values = {variable: frame.values[variable] for variable in procedure.inputs}
        depth, where = self.now.depth, procedure.where
        self.told.append(Told(self.now.identity, depth, where, values, procedure.name))
        self.now.depth += 1

    def pause(self, index: int, where: Position, storing: bool = False) -> Iterator[None]:
        """Let others run, if the schedule says so here."""
        while self.waiting and self.waiting[0] == Pause(index, storing):
            self.waiting.popleft()
            self.now.paused = where
            yield

    # --- running ---

    def body(self, frame: Frame) -> Iterator[None]:
        """Run the blocks of an activation."""
        targets: tuple[str, ...] = (frame.procedure.entry,)
        while targets:
            label = self.next(Enter).label
            if label not in targets:
                raise Diverged(f"the execution goes to {label}, but the program to {targets}")
            block = frame.procedure.blocks[label]
            yield from self.steps(block, frame)
            targets = block.targets

    def steps(self, block: Block, frame: Frame) -> Iterator[None]:
        """Run the commands of a block."""
        index = 0
        while index < len(block.commands):
            command = block.commands[index]
            yield from self.pause(index, command.where)
            if isinstance(command, Call) and command.arms is not None:
                arms = arms_at(block, index)
                index += len(arms)
                yield from self.parallel(arms, index - 1, frame)
                continue
            if not isinstance(command, Call):
                self.command(command, frame)
            elif self.source.calls_primitive(command):
                self.primitive(command, frame)
            elif command.asynchronous:
                self.start(command, frame)
            else:
                yield from self.called(command, index, frame)
            index += 1
        yield from self.pause(index, block.end)

    def command(self, command: Command, frame: Frame) -> None:
        """Run one command that is no call, and tell what it gave to variables."""
        super().command(command, frame)
        match command:
            case Assign(targets, _, where) | Havoc(targets, where):
                found = {
                    v: self.globals[v] if v in self.globals else frame.values[v] for v in targets
                }
                self.tell(where, found)

    def called(self, command: Call, index: int, frame: Frame) -> Iterator[None]:
        """Run a call."""
        callee = self.program.procedure(command.procedure)
        found = [self.value(value, frame) for value in command.inputs]
        self.begin(callee.name)
        inner = self.frame(callee, self.given(), dict(zip(callee.inputs, found, strict=True)))
        self.enter(callee, inner)
        yield from self.body(inner)
        self.next(End)
        self.now.depth -= 1
        yield from self.pause(index, command.where, storing=True)
        results = [inner.values[output] for output in callee.outputs]
        self.stored(command, results, frame)

    def stored(self, command: Call, results: list[Concrete], frame: Frame) -> None:
        """Store what a call gives."""
        for variable, value in zip(command.outputs, results, strict=True):
            self.store(variable, value, frame)
        self.tell(command.where, dict(zip(command.outputs, results, strict=True)))

    def primitive(self, command: Call, frame: Frame) -> None:
        """Call one of the procedures that Corral knows."""
        if command.procedure in (ATOMIC_BEGIN, ATOMIC_END):
            self.now.atomic = command.procedure == ATOMIC_BEGIN
        elif command.procedure in (THREAD_ID, CHILD_ID):
            is_own = command.procedure == THREAD_ID
            number = self.now.identity if is_own else self.now.child
            sort = command.outputs[0].sort
            value = bv(number, sort.width) if isinstance(sort, BitVecSort) else number
            self.stored(command, [value], frame)

    def start(self, command: Call, frame: Frame) -> Thread | None:
        """Start a thread, if it gets to run."""
        callee = self.program.procedure(command.procedure)
        found = [self.value(value, frame) for value in command.inputs]
        told = self.next(Spawn)
        self.identities += 1
        self.now.child = self.identities
        number = None if told.thread is None else told.thread
        made = Told(
            self.now.identity,
            self.now.depth,
            command.where,
            dict(zip(callee.inputs, found, strict=True)),
            callee.name,
            self.identities,
        )
        self.told.append(made)
        if number is None:
            return None
        thread = Thread(number, self.identities)
        thread.own = {v: told.values[v] for v in self.program.thread_local}  # type: ignore[misc]
        thread.steps = self.thread(callee, dict(zip(callee.inputs, found, strict=True)))
        self.threads[number] = thread
        return thread

    def parallel(self, arms: list[Call], last: int, frame: Frame) -> Iterator[None]:
        """Start threads, and wait for all of them."""
        threads = [self.start(arm, frame) for arm in arms]
        yield from self.pause(last, arms[-1].where, storing=True)
        for arm, thread in zip(arms, threads, strict=True):
            if thread is None or thread.results is None:
                raise Diverged("the schedule goes on before all arms of a parallel call have ended")
            self.stored(arm, list(thread.results), frame)
