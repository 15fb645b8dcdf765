"""Room for the frames of a run.

CPython keeps the frames of Python functions in chunks of 16 KB.  A chunk is asked for when a call
does not fit into the last one, and is given back to the system when that call returns: a loop at
such a place asks the system for memory at each call, which doubled the time of some programs.
A frame that does not fit gets a chunk of its own size, rounded up, and those above it share what is
left.  So runs are called from a function with a large frame, of which nothing is ever used.  A run
inside of another has its room; what makes thousands of small runs takes room for all at once.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from types import FunctionType
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")

# Values for which the frame has room: a little more than half of a chunk of 2 MB.
VALUES = (1 << 17) + (1 << 10)


def _call(action: Callable[[], object]) -> None:
    action()


_call_with_large_frame: Callable[[Callable[[], object]], None] = FunctionType(
    _call.__code__.replace(co_stacksize=VALUES), globals(), "_call_with_large_frame"
)


class _Inside(threading.local):
    """Whether this thread has room: each has frames of its own."""

    room = False


_INSIDE = _Inside()


def with_room(action: Callable[[], object]) -> None:
    """Call an action, with room for the frames of all that it calls.

    >>> with_room(lambda: print("done"))
    done
    """
    if _INSIDE.room:
        action()
        return
    try:
        _INSIDE.room = True
        _call_with_large_frame(action)
    finally:
        _INSIDE.room = False


def roomy(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorate a function that makes many runs: they share one room.

    >>> @roomy
    ... def twice(x: int) -> int:
    ...     return 2 * x
    >>> twice(4)
    8
    """

    @functools.wraps(function)
    def with_shared_room(*args: _P.args, **named: _P.kwargs) -> _R:
        found: list[_R] = []
        with_room(lambda: found.append(function(*args, **named)))
        return found[0]

    return with_shared_room
