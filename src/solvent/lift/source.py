"""Finding the syntax tree of a function."""

from __future__ import annotations

import ast
import linecache
from types import CodeType, FunctionType
from typing import Any

from solvent.errors import NotLiftedError

Functions = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

# Per file: the text that was parsed, and the functions in it by first line.
_FILES: dict[str, tuple[str, dict[int, list[tuple[Functions, tuple[str, ...]]]]]] = {}


def first_line(node: Functions) -> int:
    """The line that the code object of a function gives as its first."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def find(function: FunctionType) -> tuple[Functions, tuple[str, ...]]:
    """The syntax tree of a function and the classes that it is in.

    Raises `NotLiftedError` if the source cannot be found.
    """
    code = function.__code__
    table = _table(code.co_filename, function.__globals__)
    candidates = (
        [row for row in table.get(code.co_firstlineno, []) if _fits(row[0], code)]
        if table is not None
        else []
    )
    if len(candidates) == 1:
        return candidates[0]
    where = f"{code.co_filename}:{code.co_firstlineno}"
    if not candidates:
        raise NotLiftedError(
            f"{where}: the source of `{function.__qualname__}` is not available, so it cannot be "
            "lifted; put it into a file"
        )
    for row in candidates:
        if isinstance(row[0], ast.Lambda) and _column(row[0]) == _column_of(code):
            return row
    raise NotLiftedError(
        f"{where}: there are several functions on this line; put each on a line of its own"
    )


def forget(filename: str) -> None:
    """Give up the syntax tree of a file."""
    _FILES.pop(filename, None)


def _table(
    filename: str, namespace: dict[str, Any]
) -> dict[int, list[tuple[Functions, tuple[str, ...]]]] | None:
    if filename.startswith("<frozen "):
        # Modules that are part of the interpreter have their source in the library, too.
        filename = namespace.get("__file__") or filename
    lines = linecache.getlines(filename, namespace)
    text = "".join(lines)
    if not text:
        return None
    known = _FILES.get(filename)
    if known is None or known[0] != text:
        try:
            tree = ast.parse(text)
        except SyntaxError:
            return None
        table: dict[int, list[tuple[Functions, tuple[str, ...]]]] = {}
        _collect(tree, (), table)
        known = _FILES[filename] = (text, table)
    return known[1]


def _collect(
    node: ast.AST,
    classes: tuple[str, ...],
    table: dict[int, list[tuple[Functions, tuple[str, ...]]]],
) -> None:
    stack: list[tuple[ast.AST, tuple[str, ...]]] = [(node, classes)]
    while stack:
        node, classes = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            table.setdefault(first_line(node), []).append((node, classes))
        inner = (*classes, node.name) if isinstance(node, ast.ClassDef) else classes
        stack.extend((child, inner) for child in ast.iter_child_nodes(node))


def _fits(node: Functions, code: CodeType) -> bool:
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    if name != code.co_name:
        return False
    arguments = node.args
    named = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    expected = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    return len(named) == len(expected)


def _column(node: ast.Lambda) -> int:
    return node.body.col_offset


def _column_of(code: CodeType) -> int | None:
    for _, _, column, _ in code.co_positions():
        if column is not None and column > 0:
            return column
    return None
