"""Failing paths, found in a process of their own and told while the search goes on."""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Callable
from typing import Any

import pytest

from solvent import assume
from solvent.explore import PathFailure, PathProgress, PathSummary, failing_paths
from solvent.queries.inputs import bind
from solvent.queries.problem import Problem
from solvent.queries.replay import Replay
from solvent.race.lanes import Lane, wait_for


def searched(function: Callable[..., Any], **options: Any) -> tuple[list[PathFailure], PathSummary]:
    """What a search in this process tells."""
    told: list[Any] = []
    inputs = bind(function, (), {}, max_len=2)
    summary = failing_paths(function, inputs, told.append, **options)
    assert told[-1] is summary
    assert pickle.loads(pickle.dumps(told)) == told
    failures = [message for message in told if isinstance(message, PathFailure)]
    for found in failures:
        seen = Problem(function, inputs, None).replay(found.model)  # type: ignore[arg-type]
        assert type(seen.exception).__name__ == found.exception
        assert (seen.position, str(seen.exception)) == (found.position, found.message)
    return failures, summary


def sixth(n: int) -> int:
    count = 0
    while n > 1:
        n //= 2
        count += 1
        if count == 6:
            raise OverflowError(count)
    return count


def few(n: int, total: int) -> int:
    assume(n < 6)
    for step in range(n):
        total += step
        if total == -7:
            raise ValueError("minus seven")
    return total


def endless(n: int) -> int:
    while n > 0:
        n += 1
    return n


def keyed(s: str, n: int) -> int:
    if hashlib.sha256(s.encode("utf-8", "replace")).digest()[0] % 2:
        return 7 // (n - 12)
    return {}[n]  # type: ignore[no-any-return]


def test_bounds_double_until_a_failure_is_found() -> None:
    found, summary = searched(sixth, seconds=20)
    assert [(one.exception, one.message) for one in found] == [("OverflowError", "6")]
    assert (summary.bound, summary.complete, summary.open) == (8, True, ())
    found, summary = searched(sixth, bound=4)
    assert not found
    assert (summary.bound, summary.complete) == (4, False)
    assert "the bound of 4 is too small" in summary.open[0]


def test_what_was_followed_to_its_end_is_a_proof() -> None:
    found, summary = searched(few)
    assert [one.exception for one in found] == ["ValueError"]
    assert summary.complete
    assert not summary.concretized


def test_values_that_were_chosen_are_none() -> None:
    found, summary = searched(keyed, seconds=20, bound=1)
    assert {one.exception for one in found} == {"ZeroDivisionError", "KeyError"}
    notes = [note for one in found for note in one.concretized]
    assert any("_hashlib.openssl_sha256(...) with b'" in note for note in notes)
    assert not summary.complete
    assert "openssl_sha256" in summary.concretized[0]
    found, summary = searched(keyed, concretize=False)
    # The hash of the empty text is known.
    assert len(found) == 1
    assert (summary.complete, summary.concretized) == (False, ())
    assert "not lifted" in summary.open[0]


def test_rounds_try_more_values_and_end_when_there_are_no_others() -> None:
    def few_values(n: int) -> str:
        return hashlib.md5(str(n % 7).encode()).hexdigest()

    _, summary = searched(few_values, seconds=20)
    assert (summary.paths, summary.complete) == (7, False)
    assert summary.concretized[-1].endswith("; b'1'; b'2' and 4 more")


def test_what_no_value_helps_is_left_to_cpython() -> None:
    def awaited(n: int) -> int:
        async def inner() -> int:
            return 6 // n

        if n > 50:
            return 0
        try:
            inner().send(None)
        except StopIteration as found:
            return int(found.value)
        return 1

    found, summary = searched(awaited, seconds=20)
    assert [one.exception for one in found] == ["ZeroDivisionError"]
    assert not summary.complete
    assert any("`async`" in reason for reason in summary.open)


def test_a_value_that_changes_from_run_to_run_proves_nothing() -> None:
    def late(n: int) -> bool:
        return time.time() > 0 and n > 3

    _, summary = searched(late)
    assert not summary.complete
    assert summary.open


def test_what_is_meant_says_nothing_of_what_was_predicted(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(n: int) -> None:
        if n == 7:
            raise ValueError(n)

    def search() -> PathSummary:
        meant = lambda error: not isinstance(error, KeyError)  # noqa: E731
        return failing_paths(fails, bind(fails, (), {}), lambda told: None, is_failure=meant)

    assert search().complete
    other = Replay(False, exception=KeyError(7), position="here:1")
    monkeypatch.setattr(Problem, "replay", lambda *_: other)
    summary = search()
    assert not summary.complete
    assert "not confirmed" in summary.open[0]


def test_a_search_ends_when_its_time_is_over() -> None:
    started = time.monotonic()
    found, summary = searched(endless, seconds=0.5)
    assert time.monotonic() - started < 20
    assert not found
    assert not summary.complete


def test_a_lane_tells_what_it_finds() -> None:
    inputs = bind(few, (), {})
    told: list[Any] = []
    with Lane("paths", lambda report: failing_paths(few, inputs, report)) as lane:
        while not lane.ended:
            wait_for([lane], 1)
            told += lane.received()
    assert [type(message) for message in told if not isinstance(message, PathProgress)] == [
        PathFailure,
        PathSummary,
    ]
    (found,) = [message for message in told if isinstance(message, PathFailure)]
    seen = Problem(few, inputs, None).replay(found.model)  # type: ignore[arg-type]
    assert str(seen.exception) == "minus seven"
