"""What the system calls of the emulator talk to: standard input and output, and files.

Without files, as in models, `open` fails.
"""

from __future__ import annotations

import contextlib
import os
from typing import BinaryIO

from solvent.riscu.faults import OutOfMemory
from solvent.riscu.memory import Memory
from solvent.riscu.syscalls import FAILED

# The longest name of a file that `open` takes.
LONGEST_NAME = 4096
# How many bytes are written at a time.
CHUNK = 1 << 20
# How many bytes of the output are kept, unless there is another limit.
MOST_KEPT = 64 << 20
_WRITABLE = os.O_WRONLY | os.O_RDWR
_SIGN = 1 << 31


class System:
    """Descriptors 0, 1 and 2, and those of opened files if there may be any."""

    def __init__(
        self,
        source: BinaryIO,
        output: BinaryIO | None = None,
        files: bool = False,
        most_kept: int = MOST_KEPT,
    ) -> None:
        self.source = source
        self.output = output
        # The output, if it goes nowhere else.
        self.written = bytearray()
        self.most_kept = most_kept
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
        is_output = descriptor in (1, 2)
        file = self.output if is_output else self.opened.get(descriptor)
        if is_output and file is None:
            if len(self.written) + size > self.most_kept:
                raise OutOfMemory(self.most_kept)
            self.written += memory.read_bytes(address, size)
            return size
        if file is None:
            return FAILED
        try:
            for done in range(0, size, CHUNK):
                file.write(memory.read_bytes(address + done, min(CHUNK, size - done)))
            if is_output:
                file.flush()
        except BrokenPipeError:
            # Nobody reads the output any more; a file that is a pipe is one that fails.
            if is_output:
                raise
            return FAILED
        except OSError:
            return FAILED
        return size

    def open(self, memory: Memory, name: int, flags: int, mode: int) -> int:
        """A new descriptor, or -1."""
        path = memory.text_at(name, LONGEST_NAME) if self.files else None
        if path is None:
            return FAILED
        # Flags are a word of 32 bits with a sign.
        flags = (flags & 0xFFFFFFFF ^ _SIGN) - _SIGN
        try:
            number = os.open(path, flags, mode & 0o777)
        except (OSError, ValueError):
            return FAILED
        try:
            file = os.fdopen(number, "wb" if flags & _WRITABLE else "rb")
        except OSError:
            # It is a directory, for instance.
            os.close(number)
            return FAILED
        descriptor = 3 + len(self.opened)
        self.opened[descriptor] = file
        return descriptor

    def close(self) -> None:
        """Close all files."""
        for file in self.opened.values():
            # What is still to be written may not fit; who wrote it was told that it was taken.
            with contextlib.suppress(OSError):
                file.close()
