"""Dicts with symbolic keys, symbolic values, and keys that only some paths have.

A key that only some paths have holds a `Maybe`.  A symbolic key is in the dict under a guard that
makes it differ from all others, so under any model the present keys are different.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from types import FunctionType
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift.sequences import append, append_if, is_ragged, pick
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.owned import ORDER, Elements
from solvent.vm.places import ENTRIES, Entries, Kind
from solvent.vm.shapes import record_fields
from solvent.vm.spread import combine, over
from solvent.vm.union import UNBOUND, Maybe, Union


class _SymbolicKeys:
    """The key under which a dict remembers that some of its keys are symbolic."""

    def __repr__(self) -> str:
        return "<symbolic keys>"


SYMBOLIC = _SymbolicKeys()
HIDDEN = (ORDER, SYMBOLIC)


CONCRETE_KEYS = frozenset((int, str, bool, float, bytes, complex, type(None)))


# The methods by which dicts that keep nothing of their own iterate, read, write and delete.
ITERATORS = frozenset((dict.__iter__, OrderedDict.__iter__))
SETTERS = frozenset((dict.__setitem__, OrderedDict.__setitem__))
DELETERS = frozenset((dict.__delitem__, OrderedDict.__delitem__))
EQUALITIES = frozenset((dict.__eq__, OrderedDict.__eq__))


class _OrderedEntries(Entries):
    """The entries of an `OrderedDict`, which keeps their order beside them."""

    name = "ordered entries"

    def write(self, owner: Any, slot: Any, value: Any) -> None:
        if not isinstance(owner, OrderedDict):
            super().write(owner, slot, value)
        elif value is UNBOUND:
            OrderedDict.pop(owner, slot, None)
        else:
            OrderedDict.__setitem__(owner, slot, value)

    def contents(self, owner: Any) -> Any:
        return dict(OrderedDict.items(owner))

    def restore(self, owner: Any, contents: Any) -> None:
        OrderedDict.clear(owner)
        for key, value in contents.items():
            OrderedDict.__setitem__(owner, key, value)


ORDERED_ENTRIES = _OrderedEntries()


def kind_of(found: Any) -> Kind:
    """How the journal reads and writes a dict."""
    return ORDERED_ENTRIES if isinstance(found, OrderedDict) else ENTRIES


def put(found: Any, key: Any, value: Any) -> None:
    """Write a raw entry; the journal must know already."""
    if isinstance(found, OrderedDict):
        OrderedDict.__setitem__(found, key, value)
    else:
        dict.__setitem__(found, key, value)


def drop(found: Any, key: Any) -> None:
    """Remove a raw entry; the journal must know already."""
    if isinstance(found, OrderedDict):
        OrderedDict.__delitem__(found, key)
    else:
        dict.__delitem__(found, key)


def raw_items(found: Any) -> Any:
    """The raw entries of a dict in its order."""
    if isinstance(found, OrderedDict):
        return OrderedDict.items(found)
    return dict.items(found)


class _Grab:
    """Gets the dict out of the proxy that a view has: `proxy | _Grab()` is the dict itself."""

    def __ror__(self, other: Any) -> Any:
        return other


def viewed(view: Any) -> Any:
    """The dict that a view shows."""
    return view.mapping | _Grab()


def is_symbolic_key(key: Any) -> bool:
    """Whether a key may be equal to keys that hash differently."""
    cls = type(key)
    if cls in CONCRETE_KEYS:
        return False
    if isinstance(key, Term):
        return True
    if isinstance(key, (tuple, frozenset)):
        return any(type(part) in (Union, Elements) or is_symbolic_key(part) for part in key)
    fields = record_fields(cls)
    if fields is not None:
        return any(_is_symbolic_part(getattr(key, name)) for name in fields)
    if type(cls.__hash__) is FunctionType and hasattr(key, "__dict__"):
        return any(_is_symbolic_part(part) for part in vars(key).values())
    return False


def _is_symbolic_part(part: Any) -> bool:
    return type(part) in (Union, Maybe) or is_symbolic_key(part)


def check_key(key: Any) -> None:
    """Raise what Python raises for a key that cannot be hashed."""
    if isinstance(key, Term):
        return
    if type(key) is tuple:
        for part in key:
            if type(part) is not Union:
                check_key(part)
    elif not is_symbolic_key(key):
        hash(key)
    else:
        _check_own_hash(key)


def _check_own_hash(key: Any) -> None:
    try:
        hash(key)
    except TypeError as error:
        raise NotLiftedError(
            f"the hash of a `{type(key).__name__}` depends on symbolic attributes, which is not "
            "lifted; use a tuple of the attributes as the key"
        ) from error


def entries(found: Any) -> list[tuple[Any, Any, Any]]:
    """Guard, key and value of each entry that some path has."""
    result = []
    for key, value in raw_items(found) if isinstance(found, dict) else found.items():
        if type(value) is Maybe:
            if value.guard is not False:
                result.append((value.guard, key, value.value))
        else:
            result.append((True, key, value))
    return result


def is_plain(found: Any) -> bool:
    """Whether a dict has the same, concrete keys on every path."""
    if dict.__contains__(found, SYMBOLIC) or dict.__contains__(found, ORDER):
        return False
    return all(type(value) is not Maybe for value in dict.values(found))


def matches(found: Any, key: Any) -> list[tuple[Any, Any, Any]]:
    """Guard, key and value of each entry that the key may mean; the guards exclude each other."""
    from solvent.lift.equality import same

    if not is_symbolic_key(key) and not dict.__contains__(found, SYMBOLIC):
        value = dict.get(found, key, UNBOUND)
        if type(value) is not Maybe:
            return [(True, key, value)]
        return [(value.guard, key, value.value)] if value.guard is not False else []
    rows = []
    check_key(key)
    for guard, other, value in entries(found):
        guard = and_(guard, same(other, key))
        if guard is True:
            return [(True, other, value)]
        if guard is not False:
            rows.append((guard, other, value))
    return rows


def contains(found: Any, key: Any) -> Any:
    """`key in found`."""
    if type(key) is Union:
        return over(key, lambda member: contains(found, member))
    return or_([guard for guard, _, _ in matches(found, key)])


def look_up(found: Any, key: Any) -> tuple[Any, Any]:
    """Under which guard a key is there, and its value there."""
    rows = matches(found, key)
    if not rows:
        return False, None
    guard = or_([row[0] for row in rows])
    return guard, combine([(row[0], row[2]) for row in rows])


def get_item(found: Any, key: Any) -> Any:
    """`found[key]`."""
    if type(key) is Union:
        return over(key, lambda member: get_item(found, member))
    guard, value = look_up(found, key)
    if guard is True:
        return value
    if makes_values(found):
        return _get_or_make(found, key, guard, value)
    missing = getattr(type(found), "__missing__", None)
    if missing is not None and missing is not defaultdict.__missing__:
        from solvent.lift.calls import call

        return either(guard, lambda: value, lambda: call(missing)(found, key))
    current().fail_if(not_(guard), KeyError(key))
    return value


def either(guard: Any, then: Any, otherwise: Any) -> Any:
    """Do the one where a guard holds and the other elsewhere, and merge the results."""
    if guard is True:
        return then()
    if guard is False:
        return otherwise()
    return over(Union(((guard, True), (True, False))), lambda side: then() if side else otherwise())


def makes_values(found: Any) -> bool:
    """Whether a dict makes the values of missing keys by a factory."""
    return (
        isinstance(found, defaultdict)
        and found.default_factory is not None
        and type(found).__missing__ is defaultdict.__missing__
    )


def _get_or_make(found: Any, key: Any, guard: Any, value: Any) -> Any:
    return either(guard, lambda: value, lambda: make_value(found, key))


def make_value(found: Any, key: Any) -> Any:
    """Make the value of a missing key by the factory of a `defaultdict`."""
    from solvent.lift.calls import call

    if found.default_factory is None:
        raise KeyError(key)
    made = call(found.default_factory)()
    set_item(found, key, made)
    return made


def set_item(found: Any, key: Any, value: Any) -> None:
    """`found[key] = value`."""
    if type(key) is Union:
        over(key, lambda member: set_item(found, member, value))
        return
    if not is_symbolic_key(key) and not dict.__contains__(found, SYMBOLIC):
        _set_concrete(found, key, value)
        return
    rows = matches(found, key)
    current().write_whole(kind_of(found), found)
    anywhere = or_([guard for guard, _, _ in rows])
    for guard, other, _ in rows:
        old = dict.__getitem__(found, other)
        if guard is True:
            put(found, other, value)
        elif type(old) is Maybe:
            put(found, other, Maybe(old.guard, pick(guard, value, old.value)))
        else:
            put(found, other, pick(guard, value, old))
    if anywhere is not True:
        _insert(found, key, value, not_(anywhere))


def _set_concrete(found: Any, key: Any, value: Any) -> None:
    """Write under a concrete key of a dict that has no symbolic keys."""
    old = dict.get(found, key, UNBOUND)
    if type(old) is not Maybe:
        current().write_slot(kind_of(found), found, key)
    else:
        # The order of the keys changes, which only the whole contents tell.
        current().write_whole(kind_of(found), found)
        if old is not UNBOUND and next(reversed(raw_items(found)))[0] is not key:
            _mark(found, ORDER)
    put(found, key, value)


def _insert(found: Any, key: Any, value: Any, fresh: Any) -> None:
    """Add a key that is equal to no other where `fresh` holds."""
    old = dict.get(found, key, UNBOUND)
    if is_symbolic_key(key):
        _mark(found, SYMBOLIC)
    if old is UNBOUND:
        put(found, key, value if fresh is True else Maybe(fresh, value))
        return
    # The key is there on some paths, and elsewhere it is equal to no other: now it is there too.
    _mark(found, ORDER)
    there = old.guard if type(old) is Maybe else True
    held = old.value if type(old) is Maybe else old
    guard = or_(there, fresh)
    new = pick(fresh, value, held)
    put(found, key, new if guard is True else Maybe(guard, new))


def _mark(found: Any, mark: Any) -> None:
    if not dict.__contains__(found, mark):
        current().write_whole(kind_of(found), found)
        put(found, mark, UNBOUND)


def delete_item(found: Any, key: Any) -> None:
    """`del found[key]`."""
    if type(key) is Union:
        over(key, lambda member: delete_item(found, member))
        return
    rows = matches(found, key)
    current().fail_if(not_(or_([guard for guard, _, _ in rows])), KeyError(key))
    remove_rows(found, rows)


def remove_rows(found: Any, rows: list[tuple[Any, Any, Any]]) -> None:
    """Remove entries, each where its guard holds."""
    current().write_whole(kind_of(found), found)
    for guard, other, value in rows:
        old = dict.__getitem__(found, other)
        there = old.guard if type(old) is Maybe else True
        left = and_(there, not_(guard))
        if left is False or there is guard or guard is True:
            drop(found, other)
        else:
            put(found, other, Maybe(left, value))


def pop(found: Any, key: Any, *default: Any) -> Any:
    """`found.pop(key)` or `found.pop(key, default)`."""
    if type(key) is Union:
        return over(key, lambda member: pop(found, member, *default))
    rows = matches(found, key)
    guard = or_([row[0] for row in rows])
    if not default:
        current().fail_if(not_(guard), KeyError(key))
    value = combine([(row[0], row[2]) for row in rows]) if rows else None
    if rows:
        remove_rows(found, rows)
    return value if guard is True or not default else pick(guard, value, default[0])


def get(found: Any, key: Any, default: Any = None) -> Any:
    """`found.get(key, default)`."""
    if type(key) is Union:
        return over(key, lambda member: get(found, member, default))
    guard, value = look_up(found, key)
    if guard is False:
        return default
    return value if guard is True else pick(guard, value, default)


def set_default(found: Any, key: Any, default: Any = None) -> Any:
    """`found.setdefault(key, default)`."""
    if type(key) is Union:
        return over(key, lambda member: set_default(found, member, default))
    guard, value = look_up(found, key)
    if guard is True:
        return value

    def insert() -> Any:
        set_item(found, key, default)
        return default

    return either(guard, lambda: value, insert)


def has_order(found: Any) -> bool:
    """Whether the order of the keys is the same on every path."""
    return not dict.__contains__(found, ORDER)


def rows_in_order(found: Any, what: str = "items") -> list[Any]:
    """Keys, values or items in order, as the items of a possibly ragged list."""
    mapping = found if isinstance(found, dict) else found | _Grab()
    if not has_order(mapping):
        raise NotLiftedError(
            "the order of the keys of this dict differs between paths, so it cannot be iterated; "
            "insert the keys in the same order on every path, or use sorted(...)"
        )
    return rows_in_any_order(mapping, what)


def rows_in_any_order(found: Any, what: str = "items") -> list[Any]:
    """Like `rows_in_order`, for those to whom the order of the keys means nothing."""
    result: list[Any] = []
    for guard, key, value in entries(found):
        item = key if what == "keys" else value if what == "values" else (key, value)
        if guard is not True:
            append_if(result, guard, item)
        elif is_ragged(result):
            append(result, item)
        else:
            result.append(item)
    return result


def size(found: Any) -> Any:
    """`len(found)`."""
    result: Any = 0
    for guard, _, _ in entries(found):
        result = result + (1 if guard is True else ite(guard, 1, 0))
    return result


def update(found: Any, *sources: Any, **named: Any) -> None:
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


def _update_from_dict(found: Any, source: Any) -> None:
    if not len(found):
        current().write_whole(kind_of(found), found)
        for key, value in raw_items(source):
            put(found, key, value)
        return
    rows = entries(source)
    if not has_order(source):
        _mark(found, ORDER)
    for guard, key, value in rows:
        set_if(found, guard, key, value)


def _update_from_mapping(found: Any, source: Any) -> None:
    from solvent.lift.calls import method
    from solvent.lift.items import get_item as item_of
    from solvent.lift.iteration import items_of

    for key in list(items_of(method(source, "keys")())):
        guard, name = (key.guard, key.value) if type(key) is Maybe else (True, key)
        either(guard, lambda: set_item(found, name, item_of(source, name)), _nothing)  # noqa: B023


def _update_from_pairs(found: Any, source: Any) -> None:
    from solvent.lift.iteration import items_of

    for place, row in enumerate(list(items_of(source))):
        guard, item = (row.guard, row.value) if type(row) is Maybe else (True, row)
        either(guard, lambda: set_item(found, *_pair(item, place)), _nothing)  # noqa: B023


def _nothing() -> None:
    """What is done elsewhere."""


def _pair(item: Any, place: int) -> Any:
    """Key and value of an item from which a dict is made."""
    from solvent.lift.iteration import items_of
    from solvent.lift.sequences import by_alternative

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


def _checked_pair(parts: list[Any], place: int) -> tuple[Any, ...]:
    if len(parts) != 2:
        raise ValueError(
            f"dictionary update sequence element #{place} has length {len(parts)}; 2 is required"
        )
    return tuple(parts)


def set_if(found: Any, guard: Any, key: Any, value: Any) -> None:
    """`found[key] = value` where a guard holds."""
    either(guard, lambda: set_item(found, key, value), _nothing)


def merged_dict(a: dict[Any, Any], b: dict[Any, Any]) -> Any:
    """`a | b` for dicts."""
    own = type(a).__or__
    if type(own) is FunctionType:
        from solvent.lift.calls import call

        return call(own)(a, b)
    result = copy(a)
    update(result, b)
    return result


def update_in_place(found: Any, source: Any) -> None:
    """`found |= source` for dicts."""
    own = type(found).__ior__
    if type(own) is FunctionType:
        from solvent.lift.calls import call

        call(own)(found, source)
    else:
        update(found, source)


def like(found: Any) -> Any:
    """An empty dict of the class of another."""
    cls: Any = type(found)
    result = cls.__new__(cls)
    if isinstance(found, defaultdict):
        result.default_factory = found.default_factory
    return result


def copy(found: Any) -> Any:
    """A shallow copy of a dict that has no `copy` method of its own."""
    if type(found) is dict:
        return dict(found)
    result = like(found) if isinstance(found, (defaultdict, OrderedDict)) else {}
    for key, value in raw_items(found):
        put(result, key, value)
    return result


def clear(found: Any) -> None:
    """`found.clear()`."""
    current().write_whole(kind_of(found), found)
    if isinstance(found, OrderedDict):
        OrderedDict.clear(found)
    else:
        dict.clear(found)


def pop_item(found: Any, last: bool = True) -> Any:
    """`found.popitem()`; an ordered dict also takes the first one."""
    if not has_order(found):
        rows_in_order(found)
    rest: Any = True
    rows = []
    for guard, key, value in reversed(entries(found)) if last else entries(found):
        rows.append((and_(rest, guard), key, value))
        rest = and_(rest, not_(guard))
        if rest is False:
            break
    message = "dictionary is empty"
    if not isinstance(found, OrderedDict):
        message = f"popitem(): {message}"
    current().fail_if(rest, KeyError(message))
    rows = [row for row in rows if row[0] is not False]
    result = combine([(guard, (key, value)) for guard, key, value in rows])
    remove_rows(found, rows)
    return result


def move_to_end(found: Any, key: Any, last: bool = True) -> None:
    """`found.move_to_end(key, last)` of an ordered dict."""
    if type(key) is Union:
        over(key, lambda member: move_to_end(found, member, last))
        return
    rows = matches(found, key)
    current().fail_if(not_(or_([guard for guard, _, _ in rows])), KeyError(key))
    if len(rows) == 1:
        _move(found, rows[0][1], last)
    else:
        choices = tuple((guard, other) for guard, other, _ in rows)
        over(Union(choices), lambda other: _move(found, other, last))


def _move(found: Any, key: Any, last: bool) -> None:
    current().write_whole(kind_of(found), found)
    OrderedDict.move_to_end(found, key, last)


def equal(a: Any, b: Any) -> Any:
    """`a == b` for dicts, by the methods of their classes."""
    from solvent.lift.calls import call

    sides = [(a, b), (b, a)]
    if type(b) is not type(a) and isinstance(b, type(a)):
        sides.reverse()
    for first, second in sides:
        method: Any = type(first).__eq__
        if method in EQUALITIES:
            return equal_entries(first, second)
        result = call(method)(first, second)
        if result is not NotImplemented:
            return result
    return False


def equal_entries(a: Any, b: Any) -> Any:
    """What `dict.__eq__` says."""
    from solvent.lift.equality import same

    result: Any = size(a) == size(b)
    for guard, key, value in entries(a):
        if result is False:
            return False
        there, other = look_up(b, key)
        agree = False if there is False else and_(there, same(value, other))
        result = and_(result, or_(not_(guard), agree))
    if result is not False and isinstance(a, OrderedDict) and isinstance(b, OrderedDict):
        result = and_(result, same(rows_in_order(a, "keys"), rows_in_order(b, "keys")))
    return result


def make(rows: tuple[tuple[Any, ...], ...]) -> dict[Any, Any]:
    """A dict display: pairs, and dicts to take in."""
    result: dict[Any, Any] = {}
    for row in rows:
        if len(row) == 1:
            update(result, row[0])
        else:
            set_item(result, row[0], row[1])
    return result
