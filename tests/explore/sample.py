"""Functions to explore; in a module of its own, as pytest changes the assertions of tests."""

from __future__ import annotations


def divided(a: int, b: int) -> int:
    assert a != 3, "three"
    try:
        return a // b
    except ZeroDivisionError:
        if a < 0:
            raise ValueError("negative") from None
        return 0
    finally:
        a = 0
