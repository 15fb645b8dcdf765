"""Tests with `@given` as specifications: Solvent says of them what Hypothesis would find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import Phase, assume, given, note, settings, target
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase

from solvent import Int, verify
from solvent.errors import InputSpaceError
from solvent.strategies.examples import written
from solvent.strategies.given import given_of
from solvent.strategies.known import is_given
from solvent.strategies.turning import NotTurnedError, turned

DATABASE = InMemoryExampleDatabase()
# Nothing is generated: what fails comes from the database.
KEPT = settings(database=DATABASE, phases=[Phase.reuse])


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass(frozen=True)
class Fixed:
    x: int


@st.composite
def ordered(draw: Any, low: int = 0) -> tuple[int, int]:
    first = draw(st.integers(low, 10))
    second = draw(st.integers(first, 10))
    return (first, second) if draw(st.booleans()) else (second, second)


@st.composite
def apart(draw: Any) -> tuple[int, int]:
    first = draw(st.integers(0, 5))
    # No assumption says by itself that there is a value between these bounds.
    return (first, draw(st.integers(first, 9)))


@st.composite
def without_values(draw: Any) -> int:
    least: int = draw(st.integers(0, 9))
    found: int = draw(st.integers(least, 8))
    return found


@dataclass
class Box:
    size: int
    is_open: bool = True
    items: list[int] = field(default_factory=list)


tree: Any = st.deferred(lambda: st.booleans() | st.tuples(tree, tree))


def depth(found: Any) -> int:
    return 0 if isinstance(found, bool) else 1 + max(depth(found[0]), depth(found[1]))


@KEPT
@given(st.integers(0, 9), st.lists(st.integers(), max_size=2))
def sums(n: int, xs: list[int]) -> None:
    note("a note")
    assume(n > 3)
    target(float(n))
    assert n + len(xs) != 9


@given(ordered())
def is_ordered(pair: tuple[int, int]) -> None:
    assert pair[0] <= pair[1]


@given(ordered(low=3))
def is_small(pair: tuple[int, int]) -> None:
    assert pair[0] < 10


@given(st.data())
def draws(data: Any) -> None:
    n = data.draw(st.integers(0, 5))
    m = data.draw(st.integers(0, n), label="m")
    if n > 3:
        k = data.draw(st.integers(0, 3))
    else:
        k = data.draw(st.integers(2, 4))
    assert n + m + k < 13


@KEPT
@given(st.dictionaries(st.integers(), st.booleans(), max_size=2))
def has_keys(found: dict[int, bool]) -> None:
    assert all(not value for value in found.values())


@KEPT
@given(st.sets(st.integers(0, 20)))
def few(found: set[int]) -> None:
    assert len(found) < 3


@given(tree)
def shallow(found: Any) -> None:
    assert depth(found) != 2


@given(st.floats(0, 1), st.floats(allow_nan=False, allow_infinity=False))
def bounded(a: float, b: float) -> None:
    assert 0 <= a <= 1
    assert b - b == 0


@given(st.floats())
def is_itself(x: float) -> None:
    assert x == x


@KEPT
@given(st.text("ab", max_size=3), st.binary(max_size=2), st.characters(max_codepoint=90))
def texts(a: str, b: bytes, c: str) -> None:
    assert a != "ab" or b != b"\x00" or c != "Z"


@given(st.builds(Point, st.integers(1, 3)), st.sampled_from("xyz"), st.just(4) | st.none())
def objects(point: Point, letter: str, rest: int | None) -> None:
    assert point.x in (1, 2, 3)
    assert letter in "xyz"
    assert rest in (4, None)


@given(
    st.sampled_from([Fixed(1), Fixed(2)]),
    st.sampled_from([Decimal("1.5"), Decimal(2)]),
    st.sampled_from([date(2024, 2, 29), date(2000, 1, 1)]),
)
def values(found: Fixed, amount: Decimal, day: date) -> None:
    assert found.x in (1, 2)
    assert amount > 1
    assert day.day in (1, 29)


@KEPT
@given(st.sampled_from([Fixed(1), Fixed(2)]), st.sampled_from([Decimal("1.5"), Decimal(2)]))
def few_values(found: Fixed, amount: Decimal) -> None:
    assert found.x == 1 or amount == 2


@given(st.complex_numbers(allow_nan=False))
def numbers(z: complex) -> None:
    assert z.imag == z.imag
    assert z.real != 7.25 or z.imag < 1


@given(st.integers(0, 3).flatmap(lambda n: st.lists(st.just(n), min_size=n, max_size=n)))
def repeated(xs: list[int]) -> None:
    assert len(xs) == (xs[0] if xs else 0)


@given(st.integers().map(lambda n: 2 * n).filter(lambda n: n > 10))
def even(n: int) -> None:
    assert n % 2 == 0
    assert n > 10


@given(st.recursive(st.booleans(), lambda inner: st.lists(inner, max_size=2)))
def flat(found: Any) -> None:
    assert isinstance(found, bool) or len(found) < 3


@given(st.fixed_dictionaries({"a": st.integers(0, 1)}, optional={"b": st.none()}))
def record(found: dict[str, Any]) -> None:
    assert found["a"] < 2
    assert found.get("b") is None


@given(st.lists(st.integers(), unique=True, min_size=2, max_size=2), st.from_type(bool))
def different(xs: list[int], flag: bool) -> None:
    assert xs[0] != xs[1]
    assert flag in (True, False)


@given(apart(), st.from_type(Box))
def bounds_are_drawn(found: tuple[int, int], box: Box) -> None:
    assert found[0] <= found[1] <= 9
    assert len(box.items) >= 0


@given(st.from_type(Box))
def boxes(box: Box) -> None:
    assert box.is_open or box.items != [7]


@given(st.floats(width=32, allow_nan=False))
def narrow(x: float) -> None:
    # Which Float64 has, and Float32 has not.
    assert x != 0.1


@given(st.floats(-1, 1, width=16, exclude_max=True))
def largest(x: float) -> None:
    assert x != 1 - 2**-11


HOLD = [is_ordered, bounded, objects, values, repeated, even, flat, record, different]
HOLD += [bounds_are_drawn, narrow]
FAIL = [sums, is_small, draws, has_keys, few, shallow, is_itself, texts, few_values, numbers]
FAIL += [boxes, largest]


@pytest.mark.parametrize("test", HOLD, ids=lambda test: test.__name__)
def test_what_holds_is_proved(test: Callable[..., None]) -> None:
    found = given_of(test)
    assert verify(found.subject(), **found.spaces).holds
    settings(database=None, max_examples=50, derandomize=True)(test)()


@pytest.mark.parametrize("test", FAIL, ids=lambda test: test.__name__)
def test_what_fails_is_found_and_confirmed(test: Callable[..., None]) -> None:
    found = given_of(test)
    result = verify(found.subject(), **found.spaces)
    assert result.confirmed
    assert type(result.failure.exception) is AssertionError  # type: ignore[union-attr]


@pytest.mark.parametrize("test", [sums, has_keys, few, texts], ids=lambda test: test.__name__)
def test_hypothesis_replays_what_was_found(test: Any) -> None:
    found = given_of(test)
    result = verify(found.subject(), **found.spaces)
    assert written(found, result.inputs)
    with pytest.raises(AssertionError):
        test()


def test_a_function_that_may_raise_while_it_draws_is_left_to_hypothesis() -> None:
    @given(without_values())
    def never(n: int) -> None:
        assert n < 9

    found = given_of(never)
    with pytest.raises(InputSpaceError, match="may raise InvalidArgument"):
        verify(found.subject(), **found.spaces)


@pytest.mark.parametrize(
    ("strategy", "problem"),
    [
        (st.permutations(range(9)), "permutes more than 6 values"),
        (st.permutations([[], [1]]), "might change"),
        (st.from_regex(b"a+"), r"`from_regex\(b'a\+'\)` cannot be turned"),
        (st.from_regex("a+", alphabet="ab"), "alphabet='ab'.* cannot be turned"),
        (st.times(timezones=st.timezones()), "`time` with a time zone"),
        (st.datetimes(timezones=st.just(UTC)), "`datetime` with a time zone"),
        (st.integers(3, 1), "Cannot have max_value=1 < min_value=3"),
        (st.integers().flatmap(st.just), "more than 16 possibilities"),
        (st.functions(), r"`functions\(\)`"),
        (st.sampled_from([[]]), "might change"),
        (st.sampled_from([(1, [])]), "might change"),
        (st.lists(st.floats(), unique=True), "different NaNs"),
    ],
)
def test_what_is_not_turned_is_named_with_its_place(strategy: Any, problem: str) -> None:
    @given(strategy)
    def test(x: Any) -> None:
        pass

    with pytest.raises(NotTurnedError, match=problem) as found:
        given_of(test)
    assert str(found.value).startswith(f"{__file__}:")


@pytest.mark.parametrize(
    ("strategy", "inside", "outside"),
    [
        (st.dates(date(2024, 2, 28), date(2024, 3, 1)),
         [date(2024, 2, 28), date(2024, 2, 29), date(2024, 3, 1)],
         [date(2024, 2, 27), date(2024, 3, 2)]),
        (st.dates(max_value=date(9, 9, 9)), [date.min, date(9, 9, 9)], [date(9, 9, 10)]),
        (st.datetimes(datetime(2024, 1, 1, 5)), [datetime(2024, 1, 1, 5), datetime.max],
         [datetime(2024, 1, 1, 4, 59, 59, 999999)]),
        (st.times(time(1), time(1, 0, 0, 2)), [time(1), time(1, 0, 0, 2)], [time(1, 0, 0, 3)]),
        (st.timedeltas(timedelta(1), timedelta(2)), [timedelta(1), timedelta(1, 9), timedelta(2)],
         [timedelta(0, 86399, 999999), timedelta(2, 0, 1)]),
        (st.permutations([1, 2, 1]), [[1, 2, 1], [1, 1, 2], [2, 1, 1]], [[1, 2], [1, 2, 2]]),
        (st.from_regex(r"[a-f]\d?", fullmatch=True), ["a", "f9", "b\u0663"], ["", "g", "a12"]),
        (st.from_regex(r"a$"), ["a", "a\n", "xxa"], ["", "ab"]),
    ],
)  # fmt: skip
def test_values_inside_and_outside(strategy: Any, inside: list[Any], outside: list[Any]) -> None:
    space, _ = turned(strategy)
    for value in inside:
        found = verify(differs_from(value), space)
        assert found.confirmed
        assert repr(found.inputs["found"]) == repr(value)
    for value in outside:
        assert verify(differs_from(value), space).holds
    # What Hypothesis draws is in the space, unless it is longer.
    for value in drawn(strategy, 5):
        is_long = isinstance(value, str) and len(value) > 3
        assert is_long or not verify(differs_from(value), space).holds


def differs_from(value: Any) -> Callable[[Any], None]:
    """A function that fails for one value only."""

    def differs(found: Any) -> None:
        assert found != value

    return differs


def drawn(strategy: Any, most: int) -> list[Any]:
    """Some values that Hypothesis draws."""
    result: list[Any] = []

    @settings(database=None, max_examples=most, derandomize=True)
    @given(strategy)
    def draw(value: Any) -> None:
        result.append(value)

    draw()
    return result


def test_a_test_may_be_about_solvent() -> None:
    @given(st.integers(0, 3))
    def test(n: int) -> None:
        assert (Int("a") + n) is not n

    found = given_of(test)
    result = verify(found.subject(), **found.spaces)
    assert not result.confirmed


def test_bounds_of_ours_are_said() -> None:
    assert given_of(few).bounds == ["lists of up to 3 items"]
    assert given_of(sums).bounds == []
    assert given_of(shallow).bounds == ["nested up to 2 times"]


def test_only_tests_of_hypothesis_are_given() -> None:
    assert is_given(sums)
    assert not is_given(depth)
    assert not is_given(Point)


@pytest.mark.parametrize(
    "strategy",
    [
        st.integers(-2, 2),
        st.booleans() | st.integers(0, 2),
        st.lists(st.integers(0, 1), max_size=2),
        st.tuples(st.booleans(), st.sampled_from("ab")),
        st.text("ab", min_size=1, max_size=2),
        st.sets(st.integers(0, 2), max_size=2),
        st.fixed_dictionaries({"a": st.booleans()}, optional={"b": st.just(1)}),
    ],
    ids=repr,
)
def test_a_space_has_the_values_of_its_strategy(strategy: Any) -> None:
    seen: set[str] = set()

    @settings(max_examples=300, database=None, derandomize=True)
    @given(strategy)
    def collect(x: Any) -> None:
        seen.add(repr(x))

    collect()

    @given(strategy)
    def other(x: Any) -> None:
        assert repr(x) in seen

    found = given_of(other)

    def unseen(x: Any) -> None:
        assert any(x == one and type(x) is type(one) for one in values)

    values = [eval(text) for text in sorted(seen)]
    # No value of the space is unknown to Hypothesis, and each of Hypothesis's is in the space.
    assert verify(unseen, **found.spaces).holds
    for value in values:

        def is_other(x: Any, value: Any = value) -> None:
            assert x != value or type(x) is not type(value)

        assert verify(is_other, **found.spaces).failure is not None


def test_what_hypothesis_can_undo_is_written() -> None:
    @KEPT
    @given(st.dates(date(2024, 1, 1), date(2024, 12, 31)), st.permutations([1, 2, 3]))
    def test(day: date, order: list[int]) -> None:
        assert (day.month, day.day, order) != (2, 29, [3, 1, 2])

    if not hasattr(st.dates().wrapped_strategy, "_invert"):  # type: ignore[attr-defined]
        pytest.skip("this version of Hypothesis does not know the choices")
    found = given_of(test)
    result = verify(found.subject(), **found.spaces)
    assert written(found, result.inputs)
    with pytest.raises(AssertionError):
        test()
