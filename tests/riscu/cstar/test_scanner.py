"""Tokens of C*: literals, comments, positions, what is no symbol."""

from __future__ import annotations

import pytest

from solvent.riscu.cstar.scanner import scan


def test_symbols_and_keywords_are_their_own_kinds() -> None:
    text = "uint64_t void if else while return == != <= >= < > = + - * / % ( ) { } , ;"
    tokens, mistakes = scan(text)
    assert mistakes == []
    assert [token.kind for token in tokens[:-1]] == text.split()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("18446744073709551615", 2**64 - 1),
        ("'a'", 97),
        ("'\\n'", 10),
        ("'\\''", 39),
        ("'\"'", 34),
        ("'\\\\'", 92),
        ('"hi\\n"', b"hi\n"),
        ('""', b""),
        ('"a\\"b"', b'a"b'),
        ('"// no comment"', b"// no comment"),
    ],
)
def test_literals(text: str, value: int | bytes) -> None:
    tokens, mistakes = scan(text)
    assert mistakes == []
    assert tokens[0].value == value


def test_comments_and_positions() -> None:
    tokens, _ = scan("x // one\n /* two\n three */ y\n  z1_b", "a.c")
    found = [(token.text, token.position.line, token.position.column) for token in tokens]
    assert found == [("x", 1, 1), ("y", 3, 11), ("z1_b", 4, 3), ("", 4, 7)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("18446744073709551616", "a.c(1,1): error: 18446744073709551616 does not fit into 64 bits"),
        ("a # b", "a.c(1,3): error: C* has no symbol '#'"),
        ("'ab'", "a.c(1,1): error: this character literal has no end on its line"),
        ("'", "a.c(1,1): error: this character literal has no end on its line"),
        ("'é'", "a.c(1,1): error: 'é' is more than one byte"),
        ('"abc', "a.c(1,1): error: this string literal has no end on its line"),
        ("'\\q'", "a.c(1,1): error: there is no escape \\q"),
        ("/* abc", "a.c(1,1): error: this comment has no end"),
    ],
)
def test_what_cannot_be_read(text: str, message: str) -> None:
    _, mistakes = scan(text, "a.c")
    assert str(mistakes[0]).startswith(message)
