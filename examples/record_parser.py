"""A parser proved to round-trip: fields in a line, separated by commas, with escapes.

Proved: `split(join(fields)) == fields` for all lists of one or two texts of up to two characters,
any of Unicode's.
Found: `careless_join` escapes the separator and forgets the escape character itself, which is
wrong for a field that ends in a backslash.
"""

from __future__ import annotations

from solvent import lists, texts, verify


def join(fields: list[str]) -> str:
    """One line of all fields."""
    return ",".join(field.replace("\\", "\\\\").replace(",", "\\,") for field in fields)


def careless_join(fields: list[str]) -> str:
    """One line of all fields, with a mistake that looks like nothing."""
    return ",".join(field.replace(",", "\\,") for field in fields)


def split(line: str) -> list[str]:
    """The fields of a line.

    Raises:
        ValueError: if the line ends in the middle of an escape.
    """
    fields = [""]
    escaped = False
    for character in line:
        if escaped:
            fields[-1] += character
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == ",":
            fields.append("")
        else:
            fields[-1] += character
    if escaped:
        raise ValueError("the line ends in the middle of an escape")
    return fields


def round_trips(fields: list[str]) -> None:
    assert split(join(fields)) == fields


def careless_round_trips(fields: list[str]) -> None:
    assert split(careless_join(fields)) == fields


if __name__ == "__main__":
    short = lists(texts(max_len=2), min_len=1, max_len=2)
    proof = verify(round_trips, short)
    mistake = verify(careless_round_trips, short)
    print(proof)
    print(mistake)
