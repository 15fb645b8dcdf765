"""The data segment: global variables, string literals and constants too large for instructions.

Everything is addressed from the global pointer, which points into the middle of what an instruction
can reach.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from solvent.riscu.program import SIZE

# How far the global pointer is behind the start of the segment.
REACH = 2048


@dataclass(slots=True)
class DataSegment:
    """Data under construction; places are offsets from the global pointer."""

    content: bytearray = field(default_factory=bytearray)
    variables: dict[str, int] = field(default_factory=dict)
    _words: dict[int, int] = field(default_factory=dict)
    _strings: dict[bytes, int] = field(default_factory=dict)

    def _append(self, content: bytes) -> int:
        place = len(self.content) - REACH
        self.content += content + bytes(-len(content) % SIZE)
        return place

    def variable(self, name: str, value: int) -> int:
        """Make a global variable."""
        self.variables[name] = self._append(value.to_bytes(SIZE, "little"))
        return self.variables[name]

    def word(self, value: int) -> int:
        """The place of a constant."""
        if value not in self._words:
            self._words[value] = self._append(value.to_bytes(SIZE, "little"))
        return self._words[value]

    def string(self, text: bytes) -> int:
        """The place of a string, which ends with a zero."""
        if text not in self._strings:
            self._strings[text] = self._append(text + b"\0")
        return self._strings[text]
