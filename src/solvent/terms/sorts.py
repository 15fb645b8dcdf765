"""Sorts: the types of symbolic terms.

A sort is interned, so that two sorts are equal exactly if they are the same object.  Calling a
sort makes a constant of it: `Int("x")` is the same constant whenever it is evaluated (the
`define-symbolic` of the solver-aided languages), `Int.fresh("x")` is a new one each time
(`define-symbolic*`).

Sorts with parameters come from a family: `BitVec(32)` is a sort, `BitVec("x", 32)` a constant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar, cast, overload

from solvent.errors import SortError, WidthError

if TYPE_CHECKING:
    # The names stand in strings below, where the linter does not look.
    from solvent.terms.arrays import ArrayTerm
    from solvent.terms.bitvectors import BitVecTerm
    from solvent.terms.booleans import BoolTerm  # noqa: F401
    from solvent.terms.floats import FloatTerm
    from solvent.terms.functions import UninterpretedTerm  # noqa: F401
    from solvent.terms.integers import IntTerm  # noqa: F401
    from solvent.terms.kinds import ArrayLike, Bits, Datum, Guard, Integer, Rational, Text
    from solvent.terms.ops import Op
    from solvent.terms.reals import RealTerm  # noqa: F401
    from solvent.terms.regexes import RegexTerm
    from solvent.terms.strings import StringTerm  # noqa: F401
    from solvent.terms.term import Term
    from solvent.terms.texts import BytesTerm, TextTerm  # noqa: F401

# Covariant, so that every sort is a `Sort[Term]`.
TermT = TypeVar("TermT", bound="Term", covariant=True)

SortT = TypeVar("SortT", bound="Sort[Term]")

# The term class of each kind of sort, filled in by the modules that define them.
TERM_CLASSES: dict[type[Sort[Term]], type[Term]] = {}


class Sort(Generic[TermT]):
    """The type of a term; make sorts through the names of `solvent.terms`, not this class.

    >>> from solvent.terms import Int, BitVec, Array
    >>> Array(Int, BitVec(8))
    Array(Int, BitVec(8))
    >>> BitVec(8) is BitVec(8)
    True
    """

    __slots__ = ("ite_op", "name", "smt", "term_class")

    # Set by the module that defines the theory of the sort: its values, coercion and default.
    coercers: ClassVar[dict[type[Sort[Term]], Callable[[Any, object], object]]] = {}
    defaults: ClassVar[dict[type[Sort[Term]], Callable[[Any], object]]] = {}
    constructor: ClassVar[Callable[..., object]]

    term_class: type[TermT]
    ite_op: Op[object]

    def __init__(self, name: str, smt: str) -> None:
        self.name = name
        self.smt = smt
        theory_class = TERM_CLASSES.get(type(self))
        if theory_class is not None:
            self.term_class = theory_class  # type: ignore[assignment]

    def __call__(self, name: str) -> TermT:
        """The constant of this sort with the given name, the same one each time."""
        return cast(TermT, Sort.constructor(self, name))

    def fresh(self, name: str = "c") -> TermT:
        """A new constant of this sort, different from every other constant."""
        return cast(TermT, Sort.constructor(self, name, fresh=True))

    def coerce(self, value: object, /) -> Any:
        """The value or term of this sort that a Python value or term stands for.

        Returns `NotImplemented` if there is none.

        >>> from solvent.terms import Int, BitVec
        >>> BitVec(8).coerce(-1)
        bv(255, 8)
        >>> Int.coerce("a")
        NotImplemented
        """
        return Sort.coercers[type(self)](self, value)

    def require(self, value: object, /) -> Any:
        """Like `coerce`, but raises a `SortError` if the value does not belong to the sort."""
        result = self.coerce(value)
        if result is NotImplemented:
            raise SortError(f"{describe(value)} is not of sort {self}")
        return result

    @property
    def default(self) -> Any:
        """The value that a model gives to a constant which nothing constrains."""
        return Sort.defaults[type(self)](self)

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> str | tuple[object, ...]:
        return self.name


class _Interned(type):
    """Calling a class of sorts with parameters gives the one sort that has them."""

    def __call__(cls, *parameters: object) -> object:
        return _INTERNED[cls](*parameters)


def _new(cls: type[SortT], *parameters: object) -> SortT:
    """A sort that is not known yet."""
    return cast(SortT, type.__call__(cls, *parameters))


def readable(value: object) -> str:
    """The text of a value; a number too long for Python's decimal conversion is given in hex.

    >>> readable(12), readable(16**5000)[:6]
    ('12', '0x1000')
    """
    try:
        return repr(value)
    except ValueError:
        if isinstance(value, int):
            return hex(value)
        if isinstance(value, Fraction):
            return f"Fraction({readable(value.numerator)}, {readable(value.denominator)})"
        if isinstance(value, tuple):
            return f"({', '.join(map(readable, value))}{',' if len(value) == 1 else ''})"
        if isinstance(value, dict):
            pairs = (f"{readable(key)}: {readable(item)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        return f"<{type(value).__name__} too long to print>"


def describe(value: object) -> str:
    """How an error message names an operand: its text and its sort or type.

    >>> from solvent.terms import BitVec
    >>> describe(BitVec("x", 8)), describe("a")
    ('x (BitVec(8))', "'a' (str)")
    """
    sort = getattr(value, "sort", None)
    text = readable(value)
    if len(text) > 60:
        text = text[:57] + "..."
    return f"{text} ({sort if isinstance(sort, Sort) else type(value).__name__})"


# The classes below say for type checkers what `coerce` and `require` give.


class BoolSort(Sort["BoolTerm"]):
    __slots__ = ()

    coerce: Callable[[object], Guard]
    require: Callable[[object], Guard]


class IntSort(Sort["IntTerm"]):
    __slots__ = ()

    coerce: Callable[[object], Integer]
    require: Callable[[object], Integer]


class RealSort(Sort["RealTerm"]):
    __slots__ = ()

    coerce: Callable[[object], Rational]
    require: Callable[[object], Rational]


class StringSort(Sort["StringTerm"]):
    __slots__ = ()

    coerce: Callable[[object], Text]
    require: Callable[[object], Text]


class RegexSort(Sort["RegexTerm"]):
    __slots__ = ()

    coerce: Callable[[object], RegexTerm]
    require: Callable[[object], RegexTerm]


class BitVecSort(Sort["BitVecTerm"], metaclass=_Interned):
    """Bitvectors of a fixed width.

    >>> from solvent.terms import BitVec
    >>> BitVecSort(32) is BitVec(32)
    True
    """

    __slots__ = ("mask", "width")

    coerce: Callable[[object], Bits]
    require: Callable[[object], Bits]

    # All bits set; made when it is first asked for, since sorts of great widths add up.
    mask: int

    def __init__(self, width: int) -> None:
        super().__init__(f"BitVec({width})", f"(_ BitVec {width})")
        self.width = width

    def __getattr__(self, name: str) -> int:
        if name != "mask":
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        self.mask = (1 << self.width) - 1
        return self.mask

    def __reduce__(self) -> tuple[object, ...]:
        return (bitvec_sort, (self.width,))


class FloatSort(Sort["FloatTerm"], metaclass=_Interned):
    """IEEE 754 binary floats with `ebits` exponent bits and `sbits` significand bits.

    `sbits` counts the hidden bit, as SMT-LIB does.
    """

    __slots__ = ("ebits", "sbits")

    coerce: Callable[[object], Datum]
    require: Callable[[object], Datum]

    def __init__(self, ebits: int, sbits: int) -> None:
        names = {(5, 11): "Float16", (8, 24): "Float32", (11, 53): "Float64"}
        name = names.get((ebits, sbits), f"Float({ebits}, {sbits})")
        super().__init__(name, f"(_ FloatingPoint {ebits} {sbits})")
        self.ebits = ebits
        self.sbits = sbits

    def __reduce__(self) -> tuple[object, ...]:
        return (float_sort, (self.ebits, self.sbits))


class ArraySort(Sort["ArrayTerm"], metaclass=_Interned):
    """Total maps from an index sort to an element sort."""

    __slots__ = ("element", "index")

    coerce: Callable[[object], ArrayLike]
    require: Callable[[object], ArrayLike]

    def __init__(self, index: Sort[Term], element: Sort[Term]) -> None:
        super().__init__(f"Array({index}, {element})", f"(Array {index.smt} {element.smt})")
        self.index = index
        self.element = element

    def __reduce__(self) -> tuple[object, ...]:
        return (array_sort, (self.index, self.element))


class UninterpretedSort(Sort["UninterpretedTerm"], metaclass=_Interned):
    """A sort of which nothing is known but that it is not empty."""

    __slots__ = ()

    def __reduce__(self) -> tuple[object, ...]:
        return (uninterpreted_sort, (self.name,))


class TextSort(Sort["TextTerm"], metaclass=_Interned):
    """Texts of a known length; solvers do not know it."""

    __slots__ = ("length",)

    def __init__(self, length: int) -> None:
        super().__init__(f"Text({length})", f"Text{length}")
        self.length = length

    def __reduce__(self) -> tuple[object, ...]:
        return (text_sort, (self.length,))


class BytesSort(Sort["BytesTerm"], metaclass=_Interned):
    """Bytes of a known number; solvers do not know it."""

    __slots__ = ("length",)

    def __init__(self, length: int) -> None:
        super().__init__(f"Bytes({length})", f"Bytes{length}")
        self.length = length

    def __reduce__(self) -> tuple[object, ...]:
        return (bytes_sort, (self.length,))


Bool = BoolSort("Bool", "Bool")
Int = IntSort("Int", "Int")
Real = RealSort("Real", "Real")
Str = StringSort("Str", "String")
Regex = RegexSort("Regex", "RegLan")

# Solvers count bits in machine words.
WIDEST = 1 << 31
# The numbers that larger exponents stand for would fill the memory.
LARGEST_EXPONENT = 24

_bitvecs: dict[int, BitVecSort] = {}
_floats: dict[tuple[int, int], FloatSort] = {}
_arrays: dict[tuple[Sort[Term], Sort[Term]], ArraySort] = {}
_uninterpreted: dict[str, UninterpretedSort] = {}
_texts: dict[int, TextSort] = {}
_bytes: dict[int, BytesSort] = {}


def bitvec_sort(width: int) -> BitVecSort:
    """The interned sort of bitvectors of a width."""
    sort = _bitvecs.get(width)
    if sort is None or width.__class__ is not int:
        if not isinstance(width, int) or isinstance(width, bool) or width < 1:
            raise WidthError(f"a bitvector needs a width of at least 1, not {readable(width)}")
        if width > WIDEST:
            raise WidthError(f"a bitvector has at most {WIDEST} bits, not {readable(width)}")
        sort = _bitvecs.setdefault(width, _new(BitVecSort, width))
    return sort


def float_sort(ebits: int, sbits: int) -> FloatSort:
    """The interned sort of floats with the given exponent and significand bits."""
    sort = _floats.get((ebits, sbits))
    if sort is None:
        for bits in (ebits, sbits):
            if not isinstance(bits, int) or isinstance(bits, bool) or bits < 2:
                raise WidthError(
                    "a float needs at least 2 exponent and 2 significand bits, "
                    f"not {readable(ebits)} and {readable(sbits)}"
                )
        if ebits > LARGEST_EXPONENT or sbits > WIDEST:
            raise WidthError(
                f"a float has at most {LARGEST_EXPONENT} exponent and {WIDEST} significand bits, "
                f"not {readable(ebits)} and {readable(sbits)}"
            )
        sort = _floats.setdefault((ebits, sbits), _new(FloatSort, ebits, sbits))
    return sort


def array_sort(index: Sort[Term], element: Sort[Term]) -> ArraySort:
    """The interned sort of arrays from `index` to `element`."""
    key = (as_sort(index), as_sort(element))
    sort = _arrays.get(key)
    if sort is None:
        sort = _arrays.setdefault(key, _new(ArraySort, *key))
    return sort


def uninterpreted_sort(name: str) -> UninterpretedSort:
    """The interned uninterpreted sort of a name."""
    sort = _uninterpreted.get(name)
    if sort is None:
        if not isinstance(name, str) or not name:
            raise SortError(f"an uninterpreted sort needs a name, not {name!r}")
        smt = name if name.isidentifier() else f"|{name}|"
        sort = _new(UninterpretedSort, name, smt)
        sort = _uninterpreted.setdefault(name, sort)
    return sort


def text_sort(length: int) -> TextSort:
    """The interned sort of texts of a length."""
    sort = _texts.get(length)
    if sort is None:
        sort = _texts.setdefault(length, _new(TextSort, length))
    return sort


def bytes_sort(length: int) -> BytesSort:
    """The interned sort of bytes of a length."""
    sort = _bytes.get(length)
    if sort is None:
        sort = _bytes.setdefault(length, _new(BytesSort, length))
    return sort


# What calling the class of a sort stands for.
_INTERNED: dict[type, Callable[..., object]] = {
    BitVecSort: bitvec_sort,
    FloatSort: float_sort,
    ArraySort: array_sort,
    UninterpretedSort: uninterpreted_sort,
    TextSort: text_sort,
    BytesSort: bytes_sort,
}


class BitVecFamily:
    """`BitVec(32)` is a sort and `BitVec("x", 32)` a constant of it.

    >>> from solvent.terms import BitVec
    >>> BitVec("x", 32).sort
    BitVec(32)
    """

    @overload
    def __call__(self, name_or_width: int) -> BitVecSort: ...
    @overload
    def __call__(self, name_or_width: str, width: int) -> BitVecTerm: ...

    def __call__(
        self, name_or_width: int | str, width: int | None = None
    ) -> BitVecSort | BitVecTerm:
        if isinstance(name_or_width, str):
            if width is None:
                raise WidthError(f"give a width: BitVec({name_or_width!r}, 32)")
            return bitvec_sort(width)(name_or_width)
        return bitvec_sort(name_or_width)

    def fresh(self, name: str, width: int) -> BitVecTerm:
        """A new bitvector constant, different from every other constant."""
        return bitvec_sort(width).fresh(name)

    def __repr__(self) -> str:
        return "BitVec"


class FloatFamily:
    """`Float("x")` is a constant of `Float64`; `Float(8, 24)` is a sort.

    >>> from solvent.terms import Float
    >>> Float("x").sort, Float("y", 8, 24).sort
    (Float64, Float32)
    """

    @overload
    def __call__(self, name_or_ebits: int, ebits: int) -> FloatSort: ...
    @overload
    def __call__(self, name_or_ebits: str, ebits: int = 11, sbits: int = 53) -> FloatTerm: ...

    def __call__(
        self, name_or_ebits: int | str, ebits: int = 11, sbits: int = 53
    ) -> FloatSort | FloatTerm:
        if isinstance(name_or_ebits, str):
            return float_sort(ebits, sbits)(name_or_ebits)
        return float_sort(name_or_ebits, ebits)

    def fresh(self, name: str = "f", ebits: int = 11, sbits: int = 53) -> FloatTerm:
        """A new float constant, different from every other constant."""
        return float_sort(ebits, sbits).fresh(name)

    def __repr__(self) -> str:
        return "Float"


class ArrayFamily:
    """`Array(Int, Bool)` is a sort and `Array("a", Int, Bool)` a constant of it."""

    @overload
    def __call__(self, first: SortLike, second: SortLike) -> ArraySort: ...
    @overload
    def __call__(self, first: str, second: SortLike, third: SortLike) -> ArrayTerm: ...

    def __call__(
        self, first: str | SortLike, second: SortLike, third: SortLike | None = None
    ) -> ArraySort | ArrayTerm:
        if isinstance(first, str):
            if third is None:
                raise SortError(f"give index and element sorts: Array({first!r}, Int, Int)")
            return array_sort(as_sort(second), as_sort(third))(first)
        return array_sort(as_sort(first), as_sort(second))

    def fresh(self, name: str, index: SortLike, element: SortLike) -> ArrayTerm:
        """A new array constant, different from every other constant."""
        return array_sort(as_sort(index), as_sort(element)).fresh(name)

    def __repr__(self) -> str:
        return "Array"


BitVec = BitVecFamily()
Float = FloatFamily()
Array = ArrayFamily()

SortLike: TypeAlias = "Sort[Term] | FloatFamily"


def as_sort(value: object) -> Sort[Term]:
    """The sort that a user's argument names (`Float` alone means `Float64`).

    >>> from solvent.terms import Float
    >>> as_sort(Float)
    Float64
    """
    if isinstance(value, Sort):
        return value
    if isinstance(value, FloatFamily):
        return float_sort(11, 53)
    raise SortError(f"{value!r} is not a sort; use Int, Bool, BitVec(32), Array(Int, Int), ...")


def as_sorts(values: Sequence[object]) -> tuple[Sort[Term], ...]:
    """`as_sort` of each."""
    return tuple(as_sort(value) for value in values)
