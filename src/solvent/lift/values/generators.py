"""Lifted generators.

A lifted generator runs as a native one as long as all paths yield together.  From the first item
that only some paths yield, items go into a buffer, a list whose writes are journaled like all
others, and the consumer gets the buffer when the generator is done: a list whose length differs
between paths.  What the generator reads and writes in the meantime comes before what the consumer
does with these items; if the consumer writes to an object that the generator has written or may
have read, this is the wrong order, and it is refused.

A native frame cannot be rewound.  How a generator is advanced on some paths only and then used
where all paths have met again is in `tapes`; what is not possible there is refused.  A generator
that has ended runs no code that would notice, so those that ended on some paths only are known by
themselves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from types import CellType, FrameType, FunctionType, MethodType, ModuleType
from weakref import WeakKeyDictionary, ref

from solvent.errors import NotLiftedError
from solvent.lift.progress import Progress
from solvent.lift.values import sequences
from solvent.lift.values.protocol import parts
from solvent.terms.term import Term
from solvent.vm.kinds import StandIn
from solvent.vm.machine import JOURNALING, current
from solvent.vm.own import is_own, position
from solvent.vm.owned import VARYING
from solvent.vm.scopes import Scope
from solvent.vm.slots import is_partial
from solvent.vm.values import Choice, Value

# A generator of the program.
Running = Generator[Value, Value, Value]

# How many objects that a generator can read are looked at.
_REACH = 10_000
# Our classes of objects that stand for what the program has.
_OF_PROGRAMS = (StandIn, *VARYING)


def reach_of(frame: FrameType) -> dict[int, object]:
    """The objects that the code of a frame, and functions that it knows, can read and others
    write: by identity."""
    named = (frame.f_globals.get(name) for name in frame.f_code.co_names)
    pending = [*frame.f_locals.values(), *named]
    result: dict[int, object] = {}
    seen: dict[int, object] = {}
    while pending and len(seen) < _REACH:
        value = pending.pop()
        if id(value) in seen or isinstance(value, (str, int, float, bytes, type, Term, ModuleType)):
            continue
        seen[id(value)] = value
        # Code also reads what functions close over, which is not part of their value.
        if isinstance(value, FunctionType):
            pending += [cell.cell_contents for cell in value.__closure__ or () if _is_filled(cell)]
        elif isinstance(value, MethodType):
            pending += [value.__self__, value.__func__]
        elif not _is_machinery(value):
            pending += parts(value)
            result[id(value)] = value
    return result


def _is_machinery(value: object) -> bool:
    """Whether an object belongs to what runs the program, and not to the program."""
    ours = type(value).__module__.startswith(("solvent.vm.", "solvent.lift."))
    return ours and not isinstance(value, _OF_PROGRAMS)


def _is_filled(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


class GeneratorState(Progress):
    """What a lifted generator knows while it runs."""

    __slots__ = (
        "alone", "base", "buffer", "delegates", "depth", "generator", "plain", "reach", "saved",
        "sent_to", "thrown", "written",
    )  # fmt: skip

    generator: ref[Running]

    def __init__(self) -> None:
        super().__init__()
        self.buffer: list[Value] | None = None
        self.saved: list[Scope] = []
        # Whether only the path that advanced it last can go on with it.
        self.alone = False
        # Whether something was sent to it: then it may wait for more.
        self.sent_to = False
        # Whether it waits in a `yield from`.
        self.delegates = False
        # What it raises when it goes on, and on which paths.
        self.thrown: Sequence[Choice] = ()
        # What was written while items went into the buffer, by identity.
        self.written: dict[int, object] = {}
        # What the generator could read then, by identity.
        self.reach: dict[int, object] = {}
        # Whether no path had to be able to undo anything whenever the frame went on: then
        # `yield` is Python's own, and what `resume` would note is found later.
        self.plain = not JOURNALING

    def buffering(self) -> bool:
        """Whether an item that is yielded now must wait for the other paths.

        If not, the frame is about to be left: its scopes are taken off the stacks.
        """
        if self.buffer is not None:
            return True
        machine = current()
        forks, scopes = machine.forks, machine.scopes
        if self.plain:
            self._find_base(scopes, id(sys._getframe(1)))
        if len(forks) == self.depth and len(scopes) == self.base:
            return False
        if len(forks) > self.depth or any(scope.others() for scope in scopes[self.base :]):
            self.buffer = []
            self.reach = reach_of(sys._getframe(1))
            machine.watch(self.note_write)
            return True
        self.suspend()
        return False

    def _find_base(self, scopes: list[Scope], frame: int) -> None:
        """Find out how many forks and scopes were open when the frame went on."""
        self.plain = False
        self.depth, self.base = 0, len(scopes)
        while self.base and scopes[self.base - 1].frame == frame:
            self.base -= 1

    def note_write(self, owner: object) -> None:
        """The generator writes before the consumer has seen what it yielded."""
        if owner is not self.buffer:
            self.written[id(owner)] = owner

    def check_write(self, owner: object) -> None:
        """The consumer writes while items are left that the generator yielded earlier."""
        if id(owner) in self.written:
            raise NotLiftedError(
                f"{position()}: this and a generator that yields on some paths only write to one "
                f"`{type(owner).__name__}`, in an order that is not known; make a list of the "
                "generator's items first"
            )
        if id(owner) in self.reach and owner is not self.buffer:
            raise NotLiftedError(
                f"{position()}: this changes a `{type(owner).__name__}` that a generator which "
                "yields on some paths only may have read too early; make a list of the "
                "generator's items first"
            )

    def drain(self) -> Generator[Value, Value, None]:
        """The items of the buffer, as the consumer asks for them."""
        machine = current()
        machine.unwatch(self.note_write)
        if self.written or self.reach:
            machine.watch(self.check_write)
        try:
            for item in self.buffer or ():
                yield item
                self.check()
        finally:
            machine.unwatch(self.check_write)

    def put(self, value: Value) -> None:
        """Yield into the buffer."""
        assert self.buffer is not None
        if self.sent_to:
            raise _not_sent("send to")
        sequences.append(self.buffer, value)

    def suspend(self) -> None:
        """Take the scopes of the frame off the stacks."""
        machine = current()
        self.saved = machine.scopes[self.base :]
        for scope in reversed(self.saved):
            machine.close_layer(scope.close())

    def note_end(self) -> None:
        """Called when the frame is done while there are other paths."""
        generator = self.generator()
        if generator is not None:
            ENDED[generator] = self

    def resume(self) -> None:
        """Called when the frame goes on."""
        machine = current()
        self.plain = False
        if machine.state.path is not self.path:
            self.check()
        self.base, self.depth = len(machine.scopes), len(machine.forks)
        saved, self.saved = self.saved, []
        machine.resume(saved)
        thrown, self.thrown = self.thrown, ()
        if thrown and self.delegates:
            raise NotLiftedError(
                f"{position()}: an exception that only some paths throw into a generator which "
                "waits in a `yield from` is not lifted; write a loop that yields instead"
            )
        machine.fail_on_paths(thrown)


# Generators that ended while there were other paths.
ENDED: WeakKeyDictionary[Running, GeneratorState] = WeakKeyDictionary()
# Their references: to ask whether there are any costs nothing.
SOME_ENDED: dict[object, object] = vars(ENDED)["data"]


def check_ended(generator: Running) -> None:
    """Called before a generator is used: one that has ended must have done so on this path."""
    if ENDED and generator in ENDED:
        ENDED[generator].check()


def generate(state: GeneratorState, body: Callable[..., Running], *args: Value) -> Running:
    """The generator of a lifted generator function with this body."""
    result = _drive(state, body, *args)
    state.generator = ref(result)
    return result


def _drive(state: GeneratorState, body: Callable[..., Running], *args: Value) -> Running:
    if JOURNALING or not state.plain:
        state.resume()
    try:
        result = yield from body(state, *args)
        if state.buffer is not None:
            yield from state.drain()
        return result
    finally:
        if state.buffer is not None:
            current().unwatch(state.note_write)
        if JOURNALING:
            state.note_end()


# Generators that are not where their frame is, on some paths (see `tapes`).
SHARED: WeakKeyDictionary[Running, object] = WeakKeyDictionary()


def is_shared(generator: Running) -> bool:
    """Whether other paths may go on with a generator when one does not."""
    return generator in SHARED


def is_lifted_generator(generator: Value) -> bool:
    """Whether a generator was made by a lifted function."""
    return bool(generator.gi_code is _drive.__code__)


def state_of(generator: Value) -> GeneratorState | None:
    """The state of a lifted generator that is not done."""
    if not is_lifted_generator(generator):
        return None
    frame: FrameType | None = generator.gi_frame
    return None if frame is None else frame.f_locals["state"]


def is_internal(generator: Value) -> bool:
    """Whether a generator is no value of the program, but what a loop takes its items from."""
    return not is_lifted_generator(generator) and is_own(generator.gi_code.co_filename)


def check_frame(generator: Running) -> GeneratorState | None:
    """Called before an exception is raised in a frame, which does not ask by itself then."""
    state = state_of(generator) if JOURNALING else None
    if state is not None:
        state.check()
    return state


def note_end(generator: Value, state: GeneratorState | None) -> None:
    """Called after that: a frame that was never entered has not told that it has ended."""
    if state is not None and generator.gi_frame is None:
        ENDED[generator] = state


def _not_sent(what: str) -> NotLiftedError:
    return NotLiftedError(
        f"{position()}: to {what} a generator that yields on some paths only is not lifted; "
        "iterate over it instead"
    )


def certain(item: Value, what: str) -> Value:
    """An item that all paths yield: the others have been yielded before anything was sent."""
    if is_partial(item):
        raise _not_sent(what)
    return item
