"""The memory of the emulator: a dictionary of the words that are not zero."""

from __future__ import annotations

from collections.abc import Iterable

from solvent.riscu.program import SIZE


class Memory:
    """Words by address; what was never stored is zero."""

    def __init__(self, words: dict[int, int]) -> None:
        self.words = words

    def load(self, address: int) -> int:
        """The word at an address."""
        return self.words.get(address, 0)

    def store(self, address: int, value: int) -> None:
        """Put a word at an address."""
        self.words[address] = value

    def read_bytes(self, address: int, size: int) -> bytes:
        """Bytes from the start of a word on."""
        words = self.words
        end = address + size
        content = bytearray(size + -size % SIZE)
        there: Iterable[int] = range(address, end, SIZE)
        if len(words) < size // SIZE:
            # Most of it is zero, as nothing was ever stored there.
            there = (at for at in words if address <= at < end)
        for at in there:
            word = words.get(at, 0)
            if word:
                content[at - address : at - address + SIZE] = word.to_bytes(SIZE, "little")
        return bytes(content[:size])

    def text_at(self, address: int, most: int) -> bytes | None:
        """The string that starts at a word and ends with a zero, unless it is longer."""
        text = b""
        while b"\0" not in text:
            if len(text) > most:
                return None
            text += self.load(address + len(text)).to_bytes(SIZE, "little")
        return text[: text.index(b"\0")]
