"""The rewriting rules of the division of integers, and of integers as real numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from solvent.terms.arithmetic import ADD, LE, MUL, le, multiply, negate, plus
from solvent.terms.booleans import EQ, equals
from solvent.terms.integers import DIV, MOD, TO_REAL, div, mod, to_real
from solvent.terms.rules import rule
from solvent.terms.term import Term

if TYPE_CHECKING:
    from solvent.terms.integers import IntTerm
    from solvent.terms.kinds import Guard, Integer
    from solvent.terms.reals import RealTerm


@rule(DIV, "div(x, 1) = x, div(x, -1) = -x, div(x, 0) = 0", lambda x, u: (x, u), constant=True)
def div_unit(x: IntTerm, c: int) -> Integer | None:
    if c == 1:
        return x
    if c == -1:
        return negate(x)
    return 0 if c == 0 else None


@rule(MOD, "mod(x, 1) = 0, mod(x, -1) = 0, mod(x, 0) = x", lambda x, u: (x, u), constant=True)
def mod_unit(x: IntTerm, c: int) -> Integer | None:
    if c in (1, -1):
        return 0
    return x if c == 0 else None


@rule(MOD, "mod(x, -c) = mod(x, c)", lambda x, c: (x, c), constant=True)
def mod_negative(x: IntTerm, c: int) -> Integer | None:
    return MOD.construct(x, -c) if c < 0 else None


@rule(
    DIV,
    "div(x * c, d) = x * (c / d) if d divides c",
    lambda x, c, d: (x * c, d),
    on=MUL,
    constant=True,
)
def div_multiple(product: IntTerm, d: int) -> Integer | None:
    _, x, c = product.key
    if isinstance(c, Term) or d == 0 or c % d:
        return None
    return MUL(x, c // d)


@rule(
    DIV,
    "div(x + c, d) = div(x, d) + c / d if d divides c",
    lambda x, c, d: (x + c, d),
    on=ADD,
    constant=True,
)
def div_sum(pair: IntTerm, d: int) -> Integer | None:
    _, x, c = pair.key
    return None if isinstance(c, Term) or d == 0 or c % d else plus(DIV(x, d), c // d)


@rule(MOD, "mod(x * c, d) = 0 if d divides c", lambda x, c, d: (x * c, d), on=MUL, constant=True)
def mod_multiple(product: IntTerm, d: int) -> Integer | None:
    _, _x, c = product.key
    return None if isinstance(c, Term) or d == 0 or c % d else 0


@rule(
    MOD, "mod(x + c, d) = mod(x + mod(c, d), d)", lambda x, c, d: (x + c, d), on=ADD, constant=True
)
def mod_sum(pair: IntTerm, d: int) -> Integer | None:
    _, x, c = pair.key
    if isinstance(c, Term) or d == 0 or 0 <= c < abs(d):
        return None
    return MOD(plus(x, c % abs(d)), d)


@rule(
    MOD,
    "mod(mod(x, c), d) = mod(x, d) if d divides c",
    lambda x, c, d: (mod(x, c), d),
    on=MOD,
    constant=True,
)
def mod_mod(inner: IntTerm, d: int) -> Integer | None:
    _, x, c = inner.key
    if isinstance(c, Term) or c == 0 or d == 0 or c % d:
        return None
    return MOD.construct(x, d)


@rule(DIV, "div(mod(x, c), d) = 0 if c <= d", lambda x, c, d: (mod(x, c), d), on=MOD, constant=True)
def div_mod(inner: IntTerm, d: int) -> Integer | None:
    _, _x, c = inner.key
    return 0 if not isinstance(c, Term) and c != 0 and d >= abs(c) else None


@rule(
    DIV,
    "div(div(x, c), d) = div(x, c * d) for positive c, d",
    lambda x, c, d: (div(x, c), d),
    on=DIV,
    constant=True,
)
def div_div(inner: IntTerm, d: int) -> Integer | None:
    _, x, c = inner.key
    return None if isinstance(c, Term) or c <= 0 or d <= 0 else DIV.construct(x, multiply(c, d))


@rule(
    ADD,
    "mod(x, c) + div(x, c) * c = x",
    lambda x, c: (mod(x, c), div(x, c) * c),
    on=MOD,
    theories=("Int",),
)
def add_quotient_to_remainder(remainder: IntTerm, product: IntTerm) -> Integer | None:
    """Digits that are read again are the number that they were taken from."""
    _, x, c = remainder.key
    if product.op is not MUL or isinstance(c, Term):
        return None
    factor = product.key[2]
    if isinstance(factor, Term) or factor != c:
        return None
    return x if DIV(x, c) is product.key[1] else None


@rule(
    EQ,
    "(mod(x, c) == d) = False if d < 0 or d >= c",
    lambda x, c, d: (mod(x, c), d),
    on=MOD,
    constant=True,
    theories=("Int",),
)
def eq_mod_constant(remainder: IntTerm, d: int) -> Guard | None:
    c = remainder.key[2]
    if isinstance(c, Term) or c == 0:
        return None
    return None if 0 <= d < abs(c) else False


@rule(
    LE,
    "mod(x, c) <= d = True if c - 1 <= d, = False if d < 0",
    lambda x, c, d: (mod(x, c), d),
    on=MOD,
    constant=True,
    theories=("Int",),
)
def le_mod_constant(remainder: IntTerm, d: int) -> Guard | None:
    c = remainder.key[2]
    if isinstance(c, Term) or c == 0:
        return None
    return False if d < 0 else True if d >= abs(c) - 1 else None


@rule(
    EQ,
    "(to_real(x) == c) = (x == c), False for a fraction",
    lambda x, f: (to_real(x), f),
    on=TO_REAL,
    constant=True,
    theories=("Int",),
)
def eq_to_real_constant(real: RealTerm, c: Fraction) -> Guard | None:
    return equals(real.key[1], int(c)) if c.denominator == 1 else False


@rule(
    LE,
    "to_real(x) <= c = x <= floor(c)",
    lambda x, f: (to_real(x), f),
    on=TO_REAL,
    constant=True,
    theories=("Int",),
)
def le_to_real_constant(real: RealTerm, c: Fraction) -> Guard | None:
    return le(real.key[1], c.numerator // c.denominator)
