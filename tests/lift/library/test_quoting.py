"""`html.escape`, `urllib.parse.quote`, and what reads back their results or others."""

from __future__ import annotations

import html
import string
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, quote_plus, unquote, unquote_plus

import pytest

from solvent import Options, texts, verify
from solvent.lift.calls import call
from tests.lift.spelling.agreement import texts_agree

# All that are escaped or quoted in a way of their own, and bytes of one to four in UTF-8.
MARKS = "&<\"'a +%/~;"
WIDE = "a %\x7fßࠀ\ud800￿😀"
FUNCTIONS: list[tuple[Callable[..., Any], str]] = [
    (html.escape, MARKS),
    (lambda s: html.escape(s, quote=False), MARKS),
    (lambda s: html.unescape(html.escape(s)), MARKS),
    (lambda s: html.unescape(html.escape(s, False)), MARKS),
    (lambda s: html.escape(html.escape(s)), "&<a"),
    (lambda s: html.escape(html.unescape(html.escape(s))), "&<a"),
    (quote, WIDE),
    (quote_plus, WIDE),
    (lambda s: quote(s, safe=" +%"), MARKS),
    (lambda s: quote_plus(s, safe=" +%"), MARKS),
    (lambda s: quote(s, encoding="latin-1", errors="replace"), "aß%"),
    (lambda s: unquote(quote(s)), "a %ß"),
    (lambda s: unquote(quote(s, safe="%")), "%2"),
    (lambda s: unquote_plus(quote(s)), "+ %"),
    (lambda s: unquote_plus(quote(s, safe="+")), "+ "),
    (lambda s: unquote_plus(quote_plus(s)), "+ %ß"),
    (lambda s: unquote(quote_plus(s)), "+ %"),
]


@pytest.mark.parametrize("place", range(len(FUNCTIONS)))
def test_as_in_cpython(place: int) -> None:
    function, alphabet = FUNCTIONS[place]
    # Since Python 3.12 what was quoted otherwise is read by a generator, whose paths meet late.
    is_quick = place not in (12, 14, 16) or sys.version_info < (3, 12)
    texts_agree(function, alphabet=alphabet, longest=2 if is_quick else 1)


@pytest.mark.parametrize("length", [3, 6])
def test_what_was_quoted_is_read_back(length: int) -> None:
    def escaped(s: str) -> None:
        assert html.unescape(html.escape(s)) == s

    def quoted(s: str) -> None:
        if s.isascii():
            assert unquote(quote(s)) == s == unquote_plus(quote_plus(s))

    for function in (escaped, quoted):
        assert verify(function, options=Options(max_len=length)).holds


def test_no_marks_are_left() -> None:
    def program(s: str) -> None:
        found = html.escape(s)
        assert not any(mark in found for mark in '<>"')

    assert verify(program).holds


@pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="it is read by a generator there, which takes minutes"
)
def test_what_is_safe_is_not_read_back() -> None:
    def program(s: str) -> None:
        assert unquote(quote(s, safe="%")) == s

    result = verify(program, texts(alphabet="%4a", max_len=3))
    assert result.inputs["s"].upper() in ("%44", "%4A", "%AA", "%A4")


def test_read_back_another_way() -> None:
    texts_agree(lambda s: unquote(quote(s), encoding="latin-1"), alphabet="aß", longest=1)
    texts_agree(lambda s: html.unescape(html.escape(s) + ";"), alphabet="&a", longest=1)


def test_known_texts_go_to_the_functions_themselves() -> None:
    for function in (html.escape, quote, quote_plus):
        assert call(function)(string.printable) == function(string.printable)
