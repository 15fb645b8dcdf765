"""Operations on 64-bit words that differ between numbers and bitvectors.

Concretely a word is a Python number from 0 to 2**64 - 1, and symbolically a bitvector of 64 bits.
Python's `+`, `-`, `*`, `&`, `|` and `==` do for both; here are the rest.  Lifted code calls the
bitvector versions by itself.
"""

from __future__ import annotations

from typing import overload

from solvent.lift.registry import lifts
from solvent.terms import BV, BitVecTerm, Term, bv, ite, shl, udiv, ult, urem
from solvent.terms.booleans import ITE
from solvent.terms.kinds import Bits, Guard

WIDTH = 64
WORD = 2**64 - 1

# A word of a symbolic state, a number as long as it is known.
Word = int | Bits


def word(number: int) -> int:
    """A number as a word.

    >>> word(-1) == WORD
    True
    """
    return number & WORD


def below(a: int, b: int) -> bool:
    """Whether one word is smaller than another, without signs."""
    return a < b


def quotient(a: int, b: int) -> int:
    """The quotient of words without signs, the divisor not being zero."""
    return a // b


def remainder(a: int, b: int) -> int:
    """The remainder of words without signs, the divisor not being zero."""
    return a % b


def flag(truth: bool) -> int:
    """One for what is true, zero for what is false."""
    return 1 if truth else 0


def above_bytes(count: int) -> int:
    """A word with ones where it is not among the lowest bytes.

    >>> hex(above_bytes(3))
    '0xffffffffff000000'
    """
    return WORD << 8 * count & WORD


# --- the same on bitvectors --------------------------------------------------------------------


@lifts(word)
def symbolic_word(number: Word) -> Bits:
    """A number or a bitvector as a bitvector of 64 bits.

    >>> symbolic_word(3)
    bv(3, 64)
    """
    return bv(number & WORD, WIDTH) if isinstance(number, int) else number


@lifts(below)
def _below(a: Word, b: Word) -> Guard:
    return ult(symbolic_word(a), symbolic_word(b))


@lifts(quotient)
def _quotient(a: Word, b: Word) -> Bits:
    return udiv(a, b)


@lifts(remainder)
def _remainder(a: Word, b: Word) -> Bits:
    return urem(a, b)


@lifts(flag)
def _flag(truth: Guard) -> Bits:
    return ite(truth, bv(1, WIDTH), bv(0, WIDTH))


@lifts(above_bytes)
def _above_bytes(count: Word) -> Bits:
    rows = leaves(count)
    if rows is None:
        return shl(bv(WORD, WIDTH), symbolic_word(count) * 8)
    result: Bits = bv(0, WIDTH)
    for condition, number in rows:
        result = ite(condition, bv(above_bytes(number), WIDTH), result)
    return result


@overload
def plain(value: int | BV) -> int: ...
@overload
def plain(value: Word) -> int | BitVecTerm: ...


def plain(value: Word) -> int | BitVecTerm:
    """A concrete bitvector as a number; anything else as it is.

    >>> plain(bv(3, 64))
    3
    """
    return value.value if isinstance(value, BV) else value


def leaves(value: Word, most: int = 256) -> list[tuple[Guard, int]] | None:
    """The numbers that a choice may come to with their conditions, if all are known and not many.

    >>> from solvent.terms import Bool
    >>> leaves(ite(Bool("p"), bv(3, 64), ite(Bool("q"), bv(4, 64), bv(3, 64))))
    [(p or not q, 3), (not (p or not q), 4)]
    """
    # Choices share their parts, so each part is looked at once.
    found: dict[Word, dict[int, Guard]] = {}
    work: list[Word] = [value]
    while work:
        part = work[-1]
        if not isinstance(part, Term):
            found[part] = {part.value if isinstance(part, BV) else part: True}
        elif part.op.base is not ITE:
            return None
        else:
            test, a, b = part.args
            if a not in found or b not in found:
                work += [one for one in (b, a) if one not in found]
                continue
            numbers = {**found[a], **found[b]}
            if len(numbers) > most:
                return None
            found[part] = {
                number: ite(test, found[a].get(number, False), found[b].get(number, False))
                for number in numbers
            }
        work.pop()
    return [(condition, number) for number, condition in found[value].items()]
