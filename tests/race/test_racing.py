"""The race: failures are confirmed, proofs complete, and when time is up what is known is told."""

from __future__ import annotations

import hashlib
import itertools
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from solvent import Int, assume, lists, verify, verify_all
from solvent.errors import InputSpaceError, QueryError, UnknownSolverError
from solvent.queries import verify as verify_once
from solvent.queries.coverage import Level
from solvent.queries.options import Options
from solvent.queries.replay import relative
from solvent.queries.verifying import NOTHING_CHECKED
from solvent.race.lanes import Lane
from solvent.race.levels import Subject
from solvent.race.merged import run_merged
from solvent.race.messages import Cleared, Ended, Finished, Found
from solvent.race.probing import Probes
from solvent.race.progress import Progress
from solvent.race.racing import Race
from solvent.verdicts import Verdict
from solvent.vm.values import Value
from tests.patience import patient
from tests.race.test_lanes import heard

# Enough for any function here that is to be decided, on a busy machine too.
PLENTY = 120


def average(xs: list[int]) -> float:
    return sum(xs) / len(xs)


def magnitude(x: int) -> int:
    y = x if x > 0 else -x
    assert y >= 0
    return y


def sorted_stays(xs: list[int]) -> None:
    ys = sorted(xs)
    assert all(a <= b for a, b in itertools.pairwise(ys))


def halves(n: int) -> int:
    count = 0
    while n > 0:
        n //= 2
        count += 1
    assert n <= 0
    return count


def without_end(n: int) -> None:
    while True:
        n += 1


def test_a_run_that_does_not_end_tells_where_it_is() -> None:
    found = verify(without_end, budget=patient(2), probes=False)
    line = without_end.__code__.co_firstlineno
    place = f"was not finished, at {relative(__file__)}"
    assert any(f"{place}:{line + more}; try " in found.reason for more in (1, 2))


def deep(x: int, y: int) -> None:
    if x * 3 + y == 1_000_003 and y == 40:
        raise KeyError(x)


def hashed(data: bytes) -> None:
    digest = hashlib.sha256(data).hexdigest()
    assert not (len(data) == 1 and digest[0] in "0123456789")


def both_fail(xs: list[int], k: int) -> int:
    return xs[0] // k


def merged(function: Callable[..., Value], *args: Value, **options: Value) -> list[object]:
    """What the lane of merged execution says."""
    subject = Subject(function, args, {}, Options(**options))
    with Lane("merged", lambda report: run_merged(subject, report)) as lane:
        return heard(lane)


def of_kind(messages: list[object], kind: type) -> list[Value]:
    return [message for message in messages if isinstance(message, kind)]


# --- failures -------------------------------------------------------------------------------------


def test_a_failure_is_confirmed_and_small() -> None:
    found = verify(average, budget=PLENTY)
    assert found.verdict is Verdict.VIOLATED
    assert found.confirmed
    assert found.call == "average(xs=[])"
    assert isinstance(found.failure.exception, ZeroDivisionError)  # type: ignore[union-attr]


@pytest.mark.parametrize("probes", [True, False])
def test_a_failure_that_no_probe_hits_is_found_by_merging(probes: bool) -> None:
    found = verify(deep, budget=PLENTY, probes=probes)
    assert found.confirmed
    assert found.inputs == {"x": 333_321, "y": 40}
    assert found.coverage is not None
    assert bool(found.coverage.probes) is probes


def test_a_failure_behind_code_that_is_not_lifted_is_found() -> None:
    found = verify(hashed, budget=PLENTY, probes=False)
    assert found.verdict is Verdict.VIOLATED
    assert found.confirmed
    (data,) = found.inputs.values()
    assert len(data) == 1
    assert hashlib.sha256(data).hexdigest()[0] in "0123456789"


def test_all_failures_are_found_if_that_is_asked_for() -> None:
    found = verify_all(both_fail, budget=PLENTY)
    names = {type(one.failure.exception).__name__ for one in found}  # type: ignore[union-attr]
    assert names == {"IndexError", "ZeroDivisionError"}
    assert all(one.confirmed for one in found)


def test_minimised_inputs_do_not_need_probes() -> None:
    def grows(items: list[int], item: int) -> None:
        rest = [x for x in items if x <= item]
        assert len(rest) == len(items)

    found = verify(grows, budget=PLENTY, probes=False)
    assert found.confirmed
    assert found.call == "grows(items=[0], item=-1)"


def test_exceptions_that_are_meant_are_no_failures_in_any_lane() -> None:
    def refusing(data: bytes, n: int) -> int:
        """A number.

        Raises:
            ValueError: if it is negative.
        """
        if n < 0 or hashlib.md5(data).hexdigest()[0] == "0":
            raise ValueError(n)
        return 1 // (n + 1)

    found = verify(refusing, budget=3)
    assert found.verdict is not Verdict.VIOLATED
    found = verify(refusing, budget=PLENTY, raises=(KeyError,), assertions_only=False)
    assert "ValueError" in found.meant


# --- proofs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [magnitude, sorted_stays])
def test_a_proof_is_complete(function: Callable[..., Value]) -> None:
    found = verify(function, budget=PLENTY)
    assert found.holds
    assert found.coverage is not None
    assert found.coverage.proved == "by merged execution"
    assert not found.coverage.open
    assert verify_once(function).holds


def test_levels_are_facts_in_order() -> None:
    messages = merged(sorted_stays, max_len=2)
    lengths = [message.level.length for message in of_kind(messages, Finished)]
    assert lengths == [0, 1, 2]
    assert messages[-1] == Ended(complete=True)


def test_a_smaller_level_proves_nothing() -> None:
    def two_items(xs: list[int]) -> None:
        assert len(xs) < 2

    messages = merged(two_items, max_len=2)
    assert [message.level for message in of_kind(messages, Finished)] == [Level(0), Level(1)]
    (found,) = of_kind(messages, Found)
    assert found.length == 2
    assert not of_kind(messages, Ended)[0].complete


def test_a_bound_that_is_reached_is_no_proof() -> None:
    found = verify(halves, budget=PLENTY, bound=3, probes=False)
    assert found.verdict is Verdict.UNKNOWN
    assert "bound of 3 is too small" in found.reason
    assert found.coverage is not None
    assert Level(bound=3) in found.coverage.levels


def test_longer_runs_are_left_out_only_at_the_bound_that_was_asked_for() -> None:
    def long_runs(n: int) -> None:
        rounds = 0
        while n > 0:
            n -= 1
            rounds += 1
        assert rounds < 6

    assert verify(long_runs, budget=PLENTY, bound=5, unwinding="assume", probes=False).holds
    found = verify(long_runs, budget=PLENTY, bound=20, unwinding="assume", probes=False)
    assert found.verdict is Verdict.VIOLATED


def test_a_proof_about_no_inputs_is_none() -> None:
    def impossible(n: int) -> None:
        assume(n > 3)
        assume(n < 2)
        assert n == 0

    def long_ones(xs: list[int]) -> None:
        assume(len(xs) > 2)
        assert len(xs) == 3

    found = verify(impossible, budget=PLENTY)
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason == NOTHING_CHECKED
    assert verify(long_ones, budget=PLENTY).holds


def test_random_numbers_are_never_proved() -> None:
    def lucky(x: int) -> None:
        assert random.random() < 2

    assert verify(lucky, budget=PLENTY).verdict is Verdict.UNKNOWN


def test_chance_is_no_fact() -> None:
    def lucky(x: int) -> None:
        assert random.random() < 2
        assert x * x >= 0

    found = verify(lucky, budget=PLENTY)
    assert found.coverage is not None
    assert found.coverage.levels == ()
    assert found.coverage.decided == ()


def test_a_level_with_paths_that_are_refused_is_no_fact() -> None:
    def partly(xs: list[int]) -> None:
        if len(xs) == 2:
            assert xs[0] & xs[1] != -(10**30)
        if len(xs) == 1:
            assert xs[0] * xs[0] >= 0

    messages = merged(partly, max_len=2)
    assert [message.level for message in of_kind(messages, Finished)] == [Level(0), Level(1)]
    assert {message.level.length for message in of_kind(messages, Cleared)} <= {0, 1}
    assert of_kind(messages, Ended)[-1].refused


def crashes(n: int) -> None:
    """Ends its process in CPython."""
    if n == 5:
        os.abort()


def test_inputs_that_end_the_process_are_told_and_no_proof() -> None:
    race = Race(Subject(crashes, (), {}, Options()), PLENTY)
    race.probes = Probes(crashes, race.inputs)
    race.probes.wait(PLENTY)
    race.merging.ended = Ended(complete=True)
    (answer,) = race.answers()
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.reason == "with (5) it was ended by SIGABRT"
    assert "with (5) it was ended by SIGABRT" in next(iter(race.coverage().lines()))


CALLS: list[int] = []


def test_failures_after_other_calls_are_told() -> None:
    def counted(x: int) -> None:
        CALLS.append(x)
        assert len(CALLS) < 3

    race = Race(Subject(counted, (), {}, Options()), PLENTY)
    race.probes = Probes(counted, race.inputs)
    race.probes.wait(PLENTY)
    (seen,) = race.coverage().seen
    assert "AssertionError" in seen
    assert seen.endswith("only after other calls in the same process")


def test_nothing_of_a_coroutine_was_tried() -> None:
    async def later(x: int) -> float:
        return 1 / x

    found = verify(later, budget=PLENTY)
    assert found.verdict is Verdict.UNKNOWN
    assert found.coverage is not None
    assert found.coverage.probes == 0


def test_a_bound_that_is_assumed_is_told_with_the_proof() -> None:
    found = verify(halves, budget=PLENTY, bound=3, unwinding="assume", probes=False)
    assert found.holds
    assert found.coverage is not None
    assert found.coverage.proved == "by merged execution, loops of up to 3 rounds"


def test_places_are_told_with_who_decided_them() -> None:
    messages = merged(magnitude)
    (cleared,) = of_kind(messages, Cleared)
    assert cleared.exception == "AssertionError"
    assert cleared.by


# --- when time is up ------------------------------------------------------------------------------


def test_time_that_is_up_leaves_what_was_covered() -> None:
    found = verify(halves, budget=1.5)
    assert found.verdict is Verdict.UNKNOWN
    assert found.coverage is not None
    assert "the budget of 1.5 s is spent" in found.reason
    assert "--budget 3" in found.reason
    lines = list(found.coverage.lines())
    assert len(lines) == 2
    assert lines[0].startswith("covered: ")
    assert lines[1].startswith("open: ")


def test_values_that_were_chosen_are_told_when_time_is_up() -> None:
    def unlikely(data: bytes) -> None:
        assert not hashlib.sha256(data).hexdigest().startswith("00000")

    found = verify(unlikely, budget=patient(2), probes=False)
    assert found.verdict is Verdict.UNKNOWN
    assert found.coverage is not None
    assert "sha256" in "".join(found.coverage.concretized)


def test_progress_is_told() -> None:
    seen: list[str] = []
    subject = Subject(halves, (), {}, Options(probes=False))
    Race(subject, patient(1.5), watch=lambda progress: seen.append(str(progress))).run()
    assert any("rounds" in line for line in seen)


def test_an_interrupt_leaves_what_is_known_and_no_process() -> None:
    def interrupt(progress: Progress) -> None:
        if progress.level is not None:
            raise KeyboardInterrupt

    race = Race(Subject(halves, (), {}, Options(probes=False)), PLENTY, watch=interrupt)
    with pytest.raises(KeyboardInterrupt):
        race.run()
    (answer,) = race.answers("stopped by Ctrl-C")
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.reason.startswith("stopped by Ctrl-C")


def test_what_reaches_files_is_not_run(tmp_path: Path) -> None:
    target = tmp_path / "written"

    def writes(text: str) -> None:
        with open(target, "w") as file:
            file.write(text)

    def removes(text: str) -> None:
        os.mkdir(str(target) + text)

    for function in (writes, removes):
        found = verify(function, budget=PLENTY)
        assert found.verdict is Verdict.UNKNOWN
        assert "it reaches files" in found.reason
        assert not list(tmp_path.iterdir())


def test_what_the_program_writes_is_no_part_of_the_answer(
    capfd: pytest.CaptureFixture[str],
) -> None:
    def noisy(n: int) -> None:
        print("printed")
        os.write(1, b"written")
        assert n != 5

    assert verify(noisy, budget=PLENTY).confirmed
    assert capfd.readouterr() == ("", "")


# --- mistakes -------------------------------------------------------------------------------------


def test_mistakes_are_errors_as_without_a_budget() -> None:
    with pytest.raises(InputSpaceError, match="no annotation"):
        verify(lambda x: x, budget=1)
    with pytest.raises(UnknownSolverError):
        verify(magnitude, budget=1, solver="z9")
    with pytest.raises(QueryError, match="budget"):
        verify(magnitude, budget=0)


def test_spaces_and_symbolic_values_can_be_given() -> None:
    def first(xs: list[int]) -> None:
        assert xs[0] < 10

    assert verify(first, lists(Int, min_len=1, max_len=2), budget=PLENTY).call == "first(xs=[10])"
    assert verify(first, [Int("x")], budget=PLENTY).inputs["xs"] == [10]


class NeverMade:
    def __init__(self, n: int) -> None:
        while True:
            n += 1


def of_what_is_never_made(box: NeverMade) -> None:
    assert isinstance(box, NeverMade)


def test_a_constructor_that_never_ends_is_ended_with_the_budget() -> None:
    found = verify(of_what_is_never_made, budget=0.5)
    assert found.verdict is Verdict.UNKNOWN
    assert "the constructors that make the inputs did not end" in found.reason
    assert found.coverage is not None
    assert found.coverage.no_probes == "there are no inputs"


def test_a_proof_about_no_inputs_is_none_without_a_budget_too() -> None:
    def contradictory(x: int) -> None:
        assume(x > 3)
        assume(x < 2)
        assert x == 7

    for found in (verify(contradictory), *verify_all(contradictory)):
        assert (found.verdict, found.reason) == (Verdict.UNKNOWN, NOTHING_CHECKED)
