"""The operators of figure 8 on words of literals, the lowest bit first, as circuits of gates.

Each is the circuit that is taught: sums ripple, shifts go through a row of choices for each bit of
the distance, products add shifted rows, quotients are found bit by bit.  What is constant folds in
the gates, so that a product with a constant has as many rows as the constant has bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from solvent.solvers.gates import FALSE, TRUE, Gates

Word = tuple[int, ...]
Circuit = Callable[..., Word]


def constant(value: int, width: int) -> Word:
    """The literals of a number.

    >>> constant(6, 4)
    (-1, 1, 1, -1)
    """
    return tuple([TRUE if value >> k & 1 else FALSE for k in range(width)])


def number(word: Word) -> int | None:
    """The number that a word is, or None if a bit is not constant."""
    result = 0
    for position, literal in enumerate(word):
        if literal == TRUE:
            result |= 1 << position
        elif literal != FALSE:
            return None
    return result


# --- sums --------------------------------------------------------------------------------------


def _sum(gates: Gates, a: Word, b: Word, carry: int) -> tuple[Word, int]:
    """The sum with a carry, and the carry out of it."""
    result = []
    differ, majority = gates.differ, gates.majority
    for x, y in zip(a, b, strict=True):
        result.append(differ(differ(x, y), carry))
        carry = majority(x, y, carry)
    return tuple(result), carry


def _not(word: Word) -> Word:
    return tuple([-one for one in word])


def add(gates: Gates, a: Word, b: Word) -> Word:
    """The sum."""
    return _sum(gates, a, b, FALSE)[0]


def sub(gates: Gates, a: Word, b: Word) -> Word:
    """The difference."""
    return _sum(gates, a, _not(b), TRUE)[0]


def neg(gates: Gates, a: Word) -> Word:
    """The negative number."""
    return sub(gates, constant(0, len(a)), a)


def less(gates: Gates, a: Word, b: Word, or_equal: bool = False) -> int:
    """Whether a word is a smaller number than another, without signs."""
    result = TRUE if or_equal else FALSE
    for x, y in zip(a, b, strict=True):
        result = gates.majority(-x, y, result)
    return result


def signed_less(gates: Gates, a: Word, b: Word, or_equal: bool = False) -> int:
    """Whether a word is a smaller number than another, with signs."""
    return less(gates, (*a[:-1], b[-1]), (*b[:-1], a[-1]), or_equal)


def equal(gates: Gates, a: Word, b: Word) -> int:
    """Whether two words are equal."""
    return gates.all_of([-gates.differ(x, y) for x, y in zip(a, b, strict=True)])


def choice(gates: Gates, test: int, a: Word, b: Word) -> Word:
    """`a` where a literal is true, else `b`."""
    choose = gates.choice
    return tuple([choose(test, x, y) for x, y in zip(a, b, strict=True)])


# --- products ----------------------------------------------------------------------------------


def mul(gates: Gates, a: Word, b: Word) -> Word:
    """The product, as wide as its first argument."""
    width = len(a)
    # Rows that are constant vanish: there are as many as the second argument has bits.
    if sum(abs(x) == TRUE for x in a) > sum(abs(x) == TRUE for x in b):
        a, b = b, a
    result = constant(0, width)
    for position, bit in enumerate(b):
        if bit != FALSE:
            row = tuple([gates.both(bit, x) for x in a[: width - position]])
            result = (*result[:position], *add(gates, result[position:], row))
    return result


def _divided(gates: Gates, a: Word, b: Word) -> tuple[Word, Word]:
    """Quotient and rest, bit by bit; by zero they are all ones and the dividend."""
    width = len(a)
    wide = (*b, FALSE)
    rest = constant(0, width + 1)
    quotient = []
    for bit in reversed(a):
        rest = (bit, *rest[:-1])
        fits = less(gates, wide, rest, or_equal=True)
        rest = choice(gates, fits, sub(gates, rest, wide), rest)
        quotient.append(fits)
    return tuple(reversed(quotient)), rest[:width]


def _magnitude(gates: Gates, a: Word) -> Word:
    return choice(gates, a[-1], neg(gates, a), a)


def _sdiv(gates: Gates, a: Word, b: Word) -> Word:
    quotient, _ = _divided(gates, _magnitude(gates, a), _magnitude(gates, b))
    return choice(gates, gates.differ(a[-1], b[-1]), neg(gates, quotient), quotient)


def _srem(gates: Gates, a: Word, b: Word) -> Word:
    _, rest = _divided(gates, _magnitude(gates, a), _magnitude(gates, b))
    return choice(gates, a[-1], neg(gates, rest), rest)


def _smod(gates: Gates, a: Word, b: Word) -> Word:
    rest = _srem(gates, a, b)
    # The rest has the sign of the dividend, unless it is zero.
    other = gates.both(gates.differ(a[-1], b[-1]), gates.any_of(rest))
    return choice(gates, other, add(gates, rest, b), rest)


# --- shifts ------------------------------------------------------------------------------------


def _shifted(gates: Gates, a: Word, b: Word, fill: int, left: bool) -> Word:
    width = len(a)
    for position, bit in enumerate(b):
        distance = min(1 << position, width) if position < width.bit_length() else width
        kept = width - distance
        filled = (fill,) * distance
        moved = (*filled, *a[:kept]) if left else (*a[distance:], *filled)
        a = choice(gates, bit, moved, a)
    return a


def _rotated(gates: Gates, a: Word, b: Word, left: bool) -> Word:
    width = len(a)
    if width == 1:
        return a
    if width & (width - 1):
        _, b = _divided(gates, b, constant(width, width))
    for position, bit in enumerate(b[: (width - 1).bit_length()]):
        distance = (1 << position) if left else width - (1 << position)
        a = choice(gates, bit, (*a[width - distance :], *a[: width - distance]), a)
    return a


# --- overflow ----------------------------------------------------------------------------------


def _wider(a: Word, signed: bool, count: int) -> Word:
    return (*a, *(a[-1:] if signed else (FALSE,)) * count)


def _fits(gates: Gates, a: Word, width: int) -> int:
    """Whether a number with a sign is one of so many bits."""
    return gates.all_of([-gates.differ(one, a[width - 1]) for one in a[width:]])


def _signed_overflow(operator: Callable[[Gates, Word, Word], Word], more: int) -> Circuit:
    def overflow(gates: Gates, a: Word, b: Word) -> Word:
        count = len(a) if more == 0 else more
        result = operator(gates, _wider(a, True, count), _wider(b, True, count))
        return (-_fits(gates, result, len(a)),)

    return overflow


def _umulo(gates: Gates, a: Word, b: Word) -> Word:
    width = len(a)
    wide = mul(gates, _wider(a, False, width), _wider(b, False, width))
    return (gates.any_of(wide[width:]),)


def _sdivo(gates: Gates, a: Word, b: Word) -> Word:
    smallest = constant(1 << (len(a) - 1), len(a))
    return (gates.both(equal(gates, a, smallest), gates.all_of(b)),)


def _parity(gates: Gates, a: Word) -> Word:
    result = FALSE
    for one in a:
        result = gates.differ(result, one)
    return (result,)


def _bitwise(gate: Callable[[Gates, int, int], int]) -> Circuit:
    return lambda gates, a, b: tuple([gate(gates, x, y) for x, y in zip(a, b, strict=True)])


_CIRCUITS: dict[str, Circuit] = {
    "not": lambda gates, a: _not(a),
    "inc": lambda gates, a: _sum(gates, a, constant(0, len(a)), TRUE)[0],
    "dec": lambda gates, a: _sum(gates, a, (TRUE,) * len(a), FALSE)[0],
    "neg": neg,
    "redand": lambda gates, a: (gates.all_of(a),),
    "redor": lambda gates, a: (gates.any_of(a),),
    "redxor": _parity,
    "iff": lambda gates, a, b: (-gates.differ(a[0], b[0]),),
    "implies": lambda gates, a, b: (gates.either(-a[0], b[0]),),
    "eq": lambda gates, a, b: (equal(gates, a, b),),
    "neq": lambda gates, a, b: (-equal(gates, a, b),),
    "ult": lambda gates, a, b: (less(gates, a, b),),
    "ulte": lambda gates, a, b: (less(gates, a, b, True),),
    "ugt": lambda gates, a, b: (less(gates, b, a),),
    "ugte": lambda gates, a, b: (less(gates, b, a, True),),
    "slt": lambda gates, a, b: (signed_less(gates, a, b),),
    "slte": lambda gates, a, b: (signed_less(gates, a, b, True),),
    "sgt": lambda gates, a, b: (signed_less(gates, b, a),),
    "sgte": lambda gates, a, b: (signed_less(gates, b, a, True),),
    "and": _bitwise(Gates.both),
    "nand": _bitwise(lambda gates, x, y: -gates.both(x, y)),
    "or": _bitwise(Gates.either),
    "nor": _bitwise(lambda gates, x, y: -gates.either(x, y)),
    "xor": _bitwise(Gates.differ),
    "xnor": _bitwise(lambda gates, x, y: -gates.differ(x, y)),
    "rol": lambda gates, a, b: _rotated(gates, a, b, left=True),
    "ror": lambda gates, a, b: _rotated(gates, a, b, left=False),
    "sll": lambda gates, a, b: _shifted(gates, a, b, FALSE, left=True),
    "srl": lambda gates, a, b: _shifted(gates, a, b, FALSE, left=False),
    "sra": lambda gates, a, b: _shifted(gates, a, b, a[-1], left=False),
    "add": add,
    "sub": sub,
    "mul": mul,
    "udiv": lambda gates, a, b: _divided(gates, a, b)[0],
    "urem": lambda gates, a, b: _divided(gates, a, b)[1],
    "sdiv": _sdiv,
    "srem": _srem,
    "smod": _smod,
    "uaddo": lambda gates, a, b: (_sum(gates, a, b, FALSE)[1],),
    "saddo": _signed_overflow(add, 1),
    "usubo": lambda gates, a, b: (less(gates, a, b),),
    "ssubo": _signed_overflow(sub, 1),
    "umulo": _umulo,
    "smulo": _signed_overflow(mul, 0),
    "sdivo": _sdivo,
    "udivo": lambda gates, a, b: (FALSE,),
    "concat": lambda gates, a, b: (*b, *a),
    "ite": lambda gates, test, a, b: choice(gates, test[0], a, b),
}


@cache
def circuit(name: str, numbers: Sequence[int] = ()) -> Circuit:
    """The circuit of an operator, which first takes the gates.

    >>> gates = Gates()
    >>> circuit("add")(gates, constant(3, 4), constant(6, 4)) == constant(9, 4)
    True
    """
    if name == "slice":
        upper, lower = numbers
        return lambda gates, a: a[lower : upper + 1]
    if name in ("uext", "sext"):
        (count,) = numbers
        return lambda gates, a: _wider(a, name == "sext", count)
    return _CIRCUITS[name]
