"""Tests as people write them: each is proved or refuted, and Hypothesis finds nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from solvent import verify
from solvent.strategies.given import given_of
from solvent.verdicts import Verdict
from tests.patience import FOREVER
from tests.strategies import sample_given

# Those that fail, with an input of ours that shows it; all others hold.
FAIL = {
    "test_intervals_meet": "one=Interval(low=0, high=1), other=Interval(low=1, high=1)",
    "test_pair": "text=''",
    "test_next_month": "",
    "test_chunks": "items=[0], size=2",
    "test_sum_of_floats": "",
}
SAMPLE = {name: one for name, one in vars(sample_given).items() if name.startswith("test_")}


# These take more than a few seconds.
SLOW = ("test_mean", "test_shift", "test_slug")


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=[pytest.mark.slow] if one in SLOW else []) for one in SAMPLE],
)
def test_what_is_said_of_a_test_is_true(name: str) -> None:
    test: Callable[..., Any] = SAMPLE[name]
    found = given_of(test)
    result = verify(found.subject(), budget=FOREVER, **found.spaces)
    quiet = settings(
        database=None, max_examples=200, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    if name in FAIL:
        assert result.confirmed
        assert FAIL[name] in str(result.call)
        with pytest.raises((AssertionError, ValueError)):
            quiet(test)()
    else:
        assert result.verdict is Verdict.HOLDS
        quiet(test)()
