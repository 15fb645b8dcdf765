"""Texts and bytes of a known length whose characters may be symbolic.

Such a text is a term that holds one code point per character, an int or a symbolic one.  No solver
ever sees it: comparing two of them, or taking one apart, gives conditions and numbers.  A text of
which every character is known is a plain `str`, never a term.

Code points are integers, so that `ord(c) - 97 + k` needs no conversion, and characters that Python
has and the solvers' theory of strings lacks (beyond U+2FFFF, lone surrogates) are like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from solvent.errors import SortError
from solvent.terms.booleans import and_, eq, not_, or_
from solvent.terms.ops import Op
from solvent.terms.printing import register_function
from solvent.terms.sorts import (
    TERM_CLASSES,
    BytesSort,
    Sort,
    TextSort,
    bytes_sort,
    describe,
    text_sort,
)
from solvent.terms.term import Term, node

if TYPE_CHECKING:
    from solvent.terms.kinds import Guard, Integer

    Codes = tuple[Integer, ...]

LAST_CODE = 0x10FFFF


def _str_of(*codes: int) -> str:
    return "".join(map(chr, codes))


def _bytes_of(*codes: int) -> bytes:
    # Under a model for which the run fails, a byte may be anything.
    return bytes([code & 255 for code in codes])


TEXT: Op[Any] = Op("text", _str_of, lambda *codes: text_sort(len(codes)))
BYTES: Op[Any] = Op("bytes", _bytes_of, lambda *codes: bytes_sort(len(codes)))
register_function(TEXT, "text")
register_function(BYTES, "bytes")


def text(codes: Sequence[Integer]) -> str | TextTerm:
    """The text of some code points, a `str` if all are known.

    >>> from solvent.terms import Int
    >>> text([97, 98]), text([97, Int("c")])
    ('ab', text(97, c))
    """
    for code in codes:
        if code.__class__ is not int:
            return node(TextTerm, TEXT, text_sort(len(codes)), *codes)
    return "".join(map(chr, cast("Sequence[int]", codes)))


def octets(codes: Sequence[Integer]) -> bytes | BytesTerm:
    """The bytes of some numbers from 0 to 255, Python's own if all are known.

    >>> from solvent.terms import Int
    >>> octets([97, 98]), octets([97, Int("c")])
    (b'ab', bytes(97, c))
    """
    for code in codes:
        if code.__class__ is not int:
            return node(BytesTerm, BYTES, bytes_sort(len(codes)), *codes)
    return bytes(cast("Sequence[int]", codes))


TEXT.construct = lambda *codes: text(codes)
BYTES.construct = lambda *codes: octets(codes)


class CodesTerm(Term):
    """What symbolic texts and bytes have in common."""

    __slots__ = ()

    # What a value whose characters are all known is, and how one is made of codes.
    native: ClassVar[type[str] | type[bytes]]
    made: ClassVar[Callable[..., Any]]

    @property
    def codes(self) -> tuple[Integer, ...]:
        """The code points of the characters."""
        return self.key[1:]

    def __len__(self) -> int:
        return len(self.key) - 1

    def __bool__(self) -> bool:
        return True

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Guard:  # type: ignore[override]
        if self is other:
            return True
        codes = codes_of(self.native, other)
        if codes is None:
            return NotImplemented
        return same_codes(self.codes, codes)

    def __ne__(self, other: object) -> Guard:  # type: ignore[override]
        result = self.__eq__(other)
        return result if result is NotImplemented else not_(result)

    def __lt__(self, other: object) -> Guard:
        return self._ordered(other, False, False)

    def __le__(self, other: object) -> Guard:
        return self._ordered(other, False, True)

    def __gt__(self, other: object) -> Guard:
        return self._ordered(other, True, False)

    def __ge__(self, other: object) -> Guard:
        return self._ordered(other, True, True)

    def _ordered(self, other: object, swapped: bool, equal: bool) -> Guard:
        codes = codes_of(self.native, other)
        if codes is None:
            return NotImplemented
        first, second = (codes, self.codes) if swapped else (self.codes, codes)
        return before(first, second, equal)

    def __add__(self, other: object) -> Any:
        codes = codes_of(self.native, other)
        return NotImplemented if codes is None else type(self).made((*self.codes, *codes))

    def __radd__(self, other: object) -> Any:
        codes = codes_of(self.native, other)
        return NotImplemented if codes is None else type(self).made((*codes, *self.codes))

    def __mul__(self, count: object) -> Any:
        if type(count) is not int:
            return NotImplemented
        return type(self).made(self.codes * count)

    __rmul__ = __mul__


class TextTerm(CodesTerm):
    """A text of known length with symbolic characters.

    >>> from solvent.terms import Int
    >>> c = Int("c")
    >>> text([97, c]) == "ab", text([97, c]) == "a", text([97, c])[1:] + "!"
    (c == 98, False, text(c, 33))
    """

    __slots__ = ()

    native = str
    made = staticmethod(text)

    def __getitem__(self, key: int | slice) -> str | TextTerm:
        found = self.codes[key]
        return text(found) if isinstance(found, tuple) else text((found,))


class BytesTerm(CodesTerm):
    """Bytes of known length, some of them symbolic.

    >>> from solvent.terms import Int
    >>> c = Int("c")
    >>> octets([97, c]) == b"ab", octets([97, c])[1]
    (c == 98, c)
    """

    __slots__ = ()

    native = bytes
    made = staticmethod(octets)

    def __getitem__(self, key: int | slice) -> Integer | bytes | BytesTerm:
        found = self.codes[key]
        return octets(found) if isinstance(found, tuple) else found


def codes_of(native: type[str] | type[bytes], value: object) -> Codes | None:
    """The code points of a text or of bytes, `None` if a value is none of that type.

    >>> codes_of(str, "ab"), codes_of(bytes, "ab")
    ((97, 98), None)
    """
    if isinstance(value, CodesTerm):
        return value.codes if value.native is native else None
    if not isinstance(value, native):
        return None
    return tuple(map(ord, value)) if isinstance(value, str) else tuple(value)


def same_codes(a: Codes, b: Codes) -> Guard:
    """Whether two sequences of numbers are equal.

    >>> from solvent.terms import Int
    >>> same_codes((1, Int("c")), (1, 2)), same_codes((1,), (1, 2))
    (c == 2, False)
    """
    if len(a) != len(b):
        return False
    parts: list[Guard] = []
    for x, y in zip(a, b, strict=True):
        if x is y:
            continue
        same = eq(x, y)
        if same is False:
            return False
        parts.append(same)
    return and_(parts)


def before(a: Codes, b: Codes, equal: bool) -> Guard:
    """Whether a sequence of numbers comes before another, or is equal to it if that will do.

    >>> from solvent.terms import Int
    >>> before((1, Int("c")), (1, 2), False), before((1,), (1, 0), False)
    (c <= 1, True)
    """
    common = min(len(a), len(b))
    result: Guard = len(a) <= len(b) if equal else len(a) < len(b)
    for place in range(common - 1, -1, -1):
        x, y = a[place], b[place]
        if x is not y:
            result = or_(x < y, and_(eq(x, y), result))
    return result


def _coerce(sort: TextSort | BytesSort, value: object) -> object:
    native: type[str] | type[bytes] = str if isinstance(sort, TextSort) else bytes
    codes = codes_of(native, value)
    return value if codes is not None and len(codes) == sort.length else NotImplemented


def _default(sort: Sort[Term]) -> object:
    raise SortError(f"there are no constants of sort {sort}, as of {describe(sort)}")


for _sort, _term in ((TextSort, TextTerm), (BytesSort, BytesTerm)):
    TERM_CLASSES[_sort] = _term
    Sort.coercers[_sort] = _coerce
    Sort.defaults[_sort] = _default
