"""The words of what travels to the process of a solver: rows of terms, and codes of sorts.

It imports nothing, because the process of a solver imports it and must start quickly.
"""

from __future__ import annotations

from typing import Any

# Operator numbers of the rows that are not applications.
CONSTANT_ROW = -1
LITERAL_ROW = -2

# The formats that every solver with floats has been tested for: half, single, double, quadruple.
COMMON_FLOATS = ((5, 11), (8, 24), (11, 53), (15, 113))

# What travels is plain data: truth values, numbers, texts, and tuples and lists of them.
Data = Any
# A sort: its name and its parameters.
SortCode = tuple[Data, ...]
# A term: the number of its operator and those of its arguments, or a constant or a literal.
Row = tuple[Data, ...]
# An operator: its name and its parameters.
OpCode = tuple[str, tuple[Data, ...]]
# What a process shall do: a name and arguments.
Command = tuple[Data, ...]
# Values of constants by number, of functions by name, and the constants whose values are inexact.
ModelData = tuple[list[tuple[int, Data]], list[tuple[str, Data]], list[int]]
# What a solver tells about its work, by name.
Figures = dict[str, Data]


def plain_name(name: str) -> str:
    """A name as solvers can take it: printable ASCII, different for different names.

    Z3 reads a name up to its first null character.

    >>> plain_name("x!1"), plain_name("é"), plain_name("a" + chr(0))
    ('x!1', '\\\\xe9', 'a\\\\x00')
    """
    if name.isascii() and name.isprintable() and "\\" not in name:
        return name
    return name.encode("unicode_escape").decode("ascii")
