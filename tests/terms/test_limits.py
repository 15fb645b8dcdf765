"""Terms that would fill the memory are refused, and numbers of any length are printed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from solvent.errors import EvaluationError, SolventError, WidthError
from solvent.terms import (
    Array,
    ArrayValue,
    BitVec,
    Float,
    FunctionValue,
    Int,
    Model,
    Real,
    Str,
    bv,
    concat,
    in_re,
    pretty,
    re_plus,
    repeat,
    replace_all,
    replace_re_all,
    size,
    str_concat,
    str_to_int,
    zero_extend,
)
from solvent.terms.arithmetic import MOST_BITS
from solvent.terms.strings import LONGEST

HUGE = 10**5000


def repeated(function: Callable[[Any], Any], value: Any, times: int) -> Any:
    for _ in range(times):
        value = function(value)
    return value


def test_products_of_products_end() -> None:
    for x in (Int("x") * 12345, Real("y") * Fraction(1, 12345)):
        with pytest.raises(EvaluationError, match=f"more than {MOST_BITS} bits"):
            repeated(lambda y: y * y, x, 60)


def test_shifts_end() -> None:
    for shifted in (lambda: Int("x") << 10**12, lambda: Int("x") >> 10**12):
        with pytest.raises(EvaluationError, match="bits"):
            shifted()


@pytest.mark.parametrize(
    "grown",
    [
        lambda s: replace_all(s, "a", "a" * 1000),
        lambda s: str_concat(*[s] * 50),
        lambda s: str_concat(Str("s"), *[s] * 50).args[1],
        lambda s: str_concat(*[s] * 50, Str("s")).args[0],
    ],
)
def test_strings_made_of_strings_end(grown: Any) -> None:
    with pytest.raises(EvaluationError, match=f"more than {LONGEST} characters"):
        repeated(grown, "a", 12)


def test_strings_made_by_matching_end() -> None:
    with pytest.raises(EvaluationError, match=f"more than {LONGEST} characters"):
        replace_re_all("a" * 100, re_plus("a"), "a" * 1_000_000)


def test_matching_in_a_long_string_ends() -> None:
    assert in_re("a" * 10_000, re_plus("a")) is True
    with pytest.raises(EvaluationError, match="takes too long"):
        in_re("a" * 1_000_000, re_plus("a"))


def test_the_number_of_a_long_string_is_refused() -> None:
    assert str_to_int("1" + "0" * 5000) == HUGE
    with pytest.raises(EvaluationError, match="bits"):
        str_to_int("1" * 1_000_000)


def test_repeated_bits_are_few_terms() -> None:
    x = BitVec("x", 3)
    for count in (1, 2, 3, 7, 100):
        assert repeat(count, x).sort is BitVec(3 * count)
        assert Model({x: 5}).evaluate(repeat(count, x)) == repeat(count, bv(5, 3))
        assert repeat(count, bv(5, 3)) == concat(*[bv(5, 3)] * count)
    assert size(repeat(1 << 16, x)) < 40


def test_a_sort_of_bitvectors_costs_no_more_than_its_name() -> None:
    sort = BitVec(1 << 31)
    with pytest.raises(AttributeError):
        sort.no_such_attribute
    assert zero_extend((1 << 31) - 8, BitVec("x", 8)).sort is sort
    assert BitVec(12).mask == 0xFFF
    with pytest.raises(WidthError, match=r"at most 2147483648 bits"):
        zero_extend(1 << 31, BitVec("x", 8))
    with pytest.raises(WidthError, match="at most"):
        BitVec(HUGE)
    for exponent, significand in ((25, 8), (HUGE, 8), (8, HUGE)):
        with pytest.raises(WidthError, match="at most 24 exponent"):
            Float(exponent, significand)


@pytest.mark.parametrize(
    "value",
    [
        ArrayValue(Array(Int, Int), HUGE, {HUGE: 1, 2: HUGE + 1}),
        FunctionValue(Int, HUGE, {(HUGE,): 1, (1,): HUGE + 1}),
        FunctionValue(Real, Fraction(1, HUGE), {(HUGE, 1): Fraction(HUGE)}),
        Model({Int("x"): HUGE, Real("y"): Fraction(HUGE, 7), Array("a", Int, Int): ArrayValue(
            Array(Int, Int), HUGE
        )}),
    ],
)  # fmt: skip
def test_values_with_thousands_of_digits_are_printed(value: Any) -> None:
    assert hex(HUGE)[:40] in repr(value)
    assert str(value)


def test_messages_and_terms_with_thousands_of_digits() -> None:
    x = BitVec("x", 8)
    with pytest.raises(WidthError, match="does not fit in 8 bits") as caught:
        x + HUGE
    assert len(str(caught.value)) < 300
    for wrong in (lambda: Str("s") + HUGE, lambda: Array("a", Str, Int)[HUGE]):
        with pytest.raises((SolventError, TypeError)) as other:
            wrong()
        assert "Exceeds the limit" not in str(other.value)
    assert hex(HUGE)[:40] in pretty(Int("x") + HUGE)
