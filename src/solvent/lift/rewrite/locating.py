"""Places in the source for all nodes of a rewritten function."""

from __future__ import annotations

import ast
from typing import Any

from solvent.lift.rewrite.scoping import below

# First and last line, first and last column.
Place = tuple[int, int, int, int]


def names_when_located(root: ast.FunctionDef) -> set[str]:
    """The names below a function, each node of which gets a place: its own or that around it.

    As `ast.fix_missing_locations` with a look at each node, in half the time of that alone.

    >>> function = ast.parse("def f(): return x").body[0]
    >>> function.body.append(ast.Expr(ast.Name("y", ast.Load())))
    >>> sorted(names_when_located(function)), function.body[1].value.lineno
    (['x', 'y'], 1)
    """
    names: set[str] = set()
    stack: list[tuple[Any, Place]] = [(root, (1, 1, 0, 0))]
    while stack:
        node, place = stack.pop()
        if node._attributes:
            place = _settled(node, place)
            if type(node) is ast.Name:
                names.add(node.id)
                continue
        inner = below(node)
        # A node that is in several places gets that of the first.
        inner.reverse()
        stack += [(found, place) for found in inner]
    return names


def _settled(node: Any, place: Place) -> Place:
    """The place of a node, which it gets if it has none, or the parts that it lacks."""
    known = vars(node)
    line, end_line, column, end_column = place
    line = known.setdefault("lineno", line)
    column = known.setdefault("col_offset", column)
    if known.get("end_lineno") is None:
        known["end_lineno"] = end_line
    if known.get("end_col_offset") is None:
        known["end_col_offset"] = end_column
    return line, known["end_lineno"], column, known["end_col_offset"]
