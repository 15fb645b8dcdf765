"""The operators of figure 8: their arguments, their sorts, and their meaning on numbers.

A bitvector is a Python integer from 0 to 2**width - 1.  Division is that of SMT-LIB: dividing by
zero gives all ones (1 for a negative dividend of `sdiv`), and every remainder by zero is the
dividend.  `smod` has the sign of the divisor, `srem` that of the dividend.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from solvent.btor2.syntax import AnySort, describe
from solvent.errors import WidthError
from solvent.terms.sorts import ArraySort, BitVecSort, bitvec_sort

Concrete = Callable[..., int]


class SortProblem(Exception):
    """Arguments that do not fit: which of them (-1: the result), and why."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position
        self.message = message


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator: how many nodes and numbers follow its sort, and how its sorts relate."""

    name: str
    shape: str
    arity: int
    numbers: int = 0


# How the sorts of arguments and result relate, how many arguments there are, and the names.
_SHAPES = (
    # result and arguments of one bitvector sort
    ("same", 1, "not inc dec neg"),
    ("same", 2, "and nand nor or xnor xor rol ror sll sra srl"),
    ("same", 2, "add mul sdiv udiv smod srem urem sub"),
    ("reduction", 1, "redand redor redxor"),
    ("boolean", 2, "iff implies"),
    ("equality", 2, "eq neq"),
    # one bit about two bitvectors of one sort
    ("comparison", 2, "sgt ugt sgte ugte slt ult slte ulte"),
    ("comparison", 2, "saddo uaddo sdivo udivo smulo umulo ssubo usubo"),
    ("concat", 2, "concat"),
    ("read", 2, "read"),
    ("write", 3, "write"),
    ("ite", 3, "ite"),
)

OPERATORS: dict[str, Operator] = {
    name: Operator(name, shape, arity) for shape, arity, names in _SHAPES for name in names.split()
}
OPERATORS["sext"] = Operator("sext", "extension", 1, 1)
OPERATORS["uext"] = Operator("uext", "extension", 1, 1)
OPERATORS["slice"] = Operator("slice", "slice", 1, 2)

BIT = bitvec_sort(1)


def width_of(sort: AnySort, position: int) -> int:
    """The width of an argument that must be a bitvector."""
    if isinstance(sort, BitVecSort):
        return sort.width
    raise SortProblem(position, f"a bitvector is expected, not {describe(sort)}")


def _require_same(sorts: Sequence[AnySort], first: int = 0) -> None:
    for position in range(first + 1, len(sorts)):
        if sorts[position] is not sorts[first]:
            raise SortProblem(
                position,
                f"{describe(sorts[first])} as argument {first + 1} is expected, "
                f"not {describe(sorts[position])}",
            )


def _require_bit(sort: AnySort, position: int) -> None:
    if sort is not BIT:
        raise SortProblem(position, f"bitvec 1 is expected, not {describe(sort)}")


def result_sort(operator: Operator, sorts: Sequence[AnySort], numbers: Sequence[int]) -> AnySort:
    """The sort of an application, or a `SortProblem`.

    >>> result_sort(OPERATORS["concat"], [bitvec_sort(3), bitvec_sort(5)], [])
    BitVec(8)
    """
    shape = operator.shape
    if shape == "same":
        width_of(sorts[0], 0)
        _require_same(sorts)
        return sorts[0]
    if shape == "comparison":
        width_of(sorts[0], 0)
        _require_same(sorts)
        return BIT
    if shape == "equality":
        _require_same(sorts)
        return BIT
    if shape == "boolean":
        _require_bit(sorts[0], 0)
        _require_bit(sorts[1], 1)
        return BIT
    if shape == "reduction":
        width_of(sorts[0], 0)
        return BIT
    if shape == "ite":
        _require_bit(sorts[0], 0)
        _require_same(sorts, 1)
        return sorts[1]
    if shape == "concat":
        return _wider(width_of(sorts[0], 0) + width_of(sorts[1], 1))
    if shape == "extension":
        return _wider(width_of(sorts[0], 0) + numbers[0])
    if shape == "slice":
        return _slice(width_of(sorts[0], 0), *numbers)
    return _access(sorts)


def _wider(width: int) -> AnySort:
    try:
        return bitvec_sort(width)
    except WidthError as error:
        raise SortProblem(1, str(error)) from None


def _slice(width: int, upper: int, lower: int) -> AnySort:
    if upper >= width:
        raise SortProblem(1, f"bit {upper} does not exist in bitvec {width}")
    if lower > upper:
        raise SortProblem(2, f"the lower bit {lower} is above the upper bit {upper}")
    return bitvec_sort(upper - lower + 1)


def _access(sorts: Sequence[AnySort]) -> AnySort:
    """The sort of a read (two arguments) or a write."""
    array = sorts[0]
    if not isinstance(array, ArraySort):
        raise SortProblem(0, f"an array is expected, not {describe(array)}")
    if sorts[1] is not array.index:
        raise SortProblem(
            1, f"the index must be {describe(array.index)}, but it is {describe(sorts[1])}"
        )
    if len(sorts) == 2:
        return array.element
    if sorts[2] is not array.element:
        raise SortProblem(
            2, f"the element must be {describe(array.element)}, but it is {describe(sorts[2])}"
        )
    return array


# --- meaning -----------------------------------------------------------------------------------


def signed(value: int, width: int) -> int:
    """The bits as a number in two's complement."""
    return value - (1 << width) if value >> (width - 1) else value


def _sdiv(a: int, b: int, w: int) -> int:
    x, y = signed(a, w), signed(b, w)
    if y == 0:
        return 1 if x < 0 else -1
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _srem(a: int, b: int, w: int) -> int:
    x, y = signed(a, w), signed(b, w)
    if y == 0:
        return a
    rest = abs(x) % abs(y)
    return -rest if x < 0 else rest


def _smod(a: int, b: int, w: int) -> int:
    return signed(a, w) % signed(b, w) if b else a


def _rol(a: int, b: int, w: int) -> int:
    count = b % w
    return a << count | a >> (w - count)


def _ror(a: int, b: int, w: int) -> int:
    return _rol(a, w - b % w, w)


def _fits(value: int, w: int) -> bool:
    return -(1 << (w - 1)) <= value < 1 << (w - 1)


def _signed_overflow(operation: Callable[[int, int], int]) -> Callable[[int, int, int], bool]:
    return lambda a, b, w: not _fits(operation(signed(a, w), signed(b, w)), w)


# The operators on bitvectors of width w whose result is taken modulo 2**w.
_MODULAR: dict[str, Callable[[int, int, int], int]] = {
    "and": lambda a, b, w: a & b,
    "nand": lambda a, b, w: ~(a & b),
    "nor": lambda a, b, w: ~(a | b),
    "or": lambda a, b, w: a | b,
    "xnor": lambda a, b, w: ~(a ^ b),
    "xor": lambda a, b, w: a ^ b,
    "rol": _rol,
    "ror": _ror,
    "sll": lambda a, b, w: a << b if b < w else 0,
    "srl": lambda a, b, w: a >> b if b < w else 0,
    "sra": lambda a, b, w: signed(a, w) >> min(b, w),
    "add": lambda a, b, w: a + b,
    "sub": lambda a, b, w: a - b,
    "mul": lambda a, b, w: a * b,
    "udiv": lambda a, b, w: a // b if b else -1,
    "urem": lambda a, b, w: a % b if b else a,
    "sdiv": _sdiv,
    "srem": _srem,
    "smod": _smod,
}
_TESTS: dict[str, Callable[[int, int, int], bool]] = {
    "iff": lambda a, b, w: a == b,
    "implies": lambda a, b, w: not a or bool(b),
    "eq": lambda a, b, w: a == b,
    "neq": lambda a, b, w: a != b,
    "ugt": lambda a, b, w: a > b,
    "ugte": lambda a, b, w: a >= b,
    "ult": lambda a, b, w: a < b,
    "ulte": lambda a, b, w: a <= b,
    "sgt": lambda a, b, w: signed(a, w) > signed(b, w),
    "sgte": lambda a, b, w: signed(a, w) >= signed(b, w),
    "slt": lambda a, b, w: signed(a, w) < signed(b, w),
    "slte": lambda a, b, w: signed(a, w) <= signed(b, w),
    "uaddo": lambda a, b, w: a + b >= 1 << w,
    "saddo": _signed_overflow(lambda a, b: a + b),
    "umulo": lambda a, b, w: a * b >= 1 << w,
    "smulo": _signed_overflow(lambda a, b: a * b),
    "usubo": lambda a, b, w: a < b,
    "ssubo": _signed_overflow(lambda a, b: a - b),
    "sdivo": lambda a, b, w: a == 1 << (w - 1) and b == (1 << w) - 1,
    "udivo": lambda a, b, w: False,
}
_UNARY: dict[str, Callable[[int, int], int]] = {
    "not": lambda a, w: ~a,
    "inc": lambda a, w: a + 1,
    "dec": lambda a, w: a - 1,
    "neg": lambda a, w: -a,
    "redand": lambda a, w: a == (1 << w) - 1,
    "redor": lambda a, w: a != 0,
    "redxor": lambda a, w: a.bit_count() & 1,
}


@cache
def concrete(name: str, widths: tuple[int, ...], numbers: tuple[int, ...] = ()) -> Concrete:
    """The function that an operator is on bitvectors of some widths, as numbers.

    >>> concrete("add", (8, 8))(250, 10), concrete("slice", (8,), (7, 4))(0xAB)
    (4, 10)
    """
    width = widths[0]
    mask = (1 << width) - 1
    if name in _FAST:
        return _FAST[name](mask)
    if name in _UNARY:
        unary = _UNARY[name]
        return lambda a: int(unary(a, width)) & mask
    if name in _MODULAR:
        modular = _MODULAR[name]
        return lambda a, b: modular(a, b, width) & mask
    if name in _TESTS:
        test = _TESTS[name]
        return lambda a, b: int(test(a, b, width))
    return _structural(name, widths, numbers)


# The commonest operators without the detour through their table.
_FAST: dict[str, Callable[[int], Concrete]] = {
    "not": lambda mask: lambda a: a ^ mask,
    "and": lambda mask: lambda a, b: a & b,
    "or": lambda mask: lambda a, b: a | b,
    "xor": lambda mask: lambda a, b: a ^ b,
    "add": lambda mask: lambda a, b: (a + b) & mask,
    "sub": lambda mask: lambda a, b: (a - b) & mask,
    "eq": lambda mask: lambda a, b: 1 if a == b else 0,
    "neq": lambda mask: lambda a, b: 1 if a != b else 0,
    "ult": lambda mask: lambda a, b: 1 if a < b else 0,
    "ugte": lambda mask: lambda a, b: 1 if a >= b else 0,
}


def _structural(name: str, widths: tuple[int, ...], numbers: tuple[int, ...]) -> Concrete:
    """The operators that change the width, and the choice."""
    width = widths[0]
    match name:
        case "concat":
            low = widths[1]
            return lambda a, b: a << low | b
        case "slice":
            upper, lower = numbers
            mask = (1 << (upper - lower + 1)) - 1
            return lambda a: a >> lower & mask
        case "uext":
            return lambda a: a
        case "sext":
            mask = (1 << (width + numbers[0])) - 1
            return lambda a: signed(a, width) & mask
        case "ite":
            return lambda c, a, b: a if c else b
    raise AssertionError(f"{name} is no operator on bitvectors")
