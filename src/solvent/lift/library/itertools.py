"""The module `itertools`.

The iterators that only rearrange known items (`product`, `permutations`...) are Python's own behind
a `Replay`; for sources whose length differs between paths there is one for each length.  The others
are iterators with journaled state, most of them with a step that is lifted Python.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator

from solvent.errors import NotLiftedError
from solvent.lift import operators
from solvent.lift.api import lifted
from solvent.lift.calls import call
from solvent.lift.facts import on_path
from solvent.lift.library.builtins.lazy import Derived, Together, Zip, next_where
from solvent.lift.messages import raised
from solvent.lift.registry import lifts
from solvent.lift.truth import negation
from solvent.lift.unpacking import spread_out
from solvent.lift.values import sequences
from solvent.lift.values.byte_items import number
from solvent.lift.values.iterators import (
    END,
    Calling,
    Replay,
    Stateful,
    Step,
    advance,
    capacity_of,
    room_of,
    split,
    step_to,
)
from solvent.lift.values.protocol import items_of, iter_of
from solvent.lift.values.sequences import whole
from solvent.lift.words import check_word, fits
from solvent.terms.booleans import and_, not_, or_
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.merge import merge
from solvent.vm.spread import combine, over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

# --- rearranging known items ----------------------------------------------------------------------


def _pools(iterables: tuple[Value, ...], make: Callable[[list[list[Value]]], Value]) -> Value:
    """Do something with the lists of items of iterables, once for each combination of lengths."""
    lists = [list(items_of(iterable)) for iterable in iterables]
    return _by_lengths(lists, make)


def _by_lengths(lists: list[list[Value]], make: Callable[[list[list[Value]]], Value]) -> Value:
    for place, items in enumerate(lists):
        if sequences.is_ragged(items):
            rows = tuple(sequences.alternatives(items))
            return over(
                Union(rows),
                lambda found: _by_lengths([*lists[:place], found, *lists[place + 1 :]], make),  # noqa: B023
            )
    return make(lists)


def _check_count(count: object, what: str) -> None:
    if isinstance(count, (Term, Union)):
        raise NotLiftedError(f"`{what}` of a symbolic number of items is not lifted")


@lifts(itertools.product)
def product(*iterables: Value, repeat: Value = 1) -> Value:
    """`itertools.product`."""
    _check_count(repeat, "itertools.product")
    return _pools(iterables, lambda lists: Replay(itertools.product(*lists, repeat=repeat)))


def _selection(native: Callable[..., Iterator[Value]]) -> None:
    @lifts(native)
    def select(iterable: Value, r: Value = None) -> Value:
        _check_count(r, f"itertools.{native.__name__}")
        return _pools((iterable,), lambda lists: Replay(native(lists[0], r)))


for _native in (
    itertools.permutations, itertools.combinations, itertools.combinations_with_replacement,
):  # fmt: skip
    _selection(_native)


# --- counting -------------------------------------------------------------------------------------


@lifts(itertools.count)
class Count(Stateful):
    """`itertools.count(start, step)`."""

    __slots__ = ("number", "step")

    def __init__(self, start: Value = 0, step: Value = 1) -> None:
        self.number = start
        self.step = step

    def advance(self) -> Step:
        number = on_path(self.number)
        step_to(self, "number", True, operators.add(number, self.step))
        return True, number


@lifts(itertools.repeat)
class Repeat(Stateful):
    """`itertools.repeat(object, times)`."""

    __slots__ = ("left", "object")

    def __init__(self, object: Value, times: Value = None) -> None:
        self.object = object
        self.left = times
        if times is not None:
            self.left = number(times)
            check_word(self.left)

    def advance(self) -> Step:
        left = on_path(self.left)
        if left is None:
            return True, self.object
        guard = on_path(left > 0)
        step_to(self, "left", guard, left - 1)
        return guard, self.object


# --- iterators with lifted steps ------------------------------------------------------------------


class Stepped(Calling, Derived):
    """An iterator with a lifted step, which gives `END` at the end."""

    __slots__ = ()

    take: Callable[[Value, Value], Value]

    def found(self) -> Value:
        return type(self).take(self, END)


@lifts(itertools.chain)
class Chain(Stateful):
    """`itertools.chain(*iterables)`: every part has a state of its own."""

    __slots__ = ("alive", "parts", "started")

    def __init__(self, *iterables: Value) -> None:
        self.parts = iterables
        # The iterators of the parts; those whose making may be noticed are made when needed.
        self.started = tuple([_early_iterator(iterable) for iterable in iterables])
        self.alive: tuple[Guard, ...] = (True,) * len(iterables)

    def room(self) -> int | None:
        rooms = [room_of(source) for source in self.started]
        known = [room for room in rooms if room is not None]
        return sum(known) if len(known) == len(rooms) else None

    def capacity(self) -> int:
        return sum(capacity_of(source) for source in self.started)

    def advance(self) -> Step:
        need: Guard = True
        rows: list[Step] = []
        alive = list(self.alive)
        for place, before in enumerate(alive):
            asked = and_(need, on_path(before))
            if asked is False:
                continue
            guard, value = _step_if(asked, lambda: self.step_of(place))  # noqa: B023
            alive[place] = and_(before, or_(guard, not_(need)))
            need = and_(need, not_(guard))
            if guard is not False:
                rows.append((guard, value))
            if need is False:
                break
        step_to(self, "alive", True, tuple(alive))
        return (not_(need), combine(rows)) if rows else (False, None)

    def step_of(self, place: int) -> Step:
        """A step of one part."""
        source = self.started[place]
        if type(source) is Union:
            return over(source, lambda member: self.step_with(place, member))  # type: ignore[no-any-return]
        return self.step_with(place, source)

    def step_with(self, place: int, source: Value) -> Step:
        """A step of one part with its iterator, which is made now if it is None."""
        if source is None:
            source = iter_of(self.parts[place])
            started = (*self.started[:place], source, *self.started[place + 1 :])
            step_to(self, "started", True, started)
        return advance(source)


def _early_iterator(iterable: Value) -> Value:
    """The iterator of something of which it can be made at any time."""
    early = type(iterable) in (list, tuple, str, range) or isinstance(iterable, Stateful)
    return iter_of(iterable) if early else None


class ChainFrom(Stepped):
    """`itertools.chain.from_iterable(iterables)`."""

    __slots__ = ("inner",)

    def __init__(self, iterables: Value) -> None:
        self.source = iter_of(iterables)
        self.inner: Value = ()

    def python_type(self) -> type:
        return itertools.chain

    def room(self) -> int | None:
        return None

    @staticmethod
    @lifted
    def take(self: ChainFrom, end: Value) -> Value:
        for item in self.inner:
            return item
        for part in self.source:
            inner = iter(part)
            self.inner = inner
            for item in inner:
                return item
        return end


@lifts(itertools.chain.from_iterable)
def chain_from(iterables: Value) -> Chain | ChainFrom:
    """`itertools.chain.from_iterable(iterables)`."""
    return Chain(*iterables) if type(iterables) is tuple else ChainFrom(iterables)


@lifts(itertools.accumulate)
class Accumulate(Stepped):
    """`itertools.accumulate(iterable, func, initial=...)`."""

    __slots__ = ("function", "started", "total")

    def __init__(self, iterable: Value, func: Value = None, *, initial: Value = None) -> None:
        self.source = iter_of(iterable if initial is None else Chain((initial,), iterable))
        self.function = operators.add if func is None else func
        self.started: Guard = False
        self.total: Value = None

    @staticmethod
    @lifted
    def take(self: Accumulate, end: Value) -> Value:
        for item in self.source:
            if self.started:
                item = self.function(self.total, item)
            self.started = True
            self.total = item
            return item
        return end


@lifts(itertools.takewhile)
class TakeWhile(Stepped):
    """`itertools.takewhile(predicate, iterable)`."""

    __slots__ = ("done", "test")

    def __init__(self, predicate: Value, iterable: Value, /) -> None:
        self.test = predicate
        self.source = iter_of(iterable)
        self.done: Guard = False

    @staticmethod
    @lifted
    def take(self: TakeWhile, end: Value) -> Value:
        if not self.done:
            for item in self.source:
                if self.test(item):
                    return item
                self.done = True
                return end
        return end


@lifts(itertools.dropwhile)
class DropWhile(Stepped):
    """`itertools.dropwhile(predicate, iterable)`."""

    __slots__ = ("started", "test")

    def __init__(self, predicate: Value, iterable: Value, /) -> None:
        self.test = predicate
        self.source = iter_of(iterable)
        self.started: Guard = False

    @staticmethod
    @lifted
    def take(self: DropWhile, end: Value) -> Value:
        for item in self.source:
            if self.started or not self.test(item):
                self.started = True
                return item
        return end


def _refuse_bounds(condition: Guard, *bounds: int) -> None:
    """Raise what Python raises for bounds like these, where a condition holds."""
    if condition is not False:
        current().fail_if(condition, raised(itertools.islice, (), *bounds))


@lifts(itertools.islice)
def make_slice(iterable: Value, *bounds: Value) -> Value:
    """`itertools.islice(iterable, start, stop, step)`."""
    for place, bound in enumerate(bounds):
        if type(bound) is Union:
            before, after = bounds[:place], bounds[place + 1 :]
            return over(bound, lambda member: make_slice(iterable, *before, member, *after))  # noqa: B023
    if not any(isinstance(bound, Term) for bound in bounds):
        itertools.islice((), *bounds)
    return Slice(iterable, *bounds)


class Slice(Stepped):
    """`itertools.islice(iterable, start, stop, step)`."""

    __slots__ = ("count", "step", "stop", "target")

    def __init__(self, iterable: Value, *bounds: Value) -> None:
        part = slice(*bounds)
        self.source = iter_of(iterable)
        self.count: Integer = 0
        self.target = 0 if part.start is None else part.start
        self.stop = part.stop
        self.step = 1 if part.step is None else part.step
        self.check()

    def python_type(self) -> type:
        return itertools.islice

    def check(self) -> None:
        """Raise what Python raises for bounds that are negative, or that do not fit in a word."""
        if self.stop is not None:
            self.stop = number(self.stop)
            no_stop = or_(self.stop == -1, not_(fits(self.stop)))
            _refuse_bounds(no_stop, 0, -1)
            _refuse_bounds(self.stop < 0, 0, -2)
        self.target, self.step = number(self.target), number(self.step)
        _refuse_bounds(or_(self.target < 0, not_(fits(self.target))), -1, 0)
        _refuse_bounds(or_(self.step <= 0, not_(fits(self.step))), 0, 0, 0)

    @staticmethod
    @lifted
    def take(self: Slice, end: Value) -> Value:
        stop = self.stop
        while self.count < self.target:
            for _ in self.source:
                self.count += 1
                break
            else:
                return end
        if stop is not None and self.count >= stop:
            return end
        for item in self.source:
            self.count += 1
            target = self.target + self.step
            if stop is not None and target > stop:
                target = stop
            self.target = target
            return item
        return end


@lifts(itertools.cycle)
class Cycle(Stateful):
    """`itertools.cycle(iterable)`."""

    __slots__ = ("full", "place", "saved", "source")

    def __init__(self, iterable: Value, /) -> None:
        self.source = iter_of(iterable)
        self.saved: list[Value] = []
        self.full: Guard = False
        self.place: Integer = 0

    def advance(self) -> Step:
        return split(Cycle.take(self, END))

    @staticmethod
    @lifted
    def take(self: Cycle, end: Value) -> Value:
        if not self.full:
            for item in self.source:
                self.saved.append(item)
                return item
            self.full = True
        if not self.saved:
            return end
        item = self.saved[self.place]  # type: ignore[index]
        self.place += 1
        if self.place >= len(self.saved):
            self.place = 0
        return item


class Grouping:
    """What a `groupby` and its groups share."""

    __slots__ = ("aimed", "filled", "key", "known", "now", "serial", "source", "target", "value")

    def __init__(self, source: Value, key: Value) -> None:
        self.source = source
        self.key = key
        # Whether there is a value that no group has taken, a current key, a key of a group.
        self.filled: Guard = False
        self.known: Guard = False
        self.aimed: Guard = False
        self.value: Value = None
        self.now: Value = None
        self.target: Value = None
        self.serial: Integer = 0


@lifted
def _hold(state: Grouping, value: Value) -> None:
    """An item of a `groupby` was taken."""
    state.value = value
    state.now = value if state.key is None else state.key(value)
    state.filled = state.known = True


@lifted
def _fetch(state: Grouping) -> Guard:
    """Take the next item of a `groupby`."""
    for value in state.source:
        _hold(state, value)
        return True
    return False


@lifts(itertools.groupby)
class GroupBy(Stepped):
    """`itertools.groupby(iterable, key)`."""

    __slots__ = ("state",)

    def __init__(self, iterable: Value, key: Value = None) -> None:
        self.source = iter_of(iterable)
        self.state = Grouping(self.source, key)

    @staticmethod
    @lifted
    def take(self: GroupBy, end: Value) -> Value:
        state = self.state
        state.serial += 1
        searching = not state.known or (state.aimed and state.target == state.now)
        if searching:
            for value in state.source:
                _hold(state, value)
                if not state.aimed or not state.target == state.now:  # noqa: SIM201
                    searching = False
                    break
        if searching:
            return end
        state.target = state.now
        state.aimed = True
        return state.now, Group(state, state.serial, state.now)


class Group(Stepped):
    """One group of a `groupby`."""

    __slots__ = ("serial", "state", "wanted")

    def __init__(self, state: Grouping, serial: Integer, key: Value) -> None:
        self.source = state.source
        self.state = state
        self.serial = serial
        self.wanted = key

    def python_type(self) -> type:
        return type(next(itertools.groupby((0,)))[1])

    def room(self) -> int | None:
        inner = super().room()
        return None if inner is None else inner + 1

    @staticmethod
    @lifted
    def take(self: Group, end: Value) -> Value:
        state = self.state
        if state.serial != self.serial:
            return end
        if not state.filled and not _fetch(state):
            return end
        if not self.wanted == state.now:  # noqa: SIM201
            return end
        state.filled = False
        return state.value


@lifts(itertools.zip_longest)
class ZipLongest(Stateful):
    """`itertools.zip_longest(*iterables, fillvalue=...)`."""

    __slots__ = ("alive", "fill", "sources")

    def __init__(self, *iterables: Value, fillvalue: Value = None) -> None:
        self.sources = tuple([iter_of(iterable) for iterable in iterables])
        self.alive: tuple[Guard, ...] = (True,) * len(iterables)
        self.fill = fillvalue

    def room(self) -> int | None:
        rooms = [room_of(source) for source in self.sources]
        known = [room for room in rooms if room is not None]
        return max(known, default=0) if len(known) == len(rooms) else None

    def capacity(self) -> int:
        return sum(capacity_of(source) for source in self.sources)

    def advance(self) -> Step:
        alive, row = [], []
        for before, source in zip(self.alive, self.sources, strict=True):
            guard, value = _step_if(on_path(before), lambda: advance(source))  # noqa: B023
            alive.append(guard)
            row.append(value if guard is True else merge(guard, value, self.fill))
        step_to(self, "alive", True, tuple(alive))
        return or_(alive), tuple(row)


def _step_if(guard: Guard, step: Callable[[], Step]) -> Step:
    """A step of an iterator where a guard holds."""
    if guard is True:
        return step()
    if guard is False:
        return False, None
    sides = Union(((guard, True), (True, False)))
    return split(over(sides, lambda side: _joined(step()) if side else END))


def _joined(step: Step) -> Value:
    """A step as one value, which is `END` where the iterator has ended."""
    guard, value = step
    return value if guard is True else merge(guard, value, END)


@lifts(itertools.starmap)
class StarMap(Calling, Together):
    """`itertools.starmap(function, iterable)`."""

    __slots__ = ("function",)

    # The function may raise `StopIteration`.
    ready = Stateful.ready

    def __init__(self, function: Value, iterable: Value, /) -> None:
        self.function = function
        self.sources = (iter_of(iterable),)

    def found(self) -> Value:
        return self.rest(0, ())

    def finish(self, row: tuple[Value, ...]) -> Value:
        (arguments,) = row
        if type(arguments) is Union:
            return over(arguments, lambda member: self.finish((member,)))
        return call(self.function)(*spread_out(arguments))


@lifts(itertools.pairwise)
class Pairwise(Stepped):
    """`itertools.pairwise(iterable)`."""

    __slots__ = ("last", "started")

    def __init__(self, iterable: Value, /) -> None:
        self.source = iter_of(iterable)
        self.started: Guard = False
        self.last: Value = None

    @staticmethod
    @lifted
    def take(self: Pairwise, end: Value) -> Value:
        if not self.started:
            for item in self.source:
                self.last = item
                self.started = True
                break
        if self.started:
            for item in self.source:
                pair = (self.last, item)
                self.last = item
                return pair
        return end


@lifts(itertools.filterfalse)
class FilterFalse(Calling, Derived):
    """`itertools.filterfalse(predicate, iterable)`."""

    __slots__ = ("test",)

    def __init__(self, predicate: Value, iterable: Value, /) -> None:
        self.test = predicate
        self.source = iter_of(iterable)

    def fails(self, item: Value) -> Guard:
        """Whether an item does not pass the test."""
        return negation(item if self.test is None else call(self.test)(item))

    def found(self) -> Value:
        return next_where(self.source, self.fails, END)


@lifts(itertools.compress)
class Compress(Stepped):
    """`itertools.compress(data, selectors)`."""

    __slots__ = ()

    def __init__(self, data: Value, selectors: Value) -> None:
        self.source = Zip(data, selectors)

    @staticmethod
    @lifted
    def take(self: Compress, end: Value) -> Value:
        for item, selected in self.source:
            if selected:
                return item
        return end


class Tee(Stepped):
    """One of the iterators of `itertools.tee`; they share what was taken from the source."""

    __slots__ = ("place", "seen")

    def __init__(self, source: Value, seen: list[Value]) -> None:
        self.source = source
        self.seen = seen
        self.place: Integer = 0

    def python_type(self) -> type:
        return type(itertools.tee(())[0])

    def room(self) -> int | None:
        inner = super().room()
        return None if inner is None else inner + len(self.seen)

    @staticmethod
    @lifted
    def take(self: Tee, end: Value) -> Value:
        place = self.place
        if place < len(self.seen):
            self.place = place + 1
            return self.seen[place]  # type: ignore[index]
        for item in self.source:
            self.seen.append(item)
            self.place = place + 1
            return item
        return end


@lifts(itertools.tee)
def tee(iterable: Value, n: int = 2) -> tuple[Tee, ...]:
    """`itertools.tee(iterable, n)`."""
    _check_count(n, "itertools.tee")
    source = iter_of(iterable)
    seen: list[Value] = []
    return tuple([Tee(source, seen) for _ in range(n)])


# --- from Python 3.12 on --------------------------------------------------------------------------

_BATCHED: Value = getattr(itertools, "batched", None)


class Batched(Stepped):
    """`itertools.batched(iterable, n, strict=...)`."""

    __slots__ = ("done", "size", "strict")

    def __init__(self, iterable: Value, n: Value, **options: Value) -> None:
        # Python itself knows which options there are.
        _BATCHED((), 1, **dict.fromkeys(options, False))
        self.size = whole(n)
        self.check()
        self.strict = options.get("strict", False)
        self.source = iter_of(iterable)
        self.done: Guard = False

    def check(self) -> None:
        """Raise what Python raises for a wrong size."""
        if type(self.size) is not IntTerm:
            _BATCHED((), self.size)
            return
        machine = current()
        huge = or_([self.size > sys.maxsize, self.size < -sys.maxsize - 1])
        machine.fail_if(huge, raised(_BATCHED, (), sys.maxsize + 1))
        machine.fail_if(self.size < 1, raised(_BATCHED, (), 0))

    @staticmethod
    @lifted
    def take(self: Batched, end: Value) -> Value:
        if self.done:
            return end
        batch: list[Value] = []
        while len(batch) < self.size:
            for item in self.source:
                batch.append(item)
                break
            else:
                break
        if not batch:
            self.done = True
            return end
        if self.strict and len(batch) < self.size:
            self.done = True
            raise ValueError("batched(): incomplete batch")
        return tuple(batch)


@over_members_of("n")
def batched(iterable: Value, n: Value, **options: Value) -> Value:
    """`itertools.batched`; the number of items may differ between paths."""
    return Batched(iterable, n, **options)


if _BATCHED is not None:
    lifts(_BATCHED)(batched)
