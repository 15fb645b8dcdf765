"""The table of all terms, and how its memory and the garbage collector are looked after.

Terms are hash-consed: `TABLE` maps the key of a term (its operator and arguments) to the term,
so that structurally equal terms are one object.  The compiled core has its own table of terms,
which follows the same rules at the same moments, so that both make the same terms in the same order
under the same numbers; `TABLE` then holds concrete bitvectors only.  Two things are unusual.

*Dead terms are swept.*  A weak table would double the cost of building a term.  Instead, when
the table has grown enough, one pass removes every term that only the table still refers to, newest
first: a term is always older than the terms built from it, so one pass frees whole dead graphs.

*The cyclic garbage collector is kept away from terms.*  Terms cannot form cycles, as their
arguments exist before them, yet the collector would traverse hundreds of thousands of them again
and again, which costs more than half of the building speed.  So live objects are moved out of
its sight (`gc.freeze`, constant time) every few hundred new terms, and brought back for one full
collection at each sweep: amortised, each object is then traversed about once, and cyclic
garbage of the user's is still found.  The compiled core needs none of that: its terms are
unknown to the collector.

*An interrupt breaks nothing.*  Ctrl-C raises an exception between any two steps of Python code, and
most of the C iterators that could call the housekeeping are exhausted for ever by an exception;
`map` is not.  What the housekeeping leaves undone, the next visit does.
"""

from __future__ import annotations

import gc
import itertools
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from solvent.terms.core import COMPILED

if COMPILED:
    from solvent.terms.compiled import live as live_nodes
    from solvent.terms.compiled import made as made_numbers
    from solvent.terms.compiled import next_id as next_number
    from solvent.terms.compiled import setup_numbers
    from solvent.terms.compiled import sweep as sweep_nodes

TABLE: dict[tuple[object, ...], Any] = {}

# New terms between two visits to the housekeeping below.
CHUNK = 256
# At least this many new terms lie between two sweeps.
SMALLEST_SWEEP = 131_072
# How much the table may grow until the next sweep: as its size, or, after a sweep that found less
# than a quarter dead, three times that.
GROWTH, PATIENT_GROWTH = 1, 3


class _Housekeeping:
    """What is done at every `CHUNK`-th term number, by taking that number from it."""

    def __init__(self) -> None:
        self.created = 0
        self.sweep_at = SMALLEST_SWEEP
        self.sweeps = 0
        # The collector does not see the terms of the compiled core.
        self.freeze = not COMPILED

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        self.visit()
        return next(_numbers)

    def visit(self) -> None:
        """What there is to do after `CHUNK` new terms."""
        self.created += CHUNK
        if self.created >= self.sweep_at:
            # Another thread must not start a second sweep meanwhile, and one that an interrupt
            # ends must not be the last.
            self.sweep_at = self.created + SMALLEST_SWEEP
            fruitful = 4 * sweep() > live_terms()
            if self.freeze and gc.isenabled():
                gc.unfreeze()
                gc.collect()
            growth = GROWTH if fruitful else PATIENT_GROWTH
            self.sweep_at = self.created + max(SMALLEST_SWEEP, growth * live_terms())
        if self.freeze and gc.isenabled():
            gc.freeze()


housekeeping = _Housekeeping()

# Numbers grow with creation: the arguments of a term have smaller numbers than the term.  They are
# counted by a C function, so that no thread can come with an older one later.
_numbers: Iterator[int] = itertools.count()
next_id: Callable[[], int] = map(
    next, itertools.cycle([_numbers] * (CHUNK - 1) + [housekeeping])
).__next__

if COMPILED:
    setup_numbers(housekeeping.visit, CHUNK)
    next_id = next_number


def created_terms() -> int:
    """How many terms were created so far."""
    # The text of a C iterator is the only thing that tells its number and takes none.
    return made_numbers() if COMPILED else int(repr(_numbers)[len("count(") : -1])


def _remove_unreferenced(table: dict[Any, Any], references: int) -> None:
    """Drop the entries whose value has this many references, the newest entries first.

    The lists are consumed from their ends, and nothing is held on to, so that a removed term
    releases its arguments before they are looked at.  Other threads run while a key is hashed, and
    may take the term out of the table between the look at its reference count and its removal:
    such a term is put back.
    """
    keys = list(table)
    terms = list(table.values())
    # Another thread may have added some meanwhile.
    del terms[len(keys) :]
    counts = map(sys.getrefcount, map(list.pop, itertools.repeat(terms, len(terms))))
    dead = itertools.compress(
        map(list.pop, itertools.repeat(keys, len(keys))), map(references.__eq__, counts)
    )
    for key in dead:
        term = table.pop(key)
        if sys.getrefcount(term) != _ALONE:
            table.setdefault(key, term)
        del key, term


def _references_of_local_value() -> int:
    """How many references there are to a value that only one variable holds."""
    term = {(): object()}.pop(())
    return sys.getrefcount(term)


_ALONE = _references_of_local_value()


def _references_of_dead_value() -> int:
    """How many references the sweep sees to a value that only the table holds."""
    for references in range(1, 10):
        probe = {(): object()}
        _remove_unreferenced(probe, references)
        if not probe:
            return references
    # Reference counts say nothing in this Python: then no term is ever found dead.
    return -1


_DEAD = _references_of_dead_value()
_sweeping = threading.Lock()


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
    if _sweeping.locked():
        return 0
    with _sweeping:
        before = live_terms()
        if COMPILED:
            sweep_nodes()
        _remove_unreferenced(TABLE, _DEAD)
        housekeeping.sweeps += 1
        return max(0, before - live_terms())


def live_terms() -> int:
    """The number of terms in the table."""
    return len(TABLE) + live_nodes() if COMPILED else len(TABLE)


# How many new objects a symbolic run makes before the collector looks at them: most are gone by
# then, and those that are not would have it look at all that Solvent consists of.
YOUNG = 100_000


class _Calm:
    """How many runs are under way, and what the collector's threshold was before the first."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.runs = 0
        self.before = 0

    def begin(self) -> None:
        with self.lock:
            young, *others = gc.get_threshold()
            if not self.runs and 0 < young < YOUNG:
                self.before = young
                gc.set_threshold(YOUNG, *others)
            self.runs += 1

    def end(self) -> None:
        with self.lock:
            self.runs -= 1
            young, *others = gc.get_threshold()
            if not self.runs and self.before and young == YOUNG:
                gc.set_threshold(self.before, *others)
            if not self.runs:
                self.before = 0


_calm = _Calm()


@contextmanager
def calm_collector() -> Iterator[None]:
    """Let the garbage collector look at new objects less often, while many are made.

    >>> import gc
    >>> before = gc.get_threshold()
    >>> with calm_collector():
    ...     within = gc.get_threshold()
    >>> within[0] >= before[0], gc.get_threshold() == before
    (True, True)
    """
    _calm.begin()
    try:
        yield
    finally:
        _calm.end()


@contextmanager
def set_aside() -> Iterator[None]:
    """Keep what is there from the garbage collector while many short runs are made.

    >>> import gc
    >>> with set_aside():
    ...     aside = gc.get_freeze_count() > 0
    >>> aside
    True
    """
    if not gc.isenabled() or gc.get_freeze_count():
        # Somebody else looks after the collector.
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def freeze_collector(enabled: bool) -> None:
    """Whether live objects are hidden from the garbage collector while terms are built.

    Switch it off in a process that uses `gc.freeze` for purposes of its own.
    """
    housekeeping.freeze = enabled
    if not enabled:
        gc.unfreeze()
