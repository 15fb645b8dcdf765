"""Probes in rewritten code: which function runs, and at which line of its source it is.

Rewritten statements stand at lines of the source.  Here a probe is put before each that does work
at another line than what ran before it, so that the rewriter itself knows nothing of profiles.
What a loop or a branch does itself, such as merging, is at the line where it starts.

A probe is a method of a constant, for which the compiler knows a text only: `with_probe` puts the
object itself into the finished code.  Hence the code has the same free variables as without probes,
and can take its place in a function that exists.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import CodeType

from solvent.lift.helpers import COMPREHENSION
from solvent.lift.rewrite.templates import statements

Statements = list[ast.stmt]

# What stands for the probe in source; `_sv_here` is the number of the activation.
PLACEHOLDER = "\0the probe of the profiler"

_BODY = """
_sv_here = _P.enter(_N)
try:
    _BODY
finally:
    _P.leave(_sv_here)
"""
_AT = "_P.at(_sv_here, _L)"
# While a generator waits, whoever uses it goes on.
_YIELD = """
_P.leave(_sv_here)
try:
    _BODY
finally:
    _sv_here = _P.enter(_N)
"""

# What can take a while, or make terms.
_WORK = (
    ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Attribute, ast.Yield,
    ast.JoinedStr,
)  # fmt: skip
# Names a function: its own, its first line and how many it has.
Naming = Callable[[ast.FunctionDef], int]


def probed(node: ast.FunctionDef, name: Naming) -> None:
    """Put probes into a rewritten function and into those inside of it."""
    _Probes(name(node), name).function(node)


class _Probes:
    def __init__(self, number: int, name: Naming) -> None:
        self.number = number
        self.name = name
        # The first branch with a `return` inside: paths that left there meet at the end.
        self.parting: ast.stmt | None = None

    def made(self, text: str, at: ast.stmt, **holes: Statements) -> Statements:
        """Statements with probes."""
        return statements(
            text, at, _P=ast.copy_location(ast.Constant(PLACEHOLDER), at),
            _N=ast.copy_location(ast.Constant(self.number), at),
            _L=ast.copy_location(ast.Constant(at.lineno), at), **holes,
        )  # fmt: skip

    def function(self, node: ast.FunctionDef) -> None:
        """Put probes into the body of a function."""
        body = node.body
        kept = 0
        while kept < len(body) and _is_declaration(body[kept]):
            kept += 1
        rest, _ = self.block(body[kept:], None)
        if rest:
            node.body = [*body[:kept], *self.made(_BODY, rest[0], _BODY=rest)]

    def block(self, body: Statements, line: int | None) -> tuple[Statements, int | None]:
        """Statements with probes, where the last one told of a line; and the line after them."""
        result: Statements = []
        for node in body:
            if self.parting is None and _opens_scope(node):
                self.parting = node
            place = self.parting if self.parting is not None and _gives(node) else node
            if _works(node) and place.lineno != line:
                result += self.made(_AT, place)
                line = place.lineno
            made, line = self.statement(node, line)
            result += made
        return result, line

    def statement(self, node: ast.stmt, line: int | None) -> tuple[Statements, int | None]:
        """One statement with probes inside of it, and the line after it, if that is known."""
        if isinstance(node, ast.FunctionDef):
            if node.name.startswith(COMPREHENSION) and not _is_generator(node):
                # A part of this function, which has its own frame and the same lines.
                node.body, _ = self.block(node.body, None)
            else:
                probed(node, self.name)
            return [node], line
        if isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    probed(method, self.name)
            return [node], line
        if isinstance(node, (ast.Assign, ast.Expr)) and isinstance(node.value, ast.Yield):
            return self.made(_YIELD, node, _BODY=[node]), None
        if isinstance(node, (ast.For, ast.While)):
            node.body, last = self.block(node.body, None)
            if isinstance(node, ast.For) and last != node.lineno:
                # The next item is a matter of the loop.
                node.body += self.made(_AT, node)
            node.orelse, _ = self.block(node.orelse, None)
            return [node], None
        if isinstance(node, ast.If):
            node.body, first = self.block(node.body, line)
            node.orelse, second = self.block(node.orelse, line)
            return [node], first if first == second else None
        if isinstance(node, ast.Try):
            node.body, _ = self.block(node.body, line)
            for handler in node.handlers:
                handler.body, _ = self.block(handler.body, None)
            node.orelse, _ = self.block(node.orelse, None)
            node.finalbody, _ = self.block(node.finalbody, None)
            return [node], None
        if isinstance(node, ast.With):
            node.body, _ = self.block(node.body, line)
            return [node], None
        return [node], line


def _opens_scope(node: ast.stmt) -> bool:
    """Whether this is `_sv_s = _sv_Scope()`, which a branch with a `return` inside does first."""
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
        return False
    return node.targets[0].id == "_sv_s" and isinstance(node.value, ast.Call)


def _gives(node: ast.stmt) -> bool:
    """Whether this is `return _sv_s.give(...)[0]`, where paths that have returned are merged."""
    if not isinstance(node, ast.Return) or not isinstance(node.value, ast.Subscript):
        return False
    called = node.value.value
    return (
        isinstance(called, ast.Call)
        and isinstance(called.func, ast.Attribute)
        and called.func.attr in ("give", "escape")
    )


def _is_generator(node: ast.FunctionDef) -> bool:
    inner = [found for found in node.body if isinstance(found, ast.FunctionDef)]
    return any(found.name == "_sv_body" for found in inner)


def _is_declaration(node: ast.stmt) -> bool:
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return True
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _works(node: ast.stmt) -> bool:
    """Whether a statement does anything itself, before those that stand inside of it."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Try)):
        return False
    if isinstance(node, ast.While):
        return False
    parts: list[ast.AST] = [node]
    if isinstance(node, ast.If):
        # Asking for the type of a test costs nothing that is worth a probe.
        return _is_work(node.test) and not _asks_for_type(node.test)
    if isinstance(node, ast.For):
        parts = [node.iter]
    elif isinstance(node, ast.With):
        parts = list(node.items)
    return any(_is_work(part) for part in parts)


def _is_work(node: ast.AST) -> bool:
    return any(isinstance(found, _WORK) for found in ast.walk(node))


def _asks_for_type(test: ast.expr) -> bool:
    if not isinstance(test, ast.Compare):
        return False
    left = test.left
    if isinstance(left, ast.Name):
        return left.id.startswith("_sv_")
    return (
        isinstance(left, ast.Call)
        and isinstance(left.func, ast.Name)
        and left.func.id == "_sv_type"
    )


def with_probe(code: CodeType, probe: object) -> CodeType:
    """Compiled code with the object in the place of what stands for it."""
    constants = [
        with_probe(found, probe)
        if isinstance(found, CodeType)
        else probe
        if isinstance(found, str) and found == PLACEHOLDER
        else found
        for found in code.co_consts
    ]
    return code.replace(co_consts=tuple(constants))
