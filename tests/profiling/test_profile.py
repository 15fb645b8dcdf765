"""What a profile counts: nothing twice, nothing lost, and nothing is different without one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator

import pytest

from solvent import Int, Solver, assume
from solvent.errors import SolventError
from solvent.languages.ifcl.machines import MACHINES
from solvent.languages.ifcl.noninterference import symbolic_programs, tell_apart
from solvent.lift import execute
from solvent.lift.function import lift_function
from solvent.profiling import compare, profile
from solvent.profiling.measures import value
from solvent.profiling.profile import Profile
from solvent.queries import verify
from solvent.vm.machine import Outcome
from solvent.vm.values import Value

COUNTERS = ("forks", "joins", "unions", "union_sizes", "terms", "writes")


class Account:
    def __init__(self) -> None:
        self.entries: list[Value] = []
        self.last: Value = None

    def book(self, amount: Value) -> None:
        if amount > 0:
            self.entries.append(amount)
            self.last = "paid in" if amount > 100 else amount
        else:
            self.last = None


def booking(amounts: list[Value]) -> Value:
    account = Account()
    for amount in amounts:
        account.book(amount)
    return [entry for entry in account.entries if entry != 7], account.last


def below(n: Value, limit: int) -> Value:
    if n <= 0 or limit == 0:
        return 0
    return below(n - 1, limit - 1) + 1


def pairs(n: int) -> Iterator[Value]:
    for place in range(n):
        given = Int(f"given{place}")
        if given > place:
            yield given
        else:
            yield place


def generated(n: int) -> Value:
    return sum(pairs(n)) + sum(x * x for x in pairs(n))


def failing(x: Value, y: Value) -> Value:
    try:
        if x > y:
            raise ValueError
        result = 10 // x
    except ZeroDivisionError:
        result = 0
    finally:
        y = y + 1
    return result + y


def counted_down(n: Value) -> Value:
    assume(0 <= n)
    assume(n < 70)
    steps = 0
    while n * n > 0:
        n -= 1
        steps += 1
    return steps


def of_ifcl() -> Outcome:
    machine = MACHINES["B1"]
    return execute(tell_apart, machine, *symbolic_programs(machine, 3), 3)


RUNS: dict[str, Callable[[], Outcome]] = {
    "booking": lambda: execute(booking, [Int(f"a{n}") for n in range(4)]),
    "recursion": lambda: execute(below, Int("n"), 6),
    "generators": lambda: execute(generated, 3),
    "exceptions": lambda: execute(failing, Int("x"), Int("y")),
    "questions": lambda: execute(counted_down, Int("n")),
    "ifcl": of_ifcl,
}


def exclusive_sums(found: Profile) -> dict[str, int]:
    sums = {
        name: sum(entry.value(name) for entry in found.functions)
        for name in (*COUNTERS, "questions", "infeasible")
    }
    # What a run does outside of the functions of the program.
    for context in found.contexts:
        if not context.place.filename:
            for name in sums:
                sums[name] += value(context.exclusive, name)
    return sums


@pytest.mark.parametrize("name", RUNS)
def test_sums_of_exclusive_measures_are_the_totals_of_stats(name: str) -> None:
    run = RUNS[name]
    run()
    with profile() as found:
        outcome = run()
    stats = outcome.stats
    sums = exclusive_sums(found)
    assert {key: sums[key] for key in COUNTERS if key != "terms"} == {
        key: getattr(stats, key) for key in COUNTERS if key != "terms"
    }
    assert sums["questions"] == stats.solver_calls
    assert sums["infeasible"] == stats.infeasible
    outside = sum(value(c.exclusive, "terms") for c in found.contexts if c.parent < 0)
    assert sums["terms"] - outside == stats.terms
    # Lines, and loops with what is in none, divide up the same.
    for key in COUNTERS:
        of_lines = sum(entry.value(key) for entry in found.lines)
        assert of_lines == sum(entry.value(key) for entry in found.functions)
        assert found.totals[key] == sums[key]


@pytest.mark.parametrize("name", RUNS)
def test_times_add_up_to_the_time_of_the_processor(name: str) -> None:
    run = RUNS[name]
    run()
    with profile() as found:
        outcome = run()
    in_run = sum(value(c.exclusive, "time") for c in found.contexts if c.parent >= 0) / 1e9
    assert in_run == pytest.approx(outcome.stats.cpu_seconds, rel=0.2, abs=0.004)


@pytest.mark.parametrize("name", RUNS)
def test_a_profile_changes_nothing(name: str) -> None:
    before = RUNS[name]()
    with profile():
        during = RUNS[name]()
    after = RUNS[name]()
    for outcome in (during, after):
        assert repr(outcome.value) == repr(before.value)
        for counter in COUNTERS:
            if counter != "terms":
                assert getattr(outcome.stats, counter) == getattr(before.stats, counter)


def test_the_code_of_functions_is_put_back() -> None:
    lifted = lift_function(below)
    plain = lifted.__code__
    with profile():
        assert lifted.__code__ is not plain
    assert lifted.__code__ is plain


def test_the_code_is_put_back_after_an_exception() -> None:
    lifted = lift_function(below)
    plain = lifted.__code__
    taken: list[Profile] = []

    def fail() -> None:
        with profile() as found:
            taken.append(found)
            execute(below, Int("n"), 3)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert lifted.__code__ is plain
    assert taken[0].totals["forks"] > 0


def test_inclusive_measures_hold_what_was_called() -> None:
    with profile() as found:
        execute(booking, [Int(f"a{n}") for n in range(3)])
    functions = {entry.name: entry for entry in found.functions}
    outer, inner = functions["booking"], functions["Account.book"]
    assert inner.calls == 3
    assert outer.value("forks", inclusive=True) == found.totals["forks"]
    assert outer.value("forks") + inner.value("forks") == found.totals["forks"]
    (site,) = [entry for entry in found.calls if entry.name == "Account.book"]
    assert site.caller == "booking"
    assert site.value("forks", inclusive=True) == inner.value("forks")
    loop = next(entry for entry in found.loops if entry.line == site.line - 1)
    assert loop.value("forks", inclusive=True) >= inner.value("forks")


def doubled(x: Value) -> Value:
    return x + x


def squared(x: Value) -> Value:
    return x * x


def both(x: Value, y: Value) -> Value:
    return (doubled(x) + squared(y)) * 3 - y


def test_a_function_that_has_returned_is_not_charged() -> None:
    with profile() as found:
        execute(both, Int("once"), Int("twice"))
    assert {(site.caller, site.name) for site in found.calls} == {
        ("both", "doubled"),
        ("both", "squared"),
    }
    terms = {entry.name: entry.value("terms") for entry in found.functions}
    assert terms["doubled"] == terms["squared"] == 1
    assert terms["both"] >= 3


def test_what_comes_after_a_run_is_outside_of_it() -> None:
    with profile() as found:
        outcome = execute(doubled, Int("in a run"))
        after = Int("after it") * Int("and outside") + 1
    assert after is not None
    by_place = {context.place.name: context for context in found.contexts}
    assert value(by_place["(outside of runs)"].exclusive, "terms") == 5
    assert by_place["doubled"].parent == found.contexts.index(by_place["(symbolic run)"])
    assert outcome.stats.terms == 1


def test_what_reaches_no_solver_is_unused() -> None:
    # No other test has terms of these names, which would not be made again.
    def used_and_not(one_input: int, other_input: int) -> None:
        vain = one_input * other_input + 3
        assert one_input + other_input != 77 or vain is None or one_input < 0

    with profile() as found:
        verify(used_and_not, timeout=10)
    lines = {entry.line: entry for entry in found.lines}
    first = min(lines)
    assert lines[first].value("terms") >= 2
    assert lines[first].value("unused") >= 1
    assert sum(entry.value("reached") for entry in found.lines) >= 3
    assert found.totals["questions"] >= 1


def test_a_question_that_is_stopped_is_counted() -> None:
    x, y, z = Int("x"), Int("y"), Int("z")

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    def ask() -> None:
        with Solver("z3") as solver:
            solver.add(x > 10**6, y > x, z > y, x**3 + y**3 == z**3)
            before = signal.signal(signal.SIGALRM, interrupt)
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            try:
                solver.check()
            finally:
                signal.signal(signal.SIGALRM, before)

    with profile() as found, pytest.raises(KeyboardInterrupt):
        ask()
    assert found.totals["questions"] == 1
    assert found.totals["solver_time"] > 0
    assert found.totals["reached"] > 0


def test_one_profile_at_a_time() -> None:
    with profile(), pytest.raises(SolventError, match="one at a time"), profile():
        pass


def test_other_threads_are_not_measured() -> None:
    outcomes: list[Outcome] = []
    with profile() as found:
        thread = threading.Thread(
            target=lambda: outcomes.append(execute(below, Int("elsewhere"), 5))
        )
        thread.start()
        thread.join()
    assert outcomes[0].stats.forks > 0
    assert found.totals["forks"] == 0
    assert found.is_empty


def test_two_profiles_compared() -> None:
    with profile() as small:
        execute(below, Int("n"), 3)
    with profile() as large:
        execute(below, Int("n"), 9)
    told = compare(small, large)
    assert told.after["forks"] > told.before["forks"]
    assert told.changes[0].name == "below"
    assert told.changes[0].difference("forks") == told.after["forks"] - told.before["forks"]
    assert "below" in str(told)
    # What was written to a file says the same.
    assert str(compare(small.as_dict(), large.as_dict())) == str(told)


def test_a_profile_of_nothing() -> None:
    with profile() as found:
        pass
    assert found.is_empty
    assert found.totals["terms"] == 0
