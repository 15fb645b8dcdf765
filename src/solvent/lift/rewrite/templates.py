"""Building syntax trees from source text with holes.

A name in capitals that starts with `_` stands for a hole: as a statement of its own it takes a
list of statements, elsewhere an expression, the name of a variable, or a tuple of names.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

# What has a place in the source.
Located = TypeVar("Located", bound=ast.expr | ast.stmt)

Hole = ast.expr | list[ast.stmt] | str | tuple[str, ...]


# Where a node is: first and last line, first and last column.
Place = tuple[int, int, int, int]
Holes = dict[str, Hole]
# What makes a node, or the statements that take the place of one.
Maker = Callable[[Holes, Place], Any]


def statements(text: str, at: ast.AST, **holes: Hole) -> list[ast.stmt]:
    """The statements of the text, with the holes filled, located at a node of the source.

    >>> import ast
    >>> print(ast.unparse(statements("_X = f(_Y)", ast.Pass(lineno=3), _X="x", _Y=ast.Constant(1))))
    x = f(1)
    """
    place = (at.lineno, at.lineno, 0, 0) if hasattr(at, "lineno") else (1, 1, 0, 0)
    result: list[ast.stmt] = []
    for make in _makers(text):
        result += make(holes, place)
    return result


def expression(text: str, at: ast.AST, **holes: Hole) -> ast.expr:
    """The expression of the text, with the holes filled."""
    (found,) = statements(text, at, **holes)
    assert isinstance(found, ast.Expr)
    return found.value


@cache
def _makers(text: str) -> list[Maker]:
    """What makes the statements of a text: it is looked at once and filled in often."""
    return [_statement(node) for node in ast.parse(text).body]


def _locate(node: Located, place: Place) -> Located:
    node.lineno, node.end_lineno, node.col_offset, node.end_col_offset = place
    return node


def _statement(node: ast.stmt) -> Maker:
    """What makes the statements for one of a template."""
    make = _node(node)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Name):
        name = node.value.id

        def fill(holes: Holes, place: Place) -> list[ast.stmt]:
            body = holes.get(name)
            return body if isinstance(body, list) else [make(holes, place)]

        return fill
    if isinstance(node, ast.Assign):

        def assign(holes: Holes, place: Place) -> list[ast.stmt]:
            result = make(holes, place)
            # `() = f()` stands for a call whose results nobody needs.
            if isinstance(result.targets[0], ast.Tuple) and not result.targets[0].elts:
                return [_locate(ast.Expr(result.value), place)]
            return [result]

        return assign
    return lambda holes, place: [make(holes, place)]


def _node(node: ast.AST) -> Maker:
    """What makes a node like one of a template."""
    if isinstance(node, ast.Name):
        return _name(node.id, node.ctx)
    kind, located = type(node), hasattr(node, "lineno")
    fixed = dict(ast.iter_fields(node))
    made: list[tuple[str, Maker]] = []
    for name, value in list(fixed.items()):
        if isinstance(value, list):
            made.append((name, _list(value, name == "body" and isinstance(node, ast.stmt))))
        elif isinstance(value, str) and name in ("name", "id"):
            made.append((name, _text(value)))
        elif isinstance(value, ast.AST) and value._fields:
            made.append((name, _node(value)))
        else:
            continue
        del fixed[name]

    def make(holes: Holes, place: Place) -> Any:
        parts = {name: part(holes, place) for name, part in made}
        result: Any = kind(**fixed, **parts)
        return _locate(result, place) if located else result

    return make


def _name(name: str, ctx: ast.expr_context) -> Maker:
    """What makes the node for a name: itself, or what fills the hole."""

    def make(holes: Holes, place: Place) -> Any:
        hole = holes.get(name, name)
        if isinstance(hole, str):
            return _locate(ast.Name(hole, ctx), place)
        if isinstance(hole, tuple):
            return _locate(ast.Tuple([_locate(ast.Name(n, ctx), place) for n in hole], ctx), place)
        return hole

    return make


def _text(name: str) -> Maker:
    """What makes the name of a function or of an exception."""
    return lambda holes, place: holes.get(name, name)


def _list(items: list[Any], is_body: bool) -> Maker:
    """What makes the parts of a node; a body has at least one statement."""
    makers = [(_statement(item) if isinstance(item, ast.stmt) else _one(item)) for item in items]

    def make(holes: Holes, place: Place) -> list[Any]:
        result: list[Any] = []
        for part in makers:
            result += part(holes, place)
        if is_body and not result:
            result.append(_locate(ast.Pass(), place))
        return result

    return make


def _one(item: Any) -> Maker:
    """What makes an item of a list that is no statement."""
    if not isinstance(item, ast.AST):
        return lambda holes, place: [item]
    make = _node(item)
    return lambda holes, place: [make(holes, place)]
