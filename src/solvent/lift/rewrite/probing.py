"""Probes in rewritten code: which function runs, and at which line of its source it is.

Rewritten statements stand at lines of the source.  Here a probe is put before each that does work
at another line than what ran before it, so that the rewriter itself knows nothing of profiles.
What a loop or a branch does itself, such as merging, is at the line where it starts.

Statements that are light (`light.py`) have one probe together when they run one after the other,
and so has a loop with those that its body begins with: `+point` says that all of their lines are
visited.  Where one of them does more than usual, `-point` says first which line it is.

A probe is a constant, for which the compiler knows a text only: `with_probe` puts the
object itself into the finished code.  Hence the code has the same free variables as without probes,
and can take its place in a function that exists.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import CodeType

from solvent.lift.helpers import COMPREHENSION
from solvent.lift.rewrite.light import Announced, is_light, is_light_statement, is_work, may_end
from solvent.lift.rewrite.templates import expression, statements

Statements = list[ast.stmt]

# What stands for the probe in source, and with other numbers for its points and entries.
PLACEHOLDER = "\0the probe of the profiler "
_IS_PLACEHOLDER = re.compile(re.escape(PLACEHOLDER) + "([0-9]+)")

# `_sv_here` is the number of the activation.
_BODY = """
_sv_here = +_E
try:
    _BODY
finally:
    _E @ _sv_here
"""
_VISITED = "+_P"
_RESUMED = "-_P"
_EACH = "_P.each(_ITEMS, _L, _B)"
# While a generator waits, whoever uses it goes on.
_YIELD = """
_E @ _sv_here
try:
    _BODY
finally:
    _sv_here = -_E
"""

# Names a function: its own, its first line and how many it has.
Naming = Callable[[ast.FunctionDef], int]


@dataclass(slots=True)
class Lines:
    """Lines of a function that are visited together; none stand for the function itself.

    `light` says that nothing but light work is done there, and `first` where a function begins.
    """

    function: int
    lines: list[int]
    light: bool = False
    first: Lines | None = None


@dataclass(frozen=True, slots=True)
class _At:
    """What the probe knows at a place in the code: the line that was visited last, whether it was
    told that this very line goes on, and the lines to which those of light statements can be added.
    """

    line: int | None = None
    told: bool = False
    open: Lines | None = None


_NOWHERE = _At()


def probed(node: ast.FunctionDef, name: Naming) -> list[Lines]:
    """Put probes into a rewritten function and into those inside of it; what their points mean.

    The first number is that of the probe itself.
    """
    made = _Made()
    _Probes(name(node), name, made).function(node)
    return made.points


@dataclass(slots=True)
class _Made:
    points: list[Lines] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)

    def placeholder(self, lines: Lines, at: ast.AST) -> ast.expr:
        """What stands for a point; the lines may become more until all is made."""
        number = self.numbers.get(id(lines))
        if number is None:
            self.points.append(lines)
            number = self.numbers[id(lines)] = len(self.points)
        return ast.copy_location(ast.Constant(f"{PLACEHOLDER}{number}"), at)

    def taken(self, body: Statements) -> Lines | None:
        """The point that statements begin with, which is taken out of them."""
        for place, node in enumerate(body):
            found = _visited(node)
            if found:
                del body[place]
                body[place:place] = [] if body else [ast.copy_location(ast.Pass(), node)]
                return self.points[found - 1]
            if isinstance(node, ast.Try):
                return self.taken(node.body)
            if not isinstance(node, ast.Assign) or is_work(node):
                return None
        return None


class _Probes:
    def __init__(self, number: int, name: Naming, points: _Made) -> None:
        self.number = number
        self.name = name
        self.points = points
        self.entry = Lines(number, [])
        self.exact: dict[int, Lines] = {}
        # The first branch with a `return` inside: paths that left there meet at the end.
        self.parting: ast.stmt | None = None

    def entering(self, text: str, at: ast.stmt, body: Statements) -> Statements:
        """Statements that enter and leave the function."""
        entry = self.points.placeholder(self.entry, at)
        return statements(text, at, _E=entry, _BODY=body)

    def line(self, number: int) -> Lines:
        """The point of a single line."""
        return self.exact.setdefault(number, Lines(self.number, [number]))

    def told(self, text: str, lines: Lines, at: ast.stmt) -> Statements:
        """The statement that says that lines are visited, or that one goes on."""
        return statements(text, at, _P=self.points.placeholder(lines, at))

    def function(self, node: ast.FunctionDef) -> None:
        """Put probes into the body of a function."""
        body = node.body
        kept = 0
        while kept < len(body) and _is_declaration(body[kept]):
            kept += 1
        rest, _ = self.block(body[kept:], _NOWHERE)
        if rest:
            self.entry.first = self.points.taken(rest)
            node.body = [*body[:kept], *self.entering(_BODY, rest[0], rest)]

    def block(self, body: Statements, here: _At) -> tuple[Statements, _At]:
        """Statements with probes, and what the probe knows after them."""
        result: Statements = []
        for node in body:
            if self.parting is None and _opens_scope(node):
                self.parting = node
            if is_work(node) and is_light_statement(node):
                made, here = self.light(node, here)
            else:
                if _works(node):
                    gives = self.parting is not None and _gives(node)
                    probes, here = self.heavy(self.parting if gives else node, here)
                    result += probes
                made, here = self.statement(node, here)
            result += made
        return result, here

    def heavy(self, place: ast.stmt | None, here: _At) -> tuple[Statements, _At]:
        """What comes before a statement that may do anything."""
        assert place is not None
        line = place.lineno
        if here.line != line:
            return self.told(_VISITED, self.line(line), place), _At(line, True)
        probes = [] if here.told else self.told(_RESUMED, self.line(line), place)
        return probes, _At(line, True)

    def light(self, node: ast.stmt, here: _At) -> tuple[Statements, _At]:
        """A statement that usually is not worth a probe of its own."""
        line, lines = node.lineno, here.open
        result: Statements = []
        if here.line != line:
            if lines is None:
                lines = Lines(self.number, [], light=True)
                result += self.told(_VISITED, lines, node)
            lines.lines.append(line)
            here = _At(line, False, lines)
        self.announce(node, line)
        if may_end(node):
            here = replace(here, open=None)
        # It may have done what is not usual, at its line.
        return [*result, node], here

    def announce(self, node: ast.stmt, line: int) -> None:
        """Let a light statement say where it is before it does what is not usual."""
        if isinstance(node, ast.If):
            for part in node.body:
                self.announce(part, line)
            node.orelse, _ = self.block(node.orelse, _At(line))
            return
        at = self.line(line)
        Announced(lambda: expression(_RESUMED, node, _P=self.points.placeholder(at, node))).visit(
            node
        )

    def statement(self, node: ast.stmt, here: _At) -> tuple[Statements, _At]:
        """One statement with probes inside of it, and what the probe knows after it."""
        if isinstance(node, ast.FunctionDef):
            self.inner(node)
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    _Probes(self.name(method), self.name, self.points).function(method)
        elif isinstance(node, (ast.Assign, ast.Expr)) and isinstance(node.value, ast.Yield):
            return self.entering(_YIELD, node, [node]), _NOWHERE
        elif isinstance(node, (ast.For, ast.While)):
            self.loop(node)
            here = _NOWHERE
        elif isinstance(node, ast.If):
            here = self.branch(node, here)
        elif isinstance(node, ast.Try):
            node.body, _ = self.block(node.body, replace(here, open=None))
            for handler in node.handlers:
                handler.body, _ = self.block(handler.body, _NOWHERE)
            node.orelse, _ = self.block(node.orelse, _NOWHERE)
            node.finalbody, _ = self.block(node.finalbody, _NOWHERE)
            here = _NOWHERE
        elif isinstance(node, ast.With):
            node.body, _ = self.block(node.body, replace(here, open=None))
            here = _NOWHERE
        return [node], here

    def inner(self, node: ast.FunctionDef) -> None:
        """A function in this one."""
        if node.name.startswith(COMPREHENSION) and not _is_generator(node):
            # A part of this function, which has its own frame and the same lines.
            node.body, _ = self.block(node.body, _NOWHERE)
        else:
            _Probes(self.name(node), self.name, self.points).function(node)

    def loop(self, node: ast.For | ast.While) -> None:
        """A loop; to take the next item is a matter of its line."""
        if isinstance(node, ast.For):
            body = Lines(self.number, [node.lineno], light=True)
            node.iter = expression(
                _EACH, node, _P=ast.copy_location(ast.Constant(f"{PLACEHOLDER}0"), node),
                _ITEMS=node.iter, _L=self.points.placeholder(self.line(node.lineno), node),
                _B=self.points.placeholder(body, node),
            )  # fmt: skip
            node.body, _ = self.block(node.body, _At(node.lineno, False, body))
        else:
            node.body, _ = self.block(node.body, _NOWHERE)
        node.orelse, _ = self.block(node.orelse, _NOWHERE)

    def branch(self, node: ast.If, here: _At) -> _At:
        """What the probe knows after a branch."""
        closed = replace(here, open=None)
        node.body, first = self.block(node.body, closed)
        node.orelse, second = self.block(node.orelse, closed)
        line = first.line if first.line == second.line else None
        # What is added afterwards must not be left out when this was.
        stays = here.open if line == here.line and not may_end(node) else None
        return _At(line, first.told and second.told and line is not None, stays)


def _visited(node: ast.stmt) -> int:
    """The number of the point that a statement visits, if that is what it is."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.UnaryOp):
        return 0
    operand = node.value.operand
    if not isinstance(node.value.op, ast.UAdd) or not isinstance(operand, ast.Constant):
        return 0
    known = _IS_PLACEHOLDER.fullmatch(str(operand.value))
    return 0 if known is None else int(known[1])


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
        return is_work(node.test) and not (_asks_for_type(node.test) or is_light(node.test))
    if isinstance(node, ast.For):
        parts = [node.iter]
    elif isinstance(node, ast.With):
        parts = list(node.items)
    return any(is_work(part) for part in parts)


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


def with_probe(code: CodeType, probes: Sequence[object]) -> CodeType:
    """Compiled code with the probe and its points in the places of what stands for them."""

    def found(constant: object) -> object:
        if isinstance(constant, CodeType):
            return with_probe(constant, probes)
        known = _IS_PLACEHOLDER.fullmatch(constant) if isinstance(constant, str) else None
        return constant if known is None else probes[int(known[1])]

    return code.replace(co_consts=tuple(found(constant) for constant in code.co_consts))
