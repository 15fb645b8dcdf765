"""The theory of arrays."""

from __future__ import annotations

from solvent.terms.arrays import CONST_ARRAY, SELECT, STORE
from solvent.terms.smtlib.signatures import (
    Args,
    Argument,
    Head,
    Problem,
    arguments,
    check_arity,
    sort_of,
)
from solvent.terms.sorts import ArraySort


def _array(name: str, args: Args, count: int) -> ArraySort:
    check_arity(name, args, count, count)
    sort = sort_of(args[0])
    if not isinstance(sort, ArraySort):
        raise Problem(f"argument 1 of {name} is of sort {sort.smt}, not an array")
    return sort


def _select(args: Args) -> Argument:
    sort = _array("select", args, 2)
    return SELECT(*arguments("select", args, (sort, sort.index)))


def _store(args: Args) -> Argument:
    sort = _array("store", args, 3)
    return STORE(*arguments("store", args, (sort, sort.index, sort.element)))


HEADS: dict[str, Head] = {"select": _select, "store": _store}


def constant_array(sort: ArraySort) -> Head:
    """`(as const sort)`: the array that has the same element everywhere."""
    build = CONST_ARRAY.at(sort)
    return lambda args: build(*arguments("const", args, (sort.element,)))
