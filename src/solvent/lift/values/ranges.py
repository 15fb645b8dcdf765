"""Ranges, also with symbolic bounds, and what they are asked about symbolic numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator

from solvent.errors import NotLiftedError
from solvent.lift import operators
from solvent.lift.calls import call
from solvent.lift.facts import on_path
from solvent.lift.messages import message, raised
from solvent.lift.registry import Function, lifts, lifts_method
from solvent.lift.unlifted import Direct
from solvent.lift.values import sequences, slices
from solvent.lift.values.iterators import SequenceIterator, Stateful, Step, step_to
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import Evaluation, Texts, behaves
from solvent.lift.values.sequences import get_item
from solvent.lift.values.slices import get_slice
from solvent.lift.words import check_length
from solvent.terms.booleans import BoolTerm, and_, ite, not_, or_
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.vm.kinds import StandIn, python_type, type_name
from solvent.vm.machine import current
from solvent.vm.slots import slot
from solvent.vm.spread import over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value


class SymbolicRange(StandIn):
    """`range` with symbolic bounds."""

    __slots__ = ("start", "step", "stop")

    def __init__(self, start: Integer, stop: Integer, step: Integer) -> None:
        self.start = start
        self.stop = stop
        self.step = step

    def __iter__(self) -> Iterator[Value]:
        machine = current()
        number = self.start
        count = 0
        while True:
            guard = self.goes_on(number)
            count += 1
            if guard is False or not machine.limits.may_go_on(machine, count, guard):
                return
            yield slot(guard, number)
            number = number + self.step

    def goes_on(self, number: Integer) -> Guard:
        """Whether a number, from the start on, is before the end."""
        return ite(self.step > 0, number < self.stop, number > self.stop)

    def python_type(self) -> type:
        return range

    def __repr__(self) -> str:
        return f"range({self.start}, {self.stop}, {self.step})"

    def __bool__(self) -> Guard:
        return self.size() > 0

    def __hash__(self) -> int:
        raise NotLiftedError("the hash of a range with symbolic bounds is not lifted; use a tuple")

    def stride(self) -> Integer:
        """How far apart the numbers are."""
        return (
            abs(self.step) if type(self.step) is int else ite(self.step > 0, self.step, -self.step)
        )

    def size(self) -> Integer:
        """How many numbers there are, however large that is."""
        stride = self.stride()
        distance = ite(self.step > 0, self.stop - self.start, self.start - self.stop)
        count = (distance + stride - 1) // stride
        return ite(count < 0, 0, count)

    def length(self) -> Integer:
        """`len` of the range."""
        size = self.size()
        check_length(size)
        return size

    def holds(self, number: Integer) -> Guard:
        """Whether a number, an int or a term, is one of the range."""
        upwards = and_(self.start <= number, number < self.stop)
        downwards = and_(self.stop < number, number <= self.start)
        return and_(
            ite(self.step > 0, upwards, downwards), (number - self.start) % self.stride() == 0
        )

    def __getitem__(self, key: Value) -> Value:
        size = self.size()
        if type(key) is not slice:
            place = index_of_range(key)
            outside = or_(place >= size, place < -size)
            current().fail_if(outside, IndexError("range object index out of range"))
            return self.start + ite(place < 0, place + size, place) * self.step
        if slices.has_union(key):
            return slices.by_union(key, self.__getitem__)
        step = 1 if key.step is None else index_of_range(key.step)
        current().fail_if(step == 0, ValueError("slice step cannot be zero"))
        # As `slice.indices` has it: backwards, both ends are one place earlier.
        least = ite(step > 0, 0, -1)
        most = size + least
        first, last = ite(step > 0, least, most), ite(step > 0, most, least)
        if key.start is not None:
            first = _clamped(index_of_range(key.start), size, least, most)
        if key.stop is not None:
            last = _clamped(index_of_range(key.stop), size, least, most)
        start, stop = self.start + first * self.step, self.start + last * self.step
        return SymbolicRange(start, stop, self.step * step)


def index_of_range(key: Value) -> Integer:
    """An index of a range: an int or a term, of any size."""
    if type(key) in sequences.INDICES:
        return sequences.whole(key)
    if isinstance(key, Term) or not hasattr(type(key), "__index__"):
        raise TypeError(f"range indices must be integers or slices, not {type_name(key)}")
    return operator.index(key)


def _clamped(bound: Integer, size: Integer, least: Integer, most: Integer) -> Integer:
    """A bound of a slice as a place of those that there are."""
    place = ite(bound < 0, bound + size, bound)
    return ite(place < least, least, ite(place > most, most, place))


class RangeIterator(Stateful):
    """The numbers of a range with symbolic bounds."""

    __slots__ = ("number", "source")

    def __init__(self, source: SymbolicRange) -> None:
        self.source = source
        self.number: Integer = source.start

    def python_type(self) -> type:
        return type(iter(range(0)))

    def advance(self) -> Step:
        number = on_path(self.number)
        guard = on_path(self.source.goes_on(number))
        step_to(self, "number", guard, number + self.source.step)
        return guard, number


Range = range | SymbolicRange


@lifts(range)
def make_range(*bounds: Value) -> Value:
    """`range(...)`."""
    for place, bound in enumerate(bounds):
        if type(bound) is Union:
            return over(bound, lambda m: make_range(*bounds[:place], m, *bounds[place + 1 :]))  # noqa: B023
    if not any(isinstance(bound, Term) for bound in bounds) or not 1 <= len(bounds) <= 3:
        return range(*bounds)
    whole = [_whole(bound) for bound in bounds]
    start, stop, step = (0, *whole, 1) if len(whole) == 1 else (*whole, 1)[:3]
    zero = step == 0
    if zero is not False:
        current().fail_if(zero, raised(range, 0, 0, 0))
    return SymbolicRange(start, stop, step)


def _whole(bound: Value) -> Integer:
    if type(bound) is IntTerm:
        return bound
    if type(bound) is BoolTerm:
        return bound.as_int()
    if isinstance(bound, Term):
        raise TypeError(f"'{type_name(bound)}' object cannot be interpreted as an integer")
    return range(bound).stop


def as_symbolic(found: Range) -> SymbolicRange:
    """A range as one that takes symbolic numbers."""
    if isinstance(found, SymbolicRange):
        return found
    return SymbolicRange(found.start, found.stop, found.step)


def contains(found: Range, item: Value) -> Guard:
    """`item in found`."""
    if type(item) is Union:
        result: Guard = over(item, lambda member: contains(found, member))
        return result
    kind = python_type(item)
    if issubclass(kind, int):
        return as_symbolic(found).holds(item.as_int() if type(item) is BoolTerm else item)
    if isinstance(found, range):
        return or_([operators.eq(item, number) for number in found])
    if issubclass(kind, (str, bytes, list, tuple, dict, set, type(None))):
        return False
    raise NotLiftedError(
        f"looking for a {kind.__name__} in a range with symbolic bounds is not lifted; compare it "
        "with the bounds"
    )


def _method(name: str) -> Callable[[Function], Function]:
    """Register a method of ranges, for symbolic ones and for symbolic numbers in concrete ones."""
    native = getattr(range, name)

    def register(function: Function) -> Function:
        def method(found: Value, *arguments: Value) -> Value:
            symbolic = isinstance(found, SymbolicRange)
            if len(arguments) == 1 and (symbolic or isinstance(arguments[0], (Term, Union))):
                return function(found, *arguments)
            return Direct(native)(found, *arguments)

        lifts_method(range, SymbolicRange, name=name)(method)
        return function

    return register


@_method("count")
def count(found: Range, value: Value) -> Integer:
    """`found.count(value)`."""
    inside = contains(found, value)
    return int(inside) if type(inside) is bool else ite(inside, 1, 0)


@_method("index")
@over_members_of("value")
def index(found: Range, value: Value) -> Value:
    """`found.index(value)`."""
    missing = not_(contains(found, value))
    if missing is not False:
        text = operators.add(call(repr)(value), " is not in range")
        current().fail_if(missing, ValueError(text))
    row = as_symbolic(found)
    number = value.as_int() if type(value) is BoolTerm else value
    return (number - row.start) // row.step


def equal(a: Range, b: Range) -> Guard:
    """`a == b` for ranges: whether they hold the same numbers."""
    first, second = as_symbolic(a), as_symbolic(b)
    size = first.size()
    same_step = first.step == second.step
    same_start = first.start == second.start
    rest = or_(size == 0, and_(same_start, or_(size == 1, same_step)))
    return and_(size == second.size(), rest)


lifts_method(SymbolicRange, name="__contains__")(contains)


class Ranges(Objects):
    """What ranges do."""

    def length(self, value: Range) -> Integer:
        return len(value) if isinstance(value, range) else value.length()

    @over_members_of("key")
    def get_item(self, owner: Range, key: Value) -> Value:
        if isinstance(owner, SymbolicRange) or _is_symbolic(key):
            return as_symbolic(owner)[key]
        return get_slice(owner, key) if type(key) is slice else get_item(owner, key, _INDEX)

    def contains(self, container: Range, item: Value) -> Guard:
        if isinstance(container, range) and type(item) in (int, bool):
            return item in container
        return contains(container, item)

    def equal(self, a: Range, b: Value) -> Value:
        return equal(a, b) if python_type(b) is range else NotImplemented

    def iterate(self, value: Range) -> Iterable[Value]:
        return value

    def iterator(self, value: Range) -> Value:
        return SequenceIterator(value) if isinstance(value, range) else RangeIterator(value)

    def is_lazy(self, cls: type) -> bool:
        return False

    def parts(self, value: Range) -> Iterable[Value]:
        return () if isinstance(value, range) else (value.start, value.stop, value.step)

    def shown(self, value: Range, texts: Texts) -> Value:
        if isinstance(value, range):
            return repr(value)
        step = () if type(value.step) is int and value.step == 1 else (value.step,)
        return texts.listed("range(", (value.start, value.stop, *step), ")")

    def under(self, value: Range, evaluate: Evaluation) -> Value:
        if isinstance(value, range):
            return value
        return range(*[evaluate.value(part) for part in (value.start, value.stop, value.step)])


_INDEX = message(operator.getitem, range(0), 0)


def _is_symbolic(key: Value) -> bool:
    bounds = (key.start, key.stop, key.step) if type(key) is slice else (key,)
    return any(isinstance(bound, (Term, Union)) for bound in bounds)


behaves(Ranges(), range, SymbolicRange)
