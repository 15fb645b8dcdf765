"""Where contracts stand in the source: lambdas, decorators, and lines of docstrings."""

from __future__ import annotations

import ast
import linecache
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import resolve_name
from types import FunctionType, ModuleType

from solvent.errors import NotLiftedError
from solvent.lift import source
from solvent.lift.origins import is_generated
from solvent.vm.values import Value


def innermost(function: Value) -> Value:
    """The function that the user wrote, behind all that was put around it."""
    seen: list[Value] = []
    while True:
        inner = getattr(function, "__wrapped__", None) or getattr(function, "__func__", None)
        if inner is None or any(inner is known for known in seen):
            return function
        seen.append(function)
        function = inner


def definition(function: Value) -> ast.FunctionDef | None:
    """The definition of a function, if its source is there."""
    if not isinstance(function, FunctionType):
        return None
    try:
        node, _ = source.find(function)
    except NotLiftedError:
        return None
    return node if isinstance(node, ast.FunctionDef) else None


def text_of(function: Value) -> str:
    """A condition as it is written: the body of a lambda, or the name of a function.

    >>> text_of(len)
    'len'
    """
    if isinstance(function, FunctionType) and function.__name__ == "<lambda>":
        try:
            node, _ = source.find(function)
        except NotLiftedError:
            return "<lambda>"
        assert isinstance(node, ast.Lambda)
        return ast.unparse(node.body)
    return getattr(function, "__name__", None) or repr(function)


def place_of(function: Value) -> tuple[str, int]:
    """File and line where a function begins."""
    code = getattr(innermost(function), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code is not None else ("?", 0)


def decorator_line(function: Value, names: tuple[str, ...], condition: Value = None) -> int:
    """The line of the decorator of a function that has one of some names, and a condition."""
    node = definition(innermost(function))
    file, first = place_of(function)
    if node is None:
        return first
    found: list[int] = []
    for one in node.decorator_list:
        target = one.func if isinstance(one, ast.Call) else one
        name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
        if name not in names:
            continue
        assert one.end_lineno is not None
        code = getattr(condition, "__code__", None)
        if code is not None and code.co_filename == file and code.co_name == "<lambda>":
            if one.lineno <= code.co_firstlineno <= one.end_lineno:
                return one.lineno
        elif condition is not None:
            wanted = getattr(condition, "__name__", "")
            if wanted in {n.id for n in ast.walk(one) if isinstance(n, ast.Name)}:
                return one.lineno
        else:
            found.append(one.lineno)
    return found[0] if found else first


def docstring_lines(target: Value) -> tuple[str, list[tuple[int, str]]]:
    """The file of a function or class, and its docstring line by line with their numbers."""
    text = getattr(target, "__doc__", None)
    if not isinstance(text, str):
        return "?", []
    node: ast.ClassDef | ast.FunctionDef | None
    if isinstance(target, type):
        file, node = class_definition(target)
    else:
        inner = innermost(target)
        file, node = place_of(inner)[0], definition(inner)
    first, is_plain = 1, False
    if node is None:
        first = 1 if isinstance(target, type) else place_of(target)[1]
    else:
        literal = node.body[0] if node.body else node
        value = getattr(literal, "value", None)
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            first, end = value.lineno, value.end_lineno or value.lineno
            # An escape or a second literal may have made lines of its own.
            is_plain = end - first == value.value.count("\n")
            text = value.value
        else:
            first = node.lineno
    rows = text.expandtabs().split("\n")
    return file, [(first + place * is_plain, row) for place, row in enumerate(rows)]


def class_definition(cls: type) -> tuple[str, ast.ClassDef | None]:
    """The file of a class, and its definition there."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    if file is None:
        # It was typed in: its methods know where.
        file = next(iter(_files_of_methods(cls)), "?")
    try:
        tree: ast.AST = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return file, None
    found: ast.AST | None = tree
    for name in cls.__qualname__.split("."):
        inside = list(ast.iter_child_nodes(found)) if found is not None else []
        found = next(
            (n for n in reversed(inside) if isinstance(n, ast.ClassDef) and n.name == name), None
        )
    return file, found if isinstance(found, ast.ClassDef) else None


def _files_of_methods(cls: type) -> Iterator[str]:
    for value in vars(cls).values():
        code = getattr(innermost(getattr(value, "fget", value)), "__code__", None)
        if code is not None and not is_generated(code.co_filename):
            yield code.co_filename


def for_checkers(around: dict[str, Value]) -> dict[str, Value]:
    """The names that a module imports for type checkers alone, of modules that are loaded."""
    file = around.get("__file__")
    try:
        tree = ast.parse("".join(linecache.getlines(file))) if isinstance(file, str) else None
    except (SyntaxError, ValueError):
        tree = None
    found: dict[str, Value] = {}
    for block in tree.body if tree is not None else ():
        if isinstance(block, ast.If) and ast.unparse(block.test).endswith("TYPE_CHECKING"):
            for one in block.body:
                if isinstance(one, ast.ImportFrom):
                    name = "." * one.level + (one.module or "")
                    with suppress(ImportError, ValueError):
                        name = resolve_name(name, around.get("__package__"))
                    module = vars(sys.modules.get(name, ModuleType("")))
                    pairs = [(part.asname or part.name, part.name) for part in one.names]
                    found |= {new: module[old] for new, old in pairs if old in module}
    return found


def raised_in(error: BaseException, library: str) -> bool:
    """Whether the code of a library itself has raised an exception."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    folder = os.path.dirname(sys.modules[library].__file__ or "") + os.sep
    return traceback is not None and traceback.tb_frame.f_code.co_filename.startswith(folder)
