"""Texts of symbolic floats against CPython: `repr`, and formats of the types `e`, `g` and `n`."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Float, Int, assume, verify
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.spelling.shortest import _odd_powers, shortest_digits
from solvent.lift.spelling.significands import Significand
from solvent.lift.under_model import evaluate
from tests.lift.differential import agree

# What is written with and without an exponent, with 1 to 17 digits, in the middle between two
# texts, and rounded up to one more digit.
HOSTILE = [
    0.0, -0.0, math.inf, -math.inf, math.nan, 1e16, 9999999999999998.0, 0.1, -0.30000000000000004,
    1 / 3, -2.5, 123.456, 1e15, 9007199254740993.0, 1e-5, 9.999e-5, 0.0001, 1e-06, 0.125, 99.5,
    99.95, 999999.5, 1234567.0, 5e-06, 2.0**53, 2.0**54, -99999999999999990.0, 2.0**-17,
    4503599627370497.5, 10.0, 1e5, math.nextafter(1.0, 0), 2.675, 72057594037927945.0,
]  # fmt: skip


def _is_written(value: float) -> bool:
    """Whether a float is one of those whose text is lifted."""
    return not math.isfinite(value) or value == 0 or 1e-7 < abs(value) < 1e17


def _seldom(rng: random.Random, count: int) -> list[float]:
    """Floats of which most have 16 or 17 digits, and some few."""
    result: list[float] = []
    while len(result) < count:
        kind = rng.randrange(4)
        exponent = rng.randrange(-7, 18)
        value = rng.uniform(-1, 1) * 10.0**exponent
        if kind == 1:
            value = round(value, rng.randrange(-exponent, 4 - exponent))
        elif kind == 2:
            value = math.nextafter(2.0 ** rng.randrange(-23, 57), rng.choice((-math.inf, math.inf)))
        elif kind == 3:
            bits = rng.getrandbits(52) | rng.randrange(1023 - 24, 1023 + 57) << 52
            (value,) = struct.unpack("<d", struct.pack("<Q", bits))
        if _is_written(value):
            result.append(value)
    return result


def _formatted(spec: str) -> Callable[[float], str]:
    def function(value: float) -> str:
        return format(value, spec)

    return function


def test_representations() -> None:
    agree(repr, [*HOSTILE, *_seldom(random.Random(1), 50)])


@pytest.mark.parametrize(
    "spec",
    [
        ".2e",
        "E",
        "#.0e",
        "g",
        ".3G",
        "#.3g",
        "n",
        ".4",
        "+12",
        "#",
        ",.10g",
        "z.3g",
        "012.0g",
        "*^9.1",
    ],
)
def test_formats(spec: str) -> None:
    agree(_formatted(spec), HOSTILE)


@pytest.mark.parametrize("template", ["%g|", "%-9.2e|", "%s", "%#G"])
def test_directives(template: str) -> None:
    agree(lambda value: template % value, HOSTILE)


def test_what_is_too_small_or_too_large_ends_the_path() -> None:
    outcome = execute(repr, x := Float("x"))
    (refused,) = outcome.failures
    assert isinstance(refused.exception, NotLiftedError)
    for value in (5e-324, -1e-300, 1e22, 1.7976931348623157e308, 1e17, 9e-8):
        assert evaluate(refused.condition, {x: value})
    assert not any(evaluate(refused.condition, {x: value}) for value in HOSTILE)


def test_powers_of_two_that_are_written_otherwise() -> None:
    assert {-44, -24, 89} <= set(_odd_powers())
    for exponent in (-44, -24):
        size = Significand(Int("n"), 120, False, 1)
        assume_known = size._replace(number=Int("n") % 2**121)
        rows = shortest_digits(assume_known)
        (row,) = [row for row in rows if evaluate(row.guard, {Int("n"): 1 << 120 + exponent})]
        digits = "".join(
            chr(evaluate(code, {Int("n"): 1 << 120 + exponent})) for code in row.digits
        )
        assert float(f"{digits[0]}.{digits[1:]}e{row.exponent}") == 2.0**exponent
        assert repr(2.0**exponent).startswith(f"{digits[0]}.{digits[1:]}e")


# --- floats of ints -------------------------------------------------------------------------------

# So far apart that the texts are not made one by one.
FAR = [0, 1, 2, 3, 7, 10, 17, 123, 4096, 9999, 12345, 99999, 100000]


@pytest.mark.parametrize(
    "use",
    [
        lambda n: n / 4,
        lambda n: n / 100,
        lambda n: 0.1 * n,
        lambda n: n * -0.25,
        lambda n: n / 3,
        lambda n: -(n / 7),
        lambda n: n * 1.1 + 0.3,
        lambda n: (n - 50000) / 8 - 0.5,
        lambda n: abs(n / 10 - 4.5),
        lambda n: (n + 2**53) * 1.0,
        lambda n: n / 3 if n % 2 else n / 4,
        lambda n: n / 2**30,
    ],
)
def test_floats_of_ints(use: Callable[[Any], Any]) -> None:
    def texts(n: int) -> list[str]:
        x = use(n)
        return [str(x), f"{x:.2e}", f"{x:g}", f"{x:.1f}", f"{x:.3%}"]

    agree(texts, FAR)


def test_few_floats_are_written_one_by_one() -> None:
    agree(lambda n: [str(0.1 * n), f"{n / 7:+09.3g}"], range(30))
    agree(lambda a, b: f"{a / b:.1%}" if b else "", range(9), range(9))


def test_rounded_floats() -> None:
    def rounded(x: float) -> list[str]:
        return [str(round(x, 2)), f"{round(x, 3):g}"]

    values = [*HOSTILE, 2.675, -0.005, 1.005, 5e-324, -1e-300]
    agree(rounded, [value for value in values if not 1e9 < abs(value) < math.inf])


# --- questions ------------------------------------------------------------------------------------


def _is_verified(function: Callable[..., Any]) -> bool:
    return str(verify(function)).startswith(f"{function.__name__}: verified")


def test_texts_are_read_back() -> None:
    def same(x: float) -> None:
        assume(0.001 <= x <= 1e6)
        assert float(str(x)) == x

    def other(x: float, y: float) -> None:
        assume(1 <= x <= 9)
        assume(1 <= y <= 9)
        assert float(str(x)) == y

    assert _is_verified(same)
    assert "confirmed" in str(verify(other))


def test_parts_of_texts_are_not_taken_for_the_whole() -> None:
    def part(n: int) -> float:
        return float(str(n / 4)[1:])

    agree(part, [400, 401, 402, 99999, 100000])


@pytest.mark.parametrize("most", [1000, 100_000])
def test_questions_about_ints(most: int) -> None:
    def quarters(n: int) -> None:
        assume(0 <= n <= most)
        assert str(n / 4).endswith((".0", ".25", ".5", ".75"))

    def tenths(n: int) -> None:
        assume(0 <= n <= most)
        assert str(n / 10) != "31.4"

    assert _is_verified(quarters)
    assert "n=314" in str(verify(tenths))


def test_questions_about_floats() -> None:
    def short(x: float) -> None:
        assume(1 <= x <= 1000)
        assert len(f"{x:.2e}") == 8
        assert len(f"{x:g}") <= 7

    def share(ratio: float) -> None:
        assume(0 <= ratio <= 1)
        assert len(f"{ratio:.1%}") <= 6

    def never(x: float) -> None:
        assume(1 <= x <= 1000)
        assert f"{x:.2e}" != "3.14e+02"

    assert _is_verified(short)
    assert _is_verified(share)
    assert "confirmed" in str(verify(never))
