"""Arrays: total maps of the theory, with `select`, `store` and constant arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solvent.errors import SortError
from solvent.terms.booleans import ITE, equals, ite, not_equals
from solvent.terms.ops import Op
from solvent.terms.rules import rule
from solvent.terms.softfloat import external
from solvent.terms.sorts import (
    TERM_CLASSES,
    ArraySort,
    SortLike,
    array_sort,
    as_sort,
    describe,
)
from solvent.terms.term import Term, lookup, node, rewritten, same_operand
from solvent.terms.values import ArrayValue, sort_of

if TYPE_CHECKING:
    from solvent.terms.kinds import ArrayLike, Guard, Operand

# Elements are of the sort that the array has, which only the running program knows.
SELECT: Op[Any] = Op("select", lambda a, i: a.at(i), lambda a, i: a.sort.element)
STORE: Op[ArrayLike] = Op("store", lambda a, i, v: a.store(i, v), lambda a, i, v: a.sort)
CONST_ARRAY: Op[ArrayLike] = Op(
    "const_array",
    lambda sort, v: ArrayValue(sort, v),
    lambda sort, v: sort,
    lambda sort: f"(as const {sort.smt})",
)


class ArrayTerm(Term):
    """A symbolic array; `a[i]` reads, `store(a, i, v)` is the array with one element replaced.

    >>> from solvent.terms import Array, Int
    >>> a, i = Array("a", Int, Int), Int("i")
    >>> store(a, i, 5)[i], store(a, 1, 5)[2]
    (5, a[2])
    """

    __slots__ = ()
    __hash__ = object.__hash__

    sort: ArraySort

    def __getitem__(self, index: Operand) -> Any:
        return select(self, index)

    def __eq__(self, other: object) -> Guard:  # type: ignore[override]
        return equals(self, other)

    def __ne__(self, other: object) -> Guard:  # type: ignore[override]
        return not_equals(self, other)


TERM_CLASSES[ArraySort] = ArrayTerm


def _array_sort(array: ArrayLike) -> ArraySort:
    sort = getattr(array, "sort", None)
    if not isinstance(sort, ArraySort):
        raise SortError(f"an array is needed, not {describe(array)}")
    return sort


def select(array: ArrayLike, index: Operand) -> Any:
    """The element at an index.

    >>> from solvent.terms import Array, Int, const_array
    >>> select(const_array(Int, 7), Int("i"))
    7
    """
    sort = _array_sort(array)
    return external(SELECT(array, sort.index.require(index)))


def store(array: ArrayLike, index: Operand, value: Operand) -> ArrayLike:
    """The array with the element at an index replaced.

    >>> from solvent.terms import Array, Int
    >>> a = Array("a", Int, Int)
    >>> store(store(a, 1, 2), 1, 3)
    store(a, 1, 3)
    """
    sort = _array_sort(array)
    return STORE(array, sort.index.require(index), sort.element.require(value))


def const_array(index: SortLike, value: Operand) -> ArrayLike:
    """The array over an index sort whose elements are all `value`.

    >>> from solvent.terms import Int
    >>> const_array(Int, 0)[5]
    0
    """
    element = sort_of(value)
    return CONST_ARRAY.at(array_sort(as_sort(index), element))(element.require(value))


def _select_construct(array: ArrayLike, index: Operand) -> Any:
    term = lookup((SELECT, array, index))
    if term is not None:
        return term
    if isinstance(array, Term):
        result = rewritten(SELECT.rules.get(array.op.base, ()), array, index)
    else:
        result = rewritten(SELECT.left_constant_rules[None], array, index)
    if result is not None:
        return result
    sort = array.sort.element
    return node(sort.term_class, SELECT, sort, array, index)


def _store_construct(array: ArrayLike, index: Operand, value: Operand) -> ArrayLike:
    term = lookup((STORE, array, index, value))
    if term is not None:
        return term
    if isinstance(array, Term):
        result = rewritten(STORE.rules.get(array.op.base, ()), array, index, value)
        if result is not None:
            return result
    if isinstance(value, Term):
        result = rewritten(STORE.right_rules.get(value.op.base, ()), array, index, value)
        if result is not None:
            return result
    return node(ArrayTerm, STORE, array.sort, array, index, value)


def _const_array_construct(sort: ArraySort, value: Operand) -> ArrayTerm:
    return node(ArrayTerm, CONST_ARRAY.at(sort), sort, value)


SELECT.construct = _select_construct
STORE.construct = _store_construct
CONST_ARRAY.construct = _const_array_construct

# How many stores at other concrete indices a read looks through.
LOOK_THROUGH = 4096


@rule(
    SELECT,
    "store(a, i, x)[i] = x; store(a, c, x)[d] = a[d] if c and d differ",
    lambda a, x, c: (store(store(a, c, x), c + 1, x), c),
    on=STORE,
    theories=("Array",),
)
@rule(SELECT, "store(a, i, x)[i] = x", lambda a, i, x: (store(a, i, x), i), theories=("Array",))
def select_store(array: ArrayTerm, index: Operand) -> Operand | None:
    concrete = not isinstance(index, Term)
    looked = array
    for _ in range(LOOK_THROUGH):
        _, inner, at, value = looked.key
        if same_operand(at, index):
            return value
        if not concrete or isinstance(at, Term):
            break
        looked = inner
        if not isinstance(looked, Term) or looked.op is not STORE:
            return SELECT(looked, index)
    return SELECT(looked, index) if looked is not array else None


@rule(
    SELECT,
    "const_array(x)[i] = x",
    lambda a, i, x: (CONST_ARRAY.at(a.sort)(x), i),
    on=CONST_ARRAY,
    theories=("Array",),
)
def select_const(array: ArrayTerm, index: Operand) -> Operand | None:
    return array.key[1]


@rule(
    SELECT,
    "the concrete array of one element everywhere, at any index, is that element",
    lambda a, i: (ArrayValue(a.sort, a.sort.element.default), i),
    left_constant=True,
    theories=("Array",),
)
def select_constant(array: ArrayValue, index: Operand) -> Operand | None:
    return array.default if not array.items else None


@rule(
    SELECT,
    "ite(p, a, b)[i] = ite(p, a[i], b[i])",
    lambda p, a, i, x: (ite(p, store(a, i, x), a), i),
    on=ITE,
    theories=("Array",),
)
def select_choice(array: ArrayTerm, index: Operand) -> Operand | None:
    """Read through all choices and stores below, each of which is met once however it is shared."""
    seen = {array}
    pending = [array]
    while pending:
        if len(seen) > LOOK_THROUGH:
            return None
        for below in _read_through(pending.pop(), index):
            if isinstance(below, Term) and below not in seen:
                seen.add(below)
                pending.append(below)
    found: dict[Term, Operand] = {}

    def read(below: ArrayLike) -> Operand:
        return found[below] if isinstance(below, Term) else SELECT(below, index)

    for term in sorted(seen, key=lambda term: term.id):
        arrays = _read_through(term, index)
        if not arrays:
            found[term] = SELECT(term, index)
        elif len(arrays) == 1:
            found[term] = read(arrays[0])
        else:
            found[term] = ite(term.key[1], read(arrays[0]), read(arrays[1]))
    return found[array]


def _read_through(array: ArrayTerm, index: Operand) -> tuple[ArrayLike, ...]:
    """The arrays that decide a read: both of a choice, that below a store elsewhere, or none."""
    if array.op.base is ITE:
        return array.key[2:]
    if array.op is STORE and not isinstance(index, Term):
        _, inner, at, _value = array.key
        if not isinstance(at, Term) and at != index:
            return (inner,)
    return ()


@rule(
    STORE,
    "store(store(a, i, x), i, y) = store(a, i, y)",
    lambda a, i, x, y: (store(a, i, x), i, y),
    on=STORE,
    theories=("Array",),
)
def store_again(array: ArrayTerm, index: Operand, value: Operand) -> ArrayLike | None:
    return STORE(array.key[1], index, value) if same_operand(array.key[2], index) else None


@rule(STORE, "store(a, i, a[i]) = a", lambda a, i: (a, i, a[i]), right=SELECT, theories=("Array",))
def store_same(array: ArrayTerm, index: Operand, value: Term) -> ArrayLike | None:
    return array if value.key[1] is array and same_operand(value.key[2], index) else None
