"""`decimal` on symbolic numbers, against the one in C."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from decimal import (
    ROUND_FLOOR,
    ROUND_HALF_UP,
    Context,
    Decimal,
    DivisionByZero,
    Inexact,
    InvalidOperation,
    localcontext,
)
from typing import Any

import pytest

from solvent import verify
from solvent.errors import NotLiftedError
from solvent.lift import execute
from solvent.lift.calls import call
from solvent.lift.reflection import assume
from solvent.lift.registry import TRUSTED
from solvent.lift.under_model import evaluate
from solvent.queries.spaces.base import Making
from solvent.queries.spaces.library import Decimals
from solvent.terms import Bool, Int, and_, ite
from solvent.verdicts import Verdict
from solvent.vm.union import choices_of
from tests.lift.differential import agree
from tests.patience import patient

P = Bool("p")


def test_sums() -> None:
    def add(a: int) -> Any:
        found = Decimal(a) + Decimal("0.10")
        return found, str(found), type(found) is Decimal, isinstance(found, Decimal)

    agree(add, [-3, 0, 7, 12])


def test_differences_and_products() -> None:
    def compute(a: int) -> Any:
        return Decimal(a) - Decimal("0.5"), Decimal("1.5") * Decimal(a), -Decimal(a)

    agree(compute, [0, 1, 9])


def test_quotients() -> None:
    def divide(a: int) -> Any:
        return Decimal(a) / 4

    agree(divide, [0, 1, 2, 3, 8, 11])


def test_quotients_follow_the_context_and_set_no_flags() -> None:
    def divide(a: int) -> Any:
        return Decimal(a) / 7

    with localcontext(Context(prec=3, rounding=ROUND_HALF_UP)) as context:
        outcome = execute(divide, ite(P, 1, 30))
        assert not context.flags[Inexact]
        assert [str(evaluate(outcome.value, {P: p})) for p in (True, False)] == ["0.143", "4.29"]


def test_quotients_that_are_exact_have_one_exponent() -> None:
    def whole(a: int) -> None:
        if 0 <= a < 12:
            assert Decimal(a) / 4 >= 0

    # Without the rule for the quotient of a sum, there would be a path for each number of zeros.
    found = verify(whole, Int("a"))
    assert found.failure is None
    assert found.stats.run.terms < 9_000


def test_divisions_by_zero() -> None:
    def divide(a: int) -> Any:
        try:
            return Decimal(a) / Decimal(0)
        except DivisionByZero as error:
            return type(error), str(error)

    agree(divide, [0, 1, 2])

    def undefined(a: int) -> Any:
        try:
            return Decimal(a) / Decimal(0)
        except InvalidOperation as error:
            return str(error)

    agree(undefined, [0, 1])


def test_comparisons() -> None:
    def compare(a: int) -> Any:
        found = Decimal(a)
        limit = Decimal("2.0")
        return found < limit, limit <= found, found == limit, limit == found, found == a

    agree(compare, [0, 1, 2, 3])


def test_rounding() -> None:
    def cents(a: int) -> Any:
        return (Decimal(a) / 8).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)

    agree(cents, [0, 1, 3, 7])


def test_an_int_without_bounds() -> None:
    with pytest.raises(NotLiftedError, match="bounds"):
        execute(lambda a: Decimal(a), Int("a"))


# --- two symbolic numbers, as the annotation gives them -------------------------------------------

NUMBERS = ["0", "-0.0", "0.07", "-99.9", "999", "-1.25"]


def inputs_of(place: int, number: Decimal) -> dict[Any, int]:
    """What the constants of an input are for a number."""
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    parts = {"sign": sign, "length": len(digits), "places": -exponent}
    parts |= {f"digits[{at}]": 48 + digit for at, digit in enumerate((*digits, 0, 0)[:3])}
    return {Int(f"in{place}.{name}"): value for name, value in parts.items()}


def agree_on_two(function: Callable[[Decimal, Decimal], Any]) -> None:
    """A function of two numbers does the same on all pairs as in CPython."""
    making = Making()
    symbolic = [Decimals().make(f"in{place}", making) for place in range(2)]

    def bounded(a: Decimal, b: Decimal) -> Any:
        assume(and_(making.assumptions))
        return call(function)(a, b)

    TRUSTED.add(bounded)
    outcome = execute(bounded, *symbolic)
    for pair in itertools.product(map(Decimal, NUMBERS), repeat=2):
        model = inputs_of(0, pair[0]) | inputs_of(1, pair[1])
        assert evaluate(and_(outcome.assumes, outcome.asserts), model), pair
        assert repr(evaluate(outcome.value, model)) == repr(function(*pair)), pair


def test_two_symbolic_numbers() -> None:
    def compute(a: Decimal, b: Decimal) -> Any:
        return a + b, a - b, a * b, a < b, a == b, a >= b, max(a, b)

    agree_on_two(compute)


def test_results_are_computed_with() -> None:
    def compute(a: Decimal, b: Decimal) -> Any:
        total = a + b
        if a < 0:
            total = -total
        return total, total.copy_sign(a) + 1

    agree_on_two(compute)


def test_the_sign_of_zero_depends_on_the_rounding() -> None:
    def compute(a: Decimal, b: Decimal) -> Any:
        return a + b, a - b

    with localcontext() as context:
        context.rounding = ROUND_FLOOR
        agree_on_two(compute)


def test_what_has_too_many_digits_is_rounded() -> None:
    def product(a: int) -> Any:
        return Decimal(a) * Decimal("1.55")

    with localcontext() as context:
        context.prec = 3
        agree(product, [0, 3, 67])


def test_special_numbers() -> None:
    def compute(a: Decimal, b: Decimal) -> Any:
        infinite = Decimal("Infinity")
        return a + infinite, infinite - b, a < infinite, (a + b) + Decimal("NaN")

    agree_on_two(compute)


def test_numbers_merge_where_paths_meet() -> None:
    def chosen(n: int) -> Any:
        total = Decimal("0.5")
        for place in range(4):
            if n & 1 << place:
                total += Decimal("1.25")
        return total

    outcome = agree(chosen, range(16))
    assert len(choices_of(outcome.value)) <= 4


def test_two_inputs_are_decided() -> None:
    def commutes(a: Decimal, b: Decimal) -> None:
        assert a + b == b + a

    def is_square(a: Decimal, b: Decimal) -> None:
        assert a * b != Decimal("1.21")

    # A solver that is late has said nothing wrong.
    assert verify(commutes, timeout=patient(10)).verdict is not Verdict.VIOLATED
    found = verify(is_square, timeout=patient(10))
    assert found.verdict is not Verdict.HOLDS
    if found.call:
        names = {"is_square": lambda a, b: a * b, "Decimal": Decimal}
        assert eval(found.call, names) == Decimal("1.21")


def test_a_context_that_differs_between_paths_is_refused_for_symbolic_numbers() -> None:
    def priced(p: bool, n: int) -> str:
        assume(and_(n >= 1, n <= 3))
        with localcontext() as context:
            if p:
                context.prec = 4
            return str(Decimal(n) * Decimal("1.23456"))

    with pytest.raises(NotLiftedError, match="a context that differs between paths"):
        execute(priced, P, Int("n"))


# --- rounding -------------------------------------------------------------------------------------

# Ties, numbers that become a power of ten, and both signs.
ROUNDED = [-105, -7, 0, 3, 14, 25, 99, 125, 995]


@pytest.mark.parametrize(
    "mode",
    [
        "ROUND_UP", "ROUND_DOWN", "ROUND_CEILING", "ROUND_FLOOR", "ROUND_HALF_UP",
        "ROUND_HALF_DOWN", "ROUND_HALF_EVEN", "ROUND_05UP",
    ],
)  # fmt: skip
def test_modes(mode: str) -> None:
    context = Context(prec=2, rounding=mode)

    def rounded(a: int) -> Any:
        return context.plus(Decimal(a)), context.multiply(Decimal(a), Decimal("0.5"))

    agree(rounded, ROUNDED)


def test_two_numbers_are_rounded() -> None:
    def product(a: int, b: int) -> Any:
        with localcontext() as context:
            context.prec = 3
            return Decimal(a) * Decimal(b), Decimal(a) - Decimal(b) / 10

    agree(product, ROUNDED, [-25, 0, 3, 14, 995])


def test_quotients_of_two_numbers() -> None:
    context = Context(prec=3)

    def quotient(a: int, b: int) -> Any:
        return context.divide(Decimal(a), Decimal(b))

    agree(quotient, [-7, 0, 3, 14], [-2, 0, 3, 8])


def test_traps_of_rounding() -> None:
    context = Context(prec=2, traps=[Inexact])

    def trapped(a: int) -> Any:
        return context.multiply(Decimal(a), Decimal("0.5"))

    agree(trapped, [0, 3, 14, 98, 100, 125, 201])


def test_questions_about_rounding() -> None:
    def price(cents: int) -> None:
        assume(240 <= cents <= 260)
        total = (Decimal(cents) / 100 * Decimal("1.19")).quantize(Decimal("0.01"))
        assert total != Decimal("2.99")

    assert "confirmed" in str(verify(price))
