"""Messages on a pipe: a length, then so many bytes."""

from __future__ import annotations

import os
import struct

_LENGTH = struct.Struct("!Q")


def write_frame(descriptor: int, data: bytes) -> None:
    """Write a message; blocks until the other end has taken it.

    >>> reader, writer = os.pipe()
    >>> write_frame(writer, b"hello")
    >>> read_frame(reader)
    b'hello'
    """
    pending = memoryview(_LENGTH.pack(len(data)) + data)
    while pending:
        pending = pending[os.write(descriptor, pending) :]


def read_frame(descriptor: int) -> bytes | None:
    """The next message, `None` if the other end is gone."""
    head = _read(descriptor, _LENGTH.size)
    if head is None:
        return None
    (length,) = _LENGTH.unpack(head)
    return _read(descriptor, length)


def _read(descriptor: int, count: int) -> bytes | None:
    pieces: list[bytes] = []
    while count:
        piece = os.read(descriptor, min(count, 1 << 20))
        if not piece:
            return None
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)
