"""A checksum: CRC-8 by bits and by table are one function, and which errors it finds.

Proved: the fast version with a table of 256 entries computes what the definition by polynomial
division does, for all messages of three bytes; and every burst of errors that is at most eight
bits long, wherever it is in the message, changes the checksum.
Found: a burst of nine bits that goes unnoticed. It is the polynomial itself.
"""

from __future__ import annotations

from solvent import BitVec, assume, verify
from solvent.terms import Term, bv, extract, lshr, zero_extend

POLYNOMIAL = 0x07
LENGTH = 3


def crc_by_bits(message: list[Term]) -> Term:
    """The remainder of the division by the polynomial, one bit after the other."""
    crc = bv(0, 8)
    for byte in message:
        crc ^= byte
        for _ in range(8):
            crc = crc << 1 ^ POLYNOMIAL if crc & 0x80 != 0 else crc << 1
    return crc


TABLE = [crc_by_bits([bv(byte, 8)]) for byte in range(256)]


def crc_by_table(message: list[Term]) -> Term:
    """The same, one byte after the other."""
    crc = bv(0, 8)
    for byte in message:
        crc = TABLE[crc ^ byte]
    return crc


def table_is_right(message: list[Term]) -> None:
    assert crc_by_table(message) == crc_by_bits(message)


def message_of(word: Term) -> list[Term]:
    """The bytes of a word, the highest first."""
    return [extract(8 * n + 7, 8 * n, word) for n in reversed(range(LENGTH))]


def burst_is_noticed(word: Term, pattern: Term, place: Term) -> None:
    """Errors in some of neighbouring bits: `pattern`, with its lowest bit at `place`."""
    wide = zero_extend(8 * LENGTH - pattern.sort.width, pattern)
    errors = wide << place
    assume(pattern & 1 == 1)
    assume(0 <= place < 8 * LENGTH)
    assume(lshr(errors, place) == wide)  # none of them is outside of the message
    assert crc_by_bits(message_of(word ^ errors)) != crc_by_bits(message_of(word))


if __name__ == "__main__":
    bits = 8 * LENGTH
    word, place = BitVec("word", bits), BitVec("place", bits)
    table = verify(table_is_right, [BitVec(f"byte{n}", 8) for n in range(LENGTH)])
    eight = verify(burst_is_noticed, word, BitVec("pattern", 8), place)
    nine = verify(burst_is_noticed, word, BitVec("pattern", 9), place)
    for result in (table, eight, nine):
        print(result)
    print(f"the burst that goes unnoticed: {int(nine.inputs['pattern']):#b}")
