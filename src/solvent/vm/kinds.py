"""Which type of Python's a value has for the program, if it is a term or one of our own objects."""

from __future__ import annotations

from fractions import Fraction

from solvent.terms.booleans import BoolTerm
from solvent.terms.floats import FloatTerm
from solvent.terms.integers import IntTerm
from solvent.terms.reals import RealTerm
from solvent.terms.strings import StringTerm
from solvent.terms.texts import BytesTerm, TextTerm
from solvent.vm.twins import NATIVE

# Terms that stand for values of Python's own, and the types of those.
STANDS_FOR: dict[type, type] = {
    IntTerm: int, BoolTerm: bool, StringTerm: str, RealTerm: Fraction, FloatTerm: float,
    TextTerm: str, BytesTerm: bytes,
}  # fmt: skip


class StandIn:
    """The base of objects that take the place of one of Python's own, such as iterators."""

    __slots__ = ()

    def python_type(self) -> type:
        """The type of the object that the program would have."""
        raise NotImplementedError


def python_type(value: object) -> type:
    """The type that a value has for the program.

    >>> from solvent.terms import Int
    >>> python_type(Int("x")), python_type([])
    (<class 'int'>, <class 'list'>)
    """
    cls = type(value)
    found = STANDS_FOR.get(cls)
    if found is not None:
        return found
    if isinstance(value, StandIn):
        return value.python_type()
    return NATIVE.get(cls, cls)


# Flags of types: made while the program runs, and closed to changes.
_MADE, _CLOSED = 1 << 9, 1 << 8


def type_name(value: object) -> str:
    """The name of the type of a value, as in Python's messages.

    >>> from collections import deque
    >>> type_name(deque()), type_name(1)
    ('collections.deque', 'int')
    """
    cls = python_type(value)
    # Types that are written in C carry the name of their module.
    written_in_python = cls.__flags__ & _MADE and not cls.__flags__ & _CLOSED
    if written_in_python or cls.__module__ == "builtins":
        return cls.__name__
    return f"{cls.__module__}.{cls.__name__}"
