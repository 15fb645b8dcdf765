"""`collections`: `deque`, `Counter`, `defaultdict` and `OrderedDict`.

The methods of `Counter` are written in Python and lifted like any program, except those that are
the same for every dict.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator, Mapping
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift import entries, mappings, operators, sequences
from solvent.lift import items as any_items
from solvent.lift.api import lifted
from solvent.lift.builtins import dicts
from solvent.lift.builtins.stepping import add_each
from solvent.lift.calls import call
from solvent.lift.iteration import items_of, runs_code
from solvent.lift.messages import message, raised
from solvent.lift.registry import lifts, lifts_method
from solvent.lift.truth import truth
from solvent.lift.words import check_word
from solvent.terms.booleans import and_, not_, or_
from solvent.terms.integers import IntTerm
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.merge import union_of
from solvent.vm.places import QUEUE
from solvent.vm.spread import over
from solvent.vm.union import Maybe, Union

Deque = deque[Any]

# --- deque ----------------------------------------------------------------------------------------

_EMPTY = message(deque().pop)


@lifts(deque)
def make_deque(iterable: Any = (), maxlen: Any = None) -> Any:
    """`deque(iterable, maxlen)`."""
    if type(maxlen) in sequences.INDICES:
        maxlen = _lengths(sequences.whole(maxlen))
    if type(maxlen) is Union:
        return over(maxlen, lambda member: make_deque(iterable, member))
    result: Deque = deque(maxlen=maxlen)
    extend(result, iterable)
    return result


# How long a deque with a symbolic bound may get.
_LENGTHS = (8, 32, 128)


def _lengths(maxlen: Any) -> Any:
    """All values that a symbolic bound of a deque may have."""
    check_word(maxlen)
    machine = current()
    machine.fail_if(maxlen < 0, raised(deque, (), -1))
    for most in _LENGTHS:
        if not machine.limits.feasible(machine, maxlen > most):
            rows = [(maxlen == number, number) for number in range(most)]
            return union_of((*rows, (True, most)))
    raise NotLiftedError(
        f"a deque with a symbolic `maxlen` that may be more than {_LENGTHS[-1]} is not lifted; "
        "assume a bound on it"
    )


@lifts_method(deque, name="__init__")
def initialise(items: Deque, iterable: Any = (), maxlen: Any = None) -> None:
    """`deque.__init__(items, iterable, maxlen)`, as derived classes call it."""
    if isinstance(maxlen, (Term, Union)):
        raise NotLiftedError(
            "a symbolic `maxlen` of a class that is derived from deque is not lifted; choose "
            "between concrete ones with `if`"
        )
    current().write_whole(QUEUE, items)
    deque.__init__(items, (), maxlen)
    extend(items, iterable)


def _has_room(items: Deque) -> bool:
    """Whether a deque has room for one more item on every path."""
    return items.maxlen is None or len(items) < items.maxlen


@lifts_method(deque)
def append(items: Deque, value: Any, /) -> None:
    """`items.append(value)`."""
    if sequences.is_ragged(items) and not _has_room(items):
        sequences.by_length(items, lambda found: append(found, value), QUEUE)
    else:
        sequences.append(items, value, QUEUE)


@lifts_method(deque)
def appendleft(items: Deque, value: Any, /) -> None:
    """`items.appendleft(value)`."""
    if sequences.is_ragged(items) and not _has_room(items):
        sequences.by_length(items, lambda found: appendleft(found, value), QUEUE)
        return
    current().write_whole(QUEUE, items)
    items.appendleft(value)


@lifts_method(deque)
def pop(items: Deque, /) -> Any:
    """`items.pop()`."""
    return sequences.take(items, -1, _EMPTY, QUEUE)


@lifts_method(deque)
def popleft(items: Deque, /) -> Any:
    """`items.popleft()`."""
    if not items:
        raise IndexError(_EMPTY)
    first = items[0]
    if type(first) is Maybe:
        current().fail_if(not_(first.guard), IndexError(_EMPTY))
        first = first.value
    current().write_whole(QUEUE, items)
    items.popleft()
    return first


@lifts_method(deque)
def extend(items: Deque, iterable: Any, /) -> None:
    """`items.extend(iterable)`."""
    _add_all(items, iterable, append)


@lifts_method(deque)
def extendleft(items: Deque, iterable: Any, /) -> None:
    """`items.extendleft(iterable)`."""
    _add_all(items, iterable, appendleft)


def _add_all(items: Deque, iterable: Any, add: Any) -> None:
    if runs_code(iterable):
        add_each(iterable, lambda _, value: add(items, value))
        return
    for row in list(items_of(iterable)):
        guard, value = (row.guard, row.value) if type(row) is Maybe else (True, row)
        mappings.either(guard, lambda: add(items, value), lambda: None)  # noqa: B023


@lifts_method(deque)
def rotate(items: Deque, n: Any = 1, /) -> None:
    """`items.rotate(n)`."""
    if type(n) is Union:
        over(n, lambda member: rotate(items, member))
        return
    if sequences.is_ragged(items):
        sequences.by_length(items, lambda found: rotate(found, n), QUEUE)
        return
    if type(n) is IntTerm:
        check_word(n)
    current().write_whole(QUEUE, items)
    if type(n) not in sequences.INDICES:
        items.rotate(n)
    elif len(items) > 1:
        _rotate_symbolic(items, n)


def _rotate_symbolic(items: Deque, n: Any) -> None:
    values, count = list(items), len(items)
    steps = sequences.whole(n) % count
    turned = [
        sequences.choose(steps, range(count), lambda step: values[(place - step) % count])  # noqa: B023
        for place in range(count)
    ]
    QUEUE.restore(items, turned)


@lifts_method(deque)
def insert(items: Deque, index: Any, value: Any, /) -> None:
    """`items.insert(index, value)`."""
    if type(index) is Union:
        over(index, lambda member: insert(items, member, value))
        return
    if type(index) in (int, IntTerm):
        check_word(index)
    if items.maxlen is not None:
        full = sequences.length(items) == items.maxlen
        current().fail_if(full, raised(deque(maxlen=0).insert, 0, 0))
        if sequences.is_ragged(items):
            _forget_full(items)
    sequences.insert(items, index, value, QUEUE)


def _forget_full(items: Deque) -> None:
    """Drop the last item of a deque that is known not to be full."""
    if not _has_room(items):
        current().write_whole(QUEUE, items)
        items.pop()


@lifts_method(deque)
def remove(items: Deque, value: Any, /) -> None:
    """`items.remove(value)`."""
    sequences.remove(items, value, QUEUE)


@lifts_method(deque)
def index(items: Deque, value: Any, start: Any = 0, stop: Any = sequences.END, /) -> Any:
    """`items.index(value, start, stop)`."""
    return sequences.index_of(items, value, start, stop, "deque")


@lifts_method(deque)
def count(items: Deque, value: Any, /) -> Any:
    """`items.count(value)`."""
    return sequences.count_of(items, value)


@lifts_method(deque)
def reverse(items: Deque, /) -> None:
    """`items.reverse()`."""
    sequences.reverse(items, QUEUE)


@lifts_method(deque)
def clear(items: Deque, /) -> None:
    """`items.clear()`."""
    current().write_whole(QUEUE, items)
    items.clear()


@lifts_method(deque)
def copy(items: Deque, /) -> Deque:
    """`items.copy()`."""
    return deque(items, items.maxlen)


lifts_method(deque, name="__copy__")(copy)


@lifts_method(deque, name="__len__")
def length(items: Deque, /) -> Any:
    """`items.__len__()`."""
    return sequences.length(items)


@lifts_method(deque, name="__contains__")
def contains(items: Deque, value: Any, /) -> Any:
    """`items.__contains__(value)`."""
    return any_items.among(value, items)


@lifts_method(deque, name="__getitem__")
def get_item(items: Deque, key: Any, /) -> Any:
    """`items.__getitem__(key)`."""
    return any_items.get_from_sequence(items, key, deque)


@lifts_method(deque, name="__setitem__")
def set_item(items: Deque, key: Any, value: Any, /) -> None:
    """`items.__setitem__(key, value)`."""
    any_items.set_in_sequence(items, key, value)


@lifts_method(deque, name="__delitem__")
def delete_item(items: Deque, key: Any, /) -> None:
    """`items.__delitem__(key)`."""
    any_items.delete_from_sequence(items, key)


@lifts_method(deque, name="__add__")
def add(items: Deque, other: Any, /) -> Any:
    """`items.__add__(other)`."""
    if type(other) is Union:
        return over(other, lambda member: add(items, member))
    if not isinstance(other, deque):
        return items + other
    result = copy(items)
    extend(result, other)
    return result


@lifts_method(deque, name="__iadd__")
def add_in_place(items: Deque, other: Any, /) -> Deque:
    """`items.__iadd__(other)`."""
    extend(items, other)
    return items


# --- defaultdict and OrderedDict ------------------------------------------------------------------


@lifts(defaultdict)
def make_defaultdict(default_factory: Any = None, /, *sources: Any, **named: Any) -> Any:
    """`defaultdict(default_factory, ...)`."""
    if type(default_factory) is Union:
        return over(default_factory, lambda m: make_defaultdict(m, *sources, **named))
    result: defaultdict[Any, Any] = defaultdict(default_factory)
    mappings.update(result, *sources, **named)
    return result


@lifts_method(defaultdict, name="__init__")
def initialise_defaultdict(
    found: Any, default_factory: Any = None, /, *sources: Any, **named: Any
) -> None:
    """`defaultdict.__init__(found, default_factory, ...)`, as derived classes call it."""
    defaultdict.__init__(found, default_factory)
    mappings.update(found, *sources, **named)


@lifts_method(defaultdict, name="__missing__")
def make_missing(found: Any, key: Any, /) -> Any:
    """`found.__missing__(key)`."""
    return mappings.make_value(found, key)


@lifts(defaultdict.fromkeys)
def defaultdict_from_keys(source: Any, value: Any = None, /) -> Any:
    """`defaultdict.fromkeys(source, value)`."""
    return dicts.filled(defaultdict(), source, value)


@lifts(OrderedDict)
def make_ordered(source: Any = (), /, **named: Any) -> Any:
    """`OrderedDict(source, **named)`."""
    result: OrderedDict[Any, Any] = OrderedDict()
    mappings.update(result, source, **named)
    return result


@lifts(OrderedDict.fromkeys)
def ordered_from_keys(iterable: Any, value: Any = None) -> Any:
    """`OrderedDict.fromkeys(iterable, value)`."""
    return dicts.filled(OrderedDict(), iterable, value)


@lifts_method(OrderedDict)
def popitem(found: Any, last: Any = True) -> Any:
    """`found.popitem(last)`."""
    return mappings.either(
        truth(last), lambda: mappings.pop_item(found), lambda: mappings.pop_item(found, False)
    )


@lifts_method(OrderedDict)
def move_to_end(found: Any, key: Any, last: Any = True) -> None:
    """`found.move_to_end(key, last)`."""
    mappings.either(
        truth(last),
        lambda: mappings.move_to_end(found, key),
        lambda: mappings.move_to_end(found, key, False),
    )


# --- Counter --------------------------------------------------------------------------------------


@lifts(Counter)
def make_counter(iterable: Any = None, /, **named: Any) -> Any:
    """`Counter(iterable, **named)`."""
    result: Counter[Any] = Counter()
    count_in(result, iterable, **named)
    return result


@lifts(Counter.__init__)
def initialise_counter(self: Any, iterable: Any = None, /, **named: Any) -> None:
    """`Counter.__init__(self, iterable, **named)`, as derived classes call it."""
    count_in(self, iterable, **named)


@lifts(Counter.update)
@lifted
def count_in(self: Any, iterable: Any = None, /, **named: Any) -> None:
    """`self.update(iterable, **named)`: add counts."""
    if isinstance(iterable, Mapping):
        if self:
            for element, number in iterable.items():
                self[element] = number + self.get(element, 0)
        else:
            dict.update(self, iterable)
    elif iterable is not None:
        for element in iterable:
            self[element] = self.get(element, 0) + 1
    if named:
        count_in(self, named)


@lifts(Counter.subtract)
@lifted
def subtract(self: Any, iterable: Any = None, /, **named: Any) -> None:
    """`self.subtract(iterable, **named)`."""
    if isinstance(iterable, Mapping):
        for element, number in iterable.items():
            self[element] = self.get(element, 0) - number
    elif iterable is not None:
        for element in iterable:
            self[element] = self.get(element, 0) - 1
    if named:
        subtract(self, named)


@lifts(Counter.__missing__)
def missing_count(self: Any, key: Any) -> int:
    """The count of an element that is not there."""
    return 0


@lifts(Counter.__delitem__)
@lifted
def delete_count(self: Any, element: Any) -> None:
    """`del self[element]`: nothing happens if the element is not there."""
    if element in self:
        dict.__delitem__(self, element)


@lifts(Counter.copy)
def copy_counter(self: Any) -> Any:
    """`self.copy()`."""
    return make_counter(self) if type(self) is Counter else call(type(self))(self)


@lifts(Counter.most_common)
@lifted
def most_common(self: Any, n: Any = None) -> Any:
    """`self.most_common(n)`."""
    ranked = sorted(self.items(), key=_number, reverse=True)
    if n is None:
        return ranked
    return ranked[: max(n, 0)]


def _number(pair: Any) -> Any:
    return pair[1]


@lifts(Counter.elements)
@lifted
def elements(self: Any) -> Iterator[Any]:
    """`self.elements()`."""
    for element, number in self.items():
        for _ in range(number):
            yield element


@lifts(Counter.total)
def total(self: Any) -> Any:
    """`self.total()`; the order of the elements means nothing."""
    result: Any = 0
    for guard, _, number in entries.entries_of(self):
        result = operators.add(result, sequences.pick(guard, number, 0))
    return result


@lifts(Counter.__add__)
@lifted
def counter_add(self: Any, other: Any) -> Any:
    """`self + other`: only positive counts are kept, as in all operators."""
    if not isinstance(other, Counter):
        return NotImplemented
    result: Counter[Any] = Counter()
    for element, number in self.items():
        _keep(result, element, number + other[element])
    for element, number in other.items():
        if element not in self:
            _keep(result, element, number)
    return result


@lifts(Counter.__sub__)
@lifted
def counter_subtract(self: Any, other: Any) -> Any:
    """`self - other`."""
    if not isinstance(other, Counter):
        return NotImplemented
    result: Counter[Any] = Counter()
    for element, number in self.items():
        _keep(result, element, number - other[element])
    for element, number in other.items():
        if element not in self:
            _keep(result, element, 0 - number)
    return result


@lifts(Counter.__or__)
@lifted
def counter_union(self: Any, other: Any) -> Any:
    """`self | other`: the larger counts."""
    if not isinstance(other, Counter):
        return NotImplemented
    result: Counter[Any] = Counter()
    for element, number in self.items():
        second = other[element]
        _keep(result, element, second if number < second else number)
    for element, number in other.items():
        if element not in self:
            _keep(result, element, number)
    return result


@lifts(Counter.__and__)
@lifted
def counter_intersection(self: Any, other: Any) -> Any:
    """`self & other`: the smaller counts."""
    if not isinstance(other, Counter):
        return NotImplemented
    result: Counter[Any] = Counter()
    for element, number in self.items():
        second = other[element]
        _keep(result, element, number if number < second else second)
    return result


@lifted
def _keep(result: Any, element: Any, number: Any) -> None:
    if number > 0:
        result[element] = number


@lifts(Counter.__pos__)
@lifted
def counter_positive(self: Any) -> Any:
    """`+self`."""
    result: Counter[Any] = Counter()
    for element, number in self.items():
        _keep(result, element, number)
    return result


@lifts(Counter.__neg__)
@lifted
def counter_negative(self: Any) -> Any:
    """`-self`."""
    result: Counter[Any] = Counter()
    for element, number in self.items():
        _keep(result, element, 0 - number)
    return result


@lifts(Counter._keep_positive)  # type: ignore[attr-defined]
def keep_positive(self: Any) -> Any:
    """What in-place operators do last; the order of the elements means nothing."""
    rows = []
    for guard, element, number in entries.entries_of(self):
        dropped = and_(guard, not_(truth(operators.gt(number, 0))))
        if dropped is not False:
            rows.append((dropped, element, number))
    mappings.remove_rows(self, rows)
    return self


@lifts(Counter.__iadd__)
@lifted
def counter_add_in_place(self: Any, other: Any) -> Any:
    """`self += other`."""
    for element, number in list(other.items()):
        self[element] = self.get(element, 0) + number
    return keep_positive(self)


@lifts(Counter.__isub__)
@lifted
def counter_subtract_in_place(self: Any, other: Any) -> Any:
    """`self -= other`."""
    for element, number in list(other.items()):
        self[element] = self.get(element, 0) - number
    return keep_positive(self)


@lifts(Counter.__ior__)
@lifted
def counter_union_in_place(self: Any, other: Any) -> Any:
    """`self |= other`."""
    for element, number in list(other.items()):
        if number > self.get(element, 0):
            self[element] = number
    return keep_positive(self)


@lifts(Counter.__iand__)
@lifted
def counter_intersection_in_place(self: Any, other: Any) -> Any:
    """`self &= other`."""
    for element, number in list(self.items()):
        second = other[element]
        if second < number:
            self[element] = second
    return keep_positive(self)


def _all_counts(a: Any, b: Any, holds: Any) -> Any:
    """Whether something holds for the counts of all elements of two counters."""
    result: Any = True
    for first in (a, b):
        for guard, element, _ in entries.entries_of(first):
            here = truth(holds(mappings.get(a, element, 0), mappings.get(b, element, 0)))
            result = and_(result, or_(not_(guard), here))
    return result


def _compares(name: str) -> None:
    """Register a comparison of counters, in which missing elements count as zero."""
    compare = getattr(operators, {"lt": "le", "gt": "ge", "ne": "eq"}.get(name, name))

    def method(self: Any, other: Any) -> Any:
        if type(other) is Union:
            return over(other, lambda member: method(self, member))
        if not isinstance(other, Counter):
            return NotImplemented
        result = _all_counts(self, other, compare)
        if name == "ne":
            return not_(result)
        if name in ("lt", "gt"):
            result = and_(result, not_(_all_counts(self, other, operators.eq)))
        return result

    lifts(getattr(Counter, f"__{name}__"))(method)


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _compares(_name)
