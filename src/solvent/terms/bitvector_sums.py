"""Sums of bitvectors that are equal because they have the same summands, in whatever order.

Adding is associative and commutative, but a term has one order.  To put all sums into one order
would rebuild a long sum with each new summand; to compare two when somebody asks is cheap.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from solvent.terms.bitvector_ops import BVADD, BVMUL, BVNEG, BVSHL
from solvent.terms.booleans import EQ
from solvent.terms.rules import rule
from solvent.terms.term import Term
from solvent.terms.values import BV

if TYPE_CHECKING:
    from solvent.terms.bitvectors import BitVecTerm
    from solvent.terms.kinds import Bits, Guard

# How many different terms of the two sums are looked at before that is given up.
LIMIT = 1000


@rule(
    EQ,
    "(x + y) + z == x + (z + y) = True, (x + y) + c == y + (x + d) = False",
    lambda x, y, z, c, u: ((x + y) + (z + u), (x + (z + y * u)) + c),
    on=BVADD,
    theories=("BitVec",),
)
def eq_sums_of_bitvectors(left: BitVecTerm, right: BitVecTerm) -> Guard | None:
    """Take one side from the other, the newest term first, so that each is met once."""
    if left is right:
        return True
    mask = left.sort.mask
    factors: dict[BitVecTerm, int] = {left: 1, right: mask}
    queue = [(-left.id, left), (-right.id, right)]
    heapq.heapify(queue)
    rest = 0
    for _ in range(LIMIT):
        if not queue:
            return rest == 0
        term = heapq.heappop(queue)[1]
        factor = factors.pop(term)
        if factor == 0:
            continue
        parts = _summands(term, factor, mask)
        if parts is None:
            return None
        for part, number in parts:
            if not isinstance(part, Term):
                rest = (rest + part.value * number) & mask
            elif part in factors:
                factors[part] = (factors[part] + number) & mask
            else:
                factors[part] = number
                heapq.heappush(queue, (-part.id, part))
    return None


def _summands(term: BitVecTerm, factor: int, mask: int) -> list[tuple[Bits, int]] | None:
    """What a multiple of a term is the sum of, each part with its factor; `None` if of itself."""
    op = term.op
    if op is BVADD:
        return [(term.key[1], factor), (term.key[2], factor)]
    if op is BVNEG:
        return [(term.key[1], -factor & mask)]
    if op is BVSHL and isinstance(term.key[2], BV):
        return [(term.key[1], (factor << term.key[2].value) & mask)]
    if op is BVMUL and isinstance(term.key[2], BV):
        return [(term.key[1], factor * term.key[2].value & mask)]
    return None
