"""The theory of bitvectors."""

from __future__ import annotations

from collections.abc import Callable

from solvent.terms import bitvector_ops as ops
from solvent.terms import bitvectors as bits
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import NOT
from solvent.terms.ops import Op
from solvent.terms.smtlib.signatures import (
    Args,
    Argument,
    Build,
    Check,
    Head,
    Indexed,
    Problem,
    bitvectors,
    check_arity,
    exactly,
    fixed,
    left_associative,
    of_class,
)
from solvent.terms.sorts import BitVecSort, Int
from solvent.terms.values import BV


def _binary(name: str, build: Build, checked: Head | None = None) -> Head:
    """A function of two bitvectors of one width; `checked` is for more arguments or wrong ones."""
    checked = exactly(name, 2, build, bitvectors) if checked is None else checked

    def apply(args: Args) -> Argument:
        # This is most of what a script of bitvectors consists of, hence flat.
        if len(args) == 2:
            a, b = args
            first, second = a.__class__, b.__class__
            if first is BitVecTerm:
                if (second is BitVecTerm or second is BV) and a.sort is b.sort:
                    return build(a, b)
            elif first is BV and second is BitVecTerm and a.sort is b.sort:
                return build(a, b)
        return checked(args)

    return apply


def _operator(op: Op[object], associative: bool) -> Head:
    """An operator of Solvent's: its constructor suffices where one of two arguments is a term."""
    shape = left_associative if associative else _exactly_two
    return _binary(op.name, op.construct, shape(op.name, op, bitvectors))


def _exactly_two(name: str, build: Build, check: Check) -> Head:
    return exactly(name, 2, build, check)


def _concat(args: Args) -> Argument:
    check_arity("concat", args, 2)
    first, *rest = of_class("concat", args, BitVecSort, "bitvectors")
    for arg in rest:
        first = ops.CONCAT(first, arg)
    return first


def _bits_function(name: str, count: int, function: Build) -> Head:
    return exactly(name, count, function, bitvectors)


_ASSOCIATIVE = (ops.BVADD, ops.BVMUL, ops.BVAND, ops.BVOR, ops.BVXOR)
_BINARY = (
    ops.BVSHL,
    ops.BVLSHR,
    ops.BVASHR,
    ops.BVUDIV,
    ops.BVUREM,
    ops.BVSDIV,
    ops.BVSREM,
    ops.BVSMOD,
    ops.BVULE,
    ops.BVSLE,
)
_UNARY = (ops.BVNOT, ops.BVNEG)

HEADS: dict[str, Head] = {
    **{op.name: _operator(op, associative=True) for op in _ASSOCIATIVE},
    **{op.name: _operator(op, associative=False) for op in _BINARY},
    **{op.name: _bits_function(op.name, 1, op) for op in _UNARY},
    "concat": _concat,
    "bvsub": _binary("bvsub", lambda a, b: ops.BVADD(a, ops.BVNEG(b))),
    "bvult": _binary("bvult", lambda a, b: NOT(ops.BVULE(b, a))),
    "bvugt": _binary("bvugt", lambda a, b: NOT(ops.BVULE(a, b))),
    "bvuge": _binary("bvuge", lambda a, b: ops.BVULE(b, a)),
    "bvslt": _binary("bvslt", lambda a, b: NOT(ops.BVSLE(b, a))),
    "bvsgt": _binary("bvsgt", lambda a, b: NOT(ops.BVSLE(a, b))),
    "bvsge": _binary("bvsge", lambda a, b: ops.BVSLE(b, a)),
    "bvnand": _bits_function("bvnand", 2, bits.nand),
    "bvnor": _bits_function("bvnor", 2, bits.nor),
    "bvxnor": _bits_function("bvxnor", 2, bits.xnor),
    "bvcomp": _bits_function("bvcomp", 2, bits.bvcomp),
    "bvredor": _bits_function("bvredor", 1, bits.redor),
    "bvredand": _bits_function("bvredand", 1, bits.redand),
    "bvnego": _bits_function("bvnego", 1, bits.neg_overflow),
    "bvuaddo": _bits_function("bvuaddo", 2, bits.uadd_overflow),
    "bvsaddo": _bits_function("bvsaddo", 2, bits.sadd_overflow),
    "bvumulo": _bits_function("bvumulo", 2, bits.umul_overflow),
    "bvsmulo": _bits_function("bvsmulo", 2, bits.smul_overflow),
    "bvusubo": _bits_function("bvusubo", 2, bits.usub_overflow),
    "bvssubo": _bits_function("bvssubo", 2, bits.ssub_overflow),
    "bvsdivo": _bits_function("bvsdivo", 2, bits.sdiv_overflow),
    "ubv_to_int": _bits_function("ubv_to_int", 1, bits.bv_to_int),
    "bv2nat": _bits_function("bv2nat", 1, bits.bv_to_int),
    "sbv_to_int": _bits_function("sbv_to_int", 1, lambda a: bits.bv_to_int(a, signed=True)),
}

# No script has use for wider ones, but a misprint could ask for a width that fills the memory.
WIDEST = 1 << 20


def check_width(width: int) -> None:
    """Complain about a width that no bitvector has, or that is not supported."""
    if width < 1:
        raise Problem("a bitvector has at least 1 bit")
    if width > WIDEST:
        raise Problem(f"bitvectors of more than {WIDEST} bits are not supported")


def _extract(high: int, low: int) -> Head:
    name = f"(_ extract {high} {low})"

    def apply(args: Args) -> Argument:
        check_arity(name, args, 1, 1)
        (a,) = bitvectors(name, args)
        if not low <= high < a.width:
            raise Problem(f"bits {high} down to {low} do not exist in {a.sort.smt}")
        return bits.extract(high, low, a)

    return apply


def _grown(
    name: str, function: Build, result_width: Callable[[int, int], int]
) -> Callable[[int], Head]:
    """A function of one bitvector, by a count that determines the width of the result."""

    def indexed(count: int) -> Head:
        def apply(args: Args) -> Argument:
            text = f"(_ {name} {count})"
            check_arity(text, args, 1, 1)
            (a,) = bitvectors(text, args)
            check_width(result_width(a.width, count))
            return function(count, a)

        return apply

    return indexed


def _repeat(count: int) -> Head:
    if count == 0:
        raise Problem("(_ repeat 0) is no function; the count is at least 1")
    return _grown("repeat", bits.repeat, lambda width, count: width * count)(count)


def _int_to_bv(width: int) -> Head:
    check_width(width)
    return fixed(f"(_ int_to_bv {width})", lambda a: bits.int_to_bv(a, width), Int)


def _rotation(name: str, function: Build) -> Callable[[int], Head]:
    return _grown(name, function, lambda width, count: width)


def _extension(name: str, function: Build) -> Callable[[int], Head]:
    return _grown(name, function, lambda width, count: width + count)


INDEXED: dict[str, Indexed] = {
    "extract": (2, _extract),
    "zero_extend": (1, _extension("zero_extend", bits.zero_extend)),
    "sign_extend": (1, _extension("sign_extend", bits.sign_extend)),
    "repeat": (1, _repeat),
    "rotate_left": (1, _rotation("rotate_left", bits.rotate_left)),
    "rotate_right": (1, _rotation("rotate_right", bits.rotate_right)),
    "int_to_bv": (1, _int_to_bv),
    "int2bv": (1, _int_to_bv),
}
