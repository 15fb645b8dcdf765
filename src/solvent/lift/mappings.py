"""Dicts with symbolic keys, symbolic values, and keys that only some paths have.

A key that only some paths have holds a `Maybe`.  A symbolic key is in the dict under a guard that
makes it differ from all others, so under any model the present keys are different.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from types import MappingProxyType
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift.sequences import _append_if
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.merge import merge
from solvent.vm.owned import ORDER
from solvent.vm.places import ENTRIES
from solvent.vm.shapes import record_fields
from solvent.vm.spread import combine, over
from solvent.vm.union import UNBOUND, Maybe, Union


class _SymbolicKeys:
    """The key under which a dict remembers that some of its keys are symbolic."""

    def __repr__(self) -> str:
        return "<symbolic keys>"


SYMBOLIC = _SymbolicKeys()
HIDDEN = (ORDER, SYMBOLIC)


def is_symbolic_key(key: Any) -> bool:
    """Whether a key may be equal to keys that hash differently."""
    if isinstance(key, Term):
        return True
    if isinstance(key, tuple):
        return any(is_symbolic_key(part) or type(part) is Union for part in key)
    fields = record_fields(type(key))
    if fields is not None:
        return any(is_symbolic_key(getattr(key, name)) for name in fields)
    return False


def check_key(key: Any) -> None:
    """Raise what Python raises for a key that cannot be hashed."""
    if not is_symbolic_key(key):
        hash(key)


def entries(found: Any) -> list[tuple[Any, Any, Any]]:
    """Guard, key and value of each entry that some path has."""
    result = []
    for key, value in dict.items(found) if isinstance(found, dict) else found.items():
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
    for value in dict.values(found):
        if type(value) is Maybe:
            return False
    return True


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
    if isinstance(found, defaultdict) and found.default_factory is not None:
        return _get_or_make(found, key, guard, value)
    missing = getattr(type(found), "__missing__", None)
    if missing is not None:
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


def _get_or_make(found: Any, key: Any, guard: Any, value: Any) -> Any:
    from solvent.lift.calls import call

    def make() -> Any:
        made = call(found.default_factory)()
        set_item(found, key, made)
        return made

    return either(guard, lambda: value, make)


def set_item(found: Any, key: Any, value: Any) -> None:
    """`found[key] = value`."""
    if type(key) is Union:
        over(key, lambda member: set_item(found, member, value))
        return
    machine = current()
    if not is_symbolic_key(key) and not dict.__contains__(found, SYMBOLIC):
        old = dict.get(found, key, UNBOUND)
        if type(old) is Maybe and old is not UNBOUND and next(reversed(found)) is not key:
            _mark(found, ORDER)
        machine.write_slot(ENTRIES, found, key)
        dict.__setitem__(found, key, value)
        return
    rows = matches(found, key)
    machine.write_whole(ENTRIES, found)
    anywhere = or_([guard for guard, _, _ in rows])
    for guard, other, _ in rows:
        old = dict.__getitem__(found, other)
        if guard is True:
            dict.__setitem__(found, other, value)
        elif type(old) is Maybe:
            dict.__setitem__(found, other, Maybe(old.guard, merge(guard, value, old.value)))
        else:
            dict.__setitem__(found, other, merge(guard, value, old))
    if anywhere is True:
        return
    fresh = not_(anywhere)
    old = dict.get(found, key, UNBOUND)
    if is_symbolic_key(key):
        _mark(found, SYMBOLIC)
    if old is UNBOUND:
        dict.__setitem__(found, key, value if fresh is True else Maybe(fresh, value))
        return
    # The key is there on some paths, and elsewhere it is equal to no other: now it is there too.
    _mark(found, ORDER)
    there = old.guard if type(old) is Maybe else True
    held = old.value if type(old) is Maybe else old
    guard = or_(there, fresh)
    new = merge(fresh, value, held)
    dict.__setitem__(found, key, new if guard is True else Maybe(guard, new))


def _mark(found: Any, mark: Any) -> None:
    if not dict.__contains__(found, mark):
        current().write_slot(ENTRIES, found, mark)
        dict.__setitem__(found, mark, UNBOUND)


def delete_item(found: Any, key: Any) -> None:
    """`del found[key]`."""
    if type(key) is Union:
        over(key, lambda member: delete_item(found, member))
        return
    rows = matches(found, key)
    current().fail_if(not_(or_([guard for guard, _, _ in rows])), KeyError(key))
    _remove(found, rows)


def _remove(found: Any, rows: list[tuple[Any, Any, Any]]) -> None:
    current().write_whole(ENTRIES, found)
    for guard, other, value in rows:
        old = dict.__getitem__(found, other)
        there = old.guard if type(old) is Maybe else True
        left = and_(there, not_(guard))
        if left is False or there is guard or guard is True:
            dict.__delitem__(found, other)
        else:
            dict.__setitem__(found, other, Maybe(left, value))


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
        _remove(found, rows)
    return value if guard is True or not default else merge(guard, value, default[0])


def get(found: Any, key: Any, default: Any = None) -> Any:
    """`found.get(key, default)`."""
    if type(key) is Union:
        return over(key, lambda member: get(found, member, default))
    guard, value = look_up(found, key)
    if guard is False:
        return default
    return value if guard is True else merge(guard, value, default)


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


def rows_in_order(found: Any, what: str = "items") -> list[Any]:
    """Keys, values or items in order, as the items of a possibly ragged list."""
    mapping = found
    if isinstance(found, MappingProxyType):
        mapping = found | {}  # a copy: the proxy hides the dict
    if dict.__contains__(mapping, ORDER):
        raise NotLiftedError(
            "the order of the keys of this dict differs between paths, so it cannot be iterated; "
            "insert the keys in the same order on every path, or use sorted(...)"
        )
    result: list[Any] = []
    for guard, key, value in entries(mapping):
        item = key if what == "keys" else value if what == "values" else (key, value)
        if guard is True and not (result and type(result[-1]) is Maybe):
            result.append(item)
        elif guard is True:
            from solvent.lift.sequences import append

            append(result, item)
        else:
            _append_if(result, guard, item)
    return result


def size(found: Any) -> Any:
    """`len(found)`."""
    result: Any = 0
    for guard, _, _ in entries(found):
        result = result + (1 if guard is True else ite(guard, 1, 0))
    return result


def update(found: Any, *sources: Any, **named: Any) -> None:
    """`found.update(...)`."""
    from solvent.lift.iteration import items_of
    from solvent.lift.sequences import get_item as item_of

    for source in sources:
        if type(source) is Union:
            over(source, lambda member: update(found, member))
        elif isinstance(source, dict):
            for guard, key, value in list(entries(source)):
                _set_if(found, guard, key, value)
        elif hasattr(source, "keys"):
            from solvent.lift.calls import method

            for key in items_of(method(source, "keys")()):
                set_item(found, key, source[key])
        else:
            for pair in list(items_of(source)):
                guard, value = (pair.guard, pair.value) if type(pair) is Maybe else (True, pair)
                _set_if(found, guard, item_of(value, 0, ""), item_of(value, 1, ""))
    for name, value in named.items():
        set_item(found, name, value)


def _set_if(found: Any, guard: Any, key: Any, value: Any) -> None:
    either(guard, lambda: set_item(found, key, value), lambda: None)


def merged_dict(a: dict[Any, Any], b: dict[Any, Any]) -> Any:
    """`a | b` for dicts."""
    result = copy(a)
    update(result, b)
    return result


def copy(found: Any) -> Any:
    """A shallow copy."""
    if type(found) is dict:
        return dict(found)
    return found.copy()


def clear(found: Any) -> None:
    """`found.clear()`."""
    current().write_whole(ENTRIES, found)
    dict.clear(found)


def pop_item(found: Any) -> Any:
    """`found.popitem()`."""
    if is_plain(found):
        current().write_whole(ENTRIES, found)
        return dict.popitem(found)
    if dict.__contains__(found, ORDER):
        rows_in_order(found)
    rest: Any = True
    rows = []
    for guard, key, value in reversed(entries(found)):
        rows.append((and_(rest, guard), key, value))
        rest = and_(rest, not_(guard))
    current().fail_if(rest, KeyError("popitem(): dictionary is empty"))
    result = combine([(guard, (key, value)) for guard, key, value in rows if guard is not False])
    _remove(found, [row for row in rows if row[0] is not False])
    return result


def equal(a: Any, b: Any) -> Any:
    """`a == b` for dicts."""
    from solvent.lift.equality import same

    result: Any = size(a) == size(b)
    for guard, key, value in entries(a):
        if result is False:
            return False
        there, other = look_up(b, key)
        agree = False if there is False else and_(there, same(value, other))
        result = and_(result, or_(not_(guard), agree))
    if type(a) is OrderedDict and type(b) is OrderedDict:
        from solvent.lift.equality import _lists_equal

        result = and_(result, _lists_equal(rows_in_order(a, "keys"), rows_in_order(b, "keys")))
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


__all__ = ["Counter", "HIDDEN"]
