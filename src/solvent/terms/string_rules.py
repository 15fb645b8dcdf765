"""The rewriting rules of strings.

None of them looks further into a term than some fixed number of steps, or than the constant beside
it is long, so that building a string piece by piece stays cheap.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from solvent.terms.arithmetic import LE, plus
from solvent.terms.booleans import EQ, ITE, and_, constant_chain, eq, equals, ite, not_
from solvent.terms.rules import rule
from solvent.terms.sorts import Int
from solvent.terms.strings import (
    MAX_CODE,
    STR_AT,
    STR_CONCAT,
    STR_CONTAINS,
    STR_FROM_CODE,
    STR_FROM_INT,
    STR_INDEXOF,
    STR_LE,
    STR_LEN,
    STR_LT,
    STR_PREFIXOF,
    STR_REPLACE,
    STR_REPLACE_ALL,
    STR_SUBSTR,
    STR_SUFFIXOF,
    STR_TO_CODE,
    STR_TO_INT,
    StringTerm,
    char_at,
    from_code,
    int_to_str,
    joined,
    length,
    str_to_int,
    to_code,
)
from solvent.terms.term import Term, node, same_operand

if TYPE_CHECKING:
    from solvent.terms.integers import IntTerm
    from solvent.terms.kinds import Guard, Integer, Operand, Text

string_rule = partial(rule, theories=("Str",))


# --- concatenation and length ------------------------------------------------------------------


@string_rule(STR_CONCAT, "x + '' = x", lambda x: (x, ""), constant=True)
def concat_empty(x: StringTerm, c: str) -> Text | None:
    return x if c == "" else None


@string_rule(STR_CONCAT, "'' + x = x", lambda x: ("", x), left_constant=True)
def concat_empty_left(c: str, x: StringTerm) -> Text | None:
    return x if c == "" else None


@string_rule(
    STR_CONCAT, "(x + c) + d = x + cd", lambda x, c, d: (x + c, d), on=STR_CONCAT, constant=True
)
def concat_constants(pair: StringTerm, d: str) -> Text | None:
    _, x, c = pair.key
    return STR_CONCAT(x, joined(c, d)) if not isinstance(c, Term) else None


@string_rule(
    STR_CONCAT,
    "c + (d + x) = cd + x",
    lambda x, c, d: (c, d + x),
    on=STR_CONCAT,
    left_constant=True,
)
def concat_constants_left(c: str, pair: StringTerm) -> Text | None:
    _, d, x = pair.key
    return STR_CONCAT(joined(c, d), x) if not isinstance(d, Term) else None


@string_rule(
    STR_CONCAT, "(x + c) + (d + y) = (x + cd) + y", lambda x, y, c, d: (x + c, d + y), on=STR_CONCAT
)
def concat_constants_inside(first: StringTerm, second: StringTerm) -> Text | None:
    if second.op is not STR_CONCAT:
        return None
    _, x, c = first.key
    _, d, y = second.key
    if isinstance(c, Term) or isinstance(d, Term):
        return None
    return STR_CONCAT(STR_CONCAT(x, joined(c, d)), y)


# A length looks through this many concatenations.
PARTS_LIMIT = 64


@string_rule(
    STR_LEN, "length(x + y) = length(x) + length(y)", lambda x, y, c: (x + (c + y),), on=STR_CONCAT
)
def length_concat(pair: StringTerm) -> Integer | None:
    total: Integer = 0
    parts: list[Text] = [pair]
    opened = 0
    while parts:
        part = parts.pop()
        if not isinstance(part, Term):
            total = plus(total, len(part))
        elif part.op is not STR_CONCAT:
            total = plus(total, STR_LEN(part))
        elif opened < PARTS_LIMIT:
            opened += 1
            parts += (part.key[2], part.key[1])
        else:
            total = plus(total, node(Int.term_class, STR_LEN, Int, part))
    return total


@string_rule(
    STR_LEN,
    "length(ite(p, c, x)) = ite(p, length(c), length(x))",
    lambda p, q, x, c, u: (ite(p, c, ite(q, x, u)),),
    on=ITE,
)
def length_choice(chain: StringTerm) -> Integer | None:
    """Push a length into a chain of choices between constants and at most one other term."""
    steps, x = constant_chain(chain)
    # The rest must not be looked into any further, however deep it is.
    if isinstance(x, Term) and x.op.base in (ITE, STR_CONCAT):
        return None
    result = STR_LEN(x)
    for test, leaf in reversed(steps):
        result = ite(test, len(leaf), result)
    return result


@string_rule(
    STR_LEN,
    "length(from_code(i)) = 1 for a code point, else 0",
    lambda i: (from_code(i),),
    on=STR_FROM_CODE,
)
def length_from_code(character: StringTerm) -> Integer | None:
    return ite(_is_code(character.key[1]), 1, 0)


def _is_code(code: Integer) -> Guard:
    return and_(code >= 0, code <= MAX_CODE)


@string_rule(
    LE,
    "length(x) <= 0 = x == '', False below 0",
    lambda x, k: (length(x), k - 1),
    on=STR_LEN,
    constant=True,
)
def le_length_constant(size: IntTerm, c: int) -> Guard | None:
    if c < 0:
        return False
    return equals(size.key[1], "") if c == 0 else None


@string_rule(
    EQ,
    "(length(x) == 0) = (x == ''), False below 0",
    lambda x, k: (length(x), k - 1),
    on=STR_LEN,
    constant=True,
)
def eq_length_constant(size: IntTerm, c: int) -> Guard | None:
    return le_length_constant(size, c)


# --- comparison --------------------------------------------------------------------------------


@string_rule(STR_LT, "x < y = not y <= x", lambda x, y: (x, y), constant=True)
def lt_by_le(x: StringTerm, y: StringTerm) -> Guard | None:
    return not_(STR_LE(y, x))


@string_rule(STR_LE, "x <= x = True", lambda x: (x, x), same=True)
def le_same(x: StringTerm, _: StringTerm) -> Guard | None:
    return True


@string_rule(STR_LE, "x <= '' = (x == '')", lambda x: (x, ""), constant=True)
def le_empty(x: StringTerm, c: str) -> Guard | None:
    return equals(x, "") if c == "" else None


@string_rule(STR_LE, "'' <= x = True", lambda x: ("", x), left_constant=True)
def empty_le(c: str, x: StringTerm) -> Guard | None:
    return True if c == "" else None


@string_rule(
    EQ,
    "(x + c == d) = (x == d without its suffix c), False if it has another",
    lambda x, c, d: (x + c, d + c),
)
@string_rule(
    EQ,
    "(c + x == d) = (x == d without its prefix c), False if it has another",
    lambda x, c, d: (c + x, d),
    on=STR_CONCAT,
    constant=True,
)
def eq_concat_constant(pair: StringTerm, d: str) -> Guard | None:
    x: Operand = pair
    start, stop = 0, len(d)
    while isinstance(x, Term) and x.op is STR_CONCAT:
        _, a, b = x.key
        if not isinstance(a, Term):
            if not d.startswith(a, start, stop):
                return False
            x, start = b, start + len(a)
        elif not isinstance(b, Term):
            if not d.endswith(b, start, stop):
                return False
            x, stop = a, stop - len(b)
        else:
            break
    return None if x is pair else eq(x, d[start:stop])


@string_rule(
    EQ,
    "(char_at(x, i) == c) = False if c has several characters",
    lambda x, i, c, d: (char_at(x, i), c + d),
    on=STR_AT,
    constant=True,
)
def eq_character_constant(character: StringTerm, c: str) -> Guard | None:
    return False if len(c) > 1 else None


# --- parts -------------------------------------------------------------------------------------


@string_rule(STR_PREFIXOF, "prefix_of(x, x) = True", lambda x: (x, x), same=True)
@string_rule(STR_SUFFIXOF, "suffix_of(x, x) = True", lambda x: (x, x), same=True)
@string_rule(STR_CONTAINS, "contains(x, x) = True", lambda x: (x, x), same=True)
def part_of_itself(x: StringTerm, _: StringTerm) -> Guard | None:
    return True


@string_rule(STR_PREFIXOF, "prefix_of('', x) = True", lambda x: ("", x), left_constant=True)
@string_rule(STR_SUFFIXOF, "suffix_of('', x) = True", lambda x: ("", x), left_constant=True)
def empty_is_part(part: str, x: StringTerm) -> Guard | None:
    return True if part == "" else None


@string_rule(STR_PREFIXOF, "prefix_of(x, '') = (x == '')", lambda x: (x, ""), constant=True)
@string_rule(STR_SUFFIXOF, "suffix_of(x, '') = (x == '')", lambda x: (x, ""), constant=True)
def part_of_empty(x: StringTerm, s: str) -> Guard | None:
    return equals(x, "") if s == "" else None


@string_rule(STR_CONTAINS, "contains(x, '') = True", lambda x: (x, ""), constant=True)
def contains_empty(x: StringTerm, part: str) -> Guard | None:
    return True if part == "" else None


@string_rule(STR_CONTAINS, "contains('', x) = (x == '')", lambda x: ("", x), left_constant=True)
def empty_contains(s: str, x: StringTerm) -> Guard | None:
    return equals(x, "") if s == "" else None


@string_rule(STR_PREFIXOF, "prefix_of(x, x + y) = True", lambda x, y: (x, x + y), right=STR_CONCAT)
def prefix_of_concat(x: StringTerm, pair: StringTerm) -> Guard | None:
    return True if pair.key[1] is x else None


@string_rule(STR_SUFFIXOF, "suffix_of(y, x + y) = True", lambda x, y: (y, x + y), right=STR_CONCAT)
def suffix_of_concat(y: StringTerm, pair: StringTerm) -> Guard | None:
    return True if pair.key[2] is y else None


@string_rule(
    STR_CONTAINS,
    "contains(x + y, x) = contains(x + y, y) = True",
    lambda x, y: (x + y, y),
    on=STR_CONCAT,
)
def concat_contains(pair: StringTerm, x: StringTerm) -> Guard | None:
    return True if pair.key[1] is x or pair.key[2] is x else None


@string_rule(
    STR_PREFIXOF,
    "prefix_of(c, d + x): what d leaves of c, if that begins with d",
    lambda x, c, u: (c + u, c + x),
    on=STR_CONCAT,
    left_constant=True,
)
def prefix_of_constant_concat(c: str, pair: StringTerm) -> Guard | None:
    _, d, x = pair.key
    if isinstance(d, Term):
        return None
    if len(c) <= len(d):
        return d.startswith(c)
    return STR_PREFIXOF(c[len(d) :], x) if c.startswith(d) else False


@string_rule(
    STR_SUFFIXOF,
    "suffix_of(c, x + d): what d leaves of c, if that ends with d",
    lambda x, c, u: (u + c, x + c),
    on=STR_CONCAT,
    left_constant=True,
)
def suffix_of_constant_concat(c: str, pair: StringTerm) -> Guard | None:
    _, x, d = pair.key
    if isinstance(d, Term):
        return None
    if len(c) <= len(d):
        return d.endswith(c)
    return STR_SUFFIXOF(c[: len(c) - len(d)], x) if c.endswith(d) else False


@string_rule(
    STR_CONTAINS,
    "contains(c + x, d) = contains(x + c, d) = True if d is in c",
    lambda x, c, u: (u + c + x, c),
    on=STR_CONCAT,
    constant=True,
)
def constant_concat_contains(pair: StringTerm, d: str) -> Guard | None:
    return True if any(not isinstance(part, Term) and d in part for part in pair.key[1:]) else None


@string_rule(
    STR_AT,
    "char_at(x, i) = '' for a negative index and for an empty string",
    lambda x, k: (x, -1 - k),
    constant=True,
)
@string_rule(STR_AT, "char_at('', i) = ''", lambda i: ("", i))
def at_outside(s: Text, i: Integer) -> Text | None:
    return "" if _starts_outside(s, i) else None


def _starts_outside(s: Text, start: Integer) -> bool:
    if isinstance(start, Term):
        return same_operand(s, "")
    return bool(start < 0 or (not isinstance(s, Term) and start >= len(s)))


@string_rule(
    STR_AT,
    "char_at(c + x, k) = the character of c, or of x further on",
    lambda x, c, k: (c + x, k),
    on=STR_CONCAT,
)
def at_constant_concat(pair: StringTerm, i: Integer) -> Text | None:
    _, c, x = pair.key
    if isinstance(c, Term) or isinstance(i, Term):
        return None
    return c[i] if i < len(c) else STR_AT(x, i - len(c))


@string_rule(
    STR_SUBSTR,
    "substr(x, i, n) = '' from outside of the string, and for n below 1",
    lambda x, i, k: (x, i, -k),
    constant=True,
)
@string_rule(STR_SUBSTR, "substr(x, -1, i) = ''", lambda x, i, k: (x, -1 - k, i))
@string_rule(STR_SUBSTR, "substr('', i, j) = ''", lambda i, j: ("", i, j))
@string_rule(STR_SUBSTR, "substr(c, k, j) = '' beyond c", lambda c, j: (c, len(c), j))
def substr_outside(s: Text, start: Integer, size: Integer) -> Text | None:
    if not isinstance(size, Term) and size <= 0:
        return ""
    return "" if _starts_outside(s, start) else None


@string_rule(STR_SUBSTR, "substr(x, 0, length(x)) = x", lambda x: (x, 0, length(x)), constant=True)
def substr_whole(s: Text, start: Integer, size: Integer) -> Text | None:
    if not same_operand(start, 0) or not isinstance(s, Term) or not isinstance(size, Term):
        return None
    return s if size is STR_LEN(s) else None


@string_rule(
    STR_SUBSTR,
    "substr(c + x, k, n) = a part of c, or of x further on",
    lambda x, c, u, k: (c + u + x, k, 1),
    on=STR_CONCAT,
)
def substr_constant_concat(pair: StringTerm, start: Integer, size: Integer) -> Text | None:
    _, c, x = pair.key
    if isinstance(c, Term) or isinstance(start, Term):
        return None
    if start >= len(c):
        return STR_SUBSTR(x, start - len(c), size)
    inside = not isinstance(size, Term) and start + size <= len(c)
    return c[start : start + size] if inside else None


@string_rule(
    STR_INDEXOF,
    "index_of(x, y, i) = -1 for a negative i; index_of(x, '', 0) = index_of(x, x, 0) = 0",
    lambda x, y, k: (x, y, -1 - k),
    constant=True,
)
@string_rule(STR_INDEXOF, "index_of(x, '', 0) = 0", lambda x: (x, "", 0))
@string_rule(STR_INDEXOF, "index_of(x, x, 0) = 0", lambda x: (x, x, 0))
def index_of_at_ends(s: Text, part: Text, start: Integer) -> Integer | None:
    if isinstance(start, Term):
        return None
    if start < 0:
        return -1
    return 0 if start == 0 and (same_operand(part, "") or part is s) else None


@string_rule(
    STR_REPLACE,
    "replace_first(x, '', z) = z + x; replace_first(x, x, z) = z; replace_first(x, y, y) = x",
    lambda x, z: (x, "", z),
    constant=True,
)
@string_rule(STR_REPLACE, "replace_first(x, x, z) = z", lambda x, z: (x, x, z))
@string_rule(STR_REPLACE, "replace_first(x, y, y) = x", lambda x, y: (x, y, y))
def replace_first_trivial(s: Text, old: Text, new: Text) -> Text | None:
    if same_operand(old, new):
        return s
    if same_operand(old, ""):
        return STR_CONCAT(new, s)
    return new if old is s else None


@string_rule(
    STR_REPLACE_ALL,
    "replace_all(x, '', z) = x; replace_all(x, y, y) = x; replace_all('', y, z) = ''",
    lambda x, z: (x, "", z),
    constant=True,
)
@string_rule(STR_REPLACE_ALL, "replace_all(x, y, y) = x", lambda x, y: (x, y, y))
@string_rule(STR_REPLACE_ALL, "replace_all('', y, z) = ''", lambda y, z: ("", y, z))
def replace_all_trivial(s: Text, old: Text, new: Text) -> Text | None:
    return s if same_operand(old, "") or same_operand(old, new) or same_operand(s, "") else None


# --- codes and numbers -------------------------------------------------------------------------


@string_rule(
    STR_TO_CODE,
    "to_code(from_code(i)) = i for a code point, else -1",
    lambda i: (from_code(i),),
    on=STR_FROM_CODE,
)
def to_code_from_code(character: StringTerm) -> Integer | None:
    code = character.key[1]
    return ite(_is_code(code), code, -1)


@string_rule(
    STR_FROM_CODE,
    "from_code(to_code(x)) = x if it is one character, else ''",
    lambda x: (to_code(x),),
    on=STR_TO_CODE,
)
def from_code_to_code(code: IntTerm) -> Text | None:
    s = code.key[1]
    return ite(length(s) == 1, s, "")


@string_rule(
    STR_TO_INT,
    "str_to_int(int_to_str(i)) = i, or -1 if it is negative",
    lambda i: (int_to_str(i),),
    on=STR_FROM_INT,
)
def to_int_from_int(digits: StringTerm) -> Integer | None:
    value = digits.key[1]
    return ite(value >= 0, value, -1)


@string_rule(
    EQ,
    "(to_code(x) == c) = (x == the character c), False for no code point but -1",
    lambda x, k: (to_code(x), MAX_CODE - 1 + k),
    on=STR_TO_CODE,
    constant=True,
)
def eq_code_constant(code: IntTerm, c: int) -> Guard | None:
    if 0 <= c <= MAX_CODE:
        return equals(code.key[1], chr(c))
    return None if c == -1 else False


@string_rule(
    EQ,
    "(str_to_int(x) == c) = False for c below -1",
    lambda x, k: (str_to_int(x), -2 - k),
    on=STR_TO_INT,
    constant=True,
)
def eq_number_constant(number: IntTerm, c: int) -> Guard | None:
    return False if c < -1 else None


@string_rule(
    LE,
    "to_code(x) <= c and str_to_int(x) <= c are False below -1",
    lambda x, k: (to_code(x), -2 - k),
    on=(STR_TO_CODE, STR_TO_INT),
    constant=True,
)
@string_rule(
    LE,
    "to_code(x) <= c = True from the last code point on",
    lambda x, k: (to_code(x), MAX_CODE + k),
)
@string_rule(LE, "str_to_int(x) <= c = False below -1", lambda x, k: (str_to_int(x), -2 - k))
def le_code_constant(number: IntTerm, c: int) -> Guard | None:
    if c < -1:
        return False
    return True if number.op is STR_TO_CODE and c >= MAX_CODE else None
