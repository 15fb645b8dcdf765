"""The modules `string` and `textwrap` on symbolic texts, where they need no regular expressions."""

from __future__ import annotations

import random
import string
import textwrap
from typing import Any

from solvent.lift.twins.loading import loaded
from solvent.lift.twins.table import BY_MODULE
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


def wrapped(text: str) -> Any:
    return textwrap.wrap(text, 5)


def test_wrap() -> None:
    texts_agree(wrapped, alphabet="a\t", longest=1)
    texts_agree(wrapped, alphabet="a \n-", longest=2)


def options(rng: random.Random) -> dict[str, Any]:
    """Some options of `TextWrapper`."""
    flags = (
        "break_long_words", "drop_whitespace", "break_on_hyphens",
        "replace_whitespace", "expand_tabs", "fix_sentence_endings",
    )  # fmt: skip
    found: dict[str, Any] = {flag: rng.random() < 0.5 for flag in flags if rng.random() < 0.4}
    found["width"] = rng.randint(0, 7)
    if rng.random() < 0.4:
        # A line has room for a character: without, CPython may go on for ever.
        indents = [" " * size for size in range(max(1, found["width"]))]
        found["initial_indent"] = rng.choice(indents)
        found["subsequent_indent"] = rng.choice(indents)
    if rng.random() < 0.4:
        found["tabsize"] = rng.choice([0, 1, 3, 8])
    if rng.random() < 0.6:
        found["max_lines"] = rng.randint(0, 4)
        found["placeholder"] = rng.choice(["", "+", " +", " [...]", "  "])
    return found


def lines(module: Any, text: str, given: dict[str, Any]) -> Any:
    try:
        return module.TextWrapper(**given).wrap(text)
    except ValueError as error:
        return repr(error)


def test_wrap_as_the_module_does() -> None:
    rng = random.Random(18)
    twin = loaded(BY_MODULE["textwrap"])
    for _ in range(4000):
        text = "".join(rng.choices("aab   -\n.\x85\t\r\x0b", k=rng.randint(0, 12)))
        given = options(rng)
        assert lines(twin, text, given) == lines(textwrap, text, given), (text, given)


class Cutting(textwrap.TextWrapper):
    """A wrapper with chunks of its own."""

    def _split(self, text: str) -> list[str]:
        return list(text)


def cut(text: str) -> Any:
    return Cutting(width=2).wrap("x" + text)


def test_wrapper_of_a_derived_class() -> None:
    texts_agree(cut, alphabet="a ", longest=2)


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
