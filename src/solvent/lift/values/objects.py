"""Objects of classes that nothing else is known of: their special methods decide, lifted.

The behaviours of all other types derive from this one, so that what a type does not say of itself
is what Python says of any object.
"""

from __future__ import annotations

import functools
import operator
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from types import FunctionType, GeneratorType

from solvent.errors import NotLiftedError
from solvent.lift import survey
from solvent.lift.calls import call
from solvent.lift.progress import TrackedIterator
from solvent.lift.unlifted import Direct, is_concrete
from solvent.lift.values import entries
from solvent.lift.values.iterators import IndexIterator, steps
from solvent.lift.values.protocol import (
    Copying,
    Evaluation,
    Texts,
    behaves,
    get_item,
    items_of,
    iter_of,
    iterate,
    truth,
)
from solvent.lift.values.searching import among
from solvent.lift.values.stepping import all_items, is_among
from solvent.terms.booleans import BoolTerm
from solvent.terms.kinds import Integer
from solvent.vm.hidden import ELSEWHERE, states_of, strategy_of
from solvent.vm.kinds import type_name
from solvent.vm.machine import JOURNALING
from solvent.vm.places import ATTRIBUTES
from solvent.vm.slots import is_partial, opened
from solvent.vm.slotted import slot_names
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value


def by_method(owner: Value, name: str, problem: str, *arguments: Value) -> Value:
    """Call a special method of an object, lifted."""
    method = getattr(type(owner), name, None)
    if method is None:
        if name == "__getitem__" and isinstance(owner, type):
            return owner[arguments[0]]  # type: ignore[index]
        raise TypeError(f"'{type_name(owner)}' object {problem}")
    return call(method)(owner, *arguments)


def check_access(cls: type, base: type, names: tuple[str, ...]) -> None:
    """Refuse a class that derives from a container and has its own access to what is inside."""
    for name in names:
        if getattr(cls, name, None) is not getattr(base, name, None):
            raise NotLiftedError(
                f"the class {cls.__name__} derives from {base.__name__} and defines `{name}`, "
                f"which is not lifted; use a class that has a {base.__name__} as an attribute"
            )


class Objects:
    """What objects do by their special methods."""

    def derived(self, cls: type) -> Objects:
        return self

    def truth(self, value: Value) -> Guard:
        cls = type(value)
        method = getattr(cls, "__bool__", None)
        if method is not None:
            result = call(method)(value)
            if type(result) not in (bool, BoolTerm):
                raise TypeError(f"__bool__ should return bool, returned {type_name(result)}")
            return result  # type: ignore[no-any-return]
        method = getattr(cls, "__len__", None)
        return True if method is None else truth(call(method)(value))

    def length(self, value: Value) -> Integer:
        if not hasattr(type(value), "__len__"):
            raise TypeError(f"object of type '{type_name(value)}' has no len()")
        result: Integer = by_method(value, "__len__", "has no len()")
        return result

    def get_item(self, owner: Value, key: Value) -> Value:
        if type(key) is Union:
            return over(key, lambda member: get_item(owner, member))
        method = getattr(type(owner), "__getitem__", None)
        if method is None:
            return by_method(owner, "__getitem__", "is not subscriptable", key)
        return call(method)(owner, key)

    def set_item(self, owner: Value, key: Value, value: Value) -> None:
        by_method(owner, "__setitem__", "does not support item assignment", key, value)

    def delete_item(self, owner: Value, key: Value) -> None:
        by_method(owner, "__delitem__", "doesn't support item deletion", key)

    def contains(self, container: Value, item: Value) -> Guard:
        cls = type(container)
        method = getattr(cls, "__contains__", None)
        if type(method) is FunctionType or (method is not None and is_concrete(item)):
            return truth(call(method)(container, item))
        if hasattr(cls, "__next__"):
            return is_among(container, item)
        return among(item, list(items_of(container)))

    def equal(self, a: Value, b: Value) -> Value:
        return NotImplemented

    def ordered(self, a: Value, b: Value, name: str) -> Value:
        return NotImplemented

    def iterate(self, value: Value) -> Iterable[Value]:
        if not self.is_lazy(type(value)):
            return value  # type: ignore[no-any-return]
        iterator = iter_of(value)
        return iterate(iterator) if type(iterator) is GeneratorType else steps(iterator)

    def iterator(self, value: Value) -> Value:
        cls = type(value)
        method = getattr(cls, "__iter__", None)
        if type(method) is FunctionType:
            result = call(method)(value)
            if type(result) is not Union and not hasattr(type(result), "__next__"):
                raise TypeError(f"iter() returned non-iterator of type '{type_name(result)}'")
            return result
        if method is None and type(getattr(cls, "__getitem__", None)) is FunctionType:
            return IndexIterator(value)
        if strategy_of(cls) is not None and not hasattr(cls, "__next__"):
            return IndexIterator(value)
        if method is None:
            raise TypeError(f"'{type_name(value)}' object is not iterable")
        result = iter(value)
        return result if result is value else TrackedIterator(result)

    def items(self, value: Value) -> Iterable[Value]:
        if self.is_lazy(type(value)):
            return all_items(value)
        return self.iterate(value)

    def is_lazy(self, cls: type) -> bool:
        if (JOURNALING or ELSEWHERE) and (hasattr(cls, "__next__") or strategy_of(cls) is not None):
            return True
        method = getattr(cls, "__iter__", None)
        if method is None:
            return type(getattr(cls, "__getitem__", None)) is FunctionType
        return type(method) is FunctionType

    def lent(self, value: Value) -> Value:
        return value

    def adopt(self, value: Value) -> None:
        """Most values are what they are."""

    def parts(self, value: Value) -> Iterable[Value]:
        cls: type = type(value)
        return attributes_of(cls)(value)

    def guarded(self, value: Value) -> Iterable[Value]:
        return self.parts(value)

    def copied(self, value: Value, copying: Copying) -> Value:
        cls: Value = type(value)
        if not _is_its_contents(cls):
            return NotImplemented
        new = cls.__new__(cls)
        copying.started(value, new)
        self.fill(new, value, copying)
        return new

    def fill(self, new: Value, value: Value, copying: Copying) -> None:
        """Put copies of the contents of a value into a new object of its class."""

    def shown(self, value: Value, texts: Texts) -> Value:
        if type(type(value).__repr__) is FunctionType:
            return texts.by_method(value)
        if ELSEWHERE and states_of(value) is not None:
            return Direct(repr)(value)
        if survey.is_symbolic(value):
            raise texts.refused(value)
        return repr(value)

    def under(self, value: Value, evaluate: Evaluation) -> Value:
        cls = type(value)
        if cls.__module__.startswith("solvent.terms."):
            # Bitvectors, sorts and the like are concrete, and the same only as they are.
            return value
        has_attributes = hasattr(value, "__dict__") or hasattr(cls, "__slots__")
        if not has_attributes or cls.__module__ == "builtins" or evaluate.is_known(value):
            return value
        return with_attributes(value, evaluate)


_STANDARD = (list, deque, set, dict, OrderedDict, defaultdict, object)
_HOOKS = ("__reduce_ex__", "__reduce__", "__getstate__", "__setstate__", "__getnewargs__")


def _is_its_contents(cls: Value) -> bool:
    """Whether objects of a class are their contents and attributes and nothing else."""
    if cls.__new__ not in [base.__new__ for base in _STANDARD]:
        return False
    own = [
        base for base in cls.__mro__ if base not in _STANDARD and base.__module__ != "collections"
    ]
    return not any(name in base.__dict__ for base in own for name in _HOOKS)


def with_attributes(value: Value, evaluate: Evaluation) -> Value:
    """An object with the values of its attributes; the same if they are all concrete."""
    cls = type(value)
    attributes = getattr(value, "__dict__", {})
    names = [name for name, _ in entries.entries_under(attributes, evaluate.term)]
    names = list(dict.fromkeys([*names, *slot_names(cls)]))
    try:
        result: Value = object.__new__(cls)
    except TypeError:
        return value
    evaluate.started(value, result)
    changed = not entries.is_plain(attributes)
    found: dict[str, Value] = {}
    for name in names:
        old = ATTRIBUTES.read(value, name)
        if is_partial(old):
            changed = True
            guard, old = opened(old)
            if not evaluate.term(guard):
                continue
        new = evaluate.value(old)
        changed = changed or new is not old
        found[name] = new
    if not changed:
        evaluate.started(value, value)
        return value
    for name, new in found.items():
        object.__setattr__(result, name, new)
    return result


def _has_dict(cls: type) -> bool:
    return any("__dict__" in base.__dict__ for base in cls.__mro__)


@functools.lru_cache(maxsize=1024)
def attributes_of(cls: type) -> Callable[[Value], Iterable[Value]]:
    """What objects of a class hold as attributes, by a function made for the class.

    Arguments may hold hundreds of thousands of objects, which are all looked at.
    """
    names = slot_names(cls)

    def one_by_one(value: Value) -> Iterable[Value]:
        found = [getattr(value, name, None) for name in names]
        return [*getattr(value, "__dict__", {}).values(), *found]

    if _has_dict(cls):
        return one_by_one if names else _in_dict
    if len(names) < 2:
        return one_by_one
    at_once = operator.attrgetter(*names)

    def slots(value: Value) -> Iterable[Value]:
        try:
            return at_once(value)
        except AttributeError:
            # Some are not set.
            return one_by_one(value)

    return slots


def _in_dict(value: Value) -> Iterable[Value]:
    return value.__dict__.values()  # type: ignore[no-any-return]


OBJECTS = Objects()
behaves(OBJECTS, object)


class Opaque(Objects):
    """Classes, modules and functions of other languages: nobody looks into them."""

    def parts(self, value: Value) -> Iterable[Value]:
        return ()

    def under(self, value: Value, evaluate: Evaluation) -> Value:
        return value
