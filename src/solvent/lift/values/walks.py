"""In which order sets with symbolic elements are walked: in any, where something is to be proved.

CPython goes by hashes and by what has happened to a set before, of which a symbolic run knows
nothing.  So its elements go through a network of swaps, each of which is done or not under a
condition of its own: the network of bubble sort has a way for every permutation.  Other runs take
the order in which elements were added.
"""

from __future__ import annotations

from collections.abc import Mapping

from solvent.lift.varying import Record, note_varying, record_of_run
from solvent.terms.booleans import ite
from solvent.terms.sorts import Bool
from solvent.vm.merge import merge
from solvent.vm.own import position
from solvent.vm.values import Guard, Value

Rows = list[tuple[Value, Guard]]

# Sets with more elements would be walked by too many swaps: nothing is proved of them.
MOST = 7


def walked(found: Value, guards: Mapping[Value, Guard]) -> Rows:
    """The elements of a set with their guards, in the order in which they are walked."""
    # What is there on no path has no place among others.
    rows = [row for row in guards.items() if row[1] is not False]
    record = record_of_run()
    if len(rows) < 2 or record is None:
        return rows
    record.walked = record.walked or position()
    if not record.any_order:
        return rows
    if len(rows) > MOST:
        note_varying(f"the order of a set with more than {MOST} elements, some of them symbolic,")
        return rows
    return _known(record, found, rows) or _new(record, found, rows)


def takes_any_order() -> bool:
    """Whether sets are walked in any order in the present run."""
    record = record_of_run()
    return record is not None and record.any_order


def _known(record: Record, found: Value, rows: Rows) -> Rows | None:
    for one, before, walk in record.walks:
        if one is found and len(before) == len(rows) and all(map(_same, before, rows)):
            return walk
    return None


def _same(a: tuple[Value, Guard], b: tuple[Value, Guard]) -> bool:
    return a[0] is b[0] and a[1] is b[1]


def _new(record: Record, found: Value, rows: Rows) -> Rows:
    walk = list(rows)
    for end in range(len(walk) - 1, 0, -1):
        for place in range(end):
            swap = Bool.fresh("order")
            (a, a_guard), (b, b_guard) = walk[place], walk[place + 1]
            walk[place] = merge(swap, b, a), ite(swap, b_guard, a_guard)
            walk[place + 1] = merge(swap, a, b), ite(swap, a_guard, b_guard)
    record.walks.append((found, rows, walk))
    return walk
