"""Logging under symbolic conditions: the program goes on, and its own handlers see everything."""

from __future__ import annotations

import io
import logging
from typing import Any

import pytest

from solvent import assume, verify
from solvent.solvers import Status
from tests.lift.differential import agree

SMALL = [0, 1, 2]
LOG = logging.getLogger("solvent.tests.logging")


def test_messages_with_symbolic_values() -> None:
    def f(n: int, m: int) -> Any:
        LOG.warning("n is %d", n)
        LOG.debug("%s", {"m": m})
        logging.getLogger("solvent.tests.logging.other").error(f"{n}")
        if n > 1:
            LOG.error("large")
            logging.warning("m %s", m)
        return n + m, LOG.isEnabledFor(10 * (n + 2))

    agree(f, SMALL, SMALL)


def test_levels_that_differ_between_paths() -> None:
    def f(n: int) -> Any:
        logger = logging.Logger("own", logging.ERROR)
        if n > 0:
            logger.setLevel(logging.INFO)
        return [logger.isEnabledFor(level) for level in (logging.DEBUG, 20, 30, 40)]

    agree(f, SMALL)


def test_functions_that_log_are_verified() -> None:
    def f(n: int) -> None:
        assume(0 <= n <= 9)
        LOG.error("n is %s", n)
        if n > 5:
            LOG.exception("large")
        assert n != 7

    found = verify(f)
    assert found.status is Status.SAT
    assert found.inputs == {"n": 7}


@pytest.mark.parametrize("own", [False, True])
def test_what_the_program_can_read_is_not_left_out(own: bool) -> None:
    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            seen.append(record.getMessage())

    seen: list[str] = []

    def f(n: int) -> None:
        assume(0 <= n <= 9)
        logger = logging.Logger("own")
        stream = io.StringIO()
        logger.addHandler(Kept() if own else logging.StreamHandler(stream))
        if n == 3:
            logger.warning("three")
        assert n != 3 or not (seen or stream.getvalue())

    # It fails, and nothing else may be claimed.
    assert verify(f).status is not Status.UNSAT
