"""Objects as inputs: made by their constructors, where these do not raise.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from typing import Any, Protocol

import pytest

from solvent import NotLiftedError, integers, objects, verify
from solvent.errors import InputSpaceError
from solvent.lift import bounded
from solvent.queries.spaces.annotations import of_annotation
from tests.queries.spaces.enumerated import fails, holds, values


class Limit:
    """A class with a condition."""

    def __init__(self, least: int, most: int = 9, name="x") -> None:  # type: ignore[no-untyped-def]
        if least > most:
            raise ValueError("no such limit")
        self.least = least
        self.width = most - least
        self.name = name


@dataclass
class Doubled:
    """A dataclass that computes."""

    x: int
    factor: InitVar[int]
    y: int = field(init=False, default=0)

    def __post_init__(self, factor: int) -> None:
        if factor != 2 and factor != 3:
            raise ValueError("neither double nor triple")
        self.y = self.x * factor


class Nested:
    """A class that holds others."""

    def __init__(self, limits: list[Limit], best: Limit | None) -> None:
        self.limits = limits
        self.best = best


class Empty:
    """A class without a constructor."""


class Slotted:
    """A class without a dictionary."""

    __slots__ = ("x",)

    def __init__(self, x: int) -> None:
        self.x = x


def limited(limit: Limit) -> None:
    assert limit.width != 5 or limit.least != 3


def doubled(found: Doubled) -> None:
    assert found.y != 12 or found.x == 6


def nested(found: Nested) -> None:
    if found.best is not None and len(found.limits) == 2:
        assert found.best.width >= found.limits[1].width


def without(found: Nested) -> None:
    assert found.best is not None


def empty(found: Empty) -> None:
    assert isinstance(found, Nested)


def slotted(found: Slotted) -> None:
    assert found.x != 5


def in_a_list(found: list[Slotted]) -> None:
    found[0].x += 1
    assert found[0].x != 5


@pytest.mark.parametrize(
    ("function", "call"),
    [
        (limited, "limited(limit=Limit(least=3, most=8))"),
        (doubled, "doubled(found=Doubled(x=4, factor=3))"),
        (nested, ""),
        (without, ""),
        (empty, "empty(found=Empty())"),
        (slotted, "slotted(found=Slotted(x=5))"),
        (in_a_list, ""),
    ],
)
def test_an_object_is_found(function: Callable[..., Any], call: str) -> None:
    result = fails(function)
    assert call in ("", result.call)


def never_negative(limit: Limit, found: Nested) -> None:
    assert limit.width >= 0
    assert all(inner.width >= 0 for inner in found.limits)
    assert found.best is None or found.best.width >= 0
    assert limit.name == "x"


def twice_or_thrice(found: Doubled) -> None:
    assert found.y in (found.x * 2, found.x * 3)


@pytest.mark.parametrize("function", [never_negative, twice_or_thrice])
def test_no_object_that_its_class_refuses(function: Callable[..., Any]) -> None:
    holds(function)


def test_exactly_the_objects_of_a_space() -> None:
    found = values(objects(Limit, least=integers(0, 2), most=integers(0, 2)))
    expected = [(a, b - a) for a in range(3) for b in range(a, 3)]
    assert sorted((limit.least, limit.width) for limit in found) == expected


def test_an_object_that_is_not_there_need_not_be_valid() -> None:
    # In a list of none, nothing is said of the items behind its end.
    found = values(of_annotation(list[Limit] | None, max_len=0))
    assert found == [[], None] or found == [None, []]


def test_what_is_told() -> None:
    assert str(of_annotation(Limit)) == "Limit(least: any int, most: any int)"


# --- what is refused ---------------------------------------------------------------------------

COUNT = [0]


class Counted:
    """A class that counts its instances."""

    made = 0

    def __init__(self, x: int) -> None:
        Counted.made += 1
        self.x = x


class Registered:
    """A class that knows its instances."""

    def __init__(self, x: int) -> None:
        COUNT.append(x)
        self.x = x


class Impossible:
    """A class of which there are no instances."""

    def __init__(self, x: int) -> None:
        raise ValueError(x)


class Walks(Protocol):
    """Says nothing of how it is made."""

    x: int


class Unlifted:
    """A class whose constructor is not lifted."""

    def __init__(self, x: int) -> None:
        self.x = open(x)  # noqa: SIM115


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (Counted, r"`Counted\(\)` changes more than the object that it makes; make the object in"),
        (Registered, r"`Registered\(\)` changes more than the object that it makes"),
        (Impossible, r"`Impossible\(\)` raises ValueError for all inputs that its annotations"),
        (Walks, "the protocol `Walks` does not say how its objects are made"),
    ],
)
def test_classes_that_are_refused(cls: type, message: str) -> None:
    def look(found: Any) -> None:
        assert found.x

    look.__annotations__["found"] = cls
    with pytest.raises(InputSpaceError, match=f"look: parameter `found`: {message}"):
        verify(look)
    assert Counted.made == 0
    assert COUNT == [0]


class Countdown:
    """A class whose constructor is only looked at for so long."""

    def __init__(self, n: int) -> None:
        with bounded(2):
            while n > 0:
                n -= 1
        self.n = n


def test_a_constructor_that_is_cut_short_is_no_proof() -> None:
    def look(found: Any) -> None:
        assert found.n <= 0

    look.__annotations__["found"] = Countdown
    with pytest.raises(NotLiftedError, match=r"`Countdown\(\)` is not known .* bound of 2 is too"):
        verify(look)


def test_what_is_not_lifted_in_a_constructor_is_no_proof() -> None:
    def look(found: Any) -> None:
        return None

    look.__annotations__["found"] = Unlifted
    with pytest.raises(NotLiftedError):
        verify(look)
