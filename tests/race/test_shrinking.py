"""Shrinking: what is left fails in the same way, and is never larger."""

from __future__ import annotations

import enum
import functools
import hashlib
import itertools
import unicodedata
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvent.queries.inputs import bind
from solvent.race.concrete import Program
from solvent.race.drawing import drawn
from solvent.race.hints import hints_of
from solvent.race.leaves import leaves_of
from solvent.race.probing import shrunk
from solvent.race.shrinking import size, smaller
from solvent.race.trying import Failed, Tries
from solvent.terms import Int
from solvent.terms.model import Model
from solvent.verdicts import Deadline


def ordered(items: list[int], item: int) -> None:
    """Fails in two ways, of which one hides the other."""
    if len(items) > 2:
        assert item not in items
    for left, right in itertools.pairwise(items):
        assert left != right + 1


def worded(word: str, words: list[str], flag: bool) -> int:
    """Fails by text, by its length and by a key that is missing."""
    if flag and word.isupper():
        return {"A": 1}[word]
    return len(words[len(word) - 1]) // len(word.strip())


def counted(numbers: dict[str, int], limit: float, other: int | str) -> None:
    """Fails by numbers of which only a part matters."""
    total = sum(numbers.values())
    if total > limit:
        assert total - limit < 50
    if isinstance(other, str):
        assert other.isascii()


Case = tuple[Program, Model, Failed]


@functools.cache
def failing() -> list[Case]:
    """Drawn inputs with which a program fails."""
    found: list[Case] = []
    for function in (ordered, worded, counted):
        program = Program(function, bind(function, (), {}))
        for model in drawn(program, hints_of(function), 150):
            failure = Tries(program).of(model).failure
            if failure is not None:
                found.append((program, model, failure))
    return found


@settings(max_examples=40, deadline=None)
@given(st.deferred(lambda: st.sampled_from(failing())), st.integers(0, 60))
def test_the_verdict_stays(case: Case, most: int) -> None:
    program, model, failure = case
    tries = Tries(program)
    runs: list[Model] = []
    better: list[Model] = [model]

    def fails(candidate: Model) -> bool:
        runs.append(candidate)
        found = tries.of(candidate).failure
        return found is not None and found.is_like(failure)

    result = smaller(program, model, fails, most, 30.0, better.append)
    assert len(runs) <= most
    assert result == better[-1]
    assert all(result.evaluate(condition) is True for condition in program.inputs.assumptions)
    found = tries.of(result).failure
    assert found is not None
    assert (found.kind, found.position) == (failure.kind, failure.position)
    sizes = [size(program, candidate) for candidate in better]
    assert all(after < before for before, after in itertools.pairwise(sizes))


def shrunken(function: Callable[..., Any], **values: Any) -> str:
    """The inputs that are left of those of a model."""
    program = Program(function, bind(function, (), {}))
    model = Model({Int(name.replace("len_", "len(") + ")" * name.startswith("len_")): value
                   for name, value in values.items()})  # fmt: skip
    tries = Tries(program)
    expected = tries.of(model).failure
    assert expected is not None

    def fails(candidate: Model) -> bool:
        found = tries.of(candidate).failure
        return found is not None and found.is_like(expected)

    return program.text(smaller(program, model, fails))


def above(x: int) -> None:
    """Fails above a bound."""
    assert x <= 1000


def equal(x: int, y: int) -> None:
    """Fails for equal numbers."""
    assert x != y or x < 3


def distant(x: int, y: int) -> None:
    """Fails for neighbours."""
    assert y - x != 1


def third(items: list[int]) -> None:
    """Fails for a certain item."""
    assert 7 not in items


def letter(text: str) -> None:
    """Fails for digits that are not ASCII."""
    assert not any(c.isdigit() and not c.isascii() for c in text)


def test_numbers_come_close_to_zero() -> None:
    assert shrunken(above, x=2**63) == "(1001)"
    assert shrunken(equal, x=9047, y=9047) == "(3, 3)"
    assert shrunken(distant, x=9047, y=9048) == "(0, 1)"


def paid(threes: int, fives: int) -> None:
    """Fails where a sum of multiples has a certain value."""
    assert threes * 3 + fives * 5 != 101


def apart(left: int, right: int) -> None:
    """Fails where a difference of multiples has a certain value."""
    assert left - 2 * right != 7


def divided(share: Fraction) -> None:
    """Fails for what is no whole number or half of one."""
    assert share.denominator < 3


def test_numbers_that_depend_on_each_other_come_close_to_zero_together() -> None:
    assert shrunken(paid, threes=32, fives=1) == "(2, 19)"
    assert shrunken(apart, left=100_007, right=50_000) == "(1, -3)"
    # Others would be larger together.
    assert shrunken(paid, threes=-3, fives=22) == "(-3, 22)"


def test_fractions_get_simple() -> None:
    program = Program(divided, bind(divided, (), {}))
    (leaf,) = leaves_of(program)
    for share, simple in (("977/10", "1/3"), ("-7/4", "1/3"), ("1/12", "1/3")):
        model = Model({leaf.constant: Fraction(share)})

        def fails(candidate: Model) -> bool:
            found: Fraction = program.call(candidate)[0][0]
            return found.denominator >= 3

        assert program.call(smaller(program, model, fails))[0][0] == Fraction(simple)


class Access(enum.Flag):
    """Flags."""

    READ = 1
    WRITE = 2
    RUN = 4


def given_twice(one: Access, other: Access) -> None:
    """Fails for the same combination."""
    assert one is not other or len(one) < 2


def test_choices_that_have_to_stay_equal_get_simple_together() -> None:
    program = Program(given_twice, bind(given_twice, (), {}))
    model = Model({leaf.constant: 7 for leaf in leaves_of(program)})

    def fails(candidate: Model) -> bool:
        one, other = program.call(candidate)[0]
        return one is other and len(one) > 1

    expected = "(Access.READ | Access.WRITE, Access.READ | Access.WRITE)"
    assert program.text(smaller(program, model, fails)) == expected


def scattered(n: int) -> None:
    """Fails for some numbers above a bound, as if by chance."""
    assert n <= 500 or hashlib.md5(str(n).encode()).digest()[0] % 8


def test_numbers_get_small_also_if_not_all_smaller_ones_fail() -> None:
    def fails(n: int) -> bool:
        return not hashlib.md5(str(n).encode()).digest()[0] % 8

    big = next(n for n in range(10**15, 10**16) if fails(n))
    least = next(n for n in itertools.chain(range(1000, 1012), range(10_000, 10_012)) if fails(n))
    assert int(shrunken(scattered, n=big).strip("()")) <= least


def test_items_are_taken_out() -> None:
    values = {"len_items": 3, "items[0]": 90, "items[1]": 7, "items[2]": 12}
    assert shrunken(third, **values) == "([7])"


def tagged(tags: list[str], tag: str) -> None:
    """Fails for equal texts."""
    assert tag not in tags


def test_what_has_to_stay_equal_gets_simple_together() -> None:
    values = {"len_tags": 2, "len_tags[1]": 2, "tags[1][0]": 120, "tags[1][1]": 121}
    values |= {"len_tag": 2, "tag[0]": 120, "tag[1]": 121}
    assert shrunken(tagged, **values) == "([''], '')"


def test_characters_get_simple() -> None:
    values = {"len_text": 3, "text[0]": 0x10000, "text[1]": ord("²"), "text[2]": 5}
    assert shrunken(letter, **values) == "('²')"


def spelled(text: str) -> None:
    """Fails for a certain digit in whatever script, and for a letter with whatever accent."""
    assert "7" not in [str(int(c)) if c.isdecimal() else c for c in text]
    assert unicodedata.normalize("NFKD", text)[:1] != "q"


def test_characters_become_the_plain_ones_that_they_are_forms_of() -> None:
    for character, plain in (("\U0001fbf7", "7"), ("\uff51", "q")):
        values = {"len_text": 2, "text[0]": ord(character), "text[1]": ord("-")}
        assert shrunken(spelled, **values) == f"({plain!r})"


def test_in_a_lane() -> None:
    inputs = bind(third, (), {})
    model = Model({Int("len(items)"): 2, Int("items[0]"): 900, Int("items[1]"): 7})
    found = shrunk(third, inputs, model, Deadline(30))
    assert found is not None
    assert Program(third, inputs).text(found.model) == "([7])"
    assert found.failure.kind == "AssertionError"
    assert shrunk(third, inputs, Model(), Deadline(30)) is None


def dangerous(n: int) -> None:
    """Never ends with small numbers, and fails with large ones."""
    while 0 < n < 500:
        pass
    assert n < 1000


@pytest.mark.parametrize("seconds", [30, 0.0])
def test_the_best_of_a_lane_that_ends(seconds: float) -> None:
    inputs = bind(dangerous, (), {})
    model = Model({Int("n"): 2**40})
    found = shrunk(dangerous, inputs, model, Deadline(seconds))
    if seconds:
        assert found is not None
        assert 1000 <= found.model[Int("n")] <= 2**40
    else:
        assert found is None
