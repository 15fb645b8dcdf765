"""The theory of floats.

Rounding modes are concrete.  SMT-LIB leaves some results open: the bits of a number that does not
fit, the real number that an infinity is, the smaller of two zeros; see `unspecified`.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.terms import float_functions, softfloat
from solvent.terms.bitvectors import concat
from solvent.terms.booleans import ITE, and_, ite
from solvent.terms.floats import FloatTerm, float_to_real
from solvent.terms.kinds import Datum, Operand
from solvent.terms.ops import OPERATORS, Op
from solvent.terms.smtlib.signatures import (
    ROUNDING,
    Args,
    Argument,
    Build,
    Head,
    Indexed,
    Problem,
    as_sort,
    bitvectors,
    chainable,
    check_arity,
    exactly,
    floats_alike,
    of_class,
    sort_of,
    unspecified,
)
from solvent.terms.smtlib.theories.bitvectors import check_width
from solvent.terms.softfloat import FP, RoundingMode
from solvent.terms.sorts import BitVecSort, Bool, FloatSort, Int, Real, float_sort
from solvent.terms.term import Term


def _rounding(name: str, args: Args) -> tuple[RoundingMode, Args]:
    if not args or sort_of(args[0]) is not ROUNDING:
        raise Problem(f"the first argument of {name} is a rounding mode such as RNE")
    return args[0], args[1:]


def _rounded(op: Op[Datum], count: int) -> Head:
    name = op.name

    def apply(args: Args) -> Argument:
        check_arity(name, args, count + 1, count + 1)
        mode, rest = _rounding(name, args)
        return op.at(mode)(*floats_alike(name, rest))

    return apply


def _extreme(op: Op[Datum]) -> Head:
    """The smaller or larger float: either of two zeros."""
    is_zero = OPERATORS["fp.isZero"]

    def build(a: Datum, b: Datum) -> Datum:
        zeros = and_(is_zero(a), is_zero(b))
        return ite(zeros, ite(unspecified(op.name, Bool, a, b), a, b), op(a, b))

    return exactly(op.name, 2, build, floats_alike)


def _fp(args: Args) -> Argument:
    check_arity("fp", args, 3, 3)
    sign, exponent, significand = of_class("fp", args, BitVecSort, "bitvectors")
    if sign.width != 1:
        raise Problem(f"the sign of a float is 1 bit wide, not {sign.width}")
    sort = float_format(exponent.width, significand.width + 1)
    return _from_bits(sort)([concat(sign, exponent, significand)])


# Exponents of more bits make numbers that fill the memory; solvers have no longer significands.
_EXPONENT_LIMIT, _SIGNIFICAND_LIMIT = 19, (1 << 16) - 1


def float_format(ebits: int, sbits: int) -> FloatSort:
    """The sort of floats with so many exponent and significand bits."""
    if not (2 <= ebits <= _EXPONENT_LIMIT and 2 <= sbits <= _SIGNIFICAND_LIMIT):
        raise Problem(
            f"floats with {ebits} exponent and {sbits} significand bits are not supported"
        )
    return float_sort(ebits, sbits)


def _from_bits(sort: FloatSort) -> Head:
    name = f"(_ to_fp {sort.ebits} {sort.sbits})"

    def apply(args: Args) -> Argument:
        (a,) = bitvectors(name, args)
        if a.width != sort.ebits + sort.sbits:
            raise Problem(f"{name} of bits needs {sort.ebits + sort.sbits} of them, not {a.width}")
        return OPERATORS["to_fp_from_bits"].at(sort)(a)

    return apply


def _to_fp(ebits: int, sbits: int) -> Head:
    sort = float_format(ebits, sbits)
    name = f"(_ to_fp {ebits} {sbits})"

    def apply(args: Args) -> Argument:
        if len(args) == 1:
            return _from_bits(sort)(args)
        check_arity(name, args, 2, 2)
        mode, (a,) = _rounding(name, args)
        source = sort_of(a)
        if isinstance(source, FloatSort):
            return OPERATORS["to_fp_from_float"].at(mode, sort)(a)
        if isinstance(source, BitVecSort):
            return OPERATORS["to_fp_from_signed"].at(mode, sort)(a)
        if source in (Int, Real):
            return OPERATORS["to_fp_from_real"].at(mode, sort)(as_sort(a, Real))
        raise Problem(f"{name} converts floats, reals and bitvectors, not {source.smt}")

    return apply


def _to_fp_unsigned(ebits: int, sbits: int) -> Head:
    sort = float_format(ebits, sbits)
    name = f"(_ to_fp_unsigned {ebits} {sbits})"

    def apply(args: Args) -> Argument:
        check_arity(name, args, 2, 2)
        mode, rest = _rounding(name, args)
        return OPERATORS["to_fp_unsigned"].at(mode, sort)(*bitvectors(name, rest))

    return apply


def _open_elsewhere(family: Op[object], total: Operand | None, otherwise: Operand) -> Operand:
    """A total function of Solvent's, with the open result where the family's has no meaning."""
    if isinstance(total, Term) and total.op.base is ITE:
        _, test, a, b = total.key
        if isinstance(a, Term) and a.op.base is family:
            return ite(test, a, otherwise)
        if isinstance(b, Term) and b.op.base is family:
            return ite(test, otherwise, b)
    return total if isinstance(total, Term) else otherwise


def _to_bits(family: Op[object], function: Build, signed: bool) -> Callable[[int], Head]:
    name = family.name

    def indexed(width: int) -> Head:
        check_width(width)

        def apply(args: Args) -> Argument:
            check_arity(name, args, 2, 2)
            mode, rest = _rounding(name, args)
            (a,) = floats_alike(name, rest)
            total = function(a, width, mode)
            if isinstance(a, FP) and softfloat.is_finite(a):
                lowest = -(1 << width - 1) if signed else 0
                if lowest <= softfloat.round_to_integer(mode, a) < lowest + (1 << width):
                    return total
            otherwise = unspecified(f"{name}.{mode}", sort_of(total), a)
            return _open_elsewhere(family, total, otherwise)

        return apply

    return indexed


def _to_real(args: Args) -> Argument:
    check_arity("fp.to_real", args, 1, 1)
    (a,) = floats_alike("fp.to_real", args)
    if isinstance(a, FP) and softfloat.is_finite(a):
        return softfloat.to_fraction(a)
    total = float_to_real(a) if isinstance(a, FloatTerm) else None
    return _open_elsewhere(OPERATORS["fp.to_real"], total, unspecified("fp.to_real", Real, a))


_CLASSES = ("Normal", "Subnormal", "Zero", "Infinite", "NaN", "Negative", "Positive")
_RELATIONS = {name: OPERATORS[name] for name in ("fp.leq", "fp.lt", "fp.eq")}
_UNARY = ("fp.neg", "fp.abs", *(f"fp.is{name}" for name in _CLASSES))
# The operators that round, and how many floats they take.
_ROUNDED = {
    "fp.add": 2,
    "fp.sub": 2,
    "fp.mul": 2,
    "fp.div": 2,
    "fp.fma": 3,
    "fp.sqrt": 1,
    "fp.roundToIntegral": 1,
}

HEADS: dict[str, Head] = {
    "fp": _fp,
    "fp.to_real": _to_real,
    "fp.min": _extreme(OPERATORS["fp.min"]),
    "fp.max": _extreme(OPERATORS["fp.max"]),
    **{name: chainable(name, op, floats_alike) for name, op in _RELATIONS.items()},
    "fp.geq": chainable("fp.geq", lambda a, b: _RELATIONS["fp.leq"](b, a), floats_alike),
    "fp.gt": chainable("fp.gt", lambda a, b: _RELATIONS["fp.lt"](b, a), floats_alike),
    **{name: exactly(name, 1, OPERATORS[name], floats_alike) for name in _UNARY},
    "fp.rem": exactly("fp.rem", 2, OPERATORS["fp.rem"], floats_alike),
    **{name: _rounded(OPERATORS[name], count) for name, count in _ROUNDED.items()},
}
VALUES: dict[str, Argument] = {
    name: mode for mode in RoundingMode for name in (mode.name, mode.value)
}
INDEXED: dict[str, Indexed] = {
    "to_fp": (2, _to_fp),
    "to_fp_unsigned": (2, _to_fp_unsigned),
    "fp.to_ubv": (1, _to_bits(OPERATORS["fp.to_ubv"], float_functions.fp_to_ubv, signed=False)),
    "fp.to_sbv": (1, _to_bits(OPERATORS["fp.to_sbv"], float_functions.fp_to_sbv, signed=True)),
}
CONSTANTS: dict[str, Callable[[FloatSort], FP]] = {
    "+oo": softfloat.infinity,
    "-oo": lambda sort: softfloat.infinity(sort, negative=True),
    "+zero": softfloat.zero,
    "-zero": lambda sort: softfloat.zero(sort, negative=True),
    "NaN": softfloat.nan,
}
