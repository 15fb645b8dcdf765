"""Concrete values that Python has no class for, and the sort of any concrete value.

`int`, `bool`, `Fraction`, `float` and `str` are the values of Int, Bool, Real, Float64 and Str.
The classes here are the values of the other sorts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

from solvent.errors import SortError, WidthError, shortened
from solvent.terms.memory import TABLE
from solvent.terms.ops import OPERATORS
from solvent.terms.softfloat import external, internal
from solvent.terms.sorts import (
    ArraySort,
    BitVecSort,
    Bool,
    Int,
    Real,
    Sort,
    Str,
    UninterpretedSort,
    bitvec_sort,
    describe,
    float_sort,
    readable,
)

if TYPE_CHECKING:
    from solvent.terms.bitvectors import BitVecTerm
    from solvent.terms.kinds import ArrayLike, Bits, Concrete, Operand
    from solvent.terms.term import Term


class BV:
    """A concrete bitvector; make one with `bv(value, width)`.

    The arithmetic wraps around.  As for machine integers, `<`, `>>`, `//` and `%` read the bits
    as a signed number; `solvent.terms` has functions for the unsigned readings.

    >>> bv(250, 8) + 10
    bv(4, 8)
    >>> bv(255, 8).signed, bv(255, 8) < 0, bv(255, 8) == 255 == bv(-1, 8)
    (-1, True, True)
    """

    __slots__ = ("sort", "value")

    sort: BitVecSort
    value: int

    @property
    def width(self) -> int:
        """The number of bits."""
        return self.sort.width

    @property
    def signed(self) -> int:
        """The bits read as a number in two's complement."""
        width = self.sort.width
        return self.value - (1 << width) if self.value >> (width - 1) else self.value

    def wrapped(self, value: int) -> BV:
        """The bitvector of this width for a number, modulo 2**width."""
        return make_bv(value & self.sort.mask, self.sort)

    def _operand(self, other: BV | int) -> BV:
        """The other operand as a bitvector of this width, or NotImplemented."""
        if other.__class__ is BV:
            if other.sort is self.sort:
                return other
            raise SortError(
                f"operands of one width are needed: {describe(self)} and {describe(other)}"
            )
        if isinstance(other, int):
            return self.sort.coerce(other)  # type: ignore[return-value]  # concrete, as it is
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, BV):
            return self.sort is other.sort and self.value == other.value
        if isinstance(other, int) and not isinstance(other, bool):
            return self.value == other or self.signed == other
        return NotImplemented

    def __add__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else self.wrapped(self.value + b.value)

    __radd__ = __add__

    def __sub__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else self.wrapped(self.value - b.value)

    def __rsub__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else self.wrapped(b.value - self.value)

    def __mul__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else self.wrapped(self.value * b.value)

    __rmul__ = __mul__

    def __and__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else self.wrapped(self.value & b.value)

    __rand__ = __and__

    def __or__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else self.wrapped(self.value | b.value)

    __ror__ = __or__

    def __xor__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else self.wrapped(self.value ^ b.value)

    __rxor__ = __xor__

    def __lshift__(self, other: BV | int) -> BV:
        b = self._operand(other)
        if b is NotImplemented:
            return b
        return self.wrapped(self.value << b.value if b.value < self.sort.width else 0)

    def __rlshift__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else b << self

    def __rshift__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else self.wrapped(self.signed >> min(b.value, self.width))

    def __rrshift__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else b >> self

    def __floordiv__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else self.wrapped(self.signed // b.signed)

    def __rfloordiv__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else b // self

    def __mod__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else self.wrapped(self.signed % b.signed)

    def __rmod__(self, other: BV | int) -> BV:
        b = self._operand(other)
        return b if b is NotImplemented else b % self

    def __neg__(self) -> BV:
        return self.wrapped(-self.value)

    def __pos__(self) -> BV:
        return self

    def __invert__(self) -> BV:
        return self.wrapped(~self.value)

    def __abs__(self) -> BV:
        return self.wrapped(abs(self.signed))

    def __lt__(self, other: BV | int) -> bool:
        b = self._operand(other)
        return b if b is NotImplemented else self.signed < b.signed

    def __le__(self, other: BV | int) -> bool:
        b = self._operand(other)
        return b if b is NotImplemented else self.signed <= b.signed

    def __gt__(self, other: BV | int) -> bool:
        b = self._operand(other)
        return b if b is NotImplemented else self.signed > b.signed

    def __ge__(self, other: BV | int) -> bool:
        b = self._operand(other)
        return b if b is NotImplemented else self.signed >= b.signed

    def __getitem__(self, position: int | slice) -> BV:
        """`x[7:4]` are the bits 7 to 4, most significant first; `x[0]` is the lowest bit."""
        return bits_between(*bit_range(self, position), self)

    def __bool__(self) -> bool:
        return self.value != 0

    def __int__(self) -> int:
        return self.value

    def __index__(self) -> int:
        return self.value

    def __repr__(self) -> str:
        return f"bv({readable(self.value)}, {self.sort.width})"

    def __reduce__(self) -> tuple[object, ...]:
        return (bv, (self.value, self.sort.width))


def make_bv(value: int, sort: BitVecSort) -> BV:
    """The interned bitvector of a value in range."""
    key = (BV, value, sort)
    found = TABLE.get(key)
    if found is None:
        found = object.__new__(BV)
        found.value = value
        found.sort = sort
        found = TABLE.setdefault(key, found)
    return found


def bv(value: int, width: int) -> BV:
    """The bitvector of a width whose bits are those of the value, modulo 2**width.

    >>> bv(3, 8), bv(-1, 4), bv(256, 8)
    (bv(3, 8), bv(15, 4), bv(0, 8))
    """
    sort = bitvec_sort(width)
    if not isinstance(value, int):
        raise SortError(f"a bitvector is made from an int, not from {describe(value)}")
    return make_bv(int(value) & sort.mask, sort)


def bits_between(high: int, low: int, bits: BV) -> BV:
    """The bits `high` down to `low`, both included."""
    sort = bitvec_sort(high - low + 1)
    return make_bv(bits.value >> low & sort.mask, sort)


def require_bits(high: int, low: int, bits: BV | BitVecTerm) -> None:
    """Complain if there are no bits `high` down to `low`."""
    if not (type(high) is type(low) is int and 0 <= low <= high < bits.width):
        raise WidthError(f"bits {high} down to {low} do not exist in {describe(bits)}")


def bit_range(bits: BV | BitVecTerm, position: int | slice) -> tuple[int, int]:
    """The highest and the lowest bit of `bits[position]`.

    >>> bit_range(bv(0, 8), 3), bit_range(bv(0, 8), slice(None, 4))
    ((3, 3), (7, 4))
    """
    if isinstance(position, slice):
        if position.step is not None:
            raise WidthError(
                f"a step of {position.step!r} has no meaning for the bits of {describe(bits)}"
            )
        high = bits.width - 1 if position.start is None else position.start
        low = 0 if position.stop is None else position.stop
    else:
        high = low = position
    require_bits(high, low, bits)
    return high, low


class Element:
    """A value of an uninterpreted sort, as models name them."""

    __slots__ = ("index", "sort")

    def __init__(self, sort: UninterpretedSort, index: int) -> None:
        self.sort = sort
        self.index = index

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Element):
            return self.sort is other.sort and self.index == other.index
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.sort.name, self.index))

    def __repr__(self) -> str:
        return f"{self.sort.name}!{self.index}"

    def __reduce__(self) -> tuple[object, ...]:
        return (Element, (self.sort, self.index))


def _is_symbolic(value: object) -> bool:
    return hasattr(value, "op")


def _concrete(sort: Sort[Term], value: object) -> Concrete:
    """The value in the representation of a sort; a term is refused."""
    result = sort.require(value)
    if _is_symbolic(result):
        raise SortError(f"a concrete value is needed, not the term {describe(value)}")
    return result


class ArrayValue:
    """A concrete array: a default element, and the elements that differ from it.

    >>> from solvent.terms import Array, Int
    >>> a = ArrayValue(Array(Int, Int), 0, {1: 5, 2: 0})
    >>> a, a[1], a[7]
    (ArrayValue({1: 5}, default=0), 5, 0)
    """

    __slots__ = ("default", "items", "sort")

    # Of the element sort and the index sort, which only the running program knows.
    default: Any
    items: dict[Any, Any]

    def __init__(
        self, sort: ArraySort, default: Concrete, items: Mapping[Any, Concrete] | None = None
    ) -> None:
        self.sort = sort
        self.default = _concrete(sort.element, default)
        pairs = (
            (_concrete(sort.index, k), _concrete(sort.element, v)) for k, v in (items or {}).items()
        )
        self.items = {k: v for k, v in pairs if v != self.default}
        self._choose_default()

    def _choose_default(self) -> None:
        """If every index is listed, the default is arbitrary: take a canonical one."""
        if len(self.items) == finite_size(self.sort.index):
            self.default = min(self.items.values(), key=repr)
            self.items = {k: v for k, v in self.items.items() if v != self.default}

    def __getitem__(self, index: Operand) -> Any:
        position = self.sort.index.require(index)
        if _is_symbolic(position):
            return external(OPERATORS["select"](self, position))
        return external(self.at(position))

    def at(self, index: Concrete) -> Any:
        """The element at a concrete index, as it occurs inside terms."""
        return self.items.get(index, self.default)

    @overload
    def store(self, index: Concrete, value: Concrete) -> ArrayValue: ...
    @overload
    def store(self, index: Operand, value: Operand) -> ArrayLike: ...

    def store(self, index: Operand, value: Operand) -> ArrayLike:
        """The array with one element replaced; a term if the index or the element is one."""
        if _is_symbolic(index) or _is_symbolic(value):
            return OPERATORS["store"](
                self, self.sort.index.require(index), self.sort.element.require(value)
            )
        position, element = self.sort.index.require(index), self.sort.element.require(value)
        changed: ArrayValue = object.__new__(ArrayValue)
        changed.sort = self.sort
        changed.default = self.default
        changed.items = self.items.copy()
        if element == self.default:
            changed.items.pop(position, None)
        else:
            changed.items[position] = element
            changed._choose_default()
        return changed

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ArrayValue) or self.sort is not other.sort:
            return NotImplemented
        if self.default == other.default:
            return self.items == other.items
        size = finite_size(self.sort.index)
        if size is None:
            return False
        covered = self.items.keys() | other.items.keys()
        return len(covered) == size and all(self.at(k) == other.at(k) for k in covered)

    def __hash__(self) -> int:
        # Arrays over a finite index sort are equal if they agree, whatever their defaults.
        if finite_size(self.sort.index) is not None:
            return hash(self.sort.name)
        return hash((self.sort.name, frozenset(self.items.items())))

    def __iter__(self) -> Iterator[Concrete]:
        return iter(self.items)

    def __repr__(self) -> str:
        items = {external(k): external(v) for k, v in self.items.items()}
        return f"ArrayValue({readable(items)}, default={readable(external(self.default))})"

    def __reduce__(self) -> tuple[object, ...]:
        return (ArrayValue, (self.sort, self.default, self.items))


class FunctionValue:
    """The interpretation of an uninterpreted function: a table and a default.

    >>> from solvent.terms import Int
    >>> f = FunctionValue(Int, 0, {(1, 2): 7})
    >>> f, f(1, 2), f(0, 0)
    (FunctionValue({(1, 2): 7}, default=0), 7, 0)
    """

    __slots__ = ("default", "range", "table")

    def __init__(
        self,
        range: Sort[Term],
        default: Concrete,
        table: Mapping[tuple[Any, ...], Concrete] | None = None,
    ) -> None:
        self.range = range
        self.default = internal(default)
        pairs = ((tuple(internal(arg) for arg in k), internal(v)) for k, v in (table or {}).items())
        self.table = {k: v for k, v in pairs if v != self.default}

    def __call__(self, *args: Concrete) -> Any:
        return external(self.table.get(tuple(internal(arg) for arg in args), self.default))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FunctionValue):
            return (self.range, self.default, self.table) == (
                other.range,
                other.default,
                other.table,
            )
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.range.name, frozenset(self.table.items())))

    def __repr__(self) -> str:
        table = {tuple(map(external, k)): external(v) for k, v in self.table.items()}
        return f"FunctionValue({readable(table)}, default={readable(external(self.default))})"

    def __reduce__(self) -> tuple[object, ...]:
        return (FunctionValue, (self.range, self.default, self.table))


def finite_size(sort: Sort[Term]) -> int | None:
    """The number of values of a sort, if it is known and finite.

    >>> from solvent.terms import BitVec, Int
    >>> finite_size(BitVec(3)), finite_size(Int)
    (8, None)
    """
    if sort is Bool:
        return 2
    if isinstance(sort, BitVecSort):
        return 1 << sort.width
    return None


_PYTHON_SORTS: dict[type, Sort[Term]] = {bool: Bool, int: Int, Fraction: Real, str: Str}


def sort_of(value: object) -> Sort[Term]:
    """The sort of a term or of a concrete value.

    >>> from solvent.terms import Int
    >>> sort_of(Int("x") > 2), sort_of(1.5), sort_of(bv(1, 4))
    (Bool, Float64, BitVec(4))
    """
    sort = getattr(value, "sort", None)
    if isinstance(sort, Sort):
        return sort
    if isinstance(value, float):
        return float_sort(11, 53)
    for cls in type(value).__mro__:
        found = _PYTHON_SORTS.get(cls)
        if found is not None:
            return found
    raise SortError(f"{describe(value)} is not a value of any sort")


def coerce_bitvec(sort: BitVecSort, value: object) -> Bits:
    """A concrete bitvector for a Python int that fits, or the value itself if it has the sort."""
    if getattr(value, "sort", None) is sort:
        return value  # type: ignore[return-value]  # only terms and values have a sort
    if isinstance(value, int) and not isinstance(value, bool):
        if not -(1 << (sort.width - 1)) <= value <= sort.mask:
            text = shortened(readable(value), 60)
            raise WidthError(
                f"{text} does not fit in {sort.width} bits; write bv({text}, {sort.width}) "
                "to take it modulo 2**width"
            )
        return make_bv(value & sort.mask, sort)
    return NotImplemented


Sort.coercers[BitVecSort] = coerce_bitvec
Sort.defaults[BitVecSort] = lambda sort: make_bv(0, sort)


def _coerce_array(sort: Sort[Term], value: object) -> object:
    return value if getattr(value, "sort", None) is sort else NotImplemented


Sort.coercers[ArraySort] = _coerce_array
Sort.defaults[ArraySort] = lambda sort: ArrayValue(sort, sort.element.default)
Sort.coercers[UninterpretedSort] = _coerce_array
Sort.defaults[UninterpretedSort] = lambda sort: Element(sort, 0)
