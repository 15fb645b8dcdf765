"""What a `StringIO` or `BytesIO` holds where that is symbolic.

The object has the contents as a whole and what is still to be read, both of which merge as texts
and bytes do: reading takes from the second only, writing at the end adds to the first only, so that
no position has to be symbolic.  `Held` never changes; each step makes another.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from solvent.errors import NotLiftedError
from solvent.terms.booleans import ite
from solvent.vm.merge import merge
from solvent.vm.values import Guard, Value

# The state of a stream as `vm.hidden` takes it.
Data: TypeAlias = Any

CLOSED = "closed"


class Held(NamedTuple):
    """Symbolic contents of a stream."""

    # All of it.
    whole: Value
    # What comes after the position.
    after: Value
    # How far the position is behind the end.
    gap: Value = 0
    # Whether it is closed, and then holds nothing.
    closed: Guard = False


def held_in(data: Data) -> Held:
    """What a stream of Python's own holds.

    >>> held_in((b"abc", 1))
    Held(whole=b'abc', after=b'bc', gap=0, closed=False)
    """
    if data == CLOSED:
        return Held("", "", closed=True)
    if len(data) == 2:
        contents, place = data
    else:
        contents, newline, place, _ = data
        if newline != "\n":
            raise NotLiftedError(
                "a `StringIO` with symbolic contents and a `newline` of its own is not lifted; "
                "translate the ends of lines yourself"
            )
    return Held(contents, contents[place:], max(0, place - len(contents)))


def data_of(held: Held) -> Data:
    """The state of a stream whose contents are concrete, or None.

    >>> data_of(Held("abc", "c"))
    ('abc', '\\n', 2, None)
    """
    whole, after, gap, closed = held
    if closed is True:
        return CLOSED
    if type(whole) not in (str, bytes) or type(after) is not type(whole):
        return None
    if type(gap) is not int or closed is not False:
        return None
    place = len(whole) - len(after) + gap
    return (whole, place) if type(whole) is bytes else (whole, "\n", place, None)


def merged(c: Guard, a: Held, b: Held) -> Held:
    """What a stream holds that holds `a` where `c` is true and `b` elsewhere."""
    closed = ite(c, a.closed, b.closed)
    # What a closed stream holds cannot be seen.
    if a.closed is True:
        return b._replace(closed=closed)
    if b.closed is True:
        return a._replace(closed=closed)
    whole, after = merge(c, a.whole, b.whole), merge(c, a.after, b.after)
    return Held(whole, after, merge(c, a.gap, b.gap), closed)
