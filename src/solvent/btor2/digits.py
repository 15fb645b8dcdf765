"""Numbers of any length as text: Python itself refuses decimal ones of thousands of digits."""

from __future__ import annotations

# Python's own limit is 4300 digits, and may be set as low as 640.
_MOST_DIGITS = 600
_MOST_BITS = 1900


def from_decimal(text: str) -> int:
    """The number that decimal digits, with or without a sign, stand for.

    >>> from_decimal("-12"), from_decimal("9" * 5000) == 10**5000 - 1
    (-12, True)
    """
    if text.startswith("-"):
        return -from_decimal(text[1:])
    if len(text) <= _MOST_DIGITS:
        return int(text)
    low = len(text) // 2
    scale: int = 10**low
    return from_decimal(text[:-low]) * scale + from_decimal(text[-low:])


def is_long(value: int) -> bool:
    """Whether a number is not written in decimal digits.

    >>> is_long(10**500), is_long(10**5000)
    (False, True)
    """
    return value.bit_length() > _MOST_BITS


def written(value: int) -> int | str:
    """A number to be shown: itself, or hexadecimal digits if there would be very many.

    >>> written(12), written(1 << 4000)[:5]
    (12, '0x100')
    """
    return hex(value) if is_long(value) else value
