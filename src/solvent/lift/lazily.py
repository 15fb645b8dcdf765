"""Plain functions whose lazy calls are lazy: what CPython runs when an answer is replayed.

Python evaluates all arguments of a call, so that a choice between expressions fails if any of them
does.  Here only such calls are rewritten; everything else stays the user's code.
"""

from __future__ import annotations

import ast
from types import CellType, CodeType, FunctionType, ModuleType

from solvent.errors import NotLiftedError
from solvent.lift import source
from solvent.lift.codes import Codes
from solvent.lift.function import compile_inside, definition
from solvent.lift.helpers import HELPERS
from solvent.lift.registry import placed
from solvent.lift.rewrite import Unit
from solvent.lift.rewrite.lowering import copied
from solvent.lift.rewrite.macros import (
    Lookup,
    conditional,
    is_lazy,
    local_names,
    lookup_in,
    resolved,
    variant,
)

_LAZY = Codes()


def lazy_code(function: FunctionType) -> CodeType:
    """The code of a plain function with its lazy calls lazy; the same if there are none."""
    code = function.__code__
    return _LAZY.of(code, variant(function), lambda: _rewritten(function))


def cells_for(code: CodeType) -> tuple[CellType, ...]:
    """Empty cells for the free variables of lazy code, apart from those of Solvent."""
    return tuple(HELPERS.get(name) or CellType() for name in code.co_freevars)


def _rewritten(function: FunctionType) -> CodeType:
    code = function.__code__
    find = lookup_in(function)
    if not any(_may_be_lazy(find(name)) for name in _names(code)):
        return code
    try:
        node, classes = source.find(function)
    except NotLiftedError:
        return code
    if isinstance(node, ast.AsyncFunctionDef):
        return code
    changer = _Changer(find, code.co_filename)
    found = definition(copied(node), classes)
    changer.local.append(local_names(found))
    statements = [changer.visit(statement) for statement in found.body]
    if not changer.changed:
        return code
    inner = compile_inside(Unit(code.co_filename), found, statements, code)
    return inner.replace(co_name=code.co_name, co_qualname=code.co_qualname)


def _may_be_lazy(value: object) -> bool:
    known = placed(value)
    return isinstance(value, ModuleType) or (known is not None and known.lazy)


def _names(code: CodeType) -> set[str]:
    result = {*code.co_names, *code.co_freevars}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            result |= _names(constant)
    return result


class _Changer(ast.NodeTransformer):
    """Makes lazy calls lazy."""

    def __init__(self, find: Lookup, filename: str) -> None:
        self.find = find
        self.filename = filename
        self.local: list[set[str]] = []
        self.changed = False

    def generic_visit(self, node: ast.AST) -> ast.AST:
        self.local.append(local_names(node))
        result = super().generic_visit(node)
        self.local.pop()
        return result

    def visit_Call(self, node: ast.Call) -> ast.AST:
        root: ast.expr = node.func
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and not any(root.id in names for names in self.local):
            known = placed(resolved(node.func, self.find))
            if known is not None and is_lazy(node, known):
                self.changed = True
                return self.generic_visit(conditional(node, self.filename))
        return self.generic_visit(node)
