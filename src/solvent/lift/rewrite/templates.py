"""Building syntax trees from source text with holes.

A name in capitals that starts with `_` stands for a hole: as a statement of its own it takes a
list of statements, elsewhere an expression, the name of a variable, or a tuple of names.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import Any, TypeVar

# What has a place in the source.
Located = TypeVar("Located", bound=ast.expr | ast.stmt)

Hole = ast.expr | list[ast.stmt] | str | tuple[str, ...]


@cache
def _parsed(text: str) -> list[ast.stmt]:
    return ast.parse(text).body


def statements(text: str, at: ast.AST, **holes: Hole) -> list[ast.stmt]:
    """The statements of the text, with the holes filled, located at a node of the source.

    >>> import ast
    >>> print(ast.unparse(statements("_X = f(_Y)", ast.Pass(lineno=3), _X="x", _Y=ast.Constant(1))))
    x = f(1)
    """
    line = (at.lineno, at.lineno, 0, 0) if hasattr(at, "lineno") else (1, 1, 0, 0)
    filler = _Filler(holes, line)
    result: list[ast.stmt] = []
    for found in _parsed(text):
        result.extend(filler.statement(found))
    return result


def expression(text: str, at: ast.AST, **holes: Hole) -> ast.expr:
    """The expression of the text, with the holes filled."""
    (found,) = statements(text, at, **holes)
    assert isinstance(found, ast.Expr)
    return found.value


class _Filler:
    def __init__(self, holes: dict[str, Hole], line: tuple[int, int, int, int]) -> None:
        self.holes = holes
        self.line = line

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Name):
            body = self.holes.get(node.value.id)
            if isinstance(body, list):
                return body
        result = self.copy(node)
        # `() = f()` stands for a call whose results nobody needs.
        if (
            isinstance(result, ast.Assign)
            and isinstance(result.targets[0], ast.Tuple)
            and not result.targets[0].elts
        ):
            result = self.locate(ast.Expr(result.value))
        return [result]

    def locate(self, node: Located) -> Located:
        node.lineno, node.end_lineno, node.col_offset, node.end_col_offset = self.line
        return node

    def copy(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Name):
            hole = self.holes.get(node.id)
            if hole is None:
                return self.locate(ast.Name(node.id, node.ctx))
            if isinstance(hole, str):
                return self.locate(ast.Name(hole, node.ctx))
            if isinstance(hole, tuple):
                names: list[ast.expr] = [self.locate(ast.Name(name, node.ctx)) for name in hole]
                return self.locate(ast.Tuple(names, node.ctx))
            return hole
        fields: dict[str, Any] = {}
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                items: list[Any] = []
                for item in value:
                    if isinstance(item, ast.stmt):
                        items.extend(self.statement(item))
                    else:
                        items.append(self.copy(item) if isinstance(item, ast.AST) else item)
                if name == "body" and not items and isinstance(node, ast.stmt):
                    items.append(self.locate(ast.Pass()))
                fields[name] = items
            elif isinstance(value, (ast.expr_context, ast.operator, ast.cmpop)):
                fields[name] = value
            elif isinstance(value, ast.AST):
                fields[name] = self.copy(value)
            elif isinstance(value, str) and name in ("name", "id") and value in self.holes:
                fields[name] = self.holes[value]
            else:
                fields[name] = value
        result: Any = type(node)(**fields)
        if hasattr(node, "lineno"):
            self.locate(result)
        return result
