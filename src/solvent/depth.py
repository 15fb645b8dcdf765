"""Room for deep recursion: programs and values are nested, and so are what reads and runs them.

Frames of Python functions that call each other need no stack of the machine, so that many are safe.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

DEEPEST = 1_000_000

_lock = threading.Lock()
_inside = 0
_limit_before = 0


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow deep recursion for a while.

    >>> def depth(n): return n and 1 + depth(n - 1)
    >>> with deep_recursion():
    ...     depth(50_000)
    50000
    """
    global _inside, _limit_before
    with _lock:
        # The limit is one for all threads: the first raises it, and the last restores it.
        if not _inside:
            _limit_before = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_limit_before, DEEPEST))
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                sys.setrecursionlimit(_limit_before)
