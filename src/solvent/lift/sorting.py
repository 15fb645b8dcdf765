"""Sorting with symbolic keys.

Items are inserted one after the other into the part that is sorted already: where an item comes
before another, that one moves up by a place.  There are as many comparisons as pairs, and the terms
grow with their number, whatever the keys are.  The order is stable.  Where keys may have no total
order, as floats that are NaN, few of them are sorted as `unordered` says, and more are refused.
"""

from __future__ import annotations

from functools import cache

from solvent.errors import NotLiftedError
from solvent.lift import operators
from solvent.lift.calls import call
from solvent.lift.unlifted import is_data
from solvent.lift.unordered import (
    MOST,
    Less,
    as_python_sorts,
    has_no_order,
    has_own_order,
    no_number,
)
from solvent.lift.values import entries, mappings, sequences, sets
from solvent.lift.values.protocol import items_of, truth
from solvent.lift.values.sequences import pick
from solvent.terms.booleans import BoolTerm, and_, or_
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.slots import guard_of, slot
from solvent.vm.spread import either
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value


def less(a: Value, b: Value, guard: Guard = True) -> Guard:
    """Whether a guard holds and `a < b`; the values are only compared where the guard holds."""
    if guard is False:
        return False
    if guard is True:
        return truth(operators.lt(a, b))
    cls_a, cls_b = type(a), type(b)
    for kinds in (operators.NUMBERS, operators.TEXTS):
        if cls_a in kinds and cls_b in kinds:
            return and_(guard, truth(operators.lt(a, b)))
    return either(guard, lambda: truth(operators.lt(a, b)), lambda: False)  # type: ignore[no-any-return]


# What Python itself compares, as fast as it can.
_ATOMS = frozenset((int, float, bool, str, bytes))


def sorted_items(items: list[Value], key: Value = None, reverse: Value = False) -> list[Value]:
    """The items of a list (raw, possibly ragged) in order."""
    if key is None and type(reverse) is bool and set(map(type, items)) <= _ATOMS:
        return sorted(items, reverse=reverse)
    backwards = _flag(reverse)
    if isinstance(backwards, BoolTerm):
        return either(  # type: ignore[no-any-return]
            backwards,
            lambda: sorted_items(items, key, True),
            lambda: sorted_items(items, key, False),
        )
    keys = _keys(items, key)
    ragged = sequences.is_ragged(items)
    if not ragged and all(map(is_data, keys)):
        order = sorted(range(len(items)), key=keys.__getitem__, reverse=backwards)
        return [items[place] for place in order]
    guards = [guard for guard, _ in sequences.walk(items)]
    # Of two items there is one comparison, whatever it says.
    unordered = False if len(items) <= 2 else _unordered(keys, guards)
    if unordered is False:
        return _inserted(items, keys, backwards)
    if len(items) > MOST:
        current().end_unknown(unordered, NotLiftedError(_NO_ORDER))
        return _inserted(items, keys, backwards)
    return either(  # type: ignore[no-any-return]
        unordered,
        lambda: _without_order(items, _compared(keys, guards), backwards),
        lambda: _inserted(items, keys, backwards),
    )


def ranked_items(items: list[Value], key: Value, reverse: bool) -> list[Value]:
    """The items of a list in order, where they have one; else the path ends as unknown."""
    keys = _keys(items, key)
    guards = [guard for guard, _ in sequences.walk(items)]
    unordered = _unordered(keys, guards)
    if unordered is not False:
        current().end_unknown(unordered, NotLiftedError(_NO_RANK))
    return _inserted(items, keys, reverse)


def _unordered(keys: list[Value], guards: list[Guard]) -> Guard:
    """Whether the keys that are there have no total order."""
    result = or_([and_(guard, no_number(key)) for guard, key in zip(guards, keys, strict=True)])
    if any(map(has_own_order, keys)):
        result = or_(result, has_no_order(guards, _compared(keys, guards)))
    return result


_NO_RANK = (
    "the smallest or largest of items whose keys have no total order is not lifted: one may be "
    "NaN, or `<` of their class is none; assume that they have one"
)
_NO_ORDER = (
    f"sorting more than {MOST} items by keys that have no total order is not lifted: one may be "
    "NaN, or `<` of their class is none; assume that they have one"
)


def _compared(keys: list[Value], guards: list[Guard]) -> Less:
    """Whether the key at a place is less than another one, if both are there, computed once."""
    return cache(lambda a, b: less(keys[a], keys[b], and_(guards[a], guards[b])))


def _without_order(items: list[Value], less: Less, reverse: bool) -> list[Value]:
    """The items in the order into which Python brings as many as there are."""
    guards = [guard for guard, _ in sequences.walk(items)]
    values = [value for _, value in sequences.walk(items)]
    result = list(values)
    for count in range(2, len(values) + 1):
        if count < len(values) and guards[count] is True:
            continue
        for place, value in enumerate(as_python_sorts(values[:count], less, reverse)):
            result[place] = pick(guards[count - 1], value, result[place])
    return [slot(guard_of(item), value) for item, value in zip(items, result, strict=True)]


def _flag(reverse: Value) -> Guard:
    if type(reverse) is bool:
        return reverse
    if isinstance(reverse, (Term, Union)):
        return truth(reverse)
    # What may be a direction differs between versions of Python.
    return sorted((0, 1), reverse=reverse)[0] == 1


def _keys(items: list[Value], key: Value) -> list[Value]:
    """The key of each item; those of missing items are never looked at."""
    if key is None:
        return [value for _, value in sequences.walk(items)]
    function = call(key)
    if not sequences.is_ragged(items):
        return [function(value) for value in items]
    return [
        either(guard, lambda: function(value), lambda: None)  # noqa: B023
        for guard, value in sequences.walk(items)
    ]


def _inserted(items: list[Value], keys: list[Value], reverse: bool) -> list[Value]:
    sorted_keys: list[Value] = []
    values: list[Value] = []
    for key, (guard, value) in zip(keys, sequences.walk(items), strict=True):
        before = _comes_before(sorted_keys, key, guard, reverse)
        _insert(sorted_keys, key, before)
        _insert(values, value, before)
    return [slot(guard_of(item), value) for item, value in zip(items, values, strict=True)]


def _comes_before(keys: list[Value], key: Value, guard: Guard, reverse: bool) -> list[Guard]:
    """For each sorted key whether a new one, which is there under a guard, comes before it."""
    result: list[Guard] = []
    passed: Guard = False
    for other in keys:
        here = less(other, key, guard) if reverse else less(key, other, guard)
        # What comes before a key comes before all that follow, even if the keys have no order.
        passed = or_(passed, here)
        result.append(passed)
        if passed is True:
            result.extend([True] * (len(keys) - len(result)))
            break
    return result


def _insert(values: list[Value], value: Value, before: list[Guard]) -> None:
    """Insert a value at the first place that it comes before; the rest moves up."""
    old = list(values)
    values.append(value)
    for place in range(len(old), -1, -1):
        slot = value if place == len(old) else pick(before[place], value, old[place])
        if place:
            slot = pick(before[place - 1], old[place - 1], slot)
        values[place] = slot


def items_to_sort(source: Value, key: Value) -> list[Value]:
    """The items of an iterable, also of a dict whose order differs between paths.

    The keys of a dict differ, so that sorting them without a `key` gives one result.
    """
    if key is None:
        if isinstance(source, dict) and type(source).__iter__ in mappings.ITERATORS:
            return entries.rows_in_any_order(source, "keys")
        if isinstance(source, sets.VIEWS):
            what = "keys" if isinstance(source, sets.KEYS) else "items"
            return entries.rows_in_any_order(entries.viewed(source), what)
    return list(items_of(source))
