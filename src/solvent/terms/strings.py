"""Strings of SMT-LIB's theory of Unicode strings, used like Python's `str`.

A character is a code point from 0 to 0x2FFFF; the theory has no more of them.  The functions of
this module are SMT-LIB's and total: where Python would raise, they give an empty string or -1.
The operators and methods of a `StringTerm` are Python's: they exist only where the theory can say
exactly what Python does.

Normal forms: `x < y` is `not y <= x`, and constants that meet in a concatenation are joined.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, Any, NoReturn

from solvent.errors import EvaluationError, SortError, SymbolicBoolError
from solvent.terms.arithmetic import ADD, LE, check_bits, complement, negate, plus
from solvent.terms.booleans import (
    equals,
    ite,
    not_equals,
    or_,
)
from solvent.terms.integers import known_width
from solvent.terms.ops import Op
from solvent.terms.printing import register_function, register_infix, register_subscript
from solvent.terms.sorts import TERM_CLASSES, Bool, Int, Sort, Str, StringSort, describe
from solvent.terms.term import Term, binary, lookup, node, rewritten, unary

if TYPE_CHECKING:
    from solvent.terms.kinds import Guard, Integer, IntLike, StringLike, Text

MAX_CODE = 0x2FFFF
_LAST_CHARACTER = chr(MAX_CODE)

# --- the concrete meaning of the operators -----------------------------------------------------

# Strings in terms are at most so long: replacements in replacements would fill the memory.
LONGEST = 1 << 24


def check_length(characters: int) -> None:
    """Refuse a string that would be too long."""
    if characters > LONGEST:
        raise EvaluationError(
            f"a string of more than {LONGEST} characters would result, which is too long"
        )


def joined(a: str, b: str) -> str:
    """The concatenation of two strings, unless it is too long.

    >>> joined("a", "b")
    'ab'
    """
    check_length(len(a) + len(b))
    return a + b


def _substr(s: str, start: int, size: int) -> str:
    return s[start : start + size] if start >= 0 and size > 0 else ""


def _indexof(s: str, part: str, start: int) -> int:
    return s.find(part, start) if start >= 0 else -1


def _replace(s: str, old: str, new: str) -> str:
    check_length(len(s) + len(new))
    return s.replace(old, new, 1)


def _replace_all(s: str, old: str, new: str) -> str:
    if not old:
        return s
    if len(new) > len(old):
        check_length(len(s) + s.count(old) * (len(new) - len(old)))
    return s.replace(old, new)


def _is_digit(s: str) -> bool:
    return len(s) == 1 and "0" <= s <= "9"


def _to_code(s: str) -> int:
    return ord(s) if len(s) == 1 else -1


def _from_code(code: int) -> str:
    return chr(code) if 0 <= code <= MAX_CODE else ""


# Python refuses to convert between int and str beyond some 4,300 digits at once.
_DIGITS = 1000


def _to_int(s: str) -> int:
    if not (s.isascii() and s.isdigit()):
        return -1
    # A digit has more than three bits.
    check_bits(3 * len(s))
    value = 0
    for start in range(0, len(s), _DIGITS):
        digits = s[start : start + _DIGITS]
        value = value * 10 ** len(digits) + int(digits)
    return value


def _from_int(value: int) -> str:
    if value < 0:
        return ""
    blocks = []
    while value >= 10**_DIGITS:
        value, block = divmod(value, 10**_DIGITS)
        blocks.append(str(block).zfill(_DIGITS))
    return str(value) + "".join(reversed(blocks))


STR_CONCAT: Op[Text] = Op("str.++", joined, lambda a, b: Str)
STR_LEN: Op[Integer] = Op("str.len", len, lambda a: Int)
STR_LT: Op[Guard] = Op("str.<", lambda a, b: a < b, lambda a, b: Bool)
STR_LE: Op[Guard] = Op("str.<=", lambda a, b: a <= b, lambda a, b: Bool)
STR_AT: Op[Text] = Op("str.at", lambda s, i: _substr(s, i, 1), lambda s, i: Str)
STR_SUBSTR: Op[Text] = Op("str.substr", _substr, lambda s, i, n: Str)
STR_PREFIXOF: Op[Guard] = Op("str.prefixof", lambda a, b: b.startswith(a), lambda a, b: Bool)
STR_SUFFIXOF: Op[Guard] = Op("str.suffixof", lambda a, b: b.endswith(a), lambda a, b: Bool)
STR_CONTAINS: Op[Guard] = Op("str.contains", lambda a, b: b in a, lambda a, b: Bool)
STR_INDEXOF: Op[Integer] = Op("str.indexof", _indexof, lambda s, t, i: Int)
STR_REPLACE: Op[Text] = Op("str.replace", _replace, lambda s, t, u: Str)
STR_REPLACE_ALL: Op[Text] = Op("str.replace_all", _replace_all, lambda s, t, u: Str)
STR_IS_DIGIT: Op[Guard] = Op("str.is_digit", _is_digit, lambda s: Bool)
STR_TO_CODE: Op[Integer] = Op("str.to_code", _to_code, lambda s: Int)
STR_FROM_CODE: Op[Text] = Op("str.from_code", _from_code, lambda i: Str)
STR_TO_INT: Op[Integer] = Op("str.to_int", _to_int, lambda s: Int)
STR_FROM_INT: Op[Text] = Op("str.from_int", _from_int, lambda i: Str)

_concat = binary(STR_CONCAT)
_le = binary(STR_LE, Bool)
binary(STR_PREFIXOF, Bool)
binary(STR_SUFFIXOF, Bool)
binary(STR_CONTAINS, Bool)
unary(STR_LEN, Int)
unary(STR_IS_DIGIT, Bool)
unary(STR_TO_CODE, Int)
unary(STR_FROM_CODE, Str)
unary(STR_TO_INT, Int)
unary(STR_FROM_INT, Str)


def heterogeneous(op: Op[object], sort: Sort[Term]) -> Callable[..., object]:
    """The constructor of an operator whose operands are of several sorts.

    Its rules are those declared for any operands, then those for the head of the first.
    """
    always = op.constant_rules.setdefault(None, [])
    heads = op.rules.get

    def construct(*args: Any) -> Any:
        term = lookup((op, *args))
        if term is not None:
            return term
        result = rewritten(always, *args)
        if result is None and isinstance(args[0], Term):
            result = rewritten(heads(args[0].op.base, ()), *args)
        return node(sort.term_class, op, sort, *args) if result is None else result

    op.construct = construct
    return construct


heterogeneous(STR_LT, Bool)
heterogeneous(STR_AT, Str)
heterogeneous(STR_SUBSTR, Str)
heterogeneous(STR_INDEXOF, Int)
heterogeneous(STR_REPLACE, Str)
heterogeneous(STR_REPLACE_ALL, Str)

register_infix(STR_CONCAT, "+", like=ADD)
register_infix(STR_LE, "<=", like=LE, complement=">")
register_subscript(STR_AT)
for _op, _name in (
    (STR_LEN, "length"),
    (STR_SUBSTR, "substr"),
    (STR_PREFIXOF, "prefix_of"),
    (STR_SUFFIXOF, "suffix_of"),
    (STR_CONTAINS, "contains"),
    (STR_INDEXOF, "index_of"),
    (STR_REPLACE, "replace_first"),
    (STR_REPLACE_ALL, "replace_all"),
    (STR_IS_DIGIT, "is_digit"),
    (STR_TO_CODE, "to_code"),
    (STR_FROM_CODE, "from_code"),
    (STR_TO_INT, "str_to_int"),
    (STR_FROM_INT, "int_to_str"),
):
    register_function(_op, _name)


class StringTerm(Term):
    """A symbolic string, used like a `str`.

    `s[i]` is the character at an index, with Python's reading of negative ones.  A term cannot
    raise an IndexError: outside of the string it is empty, and lifted code checks the index first.
    Use `length(s)` and `contains(s, t)` for `len` and `in`.

    >>> from solvent.terms import Str
    >>> s = Str("s")
    >>> s + "a" + "b", "b" < s, s[0], s[1:3]
    (s + 'ab', s > 'b', s[0], substr(s, 1, 2))
    >>> s.startswith("")
    True
    """

    __slots__ = ()
    __hash__ = object.__hash__

    if TYPE_CHECKING:

        def __add__(self, other: StringLike) -> Text: ...
        def __le__(self, other: StringLike) -> Guard: ...
    else:
        __add__ = _concat
        __le__ = _le

    def __radd__(self, other: StringLike) -> Text:
        return _concat(other, self)

    def __mul__(self, count: int) -> Text:
        if isinstance(count, Term):
            raise SortError(
                f"a string is repeated a concrete number of times, not {describe(count)}"
            )
        if not isinstance(count, int):
            return NotImplemented
        result: Text = ""
        doubled: Text = self
        while count > 0:
            if count & 1:
                result = STR_CONCAT(doubled, result)
            count >>= 1
            if count:
                doubled = STR_CONCAT(doubled, doubled)
        return result

    __rmul__ = __mul__

    def __eq__(self, other: object) -> Guard:  # type: ignore[override]
        return equals(self, other)

    def __ne__(self, other: object) -> Guard:  # type: ignore[override]
        return not_equals(self, other)

    def __ge__(self, other: StringLike) -> Guard:
        return _le(other, self)

    def __gt__(self, other: StringLike) -> Guard:
        return complement(_le(self, other))

    def __lt__(self, other: StringLike) -> Guard:
        return complement(_le(other, self))

    def __contains__(self, part: object) -> NoReturn:
        raise SymbolicBoolError(
            f"{describe(part)} in {describe(self)} has no truth value in plain Python; "
            "use `contains(text, part)`"
        )

    def __getitem__(self, index: IntLike | slice) -> Text:
        if not isinstance(index, slice):
            return str_index(self, index)
        if index.step is not None and index.step != 1:
            raise SortError(f"a slice of {describe(self)} needs the step 1, not {index.step!r}")
        return str_slice(self, index.start, index.stop)

    def startswith(self, prefix: StringLike | tuple[StringLike, ...]) -> Guard:
        """Whether the string begins with a prefix, or with one of a tuple of them."""
        if isinstance(prefix, tuple):
            return or_(*(self.startswith(each) for each in prefix))
        return prefix_of(prefix, self)

    def endswith(self, suffix: StringLike | tuple[StringLike, ...]) -> Guard:
        """Whether the string ends with a suffix, or with one of a tuple of them."""
        if isinstance(suffix, tuple):
            return or_(*(self.endswith(each) for each in suffix))
        return suffix_of(suffix, self)

    def find(
        self, part: StringLike, start: IntLike | None = None, end: IntLike | None = None
    ) -> Integer:
        """The lowest index at which a part lies within `self[start:end]`, or -1."""
        size = length(self)
        text = self if end is None else str_slice(self, 0, end)
        return STR_INDEXOF(text, Str.require(part), _lower_bound(start, size))

    def replace(self, old: StringLike, new: StringLike, count: int = -1, /) -> Text:
        """The string with occurrences of `old` replaced: all, or with `count` 1 the first.

        Python also puts `new` between all characters if `old` is empty.  The theory cannot say
        this: then `old` must be a nonempty constant, or `new` the empty one.
        """
        old, new = Str.require(old), Str.require(new)
        if count == 0:
            return self
        if count == 1:
            return STR_REPLACE(self, old, new)
        if count > 1:
            raise SortError(f"all occurrences or the first can be replaced, not {count} of them")
        old_may_be_empty = isinstance(old, Term) or old == ""
        if old_may_be_empty and (isinstance(new, Term) or new != ""):
            raise SortError(
                f"replacing {describe(old)}, which may be empty, is not in the theory of strings; "
                "replace_all(...) leaves the string as it is then"
            )
        return STR_REPLACE_ALL(self, old, new)

    def removeprefix(self, prefix: StringLike) -> Text:
        """The string without a prefix, if it begins with that."""
        size = length(prefix)
        rest = STR_SUBSTR(self, size, plus(length(self), negate(size)))
        return ite(self.startswith(prefix), rest, self)

    def removesuffix(self, suffix: StringLike) -> Text:
        """The string without a suffix, if it ends with that."""
        rest = STR_SUBSTR(self, 0, plus(length(self), negate(length(suffix))))
        return ite(self.endswith(suffix), rest, self)


TERM_CLASSES[StringSort] = StringTerm
Str.term_class = StringTerm


def _coerce_string(sort: StringSort, value: object) -> Text:
    if value.__class__ is StringTerm:
        return value
    if not isinstance(value, str):
        return NotImplemented
    if not value.isascii() and max(value) > _LAST_CHARACTER:
        raise SortError(
            f"{describe(value)} has the character {max(value)!r}, but the theory of strings ends "
            "at U+2FFFF"
        )
    return value if value.__class__ is str else str.__str__(value)


Sort.coercers[StringSort] = _coerce_string
Sort.defaults[StringSort] = lambda sort: ""


# --- indices and slices, as Python reads them --------------------------------------------------


def _never_negative(position: Integer) -> bool:
    if not isinstance(position, Term):
        return bool(position >= 0)
    return position.op is STR_LEN or known_width(position) is not None


def _from_start(position: Integer, size: Integer) -> Integer:
    """The offset that an index stands for: a negative one counts from the end."""
    if _never_negative(position):
        return position
    return ite(position < 0, plus(size, position), position)


def _lower_bound(position: IntLike | None, size: Integer) -> Integer:
    """Where a slice begins: like an index, but never before the start."""
    if position is None:
        return 0
    position = Int.require(position)
    if _never_negative(position):
        return position
    offset = plus(size, position)
    return ite(position < 0, ite(offset < 0, 0, offset), position)


def str_index(s: StringLike, index: IntLike) -> Text:
    """Python's `s[index]`, where the string or the index may be symbolic.

    Outside of the string a symbolic result is empty.

    >>> from solvent.terms import Int, Str
    >>> str_index("abc", -1), str_index(Str("s"), -1)
    ('c', s[length(s) - 1])
    """
    s, index = Str.require(s), Int.require(index)
    if not isinstance(s, Term) and not isinstance(index, Term):
        return s[index]
    return STR_AT(s, _from_start(index, length(s)))


def str_slice(s: StringLike, start: IntLike | None = None, stop: IntLike | None = None) -> Text:
    """Python's `s[start:stop]`, where the string or the bounds may be symbolic.

    >>> from solvent.terms import Int, Str
    >>> str_slice("abc", -2), str_slice(Str("s"), 1), str_slice("abc", 1, Int("i") % 4)
    ('bc', substr(s, 1, length(s) - 1), substr('abc', 1, mod(i, 4) - 1))
    """
    s = Str.require(s)
    size = length(s)
    begin = _lower_bound(start, size)
    # Beyond the end, and for a negative length, substr does as Python's slices do.
    if stop is None and isinstance(start, int) and start < 0:
        return STR_SUBSTR(s, begin, -start)
    end = size if stop is None else _from_start(Int.require(stop), size)
    return STR_SUBSTR(s, begin, plus(end, negate(begin)))


# --- the functions of the theory ---------------------------------------------------------------


def str_concat(*parts: StringLike) -> Text:
    """The concatenation of strings.

    >>> from solvent.terms import Str
    >>> str_concat("a", "b", Str("s")), str_concat()
    ('ab' + s, '')
    """
    nothing: Text = ""
    return reduce(STR_CONCAT, map(Str.require, parts), nothing)


def length(s: StringLike) -> Integer:
    """The number of characters.

    >>> from solvent.terms import Str
    >>> length("abc"), length(Str("s") + "abc")
    (3, length(s) + 3)
    """
    return STR_LEN(Str.require(s))


def contains(s: StringLike, part: StringLike) -> Guard:
    """Whether a part occurs in a string: Python's `part in s`.

    >>> from solvent.terms import Str
    >>> contains("abc", "bc"), contains(Str("s"), "bc")
    (True, contains(s, 'bc'))
    """
    return STR_CONTAINS(Str.require(s), Str.require(part))


def prefix_of(prefix: StringLike, s: StringLike) -> Guard:
    """Whether a string begins with a prefix.

    >>> prefix_of("a", "abc")
    True
    """
    return STR_PREFIXOF(Str.require(prefix), Str.require(s))


def suffix_of(suffix: StringLike, s: StringLike) -> Guard:
    """Whether a string ends with a suffix.

    >>> suffix_of("bc", "abc")
    True
    """
    return STR_SUFFIXOF(Str.require(suffix), Str.require(s))


def char_at(s: StringLike, index: IntLike) -> Text:
    """The character at an index from the start; empty outside of the string.

    >>> char_at("abc", 1), char_at("abc", -1), char_at("abc", 3)
    ('b', '', '')
    """
    return STR_AT(Str.require(s), Int.require(index))


def substr(s: StringLike, start: IntLike, size: IntLike) -> Text:
    """At most `size` characters from `start` on; empty if `start` is outside of the string.

    >>> substr("abcd", 1, 2), substr("abcd", 2, 9), substr("abcd", -1, 2)
    ('bc', 'cd', '')
    """
    return STR_SUBSTR(Str.require(s), Int.require(start), Int.require(size))


def index_of(s: StringLike, part: StringLike, start: IntLike = 0) -> Integer:
    """The first index, at least `start`, at which a part occurs, or -1.

    >>> index_of("abab", "b", 2), index_of("ab", "", 2), index_of("ab", "b", -1)
    (3, 2, -1)
    """
    return STR_INDEXOF(Str.require(s), Str.require(part), Int.require(start))


def replace_first(s: StringLike, old: StringLike, new: StringLike) -> Text:
    """The string with the first occurrence of `old` replaced; an empty one is at the start.

    >>> replace_first("abab", "b", "c"), replace_first("ab", "", "c")
    ('acab', 'cab')
    """
    return STR_REPLACE(Str.require(s), Str.require(old), Str.require(new))


def replace_all(s: StringLike, old: StringLike, new: StringLike) -> Text:
    """The string with all occurrences of `old` replaced; itself if `old` is empty.

    >>> replace_all("abab", "b", "c"), replace_all("ab", "", "c")
    ('acac', 'ab')
    """
    return STR_REPLACE_ALL(Str.require(s), Str.require(old), Str.require(new))


def is_digit(s: StringLike) -> Guard:
    """Whether a string is one of the ten ASCII digits.

    >>> is_digit("7"), is_digit("77"), is_digit("a")
    (True, False, False)
    """
    return STR_IS_DIGIT(Str.require(s))


def to_code(s: StringLike) -> Integer:
    """The code point of a string of one character (Python's `ord`), else -1.

    >>> to_code("a"), to_code("ab")
    (97, -1)
    """
    return STR_TO_CODE(Str.require(s))


def from_code(code: IntLike) -> Text:
    """The character of a code point (Python's `chr`), or the empty string if there is none.

    >>> from_code(97), from_code(-1)
    ('a', '')
    """
    return STR_FROM_CODE(Int.require(code))


def str_to_int(s: StringLike) -> Integer:
    """The number that a string of ASCII digits denotes, else -1.

    >>> str_to_int("007"), str_to_int(""), str_to_int("-7")
    (7, -1, -1)
    """
    return STR_TO_INT(Str.require(s))


def int_to_str(value: IntLike) -> Text:
    """The decimal digits of a number; the empty string for a negative one.

    >>> int_to_str(42), int_to_str(-1)
    ('42', '')
    """
    return STR_FROM_INT(Int.require(value))
