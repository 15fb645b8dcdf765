"""Settings that all tests share."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
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


def pytest_collection_finish(session: pytest.Session) -> None:
    """All modules of tests are imported now: each check takes them for parts of the program."""
    if sum(name.startswith("tests.") for name in sys.modules) > 50:
        from solvent.contracts.enforcing import look_ahead

        look_ahead()


@pytest.fixture(autouse=True)
def _limited(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each test has so many seconds of processor time."""
    # In C, since a Python that hangs may handle no signals; then the process ends by the signal.
    before = signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    # What is written to the usual place would be lost with what pytest keeps of the test's output.
    file = request.config.stash.get(fault_handler_stderr_fd_key, sys.__stderr__)
    faulthandler.register(signal.SIGVTALRM, file, chain=True)
    # A test that sets an alarm must not leave others without one.
    alarm = signal.getsignal(signal.SIGALRM)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_OF_A_TEST)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, alarm)
    faulthandler.unregister(signal.SIGVTALRM)
    signal.signal(signal.SIGVTALRM, before)


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    """Each test asks its own questions, whatever others have been answered."""
    remembered = sys.modules.get("solvent.solvers.remembered")
    if remembered is not None:
        remembered.MEMORY.clear()


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
