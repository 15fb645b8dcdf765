"""`copy.copy` and `copy.deepcopy`.

The copy of a container has the raw contents of the original: items, entries and attributes that
only some paths have stay so.  A deep copy copies every object once, so that aliases stay aliases;
the members of a union are all copied, whichever of them the value is.
"""

from __future__ import annotations

import copy
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType

from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.registry import lifts
from solvent.lift.unlifted import is_concrete
from solvent.lift.values import entries, mappings
from solvent.terms.term import Term
from solvent.vm import orders
from solvent.vm.buffers import contents, shadow, store
from solvent.vm.owned import Elements
from solvent.vm.places import ATTRIBUTES
from solvent.vm.slots import UNBOUND, is_partial, mapped
from solvent.vm.spread import either, over
from solvent.vm.union import Union
from solvent.vm.values import Value

_ATOMS = (
    Term, int, float, complex, str, bytes, range, type, type(None), type(...), type(NotImplemented),
    FunctionType, BuiltinFunctionType, Enum, property,
)  # fmt: skip

# What is done with each part of a copied object.
Part = Callable[[Value], Value]


@lifts(copy.copy)
def copy_(x: Value) -> Value:
    """`copy.copy(x)`."""
    if type(x) is Union:
        return over(x, copy_)
    cls = type(x)
    if isinstance(x, _ATOMS) or cls in (tuple, frozenset):
        return x
    hook = getattr(cls, "__copy__", None)
    if type(hook) is FunctionType:
        return call(hook)(x)
    return _rebuilt(x, lambda part: part, lambda new: None, copy.copy)


@lifts(copy.deepcopy)
def deepcopy(x: Value, memo: Value = None) -> Value:
    """`copy.deepcopy(x, memo)`."""
    if type(x) is Union:
        return over(x, lambda member: deepcopy(member, memo))
    return _DeepCopy({} if memo is None else memo).value(x)


class _DeepCopy:
    """One call of `deepcopy`."""

    def __init__(self, memo: dict[Value, Value]) -> None:
        self.memo = memo
        # How many unions the part that is being copied is in.
        self.unions = 0

    def value(self, x: Value) -> Value:
        """The copy of a value."""
        if isinstance(x, _ATOMS) or any(x is hidden for hidden in orders.HIDDEN):
            return x
        if type(x) is Union:
            return self.union(x)
        if is_partial(x):
            return mapped(self.value, x)
        if type(x) is Elements:
            return Elements({self.value(part): guard for part, guard in x.guards.items()})
        there, known = mappings.look_up(self.memo, id(x))
        if there is True:
            return known
        return either(there, lambda: known, lambda: self.fresh(x))

    def union(self, x: Union) -> Union:
        self.unions += 1
        choices = tuple((guard, self.value(member)) for guard, member in x._solvent_choices)
        self.unions -= 1
        return Union(choices)

    def fresh(self, x: Value) -> Value:
        """The copy of an object that is met for the first time."""
        hook = getattr(type(x), "__deepcopy__", None)
        if type(hook) is FunctionType:
            if self.unions:
                raise NotLiftedError(
                    f"`{type(x).__name__}.__deepcopy__` would run on some paths only, which is not "
                    "lifted; copy the members of the union one by one with `for_all`"
                )
            result = call(hook)(x, self.memo)
        elif type(x) is tuple:
            result = self.items(x)
        else:
            result = _rebuilt(x, self.value, lambda new: self.note(x, new), copy.deepcopy)
        self.note(x, result)
        return result

    def items(self, x: tuple[Value, ...]) -> tuple[Value, ...]:
        result = tuple([self.value(part) for part in x])
        there, known = mappings.look_up(self.memo, id(x))
        if there is True:  # a tuple that contains itself, by way of a list
            return known  # type: ignore[no-any-return]
        return x if all(a is b for a, b in zip(x, result, strict=True)) else result

    def note(self, x: Value, new: Value) -> None:
        """Remember the copy of an object."""
        mappings.set_item(self.memo, id(x), new)
        # The object must live as long as its identity stands for it.
        kept = dict.setdefault(self.memo, id(self.memo), [])
        kept.append(x)


def _rebuilt(
    x: Value, part: Part, note: Callable[[Value], None], native: Callable[[Value], Value]
) -> Value:
    """A new object with the parts of another; `note` gets it before the parts are copied."""
    cls: Value = type(x)
    if cls is MethodType:
        return MethodType(x.__func__, part(x.__self__))
    if isinstance(x, (tuple, frozenset)):
        return _immutable(x, cls, part)
    if isinstance(x, bytearray) and shadow(x) is not None:
        return _symbolic_bytes(x, cls)
    if not _is_standard(cls):
        return _by_state(x, cls, part, note, native)
    new = cls.__new__(cls)
    note(new)
    if isinstance(x, list):
        list.extend(new, [part(item) for item in list.copy(x)])
    elif isinstance(x, deque):
        deque.__init__(new, [part(item) for item in x], x.maxlen)
    elif isinstance(x, set):
        set.update(new, [part(element) for element in x])
    elif isinstance(x, dict):
        if isinstance(x, defaultdict):
            new.default_factory = x.default_factory
        for key, value in list(entries.raw_items(x)):
            entries.put(new, part(key), part(value))
    for name, value in _attributes(x, cls):
        ATTRIBUTES.write(new, name, part(value))
    return new


def _symbolic_bytes(x: bytearray, cls: Value) -> bytearray:
    result: bytearray = cls.__new__(cls)
    store(result, contents(x))
    return result


def _immutable(x: tuple[Value, ...] | frozenset[Value], cls: Value, part: Part) -> Value:
    new: Value
    if isinstance(x, tuple):
        new = tuple.__new__(cls, [part(item) for item in x])
    else:
        new = frozenset.__new__(cls, [part(element) for element in x])
    for name, value in _attributes(x, cls):
        ATTRIBUTES.write(new, name, part(value))
    return new


def _attributes(x: object, cls: type) -> list[tuple[str, Value]]:
    """The attributes of an object, in its `__dict__` and in slots."""
    names = list(getattr(x, "__dict__", ()))
    for base in cls.__mro__:
        slots = base.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    found = [(name, ATTRIBUTES.read(x, name)) for name in dict.fromkeys(names)]
    return [(n, v) for n, v in found if v is not UNBOUND and n not in ("__dict__", "__weakref__")]


_BASES = (list, deque, set, dict, OrderedDict, defaultdict, object)


def _is_standard(cls: Value) -> bool:
    """Whether objects of a class are their contents and attributes and nothing else."""
    if cls.__new__ not in [base.__new__ for base in _BASES]:
        return False
    own = [base for base in cls.__mro__ if base not in _BASES and base.__module__ != "collections"]
    names = ("__reduce_ex__", "__reduce__", "__getstate__", "__setstate__", "__getnewargs__")
    return not any(name in base.__dict__ for base in own for name in names)


def _by_state(
    x: Value,
    cls: Value,
    part: Part,
    note: Callable[[Value], None],
    native: Callable[[Value], Value],
) -> Value:
    """Copy an object that tells its state itself."""
    get, put = getattr(cls, "__getstate__", None), getattr(cls, "__setstate__", None)
    standard = cls.__reduce_ex__ is object.__reduce_ex__ and cls.__reduce__ is object.__reduce__
    if cls.__new__ is object.__new__ and standard and FunctionType in (type(get), type(put)):
        new = cls.__new__(cls)
        note(new)
        state = call(get)(x) if type(get) is FunctionType else dict(x.__dict__)
        if type(put) is FunctionType:
            call(put)(new, part(state))
        else:
            new.__dict__.update(part(state))
        return new
    if is_concrete(x) and not any(not is_concrete(value) for _, value in _attributes(x, cls)):
        return native(x)
    raise NotLiftedError(
        f"copying a `{cls.__name__}` that holds symbolic values is not lifted; give the class a "
        "`__copy__` or `__deepcopy__` method written in Python"
    )
