"""Bytearrays whose contents are symbolic.

A bytearray is a reference, and all of its aliases must see what is written to it, but it can hold
nothing but concrete bytes.  One with other contents has a *shadow*: the list of its items, which
are ints, terms and, where the length differs between paths, `Maybe`s.  The object itself holds a
text that says so for as long, so that nobody takes old bytes for its contents; as soon as they are
concrete again the object holds them and the shadow is gone.

Shadows are found by identity.  Bytearrays cannot be referred to weakly, so the table keeps them
alive, and those that nothing else refers to are dropped when it has grown.
"""

from __future__ import annotations

from itertools import count
from sys import getrefcount

from solvent.errors import NotLiftedError
from solvent.vm.values import Value


class _Shadow:
    """The items of a bytearray, and what the object itself holds meanwhile."""

    __slots__ = ("items", "owner", "text")

    def __init__(self, owner: bytearray, items: list[Value]) -> None:
        self.owner = owner
        self.items = items
        self.text = _MARK + b" %d, see solvent.evaluate>" % next(_NUMBERS)


_MARK = b"<symbolic bytes"
_NUMBERS = count(1)
_SHADOWS: dict[int, _Shadow] = {}
_INTS = {int}

# After how many shadows those that nobody can see any more are looked for.
_FEW = 64
_limit = _FEW


def shadow(value: object) -> list[Value] | None:
    """The items of a bytearray with symbolic contents, not to be changed; None for all others.

    >>> shadow(bytearray(b"a")) is None
    True
    """
    if not _SHADOWS:
        return None
    found = _SHADOWS.get(id(value))
    if found is None:
        return None
    if bytearray.__eq__(found.owner, found.text):
        return found.items
    if _MARK in bytes(found.owner):
        raise NotLiftedError(
            "a bytearray with symbolic contents was changed by code that is not lifted; give it "
            "new contents as a whole, or change it in a lifted function"
        )
    # Code that is not lifted gave it new contents, as between two runs.
    del _SHADOWS[id(value)]
    return None


def held(owner: bytearray) -> bytearray | list[Value]:
    """What a bytearray holds, not to be changed: itself, or the list of its symbolic items."""
    found = shadow(owner)
    return owner if found is None else found


def contents(owner: bytearray) -> list[Value]:
    """A list of the items of a bytearray.

    >>> contents(bytearray(b"ab"))
    [97, 98]
    """
    return list(held(owner))


def store(owner: bytearray, items: list[Value]) -> None:
    """Make these the items of a bytearray."""
    if set(map(type, items)) <= _INTS:
        _fill(owner, bytes(items))
        _SHADOWS.pop(id(owner), None)
    elif shadow(owner) is not None:
        _SHADOWS[id(owner)].items = list(items)
    else:
        _cover(owner, list(items))


def store_at(owner: bytearray, place: int, value: Value) -> None:
    """Replace one item of a bytearray."""
    items = shadow(owner)
    if items is None:
        if type(value) is int:
            bytearray.__setitem__(owner, place, value)
        else:
            new = contents(owner)
            new[place] = value
            _cover(owner, new)
        return
    old = items[place]
    items[place] = value
    if type(value) is int and type(old) is not int:
        store(owner, items)


def made(items: list[Value]) -> bytearray:
    """A new bytearray with these items.

    >>> made([97, 98])
    bytearray(b'ab')
    """
    result = bytearray()
    store(result, items)
    return result


def copies() -> dict[int, bytearray]:
    """A copy of every bytearray with symbolic contents, by the identity of the original."""
    return {identity: made(found.items) for identity, found in list(_SHADOWS.items())}


def references(value: object) -> int:
    """How many references to an object the table holds."""
    return 1 if id(value) in _SHADOWS else 0


def _cover(owner: bytearray, items: list[Value]) -> None:
    """Give a bytearray a shadow."""
    global _limit
    if len(_SHADOWS) >= _limit:
        _sweep()
        _limit = 2 * len(_SHADOWS) + _FEW
    found = _Shadow(owner, items)
    # Fails while there is a view of the bytes, even if the text is just as long as they are.
    _fill(owner, bytes(owner) + b"\0")
    _fill(owner, found.text)
    _SHADOWS[id(owner)] = found


def _sweep() -> None:
    """Drop the shadows of objects that nothing but the table refers to."""
    for identity, found in list(_SHADOWS.items()):
        # The shadow itself, and the argument.
        if getrefcount(found.owner) <= 2:
            del _SHADOWS[identity]


def _fill(owner: bytearray, text: bytes) -> None:
    try:
        bytearray.__setitem__(owner, slice(None), text)
    except BufferError:
        raise NotLiftedError(
            "changing a bytearray under a symbolic condition while there is a `memoryview` of it "
            "is not lifted; release the view, or use slices of the bytearray"
        ) from None
