"""Messages between this process and a solver's: a length and a marshalled value.

`marshal` reads only plain data, so a message can never execute anything.  Both ends are started
from one Python, hence agree on its format.
"""

from __future__ import annotations

import marshal
import os
import struct
from typing import Any

_LENGTH = struct.Struct("<Q")


def write_message(descriptor: int, message: Any) -> None:
    """Write one message, however long."""
    body = marshal.dumps(message)
    view = memoryview(_LENGTH.pack(len(body)) + body)
    while view:
        view = view[os.write(descriptor, view) :]


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

    def next(self) -> Any:
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

    def wait(self) -> Any:
        """The next message, or None when the other end has closed."""
        while True:
            message = self.next()
            if message is not None or self.closed:
                return message
            self.receive()
