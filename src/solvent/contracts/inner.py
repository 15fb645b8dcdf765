"""Contracts of functions and classes inside of functions, which nobody would check: refused."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType, FunctionType

from solvent.contracts import pep316
from solvent.contracts.constraints import is_used
from solvent.contracts.shapes import checker
from solvent.contracts.sources import definition
from solvent.errors import NotLiftedError, SolventError
from solvent.vm.values import Value

_OPTIMIZED = 0x01


def refuse_inner(function: Value) -> None:
    """Refuse contracts of functions and classes inside of a function.

    >>> def outer(n):
    ...     def half(k):
    ...         "post: _ < k"
    ...         return k // 2
    ...     return half(n)
    >>> refuse_inner(outer)
    Traceback (most recent call last):
    solvent.errors.NotLiftedError: <...>:2: the contract of `half`, a function inside of ...
    """
    if type(function) is not FunctionType:
        return
    found = False
    for code in _codes(function.__code__):
        found = True
        is_class = not code.co_flags & _OPTIMIZED
        # The docstring is the first constant of a function, and after its name that of a class.
        texts = code.co_consts[:2] if is_class else code.co_consts[:1]
        if any(map(pep316.mentions, texts)):
            _refuse(code.co_filename, code.co_firstlineno, code.co_name, is_class)
    if found and is_used():
        _refuse_annotations(function)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The functions and classes inside of a function, however deep."""
    for one in code.co_consts:
        if isinstance(one, CodeType):
            if not one.co_name.startswith("<"):
                yield one
            yield from _codes(one)


def _refuse(file: str, line: int, name: str, is_class: bool) -> None:
    kind = "class" if is_class else "function"
    raise NotLiftedError(
        f"{file}:{line}: the contract of `{name}`, a {kind} inside of a function, is not read; "
        f"move the {kind} to the top"
    )


def _refuse_annotations(function: FunctionType) -> None:
    node = definition(function)
    for inner in ast.walk(node) if node is not None else ():
        hints: list[ast.expr | None] = []
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)) and inner is not node:
            arguments = [one for one in ast.walk(inner.args) if isinstance(one, ast.arg)]
            hints = [*(one.annotation for one in arguments), inner.returns]
        elif isinstance(inner, ast.ClassDef):
            hints = [one.annotation for one in inner.body if isinstance(one, ast.AnnAssign)]
        for hint in hints:
            if hint is not None and _constrains(hint, function):
                name, is_class = inner.name, isinstance(inner, ast.ClassDef)  # type: ignore[attr-defined]
                _refuse(function.__code__.co_filename, inner.lineno, name, is_class)  # type: ignore[attr-defined]


def _constrains(hint: ast.expr, function: FunctionType) -> bool:
    """Whether an annotation has a constraint in it, or may have one."""
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        text = hint.value
    else:
        text = ast.unparse(hint)
    try:
        found = eval(text, function.__globals__)
    except Exception:
        # Its names may be local.
        return "Annotated" in text or "Annotated" in function.__code__.co_names
    try:
        return checker(found, function.__code__.co_filename, hint.lineno) is not None
    except SolventError:
        return True
