"""What the system calls of the emulator talk to: standard input and output, and files.

Without files, as in models, `open` fails.
"""

from __future__ import annotations

import os
from typing import BinaryIO

from solvent.machine.memory import Memory
from solvent.machine.syscalls import FAILED

# The longest name of a file that `open` takes.
LONGEST_NAME = 4096
_WRITABLE = os.O_WRONLY | os.O_RDWR


class System:
    """Descriptors 0, 1 and 2, and those of opened files if there may be any."""

    def __init__(
        self, source: BinaryIO, output: BinaryIO | None = None, files: bool = False
    ) -> None:
        self.source = source
        self.output = output
        self.written = bytearray()
        self.files = files
        self.opened: dict[int, BinaryIO] = {}
        # How many bytes of the standard input were read.
        self.consumed = 0

    def is_readable(self, descriptor: int) -> bool:
        """Whether one can read from a descriptor."""
        return descriptor == 0 or descriptor in self.opened

    def read(self, descriptor: int, count: int) -> tuple[int, int]:
        """Up to eight bytes as a word, and how many there are; none from what cannot be read."""
        try:
            found = (self.opened[descriptor] if descriptor else self.source).read(count)
        except OSError:
            found = b""
        if descriptor == 0:
            self.consumed += len(found)
        return int.from_bytes(found, "little"), len(found)

    def write(self, memory: Memory, descriptor: int, address: int, size: int) -> int:
        """How many bytes were written, or -1."""
        content = memory.read_bytes(address, size)
        if descriptor in (1, 2):
            if self.output is None:
                self.written += content
            else:
                self.output.write(content)
                self.output.flush()
            return size
        file = self.opened.get(descriptor)
        if file is None:
            return FAILED
        try:
            return file.write(content)
        except OSError:
            return FAILED

    def open(self, memory: Memory, name: int, flags: int, mode: int) -> int:
        """A new descriptor, or -1."""
        path = memory.text_at(name, LONGEST_NAME) if self.files else None
        if path is None:
            return FAILED
        try:
            number = os.open(path, flags & 0xFFFFFFFF, mode & 0o777)
        except (OSError, ValueError):
            return FAILED
        descriptor = 3 + len(self.opened)
        self.opened[descriptor] = os.fdopen(number, "wb" if flags & _WRITABLE else "rb")
        return descriptor

    def close(self) -> None:
        """Close all files."""
        for file in self.opened.values():
            file.close()
