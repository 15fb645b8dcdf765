"""Generators that some paths have advanced further than others.

A native frame cannot be copied or rewound, but what a step of it does can be kept.  As soon as a
generator that all paths of `path` share is to be advanced on some of them only, it gets a *tape*:
its steps run on a machine of their own, on that path, and each leaves an entry: the item, what the
step wrote, printed and raised.  Where the generator is, is a number that is journaled like all
others.  A path that asks for an item runs the next step if it is the first to ask, and gets the
entry in any case: the writes are made on that path, and it goes on.

This is right if a step does the same on all paths: nobody but the generator may write to what it
can read (`reach`), on any path, since the paths have parted.  The journal tells what was written
before the tape was made, and the machine tells of all writes after that.  A tape of which this is
not known is *spoilt*: the path that made it so goes on with the frame itself if it has taken all
items so far, and other paths are refused.

What runs on the machine of a tape, such as the generators inside of a generator, belongs to it: it
may be used there only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary, finalize

from solvent.errors import AssumptionError, NotLiftedError
from solvent.lift.facts import on_path
from solvent.lift.terminal import LATER
from solvent.lift.values.generators import SHARED, GeneratorState, Running, state_of
from solvent.lift.values.reach import Reach
from solvent.terms.kinds import Integer
from solvent.vm.exceptions import is_program_exception
from solvent.vm.forks import Fork
from solvent.vm.journal import NOTHING, Effects, Layer, Record, apply, capture
from solvent.vm.machine import JOURNALING, Machine, current, running
from solvent.vm.own import position
from solvent.vm.places import ATTRIBUTES
from solvent.vm.scopes import Exit, Scope
from solvent.vm.slots import opened
from solvent.vm.spread import over
from solvent.vm.state import Failure, Path, PathEnd, is_below
from solvent.vm.trying import TryScope
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

# Where a generator is on a path on which it has ended.
OVER = -1
# Under this key the machine of a tape knows the tape.
_TAPE = object()


class Entry(NamedTuple):
    """What a step of a generator did."""

    # The guard under which there is an item, and the item; at the end, what was returned.
    guard: Guard
    value: Value
    # What was raised on all paths that did not fail before.
    error: BaseException | None
    effects: Effects
    failures: tuple[Failure, ...]
    assumes: Guard
    printed: list[Callable[[], None]]


class Tape:
    """The steps of a generator so far, and where each path is."""

    __slots__ = (
        "__weakref__", "applying", "buffered", "early", "entries", "heap", "known", "machine",
        "outer", "path", "place", "released", "spoilt", "state", "stuck", "unwatching",
    )  # fmt: skip

    def __init__(self, state: GeneratorState, outer: Machine, known: dict[int, object]) -> None:
        self.state = state
        # The machine of those who use the generator, and that of its steps.
        self.outer = outer
        # On this path all entries hold.
        self.path = state.path
        self.machine = outer.part(self.path, self.end)
        self.machine.notes[_TAPE] = self
        self.place: Integer = 0
        self.entries: list[Entry] = []
        # What the generator has written, as it is after the last entry.
        self.heap: Effects = {}
        # What the generator can read, by identity.
        self.known = known
        self.applying = self.stuck = self.released = False
        # Whether it has written something before it was asked to.
        self.early = False
        # Whether it has read all that it will read.
        self.buffered = state.buffer is not None
        self.spoilt: Path | None = None
        # What is done when the generator goes.
        self.unwatching: finalize[..., Running] | None = None

    def end(self) -> None:
        """The run is over: the generator is refused from now on, and nothing is kept for it.

        Tables know the tape as long as there is the generator, which what a run leaves may hold.
        """
        self.machine.forget_watchers()
        if self.unwatching is not None:
            self.unwatching.detach()
        self.stuck = True
        self.machine = self.outer = Machine()
        self.state, self.path = GeneratorState(), self.machine.state.path
        self.entries, self.heap, self.known = [], {}, {}
        self.place, self.spoilt = 0, None

    # --- what others write --------------------------------------------------------------------

    def note_write(self, owner: object) -> None:
        """Somebody writes to an object."""
        if not self.applying and id(owner) in self.known:
            self.stuck = self.stuck or self.buffered
            self.spoil()

    def spoil(self) -> None:
        """From now on, only the current path may go on, if any."""
        path = self.outer.state.path
        if self.spoilt is None:
            self.spoilt = path
        elif not is_below(path, self.spoilt):
            self.stuck = True

    def is_clean(self, owners: dict[int, object]) -> bool:
        """Whether no path has written to any of some objects since the paths have parted."""
        return not any(
            key[1] in owners and key not in self.heap
            for layer in _written_since(self.outer, self.path)
            for key in layer
        )

    # --- steps --------------------------------------------------------------------------------

    def each(self, action: Callable[[int], Value]) -> Value:
        """Do something with the place of each path, and merge the results."""
        place = on_path(self.place)
        if type(place) is int:
            return action(place)
        rows: list[tuple[Guard, int]] = []
        for number in range(OVER, len(self.entries) + 1):
            guard = on_path(place == number)
            if guard is not False:
                rows.append((guard, number))
        if len(rows) == 1:
            return action(rows[0][1])
        rows[-1] = (True, rows[-1][1])
        return over(Union(tuple(rows)), action)

    def take(self, generator: Running, place: int) -> tuple[Guard, Value]:
        """The item at a place, where the path is now; raises `StopIteration` at the end."""
        if place == OVER:
            raise StopIteration
        if place == len(self.entries):
            self.entries.append(self._run(generator))
        entry = self.entries[place]
        if entry.failures or entry.assumes is not True:
            self._fail(entry)
        self._write(entry.effects)
        for act in entry.printed:
            act()
        self._move(place + 1 if entry.guard is not False else OVER)
        if entry.error is not None:
            raise entry.error
        if entry.guard is False:
            raise StopIteration(*(() if entry.value is None else (entry.value,)))
        return entry.guard, entry.value

    def _move(self, place: int) -> None:
        machine = current()
        machine.write_slot(ATTRIBUTES, self, "place")
        self.place = place

    def _fail(self, entry: Entry) -> None:
        """Leave the path where the step failed."""
        machine = current()
        if entry.effects and any(scope.catching for scope in machine.scopes):
            raise NotLiftedError(
                f"{position()}: a generator that is advanced on some paths only writes to "
                "something and fails on some of them, which may be caught; make a list of its "
                "items first"
            )
        place = self.place
        self._move(OVER)
        for failure in entry.failures:
            if is_program_exception(failure.exception):
                machine.fail_if(failure.condition, failure.exception)
            else:
                machine.end_unknown(failure.condition, failure.exception)
        machine.assume(entry.assumes)
        self._move(place)  # type: ignore[arg-type]

    def _write(self, effects: Effects) -> None:
        """Make the writes of a step on this path."""
        if not effects:
            return
        machine = current()
        self.applying = True
        try:
            for record in effects.values():
                machine.writes += 1
                machine.tell(record.owner)
            apply(_copied(effects), machine.layers[-1] if machine.layers else {})
        finally:
            self.applying = False

    def _run(self, generator: Running) -> Entry:
        """Run a step."""
        machine, outer = self.machine, self.outer
        machine.writes = outer.writes + 1
        printed: list[Callable[[], None]] = []
        machine.notes[LATER] = printed
        state = machine.state
        error: BaseException | None = None
        guard: Guard = False
        value: Value = None
        # Until it has come to an end as it should.
        self.stuck = True
        with running(machine):
            try:
                apply(_copied(self.heap), machine.open_layer())
                machine.open_layer()
                try:
                    guard, value = opened(next(generator))
                except StopIteration as end:
                    value = end.value
                except (PathEnd, AssumptionError):
                    error = PathEnd()
                except BaseException as raised:
                    if not is_program_exception(raised):
                        raise
                    error = raised
                effects = capture(machine.layers[1:])
                reach = Reach(value).look(generator)
            finally:
                machine.abandon()
                outer.writes = machine.writes + 1
        self.stuck = False
        self._look(effects, reach, value)
        entry = Entry(guard, value, error, effects, tuple(state.failures), state.assumes, printed)
        state.failures, state.assumes, state.asserts = [], True, True
        return entry

    def _keep(self, effects: Effects) -> None:
        """Remember what the last step has written, for the next one."""
        for key, record in _copied(effects).items():
            known = self.heap.get(key)
            if known is None or record.whole is not NOTHING:
                self.heap[key] = record
            elif known.whole is not NOTHING:
                known.whole = record.kind.patched(known.whole, record.slots)
            else:
                known.slots.update(record.slots)

    def _look(self, effects: Effects, reach: Reach, value: Value) -> None:
        """After a step: what the generator reads now, and whether the entry holds elsewhere."""
        written = {id(record.owner): record.owner for record in effects.values()}
        fresh = {**reach.owners, **written}
        fresh = {key: found for key, found in fresh.items() if key not in self.known}
        if reach.strange or Reach().look(value).strange or not self.is_clean(fresh):
            self.spoil()
        self._keep(effects)
        if self.state.buffer is not None and not self.buffered:
            self.buffered = True
            if any(key in self.known for key in written):
                # Others would see now what is written when the items are asked for.
                self.early = True
                self.spoil()
            # Everything that it will give was read by now.
            self.known = {**self.known, **written}
        # Paths that are behind have yet to read what the frame does not know any more.
        self.known = {**self.known, **reach.owners}
        self.heap = {key: found for key, found in self.heap.items() if key[1] in reach.owners}


def _copied(effects: Effects) -> Effects:
    return {
        key: Record(
            record.kind,
            record.owner,
            record.whole if record.whole is NOTHING else record.kind.copied(record.whole),
            dict(record.slots),
        )
        for key, record in effects.items()
    }


def _exits_of(scope: Scope) -> list[Exit]:
    """The paths that have left a scope and wait for its end."""
    if not isinstance(scope, TryScope):
        return scope.exits
    result = [*scope.exits, *(found for group in scope.groups for found in group.exits)]
    if scope.normal is not None:
        values, effects, path = scope.normal
        result.append(Exit(True, values, effects, path))
    return result


def _written_since(machine: Machine, path: Path) -> Iterator[Layer]:
    """What knows of the writes since a path was divided."""
    lowest = len(machine.layers)
    for fork in machine.forks:
        if isinstance(fork, Fork) and is_below(fork.path, path):
            levels = [place for place, layer in enumerate(machine.layers) if layer is fork.layer]
            lowest = min(lowest, *levels)
            yield fork.effects or {}
    for scope in machine.scopes:
        later = [found for found in _exits_of(scope) if is_below(found.path, path)]
        if scope.level >= 0 and (later or is_below(scope.path, path)):
            lowest = min(lowest, scope.level)
        yield from (found.effects for found in later)
    yield from machine.layers[lowest:]
    yield from machine.closing


def _is_divided_since(machine: Machine, path: Path) -> bool:
    """Whether a part of a path waits while another part runs."""
    for fork in machine.forks:
        if isinstance(fork, Fork) and is_below(fork.path, path):
            alone = fork.flipped and fork.first is None
            if not alone:
                return True
    return any(is_below(found.path, path) for scope in machine.scopes for found in _exits_of(scope))


# --- which generators have one --------------------------------------------------------------------

# Generators with a tape, and those that belong to the machine of one.
MARKED: WeakKeyDictionary[Running, Tape | Machine] = WeakKeyDictionary()
# Their references: to ask whether there are any costs nothing.
SOME_MARKED: dict[object, object] = vars(MARKED)["data"]


def _refused() -> NotLiftedError:
    return NotLiftedError(
        f"{position()}: a generator was advanced on some paths only and is then used again where "
        "those paths have met, and what it reads may have changed since; make a list of its items "
        "first"
    )


def tape_of(generator: Running) -> Tape | None:
    """The tape of a generator that is about to be advanced; `None` if the frame itself goes on."""
    mark = MARKED.get(generator) if MARKED else None
    if mark is None:
        return _taped(generator) if JOURNALING else None
    machine = current()
    if isinstance(mark, Tape):
        if mark.outer is not machine or mark.stuck:
            raise _refused()
        if mark.spoilt is None or (mark.early and is_below(machine.state.path, mark.spoilt)):
            return mark
        _release(mark, generator)
        return None
    if mark is not machine and not mark.notes[_TAPE].released:
        raise _refused()
    return _taped(generator)


def _taped(generator: Running) -> Tape | None:
    """Give a generator a tape if it is advanced on some paths only and others may need it."""
    state = state_of(generator)
    if state is None:
        return None
    machine = current()
    path = machine.state.path
    if _TAPE in machine.notes:
        MARKED[generator] = machine
    if path is state.path or state.alone or not machine.is_divided or machine.limits.directed:
        return None
    if not is_below(path, state.path) or not _is_divided_since(machine, state.path):
        return None
    reach = Reach().look(generator)
    tape = Tape(state, machine, reach.owners)
    if reach.strange or not tape.is_clean(reach.owners):
        state.alone = True
        return None
    # The tape watches what was read too early from now on.
    tape.known.update({**state.reach, **state.written})
    machine.unwatch(state.check_write)
    MARKED[generator] = SHARED[generator] = tape
    machine.watch(tape.note_write)
    tape.unwatching = finalize(generator, machine.unwatch, tape.note_write)
    tape.unwatching.atexit = False
    return tape


def _release(tape: Tape, generator: Running) -> None:
    """Go on with the frame itself, on this path only."""
    path = current().state.path
    spoilt = tape.spoilt or path
    if tape.stuck or tape.state.buffer is not None or not is_below(path, spoilt):
        raise _refused()
    place = on_path(tape.place)
    if type(place) is not int or place != len(tape.entries):
        raise _refused()
    tape.released = True
    state = tape.state
    state.path = path
    tape.outer.unwatch(tape.note_write)
    del MARKED[generator], SHARED[generator]


def release(generator: Running) -> None:
    """Called before something is done with a frame that a tape cannot keep."""
    tape = tape_of(generator)
    if tape is not None:
        _release(tape, generator)


def is_uneven(generator: Running) -> bool:
    """Whether some of the paths that are here have advanced a generator further than others."""
    tape = tape_of(generator)
    return tape is not None and type(on_path(tape.place)) is not int
