"""A module of its own, for `debug`."""

from __future__ import annotations

STEP = 2


def increment(x: int) -> int:
    """One more, or so it says."""
    return x + STEP
