"""The compositional mode: the same results, with fewer paths and solver calls."""

from __future__ import annotations

from typing import Any

import pytest

from solvent import assume
from solvent.explore import Exploration, explore
from tests.explore.checking import check_partition, check_results

RATE = 3


def step(x: int, k: int = 1) -> int:
    if x < 0:
        raise ValueError("negative")
    if x > 10:
        return x - k
    return x * 2 if x % 2 == 0 else 0


def thrice(a: int, b: int, c: int) -> int:
    return step(a) + step(b) + step(c)


def kind(x: int) -> Any:
    return None if x < 0 else (x, x > 5)


def mixed(a: int, b: int) -> Any:
    first, second = kind(a), kind(b)
    if first is None:
        return second
    return first[0] + RATE if first[1] else second


def level(x: int) -> int:
    return step(x) + step(x + 1)


def twice(a: int, b: int) -> int:
    return level(a) - level(b)


CALLS: list[int] = []


def noted(x: int) -> int:
    CALLS.append(1)
    return 1 if x > 0 else 0


def down(n: int) -> int:
    return 0 if n <= 0 else down(n - 1) + 1


def careful(x: int) -> int:
    assume(x > 0)
    return 1 if x > 3 else 2


def listed(x: int) -> list[int]:
    return [x] if x > 0 else []


def total(xs: list[int]) -> int:
    return sum(xs)


def use_noted(a: int, b: int) -> int:
    return noted(a) + noted(b)


def use_down(a: int) -> int:
    return down(a) + 1


def use_careful(a: int) -> int:
    return careful(a)


def use_listed(a: int) -> int:
    return len(listed(a))


def use_total(a: int) -> int:
    return total([a, 1])


def both(function: Any, *domains: Any) -> tuple[Exploration, Exploration]:
    """Explored without and with summaries, each compared with CPython."""
    plain = check_results(function, *domains)
    composed = check_results(function, *domains, compositional=True)
    for found in (plain, composed):
        assert found.complete
        assert found.confirmed
        check_partition(found)
    return plain, composed


def test_same_results_with_fewer_paths_and_checks() -> None:
    plain, composed = both(thrice, *3 * (range(-1, 13, 2),))
    # Three results each and one failure, one after the other.
    assert len(plain.paths) == 27 + 9 + 3 + 1
    assert len(composed.paths) == 4
    assert composed.stats.checks < plain.stats.checks / 3
    (use,) = composed.summaries
    # Made once, for arguments of one kind.
    assert (use.function, use.paths, use.reason) == ("step", 4, "")
    assert use.uses > 3


def test_results_of_several_types() -> None:
    plain, composed = both(mixed, range(-2, 8), range(-2, 8))
    assert len(composed.paths) <= len(plain.paths)
    assert composed.summaries[0].uses > 0


def test_summaries_use_summaries() -> None:
    plain, composed = both(twice, range(-2, 13), range(-2, 13))
    assert len(composed.paths) < len(plain.paths)
    assert {use.function for use in composed.summaries} == {"level", "step"}


def test_a_summary_does_not_know_where_it_was_made() -> None:
    def only_small(a: int, b: int) -> int:
        if a > 3:
            return 0
        return step(a, 2) + step(b, 2)

    both(only_small, range(-1, 6), range(-1, 13))


@pytest.mark.parametrize(
    ("function", "domain", "reason"),
    [
        (use_noted, 2 * (range(-1, 2),), "which may change"),
        (use_down, (range(4),), "not all of its paths are known"),
        (use_listed, (range(-1, 2),), "returns or raises a list"),
        (use_total, (range(-1, 2),), "neither a number"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_has_no_summary_is_followed(function: Any, domain: Any, reason: str) -> None:
    plain, composed = both(function, *domain)
    assert len(composed.paths) == len(plain.paths)
    (use,) = composed.summaries
    assert use.uses == 0
    assert reason in use.reason
    assert f"none of {use.function}" in str(composed)


def test_assumptions_are_followed() -> None:
    found = explore(use_careful, compositional=True)
    assert len(found.paths) == 2
    assert found.summaries[0].reason == "it makes assumptions"


def test_a_variable_around_a_function_is_not_taken_for_constant() -> None:
    def scaled(a: int) -> int:
        return _scale(a)

    global FACTOR
    FACTOR = 2
    assert explore(scaled, compositional=True).confirmed
    FACTOR = 3
    assert explore(scaled, compositional=True).confirmed


FACTOR = 2


def _scale(x: int) -> int:
    return x * FACTOR if x > 0 else 0
