"""Settings that all tests share."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# Terms are interned for the whole process and the machine may be busy, so timing says nothing.
settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    max_examples=200,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "explore", settings.get_profile("default"), derandomize=False, max_examples=2000
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# A job in the background of a shell ignores Ctrl-C, and tests of it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A test that never ends would take all others with it: its process ends, and tells where it was.
# What runs many cases on request sets this to 0, no limit.
SECONDS_OF_A_TEST = float(os.environ.get("SOLVENT_TEST_SECONDS", "300"))


def _give_up(number: int, frame: object) -> None:
    faulthandler.dump_traceback(sys.__stderr__)
    os._exit(70)


@pytest.fixture(autouse=True)
def _limited() -> Iterator[None]:
    """Each test has so many seconds of processor time."""
    before = signal.signal(signal.SIGVTALRM, _give_up)
    # A test that sets an alarm must not leave others without one.
    alarm = signal.getsignal(signal.SIGALRM)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_OF_A_TEST)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, alarm)
    signal.signal(signal.SIGVTALRM, before)


@pytest.fixture(autouse=True)
def _nothing_enforced() -> Iterator[None]:
    """No test leaves contracts enforced, which would keep the threads of others waiting."""
    yield
    enforcing = sys.modules.get("solvent.contracts.enforcing")
    if enforcing is not None:
        if enforcing._CURRENT:
            # A query that was not followed to its end is over when nobody holds it any more.
            gc.collect()
        assert not enforcing._CURRENT
        enforcing.release_left()
