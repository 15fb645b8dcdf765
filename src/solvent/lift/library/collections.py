"""`collections`: `deque`, `Counter`, `defaultdict` and `OrderedDict`.

The methods of `Counter` are written in Python and lifted like any program, except those that are
the same for every dict.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterator, Mapping

from solvent.lift import operators
from solvent.lift.api import lifted
from solvent.lift.calls import call
from solvent.lift.registry import lifts, lifts_method
from solvent.lift.values import dicts, entries, mappings, sequences
from solvent.lift.values.protocol import truth
from solvent.terms.booleans import and_, not_, or_
from solvent.vm.spread import either, over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value

# --- defaultdict and OrderedDict ------------------------------------------------------------------


@lifts(defaultdict)
@over_members_of("default_factory")
def make_defaultdict(default_factory: Value = None, /, *sources: Value, **named: Value) -> Value:
    """`defaultdict(default_factory, ...)`."""
    result: defaultdict[Value, Value] = defaultdict(default_factory)
    mappings.update(result, *sources, **named)
    return result


@lifts_method(defaultdict, name="__init__")
def initialise_defaultdict(
    found: defaultdict[Value, Value],
    default_factory: Value = None,
    /,
    *sources: Value,
    **named: Value,
) -> None:
    """`defaultdict.__init__(found, default_factory, ...)`, as derived classes call it."""
    defaultdict.__init__(found, default_factory)
    mappings.update(found, *sources, **named)


@lifts_method(defaultdict, name="__missing__")
def make_missing(found: defaultdict[Value, Value], key: Value, /) -> Value:
    """`found.__missing__(key)`."""
    return mappings.make_value(found, key)


@lifts(defaultdict.fromkeys)
def defaultdict_from_keys(source: Value, value: Value = None, /) -> Value:
    """`defaultdict.fromkeys(source, value)`."""
    return dicts.filled(defaultdict(), source, value)


@lifts(OrderedDict)
def make_ordered(source: Value = (), /, **named: Value) -> OrderedDict[Value, Value]:
    """`OrderedDict(source, **named)`."""
    result: OrderedDict[Value, Value] = OrderedDict()
    mappings.update(result, source, **named)
    return result


@lifts(OrderedDict.fromkeys)
def ordered_from_keys(iterable: Value, value: Value = None) -> Value:
    """`OrderedDict.fromkeys(iterable, value)`."""
    return dicts.filled(OrderedDict(), iterable, value)


@lifts_method(OrderedDict)
def popitem(found: OrderedDict[Value, Value], last: Value = True) -> Value:
    """`found.popitem(last)`."""
    return either(
        truth(last), lambda: mappings.pop_item(found), lambda: mappings.pop_item(found, False)
    )


@lifts_method(OrderedDict)
def move_to_end(found: OrderedDict[Value, Value], key: Value, last: Value = True) -> None:
    """`found.move_to_end(key, last)`."""
    either(
        truth(last),
        lambda: mappings.move_to_end(found, key),
        lambda: mappings.move_to_end(found, key, False),
    )


# --- Counter --------------------------------------------------------------------------------------


@lifts(Counter)
def make_counter(iterable: Value = None, /, **named: Value) -> Counter[Value]:
    """`Counter(iterable, **named)`."""
    result: Counter[Value] = Counter()
    count_in(result, iterable, **named)
    return result


@lifts(Counter.__init__)
def initialise_counter(self: Counter[Value], iterable: Value = None, /, **named: Value) -> None:
    """`Counter.__init__(self, iterable, **named)`, as derived classes call it."""
    count_in(self, iterable, **named)


@lifts(Counter.update)
@lifted
def count_in(self: Counter[Value], iterable: Value = None, /, **named: Value) -> None:
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
def subtract(self: Counter[Value], iterable: Value = None, /, **named: Value) -> None:
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
def missing_count(self: Counter[Value], key: Value) -> int:
    """The count of an element that is not there."""
    return 0


@lifts(Counter.__delitem__)
@lifted
def delete_count(self: Counter[Value], element: Value) -> None:
    """`del self[element]`: nothing happens if the element is not there."""
    if element in self:
        dict.__delitem__(self, element)


@lifts(Counter.copy)
def copy_counter(self: Counter[Value]) -> Value:
    """`self.copy()`."""
    return make_counter(self) if type(self) is Counter else call(type(self))(self)


@lifts(Counter.most_common)
@lifted
def most_common(self: Counter[Value], n: Value = None) -> Value:
    """`self.most_common(n)`."""
    ranked = sorted(self.items(), key=_number, reverse=True)
    if n is None:
        return ranked
    return ranked[: max(n, 0)]


def _number(pair: Value) -> Value:
    return pair[1]


@lifts(Counter.elements)
@lifted
def elements(self: Counter[Value]) -> Iterator[Value]:
    """`self.elements()`."""
    for element, number in self.items():
        for _ in range(number):
            yield element


@lifts(Counter.total)
def total(self: Counter[Value]) -> Value:
    """`self.total()`; the order of the elements means nothing."""
    result: Value = 0
    for guard, _, number in entries.entries_of(self):
        result = operators.add(result, sequences.pick(guard, number, 0))
    return result


@lifts(Counter.__add__)
@lifted
def counter_add(self: Counter[Value], other: Value) -> Value:
    """`self + other`: only positive counts are kept, as in all operators."""
    if not isinstance(other, Counter):
        return NotImplemented
    result: Counter[Value] = Counter()
    for element, number in self.items():
        _keep(result, element, number + other[element])
    for element, number in other.items():
        if element not in self:
            _keep(result, element, number)
    return result


@lifts(Counter.__sub__)
@lifted
def counter_subtract(self: Counter[Value], other: Value) -> Value:
    """`self - other`."""
    if not isinstance(other, Counter):
        return NotImplemented
    result: Counter[Value] = Counter()
    for element, number in self.items():
        _keep(result, element, number - other[element])
    for element, number in other.items():
        if element not in self:
            _keep(result, element, 0 - number)
    return result


@lifts(Counter.__or__)
@lifted
def counter_union(self: Counter[Value], other: Value) -> Value:
    """`self | other`: the larger counts."""
    if not isinstance(other, Counter):
        return NotImplemented
    result: Counter[Value] = Counter()
    for element, number in self.items():
        second = other[element]
        _keep(result, element, second if number < second else number)
    for element, number in other.items():
        if element not in self:
            _keep(result, element, number)
    return result


@lifts(Counter.__and__)
@lifted
def counter_intersection(self: Counter[Value], other: Value) -> Value:
    """`self & other`: the smaller counts."""
    if not isinstance(other, Counter):
        return NotImplemented
    result: Counter[Value] = Counter()
    for element, number in self.items():
        second = other[element]
        _keep(result, element, number if number < second else second)
    return result


@lifted
def _keep(result: Counter[Value], element: Value, number: Value) -> None:
    if number > 0:
        result[element] = number


@lifts(Counter.__pos__)
@lifted
def counter_positive(self: Counter[Value]) -> Counter[Value]:
    """`+self`."""
    result: Counter[Value] = Counter()
    for element, number in self.items():
        _keep(result, element, number)
    return result


@lifts(Counter.__neg__)
@lifted
def counter_negative(self: Counter[Value]) -> Counter[Value]:
    """`-self`."""
    result: Counter[Value] = Counter()
    for element, number in self.items():
        _keep(result, element, 0 - number)
    return result


@lifts(Counter._keep_positive)  # type: ignore[attr-defined]
def keep_positive(self: Counter[Value]) -> Counter[Value]:
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
def counter_add_in_place(self: Counter[Value], other: Value) -> Counter[Value]:
    """`self += other`."""
    for element, number in list(other.items()):
        self[element] = self.get(element, 0) + number
    return keep_positive(self)


@lifts(Counter.__isub__)
@lifted
def counter_subtract_in_place(self: Counter[Value], other: Value) -> Counter[Value]:
    """`self -= other`."""
    for element, number in list(other.items()):
        self[element] = self.get(element, 0) - number
    return keep_positive(self)


@lifts(Counter.__ior__)
@lifted
def counter_union_in_place(self: Counter[Value], other: Value) -> Counter[Value]:
    """`self |= other`."""
    for element, number in list(other.items()):
        if number > self.get(element, 0):
            self[element] = number
    return keep_positive(self)


@lifts(Counter.__iand__)
@lifted
def counter_intersection_in_place(self: Counter[Value], other: Value) -> Counter[Value]:
    """`self &= other`."""
    for element, number in list(self.items()):
        second = other[element]
        if second < number:
            self[element] = second
    return keep_positive(self)


def _all_counts(a: Counter[Value], b: Counter[Value], holds: operators.Operator) -> Guard:
    """Whether something holds for the counts of all elements of two counters."""
    result: Guard = True
    for first in (a, b):
        for guard, element, _ in entries.entries_of(first):
            here = truth(holds(mappings.get(a, element, 0), mappings.get(b, element, 0)))
            result = and_(result, or_(not_(guard), here))
    return result


def _compares(name: str) -> None:
    """Register a comparison of counters, in which missing elements count as zero."""
    compare = getattr(operators, {"lt": "le", "gt": "ge", "ne": "eq"}.get(name, name))

    def method(self: Counter[Value], other: Value) -> Value:
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
