"""What code that is not lifted can get at from the values it is given.

`Survey` goes through values and all that they hold, and sorts what it finds by how it could be put
back: containers and attributes by the journal, the state of C objects by `vm.hidden`, and strange
objects by nobody.  How to look at an object is decided by its class: the C type that it derives
from and its attributes.  A C type that no table knows is strange if its objects have more in memory
than attributes.
"""

from __future__ import annotations

import gc
import sys
from collections import deque
from collections.abc import Callable
from types import FunctionType, MappingProxyType, ModuleType
from typing import TypeVar

from solvent.lift.function import is_lifted
from solvent.lift.purity import FIXED, TRANSPARENT
from solvent.vm import hidden
from solvent.vm.buffers import shadow
from solvent.vm.machine import current
from solvent.vm.own import is_own
from solvent.vm.owned import VARYING
from solvent.vm.places import ATTRIBUTES, BYTES, ENTRIES, ITEMS, MEMBERS, QUEUE, Kind
from solvent.vm.slots import UNBOUND
from solvent.vm.slotted import slot_names
from solvent.vm.state import Path
from solvent.vm.twins import NATIVE
from solvent.vm.values import Value

ATOMIC = frozenset((int, float, bool, str, bytes, type(None), complex, range, type, ModuleType))


Found = TypeVar("Found")


def by_class(function: Callable[[type], Found]) -> Callable[[type], Found]:
    """Compute something once per class."""
    known: dict[type, Found] = {}

    def look_up(cls: type) -> Found:
        try:
            return known[cls]
        except KeyError:
            result = known[cls] = function(cls)
            return result

    return look_up


class Survey:
    """What code that is not lifted can get at from some values."""

    __slots__ = ("decimal", "divided", "hidden", "slots", "strange", "symbolic", "values", "wholes")

    def __init__(self) -> None:
        # Everything that was looked at, by identity.
        self.values: dict[int, Value] = {}
        self.symbolic = False
        # An object whose state differs between paths.
        self.divided: Value = None
        # Contents and attributes that the journal can put back.
        self.wholes: list[tuple[Kind, Value]] = []
        self.slots: list[tuple[Value, str]] = []
        # Objects of C types whose state can be put back, and those of which nothing is known.
        self.hidden: list[Value] = []
        self.strange: list[Value] = []
        # Whether numbers are computed in the current context of `decimal`.
        self.decimal = False

    def look(self, *values: Value) -> None:
        """Look at values and at all that they hold."""
        seen = self.values
        stack = list(values)
        while stack:
            value = stack.pop()
            cls = type(value)
            if cls in ATOMIC or id(value) in seen or isinstance(value, type):
                continue
            if isinstance(value, VARYING) or cls in NATIVE:
                self.symbolic = True
                return
            seen[id(value)] = value
            for part in parts_of(cls):
                part(self, value, stack)

    def look_at_owner(self, owner: Value) -> None:
        """Look at the object of a method; one of a C type does not look at attributes."""
        if hidden.strategy_of(type(owner)) is None:
            self.look(owner)
            return
        inside = Survey()
        inside.look(owner)
        self.values[id(owner)] = owner
        self.divided = inside.divided
        self.symbolic = self.symbolic or hidden.is_held(owner)
        self.hidden = inside.hidden
        self.slots = inside.slots

    def look_at_context(self) -> None:
        """Look at the context that `decimal` computes with."""
        self.decimal = False
        if hidden.states_of(hidden.CURRENT_CONTEXT) is not None:
            self.divided = hidden.CURRENT_CONTEXT
            return
        self.hidden.append(hidden.CURRENT_CONTEXT)
        self.look(sys.modules["decimal"].getcontext())

    def note(self) -> None:
        """Tell the journal about everything that may be changed."""
        machine = current()
        for kind, owner in self.wholes:
            machine.write_whole(kind, owner)
        for owner, name in self.slots:
            machine.write_slot(ATTRIBUTES, owner, name)
        for owner in self.hidden:
            hidden.note(owner)


# --- the parts of a value, by its class ----------------------------------------------------------

Part = Callable[[Survey, Value, list[Value]], None]


def _push(values: list[Value], stack: list[Value]) -> None:
    """Look at values later, unless they are plain data."""
    if not set(map(type, values)) <= ATOMIC:
        stack.extend(values)


def _list(survey: Survey, value: list[Value], stack: list[Value]) -> None:
    survey.wholes.append((ITEMS, value))
    _push(list.copy(value), stack)


def _queue(survey: Survey, value: deque[Value], stack: list[Value]) -> None:
    survey.wholes.append((QUEUE, value))
    _push(list(value), stack)


def _dict(survey: Survey, value: dict[Value, Value], stack: list[Value]) -> None:
    survey.wholes.append((ENTRIES, value))
    _push([*dict.keys(value), *dict.values(value)], stack)


def _set(survey: Survey, value: set[Value], stack: list[Value]) -> None:
    survey.wholes.append((MEMBERS, value))
    _push(list(value), stack)


def _bytearray(survey: Survey, value: bytearray, stack: list[Value]) -> None:
    survey.wholes.append((BYTES, value))
    items = shadow(value)
    if items is not None:
        survey.symbolic = True


def _sequence(
    survey: Survey, value: tuple[Value, ...] | frozenset[Value], stack: list[Value]
) -> None:
    _push(list(value), stack)


def _slice(survey: Survey, value: slice, stack: list[Value]) -> None:
    stack += (value.start, value.stop, value.step)


def _exception(survey: Survey, value: BaseException, stack: list[Value]) -> None:
    stack.append(value.args)


def _function(survey: Survey, value: FunctionType, stack: list[Value]) -> None:
    if not is_lifted_code(value):
        survey.strange.append(value)


def _nothing(survey: Survey, value: object, stack: list[Value]) -> None:
    return


def _decimal(survey: Survey, value: object, stack: list[Value]) -> None:
    survey.decimal = True


def _through(survey: Survey, value: object, stack: list[Value]) -> None:
    if type(value) is memoryview:
        stack.append(value.obj)
        return
    stack.extend(found for found in gc.get_referents(value) if not isinstance(found, type))


def _stateful(survey: Survey, value: object, stack: list[Value]) -> None:
    if hidden.states_of(value) is not None:
        survey.divided = value
    if hidden.is_held(value):
        survey.symbolic = True
    survey.hidden.append(value)


def strange(survey: Survey, value: object, stack: list[Value]) -> None:
    survey.strange.append(value)


def _instance(survey: Survey, value: object, stack: list[Value]) -> None:
    """Attributes, in a `__dict__` or in slots."""
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except AttributeError:
        attributes = {}
    found = []
    for name in list(attributes):
        survey.slots.append((value, name))
        found.append(attributes[name])
    for name in slot_names(type(value)):
        survey.slots.append((value, name))
        held = ATTRIBUTES.read(value, name)
        if held is not UNBOUND:
            found.append(held)
    _push(found, stack)


_CONTAINERS: dict[type, Part] = {
    list: _list, dict: _dict, set: _set, deque: _queue, bytearray: _bytearray, tuple: _sequence,
    frozenset: _sequence, slice: _slice, BaseException: _exception, FunctionType: _function,
    Path: _nothing,
}  # fmt: skip


# Values of terms never change, and what stands for functions looks at every call by itself.
_SEES_TO_ITSELF = (
    "solvent.terms.", "solvent.lift.calls", "solvent.lift.foreign", "solvent.lift.values.iterators",
)  # fmt: skip


@by_class
def parts_of(cls: type) -> tuple[Part, ...]:
    """How to look at objects of a class: by the C type that it derives from, and attributes."""
    if cls.__module__.startswith(_SEES_TO_ITSELF):
        return ()
    result: list[Part] = []
    attributes = False
    for base in cls.__mro__:
        part = _part_of(base)
        if part is not None:
            result.append(part)
            break
        if has_own_state(base):
            result.append(strange)
            break
        attributes = attributes or base is not object
    if attributes or issubclass(cls, BaseException):
        result.append(_instance)
    return tuple(result)


def _part_of(base: type) -> Part | None:
    if base in _CONTAINERS:
        return _CONTAINERS[base]
    name = hidden.name_of(base)
    if name == "decimal.Decimal":
        return _decimal
    if name in FIXED:
        return _nothing
    if name in TRANSPARENT:
        return _through
    if name in hidden.STRATEGIES or name in hidden.COPYABLE:
        return _stateful
    return None


_POINTER = 8


def has_own_state(cls: type) -> bool:
    """Whether objects of a class have more in memory than attributes, compared with its base.

    >>> import random
    >>> class Point:
    ...     __slots__ = ("x", "y")
    >>> has_own_state(Point), has_own_state(random._random.Random)
    (False, True)
    """
    base = cls.__base__
    if base is None:
        return False
    if cls.__itemsize__ != base.__itemsize__:
        return True
    slots = cls.__dict__.get("__slots__", ())
    names = {slots} if isinstance(slots, str) else set(slots)
    known = len(names - {"__dict__", "__weakref__"})
    known += cls.__weakrefoffset__ > 0 and base.__weakrefoffset__ <= 0
    known += cls.__dictoffset__ > 0 and base.__dictoffset__ <= 0
    return cls.__basicsize__ - base.__basicsize__ > known * _POINTER


def is_lifted_code(function: FunctionType) -> bool:
    """Whether the writes of a function are told to the journal, or it is Solvent's own."""
    return is_lifted(function) or is_own(function.__code__.co_filename)


@by_class
def uses_state(cls: type) -> bool:
    """Whether operators on objects of a class read or change a state in C."""
    return hidden.strategy_of(cls) is not None or _decimal in parts_of(cls)


def target(proxy: MappingProxyType[Value, Value]) -> Value:
    """The mapping that a `MappingProxyType` shows.

    >>> from types import MappingProxyType
    >>> target(MappingProxyType({1: 2}))
    {1: 2}
    """
    return next(found for found in gc.get_referents(proxy) if not isinstance(found, type))


def is_symbolic(value: Value) -> bool:
    """Whether a value holds anything symbolic."""
    survey = Survey()
    survey.look(value)
    return survey.symbolic
