"""The state of the machine, and the interfaces of what it is connected to."""

from __future__ import annotations

from typing import Any, Protocol

from solvent.riscu.instructions import NUMBER, SINK
from solvent.riscu.program import SIZE, UPPER, Program

SP = NUMBER["sp"]
REGISTER_COUNT = SINK + 1


class MemoryLike(Protocol):
    """Words by address."""

    def load(self, address: int) -> int:
        """The word at an address."""

    def store(self, address: int, value: int) -> None:
        """Put a word at an address."""


class SystemLike(Protocol):
    """What system calls talk to."""

    def is_readable(self, descriptor: int) -> bool:
        """Whether one can read from a descriptor."""

    def read(self, descriptor: int, count: int) -> tuple[int, int]:
        """Up to eight bytes as a word, and how many there are."""

    def write(self, memory: Any, descriptor: int, address: int, size: int) -> int:
        """How many bytes were written, or -1."""

    def open(self, memory: Any, name: int, flags: int, mode: int) -> int:
        """A new descriptor, or -1."""


class Machine:
    """Registers, memory, program counter, the end of the heap, and the bytes read so far.

    Concretely all values are numbers.  Memory may be accessed from `lowest` on.
    """

    def __init__(
        self,
        program: Program,
        registers: list[int],
        memory: MemoryLike,
        system: SystemLike,
        program_break: int,
        done: int = 0,
    ) -> None:
        self.registers = registers
        self.memory = memory
        self.system = system
        self.program_break = program_break
        self.done = done
        self.pc = program.entry
        self.lowest = program.data_start
        self.code_start = program.code_start
        self.code_end = program.code_end


def initial_stack(arguments: list[bytes]) -> tuple[int, dict[int, int]]:
    """The stack pointer, and the words above it: argc, argv, no environment, the strings.

    >>> pointer, words = initial_stack([b"a.c"])
    >>> words[pointer], words[words[pointer + 8]].to_bytes(8, "little")[:4]
    (1, b'a.c\\x00')
    """
    top = UPPER
    words: dict[int, int] = {}
    pointers = []
    for argument in reversed(arguments):
        text = argument + b"\0"
        text += bytes(-len(text) % SIZE)
        top -= len(text)
        for at in range(0, len(text), SIZE):
            words[top + at] = int.from_bytes(text[at : at + SIZE], "little")
        pointers.append(top)
    # The null pointers behind the arguments and the environment are zero as all memory is.
    row = [len(arguments), *reversed(pointers), 0, 0]
    top -= SIZE * len(row)
    words |= {top + SIZE * number: value for number, value in enumerate(row)}
    return top, words
