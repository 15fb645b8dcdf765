"""How a run of the machine ends: by exiting, or by one of the errors of figure 17.

Each error has the number of its bad state in a model, and the words by which Selfie reports it.
The values that it says are numbers, and in a symbolic run bitvectors.
"""

from __future__ import annotations

from typing import ClassVar

# The bad states of figure 17 in their order.
PROPERTIES = (
    "ecall invalid syscall id",
    "non-zero exit code",
    "division by zero",
    "remainder by zero",
    "memory access below lower bound",
    "memory access at or above upper bound",
    "word-unaligned memory access",
    "memory access below lower bound",
    "memory access at or above upper bound",
    "word-unaligned memory access",
)
EXIT_PROPERTY = 1


class Exited(Exception):
    """The program has called `exit`."""

    @property
    def code(self) -> int:
        """The exit code."""
        code: int = self.args[0]
        return code


class OutOfMemory(Exception):
    """More is to be kept than the emulator may keep."""


class Fault(Exception):
    """The program has done what the machine cannot do; `number` is that of figure 17."""

    number: ClassVar[int]
    report: ClassVar[str]

    @property
    def value(self) -> int:
        """The operand that is to blame."""
        value: int = self.args[0]
        return value

    def __str__(self) -> str:
        return self.report


class InvalidSyscall(Fault):
    """A system call that there is not."""

    number = 0

    def __str__(self) -> str:
        return f"invalid syscall {self.value}"


class DivisionByZero(Fault):
    """`divu` by zero."""

    number = 2
    report = "division by zero"


class RemainderByZero(Fault):
    """`remu` by zero, which Selfie reports as a division."""

    number = 3
    report = "division by zero (remainder)"


class InvalidAddress(Fault):
    """An address that cannot be used; the subclasses say why."""

    def __str__(self) -> str:
        return f"uncaught invalid address: {PROPERTIES[self.number]} ({self.value:#x})"


class AddressBelow(InvalidAddress):
    """An access below the data."""

    number = 4


class AddressAbove(InvalidAddress):
    """An access above the memory."""

    number = 5


class AddressUnaligned(InvalidAddress):
    """An access to something that is not a whole word."""

    number = 6


class BufferBelow(InvalidAddress):
    """A system call with an address below the data."""

    number = 7


class BufferAbove(InvalidAddress):
    """A system call with an address above the memory."""

    number = 8


class BufferUnaligned(InvalidAddress):
    """A system call with an address that is not that of a word."""

    number = 9
