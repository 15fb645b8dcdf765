"""A function in a module, as it must be to be sent elsewhere."""

from __future__ import annotations


def never_negative(x: int) -> None:
    """Fails for negative numbers."""
    assert x >= 0
