"""What can be done with any value, and the one table that says how, by class.

Each type of value has a module in this package with a `Behaviour`: truth, length, items, equality,
order, iteration, what it holds, its copies, its text and what it is under a model.  Code that does
something with a value of whatever type calls the functions here; it asks for no type, and knows no
representation.

A class that derives from a builtin one has the behaviour of that one, but for the operations whose
special methods it defines itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from sys import getrefcount
from typing import TYPE_CHECKING, Protocol

from solvent.errors import NotLiftedError
from solvent.terms.booleans import BoolTerm, not_
from solvent.terms.core import COMPILED
from solvent.terms.kinds import Integer
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.vm.slots import Maybe
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value


class Behaviour(Protocol):
    """What values of one class do."""

    def derived(self, cls: type) -> Behaviour:
        """What values of a class that derives from it do, but for what the class itself defines."""

    def truth(self, value: Value) -> Guard:
        """Whether a value counts as true."""

    def length(self, value: Value) -> Integer:
        """`len(value)`."""

    def get_item(self, owner: Value, key: Value) -> Value:
        """`owner[key]`."""

    def set_item(self, owner: Value, key: Value, value: Value) -> None:
        """`owner[key] = value`."""

    def delete_item(self, owner: Value, key: Value) -> None:
        """`del owner[key]`."""

    def contains(self, container: Value, item: Value) -> Guard:
        """`item in container`."""

    def equal(self, a: Value, b: Value) -> Value:
        """`a == b`, or `NotImplemented` if the methods of their classes decide."""

    def ordered(self, a: Value, b: Value, name: str) -> Value:
        """`a < b` and so on by the operator's name, or `NotImplemented`."""

    def iterate(self, value: Value) -> Iterable[Value]:
        """What a `for` loop takes its items from; those of only some paths are partial."""

    def iterator(self, value: Value) -> Value:
        """`iter(value)`: an iterator whose progress can be taken back, if that is possible."""

    def items(self, value: Value) -> Iterable[Value]:
        """All items, for collecting them; those of only some paths are partial."""

    def is_lazy(self, cls: type) -> bool:
        """Whether taking items of a value runs code or changes a state."""

    def lent(self, value: Value) -> Value:
        """What code that is not lifted gets instead of a value."""

    def adopt(self, value: Value) -> None:
        """Bring contents that plain Python made into the form that lifted code expects."""

    def parts(self, value: Value) -> Iterable[Value]:
        """What a value holds."""

    def guarded(self, value: Value) -> Iterable[Value]:
        """What a value holds in its order, and the guards under which it does."""

    def copied(self, value: Value, copying: Copying) -> Value:
        """A new object with copies of what a value holds, but for its attributes.

        `NotImplemented` if its class has a say in how it is copied.
        """

    def shown(self, value: Value, texts: Texts) -> Value:
        """`repr(value)`: a string, a symbolic one or a union of them."""

    def under(self, value: Value, evaluate: Evaluation) -> Value:
        """What a value is under a model."""


class Evaluation(Protocol):
    """Finds the values of what an object holds, under one model."""

    def term(self, term: Guard | Term) -> Value:
        """The value of a term or of a concrete guard."""

    def value(self, value: Value) -> Value:
        """The value of anything."""

    def started(self, value: Value, result: Value) -> None:
        """What stands for an object from now on, also inside of itself."""

    def is_known(self, value: Value) -> bool:
        """Whether an object and all that it holds are known to be the same under all models."""


class Copying(Protocol):
    """Copies what an object holds, or keeps it as it is."""

    def part(self, value: Value) -> Value:
        """The copy of what an object holds."""

    def started(self, value: Value, result: Value) -> None:
        """What is the copy of an object from now on, also inside of itself."""


class Texts(Protocol):
    """Makes texts, also of what an object holds."""

    def of(self, value: Value) -> Value:
        """`repr(value)`."""

    def by_method(self, value: Value) -> Value:
        """What the `__repr__` that is written in Python returns."""

    def joined(self, *texts: Value) -> Value:
        """One text after the other."""

    def listed(self, start: str, values: Iterable[Value], end: str) -> Value:
        """The texts of values, with commas between them."""

    def are_plain(self, values: Iterable[Value]) -> bool:
        """Whether values are plain data, so that the text is Python's own."""

    def refused(self, value: Value) -> Exception:
        """Why there is no text of a value whose contents differ between paths."""


# The special methods of which each operation depends.
SPECIAL: Mapping[str, tuple[str, ...]] = {
    "truth": ("__bool__", "__len__"),
    "length": ("__len__",),
    "get_item": ("__getitem__",),
    "set_item": ("__setitem__",),
    "delete_item": ("__delitem__",),
    "contains": ("__contains__",),
    "equal": ("__eq__",),
    "ordered": ("__lt__",),
    "iterate": ("__iter__",),
    "iterator": ("__iter__",),
    "items": ("__iter__",),
    "is_lazy": ("__iter__",),
    "shown": ("__repr__",),
}

_TABLE: dict[type, Behaviour] = {}


def behaves(behaviour: Behaviour, *classes: type) -> None:
    """Say how values of these classes behave."""
    for cls in classes:
        _TABLE[cls] = behaviour


def behaviour_of(cls: type) -> Behaviour:
    """How values of a class behave."""
    return _TABLE.get(cls) or _derived(cls)


def _derived(cls: type) -> Behaviour:
    """The behaviour of a class that is not in the table."""
    base = next(base for base in cls.__mro__ if base in _TABLE)
    inherited, others = _TABLE[base], _TABLE[object]
    result: Behaviour = others
    if inherited is not others:
        result = _Derived(cls, base, inherited, others)  # type: ignore[assignment]
    _TABLE[cls] = result
    return result


class _Derived:
    """The behaviour of a class that derives from one in the table: as that one, where it is kept.

    Which methods a class defines is asked each time, since programs may change classes.
    """

    __slots__ = ("base", "cls", "inherited", "others")

    def __init__(self, cls: type, base: type, inherited: Behaviour, others: Behaviour) -> None:
        self.cls = cls
        self.base = base
        self.inherited = inherited
        self.others = others

    def __getattr__(self, operation: str) -> object:
        for name in SPECIAL.get(operation, ()):
            found = getattr(self.cls, name, None)
            if type(found) is Maybe:  # flat: hot path
                raise NotLiftedError(
                    f"the class {self.cls.__name__} has got `{name}` only on some paths, which is "
                    "not lifted; set it on every path"
                )
            if found is not getattr(self.base, name, None):
                return getattr(self.others, operation)
        return getattr(self.inherited.derived(self.cls), operation)


# --- what anybody may ask of any value ------------------------------------------------------------

_CONCRETE = frozenset((bool, int, float, complex, str, bytes, type(None), tuple, range))


def truth(value: Value) -> Guard:
    """The truth value of anything: a bool or a symbolic one.

    >>> from solvent.terms import Int
    >>> truth(Int("x")), truth([]), truth("a")
    (x != 0, False, True)
    """
    cls = type(value)
    if cls is BoolTerm:
        return value  # type: ignore[no-any-return]
    if cls in _CONCRETE:
        return bool(value)
    return (_TABLE.get(cls) or _derived(cls)).truth(value)


def length(value: Value) -> Integer:
    """`len(value)`: an int or a term."""
    cls = type(value)
    return (_TABLE.get(cls) or _derived(cls)).length(value)


def get_item(owner: Value, key: Value) -> Value:
    """`owner[key]`."""
    cls = type(owner)
    if type(key) is int and cls is list and key >= 0:
        item = owner[key]
        if type(item) is not Maybe:  # flat: hot path
            return item
    return (_TABLE.get(cls) or _derived(cls)).get_item(owner, key)


def set_item(owner: Value, key: Value, value: Value) -> None:
    """`owner[key] = value`."""
    cls = type(owner)
    (_TABLE.get(cls) or _derived(cls)).set_item(owner, key, value)


if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import fast, setup_items

    setup_items(_TABLE)
    get_item, set_item = fast(get_item), fast(set_item)


def delete_item(owner: Value, key: Value) -> None:
    """`del owner[key]`."""
    behaviour_of(type(owner)).delete_item(owner, key)


def contained(item: Value, container: Value) -> Guard:
    """`item in container`."""
    cls = type(container)
    return (_TABLE.get(cls) or _derived(cls)).contains(container, item)


def not_contained(item: Value, container: Value) -> Guard:
    """`item not in container`."""
    found: Guard = not_(contained(item, container))
    return found


def equal(a: Value, b: Value) -> Value:
    """`a == b` for containers; `NotImplemented` if the methods of their classes decide."""
    cls = type(a)
    result = (_TABLE.get(cls) or _derived(cls)).equal(a, b)
    if result is not NotImplemented or type(b) is cls:
        return result
    return behaviour_of(type(b)).equal(b, a)


def ordered(a: Value, b: Value, name: str) -> Value:
    """`a < b` and so on for containers; `NotImplemented` if the methods of their classes decide."""
    cls = type(a)
    return (_TABLE.get(cls) or _derived(cls)).ordered(a, b, name)


_NATIVE = frozenset((list, tuple, str, range, bytes))


# What to iterate over instead of an iterator to which nobody else refers, by its class: then no
# path can ask how far it is, so that no step has to be undone.
ALONE: dict[type, Callable[[Value], Iterable[Value] | None]] = {}


def _references(value: Value) -> int:
    return getrefcount(value)


# How many references there are in here to what a caller has in no variable.
_TO_TEMPORARY = _references(object())


def iterate(value: Value) -> Iterable[Value]:
    """What a `for` loop iterates over."""
    cls = type(value)
    if cls in _NATIVE:
        return value  # type: ignore[no-any-return]
    if cls in ALONE and getrefcount(value) <= _TO_TEMPORARY:
        found = ALONE[cls](value)
        if found is not None:
            return found
    return (_TABLE.get(cls) or _derived(cls)).iterate(value)


if not TYPE_CHECKING and COMPILED:
    iterate = fast(iterate)


def iter_of(value: Value) -> Value:
    """`iter(value)`: an iterator whose state is journaled, if that is possible."""
    cls = type(value)
    return (_TABLE.get(cls) or _derived(cls)).iterator(value)


def items_of(value: Value) -> Iterable[Value]:
    """The items of an iterable; those that only some paths have are partial."""
    cls = type(value)
    if cls in _NATIVE:
        return value  # type: ignore[no-any-return]
    return (_TABLE.get(cls) or _derived(cls)).items(value)


def is_lazy(cls: type) -> bool:
    """Whether taking items of a value of this class runs code or changes a state."""
    return behaviour_of(cls).is_lazy(cls)


def runs_code(value: Value) -> bool:
    """Whether taking the items of a value, or of a member of a union, may run code."""
    if type(value) is Union:
        return any(runs_code(member) for _, member in value._solvent_choices)
    return type(value) is not StringTerm and is_lazy(type(value))


def lent(value: Value) -> Value:
    """What code that is not lifted gets instead of a value."""
    return behaviour_of(type(value)).lent(value)


def parts(value: Value) -> Iterable[Value]:
    """What a value holds, one level deep."""
    cls = type(value)
    return (_TABLE.get(cls) or _derived(cls)).parts(value)


def guarded(value: Value) -> Iterable[Value]:
    """What a value holds in its order, one level deep, and the guards under which it does."""
    cls = type(value)
    return (_TABLE.get(cls) or _derived(cls)).guarded(value)


def copied(value: Value, copying: Copying) -> Value:
    """A new object with copies of what a value holds, or `NotImplemented`."""
    return behaviour_of(type(value)).copied(value, copying)


def shown(value: Value, texts: Texts) -> Value:
    """`repr(value)`: a string, a symbolic one or a union of them."""
    return behaviour_of(type(value)).shown(value, texts)
