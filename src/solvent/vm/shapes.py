"""The classes of figure 9: which values merge with which.

`group(value)` is equal for two values exactly if they merge into one.  It starts with a rank, and
all groups but those of references are ordered; a reference is only equal to itself.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from fractions import Fraction
from types import MethodType, NoneType
from typing import Any

from solvent.terms.arrays import ArrayTerm
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import BoolTerm
from solvent.terms.floats import FloatTerm
from solvent.terms.functions import UninterpretedTerm
from solvent.terms.integers import IntTerm
from solvent.terms.reals import RealTerm
from solvent.terms.regexes import RegexTerm
from solvent.terms.softfloat import FP
from solvent.terms.strings import StringTerm
from solvent.terms.texts import BytesTerm, TextTerm
from solvent.terms.values import BV, ArrayValue, Element, sort_of
from solvent.vm.twins import twin_of_values
from solvent.vm.values import Value

# The rank, and what tells groups of one rank apart.
Group = tuple[int, *tuple[Any, ...]]

NONE, BOOL, INT, THEORY, TEXT, TUPLE, RECORD, ATOM, METHOD, REFERENCE = range(10)

_FIXED: dict[type, Group] = {
    NoneType: (NONE,),
    bool: (BOOL,),
    BoolTerm: (BOOL,),
    int: (INT,),
    IntTerm: (INT,),
}

# Values and terms of the solvers' theories: they merge if they have the same sort.
_THEORY = frozenset(
    (
        float, Fraction, FP, BV, ArrayValue, Element,
        RealTerm, BitVecTerm, FloatTerm, StringTerm, ArrayTerm, UninterpretedTerm, RegexTerm,
    )
)  # fmt: skip

# Immutable values without identity that no theory merges.
_ATOMS = frozenset((str, bytes))

# What is known about classes of records: the names of the fields, or None if it is none.
_RECORDS: dict[type, tuple[str, ...] | None] = {}


def group(value: Value) -> Group:
    """The class of a value in the sense of figure 9.

    >>> from solvent.terms import Int
    >>> group(3) == group(Int("x")), group(3) == group(True), group((1, 2)) == group((1,))
    (True, False, False)
    """
    cls = type(value)
    found = _FIXED.get(cls)
    if found is not None:
        return found
    if cls is tuple:
        return (TUPLE, "", 0, len(value))
    if cls is TextTerm or cls is BytesTerm:
        return (TEXT, cls.__name__, len(value))
    if cls in _THEORY:
        return (THEORY, str(sort_of(value)))
    if cls in _ATOMS:
        return (ATOM, cls.__name__, value)
    if cls is MethodType:
        return (METHOD, value.__qualname__, id(value.__func__))
    if record_fields(cls) is not None:
        if isinstance(value, tuple):
            return (TUPLE, cls.__qualname__, id(cls), len(value))
        return (RECORD, cls.__qualname__, id(cls))
    twin = twin_of_values(cls)
    if twin is not None:
        return (RECORD, twin.__qualname__, id(twin))
    return (REFERENCE, id(value))


def record_fields(cls: type) -> tuple[str, ...] | None:
    """The fields of a class of immutable records (named tuple, frozen dataclass), else None."""
    try:
        return _RECORDS[cls]
    except KeyError:
        result = _RECORDS[cls] = _find_fields(cls)
        return result


def is_record_of(cls: type, names: tuple[str, ...]) -> None:
    """Say that objects of a class never change and are what is in these fields."""
    _RECORDS[cls] = names


def _find_fields(cls: type) -> tuple[str, ...] | None:
    if issubclass(cls, tuple):
        names = getattr(cls, "_fields", None)
        if isinstance(names, tuple) and cls.__len__ is tuple.__len__:
            return names
        return None
    if is_dataclass(cls) and cls.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return tuple(found.name for found in fields(cls))
    return None
