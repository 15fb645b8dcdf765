"""Strings against CPython: indices, membership, methods."""

from __future__ import annotations

from typing import Any

import pytest

from solvent import Str
from solvent.errors import NotLiftedError, SortError
from solvent.lift.execution import execute
from tests.lift.differential import agree

BITS = [False, True]
TEXTS = ["", "a", "ab", "aba", "b,a", "banana"]
INDICES = [-3, -1, 0, 1, 4]


def test_index() -> None:
    def f(text: str, i: int) -> Any:
        return text[i]

    def concrete(i: int) -> Any:
        return "abc"[i]

    def boolean(p: bool, text: str) -> Any:
        return text[p]

    agree(f, TEXTS, INDICES)
    agree(concrete, INDICES)
    agree(boolean, BITS, TEXTS)


def test_index_of_another_type() -> None:
    def f(text: str) -> Any:
        return text["a"]  # type: ignore[index]

    agree(f, TEXTS)


def test_slice() -> None:
    def f(text: str, i: int, j: int) -> Any:
        return text[i:j], text[:i], text[j:], text[:], text[i:None]

    def optional(text: str, p: bool) -> Any:
        start = 1 if p else None
        return text[start:]

    agree(f, TEXTS, INDICES, INDICES)
    agree(optional, TEXTS, BITS)
    with pytest.raises(NotLiftedError, match="step"):
        execute(lambda s: s[::-1], Str("s"))


def test_contains() -> None:
    def f(text: str, part: str) -> Any:
        return part in text, "an" in text, part in "banana", text not in ("a", "b")

    def wrong(text: str, p: bool) -> Any:
        return ("a" if p else 3) in text  # type: ignore[operator]

    agree(f, TEXTS, TEXTS)
    agree(wrong, TEXTS, BITS)


def test_prefixes_and_suffixes() -> None:
    def f(text: str, part: str) -> Any:
        return (
            text.startswith(part), text.endswith(part), text.startswith(("b", part)),
            "banana".startswith(part), "banana".endswith((part, "x")), text.removeprefix(part),
            text.removesuffix(part), "banana".removeprefix(part), "banana".removesuffix(part),
        )  # fmt: skip

    def bounded(text: str, i: int) -> Any:
        return (
            text.startswith("a", i), text.startswith("", i), text.endswith("a", i, 3),
            text.startswith("a", 1, i), text.endswith("", 2, i),
        )  # fmt: skip

    def wrong(text: str) -> Any:
        return text.startswith(3)  # type: ignore[arg-type]

    agree(f, TEXTS, TEXTS)
    agree(bounded, TEXTS, INDICES)
    agree(wrong, TEXTS)


def test_find_and_index() -> None:
    def f(text: str, part: str) -> Any:
        return text.find(part), "banana".find(part), text.find("a", 1), text.find(part, 1, 3)

    def bounded(text: str, i: int, j: int) -> Any:
        return text.find("a", i), text.find("", i, j), text.find("a", i, j)

    def index(text: str, part: str) -> Any:
        return text.index(part)

    agree(f, TEXTS, TEXTS)
    agree(bounded, TEXTS, INDICES, INDICES)
    agree(index, TEXTS, TEXTS)


def test_count() -> None:
    def f(text: str, part: str) -> Any:
        return text.count(part), text.count("a"), text.count("ana"), "banana".count(part)

    def bounded(text: str, i: int) -> Any:
        return text.count("a", i), text.count("", i, 3)

    agree(f, TEXTS, TEXTS)
    agree(bounded, TEXTS, INDICES)


def test_replace() -> None:
    def f(text: str, new: str) -> Any:
        return (
            text.replace("a", new), text.replace("an", "x"), text.replace("a", new, 1),
            text.replace("a", "b", 0), "banana".replace("n", new),
        )  # fmt: skip

    agree(f, TEXTS, TEXTS)
    with pytest.raises(SortError):
        execute(lambda s: s.replace("a", "b", 2), Str("s"))


def test_split_and_partition() -> None:
    def f(text: str) -> Any:
        if len(text) > 6:
            return None
        return text.split(",", 1), text.split("a", 2), text.partition("an"), text.partition(",")

    def separator(text: str, sep: str) -> Any:
        return text.partition(sep)

    def everything(text: str) -> Any:
        if len(text) > 2:
            return None
        return text.split("a")

    agree(f, TEXTS)
    agree(separator, TEXTS, ["", "a", ","])
    agree(everything, TEXTS)


def test_join() -> None:
    def f(text: str, p: bool) -> Any:
        parts = [text, "x"]
        if p:
            parts.append("y")
        return ",".join(parts), text.join(["1", "2"]), "".join([]), "-".join("ab"), text.join(parts)

    def wrong(text: str, p: bool) -> Any:
        return ",".join([text, "a" if p else 3])  # type: ignore[list-item]

    agree(f, TEXTS, BITS)
    agree(wrong, TEXTS, BITS)


def test_widths() -> None:
    def f(text: str) -> Any:
        return (
            text.ljust(4), text.rjust(4, "."), text.center(4, "*"), text.center(7), text.zfill(5),
        )  # fmt: skip

    agree(f, [*TEXTS, "-1", "+1"])


def test_classes_of_characters() -> None:
    def f(text: str) -> Any:
        return text.isdigit(), text.isdecimal(), text.isspace(), text.isascii(), text.isprintable()

    def letters(text: str) -> Any:
        return text.isalpha(), text.isalnum(), text.islower(), text.isupper(), text.isnumeric()

    agree(f, ["", "1", "12a", " ", "\n\t", "²", "٣", "é"])
    agree(letters, ["", "a", "A1", "1", "aB", "ǅ", "É", "é!"])


def test_format_method() -> None:
    def f(text: str) -> Any:
        if text == "b,a":
            return "{}-{0}".format(text)  # noqa: F525
        return "<{0}|{1:>{w}}|{x[0]}|{{>".format(text, text, x=[text], w=3)

    def missing(text: str) -> Any:
        return "{} {}".format(text)  # noqa: F524

    agree(f, TEXTS)
    agree(missing, TEXTS)


def test_choices_of_concrete_strings() -> None:
    def f(p: bool, q: bool) -> Any:
        text = "Hello " if p else "abc"
        part = "l" if q else "c"
        return (
            text.upper(), text.strip(), text.find(part), text.replace(part, "-"), text[1],
            part in text, text.split(), part.join([text, "z"]), text + part, len(text),
            text.rfind(part),
        )  # fmt: skip

    agree(f, BITS, BITS)


def test_loop_over_characters() -> None:
    def f(text: str) -> Any:
        if len(text) > 3:
            return None
        result = []
        for place, character in enumerate(text):
            if character == "a":
                result.append(place)
        return result, list(reversed(text))

    agree(f, TEXTS)


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("upper", lambda s: s.upper()),
        ("strip", lambda s: s.strip()),
        ("rfind", lambda s: s.rfind("a")),
        ("encode", lambda s: s.encode()),
        ("splitlines", lambda s: s.splitlines()),
        ("rsplit", lambda s: s.rsplit(",")),
    ],
)
def test_refused_methods(name: str, use: Any) -> None:
    with pytest.raises(NotLiftedError, match=f"str.{name}"):
        execute(use, Str("s"))
