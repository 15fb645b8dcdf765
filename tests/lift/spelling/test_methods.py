"""Every method of `str` on symbolic texts, against CPython on all texts of small alphabets."""

# The table of cases is easier to read with long lines.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from solvent import NotLiftedError, texts, verify
from tests.lift.spelling.agreement import HOSTILE, PLAIN, texts_agree

Function = Callable[..., Any]


def method(name: str, *arguments: Any, **named: Any) -> Function:
    def calls(text: Any) -> Any:
        return getattr(text, name)(*arguments, **named)

    calls.__name__ = name
    return calls


CASES: list[tuple[str, str, tuple[Any, ...]]] = [
    *(
        (HOSTILE, name, ())
        for name in (
            "upper",
            "lower",
            "title",
            "capitalize",
            "swapcase",
            "casefold",
        )
    ),
    *(
        (alphabet, name, ())
        for alphabet in (HOSTILE, PLAIN)
        for name in (
            "isalnum",
            "isalpha",
            "isascii",
            "isdecimal",
            "isdigit",
            "isidentifier",
            "islower",
            "isnumeric",
            "isprintable",
            "isspace",
            "istitle",
            "isupper",
            "strip",
            "lstrip",
            "rstrip",
            "split",
            "rsplit",
            "splitlines",
        )
    ),
    ("a\r\n\x0b", "splitlines", ()),
    ("a\r\n\x0b", "splitlines", (True,)),
    ("ab ", "split", (None, 1)),
    ("ab ", "rsplit", (None, 1)),
    ("ab ", "split", (None, 0)),
    ("ab,", "split", (",",)),
    ("ab,", "split", (",", 1)),
    ("ab,", "rsplit", (",", 1)),
    ("ab", "split", ("ab",)),
    ("ab", "rsplit", ("aa", 1)),
    ("ab", "split", ("aa",)),
    ("ab", "rsplit", ("aa",)),
    ("ab", "rsplit", ("aba", -1)),
    ("ab,", "partition", (",",)),
    ("ab,", "rpartition", (",",)),
    ("ab", "rpartition", ("aa",)),
    ("ab", "find", ("a",)),
    ("ab", "rfind", ("ab",)),
    ("ab", "find", ("",)),
    ("ab", "find", ("b", -2)),
    ("ab", "rfind", ("b", 0, -1)),
    ("ab", "find", ("", 2)),
    ("ab", "find", ("", 5)),
    ("ab", "count", ("aa",)),
    ("ab", "count", ("",)),
    ("ab", "count", ("b", 1)),
    ("ab", "index", ("ab",)),
    ("ab", "rindex", ("a", 1)),
    ("ab", "startswith", ("ab",)),
    ("ab", "startswith", (("b", "aa"),)),
    ("ab", "endswith", ("b", 0, 2)),
    ("ab", "startswith", ("", 9)),
    ("ab", "endswith", (("", "b"), 1)),
    ("ab", "replace", ("a", "xy")),
    ("ab", "replace", ("ab", "")),
    ("ab", "replace", ("", "-")),
    ("ab", "replace", ("", "-", 2)),
    ("ab", "replace", ("a", "b", 1)),
    ("ab", "replace", ("aa", "c")),
    ("ab", "removeprefix", ("a",)),
    ("ab", "removesuffix", ("ab",)),
    ("ab", "removesuffix", ("abab",)),
    ("ab ", "strip", ("ab",)),
    ("ab ", "lstrip", ("",)),
    ("ab ", "rstrip", ("b ",)),
    ("ab", "center", (4,)),
    ("ab", "center", (5, "-")),
    ("ab", "ljust", (3, "é")),
    ("ab", "rjust", (2,)),
    ("+-1", "zfill", (4,)),
    ("+-1", "zfill", (1,)),
    ("a\t\n", "expandtabs", ()),
    ("a\t\n", "expandtabs", (2,)),
    ("a\t\n", "expandtabs", (0,)),
    ("ab", "translate", ({97: None, 98: "xyz"},)),
    ("ab", "translate", ({97: 98, "b": "c"},)),
    ("ab", "translate", ({97: True, 98.0: "c"},)),
    ("ab", "translate", ({97: 0x110000, 98: 1.5},)),
    ("ab", "join", (("x", "y", "z"),)),
    ("ab", "__len__", ()),
    ("ab", "__contains__", ("ab",)),
    ("ab", "__getitem__", (1,)),
    ("ab", "__add__", ("c",)),
    ("ab", "__mul__", (2,)),
    ("ab", "__eq__", ("ab",)),
    ("ab", "__lt__", ("b",)),
]


@pytest.mark.parametrize(("alphabet", "name", "arguments"), CASES)
def test_method(alphabet: str, name: str, arguments: tuple[Any, ...]) -> None:
    longest = 2 if len(alphabet) > 4 else 3
    texts_agree(method(name, *arguments), alphabet=alphabet, longest=longest)


def test_every_method_is_there() -> None:
    tried = {name for _, name, _ in CASES}
    missing = {name for name in dir(str) if not name.startswith("_")} - tried
    assert missing == {"encode", "format", "format_map", "maketrans"}


WRONG: list[tuple[str, tuple[Any, ...]]] = [
    ("find", (1,)),
    ("split", ("",)),
    ("split", (1,)),
    ("startswith", (1,)),
    ("replace", ("a", 1)),
    ("replace", (None, "a")),
    ("partition", ("",)),
    ("strip", (1,)),
    ("center", (5, "ab")),
    ("ljust", ("a",)),
    ("removeprefix", (1,)),
    ("count", (1,)),
    ("index", ("c",)),
    ("zfill", ("1",)),
    ("split", (None, "a")),
    ("expandtabs", ("a",)),
    ("find", ("a", "b")),
]


@pytest.mark.parametrize(("name", "arguments"), WRONG)
def test_wrong_arguments(name: str, arguments: tuple[Any, ...]) -> None:
    texts_agree(method(name, *arguments), alphabet="ab", longest=2)


def sliced(text: str, start: int, stop: int) -> str:
    return text[start:stop]


def stepped(text: str, start: int) -> str:
    return text[start::2] + text[start::-1] + text[::start]


def item(text: str, place: int) -> str:
    return text[place]


def searched(text: str, start: int, end: int) -> Any:
    return text.find("a", start, end), text.rfind("", start, end), text.startswith("b", start, end)


def limited(text: str, count: int) -> Any:
    return text.split("a", count), text.replace("a", "bb", count), text.rsplit("b", count)


def words(text: str, count: int) -> Any:
    return text.split(None, count), text.rsplit(None, count)


def repeated(text: str, count: int) -> str:
    return text * count + count * "x"


def padded(text: str, width: int) -> Any:
    return text.center(width, "-"), text.rjust(width), text.zfill(width)


@pytest.mark.parametrize("function", [sliced, searched])
def test_symbolic_bounds(function: Function) -> None:
    texts_agree(function, range(-4, 5), range(-4, 5), alphabet="ab")


@pytest.mark.parametrize("function", [stepped, item, repeated])
def test_symbolic_places(function: Function) -> None:
    texts_agree(function, range(-4, 5), alphabet="ab")


@pytest.mark.parametrize("function", [limited, words, padded])
def test_symbolic_counts(function: Function) -> None:
    texts_agree(function, range(-1, 4), alphabet="ab ")


def two(text: str, other: int) -> Any:
    part = chr(other)
    return (
        text.find(part), text.split(part), text.replace(part, text), part in text, text.strip(part),
        text + part < part + text, text.count(part), text.partition(part),
    )  # fmt: skip


def test_symbolic_parts() -> None:
    texts_agree(two, [97, 98], alphabet="ab")


def built(text: str) -> Any:
    result = ""
    for character in text:
        if character == "a":
            result += "<>"
        elif character != "b":
            result = character + result
    return result, result[::-1], list(text), {c: text.count(c) for c in text}, sorted(text)


def test_building_in_a_loop() -> None:
    texts_agree(built, alphabet="abc")


def quoted(text: str) -> Any:
    return repr(text), ascii(text), f"{text!r}", str(text), [text], f"<{text}>"


@pytest.mark.parametrize(
    ("alphabet", "longest"),
    [
        ("a'\"\\", 3),
        ("'\n\r\t\0", 2),
        ('"\x7fé\xad', 2),
        ("'\ud800\U0010ffff", 2),
        ("a'\"\\\n\x7fé\u2028\ud800\U0010ffff", 1),
    ],
)
def test_quoting(alphabet: str, longest: int) -> None:
    texts_agree(quoted, alphabet=alphabet, longest=longest)


def read(text: str) -> Any:
    try:
        return int(text)
    except ValueError as error:
        return str(error)


def read_hexadecimal(text: str) -> Any:
    return int(text, 16)


def test_reading_ints() -> None:
    texts_agree(read, alphabet="-+1_ ٣a", longest=3)
    texts_agree(read_hexadecimal, alphabet="0xF_g", longest=3)


def characters(text: str) -> Any:
    return [ord(c) for c in text], "".join(chr(ord(c) + 1) for c in text), ord(text)


def test_characters() -> None:
    texts_agree(characters, alphabet="abc")


def written(number: int) -> Any:
    return str(number), f"{number}", repr(number), str(number)[::-1], len(str(number))


def translated(text: str, code: int, here: bool) -> Any:
    table: dict[int, Any] = {97: code, code: "xy"}
    if here:
        table[98] = None
    return text.translate(table), "abc".translate(table), "b".translate({98: code})


def test_tables_with_symbolic_entries() -> None:
    texts_agree(translated, [-1, 97, 98, 99, 0x110000], [False, True], alphabet="abc", longest=2)


def is_a(text: str) -> bool:
    # In CPython a text of one Latin character is a single object.
    return len(text) == 1 and text[0] is LETTER


LETTER = "a"
ONE = 1


def is_something(text: str) -> Any:
    same = text
    return text is same, text is None, text is not ONE


def test_the_identity_of_texts_is_refused() -> None:
    with pytest.raises(NotLiftedError, match="compare them with"):
        verify(is_a, texts(max_len=1, min_len=1))
    texts_agree(is_something, alphabet="ab", longest=2)


def compared(text: Any, number: int, flag: bool) -> Any:
    others = (number, flag, None, 1.5, (text,))
    equalities = [text == other or other == text for other in others]
    found = {number: "number", text: "text"}
    return equalities, [text != other for other in others], number in {text}, found


@pytest.mark.parametrize("alphabet", ["1a", b"1a"])
def test_texts_are_no_other_values(alphabet: str | bytes) -> None:
    texts_agree(compared, [0, 1], [False, True], alphabet=alphabet, longest=2)


def without_nothing(text: str) -> Any:
    return text.removeprefix(""), text.removesuffix(""), text.removeprefix(text[:0])


def test_removing_nothing() -> None:
    texts_agree(without_nothing, alphabet="ab", longest=2)


def unpacked(text: Any) -> Any:
    first, second = text
    return second, first, [value + key for key, value in [text]]


def unpacked_in_part(text: Any) -> Any:
    first, *rest = text
    return first, rest


@pytest.mark.parametrize("alphabet", ["ab", b"ab"])
@pytest.mark.parametrize("function", [unpacked, unpacked_in_part])
def test_unpacking(function: Any, alphabet: str | bytes) -> None:
    texts_agree(function, alphabet=alphabet, longest=3)


def test_a_prefix_that_is_longer_than_the_text() -> None:
    texts_agree(lambda s: ("a".removeprefix(s), s.removeprefix("ab"), s.removesuffix("ab")))
    longer = b"ab"
    texts_agree(lambda s: (b"a".removeprefix(s), s.removeprefix(longer)), alphabet=longer)


@pytest.mark.parametrize("alphabet", ["ab", b"ab"], ids=repr)
def test_arguments_that_have_names_in_some_versions(alphabet: Any) -> None:
    a, b = alphabet[:1], alphabet[1:]
    for function in (
        method("replace", a, b, count=1),
        method("replace", a, b, limit=1),
        method("split", sep=a, maxsplit=1),
        method("find", a, start=1),
    ):
        # What the method is called in a message depends on how it is called.
        texts_agree(function, alphabet=alphabet, messages=False)


def test_tabs_of_a_symbolic_size() -> None:
    def expanded(text: str, size: int) -> tuple[str, bytes]:
        return text.expandtabs(size), b"a\tb".expandtabs(size)

    texts_agree(expanded, range(-2, 5), alphabet="a\t\n", longest=3)
