"""Five programs with a planted bottleneck each; the line to blame has the comment `# planted`.

Each function of `PROGRAMS` is asked about by `verify`.
"""

from __future__ import annotations


def irrelevant_branching(readings: tuple[int, int, int, int, int, int]) -> None:
    """What is logged has nothing to do with what is asserted."""
    largest = 0
    log: list[int] = []
    for reading in readings:
        if reading > 10:  # planted
            log.append(reading)
        largest = max(largest, reading)
    assert largest >= readings[0]


class Cell:
    """An item of a linked list."""

    def __init__(self, value: int, rest: Cell | None) -> None:
        self.value = value
        self.rest = rest


def leading(cell: Cell | None, wanted: int) -> int:
    """How many items before the first that is not wanted, found the wrong way round."""
    if cell is None:
        return 0
    rest = leading(cell.rest, wanted)  # planted
    if cell.value < wanted:
        return 0
    return rest + 1


def recursion_before_test(values: tuple[int, int, int, int, int, int], wanted: int) -> None:
    """The recursive call is made before the test that makes it needless."""
    cell = None
    for value in values:
        cell = Cell(value, cell)
    assert 0 <= leading(cell, wanted) <= 6


def unions_of_lists(values: tuple[int, int, int, int, int, int, int, int], start: int) -> None:
    """Lists of all lengths, where a count would do."""
    kept: list[int] = []
    total = start
    for value in values:
        if value > start:  # planted
            kept.append(value)
        total = total + value
    assert len(kept) <= 8
    assert total != start + 3 or kept != [1]


def symbolic_key(steps: tuple[int, int, int, int]) -> None:
    """A table is looked up by a key that is not known any more."""
    table = {place: place * 7 % 40 for place in range(40)}
    place = 0
    for step in steps:
        place = table[(place + step) % 40]  # planted
    assert 0 <= place < 40


def cost(code: int) -> int:
    """A table that is spelled as tests."""
    if code == 0:  # planted  # noqa: SIM116
        return 3
    elif code == 1:
        return 5
    elif code == 2:
        return 7
    elif code == 3:
        return 1
    elif code == 4:
        return 4
    elif code == 5:
        return 8
    elif code == 6:
        return 2
    elif code == 7:
        return 9
    return 6


def if_chain(codes: tuple[int, int, int, int, int, int]) -> None:
    """The tests of the table are made for each code."""
    total = 0
    for code in codes:
        total += cost(code)
    assert 6 <= total <= 54


PROGRAMS = (
    irrelevant_branching,
    recursion_before_test,
    unions_of_lists,
    symbolic_key,
    if_chain,
)
