"""A program for the machine: code, data, and what is known of its source.

Addresses are those of Selfie: the code starts at 0x10000, the data follows it, then comes the heap,
and the stack grows down from the end of the address space of 4 GB.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from solvent.errors import SolventError
from solvent.riscu.instructions import EncodingError, Instruction, decode

CODE_START = 0x10000
# The first address above the memory.
UPPER = 2**32
PAGE = 4096
SIZE = 8

PROCEDURE = "procedure"
VARIABLE = "variable"


class Symbol(NamedTuple):
    """A named place: a procedure or a global variable."""

    name: str
    address: int
    size: int
    kind: str


class Place(NamedTuple):
    """A line and column of the source."""

    line: int
    column: int


class ProgramError(SolventError, ValueError):
    """A binary that cannot be run."""


@dataclass
class Program:
    """Code and data with their addresses.

    `words` are the 32 bits of each instruction; `lines` says where in `source` an instruction
    comes from, by its address.  What an ELF file does not hold, such as `frames`, is not compared.
    """

    words: list[int]
    data: bytes
    data_start: int
    entry: int
    code_start: int = CODE_START
    source: str = ""
    symbols: list[Symbol] = field(default_factory=list)
    lines: dict[int, Place] = field(default_factory=dict)
    # By procedure: how far parameters and local variables are from the frame pointer.
    frames: dict[str, dict[str, int]] = field(default_factory=dict, compare=False)

    @property
    def code_end(self) -> int:
        """The first address behind the code."""
        return self.code_start + 4 * len(self.words)

    @property
    def heap_start(self) -> int:
        """Where the heap begins: the first word behind the data."""
        end = self.data_start + len(self.data)
        return end + -end % SIZE

    @cached_property
    def instructions(self) -> dict[int, Instruction]:
        """The instructions by address; words that are none are left out."""
        found = {}
        for number, word in enumerate(self.words):
            try:
                found[self.code_start + 4 * number] = decode(word)
            except EncodingError:
                continue
        return found

    def word_at(self, address: int) -> int:
        """The 32 bits at an address of the code."""
        return self.words[(address - self.code_start) // 4]

    def check_instructions(self) -> None:
        """Raise an error that names the first word of the code that is no instruction."""
        for number in range(len(self.words)):
            address = self.code_start + 4 * number
            if address not in self.instructions:
                raise ProgramError(
                    f"{self.source or 'program'}: {self.word_at(address):#010x} at "
                    f"{address:#x} is no instruction of RISC-U"
                )

    def initial_words(self) -> dict[int, int]:
        """The memory that the data fills, word by word, without the words that are zero."""
        padding = bytes(-len(self.data) % SIZE)
        data = self.data + padding
        words = (
            (self.data_start + at, int.from_bytes(data[at : at + SIZE], "little"))
            for at in range(0, len(data), SIZE)
        )
        return {address: word for address, word in words if word}

    def procedure_at(self, address: int) -> Symbol | None:
        """The procedure that an address lies in."""
        for symbol in self.symbols:
            if (
                symbol.kind == PROCEDURE
                and symbol.address <= address < symbol.address + symbol.size
            ):
                return symbol
        return None

    def where(self, address: int) -> str:
        """A place in the source, or else in the code, in words.

        >>> Program([0x73], b"", 0x11000, 0x10000).where(0x10000)
        'address 0x10000'
        """
        place = self.lines.get(address)
        if place is not None:
            return f"{self.source}({place.line},{place.column})"
        symbol = self.procedure_at(address)
        return f"address {address:#x}" + (f" in {symbol.name}" if symbol else "")
