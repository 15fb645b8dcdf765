"""Messages between this process and a solver's: a length and a marshalled value.

`marshal` reads only plain data, so a message can never execute anything.  Both ends are started
from one Python, hence agree on its format.
"""

from __future__ import annotations

import marshal
import os
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solvent.solvers.rows import Data

_LENGTH = struct.Struct("<Q")


def packed(message: Data) -> bytes:
    """The bytes of a message."""
    body = marshal.dumps(message)
    return _LENGTH.pack(len(body)) + body


def write_message(descriptor: int, message: Data) -> None:
    """Write one message, however long; blocks until the other end has taken it."""
    view = memoryview(packed(message))
    while view:
        view = view[os.write(descriptor, view) :]


class MessageWriter:
    """Keeps what the other end has not taken yet, so that writing never blocks."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self._waiting = bytearray()

    def add(self, message: Data) -> None:
        """Let a message follow what is waiting, and write what can be written."""
        self._waiting += packed(message)
        self.flush()

    @property
    def waiting(self) -> bool:
        """Whether something is still to be written."""
        return bool(self._waiting)

    def flush(self) -> None:
        """Write what the other end takes now; if there is none, drop it all."""
        sent = 0
        try:
            with memoryview(self._waiting) as view:
                while sent < len(view):
                    sent += os.write(self.descriptor, view[sent : sent + (1 << 20)])
        except BlockingIOError:
            pass
        except BrokenPipeError:
            # The end of the answers will tell.
            sent = len(self._waiting)
        del self._waiting[:sent]


class MessageReader:
    """Collects the bytes that arrive and cuts them into messages."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._buffer = bytearray()
        self.closed = False

    def receive(self) -> None:
        """Read what is there; blocks if nothing is."""
        data = os.read(self._descriptor, 1 << 20)
        if not data:
            self.closed = True
        self._buffer += data

    def next(self) -> Data:
        """The next complete message, or None."""
        if len(self._buffer) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._buffer)
        end = _LENGTH.size + length
        if len(self._buffer) < end:
            return None
        message = marshal.loads(memoryview(self._buffer)[_LENGTH.size : end])
        del self._buffer[:end]
        return message

    def wait(self) -> Data:
        """The next message, or None when the other end has closed."""
        while True:
            message = self.next()
            if message is not None or self.closed:
                return message
            self.receive()
