"""The memory of the emulator: a dictionary of the words that are not zero."""

from __future__ import annotations

from solvent.machine.program import SIZE


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
        count = -(-size // SIZE)
        content = b"".join(
            words.get(address + SIZE * number, 0).to_bytes(SIZE, "little")
            for number in range(count)
        )
        return content[:size]

    def text_at(self, address: int, most: int) -> bytes | None:
        """The string that starts at a word and ends with a zero, unless it is longer."""
        text = b""
        while b"\0" not in text:
            if len(text) > most:
                return None
            text += self.load(address + len(text)).to_bytes(SIZE, "little")
        return text[: text.index(b"\0")]
