"""Which lengths a program asks for that its texts do not have.

A pattern or a constant that is longer than a text cannot be found in it, so that what a program
does then is not seen by a run on shorter texts.  The run remembers such lengths, and whoever has
time left can try longer ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_ASKED: ContextVar[set[int] | None] = ContextVar("solvent_longer", default=None)


@contextmanager
def noting_lengths(asked: set[int]) -> Iterator[None]:
    """Lengths that texts would have to have are added to a set."""
    token = _ASKED.set(asked)
    try:
        yield
    finally:
        _ASKED.reset(token)


def note_length(there: int, needed: int, more: int = 0) -> None:
    """Something is looked for that takes so many characters, in a text that has others.

    Of what may stand between others, a text with some `more` shows most.

    >>> asked = set()
    >>> with noting_lengths(asked):
    ...     note_length(3, 5)
    ...     note_length(3, 2)
    >>> asked
    {5}
    """
    if needed > there:
        asked = _ASKED.get()
        if asked is not None:
            asked.add(needed + more)
