"""The modules `string` and `textwrap` on symbolic texts, where they need no regular expressions."""

from __future__ import annotations

import string
import textwrap
from typing import Any

from tests.lift.differential import agree
from tests.lift.spelling.agreement import texts_agree


def capitalized(text: str) -> Any:
    return string.capwords(text), string.capwords(text, "b")


def test_capwords() -> None:
    texts_agree(capitalized, alphabet="ab ", longest=3)
    texts_agree(capitalized, alphabet="ß b", longest=2)


def indented(text: str) -> Any:
    return textwrap.indent(text, "> "), textwrap.indent(text, "-", lambda line: "a" in line)


def test_indent() -> None:
    texts_agree(indented, alphabet="a \n", longest=3)


def formatted(n: int, p: bool) -> Any:
    return (
        string.Formatter().format("{0:>4}|{a!r}|{1}", n, p, a=n),
        string.Formatter().format("{}{}{x[0]}", n, p, x=[n]),
        string.Formatter().vformat("{a:{b}}", (), {"a": n, "b": 5}),
    )


def test_formatter() -> None:
    agree(formatted, [-10, 0, 7], [False, True])


def members(text: str) -> Any:
    return text in string.ascii_letters, string.digits.find(text), text + string.punctuation


def test_constants() -> None:
    texts_agree(members, alphabet="a1!", longest=2)
