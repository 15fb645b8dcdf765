"""Light lines share a probe, and each of them has what it would have with one of its own."""

from __future__ import annotations

import ast
import linecache
import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType

import pytest

from solvent import Int
from solvent.lift import execute
from solvent.lift.rewrite.light import is_light_statement
from solvent.profiling import profile
from solvent.profiling.profile import Profile
from solvent.vm.values import Value
from tests.lift import programs


def branching(count: int) -> int:
    total = other = 0
    for place in range(count):
        if place % 3 == 0:
            total += place
            other = total - 1
        else:
            total ^= place
        other = other * 2
        other = other % 1001
    return total + other


def counting_down(count: int) -> int:
    steps = 0
    while count > 0:
        count -= 1
        steps = steps + count
        if steps > 40:
            break
        steps = steps + 1
    return steps + count


def nested(count: int) -> int:
    found = 0
    for first in range(count):
        for second in range(first):
            if second == 2:
                continue
            found = found + second
            found = found ^ first
        found = found + 1
    return found


def small(number: int) -> int:
    if number > 3:
        return number - 1
    number = number + 5
    number = number * 2
    return number + 0


def calling(count: int) -> int:
    total = 0
    for place in range(count):
        total = total + small(place)
        total = total + 1
    return total


def dividing(count: int) -> int:
    caught = 0
    for place in range(count):
        try:
            caught = caught + 6 // (place - 2)
            caught = caught + 1
        except ZeroDivisionError:
            caught = caught + 100
    return caught


def lists(count: int) -> int:
    found = list(range(count))
    for place, item in enumerate(found):
        found[place] = item + 1
        found.append(place)
        if len(found) > 3 * count:
            break
    return sum(found)


CONCRETE = [branching, counting_down, nested, calling, dividing, lists]


def executed(function: Callable[[int], int], count: int) -> Counter[int]:
    """How often CPython comes to each line, which it says itself."""
    seen: Counter[int] = Counter()
    codes: set[CodeType] = {function.__code__, small.__code__}

    def trace(frame: FrameType, event: str, argument: object) -> object:
        if frame.f_code not in codes:
            return None
        if event == "line":
            seen[frame.f_lineno] += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(count)
    finally:
        sys.settrace(before)
    return seen


def visits(found: Profile) -> dict[int, int]:
    return {entry.line: entry.calls for entry in found.lines}


@pytest.mark.parametrize("function", CONCRETE)
@pytest.mark.parametrize("count", [0, 1, 2, 9])
def test_lines_are_visited_as_often_as_in_cpython(
    function: Callable[[int], int], count: int
) -> None:
    with profile() as found:
        outcome = execute(function, count)
    assert outcome.value == function(count)
    truth = executed(function, count)
    # Lines without any work are not measured, a definition is no line that runs, and a `try` is
    # visited again where its paths meet.
    known = {
        line: number
        for line, number in visits(found).items()
        if number and linecache.getline(__file__, line).strip() != "try:"
    }
    assert known == {line: truth[line] for line in known}
    if count == 9:
        assert len(known) >= 4


def straight(x: Value, y: Value) -> Value:
    first = x + 1
    second = first + y
    third = first * second
    plain = 1
    plain = plain + 1
    return third - second


def test_what_light_lines_do_otherwise_is_at_their_own_lines() -> None:
    with profile() as found:
        execute(straight, Int("light x"), Int("light y"))
    start = straight.__code__.co_firstlineno
    terms = {entry.line - start: entry.value("terms") for entry in found.lines}
    # The numbers 1 and -1, which terms are made of, are terms too.
    assert terms[1] >= 1
    assert terms[2] >= 1
    assert terms[3] >= 1
    assert terms[5] == 0
    assert terms[6] >= 1
    assert set(visits(found).values()) == {1}


def test_times_of_lines_that_share_a_probe_add_up() -> None:
    execute(branching, 10)
    with profile() as found:
        outcome = execute(branching, 20_000)
    own = sum(entry.value("time") for entry in found.lines) / 1e9
    assert own == pytest.approx(outcome.stats.cpu_seconds, rel=0.2, abs=0.004)
    assert all(entry.value("time") >= 0 for entry in found.lines)


def test_what_is_light() -> None:
    def light(text: str) -> bool:
        return is_light_statement(ast.parse(text).body[0])

    number = "_sv_type(x) is _sv_int"
    assert light(f"x = x + 1 if {number} else _sv_add(x, 1)")
    assert light(f"if {number}: t = x > 1\nelse: t = _sv_gt(x, 1)")
    assert light(f"return x * 2 if {number} else _sv_mul(x, 2)")
    # Powers and shifts can be very large, and what has parts can do anything.
    assert not light(f"x = x ** 2 if {number} else _sv_pow(x, 2)")
    assert not light(f"x = x << 2 if {number} else _sv_shift(x, 2)")
    assert not light(f"x[0] = x + 1 if {number} else _sv_add(x, 1)")
    assert not light(f"x = f(x) if {number} else _sv_add(x, 1)")
    assert not light("x = x + 1 if _sv_type(x) is _sv_str else _sv_add(x, 1)")
    assert not light("x = x + 1 if x is None else _sv_add(x, 1)")


def test_random_programs_agree_with_cpython_while_a_profile_is_taken() -> None:
    taken: list[Profile] = []

    def check(program: programs.Program) -> None:
        with profile() as found:
            assert programs.refusal(program) is None
        taken.append(found)
        for entry in found.lines:
            assert entry.calls >= 0
            assert all(number >= 0 for number in entry.exclusive)

    for number in range(2):
        programs.explore(f"profiled:{number}", check)
    assert len(taken) >= 10
    assert sum(found.totals["forks"] for found in taken) > 0
