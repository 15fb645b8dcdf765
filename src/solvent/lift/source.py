"""Finding the syntax tree of a function."""

from __future__ import annotations

import ast
import linecache
from types import CodeType, FunctionType
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift.origins import INTERACTIVE
from solvent.vm.values import Value

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
        typed = code.co_filename.startswith(INTERACTIVE)
        instead = ", or type it into `python -m solvent console`" if typed else ""
        raise NotLiftedError(
            f"{where}: the source of `{function.__qualname__}` is not available, so it cannot be "
            f"lifted; put it into a file{instead}"
        )
    lambdas = [row for row in candidates if isinstance(row[0], ast.Lambda)]
    for row in _around(lambdas, code) or _alike(lambdas, code):
        return row
    raise NotLiftedError(
        f"{where}: there are several functions on this line; put each on a line of its own"
    )


def text_of(filename: str) -> str:
    """The text in which functions of a file were found last."""
    return _FILES[filename][0]


def forget(filename: str) -> None:
    """Give up the syntax tree of a file."""
    _FILES.pop(filename, None)


def _table(
    filename: str, namespace: dict[str, Value]
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


Rows = list[tuple[Functions, tuple[str, ...]]]


def _span(node: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _around(lambdas: Rows, code: CodeType) -> Rows:
    """The lambdas in whose body everything is that a code object does, the innermost first."""
    done = [
        ((line, column), (end_line, end_column))
        for line, end_line, column, end_column in code.co_positions()
        if line is not None and column is not None and (line, column) != (end_line, end_column)
    ]
    found = []
    for row in lambdas if done else ():
        start, end = _span(row[0].body)
        if all(start <= first and last <= end for first, last in done):
            found.append(row)
    return sorted(found, key=lambda row: _span(row[0].body)[0], reverse=True)


def _alike(lambdas: Rows, code: CodeType) -> Rows:
    """The lambdas that are compiled to a code object; if there are several, all do the same.

    Python 3.12 does not say where a constant is that a lambda returns.
    """
    return [row for row in lambdas if _shape(_compiled(row[0], code)) == _shape(code)]


def _compiled(node: Functions, code: CodeType) -> CodeType:
    """The code of a lambda where the free names of another code object are free."""
    assert isinstance(node, ast.Lambda)
    free = [ast.arg(name) for name in code.co_freevars]
    around = ast.Lambda(ast.arguments([], free, None, [], [], None, []), node)
    tree = ast.fix_missing_locations(ast.Expression(around))
    whole = compile(tree, code.co_filename, "eval", dont_inherit=True)
    outer = next(found for found in whole.co_consts if isinstance(found, CodeType))
    return next(found for found in outer.co_consts if isinstance(found, CodeType))


def _shape(code: CodeType) -> tuple[object, ...]:
    """What a code object does, wherever it is."""
    constants = [_shape(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return (
        code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
        code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, *constants,
    )  # fmt: skip
