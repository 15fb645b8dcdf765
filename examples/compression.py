"""A compression that round-trips: a run of equal pixels becomes one word, value and count.

Proved: `expand(squeeze(pixels)) == pixels` for all rows of up to five pixels of any value, and no
row gets longer.
Found: without the test for the longest run that fits into two bits, four equal pixels become no
pixel at all of the next value. Rows of three pixels, which a test would use, are all right.
"""

from __future__ import annotations

from solvent import integers, lists, verify

LONGEST = 3  # the count has two bits


def squeeze(pixels: list[int]) -> list[int]:
    """A word for each run: the value, and below it the count."""
    words: list[int] = []
    count = 0
    for i, pixel in enumerate(pixels):
        count += 1
        last = i + 1 == len(pixels)
        if last or pixels[i + 1] != pixel or count == LONGEST:
            words.append(pixel * 4 + count)
            count = 0
    return words


def hasty_squeeze(pixels: list[int]) -> list[int]:
    """The same, for runs of any length."""
    words: list[int] = []
    count = 0
    for i, pixel in enumerate(pixels):
        count += 1
        if i + 1 == len(pixels) or pixels[i + 1] != pixel:
            words.append(pixel * 4 + count)
            count = 0
    return words


def expand(words: list[int]) -> list[int]:
    """The pixels whose runs these are."""
    pixels: list[int] = []
    for word in words:
        for _ in range(word % 4):
            pixels.append(word // 4)
    return pixels


def round_trips(pixels: list[int]) -> None:
    words = squeeze(pixels)
    assert expand(words) == pixels
    assert len(words) <= len(pixels)


def hasty_round_trips(pixels: list[int]) -> None:
    assert expand(hasty_squeeze(pixels)) == pixels


if __name__ == "__main__":
    pixel = integers(0, 255)
    proof = verify(round_trips, lists(pixel, max_len=5))
    short = verify(hasty_round_trips, lists(pixel, max_len=3))
    longer = verify(hasty_round_trips, lists(pixel, max_len=4))
    for result in (proof, short, longer):
        print(result)
