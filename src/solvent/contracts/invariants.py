"""Invariants of classes: a method `__invariant__`, `inv:` in the docstring, or a library's.

>>> class Even:
...     "inv: self.n % 2 == 0"
...     def __init__(self, n):
...         self.n = n
>>> [str(one) for one in invariants_of(Even)]
['invariant `self.n % 2 == 0`']
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType

from solvent.contracts import of_icontract, pep316
from solvent.contracts.model import Condition, Contract
from solvent.contracts.sources import place_of
from solvent.errors import InputSpaceError
from solvent.vm.values import Value

# What a class may have as its invariant, which its instances are assumed to satisfy.
INVARIANT = "__invariant__"

# Methods that an instance need not be whole for, or that a condition itself may use.
_NOT_CHECKED = frozenset(
    ("__new__", "__repr__", "__getattribute__", "__getattr__", "__setattr__", "__delattr__",
     "__del__", "__post_init__", "__hash__", "__eq__", "__init_subclass__", "__class_getitem__",
     "__reduce__", "__reduce_ex__", "__getstate__", "__deepcopy__", "__copy__", INVARIANT)
)  # fmt: skip


def invariant_of(cls: type) -> object:
    """The function that tells whether the invariant of a class holds, `None` if it has none."""
    found = inspect.getattr_static(cls, INVARIANT, None)
    return found.fget if isinstance(found, property) else found


def invariants_of(cls: type) -> list[Condition]:
    """The invariants of a class that nobody checks while the program runs."""
    found: list[Condition] = []
    for base in reversed(cls.__mro__):
        found += pep316.invariants_in(base)
    own = invariant_of(cls)
    if own is not None and not callable(own):
        raise InputSpaceError(f"`{cls.__name__}.{INVARIANT}` must be a method or a property")
    if callable(own):
        file, line = place_of(own)
        found.append(Condition("invariant", INVARIANT, file, line, own, wanted=("self",)))
    return found


def has_invariants(cls: type) -> bool:
    """Whether a class has invariants, whoever checks them."""
    return bool(
        invariant_of(cls) is not None
        or any(pep316.mentions(vars(base).get("__doc__")) for base in cls.__mro__)
        or (sys.modules.get("icontract") and of_icontract.invariants_of(cls))
    )


def of_instance(cls: type, is_init: bool, instance: Value) -> list[Condition]:
    """The invariants that an instance must satisfy before and after a method of a class."""
    # A constructor that another one calls leaves the instance unfinished.
    if is_init and initialised_by(type(instance)) is not cls:
        return []
    return invariants_of(type(instance))


def _states_one(cls: type) -> bool:
    """Whether a class itself states an invariant, whatever those above it do."""
    return INVARIANT in vars(cls) or pep316.mentions(vars(cls).get("__doc__"))


def _derived(cls: type) -> Iterator[type]:
    """The classes that inherit the methods of a class."""
    below: list[type] = type.__subclasses__(cls)
    for one in below:
        yield one
        yield from _derived(one)


def initialised_by(cls: type) -> type:
    """The class whose `__init__` makes the instances of a class.

    >>> class Below(Exception): ...
    >>> initialised_by(Below).__name__
    'Exception'
    """
    return next((base for base in cls.__mro__ if "__init__" in vars(base)), cls)


def contract_of(function: Value, cls: type) -> Contract | None:
    """What the invariants of a class say of one of its methods."""
    if type(function) is not FunctionType:
        return None
    name = function.__name__
    is_init = name == "__init__"
    is_special = name.startswith("__") and name.endswith("__")
    if (name.startswith("_") and not is_special) or name in _NOT_CHECKED:
        return None
    if not invariants_of(cls) and not any(map(_states_one, _derived(cls))):
        return None
    conditions: Callable[[Value], list[Condition]] = partial(of_instance, cls, is_init)
    return Contract(function, function, "invariant", False, invariants=conditions, is_init=is_init)
