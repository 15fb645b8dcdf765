"""Arrays while a model is run: a table of what is at known indices, above a base.

The base is one element everywhere, or an array term.  Versions of a memory that arise from each
other by writes share one table, which the newest one to be used owns; an older version remembers
only what it has different (Baker's trick).  So a write and a read take constant time along a run,
whatever the size of the table, and a choice between two versions looks only at the indices that
differ.  A symbolic index that can only be one of a few numbers is a choice between them.  Any other
ends what the table can do: the memory becomes a term, and that the base of a new table.
"""

from __future__ import annotations

from solvent.btor2.guards import Guards
from solvent.btor2.symbolic import Value, Word, as_bits, decide, from_bits
from solvent.terms import eq, ite, select, store
from solvent.terms.arrays import CONST_ARRAY, STORE, ArrayTerm
from solvent.terms.kinds import ArrayLike, Guard, Operand
from solvent.terms.sorts import ArraySort, BitVecSort, Sort, bitvec_sort
from solvent.terms.term import Term
from solvent.terms.values import ArrayValue, make_bv

# A read at a symbolic index, of a table above one element, becomes at most so many tests.
CHAIN = 16
# An array with at most so many bits of an index is written down as a whole where it is compared.
WIDEST_INDEX = 16

_ABSENT: Value = object()


class Oracle:
    """A base that remembers which of its elements were asked for."""

    __slots__ = ("asked", "value")

    def __init__(self, value: ArrayValue) -> None:
        self.value = value
        self.asked: dict[int, int] = {}

    def read(self, index: int) -> int:
        """The element at an index."""
        sort = self.value.sort.index
        assert isinstance(sort, BitVecSort)
        element: int = self.value.at(make_bv(index, sort)).value
        self.asked[index] = element
        return element

    def read_all(self) -> ArrayValue:
        """The whole array, which takes every element, or those that differ if there are many."""
        sort = self.value.sort.index
        assert isinstance(sort, BitVecSort)
        if sort.width <= WIDEST_INDEX:
            for index in range(1 << sort.width):
                self.read(index)
        else:
            self.asked.update({i.value: e.value for i, e in self.value.items.items()})
        return self.value


class Memory:
    """One version of an array.

    `base` is the element everywhere else, or the array term below.

    >>> from solvent.terms import Array, BitVec
    >>> old = Memory(Array(BitVec(8), BitVec(8)), 0)
    >>> new = old.put(3, 7)
    >>> new.at(3), old.at(3), dict(new.items())
    (7, 0, {3: 7})
    """

    __slots__ = ("_key", "_newer", "_table", "_term", "_value", "base", "sort")

    def __init__(self, sort: ArraySort, base: Value, table: dict[int, Value] | None = None) -> None:
        self.sort = sort
        self.base = base
        self._table: dict[int, Value] | None = {} if table is None else table
        self._newer: Memory | None = None
        self._key = 0
        self._value: Value = None
        self._term: ArrayLike | None = None

    # --- the shared table --------------------------------------------------------------------

    def _own(self) -> dict[int, Value]:
        """The table, after making it show this version."""
        if self._table is not None:
            return self._table
        path: list[Memory] = []
        version: Memory = self
        while version._newer is not None:
            path.append(version)
            version = version._newer
        table = version._table
        assert table is not None
        for older in reversed(path):
            newer = older._newer
            assert newer is not None
            # The version that owned the table remembers what it had here instead.
            newer._key, newer._value = older._key, table.get(older._key, _ABSENT)
            newer._newer, newer._table = older, None
            if older._value is _ABSENT:
                table.pop(older._key, None)
            else:
                table[older._key] = older._value
            older._newer, older._table = None, table
        return table

    def _with(self, index: int, value: Value) -> Memory:
        table = self._own()
        result = Memory(self.sort, self.base, table)
        self._key, self._value = index, table.get(index, _ABSENT)
        self._newer, self._table = result, None
        # What was written last stands last, so that terms of many versions share their beginning.
        table.pop(index, None)
        table[index] = value
        return result

    def items(self) -> list[tuple[int, Value]]:
        """What the table holds, in the order of the indices."""
        return sorted(self._own().items())

    def _differences(self, other: Memory) -> list[int] | None:
        """The indices at which another version of this memory may differ; None if it is none."""
        self._own()
        found: dict[int, None] = {}
        version = other
        while version._newer is not None:
            found[version._key] = None
            version = version._newer
        return list(found) if version is self else None

    # --- reading and writing -----------------------------------------------------------------

    def at(self, index: int) -> Value:
        """The element at a known index: a number, a term, or the memory that an element is."""
        found = self._own().get(index, _ABSENT)
        return self._below(index) if found is _ABSENT else found

    def read(self, index: Word, guards: Guards) -> Value:
        """The element at an index, which guards look into."""
        if index.__class__ is int:
            return self.at(index)
        rows = guards.choices(as_bits(index, self._index_width))
        if len(rows) > 1:
            return self._read_one_of(rows, guards)
        flat = not isinstance(self.base, Term) and isinstance(self.sort.element, BitVecSort)
        if flat and len(self._own()) <= CHAIN:
            return self._chain(index)
        return self._element(select(self.term(), as_bits(index, self._index_width)))

    def _below(self, index: int) -> Value:
        if isinstance(self.base, ArrayTerm):
            return self._element(select(self.base, as_bits(index, self._index_width)))
        return self.base.read(index) if isinstance(self.base, Oracle) else self.base

    def _read_one_of(self, rows: list[tuple[Guard, Operand]], guards: Guards) -> Value:
        """The element at one of a few indices, each with its condition."""
        *others, (_, last) = rows
        result = self.read(from_bits(last), guards)
        for test, index in others:
            found = self.read(from_bits(index), guards)
            result = choose(guards, test, found, result, self.sort.element)
        return result

    def _chain(self, index: Word) -> Value:
        position = as_bits(index, self._index_width)
        width = self.sort.element.width  # type: ignore[attr-defined]
        result = as_bits(self.base, width)
        for at, value in self.items():
            test = eq(position, as_bits(at, self._index_width))
            result = ite(test, as_bits(value, width), result)
        return from_bits(result)

    def put(self, index: int, value: Value) -> Memory:
        """The memory with the element at a known index replaced."""
        old = self._own().get(index, _ABSENT)
        if old is value or (old.__class__ is int and value.__class__ is int and old == value):
            return self
        return self._with(index, value)

    def write(self, index: Word, value: Value, guards: Guards) -> Memory:
        """The memory with the element at an index replaced, which guards look into."""
        if index.__class__ is int:
            return self.put(index, value)
        rows = guards.cases(as_bits(index, self._index_width))
        if rows is not None:
            result = self
            for test, one in rows:
                chosen = choose(guards, test, value, self.at(one), self.sort.element)
                result = result.put(one, chosen)
            return result
        position = as_bits(index, self._index_width)
        return Memory(self.sort, store(self.term(), position, self._as_term(value)))

    def choose(self, test: Guard, other: Memory, guards: Guards) -> Memory:
        """This memory where a condition holds, else the other."""
        if self is other:
            return self
        indices = self._differences(other) if self.base is other.base else None
        if indices is None:
            return self._choose_apart(test, other, guards)
        # One version after the other: each reading makes the table show that version.
        theirs_all = [other.at(index) for index in indices]
        mine_all = [self.at(index) for index in indices]
        result = self
        for index, mine, theirs in zip(indices, mine_all, theirs_all, strict=True):
            if mine is not theirs and not (
                mine.__class__ is int and theirs.__class__ is int and mine == theirs
            ):
                chosen = choose(guards, test, mine, theirs, self.sort.element)
                result = result.put(index, chosen)
        return result

    def _choose_apart(self, test: Guard, other: Memory, guards: Guards) -> Memory:
        """A choice between memories that have different bases."""
        bases = [
            memory.base if isinstance(memory.base, Term) else memory._base_term()
            for memory in (self, other)
        ]
        same = self.base.__class__ is int and self.base == other.base
        base = self.base if same else ite(test, bases[0], bases[1])
        result = Memory(self.sort, base)
        for index in sorted({*self._own(), *other._own()}):
            mine, theirs = self.at(index), other.at(index)
            chosen = choose(guards, test, mine, theirs, self.sort.element)
            result = result._with(index, chosen)
        return result

    # --- as a term ---------------------------------------------------------------------------

    @property
    def _index_width(self) -> int:
        sort = self.sort.index
        assert isinstance(sort, BitVecSort)
        return sort.width

    def _element(self, value: Operand) -> Value:
        """An element of an array term, or of a concrete array, as a value here."""
        if isinstance(self.sort.element, ArraySort):
            return Memory(self.sort.element, value)
        return from_bits(value)

    def _as_term(self, value: Value) -> Value:
        if isinstance(value, Memory):
            return value.term()
        assert isinstance(self.sort.element, BitVecSort)
        return as_bits(value, self.sort.element.width)

    def _base_term(self) -> ArrayLike:
        if isinstance(self.base, Term):
            return self.base  # type: ignore[return-value]
        # A term even for a concrete element: the stores above it are then shared.
        return CONST_ARRAY.at(self.sort).construct(self._as_term(self.base))

    def term(self) -> ArrayLike:
        """The whole memory as an array term."""
        if self._term is None:
            result = self._base_term()
            for index, value in self._own().items():
                result = STORE(result, as_bits(index, self._index_width), self._as_term(value))
            self._term = result
        return self._term

    @property
    def is_concrete(self) -> bool:
        """Whether all elements are numbers."""
        values = [self.base, *self._own().values()]
        return all(
            value.is_concrete if isinstance(value, Memory) else value.__class__ in (int, Oracle)
            for value in values
        )

    def equals(self, other: Memory) -> Value:
        """Whether two memories agree everywhere: 0, 1 or a term."""
        if self is other:
            return 1
        if self.is_concrete and other.is_concrete:
            return int(self.value() == other.value())
        return from_bits(eq(self.term(), other.term()))

    def value(self) -> ArrayValue:
        """A concrete memory as an array of `solvent.terms`."""
        sort = bitvec_sort(self._index_width)
        if isinstance(self.base, Oracle):
            whole = self.base.read_all()
            for index, element in self.items():
                whole = whole.store(make_bv(index, sort), self._concrete(element))
            return whole
        items = {make_bv(i, sort): self._concrete(v) for i, v in self.items()}
        return ArrayValue(self.sort, self._concrete(self.base), items)

    def _concrete(self, value: Value) -> Value:
        return value.value() if isinstance(value, Memory) else self._as_term(value)

    @staticmethod
    def everywhere(sort: ArraySort, element: Value) -> Memory:
        """The memory with one element everywhere: a number, a term or a memory."""
        if isinstance(element, Term):
            assert isinstance(sort.element, BitVecSort)
            # As a base, a term is a whole array.
            bits = as_bits(element, sort.element.width)
            return Memory(sort, CONST_ARRAY.at(sort).construct(bits))
        return Memory(sort, element)

    @staticmethod
    def of(value: ArrayLike) -> Memory:
        """The memory that an array term or a concrete array is.

        >>> from solvent.terms import Array, ArrayValue, BitVec
        >>> Memory.of(ArrayValue(Array(BitVec(8), BitVec(8)), 1, {2: 3}))
        Memory({2: 3}, base=1)
        """
        sort = value.sort
        if isinstance(value, Term):
            return Memory(sort, value)
        nested = isinstance(sort.element, ArraySort)
        inner = Memory.of if nested else from_bits
        table = {index.value: inner(element) for index, element in value.items.items()}
        return Memory(sort, inner(value.default), table)

    def __repr__(self) -> str:
        return f"Memory({dict(self.items())}, base={self.base!r})"


def choose(guards: Guards, test: Guard, a: Value, b: Value, sort: Sort[Term]) -> Value:
    """`a` where a symbolic condition holds, else `b`: numbers, terms or memories of a sort."""
    if a is b:
        return a
    if isinstance(sort, ArraySort):
        return a.choose(test, b, guards)
    width: int = sort.width  # type: ignore[attr-defined]
    if width == 1:
        a, b = (bool(one) if one.__class__ is int else one for one in (a, b))
        return decide(guards, test, a, b)
    return decide(guards, test, as_bits(a, width), as_bits(b, width))
