"""The table of all terms, and how its memory and the garbage collector are looked after.

Terms are hash-consed: `TABLE` maps the key of a term (its operator and arguments) to the term,
so that structurally equal terms are one object.  Two things about that table are unusual.

*Dead terms are swept.*  A weak table would double the cost of building a term.  Instead, when
the table has grown enough, one pass removes every term that only the table still refers to, newest
first: a term is always older than the terms built from it, so one pass frees whole dead graphs.

*The cyclic garbage collector is kept away from terms.*  Terms cannot form cycles, as their
arguments exist before them, yet the collector would traverse hundreds of thousands of them again
and again, which costs more than half of the building speed.  So live objects are moved out of
its sight (`gc.freeze`, constant time) every few hundred new terms, and brought back for one full
collection at each sweep: amortised, each object is then traversed about once, and cyclic
garbage of the user's is still found.
"""

from __future__ import annotations

import gc
import itertools
import sys
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

TABLE: dict[tuple[Any, ...], Any] = {}

# New terms between two visits to the housekeeping below.
CHUNK = 256
# At least this many new terms lie between two sweeps.
SMALLEST_SWEEP = 131_072
# How much the table may grow until the next sweep: as its size, or, after a sweep that found less
# than a quarter dead, three times that.
GROWTH, PATIENT_GROWTH = 1, 3


class _Housekeeping:
    """Hands out term numbers in chunks, and does its work between two chunks."""

    def __init__(self) -> None:
        self.chunks = itertools.count()
        self.sweep_at = SMALLEST_SWEEP
        self.sweeps = 0
        self.freeze = True

    def __iter__(self) -> Iterator[range]:
        return self

    def __next__(self) -> range:
        first = next(self.chunks) * CHUNK
        if first >= self.sweep_at:
            # Another thread must not start a second sweep meanwhile.
            self.sweep_at = sys.maxsize
            fruitful = 4 * sweep() > len(TABLE)
            if self.freeze and gc.isenabled():
                gc.unfreeze()
                gc.collect()
            growth = GROWTH if fruitful else PATIENT_GROWTH
            self.sweep_at = first + max(SMALLEST_SWEEP, growth * len(TABLE))
        if self.freeze and gc.isenabled():
            gc.freeze()
        return range(first, first + CHUNK)


housekeeping = _Housekeeping()

# Numbers grow with creation: the arguments of a term have smaller numbers than the term.
next_id: Callable[[], int] = itertools.chain.from_iterable(housekeeping).__next__


def _remove_unreferenced(table: dict[Any, Any], references: int) -> None:
    """Drop the entries whose value has this many references, the newest entries first.

    One expression of C functions, so that no other thread can take a term out of the table
    between the look at its reference count and its removal.  The lists are consumed from their
    ends, so that a removed term releases its arguments before they are looked at.
    """
    keys = list(table)
    terms = list(table.values())
    counts = map(sys.getrefcount, map(list.pop, itertools.repeat(terms, len(terms))))
    dead = itertools.compress(
        map(list.pop, itertools.repeat(keys, len(keys))), map(references.__eq__, counts)
    )
    deque(map(table.pop, dead), maxlen=0)


def _references_of_dead_value() -> int:
    """How many references the sweep sees to a value that only the table holds."""
    for references in range(1, 10):
        probe = {(): object()}
        _remove_unreferenced(probe, references)
        if not probe:
            return references
    raise AssertionError("the reference counts of this Python cannot be read")


_DEAD = _references_of_dead_value()


def sweep() -> int:
    """Remove the terms that nobody refers to any more; returns how many were removed.

    This happens by itself as terms are built; call it to have the memory back at once.

    >>> from solvent.terms import Int
    >>> kept = sweep()
    >>> term = Int("never used again") + 1
    >>> del term
    >>> sweep()
    2
    """
    before = len(TABLE)
    _remove_unreferenced(TABLE, _DEAD)
    housekeeping.sweeps += 1
    return before - len(TABLE)


def live_terms() -> int:
    """The number of terms in the table."""
    return len(TABLE)


def freeze_collector(enabled: bool) -> None:
    """Whether live objects are hidden from the garbage collector while terms are built.

    Switch it off in a process that uses `gc.freeze` for purposes of its own.
    """
    housekeeping.freeze = enabled
    if not enabled:
        gc.unfreeze()
