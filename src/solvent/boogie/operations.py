"""What the operators of Boogie mean on terms.

What division by zero gives is not known.  On floats arithmetic rounds to nearest, ties to even, and
the order is IEEE's, but `==` is equality itself: NaN is equal to itself, and the zeros differ.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from solvent.boogie.sorts import UnsupportedError
from solvent.reach.positions import Position
from solvent.terms import (
    Bool,
    Function,
    Int,
    Real,
    and_,
    concat,
    div,
    eq,
    float_to_real,
    floor,
    fp_add,
    fp_div,
    fp_mul,
    fp_sub,
    iff,
    implies,
    ite,
    mod,
    not_,
    or_,
    to_real,
)
from solvent.terms.functions import FunctionSymbol
from solvent.terms.kinds import Operand
from solvent.terms.softfloat import FP
from solvent.terms.sorts import FloatSort, IntSort, Sort
from solvent.terms.term import Term

Operation = Callable[[Any, Any], Any]

_DIV_ZERO = Function("div by zero", [Int], Int)
_MOD_ZERO = Function("mod by zero", [Int], Int)
_OVER_ZERO = Function("division by zero", [Real], Real)


def binary(name: str, a: Operand, b: Operand, position: Position) -> Operand:
    """A binary operator on terms or values; not for `<:`, which needs a sort.

    >>> from solvent.reach.positions import NOWHERE
    >>> binary("+", Int("x"), 1, NOWHERE), binary("div", -7, 2, NOWHERE)
    (x + 1, -4)
    """
    found: Operand
    if _is_float(a) or _is_float(b):
        found = _FLOATS.get(name, _OPERATIONS[name])(a, b)
    elif name == "**":
        found = _power(a, b, position)
    else:
        found = _OPERATIONS[name](a, b)
    return found


def converted(target: str, a: Any) -> Operand:
    """`int(a)` or `real(a)`; a float is a real number first."""
    if _is_float(a):
        a = float_to_real(a)
        return a if target == "real" else floor(a)
    return to_real(a) if target == "real" else floor(a)


def _is_float(value: Operand) -> bool:
    if isinstance(value, Term):
        return isinstance(value.sort, FloatSort)
    return isinstance(value, (float, FP))


def _divided(operation: Operation, unknown: FunctionSymbol) -> Operation:
    def divide(a: Any, b: Any) -> Any:
        if not isinstance(b, Term) and b != 0:
            return operation(a, b)
        return ite(eq(b, 0), unknown(a), operation(a, b) if isinstance(b, Term) else 0)

    return divide


def _quotient(a: Any, b: Any) -> Any:
    """Real division."""
    a, b = _as_real(a), _as_real(b)
    if isinstance(b, Term):
        return ite(eq(b, 0), _OVER_ZERO(a), a / b)
    return a / b if b != 0 else _OVER_ZERO(a)


def _power(a: Any, b: Any, position: Position) -> Any:
    """A power; only whole numbers that are known can be exponents."""
    if isinstance(b, Term) or b != int(b) or abs(b) > MOST_FACTORS:
        problem = f"only whole numbers up to {MOST_FACTORS} that are known can be exponents"
        raise UnsupportedError(position, problem)
    a, result = _as_real(a), Fraction(1)
    for _ in range(abs(int(b))):
        result = result * a
    return result if b >= 0 else _quotient(Fraction(1), result)


# Powers are products with so many factors.
MOST_FACTORS = 1000


def _as_real(value: Any) -> Any:
    is_int = type(value) is int or (isinstance(value, Term) and isinstance(value.sort, IntSort))
    return to_real(value) if is_int else value


_OPERATIONS: dict[str, Operation] = {
    "<==>": iff,
    "==>": implies,
    "<==": lambda a, b: implies(b, a),
    "&&": and_,
    "||": or_,
    "==": eq,
    "!=": lambda a, b: not_(eq(a, b)),
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "++": concat,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _quotient,
    "div": _divided(div, _DIV_ZERO),
    "mod": _divided(mod, _MOD_ZERO),
}

# Python's own operators would raise exceptions on some floats.
_FLOATS: dict[str, Operation] = {"+": fp_add, "-": fp_sub, "*": fp_mul, "/": fp_div}


def order(sort: Sort[Term]) -> FunctionSymbol:
    """The relation `<:` of a sort."""
    return Function(f"<: {sort}", [sort, sort], Bool)
