"""The theories of integers and reals.

SMT-LIB leaves the result of a division by zero open; see `unspecified`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solvent.terms.arithmetic import ADD, LE, MUL, NEG
from solvent.terms.booleans import NOT, eq, ite
from solvent.terms.integers import DIV, MOD
from solvent.terms.ops import Op
from solvent.terms.reals import IS_INT, RDIV, TO_INT, divide
from solvent.terms.smtlib.signatures import (
    Args,
    Argument,
    Build,
    Head,
    Indexed,
    Problem,
    all_of,
    chainable,
    exactly,
    fixed,
    left_associative,
    numbers,
    sort_of,
    unspecified,
)
from solvent.terms.sorts import Int, Real
from solvent.terms.term import Term

if TYPE_CHECKING:
    from solvent.terms.kinds import Numeric


def _minus(args: Args) -> Argument:
    if len(args) == 1:
        return NEG(numbers("-", args)[0])
    return _difference(args)


_difference = left_associative("-", lambda a, b: ADD(a, NEG(b)), numbers)


def _total(op: Op[Any]) -> Build:
    """A division with an open result for zero."""

    def build(a: Numeric, b: Numeric) -> Numeric:
        if not isinstance(b, Term) and b != 0:
            return divide(a, b) if op is RDIV else op(a, b)
        at_zero = unspecified(f"{op.name}0", sort_of(a), a)
        return ite(eq(b, sort_of(b).coerce(0)), at_zero, op(a, b))

    return build


def _divisible(divisor: int) -> Head:
    if divisor == 0:
        raise Problem("(_ divisible 0) is no function; the divisor is positive")
    return fixed("(_ divisible n)", lambda a: eq(MOD(a, divisor), 0), Int)


HEADS: dict[str, Head] = {
    "+": left_associative("+", ADD, numbers),
    "-": _minus,
    "*": left_associative("*", MUL, numbers),
    "/": left_associative("/", _total(RDIV), all_of(Real)),
    "div": left_associative("div", _total(DIV), all_of(Int)),
    "mod": exactly("mod", 2, _total(MOD), all_of(Int)),
    "abs": exactly("abs", 1, lambda a: ite(LE(sort_of(a).coerce(0), a), a, NEG(a)), numbers),
    "<=": chainable("<=", LE, numbers),
    "<": chainable("<", lambda a, b: NOT(LE(b, a)), numbers),
    ">=": chainable(">=", lambda a, b: LE(b, a), numbers),
    ">": chainable(">", lambda a, b: NOT(LE(a, b)), numbers),
    "to_real": fixed("to_real", lambda a: a, Real),
    "to_int": fixed("to_int", TO_INT, Real),
    "is_int": fixed("is_int", IS_INT, Real),
}
INDEXED: dict[str, Indexed] = {"divisible": (1, _divisible)}
