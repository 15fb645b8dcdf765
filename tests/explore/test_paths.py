"""Paths: how many there are, that they partition the inputs, and what they come to."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Bool, Int, NotLiftedError, Str, assume, lists
from solvent.errors import QueryError, SolventError
from solvent.explore import Decision, Exploration, explore
from solvent.explore.directing import Start
from solvent.explore.frontier import Frontier
from solvent.lift.under_model import evaluate
from solvent.terms.model import Model
from tests.explore.checking import check_partition, check_results, merged_agrees
from tests.explore.sample import divided
from tests.lift import programs
from tests.lift.differential import run, snapshot
from tests.patience import patient

PROGRAMS = int(os.environ.get("SOLVENT_EXPLORED", "54"))


def three(a: int, b: int, c: int) -> int:
    total = 0
    if a > 0:
        total += 1
    if b > 0:
        total += 2
    if c > 0:
        total += 4
    return total


def nested(a: int) -> int:
    if a > 0:
        if a > 10:
            return 3
        return 2
    elif a == 0:
        return 1
    return 0


def triangle(a: int, b: int, c: int) -> int:
    if a <= 0 or b <= 0 or c <= 0:
        return 0
    if a == b == c:
        return 3
    return 2 if a == b or b == c or a == c else 1  # noqa: SIM109


def short(p: bool, q: bool, r: bool) -> bool:
    return (p and q) or r


def counted(n: int) -> int:
    i = 0
    while i < n:
        i += 1
    return i


def factorial(n: int) -> int:
    if n < 0:
        raise ValueError("negative")
    return 1 if n == 0 else n * factorial(n - 1)


def assumed(n: int) -> int:
    assume(n > 0)
    if n > 5:
        assume(n < 8)
        return 1
    return 0


def left_early(n: int) -> int:
    total = 0
    for i in range(4):
        if i == n:
            continue
        if i > n + 1:
            break
        total += i
    else:
        return -1
    return total


def implied(a: int) -> int:
    if a > 3:
        if a > 2:
            return 1
        return 2
    return 3


@pytest.mark.parametrize(
    ("function", "domains", "count"),
    [
        (three, 3 * (range(-1, 2),), 8),
        (nested, (range(-2, 13),), 4),
        (triangle, 3 * (range(4),), 8),
        (divided, 2 * (range(-4, 5),), 4),
        (short, 3 * ((False, True),), 3),
        (counted, (range(-1, 5),), 5),
        (factorial, (range(-2, 4),), 5),
        (left_early, (range(-3, 7),), 7),
        (implied, (range(6),), 2),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_count_partition_and_results(
    function: Callable[..., Any], domains: tuple[Any, ...], count: int
) -> None:
    found = check_results(function, *domains, merged=True)
    assert found.complete
    assert found.confirmed
    assert len(found.paths) == count
    check_partition(found)
    merged_agrees(found)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_independent_branches_are_exponentially_many_paths_and_one_state(count: int) -> None:
    def diamond(flags: list[Any]) -> int:
        total = 0
        for place, flag in enumerate(flags):
            total += place if flag else 1
        return total

    found = explore(diamond, [Bool(f"p{place}") for place in range(count)], merged=True)
    assert len(found.paths) == 2**count
    assert found.merged is not None
    assert not isinstance(found.merged, str)
    assert (found.merged.states, found.merged.joins) == (1, count)
    assert f"{2**count} paths are 1 state after {count} joins" in str(found)


def test_assumptions_belong_to_no_path() -> None:
    found = explore(assumed)
    assert found.complete
    assert len(found.paths) == 2
    check_partition(found)
    assert [evaluate(found.assumed, {"n": n}) for n in (0, 1, 7, 8)] == [False, True, True, False]


# --- bounds and orders ----------------------------------------------------------------------------


def test_depth_cuts_a_loop() -> None:
    found = explore(counted, depth=4)
    assert [path.value for path in found.paths] == [0, 1, 2, 3]
    assert not found.complete
    (left,) = found.unexplored
    assert "more than 4 decisions" in left.reason
    assert not evaluate(left.condition, {"n": 3})
    assert evaluate(left.condition, {"n": 4})
    check_partition(found)


def test_depth_cuts_recursion() -> None:
    found = explore(factorial, depth=4)
    assert sorted(path.value for path in found.paths if path.exception is None) == [1, 1, 2]
    assert not found.complete


def test_number_of_paths_and_time_are_bounds() -> None:
    found = explore(three, paths=3)
    assert len(found.paths) == 3
    assert {left.reason for left in found.unexplored} == {"there are more than 3 paths"}
    found = explore(counted, depth=10_000, paths=100_000, seconds=0.3)
    assert not found.complete
    assert "the time is over" in {left.reason for left in found.unexplored}


def test_a_loop_of_forced_decisions_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(n: int) -> int:
        while n * n >= 0:
            n += 1
        return n

    monkeypatch.setattr("solvent.explore.directing.MOST_FORCED", 5)
    found = explore(stuck)
    assert not found.paths
    assert "more than 5 decisions with one side only" in found.unexplored[0].reason


def wide(a: int, b: int) -> int:
    if a > 0:
        for i in range(6):
            if b == i:
                return i
        return 6
    return 7


def test_orders_find_the_same_paths() -> None:
    found = [explore(wide, order=order) for order in ("depth", "breadth", "coverage")]
    keys = [{path.condition for path in one.paths} for one in found]
    assert keys[0] == keys[1] == keys[2]
    assert len(keys[0]) == 8


def start(depth: int, taken: bool = True) -> Start:
    return Start(tuple(Decision((None, place), "", True, taken) for place in range(depth)), None)


def test_orders_take_deep_short_and_rare_starts_first() -> None:
    depths = {}
    for order in ("depth", "breadth", "coverage"):
        frontier = Frontier(order)
        frontier.visit([Decision((None, 0), "", True, True)])
        for depth in (2, 1, 3):
            frontier.add(start(depth))
        depths[order] = [frontier.take().depth for _ in range(3)]
    # The first decision was taken before, so what starts with it comes last.
    assert depths == {"depth": [3, 1, 2], "breadth": [1, 2, 3], "coverage": [2, 3, 1]}


def test_forced_decisions_are_no_depth() -> None:
    forced = Decision((None, 0), "", True, True, forced=True)
    assert Start((forced, forced), None).depth == 0


def test_coverage_takes_new_sides_first() -> None:
    def later(a: int, b: int, c: int) -> int:
        for i in range(4):
            if a == i:
                b += 1
        if c == 77:
            return 1
        return b

    first = explore(later, order="coverage", paths=6)
    assert first.coverage is not None
    assert not first.coverage.missing
    assert not explore(later, order="coverage").unexplored


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(QueryError, match="depth, breadth, coverage"):
        explore(nested, order="sideways")


# --- data -----------------------------------------------------------------------------------------


def by_list(function: Callable[..., Any], items: int = 2, **options: Any) -> Exploration:
    """Explore a function of a list, and compare it with CPython on small lists."""
    found = explore(function, lists(int, max_len=items), max_len=items, **options)
    assert found.complete
    assert found.confirmed
    check_partition(found)
    name = function.__code__.co_varnames[0]
    for size in range(items + 1):
        for values in itertools.product(range(-1, 3), repeat=size):
            model = {Int(f"len({name})"): size}
            model |= {Int(f"{name}[{place}]"): value for place, value in enumerate(values)}
            taken = [p for p in found.paths if evaluate(p.condition, Model(model))]
            assert len(taken) == 1, values
            end = taken[0].end
            result, error = run(function, (list(values),))
            if error is not None:
                assert end.failure is not None
                assert snapshot(end.failure.exception) == snapshot(error)
            else:
                assert snapshot(end.run.value(Model(model))) == snapshot(result), values
    return found


def test_builtins_are_merged() -> None:
    def largest(xs: list[int]) -> int:
        return max(xs)

    # One path for each length, however the items are ordered.
    assert len(by_list(largest).paths) == 3


def test_decisions_inside_of_builtins_keep_their_path() -> None:
    # Each decides how long the list is in a scope that merges afterwards.
    by_list(lambda xs: any(xs))
    by_list(lambda xs: 2 in xs)
    by_list(lambda xs: xs.index(1))
    by_list(lambda xs: (xs.remove(1), xs)[1])


def test_functions_that_builtins_call() -> None:
    def far(xs: list[int]) -> Any:
        return sorted(xs, key=lambda x: -x if x < 1 else x), max(xs, key=lambda x: 3 // x)

    by_list(far)
    by_list(lambda xs: any(3 // x > 1 for x in xs))
    by_list(lambda xs: [x for x in xs if x > 0])
    by_list(lambda xs: list(map(lambda x: 1 if x > 0 else 0, xs)))  # noqa: C417


def test_loops_over_lists_and_writes_to_them() -> None:
    def positive(xs: list[int]) -> Any:
        seen: dict[int, int] = {}
        for place, x in enumerate(xs):
            if x > 0:
                xs[place] = 0
                seen[x] = seen.get(x, 0) + 1
            elif x < 0:
                break
        else:
            return "end", xs, seen
        return seen

    by_list(positive)


def test_generators() -> None:
    def positive(xs: list[int]) -> Any:
        for x in xs:
            if x > 0:
                yield x

    found = explore(positive, max_len=2)
    assert len(found.paths) == 7
    assert found.confirmed
    check_partition(found)


def test_unions_are_decided() -> None:
    def maybe(x: int | None, s: str) -> Any:
        if x is None:
            return s
        return x + 1 if s == "a" else -x

    found = explore(maybe)
    assert len(found.paths) == 3
    assert found.confirmed
    check_partition(found)


def test_a_loop_that_has_run_often_is_at_the_same_place() -> None:
    def count(n: Any) -> int:
        total = 0
        for number in range(n):
            total += number
        return total

    for _ in range(3):
        assert len(explore(count, Int("n"), depth=4).paths) == 4


def test_results_that_hold_nothing_symbolic_survive_the_run() -> None:
    found = explore(lambda n: [i for i in range(n)], Int("n"), depth=3)  # noqa: C416
    assert [path.value for path in found.paths] == [[], [0], [0, 1]]
    assert found.confirmed


def test_inputs_are_left_as_they_were() -> None:
    def clear(xs: list[Any], p: bool) -> int:
        if p:
            xs.clear()
        return len(xs)

    items = [1, Int("x")]
    found = explore(clear, items, Bool("p"))
    assert {path.value for path in found.paths} == {0, 2}
    assert len(items) == 2


# --- limits ---------------------------------------------------------------------------------------


def test_a_path_that_is_not_lifted_is_said() -> None:
    def upper(s: str, n: int) -> str:
        return s.upper() if n > 0 else s

    found = explore(upper, Str("s"))
    assert len(found.paths) == 1
    assert not found.complete
    assert "str.upper" in found.unexplored[0].reason
    assert isinstance(explore(upper, Str("s"), merged=True).merged, str)


def test_a_function_that_is_not_lifted_at_all_is_refused() -> None:
    def upper(s: str) -> str:
        return s.upper()

    with pytest.raises(NotLiftedError, match=r"str\.upper"):
        explore(upper, Str("s"))


def test_what_differs_between_runs_is_refused() -> None:
    calls = iter(range(1000))

    def fickle(a: int, b: int) -> int:
        if next(calls) % 2 == 0 and a > 0:
            return 1
        return 2 if b > 0 else 3

    with pytest.raises(SolventError):
        explore(fickle, confirm=False)


def test_a_wrong_prediction_is_not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvent.explore.exploring.agrees", lambda a, b: False)
    found = explore(nested)
    assert not found.confirmed
    assert "NOT confirmed: CPython returned" in str(found)


# --- random programs ------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", range(max(1, PROGRAMS // programs.FRESH)))
def test_random_programs(batch: int) -> None:
    """SOLVENT_EXPLORED=N explores N of them."""

    def check(program: programs.Program) -> None:
        main = programs.load(program.source)
        try:
            check_results(
                main, *program.domains, confirm=False, paths=100, depth=40, seconds=patient(5)
            )
        except NotLiftedError:
            return
        except Exception as error:
            raise AssertionError(f"{error}\n\n{program}") from error
        finally:
            programs.forget(main)

    programs.explore(f"paths:{batch}", check)


def by_chance(x: int) -> int:
    return 1 if random.random() < 0.5 else x


def test_paths_that_depend_on_chance_are_not_all_there_are() -> None:
    found = explore(by_chance)
    assert not found.complete
    assert any("gives other values in other runs" in left.reason for left in found.unexplored)
