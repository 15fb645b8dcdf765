"""Format specifications of ints, bools and texts against CPython."""

# Old and wrong ways to write formats are what is tested here.
# ruff: noqa: F504, F505, F507, F521, F524, F525, UP031, UP032

from __future__ import annotations

import os
import random
import string
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Int, Str, assume, texts, verify
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from tests.lift.differential import agree
from tests.lift.spelling.agreement import texts_agree

NUMBERS = [-1234567, -1000, -12, -1, 0, 9, 10, 255, 999999, 1000000, 1234565, 9999995]
HOSTILE = "aß\u0301٣\ud800\x85\U0010fffd"

RANDOM = int(os.environ.get("SOLVENT_FORMATS", "300"))


def use_format(spec: str) -> Callable[[Any], Any]:
    def formats(value: Any) -> Any:
        try:
            return format(value, spec)
        except (ValueError, OverflowError) as error:
            return type(error), str(error)

    return formats


INT_SPECS = [
    "", "d", "5", "<5", "^6", "=+6", "06", "+,", " _", "010,", "0=12_", "x", "X", "#x", "#X", "b",
    "#_b", "o", "#o", "#010x", "_X", "n", "z", "c", "5c", "^3c", "05c", "+c", "#c", ".2d", ".0f",
    ".2f", "f", "#.0f", "012,.1f", "e", ".0e", "#.0e", ".2E", ".3e", "g", ".2g", "#g", ".0g",
    "#.3G", "+012,g", "%", ".0%", "<15,.2%", "s", "q", ",x", ",_", "-<9", "é^9", "0<5", "٣",
    "zf", "z.0f", ".", "5.", "_c", ",n", "+.1000f",
]  # fmt: skip


@pytest.mark.parametrize("spec", INT_SPECS)
def test_ints(spec: str) -> None:
    agree(use_format(spec), NUMBERS)


@pytest.mark.parametrize("spec", ["", "5", "d", "+", "x", "#b", "c", ".1f", "s", "q", "^4", "n"])
def test_bools(spec: str) -> None:
    agree(use_format(spec), [False, True])


def test_characters() -> None:
    agree(use_format("c"), [-(2**70), -1, 0, 97, 0xD800, 0x10FFFF, 0x110000, 2**40, 2**70])


def test_floats_of_large_ints_are_rounded() -> None:
    large = [2**53, 2**53 + 1, 2**53 + 3, 2**54 + 2, 2**60 + 1, -(2**55) - 6, 10**17 + 1, 10**18]
    for spec in (".0f", "f", ".20e", "g", ".17g", ".1%"):
        agree(use_format(spec), large)


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "s",
        "5",
        ">5",
        "^5",
        "*^4s",
        ".1",
        ".0",
        "3.2",
        "05",
        "=5",
        "+",
        "#",
        ",",
        "d",
        "z",
        "é<3",
    ],
)
def test_texts(spec: str) -> None:
    texts_agree(use_format(spec), alphabet="ab" + HOSTILE[:2], longest=2)


def test_hostile_characters() -> None:
    texts_agree(use_format("-^4.2"), alphabet=HOSTILE, longest=2)


# --- random specifications ------------------------------------------------------------------------


def random_spec(rng: random.Random) -> str:
    spec = ""
    if rng.random() < 0.5:
        spec += rng.choice(["", "*", "0", " ", "x", "<", "é", "\U0010fffd", "{"])
        spec += rng.choice("<>=^")
    spec += rng.choice(["", "", "+", "-", " "])
    spec += rng.choice(["", "", "", "", "#", "z"])
    spec += rng.choice(["", "", "0"])
    spec += rng.choice(["", str(rng.randrange(14)), str(rng.randrange(14)), "٣"])
    spec += rng.choice(["", "", "", ",", "_"])
    spec += rng.choice(["", "", f".{rng.randrange(9)}"])
    return spec + rng.choice("bcdoxXneEfFgG%") * (rng.random() < 0.8) + "!" * (rng.random() < 0.02)


def test_random_specifications() -> None:
    rng = random.Random(int(os.environ.get("SOLVENT_SEED", "1")))
    for _ in range(RANDOM):
        spec = random_spec(rng)
        bits = rng.choice([4, 8, 20, 20, 60])
        values = [0, *(rng.randrange(-(2**bits), 2**bits) for _ in range(4))]
        if spec.endswith("c"):
            values = [number & 0xFFFF for number in values]
        agree(use_format(spec), values)
        text_spec = random_spec(rng)
        texts_agree(use_format(text_spec[:-1] + "s"), alphabet="aß", longest=2)


# --- fields ---------------------------------------------------------------------------------------


def fields(n: int, p: bool) -> Any:
    return (
        f"{n:+05d}|{n!r:>6}|{p:3d}|{p!s:^7}|{n:#x}",
        "{:>6}{0.real}".format(n) if n > 99 else "{0:>6}{0.real:_}{1!a}".format(n, p),
        "{a:{w}}|{b[0]:x}|{{}}".format(a=n, w=5, b=[n]),
        "{a}{b!r:>6}".format_map({"a": n, "b": p}),
    )


def widths(n: int, width: int) -> Any:
    return f"{n:{width}}", f"{n:<0{width}}", "{:*^{}}".format(n, width), f"{'ab':{width}.1}"


def mistakes(n: int, p: bool) -> Any:
    if n == 0:
        return "{!x}".format(p)
    if n == 1:
        return "{:d}{}".format(p) if p else "{:q}{}".format(n)
    if n == 2:
        return "{}".format_map({"a": p})
    if n == 3:
        return "{a}".format_map({"b": p})
    if n == 4:
        return "{:{:{}}}".format(p, 1, 1)
    return "}".format(p) if p else f"{n:{'x' if n > 5 else 'y'}}"


def test_fields() -> None:
    agree(fields, [-1000, -1, 0, 7, 100], [False, True])


def test_symbolic_widths() -> None:
    agree(widths, [-12, 0, 5], range(12))


def test_mistakes_in_fields() -> None:
    agree(mistakes, range(7), [False, True])


def fills(text: str, n: int) -> Any:
    return f"{n:{text}>4}"


def test_symbolic_fills() -> None:
    texts_agree(fills, [3, 45], alphabet="<b", longest=1)


# --- the operator % -------------------------------------------------------------------------------

DIRECTIVES = [
    "%d", "%5d|", "%-5d|", "%05d", "%+d", "% d", "%+05d", "%-05d|", "%.4d", "%08.5d", "%i%%", "%u",
    "%x", "%#x", "%#010X", "%-#8o|", "%#5o", "%.3x", "%#.3x", "%e", "%.0f", "%#.0f", "%+8.2f",
    "%08.1e", "%g", "%.2G", "%#g", "%-8.1f|", "% 08.1f", "%s", "%6s|", "%-6s|", "%.2s", "%r", "%a",
    "%5%", "%ld", "%hd", "%c", "%q", "%", "%d%d", "no", "%(a)d", "%.d", "%.*d", "%5", "%y",
]  # fmt: skip


@pytest.mark.parametrize("template", DIRECTIVES)
def test_percent(template: str) -> None:
    def fill(value: Any) -> Any:
        try:
            return template % value
        except (ValueError, TypeError, OverflowError) as error:
            return type(error), str(error)

    agree(fill, [-255, -1, 0, 9, 12, 1234, 1000000])


def percents(n: int, p: bool, width: int) -> Any:
    return (
        "%d-%s" % (n, p), "%(a)d %(b((c)))s" % {"a": n, "b((c))": p}, "%*d|" % (width, n),
        "%-*.*f|" % (width, abs(width), n), "%5s%d" % (p, p), "%s %r" % ([n], (p,)), "%s" % None,
    )  # fmt: skip


def wrong_percents(n: int, p: bool) -> Any:
    if n == 0:
        return "%d" % (p, n)
    if n == 1:
        return "%d %d" % (p,)
    if n == 2:
        return "%s" % () + str(p)
    if n == 3:
        return "%*d" % ("a", p)
    if n == 4:
        return "%x" % str(p)
    if n == 5:
        return "%(a)d" % {"b": p}
    return "%c" % (n - 7)


class Doubling(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return key * 2


class Plain:
    def __str__(self) -> str:
        return "plain"


def percents_of_objects(n: int, p: bool) -> Any:
    result = "%(a)5d%(b)s" % Doubling(a=n), "{a:>4}{b}".format_map(Doubling(a=n))
    return result, "%s %d %-7s|" % (Plain(), n, Plain()), round(n, "a") if p else 0  # type: ignore[call-overload]


def test_percent_of_objects() -> None:
    agree(percents_of_objects, [-12, 0, 123], [False, True])


def test_percent_of_several_values() -> None:
    agree(percents, [-12, 0, 123], [False, True], range(-5, 6))


def percent_of_members(n: int, p: bool) -> Any:
    found = []
    text = "x" * (n % 3)
    for value in (n if p else "a", 2.5 if p else None, text, [n] if p else "b"):
        for template in ("%d|%s", "%c|%s", "%x|%r", "%s|%d"):
            try:
                found.append(template % (value, n % 3))
            except TypeError as error:
                found.append(str(error))
    fields = {"b": n % 5 if p else "z"}
    try:
        return found, "%(b)d" % fields
    except TypeError as error:
        return found, str(error)


def test_directives_take_each_member_of_a_union() -> None:
    agree(percent_of_members, [0, 1, 2, 97], [False, True])


def test_wrong_percents() -> None:
    agree(wrong_percents, range(9), [False, True])


def percents_of_texts(text: str) -> Any:
    return "<%s|%4s|%-3s|%.1s|%r>" % (text, text, text, text, text), "%c" % text


def test_percent_of_texts() -> None:
    texts_agree(percents_of_texts, alphabet="a'ß", longest=2)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("use", "why"),
    [
        (lambda n: f"{n:x}", "bounds"),
        (lambda n: f"{n:,}", "bounds"),
        (lambda n: f"{5:{n}}", "theory|known length"),
        (lambda n: f"{n:5000}", "1000"),
        (lambda n: "%x" % n, "bounds"),
        (lambda n: "%*d" % (n, 5), "bounds"),
        (lambda n: hex(n), "bounds"),
        (lambda n: chr(n % 128).format(n), "template"),
        (lambda n: chr(n % 128) % n, "template"),
        (lambda n: b"%d" % n, "bytes"),
        (lambda n: "%c" % str(n), "use `%s`"),
        (lambda n: "%5000d" % n, "1000"),
    ],
)
def test_refused(use: Callable[[Any], Any], why: str) -> None:
    with pytest.raises(NotLiftedError, match=why):
        execute(use, Int("n"))


def test_a_width_of_many_values_is_refused() -> None:
    def wide(n: Any) -> Any:
        assume(n >= 0)
        assume(n < 1000)
        return f"{5:{n}}"

    with pytest.raises(NotLiftedError, match="at most 128"):
        execute(wide, Int("n"))


def test_the_theory_of_strings_is_still_there() -> None:
    def unbounded(n: int, text: str) -> Any:
        return f"{n:+5d}|{n:<4}|{text:>4.2}", "%5d|%-4s|%.1s" % (n, text, text)

    found = execute(unbounded, Int("n"), Str("s"))
    assert not found.failures


class Box:
    def __init__(self, item: object) -> None:
        self.item = item


def test_the_formatter_of_the_module_string() -> None:
    formatter = string.Formatter()

    def formatted(text: str, number: int) -> tuple[str, ...]:
        named = formatter.format("{:>3}|{!r:<5}|{k}{b.item}", text, number, k=text, b=Box(number))
        nested = formatter.format("{0:{1}}", text, number)
        return named, nested, formatter.vformat("{x[0]}", (), {"x": text})

    texts_agree(formatted, range(1, 4), alphabet="a{", longest=2)


def test_a_symbolic_template_of_the_formatter_is_refused() -> None:
    def formatted(text: str) -> str:
        return string.Formatter().format("{" + text + "}", 1)

    with pytest.raises(NotLiftedError, match="symbolic template"):
        verify(formatted, texts(max_len=1))
