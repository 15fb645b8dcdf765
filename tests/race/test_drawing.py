"""Drawn inputs: small and boundary ones, each once, each allowed, the same every time."""

from __future__ import annotations

import datetime
import enum
import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import pytest

from solvent.queries.inputs import bind
from solvent.queries.spaces.constrained import Constrained
from solvent.queries.spaces.making import integers, lists, texts
from solvent.queries.spaces.values import Sorted
from solvent.race.concrete import Program
from solvent.race.drawing import drawn
from solvent.race.hints import Hints, hints_of
from solvent.terms import BitVec, Bool, Float32, Float64, Function, Int, Real, Str
from solvent.vm.values import Value


class Color(enum.Enum):
    """An enumeration."""

    RED = 1
    GREEN = 2


@dataclass
class Item:
    """A record whose constructor refuses some values."""

    price: int
    name: str

    def __post_init__(self) -> None:
        if self.price < 0:
            raise ValueError(self.price)


def program(function: Callable[..., Any], *args: Value, **named: Value) -> Program:
    """A function with its symbolic inputs."""
    return Program(function, bind(function, args, named))


def calls(found: Program, most: int = 200) -> list[tuple[Any, ...]]:
    """The drawn positional arguments."""
    hints = hints_of(found.function)
    return [found.call(model)[0] for model in drawn(found, hints, most)]


def numbers(x: int, y: int) -> bool:
    """Refers to numbers of its own."""
    return x == 1234 and y * 77 == x


def items(xs: list[int]) -> None:
    """Takes a list."""


def floats(x: float) -> None:
    """Takes a float."""


def words(text: str) -> bool:
    """Refers to texts of its own."""
    return text == "yes" or text.startswith("https")


def everything(
    a: int,
    b: bool,
    c: float,
    d: Fraction,
    e: str,
    f: bytes,
    g: bytearray,
    h: list[str],
    i: dict[str, int],
    j: set[int],
    k: Color,
    m: Item,
    n: int | None,
    o: tuple[int, ...],
    p: Callable[[int], int],
    q: Decimal,
    r: datetime.date,
    s: range,
    t: Literal["x", "y"],
    u: Counter[str],
) -> None:
    """Takes one of each."""


def test_boundaries() -> None:
    drawn_numbers = {x for x, _ in calls(program(numbers))}
    assert {0, 1, -1, 2**31, -(2**31), 2**63, 1234, 1233, 1235, 77} <= drawn_numbers
    # Both constants of the source at once.
    assert (1234, 77) in calls(program(numbers))
    found = [x for (x,) in calls(program(floats))]
    assert {0.0, 1.0, 0.1, math.inf, -math.inf} <= set(found)
    assert any(math.isnan(x) for x in found)
    assert any(x == 0 and math.copysign(1, x) < 0 for x in found)


def test_patterns_of_items() -> None:
    found = [tuple(xs) for (xs,) in calls(program(items))]
    assert {(), (0,), (0, 0, 0), (1, 1), (0, 1, 2), (-1, -2, -3)} <= set(found)


def test_words_of_the_source() -> None:
    found = {text for (text,) in calls(program(words))}
    assert {"", "a", "yes", "htt", "ß", "é"} <= found


def test_no_input_twice_and_all_allowed() -> None:
    found = program(everything)
    hints = hints_of(everything)
    models = list(drawn(found, hints, 60))
    assert len(models) == 60
    assert len({found.text(model) for model in models}) == 60
    for model in models:
        under = found.under(model)
        assert all(under.term(condition) is True for condition in found.inputs.assumptions)
        args, named = found.made(found.call(model))
        everything(*args, **named)
        assert args[11].price >= 0
        assert len(args[4]) <= 3


def test_the_same_every_time() -> None:
    random.seed(5)
    first = [found.to_dict() for found in drawn(program(numbers), hints_of(numbers), 150)]
    assert first == [found.to_dict() for found in drawn(program(numbers), hints_of(numbers), 150)]


def test_of_two_equal_zeros_one_may_be_excluded() -> None:
    def has_sign(x: float) -> bool:
        return math.copysign(1.0, x) == -1

    found = calls(program(lambda x: None, Constrained(Sorted(Float64), "with a sign", has_sign)))
    assert -0.0 in [x for (x,) in found]
    assert all(has_sign(x) for (x,) in found)


def test_small_spaces_end() -> None:
    found = program(lambda x, y: None, integers(0, 2), Bool("y"))
    assert sorted(calls(found)) == [(x, y) for x in range(3) for y in (False, True)]


def test_bounds_and_alphabets_are_kept() -> None:
    found = program(
        lambda x, y, z: None,
        integers(5, 10**6),
        texts(max_len=2, alphabet="qQ7"),
        lists(integers(-3, -2), min_len=2),
    )
    drawn_calls = calls(found)
    assert len(drawn_calls) > 100
    assert all(5 <= x <= 10**6 and set(y) <= set("qQ7") for x, y, _ in drawn_calls)
    assert {5, 6, 10**6} <= {x for x, _, _ in drawn_calls}
    assert all(2 <= len(z) <= 3 and set(z) <= {-2, -3} for _, _, z in drawn_calls)


@pytest.mark.parametrize(
    "value",
    [Int("v"), Bool("v"), Real("v"), Float64("v"), Float32("v"), BitVec(8)("v"), Str("v")],
    ids=str,
)
def test_symbolic_values_of_all_sorts(value: Any) -> None:
    found = calls(program(lambda v: v, value), 20)
    assert len(found) >= (2 if value.sort is Bool else 15)


def test_functions_of_the_solver() -> None:
    f = Function("f", [Int], Int)
    found = calls(program(lambda a, b: None, f(Int("x")), Int("x")), 60)
    assert len(found) == 60
    # Other results for other arguments.
    models = list(drawn(program(lambda a, b: None, f(Int("x")), Int("x")), Hints(), 60))
    assert any(model.evaluate(f(0) != f(1)) for model in models)


LIMIT = Int("LIMIT")


def test_variables_around() -> None:
    def below(x: int) -> bool:
        return bool(x < LIMIT)

    found = program(below)
    seen = {(found.call(m)[0][0], m[LIMIT]) for m in drawn(found, hints_of(below), 80)}
    assert len(seen) == 80
    assert len({limit for _, limit in seen}) > 5


def helper(x: int) -> bool:
    """Has a number of its own."""
    return x == 4321


def test_hints_of_what_is_called() -> None:
    def outer(x: int) -> bool:
        """The text 99 of a docstring is no value."""
        return helper(x) and x in {31, 32} and repr(x) == "31"

    found = hints_of(outer)
    assert {4321, 31, 32} <= set(found.ints)
    assert found.texts[0] == "31"
    assert "4321" in found.texts
    assert "99" not in found.texts


def test_numbers_and_texts_that_spell_them() -> None:
    """Programs make the one of the other before they compare."""

    def spells(price: float, code: str) -> bool:
        return f"{price:.2f}" == "19.95" or int(code) == 207

    found = hints_of(spells)
    assert 19.95 in found.floats
    assert {price for price, _ in calls(program(spells))} >= {19.95}
    assert {code for _, code in calls(program(spells))} >= {"207"}


def test_a_number_that_is_alone_is_counted_up() -> None:
    def alone(n: int) -> None: ...

    drawn_values = {
        model[Int("n")] for model in drawn(Program(alone, bind(alone, (), {})), Hints())
    }
    assert set(range(100)) <= drawn_values
