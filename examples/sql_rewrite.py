"""Rewriting SQL: which rewritings of a query are right for all tables?

Tables are lists of rows, a column may be NULL, and a condition with NULL is neither true nor
false, as SQL has it: here that is None.

Proved: a filter on one table may be done before an inner join; `NOT EXISTS` may be done by an
outer join of which one keeps the rows without a partner. For all tables of up to two rows and all
numbers.
Found: `x NOT IN (subquery)` is not `NOT EXISTS`: they differ as soon as there is a NULL on one
side. And a filter on the right table may not be done before an outer join.
"""

from __future__ import annotations

from solvent import integers, lists, one_of, tuples, verify

Cell = int | None
Row = tuple[Cell, ...]
Table = list[Row]


def equal(a: Cell, b: Cell) -> bool | None:
    """`a = b`, which nobody knows of NULL."""
    return None if a is None or b is None else a == b


def not_in(x: Cell, column: list[Cell]) -> bool | None:
    """`x NOT IN (...)`, the conjunction of `x <> y` for each of them."""
    known = [equal(x, y) for y in column]
    return False if any(k is True for k in known) else None if None in known else True


def inner_join(left: Table, right: Table) -> Table:
    return [a + b for a in left for b in right if equal(a[0], b[0]) is True]


def left_join(left: Table, right: Table) -> Table:
    joined: Table = []
    for a in left:
        partners = [b for b in right if equal(a[0], b[0]) is True]
        joined += [a + b for b in partners] if partners else [(*a, None, None)]
    return joined


def positive(table: Table, column: int) -> Table:
    """`WHERE column > 0`."""
    return [row for row in table if row[column] is not None and row[column] > 0]


def filter_before_inner_join(left: Table, right: Table) -> None:
    assert positive(inner_join(left, right), 3) == inner_join(left, positive(right, 1))


def filter_before_outer_join(left: Table, right: Table) -> None:
    assert positive(left_join(left, right), 3) == left_join(left, positive(right, 1))


def without_partner(left: Table, right: Table) -> Table:
    """`WHERE NOT EXISTS (SELECT * FROM right WHERE right.a = left.a)`."""
    return [a for a in left if not any(equal(a[0], b[0]) is True for b in right)]


def not_exists_by_outer_join(left: Table, right: Table) -> None:
    kept = [row[:2] for row in left_join(left, right) if row[2] is None]
    assert kept == without_partner(left, right)


def not_in_is_not_exists(left: Table, right: Table) -> None:
    kept = [a for a in left if not_in(a[0], [b[0] for b in right]) is True]
    assert kept == without_partner(left, right)


if __name__ == "__main__":
    cell = one_of(integers(), None)
    tables = [lists(tuples(cell, cell), max_len=2)] * 2
    pushed = verify(filter_before_inner_join, *tables)
    anti_join = verify(not_exists_by_outer_join, *tables)
    outer = verify(filter_before_outer_join, *tables)
    null = verify(not_in_is_not_exists, *tables)
    for result in (pushed, anti_join, outer, null):
        print(result)
