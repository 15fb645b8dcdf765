"""Looking for items in lists and tuples, and comparing their items one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from solvent.lift.calls import call
from solvent.lift.identity import same, same_where
from solvent.lift.messages import message
from solvent.lift.operators import COMPARISONS, NUMBERS, TEXTS, add
from solvent.lift.values import sequences
from solvent.lift.values.protocol import truth
from solvent.lift.values.sequences import (
    END,
    INDICES,
    ListLike,
    by_alternative,
    by_length,
    close_up,
    index_number,
    is_atomic,
    is_ragged,
    walk,
    whole,
)
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.places import ITEMS, QUEUE, Kind
from solvent.vm.slots import UNBOUND, opened
from solvent.vm.spread import combine, either, over_members_of
from solvent.vm.values import Choice, Guard, Value

_NOT_REMOVED = message([].remove, 0)
_NOT_IN_TUPLE = message(().index, 0)


def remove(items: ListLike, value: Value, kind: Kind = ITEMS, missing: str | None = None) -> None:
    """`items.remove(value)`; `missing` is the message of other kinds of sequences."""
    if is_ragged(items):
        by_length(items, lambda found: remove(found, value, kind, missing), kind)
        return
    passed: list[Guard] = []
    anywhere: Guard = False
    for item in items:
        anywhere = True if anywhere is True else or_(anywhere, same(item, value))
        passed.append(anywhere)
    if anywhere is not True:
        text = not_in(value, "deque") if kind is QUEUE else missing or _NOT_REMOVED
        current().fail_if(not_(anywhere), ValueError(text))
    close_up(items, passed, kind)


def count_of(items: Sequence[Value], value: Value) -> Integer:
    """`items.count(value)`."""
    if is_atomic(items, value):
        return items.count(value)
    result: Integer = 0
    for guard, item in walk(items):
        here = same_where(guard, item, value)
        result = result + (int(here) if type(here) is bool else ite(here, 1, 0))
    return result


@over_members_of("start", "stop")
def index_of(items: Sequence[Value], value: Value, start: Value, stop: Value, name: str) -> Value:
    """`items.index(value, start, stop)` of a list, tuple or deque."""
    everywhere = type(start) is int and start == 0 and type(stop) is int and stop == END
    if everywhere and is_atomic(items, value):
        return items.index(value)
    if is_ragged(items) and not everywhere:
        return by_alternative(list(items), lambda found: index_of(found, value, start, stop, name))
    return _index_within(items, value, _bound(start, items), _bound(stop, items), name)


def _bound(bound: Value, items: Sequence[Value]) -> Integer:
    """The place that a bound of a search means."""
    count = len(items)
    place = whole(bound) if type(bound) in INDICES else index_number(bound)
    return ite(place < 0, ite(place < -count, 0, place + count), place)


def _index_within(
    items: Sequence[Value], value: Value, start: Integer, stop: Integer, name: str
) -> Value:
    rows: list[Choice] = []
    for place, (guard, item) in enumerate(walk(items)):
        inside = and_(guard, start <= place, place < stop)
        here = False if inside is False else same_where(inside, item, value)
        if here is not False:
            rows.append((here, place))
        if here is True:
            break
    missing = not_(or_([guard for guard, _ in rows]))
    if missing is not False:
        current().fail_if(missing, ValueError(not_in(value, name)))
    return combine(rows)


def not_in(value: Value, name: str) -> Value:
    """The message of `index` where nothing is found."""
    if name == "tuple":
        return _NOT_IN_TUPLE
    return add(call(repr)(value), f" is not in {name}")


def among(item: Value, values: Sequence[Value]) -> Guard:
    """Whether an item is equal to one of the raw items of a sequence."""
    if sequences.is_atomic(values, item):
        return bool(item in values)
    result: Guard = False
    for value in values:
        guard, held = opened(value)
        result = or_(result, same_where(guard, held, item))
        if result is True:
            return True
    return result


# --- comparing ------------------------------------------------------------------------------------


def all_equal(a: Iterable[Value], b: Iterable[Value]) -> Guard:
    result: Guard = True
    for x, y in zip(a, b, strict=False):
        if x is y and not isinstance(x, Term):
            continue
        # The later elements are compared only where the earlier ones are equal.
        result = same_where(result, x, y)
        if result is False:
            return False
    return result


def lists_equal(a: Sequence[Value], b: Sequence[Value]) -> Guard:
    if not is_ragged(a) and not is_ragged(b):
        return len(a) == len(b) and all_equal(a, b)
    short = min(len(a), len(b))
    result: Guard = True
    for place in range(max(len(a), len(b))):
        guard_x, value_x = opened(a[place] if place < len(a) else UNBOUND)
        guard_y, value_y = opened(b[place] if place < len(b) else UNBOUND)
        both = and_(guard_x, guard_y)
        neither = and_(not_(guard_x), not_(guard_y))
        where = and_(result, both)
        equal_here = same_where(where, value_x, value_y) if place < short else True
        result = and_(result, or_(neither, and_(both, equal_here)))
        if result is False:
            return False
    return result


def lexicographic(a: Sequence[Value], b: Sequence[Value], name: str) -> Guard:
    """The first elements that differ decide, otherwise the lengths."""
    compare = COMPARISONS[name]
    rows: list[tuple[Guard, Guard]] = []
    # The later elements are compared only where the earlier ones are equal.
    where: Guard = True
    for x, y in zip(a, b, strict=False):
        equal_here = _only_where(where, x, y, same)
        if equal_here is True:
            continue
        here = and_(where, not_(equal_here))
        decided = _only_where(here, x, y, lambda x, y: _decide(compare, x, y))
        rows.append((equal_here, decided))
        where = and_(where, equal_here)
        if where is False:
            break
    result: Guard = compare(len(a), len(b))
    for equal_here, decided in reversed(rows):
        result = (
            decided
            if equal_here is False
            else or_(and_(equal_here, result), and_(not_(equal_here), decided))
        )
    return result


def _only_where(guard: Guard, x: Value, y: Value, action: Callable[[Value, Value], Guard]) -> Guard:
    """A comparison of two elements that may raise something, on the paths of a guard."""
    if guard is True:
        return action(x, y)
    for kinds in (NUMBERS, TEXTS):
        if type(x) in kinds and type(y) in kinds:
            return action(x, y)
    return either(guard, lambda: action(x, y), lambda: False)  # type: ignore[no-any-return]


def _decide(compare: Callable[[Value, Value], Value], x: Value, y: Value) -> Guard:
    """Compare two elements that differ."""
    result = compare(x, y)
    return result if type(result) is bool else truth(result)
