"""Python expressions for the values of holes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from solvent.errors import SketchError
from solvent.terms.values import BV, bv

# Whether a name stands for an object where the expression is put.
Knows = Callable[[str, object], bool]


def literal(value: object, sort_text: str, knows: Knows) -> str:
    """An expression for a value; `sort_text` is an expression for its sort.

    >>> literal(-3, "Int", lambda name, value: True)
    '-3'
    >>> literal(bv(3, 8), "BitVec(8)", lambda name, value: True)
    'bv(3, 8)'
    >>> literal(bv(3, 8), "BitVec(8)", lambda name, value: False)
    'BitVec(8).require(3)'
    """
    if isinstance(value, (bool, int, str)):
        return repr(value)
    if isinstance(value, float):
        text = repr(value)
        return text if text[-1].isdigit() else f'float("{text}")'
    if isinstance(value, BV):
        if knows("bv", bv):
            return repr(value)
        return f"{sort_text}.require({int(value)})"
    if isinstance(value, Fraction):
        if knows("Fraction", Fraction):
            return f"Fraction({value.numerator}, {value.denominator})"
        return f"({sort_text}.require({value.numerator}) / {value.denominator})"
    raise SketchError(f"there is no literal for {value!r}")
