"""What a dict holds: guards, keys and values, and in which order.

A key that only some paths have holds a partial value (see `vm.slots`).  A symbolic key is in the
dict under a guard that makes it differ from all others, so under any model the present keys are
different.  Where the order of the keys differs between paths, the dict knows which pairs are
exchanged (see `vm.orders`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, ItemsView, Iterator, Mapping
from types import MappingProxyType
from typing import TypeVar

from solvent.lift.hashing import CONCRETE_KEYS, check_own_hash, has_own_hash, is_symbolic_key
from solvent.lift.values.sequences import append, append_if, is_ragged
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.terms.term import Term
from solvent.vm.orders import (
    ORDER,
    SYMBOLIC,
    Order,
    Swaps,
    exchanged,
    held,
    in_order,
    moved,
    swaps_of,
)
from solvent.vm.places import ENTRIES, Entries, Kind
from solvent.vm.slots import UNBOUND, Maybe
from solvent.vm.spread import combine, over
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Guard, Value

# Guard, key and value of an entry.
Row = tuple[Guard, Value, Value]
# A row of any kind that starts with a guard.
Guarded = TypeVar("Guarded", bound=tuple[object, ...])


class _OrderedEntries(Entries):
    """The entries of an `OrderedDict`, which keeps their order beside them."""

    name = "ordered entries"

    def write(self, owner: Value, slot: Value, value: Value) -> None:
        if not isinstance(owner, OrderedDict):
            super().write(owner, slot, value)
        elif value is UNBOUND:
            OrderedDict.pop(owner, slot, None)
        else:
            OrderedDict.__setitem__(owner, slot, value)

    def contents(self, owner: Value) -> dict[Value, Value]:
        return dict(OrderedDict.items(owner))

    def restore(self, owner: Value, contents: dict[Value, Value]) -> None:
        OrderedDict.clear(owner)
        for key, value in contents.items():
            OrderedDict.__setitem__(owner, key, value)


ORDERED_ENTRIES = _OrderedEntries()


def kind_of(found: object) -> Kind:
    """How the journal reads and writes a dict."""
    return ORDERED_ENTRIES if isinstance(found, OrderedDict) else ENTRIES


def put(found: dict[Value, Value], key: Value, value: Value) -> None:
    """Write a raw entry; the journal must know already."""
    if isinstance(found, OrderedDict):
        OrderedDict.__setitem__(found, key, value)
    else:
        dict.__setitem__(found, key, value)


def drop(found: dict[Value, Value], key: Value) -> None:
    """Remove a raw entry; the journal must know already."""
    _forget(found, key)
    if isinstance(found, OrderedDict):
        OrderedDict.__delitem__(found, key)
    else:
        dict.__delitem__(found, key)


def raw_items(found: dict[Value, Value]) -> ItemsView[Value, Value]:
    """The raw entries of a dict in its order."""
    if isinstance(found, OrderedDict):
        return OrderedDict.items(found)
    return dict.items(found)


class _Grab:
    """Gets the dict out of the proxy that a view has: `proxy | _Grab()` is the dict itself."""

    def __ror__(self, other: Value) -> Value:
        return other


def viewed(view: Value) -> dict[Value, Value]:
    """The dict that a view shows."""
    found: dict[Value, Value] = view.mapping | _Grab()
    return found


def _is_hashable(member: object) -> bool:
    return isinstance(member, Term) or type(member) in CONCRETE_KEYS


def check_key(key: object) -> None:
    """Raise what Python raises for a key that cannot be hashed."""
    if isinstance(key, Term):
        return
    if type(key) is Union:
        if any(
            not isinstance(m, Term) and type(m) not in CONCRETE_KEYS for _, m in choices_of(key)
        ):
            over(key, check_key)
    elif type(key) is tuple:
        for part in key:
            check_key(part)
    elif has_own_hash(key) and is_symbolic_key(key):
        check_own_hash(key)
    else:
        hash(key)


def entries_of(found: Mapping[Value, Value]) -> list[Row]:
    """Guard, key and value of each entry that some path has."""
    result: list[Row] = []
    for key, value in raw_items(found) if isinstance(found, dict) else found.items():
        if type(value) is Maybe:  # flat: hot path
            if value.guard is not False:
                result.append((value.guard, key, value.value))
        else:
            result.append((True, key, value))
    return result


def is_plain(found: dict[Value, Value]) -> bool:
    """Whether a dict has the same, concrete keys on every path."""
    if dict.__contains__(found, SYMBOLIC) or dict.__contains__(found, ORDER):
        return False
    # Flat: hot path.
    return Maybe not in map(type, dict.values(found))


# --- the order ------------------------------------------------------------------------------------


def order_of(found: dict[Value, Value]) -> Order:
    """The order of the keys of a dict, which `keep_order` takes when it was changed."""
    return Order((key for key, _ in raw_items(found)), dict(swaps_of(found)))


def keep_order(found: dict[Value, Value], order: Order) -> None:
    """Give a dict a changed order; the journal must know already."""
    _keep_swaps(found, order.swaps)


def _keep_swaps(found: dict[Value, Value], swaps: Swaps) -> None:
    if swaps:
        put(found, ORDER, held(swaps))
    elif dict.__contains__(found, ORDER):
        drop(found, ORDER)


def _forget(found: dict[Value, Value], key: Value) -> None:
    """Forget with which keys a key is exchanged."""
    swaps = swaps_of(found)
    if swaps and key is not ORDER:
        one = {key}
        left = {pair: swaps[pair] for pair in swaps if pair[0] not in one and pair[1] not in one}
        _keep_swaps(found, left)


def move(found: dict[Value, Value], key: Value, guard: Guard, last: bool = True) -> None:
    """Let a key be the last (or the first) where a guard holds; the journal must know already."""
    if guard is True:
        _forget(found, key)
        # Only an ordered dict is asked to move a key on every path.
        OrderedDict.move_to_end(found, key, last)  # type: ignore[arg-type]
    elif guard is not False:
        order = order_of(found)
        place = order.places[key]
        if last and not order.swaps and place == len(order.places) - 1:
            return
        others = [
            other
            for there, other, _ in entries_of(found)
            if order.places[other] != place and and_(there, guard) is not False
        ]
        moved(order, key, guard, last, others)
        keep_order(found, order)


def rows_in_order(
    found: dict[Value, Value] | MappingProxyType[Value, Value], what: str = "items"
) -> list[Value]:
    """Keys, values or items in order, as the items of a possibly ragged list."""
    mapping = found if isinstance(found, dict) else found | _Grab()
    if not dict.__contains__(mapping, ORDER):
        return rows_in_any_order(mapping, what)
    order = order_of(mapping)
    result: list[Value] = []
    for block in _blocks(entries_of(mapping), order.swaps):
        if len(block) == 1:
            _add(result, block[0][0], _shown(block[0], what))
        else:
            for guard, choices in _places(block, order):
                _add(result, guard, combine([(g, _shown(row, what)) for g, row in choices]))
    return result


def rows_in_any_order(found: Mapping[Value, Value], what: str = "items") -> list[Value]:
    """Like `rows_in_order`, for those to whom the order of the keys means nothing."""
    result: list[Value] = []
    for row in entries_of(found):
        _add(result, row[0], _shown(row, what))
    return result


def _shown(row: Row, what: str) -> Value:
    return row[1] if what == "keys" else row[2] if what == "values" else row[1:]


def _add(result: list[Value], guard: Guard, item: Value) -> None:
    if guard is not True:
        append_if(result, guard, item)
    elif is_ragged(result):
        append(result, item)
    else:
        result.append(item)


def _blocks(rows: list[Row], swaps: Swaps) -> Iterator[list[Row]]:
    """Split entries so that only those in one block are exchanged."""
    places = {row[1]: place for place, row in enumerate(rows)}
    reach = list(range(len(rows)))
    for x, y in swaps:
        if x in places and y in places:
            reach[places[x]] = max(reach[places[x]], places[y])
    start = end = 0
    for place in range(len(rows)):
        end = max(end, reach[place])
        if place == end:
            yield rows[start : place + 1]
            start = end = place + 1


def _places(rows: list[Row], order: Order) -> Iterator[tuple[Guard, list[tuple[Guard, Row]]]]:
    """For each place the guard under which there is an entry, and the guards of those it may be."""
    choices: list[list[tuple[Guard, Row]]] = [[] for _ in rows]
    # The guards under which at least 0, 1, 2, ... of the entries are there.
    least: list[Guard] = [True]
    for row in rows:
        more = [and_(row[0], guard) for guard in least]
        least = [True, *map(or_, least[1:], more), more[-1]]
        for place, guard in enumerate(_preceded(row, rows, order)):
            if guard is not False:
                choices[place].append((guard, row))
    for place, found in enumerate(choices):
        if found:
            yield least[place + 1], _decided(found)


def _decided(choices: list[Guarded]) -> list[Guarded]:
    """The choice whose guard holds always, if there is one, of choices that start with guards."""
    return next(([choice] for choice in choices if choice[0] is True), choices)


def _preceded(row: Row, rows: list[Row], order: Order) -> list[Guard]:
    """The guards under which an entry is there and 0, 1, 2, ... others come before it."""
    counts = [row[0]]
    for other in rows:
        if other is row:
            continue
        guard = and_(other[0], order.before(other[1], row[1]))
        if guard is True:
            counts.insert(0, False)
        elif guard is not False:
            counts = [
                ite(guard, less, same)
                for less, same in zip([False, *counts], [*counts, False], strict=True)
            ]
    return counts


def ends(found: dict[Value, Value], last: bool) -> list[Row]:
    """The entries that may be the last (or the first), with the guard under which they are."""
    rows = entries_of(found)
    if last:
        rows.reverse()
    result: list[Row] = []
    if not dict.__contains__(found, ORDER):
        rest: Guard = True
        for guard, key, value in rows:
            result.append((and_(rest, guard), key, value))
            rest = and_(rest, not_(guard))
            if rest is False:
                break
    else:
        order = order_of(found)
        result = [(_end_guard(row, rows, order, last), row[1], row[2]) for row in rows]
    return _decided([row for row in result if row[0] is not False])


def _end_guard(row: Row, rows: list[Row], order: Order, last: bool) -> Guard:
    """The guard under which an entry is there and no other one is beyond it."""
    guard = row[0]
    for there, other, _ in rows:
        if other is not row[1]:
            beyond = order.before(row[1], other) if last else order.before(other, row[1])
            guard = and_(guard, not_(and_(there, beyond)))
            if guard is False:
                break
    return guard


def exchange(found: dict[Value, Value], rows: list[tuple[Value, Value, Guard]]) -> None:
    """Let the second of two keys come first where a guard holds, which is the last of a row."""
    order = order_of(found)
    exchanged(order, rows)
    keep_order(found, order)


def entries_under(
    found: dict[Value, Value], holds: Callable[[Guard], object]
) -> list[tuple[Value, Value]]:
    """Key and value of each entry that is there if just these guards hold, in order."""
    rows = [(key, value) for guard, key, value in entries_of(found) if holds(guard)]
    if not dict.__contains__(found, ORDER):
        return rows
    return in_order(order_of(found), rows, holds)
