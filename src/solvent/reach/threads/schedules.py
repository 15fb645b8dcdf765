"""Schedules: which thread runs when, as an execution of the sequential program tells.

That execution goes through one thread after the other.  Here it is cut where the context or the
thread changes; the slices in the order of their contexts are the schedule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from solvent.reach.executions import Begin, End, Enter, Event, Execution, Given, events
from solvent.reach.program import Variable
from solvent.reach.threads.contexts import NEXT
from solvent.reach.threads.sequential import Sequential
from solvent.reach.threads.writing import Place
from solvent.terms.kinds import Operand


@dataclass(frozen=True, slots=True)
class Pause:
    """The thread is interrupted before a command, or before the results of one are stored."""

    index: int
    storing: bool = False


@dataclass(frozen=True, slots=True)
class Spawn:
    """A thread is started: its place among all threads, if it gets to run, and its variables."""

    thread: int | None
    values: Mapping[Variable, Operand] = field(default_factory=dict)


ThreadEvent = Event | Pause | Spawn


@dataclass(frozen=True, slots=True)
class Slice:
    """What a thread does between two context switches."""

    thread: int
    context: int
    events: list[ThreadEvent] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The slices in their order, and the values with which the program starts."""

    start: Mapping[Variable, Operand]
    slices: tuple[Slice, ...]


@dataclass(slots=True)
class _Thread:
    """A thread that is being read."""

    number: int
    slice: Slice
    # The procedures that it is in.
    stack: list[str] = field(default_factory=list)
    stopped: bool = False
    # Where it is, if it has just started another thread or is about to move.
    place: Place | None = None
    spawning: int | None = None
    given: dict[Variable, Operand] = field(default_factory=dict)


def schedule(found: Execution, sequential: Sequential) -> Schedule:
    """The schedule of an execution of the sequential program."""
    return _Reader(sequential).read(events(found, sequential.program.procedures))


class _Reader:
    def __init__(self, sequential: Sequential) -> None:
        self.sequential = sequential
        self.own = set(sequential.program.thread_local)
        self.written = {name for name, _ in sequential.places}
        self.slices: list[Slice] = []
        self.running: list[_Thread] = []
        self.count = 0

    def read(self, told: Iterator[Event]) -> Schedule:
        """Read the events of the root, then those of the threads."""
        start: Mapping[Variable, Operand] = {}
        for event in told:
            if isinstance(event, Given):
                start = event.values
            elif isinstance(event, Enter):
                break
        self.push(0)
        for event in told:
            if not self.running:
                break
            self.event(event)
        filled = [one for one in self.slices if one.events]
        return Schedule(start, tuple(sorted(filled, key=lambda one: one.context)))

    def push(self, context: int) -> None:
        """A new thread."""
        self.running.append(_Thread(self.count, self.slice(self.count, context)))
        self.count += 1

    def slice(self, thread: int, context: int) -> Slice:
        """A new slice."""
        self.slices.append(Slice(thread, context))
        return self.slices[-1]

    def event(self, event: Event) -> None:
        """One event of the sequential program."""
        thread = self.running[-1]
        match event:
            case Enter(label):
                self.enter(thread, label)
            case Given(values):
                self.given(thread, values)
            case Begin(name):
                self.begin(thread, name)
            case End(name):
                thread.stack.pop()
                if not thread.stopped:
                    thread.slice.events.append(event)
                if not thread.stack:
                    self.running.pop()
                    self.back()

    def enter(self, thread: _Thread, label: str) -> None:
        """A block: what it is for the thread."""
        name = thread.stack[-1]
        place = self.sequential.places.get((name, label))
        told = thread.slice.events
        if place is None:
            if name not in self.written:
                told.append(Enter(label))
            return
        match place.kind:
            case "enter":
                told.append(Enter(place.label))
            case "move" | "resume":
                told.append(Pause(place.index, place.storing or place.kind == "resume"))
                thread.place = place
            case "stop":
                told.append(Pause(place.index, place.storing))
                thread.stopped = True
            case "never":
                told.append(Spawn(None))
            case "spawn":
                thread.place = place

    def given(self, thread: _Thread, values: Mapping[Variable, Operand]) -> None:
        """Values: of the next context, of the variables of a new thread, or of the program."""
        place = thread.place
        if place is not None and NEXT in values:
            context = values[NEXT]
            assert isinstance(context, int)
            if place.kind == "spawn":
                thread.spawning = context
            else:
                thread.place = None
                thread.slice = self.slice(thread.number, context)
        elif thread.spawning is not None and self.own.issuperset(values):
            thread.given.update(values)
        else:
            thread.slice.events.append(Given(values))

    def begin(self, thread: _Thread, name: str) -> None:
        """A procedure is called, or a thread begins with it."""
        if thread.spawning is not None:
            thread.slice.events.append(Spawn(self.count, thread.given))
            context, thread.spawning, thread.given = thread.spawning, None, {}
            self.push(context)
        thread = self.running[-1]
        thread.stack.append(name)
        thread.slice.events.append(Begin(name))

    def back(self) -> None:
        """Go on with the thread that started the one that is over."""
        if not self.running:
            return
        thread = self.running[-1]
        place, thread.place = thread.place, None
        assert place is not None
        if not place.storing:
            # The other one may run in the same context, before the rest of this one.
            thread.slice.events.append(Pause(place.index + 1))
            thread.slice = self.slice(thread.number, thread.slice.context)
