"""Patterns of Python's `re` as regexes: the same strings match, or the pattern is refused."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.errors import SortError
from solvent.terms import Str, in_re, re_none, re_range, re_star, regex, to_re
from tests.terms.string_solvers import words

STRINGS = list(dict.fromkeys([*words("ab1\n", 3), *words("ab", 5)]))


def accepted(pattern: str | re.Pattern[str]) -> list[str]:
    translated = regex(pattern)
    return [s for s in STRINGS if in_re(s, translated)]


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "a",
        "ab",
        "a|b",
        "a|",
        "(?:a|b1)*",
        "(a)(b)?",
        "(?P<name>a+)b",
        ".",
        ".*",
        "[ab]+",
        "[^a]",
        "[^ab\\n]",
        "[a-b1]{2}",
        "[]a]",
        "a{2,3}",
        "a{2,}",
        "a{,2}",
        "a{0}",
        "(ab){1,2}",
        "a*?b",
        "a+?",
        "a??b",
        "(?:a?){3}",
        "(?:|a)*",
        "(?:a*)*b",
        r"\d+",
        r"\D",
        r"\w*",
        r"\W",
        r"\s",
        r"\S+",
        r"[\d\s]",
        r"[^\w]",
        r"\x61",
        r"\.",
        "^a$",
        r"\Aa\Z",
        "^a|b$",
        "(^a|b)1",
        "a(b|1$)",
        "^",
        "$",
        "^$",
        "(?s).",
        "(?s:.)a",
        "(?s)(?-s:.)",
        "(?x) a  b # words",
        "(?m)^a$",
        "(?a)\\w",
        "a\nb",
    ],
)
def test_the_same_strings_match(pattern: str) -> None:
    assert accepted(pattern) == [s for s in STRINGS if re.fullmatch(pattern, s)]


characters = st.sampled_from(["a", "b", "1", ".", r"\d", r"\w", r"\s", r"\D", "[ab]", "[^a]", ""])
patterns = st.recursive(
    characters,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{2,}", "*?"])).map(
            lambda pair: f"({pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=8,
)


@given(patterns)
def test_any_pattern(pattern: str) -> None:
    assert accepted(pattern) == [s for s in STRINGS if re.fullmatch(pattern, s)]


def test_compiled_patterns_keep_their_flags() -> None:
    assert accepted(re.compile("a.b", re.DOTALL)) == ["aab", "abb", "a1b", "a\nb"]
    assert accepted(re.compile(" a ", re.VERBOSE)) == ["a"]
    with pytest.raises(SortError, match="the flag IGNORECASE"):
        regex(re.compile("a", re.IGNORECASE))


@pytest.mark.parametrize("pattern", [r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", ".", r"[^\W\d]"])
def test_classes_of_characters_are_those_of_ascii(pattern: str) -> None:
    translated = regex(pattern)
    for character in [*map(chr, range(0x180)), "\u0663", "\u3000"]:
        expected = re.fullmatch(pattern, character, re.ASCII) is not None
        assert in_re(character, translated) is expected, character


def test_characters_beyond_the_theory_match_nothing() -> None:
    assert regex("\U0010ffff") is re_none()
    assert regex("[\U00030000-\U0010ffff]") is re_none()
    assert regex("[\U0002fffe-\U0010ffff]") is re_range("\U0002fffe", "\U0002ffff")
    assert in_re("\U0002ffff", regex("[^a]")) is True
    assert in_re("\U0002ffff", regex("[^a\U0002ffff]")) is False


def test_the_regex_is_small() -> None:
    assert regex("abc") is to_re("abc")
    assert regex("[a-cb-e]*") is re_star(re_range("a", "e"))
    assert in_re(Str("x"), regex("ab")) is (Str("x") == "ab")


@pytest.mark.parametrize(
    ("pattern", "construct"),
    [
        (r"(a)\1", "a backreference"),
        (r"(?P<n>a)(?P=n)", "a backreference"),
        (r"(a)?(?(1)b|1)", "a conditional group"),
        ("(?=a)a", "a lookahead or lookbehind"),
        ("(?!a)b", "a lookahead or lookbehind"),
        ("(?<=a)b", "a lookahead or lookbehind"),
        ("(?<!a)b", "a lookahead or lookbehind"),
        (r"a\b", "an anchor or boundary"),
        (r"a\B", "an anchor or boundary"),
        ("a^b", "an anchor or boundary"),
        ("a$b", "an anchor or boundary"),
        ("(a$)*", "an anchor or boundary"),
        ("(a$)b?", "an anchor or boundary"),
        ("$a", "an anchor or boundary"),
        ("a*+", "a possessive repetition"),
        ("(?>a*)", "an atomic group"),
        ("(?i)a", "the flag IGNORECASE"),
        ("a(?i:b)", "the flag IGNORECASE"),
    ],
)
def test_what_is_refused(pattern: str, construct: str) -> None:
    with pytest.raises(SortError, match=construct) as refusal:
        regex(pattern)
    assert repr(pattern) in str(refusal.value)


def test_what_is_no_pattern() -> None:
    with pytest.raises(SortError, match=r"'\(a' is not a pattern: missing \)"):
        regex("(a")
    with pytest.raises(SortError, match="a pattern is a str"):
        regex(b"a")  # type: ignore[arg-type]
    with pytest.raises(SortError, match="a pattern is a str"):
        regex(re.compile(b"a"))  # type: ignore[arg-type]
