"""Iterators whose state is journaled, so that `next` is exact under a symbolic condition.

`advance(iterator)` takes one step: the guard under which there is a next item, and that item.
Where the guard is false the iterator has ended, and nothing but its own state has changed.  What
comes after an item (the rest of a `zip`, the function of a `map`) runs only where the item is
there, see `where`.

The iterators are made by `iter_of` and by the lifted `enumerate`, `zip`, `itertools` and so on.
Iterators that were made elsewhere are advanced as they are while there is only one path, and are
refused under a symbolic condition, since their progress cannot be taken back.
"""

from __future__ import annotations

import operator
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sized
from types import FunctionType, GeneratorType

from solvent.errors import NotLiftedError
from solvent.lift import survey
from solvent.lift.facts import on_path
from solvent.lift.foreign import Lent
from solvent.lift.progress import TrackedIterator
from solvent.lift.registry import FUNCTIONS
from solvent.lift.stopping import unless_stopped
from solvent.lift.values import sequences
from solvent.lift.values.generators import Running, check_ended, is_lifted_generator
from solvent.lift.values.protocol import get_item, length
from solvent.lift.values.stepping import all_items, call_or, item_or, next_or
from solvent.lift.values.tapes import Tape, is_uneven, tape_of
from solvent.terms.booleans import ITE, and_, not_, or_
from solvent.terms.kinds import Integer
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.vm.buffers import held
from solvent.vm.kinds import StandIn, python_type, type_name
from solvent.vm.machine import JOURNALING, current
from solvent.vm.merge import merge, union_of
from solvent.vm.own import position
from solvent.vm.places import ATTRIBUTES
from solvent.vm.slots import UNBOUND, Maybe, opened, slot
from solvent.vm.spread import combine, either, over
from solvent.vm.union import Union, exclusive
from solvent.vm.values import Choice, Guard, Value

# The guard under which there is a next item, and that item.
Step = Choice
ENDED: Step = (False, None)


class _End:
    """What a step gives where the iterator has ended."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<end>"


END = _End()


def split(found: Value) -> Step:
    """Guard and value of a result that is `END` on some paths."""
    if found is END:
        return ENDED
    if type(found) is not Union:
        return True, found
    ended = or_([guard for guard, value in exclusive(found._solvent_choices) if value is END])
    if ended is False:
        return True, found
    rows = [row for row in found._solvent_choices if row[1] is not END]
    rows[-1] = (True, rows[-1][1])
    return not_(ended), union_of(tuple(rows))


def where(guard: Guard, action: Callable[[], Value]) -> Step:
    """Run an action, which may give `END`, where a guard holds; elsewhere the iterator ends."""
    if guard is True:
        return split(action())
    if guard is False:
        return ENDED
    sides = Union(((guard, True), (True, False)))
    return split(over(sides, lambda side: action() if side else END))


def step_to(iterator: Stateful, name: str, guard: Guard, new: Value) -> None:
    """Set an attribute of one of the iterators here where a guard holds."""
    if guard is False:
        return
    machine = current()
    if machine.listens:
        machine.write_slot(ATTRIBUTES, iterator, name)
    if guard is not True:
        new = merge(guard, new, getattr(iterator, name))
    setattr(iterator, name, new)


class Stateful(StandIn):
    """The base of the iterators: `advance` takes a step, all state is in attributes."""

    __slots__ = ()

    def python_type(self) -> type:
        cls = type(self)
        found: type = next(key for key, lifted in FUNCTIONS.items() if lifted is cls)
        return found

    def advance(self) -> Step:
        """The guard under which there is a next item, and the item."""
        raise NotImplementedError

    def ready(self) -> Value:
        """The next item if it is simply there and no step has to be undone, else `UNBOUND`."""
        return UNBOUND

    def listed(self) -> list[Value]:
        """A list of the items that are left."""
        return all_items(self)

    def room(self) -> int | None:
        """How many items are left at most, if that is known."""
        return None

    def capacity(self) -> int:
        """How many items the sources hold; as they grow, more items may be left."""
        return 0

    def __iter__(self) -> Stateful:
        return self

    def __next__(self) -> Value:
        guard, value = self.advance()
        current().fail_if(not_(guard), StopIteration())
        return value


class Calling(Stateful):
    """An iterator whose steps call functions of the program.

    Where such a function raises `StopIteration`, that is the end for whoever asked for the item;
    asked again, the iterator goes on.
    """

    __slots__ = ()

    def found(self) -> Value:
        """The next item, `END` where there is none."""
        raise NotImplementedError

    def advance(self) -> Step:
        return split(unless_stopped(self.found, (), END))


def steps(iterator: Value) -> Iterator[Value]:
    """The items of an iterator for a `for` loop, one by one.

    The guard of an item that only some paths have is relative to the path on which the loop goes
    on, so this is for loops that narrow their path, and not for collecting items.
    """
    try:
        if isinstance(iterator, Stateful):
            while (item := iterator.ready()) is not UNBOUND:
                yield item
        machine = current()
        room = room_of(iterator)
        capacity = iterator.capacity() if room is not None else 0
        taken = count = 0
        while True:
            if room is not None and count and taken >= room + iterator.capacity() - capacity:
                # Nothing is left, but finding that out may take items from other iterators.
                advance(iterator)
                return
            guard, value = advance(iterator)
            taken += 1
            if guard is True:
                yield value
                continue
            count += 1
            if guard is False or not machine.limits.may_go_on(machine, count, guard):
                return
            yield slot(guard, value)
    except StopIteration:
        # An `__iter__` of the program has ended a `chain`.
        return


def room_of(iterator: object) -> int | None:
    """How many items are left at most, if that is known."""
    return iterator.room() if isinstance(iterator, Stateful) else None


def capacity_of(iterator: object) -> int:
    """How many items the sources of an iterator hold, as far as it knows."""
    return iterator.capacity() if isinstance(iterator, Stateful) else 0


def least(place: Integer) -> int:
    """A number that a position is not smaller than."""
    leaves, result = [place], None
    for _ in range(_LEAVES):
        if not leaves:
            return result or 0
        leaf = leaves.pop()
        if isinstance(leaf, Term) and leaf.op.base is ITE:
            leaves += leaf.key[2:]
        elif type(leaf) is int:
            result = leaf if result is None else min(leaf, result)
        else:
            break
    return 0


# How many parts of a position are looked at.
_LEAVES = 256


def advance(iterator: Value) -> Step:
    """Take a step of any iterator."""
    if isinstance(iterator, Stateful):
        return iterator.advance()
    cls = type(iterator)
    if cls is Union:
        guard, value = over(iterator, advance)
        return guard, value
    if cls is GeneratorType:
        return generator_step(iterator)
    if cls is TrackedIterator:
        # It notices by itself if it is used where it must not.
        return _native(iterator)
    if type(getattr(cls, "__next__", None)) is FunctionType or hasattr(cls, "__enter__"):
        # Files and the like are advanced by a call, which can be taken back or is refused.
        return split(next_or(iterator, END))
    if current().layers:
        raise _not_advanced(iterator)
    return _native(iterator)


def _not_advanced(iterator: Value) -> NotLiftedError:
    return NotLiftedError(
        f"the {type(iterator).__name__} {iterator!r} would be advanced under a symbolic condition, "
        "which cannot be taken back; make a list of its items first"
    )


def _native(iterator: Iterator[Value]) -> Step:
    """A step of an iterator that is not one of ours; at the end, what a generator has returned."""
    try:
        item = next(iterator)
    except StopIteration as end:
        return False, end.value
    return opened(item)


def generator_step(generator: Running) -> Step:
    """A step of a generator; where all paths are at the end, what it has returned."""
    tape = tape_of(generator)
    if tape is not None:
        return _taped_step(tape, generator)
    check_ended(generator)
    if not is_lifted_generator(generator) and current().is_divided:
        raise _not_advanced(generator)
    return _native(generator)


def _taped_step(tape: Tape, generator: Running) -> Step:
    """A step of a generator that paths have advanced differently."""
    result: Value = None

    def item_at(place: int) -> Value:
        nonlocal result
        try:
            guard, value = tape.take(generator, place)
        except StopIteration as end:
            result = end.value
            return END
        return either(guard, lambda: value, lambda: END)

    even = not is_uneven(generator)
    step = split(tape.each(item_at))
    if result is None:
        return step
    if not even:
        raise NotLiftedError(
            f"{position()}: a generator has ended on some paths only and has returned a value, "
            "which is not lifted; make a list of its items first"
        )
    return False, result


# --- sequences ------------------------------------------------------------------------------------


# Sequences whose items are at hand, and those of them that nothing stands for.
_CONCRETE = (list, tuple, str, bytes, bytearray, deque, range)
_PLAIN = frozenset((list, tuple, str, range))


class SequenceIterator(Stateful):
    """The items of a list, tuple, string and so on, by index.

    As in Python, an iterator that has reached the end stays there even if the list grows.
    """

    __slots__ = ("done", "place", "source")

    def __init__(self, source: Value) -> None:
        self.source = source
        self.place: Integer = 0
        self.done: Guard = False

    def python_type(self) -> type:
        cls = python_type(self.source)
        empty: tuple[Value, ...] = ([], (), "", b"", bytearray(), deque(), range(0))
        return next(type(iter(sample)) for sample in empty if issubclass(cls, type(sample)))

    def capacity(self) -> int:
        return 0 if type(self.source) is StringTerm else len(held(self.source))

    def room(self) -> int | None:
        if type(self.source) not in _CONCRETE:
            return None
        return max(0, len(held(self.source)) - least(self.place))

    def ready(self) -> Value:
        source, place = self.source, self.place
        if JOURNALING or type(place) is not int or self.done is not False:
            return UNBOUND
        if type(source) not in _PLAIN or place >= len(source):
            return UNBOUND
        item = source[place]
        if type(item) is Maybe:  # flat: hot path
            return UNBOUND
        self.place = place + 1
        return item

    def advance(self) -> Step:
        source, place, done = self.source, self.place, self.done
        if type(place) is int and done is False:
            # As for most iterators: nothing is symbolic.
            guard, value = _item(source, place)
            if guard is True:
                step_to(self, "place", True, place + 1)
                return True, value
        place, done = on_path(place), on_path(done)
        if done is True:
            return ENDED
        guard, value = _item(source, place)
        guard = and_(not_(done), guard)
        step_to(self, "done", not_(guard), True)
        step_to(self, "place", guard, place + 1)
        return guard, value


def _item(source: Value, place: Integer) -> Step:
    """The guard under which a sequence has an item at a place, and the item."""
    if type(source) in _CONCRETE:
        if type(source) is bytearray:
            source = held(source)
        if type(place) is int:
            if place >= len(source) or place < 0:
                return ENDED
            item = source[place]
            return opened(item)
        return _chosen(source, place)
    # Other classes of sequences have lengths of their own.
    guard = on_path(and_(place >= 0, place < length(source)))
    return where(guard, lambda: get_item(source, place))


def _chosen(source: Iterable[Value], place: Integer) -> Step:
    """The item at a symbolic place."""
    rows: list[Step] = []
    for number, (there, value) in enumerate(sequences.walk(source)):
        guard = on_path(and_(place == number, there))
        if guard is not False:
            rows.append((guard, value))
    if not rows:
        return ENDED
    guard = or_([row[0] for row in rows])
    return guard, combine(rows)


class ReverseIterator(Stateful):
    """The items of a sequence from the last to the first."""

    __slots__ = ("place", "source")

    def __init__(self, source: Value) -> None:
        self.source = source
        self.place: Integer = length(source) - 1

    def python_type(self) -> type:
        found: object = reversed([]) if type(self.source) is list else reversed(())
        return type(found)

    def room(self) -> int | None:
        return len(held(self.source)) if type(self.source) in _CONCRETE else None

    def advance(self) -> Step:
        place = on_path(self.place)
        guard, value = _item(self.source, place)
        # Python's iterator has ended for good, too, if the list became too short.
        step_to(self, "place", not_(guard), -1)
        step_to(self, "place", guard, place - 1)
        return guard, value


# Whose sizes are looked at; classes of the user's may define another `__len__`.
_SIZED: tuple[type[Sized], ...] = (dict, set, frozenset, deque)


class Unchanged:
    """Looks whether a dict, set or deque changes while something iterates over it."""

    __slots__ = ("keys", "owner", "probe", "seen", "size")

    def __init__(self, owner: Value) -> None:
        self.owner = owner
        self.size = length(owner)
        # The iterators of these notice more than another size.
        self.keys = list(owner) if isinstance(owner, OrderedDict) else None
        self.probe = iter(owner) if isinstance(owner, deque) else None
        self.seen = self.sign()

    def sign(self) -> tuple[int, int, int]:
        """What is another as soon as the length has changed; it costs nothing to look at."""
        machine = current()
        size = next(
            (base.__len__(self.owner) for base in _SIZED if isinstance(self.owner, base)), -1
        )
        return machine.writes, machine.stats.joins, size

    def check(self, going_on: Guard = True) -> None:
        """Raise what Python raises at the next step, where there is one."""
        sign = self.sign()
        if sign != self.seen:
            changed: Guard = length(self.owner) != self.size
            if changed is not False:
                current().fail_if(and_(going_on, changed), RuntimeError(self.message()))
            # What failed has left the path, and another path may come.
            self.seen = sign if changed is False else (-1, 0, 0)
        if not self.is_same():
            raise NotLiftedError(
                f"{position()}: this {type_name(self.owner)} was changed while something iterates "
                "over it, in a way that is not lifted; iterate over a list of its items"
            )

    def message(self) -> str:
        """What Python says."""
        if isinstance(self.owner, deque):
            return "deque mutated during iteration"
        if isinstance(self.owner, OrderedDict):
            return "OrderedDict mutated during iteration"
        what = "dictionary" if isinstance(self.owner, dict) else "Set"
        return f"{what} changed size during iteration"

    def is_same(self) -> bool:
        """Whether nothing but values has changed, as far as another size does not show it."""
        if self.keys is not None:
            now = list(self.owner)
            return len(now) == len(self.keys) and all(map(operator.is_, now, self.keys))
        if self.probe is not None:
            try:
                next(self.probe, None)
            except RuntimeError:
                return False
            self.probe = iter(self.owner)
        return True


class DequeIterator(SequenceIterator):
    """The items of a deque."""

    __slots__ = ("unchanged",)

    # Each step looks whether the deque has changed.
    ready = Stateful.ready

    def __init__(self, source: Value) -> None:
        super().__init__(source)
        self.unchanged = Unchanged(source)

    def advance(self) -> Step:
        self.unchanged.check(not_(on_path(self.done)))
        return super().advance()


class ReverseSnapshot(ReverseIterator):
    """The keys, values or items of a dict, or the items of a deque, from the last to the first."""

    __slots__ = ("unchanged",)

    def __init__(self, items: list[Value], owner: Value) -> None:
        super().__init__(items)
        self.unchanged = Unchanged(owner)

    def python_type(self) -> type:
        return type(reversed(self.unchanged.owner))

    def advance(self) -> Step:
        self.unchanged.check(on_path(self.place) >= 0)
        return super().advance()


class SnapshotIterator(SequenceIterator):
    """The elements of a set, or the keys of a dict, that were there when the iterator was made."""

    __slots__ = ("unchanged",)

    # Each step looks whether the owner has changed.
    ready = Stateful.ready

    def __init__(self, items: list[Value], owner: Value) -> None:
        super().__init__(items)
        self.unchanged = Unchanged(owner)

    def python_type(self) -> type:
        owner = self.unchanged.owner
        return type(iter(owner.keys() if isinstance(owner, dict) else set()))

    def shown(self, key: Value) -> Value:
        """What is given for an element or a key."""
        return key

    def advance(self) -> Step:
        self.unchanged.check(not_(on_path(self.done)))
        guard, key = super().advance()
        return (guard, key) if guard is False else (guard, self.shown(key))


def watched(rows: list[Value], owner: Value) -> Iterator[Value]:
    """The elements of a set or the keys of a dict for a loop, which may change it."""
    unchanged = Unchanged(owner)
    for row in rows:
        yield row
        unchanged.check()


class _Indexed:
    """Has items but no `__iter__`."""

    def __getitem__(self, index: int) -> Value:
        raise IndexError


class IndexIterator(Stateful):
    """The items of an object that has `__getitem__` but not `__iter__`."""

    __slots__ = ("done", "place", "source")

    def __init__(self, source: Value) -> None:
        self.source = source
        self.place: Integer = 0
        self.done: Guard = False

    def python_type(self) -> type:
        return type(iter(_Indexed()))

    def advance(self) -> Step:
        place, done = on_path(self.place), on_path(self.done)
        guard, value = where(not_(done), lambda: item_or(self.source, place, END))
        step_to(self, "done", not_(guard), True)
        step_to(self, "place", guard, place + 1)
        return guard, value


class CallIterator(Stateful):
    """`iter(function, sentinel)`."""

    __slots__ = ("done", "function", "sentinel")

    def __init__(self, function: Callable[[], Value], sentinel: Value) -> None:
        self.function = function
        self.sentinel = sentinel
        self.done: Guard = False

    def python_type(self) -> type:
        return type(iter(int, 0))

    def advance(self) -> Step:
        guard, value = where(not_(self.done), lambda: call_or(self.function, self.sentinel, END))
        step_to(self, "done", not_(guard), True)
        return guard, value


class Replay(Stateful):
    """A native iterator over values that nothing changes, such as those of `itertools`.

    What it gave is kept, so that paths at different places can share it.
    """

    __slots__ = ("most", "native", "place", "seen")

    def __init__(self, native: Iterator[Value]) -> None:
        self.native = native
        # Not journaled: more of the items may be known than a path has taken.
        self.seen: list[Value] = []
        self.most = 0
        self.place: Integer = 0

    def python_type(self) -> type:
        return type(self.native)

    def _known(self, count: int) -> int:
        """Have the first items at hand, if there are so many."""
        while len(self.seen) < count:
            try:
                self.seen.append(next(self.native))
            except StopIteration:
                break
        return len(self.seen)

    def advance(self) -> Step:
        place = on_path(self.place)
        self.most += 1
        if type(place) is int:
            if self._known(place + 1) <= place:
                return ENDED
            step_to(self, "place", True, place + 1)
            return True, self.seen[place]
        count = self._known(self.most)
        guard, value = _item(tuple(self.seen[:count]), place)
        step_to(self, "place", guard, place + 1)
        return guard, value


class Checked(Lent):
    """An iterator in the hands of code that is not lifted: every path has the same items."""

    __slots__ = ("iterator",)

    def __init__(self, iterator: Value) -> None:
        self.iterator = iterator

    def __iter__(self) -> Checked:
        return self

    def __next__(self) -> Value:
        guard, value = advance(self.iterator)
        if guard is False:
            raise StopIteration
        if guard is not True or survey.is_symbolic(value):
            raise NotLiftedError(
                f"{position()}: code that is not lifted takes a symbolic item from an iterator; "
                "make a list of its items first"
            )
        return value
