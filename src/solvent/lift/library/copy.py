"""`copy.copy` and `copy.deepcopy`.

The copy of a container has the raw contents of the original: items, entries and attributes that
only some paths have stay so.  A deep copy copies every object once, so that aliases stay aliases;
the members of a union are all copied, whichever of them the value is.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from enum import Enum
from types import BuiltinFunctionType, FunctionType

from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.registry import lifts
from solvent.lift.unlifted import is_concrete
from solvent.lift.values import mappings
from solvent.lift.values.protocol import Copying, copied
from solvent.terms.term import Term
from solvent.vm import orders
from solvent.vm.owned import VARYING
from solvent.vm.places import ATTRIBUTES
from solvent.vm.slots import UNBOUND
from solvent.vm.slotted import slot_names
from solvent.vm.spread import either, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Value

_ATOMS = (
    Term, int, float, complex, str, bytes, range, type, type(None), type(...), type(NotImplemented),
    FunctionType, BuiltinFunctionType, Enum, property,
)  # fmt: skip


@lifts(copy.copy)
@over_members_of("x")
def copy_(x: Value) -> Value:
    """`copy.copy(x)`."""
    cls = type(x)
    if isinstance(x, _ATOMS) or cls in (tuple, frozenset):
        return x
    hook = getattr(cls, "__copy__", None)
    if type(hook) is FunctionType:
        return call(hook)(x)
    return _rebuilt(x, _ShallowCopy(), copy.copy)


@lifts(copy.deepcopy)
@over_members_of("x")
def deepcopy(x: Value, memo: Value = None) -> Value:
    """`copy.deepcopy(x, memo)`."""
    return _DeepCopy({} if memo is None else memo).part(x)


class _ShallowCopy:
    """One call of `copy`: what an object holds stays what it is."""

    def part(self, x: Value) -> Value:
        """What a copy holds."""
        return x

    def started(self, x: Value, new: Value) -> None:
        """Nothing inside of an object is copied."""


class _DeepCopy:
    """One call of `deepcopy`."""

    def __init__(self, memo: dict[Value, Value]) -> None:
        self.memo = memo
        # How many unions the part that is being copied is in.
        self.unions = 0

    def part(self, x: Value) -> Value:
        """The copy of a value."""
        if isinstance(x, _ATOMS) or any(x is hidden for hidden in orders.HIDDEN):
            return x
        if isinstance(x, VARYING):
            # What stands for objects has no identity, so nothing is remembered.
            return self.varying(x)
        there, known = mappings.look_up(self.memo, id(x))
        if there is True:
            return known
        return either(there, lambda: known, lambda: self.fresh(x))

    def varying(self, x: Value) -> Value:
        """The copy of what differs between paths."""
        self.unions += type(x) is Union
        result = copied(x, self)
        self.unions -= type(x) is Union
        return result

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
            result = _rebuilt(x, self, copy.deepcopy)
        self.started(x, result)
        return result

    def items(self, x: tuple[Value, ...]) -> tuple[Value, ...]:
        result = tuple([self.part(part) for part in x])
        there, known = mappings.look_up(self.memo, id(x))
        if there is True:  # a tuple that contains itself, by way of a list
            return known  # type: ignore[no-any-return]
        return x if all(a is b for a, b in zip(x, result, strict=True)) else result

    def started(self, x: Value, new: Value) -> None:
        """Remember the copy of an object."""
        mappings.set_item(self.memo, id(x), new)
        # The object must live as long as its identity stands for it.
        kept = dict.setdefault(self.memo, id(self.memo), [])
        kept.append(x)


def _rebuilt(x: Value, copying: Copying, native: Callable[[Value], Value]) -> Value:
    """A new object with copies of what another holds."""
    new = copied(x, copying)
    if new is NotImplemented:
        return _by_state(x, copying, native)
    for name, value in _attributes(x):
        ATTRIBUTES.write(new, name, copying.part(value))
    return new


def _attributes(x: object) -> list[tuple[str, Value]]:
    """The attributes of an object, in its `__dict__` and in slots."""
    cls = type(x)
    names = [*(vars(x) if cls.__dictoffset__ else ()), *slot_names(cls)]
    found = [(name, ATTRIBUTES.read(x, name)) for name in dict.fromkeys(names)]
    return [(n, v) for n, v in found if v is not UNBOUND]


def _by_state(x: Value, copying: Copying, native: Callable[[Value], Value]) -> Value:
    """Copy an object that tells its state itself."""
    cls: Value = type(x)
    get, put = getattr(cls, "__getstate__", None), getattr(cls, "__setstate__", None)
    standard = cls.__reduce_ex__ is object.__reduce_ex__ and cls.__reduce__ is object.__reduce__
    if cls.__new__ is object.__new__ and standard and FunctionType in (type(get), type(put)):
        new = cls.__new__(cls)
        copying.started(x, new)
        state = call(get)(x) if type(get) is FunctionType else dict(x.__dict__)
        if type(put) is FunctionType:
            call(put)(new, copying.part(state))
        else:
            new.__dict__.update(copying.part(state))
        return new
    if is_concrete(x) and not any(not is_concrete(value) for _, value in _attributes(x)):
        return native(x)
    raise NotLiftedError(
        f"copying a `{cls.__name__}` that holds symbolic values is not lifted; give the class a "
        "`__copy__` or `__deepcopy__` method written in Python"
    )
