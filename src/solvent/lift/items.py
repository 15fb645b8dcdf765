"""Reading, writing and deleting items of any object; membership."""

from __future__ import annotations

import operator
from collections import deque
from types import FunctionType, MappingProxyType
from typing import Any

from solvent.lift import bytearrays, calls, entries, mappings, sequences, sets
from solvent.lift.iteration import SymbolicRange
from solvent.lift.messages import message
from solvent.terms.arrays import ArrayTerm
from solvent.terms.booleans import and_, not_, or_
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.terms.values import ArrayValue
from solvent.vm.kinds import type_name
from solvent.vm.machine import current
from solvent.vm.places import ITEMS, QUEUE
from solvent.vm.spread import over
from solvent.vm.union import Maybe, Union

_RANGE: dict[type, str] = {
    cls: message(operator.getitem, cls(), 0) for cls in (list, tuple, str, bytes, deque)
}
_RANGE[range] = message(operator.getitem, range(0), 0)


def get_item(owner: Any, key: Any) -> Any:
    """`owner[key]`."""
    cls = type(owner)
    if type(key) is int and cls is list and key >= 0:
        item = owner[key]
        if type(item) is not Maybe:
            return item
    if cls is dict:
        return mappings.get_item(owner, key)
    if cls in _BY_METHOD and type(key) is not Union:
        return by_method(owner, "__getitem__", "is not subscriptable", key)
    if cls is Union:
        return over(owner, lambda member: get_item(member, key))
    if type(key) is Union and not isinstance(owner, dict):
        return over(key, lambda member: get_item(owner, member))
    if cls in _RANGE:
        return get_from_sequence(owner, key, cls)
    if isinstance(owner, dict) and cls.__getitem__ is dict.__getitem__:
        return mappings.get_item(owner, key)
    if cls in (StringTerm, ArrayTerm, ArrayValue):
        return _from_term(owner, key)
    if isinstance(owner, bytearray) and cls.__getitem__ is bytearray.__getitem__:
        return bytearrays.get_item(owner, key)
    if isinstance(owner, (list, tuple, deque)) and cls.__getitem__ in _GETTERS:
        kind = next(base for base in (list, tuple, deque) if isinstance(owner, base))
        return get_from_sequence(owner, key, kind)
    if not issubclass(cls, _BUILTIN):
        _BY_METHOD.add(cls)
    return by_method(owner, "__getitem__", "is not subscriptable", key)


# Classes whose items only their own methods know, and those that are never among them.
_BY_METHOD: set[type] = set()
_BUILTIN = (list, tuple, deque, dict, str, bytes, bytearray, range, type)


def get_from_sequence(owner: Any, key: Any, kind: type) -> Any:
    """`owner[key]` for a builtin sequence of this kind."""
    if type(key) is Union:
        return over(key, lambda member: get_from_sequence(owner, member, kind))
    if type(owner) is range and _is_symbolic(key):
        from solvent.lift.builtins.ranges import as_symbolic

        return as_symbolic(owner)[key]
    if type(key) is slice:
        return sequences.get_slice(owner, key)
    return sequences.get_item(owner, key, _RANGE[kind])


def _is_symbolic(key: Any) -> bool:
    parts = (key.start, key.stop, key.step) if type(key) is slice else (key,)
    return any(isinstance(part, (Term, Union)) for part in parts)


def _from_term(owner: Any, key: Any) -> Any:
    if type(owner) is not StringTerm:
        return owner[key]
    from solvent.lift.strings import string_item

    return string_item(owner, key)


def by_method(owner: Any, name: str, problem: str, *arguments: Any) -> Any:
    """Call a special method of an object, lifted."""
    method = getattr(type(owner), name, None)
    if method is None:
        if name == "__getitem__" and isinstance(owner, type):
            return owner[arguments[0]]  # type: ignore[index]
        raise TypeError(f"'{type_name(owner)}' object {problem}")
    return calls.call(method)(owner, *arguments)


_SETTERS = frozenset((list.__setitem__, deque.__setitem__))
_DELETERS = frozenset((list.__delitem__, deque.__delitem__))
_GETTERS = frozenset((list.__getitem__, tuple.__getitem__, deque.__getitem__))


def set_item(owner: Any, key: Any, value: Any) -> None:
    """`owner[key] = value`."""
    cls = type(owner)
    if cls is list and type(key) is int and -1 < key < len(owner) and type(owner[-1]) is not Maybe:
        current().write_slot(ITEMS, owner, key)
        owner[key] = value
    elif cls is dict:
        mappings.set_item(owner, key, value)
    elif isinstance(owner, (list, deque)) and cls.__setitem__ in _SETTERS:
        set_in_sequence(owner, key, value)
    elif isinstance(owner, dict) and cls.__setitem__ in mappings.SETTERS:
        mappings.set_item(owner, key, value)
    elif cls is Union:
        over(owner, lambda member: set_item(member, key, value))
    elif isinstance(owner, bytearray) and cls.__setitem__ is bytearray.__setitem__:
        bytearrays.set_item(owner, key, value)
    else:
        by_method(owner, "__setitem__", "does not support item assignment", key, value)


def set_in_sequence(owner: Any, key: Any, value: Any) -> None:
    """`owner[key] = value` for a list or deque."""
    if type(key) is Union:
        over(key, lambda member: set_in_sequence(owner, member, value))
    elif type(key) is slice and isinstance(owner, list):
        sequences.set_slice(owner, key, value)
    else:
        kind = QUEUE if isinstance(owner, deque) else ITEMS
        message = f"{'deque' if kind is QUEUE else 'list assignment'} index out of range"
        sequences.set_item(owner, key, value, message, kind)


def delete_item(owner: Any, key: Any) -> None:
    """`del owner[key]`."""
    cls = type(owner)
    if isinstance(owner, (list, deque)) and cls.__delitem__ in _DELETERS:
        delete_from_sequence(owner, key)
    elif isinstance(owner, dict) and cls.__delitem__ in mappings.DELETERS:
        mappings.delete_item(owner, key)
    elif cls is Union:
        over(owner, lambda member: delete_item(member, key))
    elif isinstance(owner, bytearray) and cls.__delitem__ is bytearray.__delitem__:
        bytearrays.delete_item(owner, key)
    else:
        by_method(owner, "__delitem__", "doesn't support item deletion", key)


def delete_from_sequence(owner: Any, key: Any) -> None:
    """`del owner[key]` for a list or deque."""
    if type(key) is Union:
        over(key, lambda member: delete_from_sequence(owner, member))
        return
    kind = QUEUE if isinstance(owner, deque) else ITEMS
    message = f"{'deque' if kind is QUEUE else 'list assignment'} index out of range"
    sequences.delete_item(owner, key, message, kind)


_SEARCHES = frozenset((list.__contains__, tuple.__contains__, deque.__contains__))


def contained(item: Any, container: Any) -> Any:
    """`item in container`."""
    cls = type(container)
    if cls is Union:
        return over(container, lambda member: contained(item, member))
    if isinstance(container, (list, tuple, deque)) and cls.__contains__ in _SEARCHES:
        return among(item, container)
    if isinstance(container, dict) and cls.__contains__ is dict.__contains__:
        return mappings.contains(container, item)
    if isinstance(container, sets.SETS):
        return sets.contains(container, item)
    if isinstance(container, sets.VIEWS):
        return _in_view(item, container)
    if cls is str or cls is StringTerm:
        from solvent.lift.strings import contains

        return contains(container, item)
    if (cls is range and type(item) not in (int, bool)) or cls is SymbolicRange:
        from solvent.lift.builtins.ranges import contains as in_range

        return in_range(container, item)
    if cls is bytes and type(item) in sequences.INDICES:
        return among(bytearrays.byte(item), list(container))
    if isinstance(container, bytearray) and cls.__contains__ is bytearray.__contains__:
        return bytearrays.contains(container, item)
    method = getattr(cls, "__contains__", None)
    if type(method) is FunctionType:
        from solvent.lift.calls import call
        from solvent.lift.truth import truth

        return truth(call(method)(container, item))
    if method is not None:
        from solvent.lift.calls import call, is_concrete
        from solvent.lift.truth import truth

        if is_concrete(item) or cls is MappingProxyType:
            return truth(call(method)(container, item))
    if hasattr(cls, "__next__"):
        from solvent.lift.builtins.stepping import is_among

        return is_among(container, item)
    from solvent.lift.iteration import items_of

    return among(item, list(items_of(container)))


def among(item: Any, values: Any) -> Any:
    """Whether an item is equal to one of the raw items of a sequence."""
    from solvent.lift.equality import same

    if sequences.is_atomic(values, item):
        return item in values
    result: Any = False
    for value in values:
        guard: Any = True
        if type(value) is Maybe:
            guard, value = value.guard, value.value
        result = or_(result, and_(guard, same(value, item)))
        if result is True:
            return True
    return result


def _in_view(item: Any, view: Any) -> Any:
    found = entries.viewed(view)
    if isinstance(view, sets.KEYS):
        return mappings.contains(found, item)
    if type(item) is Union:
        return over(item, lambda member: _in_view(member, view))
    if not isinstance(item, tuple) or len(item) != 2:
        return False
    from solvent.lift.equality import same

    there, value = mappings.look_up(found, item[0])
    return False if there is False else and_(there, same(value, item[1]))


def not_contained(item: Any, container: Any) -> Any:
    """`item not in container`."""
    return not_(contained(item, container))


def make_slice(start: Any, stop: Any, step: Any) -> Any:
    """`start:stop:step`."""
    return slice(start, stop, step)
