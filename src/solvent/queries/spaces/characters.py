"""Spaces of text and bytes: so many numbers between bounds, one for each character or byte.

Those of several lengths are a choice with one member for each length, which have their symbolic
numbers in common.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solvent.lift.spelling.alphabets import as_ranges
from solvent.queries.replay import shown
from solvent.queries.spaces.base import DEFAULT_LENGTH, Described, Making, Space, extent
from solvent.queries.spaces.containers import listed
from solvent.queries.spaces.values import Sorted
from solvent.terms import Int, and_, or_
from solvent.terms.texts import LAST_CODE, octets, text
from solvent.vm.buffers import made
from solvent.vm.merge import gathered
from solvent.vm.values import Value

# Ranges of numbers, each with its first and its last.
Ranges = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Characters(Described):
    """Rows of numbers between two lengths, of which something immutable is made."""

    min_len: int = 0
    max_len: int = DEFAULT_LENGTH

    def ranges(self) -> Ranges:
        """What the numbers may be, in ascending order."""
        raise NotImplementedError

    def built(self) -> Callable[[list[Value]], Value]:
        """What makes a value of numbers."""
        raise NotImplementedError

    def make(self, name: str, making: Making) -> Value:
        codes: list[Value] = [Int(f"{name}[{place}]") for place in range(self.max_len)]
        ranges = self.ranges()
        for code in codes:
            making.assume(and_(ranges[0][0] <= code, code <= ranges[-1][1]))
            if len(ranges) > 1:
                making.assume(or_([and_(a <= code, code <= b) for a, b in ranges]))
        build = self.built()
        if self.min_len == self.max_len:
            return build(codes)
        length = making.length(name, self.min_len, self.max_len)
        return gathered(
            [(length == n, build(codes[:n])) for n in range(self.min_len, self.max_len + 1)]
        )


@dataclass(frozen=True)
class Texts(Characters):
    """Texts between two lengths, of any characters or of those of an alphabet."""

    alphabet: str = ""

    def ranges(self) -> Ranges:
        return as_ranges(sorted(map(ord, set(self.alphabet)))) or ((0, LAST_CODE),)

    def built(self) -> Callable[[list[Value]], Value]:
        return text

    def nouns(self) -> tuple[str, str]:
        return "texts", "a text"

    def contents(self) -> str:
        found = "" if not self.alphabet else f" of {shown(''.join(sorted(set(self.alphabet))), 40)}"
        return f"of {extent(self.min_len, self.max_len)} characters{found}"


@dataclass(frozen=True)
class Binary(Characters):
    """Bytes between two lengths."""

    def ranges(self) -> Ranges:
        return ((0, 255),)

    def built(self) -> Callable[[list[Value]], Value]:
        return octets

    def nouns(self) -> tuple[str, str]:
        return "bytes", "bytes"

    def contents(self) -> str:
        return f"of {extent(self.min_len, self.max_len)}"


@dataclass(frozen=True)
class Buffers(Space):
    """Bytearrays between two lengths."""

    min_len: int = 0
    max_len: int = DEFAULT_LENGTH

    def make(self, name: str, making: Making) -> Value:
        items = listed(Sorted(Int, 0, 255), name, self.min_len, self.max_len, making)
        return making.new(self, name, made(items))

    def __str__(self) -> str:
        return f"bytearray of {extent(self.min_len, self.max_len)}"
