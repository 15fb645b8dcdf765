"""The operators of Boogie expressions: how tightly they bind, and to which side they group.

The parser and the printer share this table, so that what one writes the other reads.
"""

from __future__ import annotations

LEFT, RIGHT, NONE = "left", "right", "none"

# From loose to tight.  Operators in one row do not mix without parentheses unless the row says so.
_ROWS: tuple[tuple[tuple[str, ...], str, bool], ...] = (
    (("<==>",), LEFT, True),
    (("==>",), RIGHT, False),
    (("&&", "||"), LEFT, False),
    (("==", "!=", "<", "<=", ">", ">=", "<:"), NONE, False),
    (("++",), LEFT, True),
    (("+", "-"), LEFT, True),
    (("*", "div", "mod", "/"), LEFT, True),
    (("**",), RIGHT, True),
)

# The level of each binary operator; a higher level binds more tightly.
LEVELS: dict[str, int] = {
    operator: level for level, (row, _, _) in enumerate(_ROWS, 1) for operator in row
}
GROUPING: dict[str, str] = {operator: side for row, side, _ in _ROWS for operator in row}

# `<==` shares the level of `==>` but groups to the left.
LEVELS["<=="] = LEVELS["==>"]
GROUPING["<=="] = LEFT

# Levels at which two different operators need parentheses.
UNMIXED = frozenset(level for level, (_, _, mixes) in enumerate(_ROWS, 1) if not mixes)

UNARY_LEVEL = len(_ROWS) + 1
COERCION_LEVEL = UNARY_LEVEL + 1
POSTFIX_LEVEL = COERCION_LEVEL + 1

LOGICAL = frozenset({"<==>", "==>", "<==", "&&", "||"})
EQUALITY = frozenset({"==", "!="})
COMPARISON = frozenset({"<", "<=", ">", ">="})
