"""Regular expressions of SMT-LIB's theory of strings.

A regex denotes a set of strings.  It is always a term, as strings inside it may be symbolic.  A
regex without symbolic parts is its own value: the operators' concrete meaning on regexes is
to build the term, so that evaluating a regex under a model gives such a *concrete* regex, and
asking whether a concrete string is in it gives a `bool`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, Any

from solvent.errors import SortError
from solvent.terms.arithmetic import ADD
from solvent.terms.bitvector_ops import BVAND, BVNOT, BVOR
from solvent.terms.booleans import eq
from solvent.terms.graph import reachable
from solvent.terms.matching import Matcher, lowest
from solvent.terms.ops import Op
from solvent.terms.printing import register_function, register_infix, register_prefix
from solvent.terms.sorts import TERM_CLASSES, Bool, Regex, RegexSort, Sort, Str, describe
from solvent.terms.string_rules import string_rule
from solvent.terms.strings import StringTerm, check_length, joined, length
from solvent.terms.term import Term, node, rewritten

if TYPE_CHECKING:
    from solvent.terms.kinds import Guard, RegexLike, StringLike, Text


class RegexTerm(Term):
    """A regular expression: `+`, `|`, `&`, `-` and `~` combine the sets of strings.

    >>> r = to_re("a") + re_star(re_range("0", "9"))
    >>> in_re("a12", r), in_re("a12", ~r), in_re("b", r | "b")
    (True, False, True)
    """

    __slots__ = ()
    __hash__ = object.__hash__

    @property
    def is_concrete(self) -> bool:
        """Whether the regex has no symbolic parts."""
        return all(term.op.base in REGEX_OPERATORS for term in reachable([self]))

    def __eq__(self, other: object) -> bool:
        if other is self:
            return True
        if not isinstance(other, RegexTerm):
            return NotImplemented
        raise SortError(
            f"{describe(self)} and {describe(other)} are not compared, as equal sets of strings "
            "have many forms; ask a solver whether in_re(s, ...) of both can differ for some s"
        )

    def __ne__(self, other: object) -> bool:
        result = self.__eq__(other)
        return result if result is NotImplemented else not result

    def __add__(self, other: RegexLike) -> RegexTerm:
        return _combined(RE_CONCAT, self, other)

    def __radd__(self, other: RegexLike) -> RegexTerm:
        return _combined(RE_CONCAT, other, self)

    def __or__(self, other: RegexLike) -> RegexTerm:
        return _combined(RE_UNION, self, other)

    def __ror__(self, other: RegexLike) -> RegexTerm:
        return _combined(RE_UNION, other, self)

    def __and__(self, other: RegexLike) -> RegexTerm:
        return _combined(RE_INTER, self, other)

    def __rand__(self, other: RegexLike) -> RegexTerm:
        return _combined(RE_INTER, other, self)

    def __sub__(self, other: RegexLike) -> RegexTerm:
        return _combined(RE_DIFF, self, other)

    def __rsub__(self, other: RegexLike) -> RegexTerm:
        return _combined(RE_DIFF, other, self)

    def __invert__(self) -> RegexTerm:
        return RE_COMP(self)


TERM_CLASSES[RegexSort] = RegexTerm
Regex.term_class = RegexTerm
Sort.coercers[RegexSort] = lambda sort, value: (
    value if isinstance(value, RegexTerm) else NotImplemented
)
Sort.defaults[RegexSort] = lambda sort: re_none()


def _operand(value: object) -> RegexTerm:
    """A regex, or the one of just the given string; NotImplemented for anything else."""
    if isinstance(value, (str, StringTerm)):
        return to_re(value)
    return Regex.coerce(value)


def _regex(value: object) -> RegexTerm:
    result = _operand(value)
    if result is NotImplemented:
        raise SortError(f"a regex or a string is needed, not {describe(value)}")
    return result


def _combined(op: Op[RegexTerm], a: RegexLike, b: RegexLike) -> RegexTerm:
    x, y = _operand(a), _operand(b)
    return NotImplemented if x is NotImplemented or y is NotImplemented else op(x, y)


# --- operators ---------------------------------------------------------------------------------


REGEX_OPERATORS: set[Op[object]] = set()


def _regex_op(name: str, parameters: int = 0) -> Op[RegexTerm]:
    """An operator, or a family with parameters.  On concrete regexes, too, it builds the term."""

    def build(*args: object) -> RegexTerm:
        instance = op.at(*args[:parameters]) if parameters else op
        return node(RegexTerm, instance, Regex, *args[parameters:])

    op: Op[RegexTerm] = Op(name, build, lambda *args: Regex)
    op.construct = build
    REGEX_OPERATORS.add(op)
    return op


RE_NONE = _regex_op("re.none")
RE_ALL = _regex_op("re.all")
RE_ALLCHAR = _regex_op("re.allchar")
TO_RE = _regex_op("str.to_re")
RE_RANGE = _regex_op("re.range")
RE_CONCAT = _regex_op("re.++")
RE_UNION = _regex_op("re.union")
RE_INTER = _regex_op("re.inter")
RE_DIFF = _regex_op("re.diff")
RE_COMP = _regex_op("re.comp")
RE_STAR = _regex_op("re.*")
RE_PLUS = _regex_op("re.+")
RE_OPT = _regex_op("re.opt")
RE_POWER = _regex_op("re.^", parameters=1)
RE_LOOP = _regex_op("re.loop", parameters=2)


def _loop(least: int, most: int, regex: RegexTerm) -> RegexTerm:
    # No solver is asked what it makes of a loop that ends before it begins.
    return RE_NONE() if least > most else node(RegexTerm, RE_LOOP.at(least, most), Regex, regex)


RE_LOOP.fold = RE_LOOP.construct = _loop


def _matches(s: str, regex: RegexTerm) -> bool:
    return bool(Matcher(s).ends(regex, 0) >> len(s))


def _replace_re(s: str, regex: RegexTerm, new: str) -> str:
    matcher = Matcher(s)
    for start in range(len(s) + 1):
        ends = matcher.ends(regex, start)
        if ends:
            return joined(s[:start] + new, s[lowest(ends) :])
    return s


def _replace_re_all(s: str, regex: RegexTerm, new: str) -> str:
    matcher = Matcher(s)
    parts = []
    start = size = 0
    while start < len(s):
        ends = matcher.ends(regex, start) & -(2 << start)
        end = lowest(ends) if ends else start + 1
        parts.append(new if ends else s[start])
        size += len(parts[-1])
        check_length(size)
        start = end
    return "".join(parts)


STR_IN_RE: Op[Guard] = Op("str.in_re", _matches, lambda s, r: Bool)
STR_REPLACE_RE: Op[Text] = Op("str.replace_re", _replace_re, lambda s, r, t: Str)
STR_REPLACE_RE_ALL: Op[Text] = Op("str.replace_re_all", _replace_re_all, lambda s, r, t: Str)


def _with_regex(op: Op[object], sort: Sort[Term]) -> None:
    """The constructor of an operator on strings and one regex, which is its second operand."""
    heads = op.right_rules.get

    def construct(*args: Any) -> Any:
        regex = args[1]
        symbolic = any(isinstance(arg, Term) for arg in args if arg is not regex)
        if not symbolic and regex.is_concrete:
            return op.fold(*args)
        result = rewritten(heads(regex.op.base, ()), *args)
        return node(sort.term_class, op, sort, *args) if result is None else result

    op.construct = construct


_with_regex(STR_IN_RE, Bool)
_with_regex(STR_REPLACE_RE, Str)
_with_regex(STR_REPLACE_RE_ALL, Str)

register_infix(RE_CONCAT, "+", like=ADD)
register_infix(RE_UNION, "|", like=BVOR)
register_infix(RE_INTER, "&", like=BVAND)
register_infix(RE_DIFF, "-", like=ADD)
register_prefix(RE_COMP, "~", like=BVNOT)
for _op, _name in (
    (RE_NONE, "re_none"),
    (RE_ALL, "re_all"),
    (RE_ALLCHAR, "re_allchar"),
    (TO_RE, "to_re"),
    (RE_RANGE, "re_range"),
    (RE_STAR, "re_star"),
    (RE_PLUS, "re_plus"),
    (RE_OPT, "re_opt"),
    (RE_POWER, "re_power"),
    (RE_LOOP, "re_loop"),
    (STR_IN_RE, "in_re"),
    (STR_REPLACE_RE, "replace_re"),
    (STR_REPLACE_RE_ALL, "replace_re_all"),
):
    register_function(_op, _name)


# --- the functions of the theory ---------------------------------------------------------------


def re_none() -> RegexTerm:
    """The regex of no string at all.

    >>> in_re("", re_none())
    False
    """
    return RE_NONE()


def re_all() -> RegexTerm:
    """The regex of all strings.

    >>> in_re("ab", re_all())
    True
    """
    return RE_ALL()


def re_allchar() -> RegexTerm:
    """The regex of all strings of one character.

    >>> in_re("a", re_allchar()), in_re("ab", re_allchar())
    (True, False)
    """
    return RE_ALLCHAR()


def to_re(s: StringLike) -> RegexTerm:
    """The regex of just one string.  All functions on regexes take a string for this, too.

    >>> in_re("ab", to_re("ab"))
    True
    """
    return TO_RE(Str.require(s))


def re_range(first: StringLike, last: StringLike) -> RegexTerm:
    """The regex of the characters from `first` to `last`.

    >>> in_re("b", re_range("a", "c"))
    True
    """
    return RE_RANGE(Str.require(first), Str.require(last))


def _joined(
    op: Op[RegexTerm], regexes: tuple[RegexLike, ...], neutral: Callable[[], RegexTerm]
) -> RegexTerm:
    return reduce(op, map(_regex, regexes)) if regexes else neutral()


def re_concat(*regexes: RegexLike) -> RegexTerm:
    """The regex of the concatenations of a string of each.

    >>> in_re("ab", re_concat(re_opt("x"), "a", "b"))
    True
    """
    return _joined(RE_CONCAT, regexes, lambda: to_re(""))


def re_union(*regexes: RegexLike) -> RegexTerm:
    """The regex of the strings of any of these.

    >>> in_re("b", re_union("a", "b"))
    True
    """
    return _joined(RE_UNION, regexes, re_none)


def re_intersect(*regexes: RegexLike) -> RegexTerm:
    """The regex of the strings that all of these have in common.

    >>> in_re("a", re_intersect(re_allchar(), re_star("a")))
    True
    """
    return _joined(RE_INTER, regexes, re_all)


def re_diff(a: RegexLike, b: RegexLike) -> RegexTerm:
    """The regex of the strings of `a` that are not of `b`.

    >>> in_re("b", re_diff(re_allchar(), "a"))
    True
    """
    return RE_DIFF(_regex(a), _regex(b))


def re_complement(regex: RegexLike) -> RegexTerm:
    """The regex of all other strings.

    >>> in_re("b", re_complement("a"))
    True
    """
    return RE_COMP(_regex(regex))


def re_star(regex: RegexLike) -> RegexTerm:
    """Any number of repetitions.

    >>> in_re("aaa", re_star("a")), in_re("", re_star("a"))
    (True, True)
    """
    return RE_STAR(_regex(regex))


def re_plus(regex: RegexLike) -> RegexTerm:
    """At least one repetition.

    >>> in_re("aaa", re_plus("a")), in_re("", re_plus("a"))
    (True, False)
    """
    return RE_PLUS(_regex(regex))


def re_opt(regex: RegexLike) -> RegexTerm:
    """Once or not at all.

    >>> in_re("a", re_opt("a")), in_re("", re_opt("a"))
    (True, True)
    """
    return RE_OPT(_regex(regex))


def _count(value: int) -> int:
    if not isinstance(value, int) or value < 0:
        raise SortError(f"a number of repetitions is an int of at least 0, not {describe(value)}")
    return int(value)


def re_power(times: int, regex: RegexLike) -> RegexTerm:
    """Exactly so many repetitions.

    >>> in_re("aa", re_power(2, "a"))
    True
    """
    return RE_POWER.at(_count(times))(_regex(regex))


def re_loop(least: int, most: int, regex: RegexLike) -> RegexTerm:
    """From `least` to `most` repetitions; no string at all if `least` is more.

    >>> in_re("aa", re_loop(1, 3, "a"))
    True
    """
    return RE_LOOP.at(_count(least), _count(most))(_regex(regex))


def in_re(s: StringLike, regex: RegexLike) -> Guard:
    """Whether a string is one of a regex.

    >>> from solvent.terms import Str
    >>> in_re("ab", re_star(re_range("a", "b"))), in_re(Str("s"), re_star("ab"))
    (True, in_re(s, re_star(to_re('ab'))))
    """
    return STR_IN_RE(Str.require(s), _regex(regex))


def replace_re(s: StringLike, regex: RegexLike, new: StringLike) -> Text:
    """The string with the leftmost match, and of those the shortest, replaced.

    >>> replace_re("xaay", re_plus("a"), "b"), replace_re("a", re_star("a"), "b")
    ('xbay', 'ba')
    """
    return STR_REPLACE_RE(Str.require(s), _regex(regex), Str.require(new))


def replace_re_all(s: StringLike, regex: RegexLike, new: StringLike) -> Text:
    """The string with all leftmost and shortest matches that are not empty replaced.

    >>> replace_re_all("xaay", re_star("a"), "b")
    'xbby'
    """
    return STR_REPLACE_RE_ALL(Str.require(s), _regex(regex), Str.require(new))


# --- rules -------------------------------------------------------------------------------------


@string_rule(STR_IN_RE, "in_re(x, re_none()) = False", lambda x: (x, re_none()), right=RE_NONE)
def in_none(s: Text, regex: RegexTerm) -> Guard:
    return False


@string_rule(STR_IN_RE, "in_re(x, re_all()) = True", lambda x: (x, re_all()), right=RE_ALL)
def in_all(s: Text, regex: RegexTerm) -> Guard:
    return True


@string_rule(
    STR_IN_RE,
    "in_re(x, re_allchar()) = (length(x) == 1)",
    lambda x: (x, re_allchar()),
    right=RE_ALLCHAR,
)
def in_allchar(s: Text, regex: RegexTerm) -> Guard:
    return eq(length(s), 1)


@string_rule(STR_IN_RE, "in_re(x, to_re(y)) = (x == y)", lambda x, y: (x, to_re(y)), right=TO_RE)
def in_literal(s: Text, regex: RegexTerm) -> Guard:
    return eq(s, regex.key[1])
