"""The classes of figure 9: which values merge with which.

`group(value)` is equal for two values exactly if they merge into one.  It starts with a rank, and
all groups but those of references are ordered; a reference is only equal to itself.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from fractions import Fraction
from types import MethodType, NoneType
from typing import TYPE_CHECKING, Any

from solvent.terms.arrays import ArrayTerm
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import BoolTerm
from solvent.terms.core import COMPILED
from solvent.terms.floats import FloatTerm
from solvent.terms.functions import UninterpretedTerm
from solvent.terms.integers import IntTerm
from solvent.terms.reals import RealTerm
from solvent.terms.regexes import RegexTerm
from solvent.terms.softfloat import FP
from solvent.terms.sorts import Sort
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.terms.texts import BytesTerm, TextTerm
from solvent.terms.values import BV, ArrayValue, Element, sort_of
from solvent.vm.twins import APART, entered, twin_of_values
from solvent.vm.values import Value

# The rank, and what tells groups of one rank apart.
Group = tuple[int, *tuple[Any, ...]]

NONE, BOOL, INT, THEORY, TEXT, TUPLE, RECORD, ATOM, METHOD, REFERENCE = range(10)

# The groups of classes whose values are all in one; those of records come in as they are met.
_FIXED: dict[type, Group] = {
    NoneType: (NONE,),
    bool: (BOOL,),
    BoolTerm: (BOOL,),
    int: (INT,),
    IntTerm: (INT,),
}

# The groups of tuples by their lengths, and of values of theories by their sorts.
_TUPLES: dict[int, Group] = {}
_SORTS: dict[Sort[Term], Group] = {}
# Those of named tuples, of the length that their class says.
_NAMED: dict[type, Group] = {}

# Values and terms of the solvers' theories: they merge if they have the same sort.
_THEORY = frozenset(
    (
        float, Fraction, FP, BV, ArrayValue, Element,
        RealTerm, BitVecTerm, FloatTerm, StringTerm, ArrayTerm, UninterpretedTerm, RegexTerm,
    )
)  # fmt: skip

# Immutable values without identity that no theory merges.
_ATOMS = frozenset((str, bytes))

# The classes whose objects merge only with themselves, as far as they have been met.
_REFERENCES: set[type] = set()

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
    if cls in _REFERENCES:
        return (REFERENCE, id(value))
    found = _NAMED.get(cls)
    if found is not None:
        return found if found[3] == len(value) else (TUPLE, cls.__qualname__, id(cls), len(value))
    if cls is tuple:
        return _TUPLES.get(len(value)) or _TUPLES.setdefault(len(value), (TUPLE, "", 0, len(value)))
    if cls is TextTerm or cls is BytesTerm:
        return (TEXT, cls.__name__, len(value))
    if cls in _THEORY:
        sort = sort_of(value)
        return _SORTS.get(sort) or _SORTS.setdefault(sort, (THEORY, str(sort)))
    if cls in _ATOMS:
        return (ATOM, cls.__name__, value)
    if cls is MethodType:
        return (METHOD, value.__qualname__, id(value.__func__))
    if record_fields(cls) is not None:
        if isinstance(value, tuple):
            return _NAMED.setdefault(cls, (TUPLE, cls.__qualname__, id(cls), len(value)))
        result = (RECORD, cls.__qualname__, id(cls))
        if cls in APART:
            return (*result, *APART[cls](value))
        return _FIXED.setdefault(cls, result)
    twin = twin_of_values(cls)
    if twin is not None:
        return group(entered(value)) if twin in APART else (RECORD, twin.__qualname__, id(twin))
    _REFERENCES.add(cls)
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
    _FIXED.pop(cls, None)
    _NAMED.pop(cls, None)
    _REFERENCES.discard(cls)


def _find_fields(cls: type) -> tuple[str, ...] | None:
    if issubclass(cls, tuple):
        names = getattr(cls, "_fields", None)
        if isinstance(names, tuple) and cls.__len__ is tuple.__len__:
            return names
        return None
    if is_dataclass(cls) and cls.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return tuple(found.name for found in fields(cls))
    return None


if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import fast, setup_shapes

    setup_shapes(group, _FIXED, _REFERENCES, _TUPLES, _NAMED, _SORTS, _THEORY)
    group = fast(group)
