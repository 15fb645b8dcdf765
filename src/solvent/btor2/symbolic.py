"""The operators of figure 8 on symbolic values.

A value is a number if it is concrete, else a term: a Boolean for one bit, a bitvector for more.
One bit is nearly always a condition in a model, and Boolean terms have the rules for conditions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from solvent.btor2.guards import Guards
from solvent.terms import (
    BitVecTerm,
    BoolTerm,
    and_,
    ashr,
    concat,
    eq,
    extract,
    iff,
    ite,
    lshr,
    nand,
    nor,
    not_,
    or_,
    rotate_left,
    rotate_right,
    sadd_overflow,
    sdiv,
    sdiv_overflow,
    sge,
    sgt,
    shl,
    sign_extend,
    sle,
    slt,
    smod,
    smul_overflow,
    srem,
    ssub_overflow,
    uadd_overflow,
    udiv,
    uge,
    ugt,
    ule,
    ult,
    umul_overflow,
    urem,
    usub_overflow,
    xnor,
    xor,
    zero_extend,
)
from solvent.terms.kinds import Bits, Guard, Operand
from solvent.terms.sorts import BitVecSort, Bool, Sort, bitvec_sort
from solvent.terms.term import Term
from solvent.terms.values import BV, make_bv

# A value of a bitvector: a number, or a term, which is a Boolean for one bit.
Word = int | BoolTerm | BitVecTerm
# A number, a term or a memory: which of them follows from the sort.
Value = Any
Symbolic = Callable[..., Any]


def term_sort(sort: Sort[Term]) -> Sort[Term]:
    """The sort of the terms that stand for nodes of a sort: Bool for one bit."""
    return Bool if isinstance(sort, BitVecSort) and sort.width == 1 else sort


def lift(value: Value, width: int) -> Value:
    """A number of some width as the value that terms are made from."""
    if value.__class__ is not int:
        return value
    return bool(value) if width == 1 else make_bv(value, bitvec_sort(width))


def lower(value: Value) -> Value:
    """A value of `solvent.terms` as a number, if it is concrete.

    >>> from solvent.terms import bv
    >>> lower(bv(3, 8)), lower(True)
    (3, 1)
    """
    cls = value.__class__
    if cls is BV:
        return value.value
    return int(value) if cls is bool else value


def as_bits(value: Value, width: int) -> Bits:
    """A number or term as a bitvector, also for one bit."""
    if value.__class__ is int:
        return make_bv(value, bitvec_sort(width))
    if isinstance(value, BoolTerm):
        one = bitvec_sort(1)
        return ite(value, make_bv(1, one), make_bv(0, one))
    return value  # type: ignore[no-any-return]


def from_bits(value: Operand) -> Value:
    """A bitvector of any width as a value here."""
    if isinstance(value, Term) and isinstance(value.sort, BitVecSort) and value.sort.width == 1:
        return lower(eq(value, 1))
    return lower(value)


def _rotation(left: bool) -> Symbolic:
    def rotate(a: BitVecTerm, b: Bits) -> Bits:
        width = a.width
        if isinstance(b, BV):
            return (rotate_left if left else rotate_right)(b.value % width, a)
        # The width is smaller than 2**width, so that it is a value of the same sort.
        count = urem(b, width)
        back = make_bv(width, a.sort) - count
        first, second = (shl, lshr) if left else (lshr, shl)
        return first(a, count) | second(a, back)

    return rotate


def _parity(a: Bits) -> Guard:
    """Whether an odd number of bits is set."""
    while a.width > 1:
        half = a.width // 2
        low = extract(half - 1, 0, a)
        high = extract(a.width - 1, half, a)
        a = high ^ zero_extend(high.width - half, low)
    return eq(a, 1)


# On bitvectors of one width, the result being a bitvector or a Boolean.
_WORDS: dict[str, Symbolic] = {
    "not": lambda a: ~a,
    "inc": lambda a: a + 1,
    "dec": lambda a: a - 1,
    "neg": lambda a: -a,
    "redand": lambda a: eq(a, a.sort.mask),
    "redor": lambda a: not_(eq(a, 0)),
    "redxor": _parity,
    "eq": eq,
    "neq": lambda a, b: not_(eq(a, b)),
    "sgt": sgt,
    "sgte": sge,
    "slt": slt,
    "slte": sle,
    "ugt": ugt,
    "ugte": uge,
    "ult": ult,
    "ulte": ule,
    "and": lambda a, b: a & b,
    "nand": nand,
    "nor": nor,
    "or": lambda a, b: a | b,
    "xnor": xnor,
    "xor": lambda a, b: a ^ b,
    "rol": _rotation(left=True),
    "ror": _rotation(left=False),
    "sll": shl,
    "srl": lshr,
    "sra": ashr,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "sdiv": sdiv,
    "udiv": udiv,
    "smod": smod,
    "srem": srem,
    "urem": urem,
    "saddo": sadd_overflow,
    "uaddo": uadd_overflow,
    "sdivo": sdiv_overflow,
    "udivo": lambda a, b: False,
    "smulo": smul_overflow,
    "umulo": umul_overflow,
    "ssubo": ssub_overflow,
    "usubo": usub_overflow,
}
# On single bits, for the operators that are connectives there.
_BITS: dict[str, Symbolic] = {
    "not": not_,
    "inc": not_,
    "dec": not_,
    "neg": lambda a: a,
    "redand": lambda a: a,
    "redor": lambda a: a,
    "redxor": lambda a: a,
    "iff": iff,
    "implies": lambda a, b: or_(not_(a), b),
    "eq": eq,
    "neq": xor,
    "and": and_,
    "nand": lambda a, b: not_(and_(a, b)),
    "nor": lambda a, b: not_(or_(a, b)),
    "or": or_,
    "xnor": iff,
    "xor": xor,
    "add": xor,
    "sub": xor,
    "mul": and_,
    "ult": lambda a, b: and_(not_(a), b),
    "ulte": lambda a, b: or_(not_(a), b),
    "ugt": lambda a, b: and_(a, not_(b)),
    "ugte": lambda a, b: or_(a, not_(b)),
}


# What solvers find hard is not done again for each of several values.
_COSTLY = ("mul", "sdiv", "udiv", "smod", "srem", "urem", "smulo", "umulo", "rol", "ror")
_CONDITIONS = (bool, BoolTerm)


def decide(guards: Guards, test: Guard, a: Operand, b: Operand) -> Value:
    """A choice between two values of `solvent.terms`."""
    if a.__class__ in _CONDITIONS and b.__class__ in _CONDITIONS:
        return lower(guards.condition(ite, test, a, b))
    return lower(guards.choice(test, a, b))


@cache
def symbolic(name: str, widths: tuple[int, ...], numbers: tuple[int, ...] = ()) -> Symbolic:
    """The function that an operator is on numbers and terms, at least one of which is a term.

    It first takes the guards that look into its arguments.

    >>> from solvent.terms import BitVec, Bool
    >>> guards, x, p = Guards(), BitVec("x", 8), Bool("p")
    >>> symbolic("add", (8, 8))(guards, x, 1), symbolic("xor", (1, 1))(guards, p, 1)
    (x + 1, not p)
    """
    width = widths[0]
    if width == 1 and name in _BITS:
        bits = _BITS[name]
        return lambda guards, *args: lower(guards.condition(bits, *[lift(arg, 1) for arg in args]))
    if name in _WORDS:
        return _on_words(_WORDS[name], width, len(widths), name in _COSTLY)
    if name == "concat":
        high, low = widths
        return lambda guards, a, b: from_bits(
            guards.apply(concat, as_bits(a, high), as_bits(b, low))
        )
    if name == "slice":
        first, last = numbers
        return _on_one(partial(extract, first, last), width)
    if name in ("uext", "sext"):
        (count,) = numbers
        return _on_one(partial(zero_extend if name == "uext" else sign_extend, count), width)
    if name == "ite":
        value = widths[1]
        return lambda guards, c, a, b: decide(guards, c, lift(a, value), lift(b, value))
    raise AssertionError(f"{name} is no operator on bitvectors")


def _on_one(function: Symbolic, width: int) -> Symbolic:
    return lambda guards, a: from_bits(guards.apply(function, as_bits(a, width)))


def _on_words(function: Symbolic, width: int, arity: int, costly: bool) -> Symbolic:
    if width == 1:
        return lambda guards, *args: from_bits(function(*[as_bits(arg, 1) for arg in args]))
    if arity == 1:
        return lambda guards, a: lower(guards.apply(function, a))
    sort = bitvec_sort(width)

    def apply(guards: Guards, a: Value, b: Value) -> Value:
        if a.__class__ is int:
            a = make_bv(a, sort)
        if b.__class__ is int:
            b = make_bv(b, sort)
        if costly and not _few_results(guards, a, b):
            return lower(function(a, b))
        return lower(guards.apply(function, a, b))

    return apply


def _few_results(guards: Guards, a: Operand, b: Operand) -> bool:
    """Whether at most one combination of the values of two choices is symbolic."""
    plain = [[isinstance(v, Term) for _, v in guards.rows(one)] for one in (a, b)]
    first, second = (sum(one) for one in plain)
    return first * len(plain[1]) + second * len(plain[0]) - first * second <= 1
