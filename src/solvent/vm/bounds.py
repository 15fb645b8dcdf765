"""Bounds of the user's own on loops and recursion."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from solvent.vm.machine import current


@contextmanager
def bounded(bound: int, unwinding: str = "assert") -> Iterator[None]:
    """Limit symbolic loops to so many iterations and recursion to so many levels.

    A path that would go on fails with `UnwindingError` (`unwinding="assert"`, so that a proof is a
    proof), or is not looked at (`unwinding="assume"`).

    >>> from solvent import Int, evaluate
    >>> from solvent.lift import bounded, execute
    >>> def count(n):
    ...     i = 0
    ...     while i < n:
    ...         i += 1
    ...     return i
    >>> def run():
    ...     with bounded(2, "assume"):
    ...         return count(Int("n"))
    >>> evaluate(execute(run).assumes, {"n": 3}), evaluate(execute(run).value, {"n": 2})
    (False, 2)
    """
    if unwinding not in ("assert", "assume"):
        raise ValueError(f"unwinding is 'assert' or 'assume', not {unwinding!r}")
    limits = current().limits
    before = limits.bound, limits.unwinding
    limits.bound, limits.unwinding = bound, unwinding
    try:
        yield
    finally:
        limits.bound, limits.unwinding = before
