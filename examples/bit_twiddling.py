"""A collection of tricks with bits, each proved for all words of 32 bits.

Proved: the absolute value and the smaller of two numbers without a branch, the average without
overflow, the lowest bit alone and cleared, rounding up to a power of two, opposite signs,
counting and reversing bits, swapping without a third variable, whether a word has a byte that is
zero.
Found: two that are often copied and wrong. The average by `(a + b) >> 1` overflows, and `x & (x -
1) == 0` says that zero is a power of two.
"""

from __future__ import annotations

from solvent import BitVec, Solver
from solvent.terms import (
    Model,
    Term,
    and_,
    extract,
    iff,
    implies,
    ite,
    lshr,
    not_,
    or_,
    sign_extend,
)

x, y = BitVec("x", 32), BitVec("y", 32)


def bit(word: Term, place: int) -> Term:
    return extract(place, place, word)


def ones(word: Term) -> Term:
    """How many bits are set, by definition."""
    return sum(lshr(word, place) & 1 for place in range(32))


def ones_in_parallel(word: Term) -> Term:
    word = word - (lshr(word, 1) & 0x55555555)
    word = (word & 0x33333333) + (lshr(word, 2) & 0x33333333)
    word = (word + lshr(word, 4)) & 0x0F0F0F0F
    return lshr(word * 0x01010101, 24)


def reversed_in_parallel(word: Term) -> Term:
    for distance, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF)):
        word = (lshr(word, distance) & mask) | ((word & mask) << distance)
    return lshr(word, 16) | (word << 16)


def rounded_up(word: Term) -> Term:
    word = word - 1
    for distance in (1, 2, 4, 8, 16):
        word |= lshr(word, distance)
    return word + 1


def average(a: Term, b: Term) -> Term:
    """The true average, computed in one bit more, rounded down."""
    return extract(31, 0, (sign_extend(1, a) + sign_extend(1, b)) >> 1)


is_power = or_(*[x == 1 << place for place in range(32)])
up = rounded_up(x)

TRICKS = {
    "absolute value": (x ^ x >> 31) - (x >> 31) == abs(x),
    "smaller of two": y ^ ((x ^ y) & -ite(x < y, 1, 0)) == ite(x < y, x, y),
    "average": (x & y) + ((x ^ y) >> 1) == average(x, y),
    "lowest bit": implies(x != 0, and_(ones(x & -x) == 1, x & ((x & -x) - 1) == 0)),
    "lowest bit cleared": implies(x != 0, ones(x & (x - 1)) == ones(x) - 1),
    "power of two": iff(and_(x != 0, x & (x - 1) == 0), is_power),
    "rounded up": implies(
        and_(x > 0, x <= 1 << 30), and_(up >= x, up & (up - 1) == 0, lshr(up, 1) < x)
    ),
    "opposite signs": iff((x ^ y) < 0, not_(iff(x < 0, y < 0))),
    "counting bits": ones_in_parallel(x) == ones(x),
    "reversing": and_(
        *[bit(reversed_in_parallel(x), place) == bit(x, 31 - place) for place in range(32)]
    ),
    "swapping": and_((x ^ y) ^ y == x, (x ^ y) ^ ((x ^ y) ^ y) == y),
    "zero byte": iff(
        (x - 0x01010101) & ~x & 0x80808080 != 0,
        or_(*[extract(low + 7, low, x) == 0 for low in (0, 8, 16, 24)]),
    ),
}
WRONG = {
    "hasty average": (x + y) >> 1 == average(x, y),
    "hasty power of two": iff(x & (x - 1) == 0, is_power),
}


def counterexample(claim: Term) -> Model | None:
    """Values with which the claim is false, or nothing if there are none."""
    with Solver("bitwuzla") as solver:
        solver.add(not_(claim))
        return solver.model() if solver.check() == "sat" else None


if __name__ == "__main__":
    proved = [name for name, claim in TRICKS.items() if counterexample(claim) is None]
    print("proved for all words:", ", ".join(proved))
    wrong = {name: counterexample(claim) for name, claim in WRONG.items()}
    for name, model in wrong.items():
        print(f"{name}: wrong for {model}")
