"""Numbers read from texts and written as texts, against CPython."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Int
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.spelling import alphabets, numerals
from solvent.terms.texts import text
from solvent.vm.merge import gathered
from tests.lift.differential import agree
from tests.lift.spelling.agreement import texts_agree


def reader(base: Any) -> Callable[[Any], Any]:
    def read(literal: Any) -> Any:
        try:
            return int(literal, base)
        except ValueError as error:
            return str(error)

    return read


def digits_around(base: int) -> str:
    """The first and the last digit of a base, and a character that is none."""
    return "0" + "0123456789abcdefghijklmnopqrstuvwxyz~"[base - 1 : base + 1]


@pytest.mark.parametrize("base", range(2, 37))
def test_every_base(base: int) -> None:
    texts_agree(reader(base), alphabet=digits_around(base), longest=2)
    texts_agree(reader(base), alphabet=digits_around(base).upper().encode(), longest=2)


@pytest.mark.parametrize(
    ("base", "alphabet"),
    [
        (0, "0x1"), (0, "0B_"), (0, "o07"), (0, "-1_"), (0, "0٣٠"), (0, "0 1"), (0, "0_1"),
        (2, "0b1"), (2, "0B_"), (8, "0o7"), (8, "O_٧"), (16, "xXf"), (16, "0x_"), (16, "٠x1"),
        (36, "zZ_"), (10, "+-1"), (10, "1_٣"), (10, "\x1c1\x85"), (10, "\xa0 1"), (10, "\0 1"),
        (10, "²1\ud800"), (10, "\U0001d7ce1\U0010fffd"),
    ],
)  # fmt: skip
def test_prefixes_signs_and_spaces(base: int, alphabet: str) -> None:
    texts_agree(reader(base), alphabet=alphabet, longest=3 if max(alphabet) < "\x7f" else 2)


@pytest.mark.parametrize(("base", "alphabet"), [(0, "0x1"), (16, "-xf"), (0, "-0o7"), (0, "0b1_")])
def test_longer_texts(base: int, alphabet: str) -> None:
    texts_agree(reader(base), alphabet=alphabet, longest=4)


@pytest.mark.parametrize(
    "alphabet", [b" \t1", b"\x1c1\x0b", b"\x851-", b"_1\xb2", b"1\0\xff", b"'1\""]
)
def test_bytes(alphabet: bytes) -> None:
    texts_agree(reader(10), alphabet=alphabet)


@pytest.mark.parametrize("base", [1, 37, -1, 2**70, "a", None, 2.0, True])
def test_wrong_bases(base: Any) -> None:
    def read(literal: str) -> Any:
        try:
            return int(literal, base)
        except (ValueError, TypeError) as error:
            return type(error), str(error)

    texts_agree(read, alphabet="01", longest=1)


def read_in(literal: str, base: int) -> Any:
    try:
        return int(literal, base)
    except ValueError as error:
        return str(error)


def test_symbolic_bases() -> None:
    texts_agree(read_in, range(-1, 18), alphabet="1f", longest=1)
    texts_agree(read_in, [35, 36, 37], alphabet="z9", longest=2)


def test_long_texts_are_cut_in_messages() -> None:
    def read(code: int) -> Any:
        return int("\ud800" * 40 + chr(code))

    agree(read, [48, 97])


# --- floats ---------------------------------------------------------------------------------------


def read_float(literal: Any) -> Any:
    try:
        return float(literal)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize(
    ("alphabet", "longest"),
    [
        ("0.9", 4), ("1e-", 4), ("1E+.", 4), ("_1.", 4), ("1_e", 4), ("-0. ", 3), ("inf", 3),
        ("NaI", 3), ("\x1c1 ", 3), ("٣.\x85", 2), ("e9", 5), (b"1.e", 3), (b"\x85 1_", 3),
    ],
)  # fmt: skip
def test_reading_floats(alphabet: str | bytes, longest: int) -> None:
    texts_agree(read_float, alphabet=alphabet, longest=longest)


LITERALS = [
    "1e308", "2e308", "18e307", "1e-323", "2e-324", "3e-324", "25e-325", "1.7e+308", "-0e-999",
    "0e9999", "1e99999", "1e-9999", "infinity", "-INFINIT", "-inf", " +nAn ", "12345678",
    "1.234567", "0.000001", "9.95e-07", "1_0.5_5", "1__0", "1e5_0", "1_e5", "123e-30", "7.3e22",
    "5e-324", "0x1p3", "1 2", "", " ", "1e", "1e+", "+", ".", "1.e1", ".e1",
]  # fmt: skip


def one_of(literals: list[str]) -> Callable[[Any], Any]:
    """What makes one symbolic text of several of one length."""

    def make(which: Any) -> Any:
        if type(which) is int:
            return (literals[which],)
        return (gathered([(which == place, one) for place, one in enumerate(literals)], 0),)

    return make


@pytest.mark.parametrize("length", range(9))
def test_reading_longer_floats(length: int) -> None:
    literals = [literal for literal in LITERALS if len(literal) == length]
    literals += [literal.ljust(length) for literal in LITERALS if len(literal) < length][-8:]
    agree(read_float, range(len(literals)), make=one_of(literals))


# --- writing --------------------------------------------------------------------------------------


def written(number: int) -> Any:
    return (
        str(number), repr(number), f"{number}", bin(number), oct(number), hex(number),
        str(number)[::-1], len(hex(number)), number.__format__("x"), number.__str__(),
        ascii(number), int(str(number)), int(hex(number), 0),
    )  # fmt: skip


@pytest.mark.parametrize(
    "numbers",
    [
        range(-20, 21),
        range(250, 260),
        [-(2**40), -1, 0, 2**40],
        [-17, -16, -9, -8],
        [5],
        [-(10**30), 7],
    ],
)
def test_writing(numbers: Any) -> None:
    agree(written, numbers)


def test_bools() -> None:
    def f(p: bool) -> Any:
        return bin(p), hex(p), str(p), repr(p), f"{p}", int(str(int(p)), 2)

    agree(f, [False, True])


def test_what_is_no_int() -> None:
    def f(number: int, letter: int) -> Any:
        if number == 0:
            return hex(chr(letter))  # type: ignore[arg-type]
        if number == 1:
            return int(letter, 5)  # type: ignore[call-overload]
        return oct([letter])  # type: ignore[arg-type]

    agree(f, range(3), [97, 98])


def test_ints_without_bounds() -> None:
    for function in (bin, oct, hex):
        with pytest.raises(NotLiftedError, match="bounds"):
            execute(function, Int("n"))
    with pytest.raises(NotLiftedError, match="bounds"):
        execute(lambda base: int(chr(base % 128), base), Int("n"))


# --- characters -----------------------------------------------------------------------------------

HOSTILE = [0, 9, 39, 92, 127, 0x85, 0xA0, 0xAD, 0x301, 0x663, 0xD800, 0xDFFF, 0x2028, 0x10FFFF]


def characters(code: int) -> Any:
    character = chr(code)
    return character, ord(character), ascii(character), repr(character), ascii([character])


def test_characters() -> None:
    agree(characters, HOSTILE)


def test_codes_outside() -> None:
    def f(code: int) -> Any:
        try:
            return chr(code)
        except (ValueError, OverflowError) as error:
            return type(error), str(error)

    agree(f, [-(2**70), -1, 0, 0x10FFFF, 0x110000, 2**31, 2**63, 2**70])


def test_characters_of_longer_texts() -> None:
    def f(literal: str) -> Any:
        return ord(literal)

    texts_agree(f, alphabet="a\ud800\U0010ffff", longest=2)
    assert text((97,)) == "a"


def test_tables_do_not_call_python_at_any_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call for each of a million characters is dear where it begins a new block of frames."""
    here, threads = threading.get_ident(), set()

    def is_vowel(character: str) -> bool:
        threads.add(threading.get_ident())
        return character in "aeiou"

    assert alphabets.characters(is_vowel) == tuple((ord(c), ord(c)) for c in "aeiou")
    assert here not in threads
    assert len(threads) == 1
    for native in (str, bytes):
        asked: list[str | bytes] = []
        monkeypatch.setattr(numerals, "_is_read", lambda found: not asked.append(found))  # noqa: B023
        numerals.number_spaces.__wrapped__(native)
        assert len(asked) < 50
