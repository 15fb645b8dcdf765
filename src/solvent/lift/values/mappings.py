"""What programs do with dicts: look up, write, delete, update, merge, compare.

What a dict holds is in `entries`.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import TypeGuard

from solvent.lift.calls import call, method
from solvent.lift.hashing import CONCRETE_KEYS, is_symbolic_key
from solvent.lift.identity import same, same_where
from solvent.lift.values.entries import (
    Row,
    check_key,
    drop,
    ends,
    entries_of,
    exchange,
    kind_of,
    move,
    put,
    raw_items,
    rows_in_order,
)
from solvent.lift.values.protocol import get_item as get_any_item
from solvent.lift.values.protocol import items_of, runs_code
from solvent.lift.values.sequences import by_alternative, pick
from solvent.lift.values.stepping import add_each
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.terms.kinds import Integer
from solvent.vm.machine import JOURNALING, current
from solvent.vm.orders import SYMBOLIC, swaps_of
from solvent.vm.slots import UNBOUND, Maybe, guard_of, opened, slot
from solvent.vm.spread import combine, either, over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Choice, Guard, Value

# The methods by which dicts that keep nothing of their own iterate, read, write and delete.
ITERATORS = frozenset((dict.__iter__, OrderedDict.__iter__))
SETTERS = frozenset((dict.__setitem__, OrderedDict.__setitem__))
DELETERS = frozenset((dict.__delitem__, OrderedDict.__delitem__))
EQUALITIES = frozenset((dict.__eq__, OrderedDict.__eq__))


def matches(found: dict[Value, Value], key: Value) -> list[Row]:
    """Guard, key and value of each entry that the key may mean; the guards exclude each other."""
    if not is_symbolic_key(key) and not dict.__contains__(found, SYMBOLIC):
        value = dict.get(found, key, UNBOUND)
        if type(value) is not Maybe:  # flat: hot path
            return [(True, key, value)]
        return [(value.guard, key, value.value)] if value.guard is not False else []
    rows: list[Row] = []
    check_key(key)
    for guard, other, value in entries_of(found):
        guard = same_where(guard, other, key)
        if guard is True:
            return [(True, other, value)]
        if guard is not False:
            rows.append((guard, other, value))
    return rows


def contains(found: dict[Value, Value], key: Value) -> Guard:
    """`key in found`."""
    if type(key) is Union:
        result: Guard = over(key, lambda member: contains(found, member))
        return result
    return or_([guard for guard, _, _ in matches(found, key)])


def look_up(found: dict[Value, Value], key: Value) -> Choice:
    """Under which guard a key is there, and its value there."""
    rows = matches(found, key)
    if not rows:
        return False, None
    guard = or_([row[0] for row in rows])
    return guard, combine([(row[0], row[2]) for row in rows])


def get_item(found: dict[Value, Value], key: Value) -> Value:
    """`found[key]`."""
    if type(key) in CONCRETE_KEYS:
        value = dict.get(found, key, UNBOUND)
        if type(value) is not Maybe:  # flat: hot path
            return value
    if type(key) is Union:
        return over(key, lambda member: get_item(found, member))
    guard, value = look_up(found, key)
    if guard is True:
        return value
    if makes_values(found):
        return _get_or_make(found, key, guard, value)
    missing = getattr(type(found), "__missing__", None)
    if missing is not None and missing is not defaultdict.__missing__:
        return either(guard, lambda: value, lambda: call(missing)(found, key))
    current().fail_if(not_(guard), KeyError(key))
    return value


def makes_values(found: dict[Value, Value]) -> TypeGuard[defaultdict[Value, Value]]:
    """Whether a dict makes the values of missing keys by a factory."""
    return (
        isinstance(found, defaultdict)
        and found.default_factory is not None
        and type(found).__missing__ is defaultdict.__missing__
    )


def _get_or_make(found: defaultdict[Value, Value], key: Value, guard: Guard, value: Value) -> Value:
    return either(guard, lambda: value, lambda: make_value(found, key))


def make_value(found: defaultdict[Value, Value], key: Value) -> Value:
    """Make the value of a missing key by the factory of a `defaultdict`."""
    if found.default_factory is None:
        raise KeyError(key)
    made = call(found.default_factory)()
    set_item(found, key, made)
    return made


def set_item(owner: dict[Value, Value], key: Value, value: Value) -> None:
    """`owner[key] = value`."""
    # Flat: hot path.
    if (
        type(key) in CONCRETE_KEYS and type(owner) is dict and not JOURNALING
        and type(owner.get(key)) is not Maybe and SYMBOLIC not in owner
    ):  # fmt: skip
        owner[key] = value
        return
    if type(key) is Union:
        over(key, lambda member: set_item(owner, member, value))
        return
    if not is_symbolic_key(key) and not dict.__contains__(owner, SYMBOLIC):
        _set_concrete(owner, key, value)
        return
    rows = matches(owner, key)
    current().write_whole(kind_of(owner), owner)
    anywhere = or_([guard for guard, _, _ in rows])
    for guard, other, _ in rows:
        old = dict.__getitem__(owner, other)
        if guard is True:
            put(owner, other, value)
        else:
            there, held = opened(old)
            put(owner, other, slot(there, pick(guard, value, held)))
    if anywhere is not True:
        _insert(owner, key, value, not_(anywhere))


def _set_concrete(found: dict[Value, Value], key: Value, value: Value) -> None:
    """Write under a concrete key of a dict that has no symbolic keys."""
    old = dict.get(found, key, UNBOUND)
    if type(old) is not Maybe:  # flat: hot path
        current().write_slot(kind_of(found), found, key)
    else:
        # The order of the keys changes, which only the whole contents tell.
        current().write_whole(kind_of(found), found)
        if old is not UNBOUND:
            move(found, key, not_(guard_of(old)))
    put(found, key, value)


def _insert(found: dict[Value, Value], key: Value, value: Value, fresh: Guard) -> None:
    """Add a key that is equal to no other where `fresh` holds."""
    old = dict.get(found, key, UNBOUND)
    if is_symbolic_key(key) and not dict.__contains__(found, SYMBOLIC):
        put(found, SYMBOLIC, UNBOUND)
    if old is UNBOUND:
        put(found, key, slot(fresh, value))
        return
    # The key is there on some paths, and elsewhere it is equal to no other: now it is there too.
    move(found, key, fresh)
    there, held = opened(old)
    put(found, key, slot(or_(there, fresh), pick(fresh, value, held)))


def delete_item(found: dict[Value, Value], key: Value) -> None:
    """`del found[key]`."""
    if type(key) is Union:
        over(key, lambda member: delete_item(found, member))
        return
    rows = matches(found, key)
    current().fail_if(not_(or_([guard for guard, _, _ in rows])), KeyError(key))
    remove_rows(found, rows)


def remove_rows(found: dict[Value, Value], rows: Sequence[Row]) -> None:
    """Remove entries, each where its guard holds."""
    current().write_whole(kind_of(found), found)
    for guard, other, value in rows:
        old = dict.__getitem__(found, other)
        there = guard_of(old)
        left = and_(there, not_(guard))
        if left is False or there is guard or guard is True:
            drop(found, other)
        else:
            put(found, other, slot(left, value))


@over_members_of("key")
def pop(found: dict[Value, Value], key: Value, *default: Value) -> Value:
    """`found.pop(key)` or `found.pop(key, default)`."""
    # An empty dict does not ask for the hash of the key.
    rows = [] if not found and not isinstance(found, OrderedDict) else matches(found, key)
    guard = or_([row[0] for row in rows])
    if not default:
        current().fail_if(not_(guard), KeyError(key))
    value = combine([(row[0], row[2]) for row in rows]) if rows else None
    if rows:
        remove_rows(found, rows)
    return value if guard is True or not default else pick(guard, value, default[0])


def get(found: dict[Value, Value], key: Value, default: Value = None) -> Value:
    """`found.get(key, default)`."""
    if type(key) in CONCRETE_KEYS:
        value = dict.get(found, key, UNBOUND)
        if type(value) is not Maybe:  # flat: hot path
            return value
        if value is UNBOUND and not dict.__contains__(found, SYMBOLIC):
            return default
    if type(key) is Union:
        return over(key, lambda member: get(found, member, default))
    guard, value = look_up(found, key)
    if guard is False:
        return default
    return value if guard is True else pick(guard, value, default)


@over_members_of("key")
def set_default(found: dict[Value, Value], key: Value, default: Value = None) -> Value:
    """`found.setdefault(key, default)`."""
    if type(key) in CONCRETE_KEYS:
        old = dict.get(found, key, UNBOUND)
        if type(old) is not Maybe:  # flat: hot path
            return old
    guard, value = look_up(found, key)
    if guard is True:
        return value

    def insert() -> Value:
        set_item(found, key, default)
        return default

    return either(guard, lambda: value, insert)


def size(found: Mapping[Value, Value]) -> Integer:
    """`len(found)`."""
    result: Integer = 0
    for guard, _, _ in entries_of(found):
        result = result + (1 if guard is True else ite(guard, 1, 0))
    return result


def update(found: dict[Value, Value], *sources: Value, **named: Value) -> None:
    """`found.update(...)`."""
    for source in sources:
        if type(source) is Union:
            over(source, lambda member: update(found, member))
        elif isinstance(source, dict):
            _update_from_dict(found, source)
        elif hasattr(source, "keys"):
            _update_from_mapping(found, source)
        else:
            _update_from_pairs(found, source)
    for name, value in named.items():
        set_item(found, name, value)


def _update_from_dict(found: dict[Value, Value], source: dict[Value, Value]) -> None:
    if not len(found):
        current().write_whole(kind_of(found), found)
        for key, value in raw_items(source):
            put(found, key, value)
        return
    rows = entries_of(source)
    swaps = swaps_of(source)
    new = {key: and_(guard, not_(contains(found, key))) for guard, key, _ in rows if swaps}
    for guard, key, value in rows:
        set_if(found, guard, key, value)
    if swaps:
        current().write_whole(kind_of(found), found)
        # Two keys that are both new have the order that they have in the other dict.
        both = [(x, y, and_(guard, new[x], new[y])) for (x, y), guard in swaps.items()]
        exchange(found, [row for row in both if row[2] is not False])


def _update_from_mapping(found: dict[Value, Value], source: Value) -> None:
    for key in list(items_of(method(source, "keys")())):
        guard, name = opened(key)
        either(guard, lambda: set_item(found, name, get_any_item(source, name)), _nothing)  # noqa: B023


def _update_from_pairs(found: dict[Value, Value], source: Value) -> None:
    if runs_code(source):
        add_each(source, lambda place, item: set_item(found, *_pair(item, place)))
        return
    for place, row in enumerate(list(items_of(source))):
        if type(row) is tuple and len(row) == 2:
            set_item(found, *row)
            continue
        guard, item = opened(row)
        either(guard, lambda: set_item(found, *_pair(item, place)), _nothing)  # noqa: B023


def _nothing() -> None:
    """What is done elsewhere."""


def _pair(item: Value, place: int) -> Value:
    """Key and value of an item from which a dict is made."""
    if type(item) is tuple and len(item) == 2:
        return item
    if type(item) is Union:
        return over(item, lambda member: _pair(member, place))
    try:
        parts = list(items_of(item))
    except TypeError:
        message = f"cannot convert dictionary update sequence element #{place} to a sequence"
        raise TypeError(message) from None
    return by_alternative(parts, lambda found: _checked_pair(found, place))


def _checked_pair(parts: Sequence[Value], place: int) -> tuple[Value, ...]:
    if len(parts) != 2:
        raise ValueError(
            f"dictionary update sequence element #{place} has length {len(parts)}; 2 is required"
        )
    return tuple(parts)


def set_if(found: dict[Value, Value], guard: Guard, key: Value, value: Value) -> None:
    """`found[key] = value` where a guard holds."""
    either(guard, lambda: set_item(found, key, value), _nothing)


def merged_dict(a: dict[Value, Value], b: dict[Value, Value]) -> Value:
    """`a | b` for dicts."""
    own = type(a).__or__
    if type(own) is FunctionType:
        return call(own)(a, b)
    result = copy(a)
    update(result, b)
    return result


def update_in_place(found: dict[Value, Value], source: Value) -> None:
    """`found |= source` for dicts."""
    own = type(found).__ior__
    if type(own) is FunctionType:
        call(own)(found, source)
    else:
        update(found, source)


def like(found: dict[Value, Value]) -> dict[Value, Value]:
    """An empty dict of the class of another."""
    cls = type(found)
    result = cls.__new__(cls)
    if isinstance(found, defaultdict):
        result.default_factory = found.default_factory  # type: ignore[attr-defined]
    return result


def copy(found: dict[Value, Value]) -> dict[Value, Value]:
    """A shallow copy of a dict that has no `copy` method of its own."""
    if type(found) is dict:
        return dict(found)
    result = like(found) if isinstance(found, (defaultdict, OrderedDict)) else {}
    for key, value in raw_items(found):
        put(result, key, value)
    return result


def clear(found: dict[Value, Value]) -> None:
    """`found.clear()`."""
    current().write_whole(kind_of(found), found)
    if isinstance(found, OrderedDict):
        OrderedDict.clear(found)
    else:
        dict.clear(found)


def pop_item(found: dict[Value, Value], last: bool = True) -> Value:
    """`found.popitem()`; an ordered dict also takes the first one."""
    rows = ends(found, last)
    rest = not_(or_([guard for guard, _, _ in entries_of(found)]))
    message = "dictionary is empty"
    if not isinstance(found, OrderedDict):
        message = f"popitem(): {message}"
    current().fail_if(rest, KeyError(message))
    result = combine([(guard, (key, value)) for guard, key, value in rows])
    remove_rows(found, rows)
    return result


def move_to_end(found: dict[Value, Value], key: Value, last: bool = True) -> None:
    """`found.move_to_end(key, last)` of an ordered dict."""
    if type(key) is Union:
        over(key, lambda member: move_to_end(found, member, last))
        return
    rows = matches(found, key)
    current().fail_if(not_(or_([guard for guard, _, _ in rows])), KeyError(key))
    current().write_whole(kind_of(found), found)
    for guard, other, _ in rows:
        move(found, other, guard, last)


def equal(a: dict[Value, Value], b: dict[Value, Value]) -> Value:
    """`a == b` for dicts, by the methods of their classes."""
    sides = [(a, b), (b, a)]
    if type(b) is not type(a) and isinstance(b, type(a)):
        sides.reverse()
    for first, second in sides:
        method: Callable[[Value, Value], Value] = type(first).__eq__
        if method in EQUALITIES:
            return equal_entries(first, second)
        result = call(method)(first, second)
        if result is not NotImplemented:
            return result
    return False


def equal_entries(a: dict[Value, Value], b: dict[Value, Value]) -> Guard:
    """What `dict.__eq__` says."""
    result: Guard = size(a) == size(b)
    for guard, key, value in entries_of(a):
        if result is False:
            return False
        there, other = look_up(b, key)
        agree = False if there is False else same_where(there, value, other)
        result = and_(result, or_(not_(guard), agree))
    if result is not False and isinstance(a, OrderedDict) and isinstance(b, OrderedDict):
        result = and_(result, same(rows_in_order(a, "keys"), rows_in_order(b, "keys")))
    return result


def make(rows: tuple[tuple[Value, ...], ...]) -> dict[Value, Value]:
    """A dict display: pairs, and dicts to take in."""
    result: dict[Value, Value] = {}
    for row in rows:
        if len(row) == 1:
            update(result, row[0])
        else:
            set_item(result, row[0], row[1])
    return result
