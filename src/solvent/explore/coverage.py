"""Branch coverage: which sides of the branches of a function its paths took in CPython.

A copy of the plain function reports the outcome of each test of `if`, `while`, `assert`, a
conditional expression or a comprehension, of each operand of `and` and `or` that decides, whether
each `for` loop ran and ended, and which `case` matched.  It runs beside the original on every
input, so that what is covered is what CPython did, wherever the test was symbolic or not.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import FunctionType, MethodType

from solvent.errors import NotLiftedError
from solvent.lift import source
from solvent.lift.function import compile_inside, definition, with_code
from solvent.lift.helpers import provide
from solvent.lift.rewrite import Unit
from solvent.lift.rewrite.lowering import copied
from solvent.queries.replay import plain
from solvent.verdicts.rendering import Json
from solvent.vm.values import Value


@dataclass(frozen=True, slots=True)
class Branch:
    """A place of the source where a function decides."""

    line: int
    column: int
    text: str


@dataclass(slots=True)
class Coverage:
    """The sides that were taken of each branch.

    >>> coverage = Coverage((Branch(2, 7, "x > 0"),), {0: {True}})
    >>> print(coverage)
    1 of 2 sides of 1 branches
      line 2: `x > 0` is never false
    """

    branches: tuple[Branch, ...]
    taken: dict[int, set[bool]] = field(default_factory=dict)

    def note(self, number: int, side: bool) -> None:
        """A side was taken."""
        self.taken.setdefault(number, set()).add(side)

    @property
    def sides(self) -> int:
        """How many sides were taken."""
        return sum(map(len, self.taken.values()))

    @property
    def both(self) -> tuple[Branch, ...]:
        """The branches that were taken in both directions."""
        return tuple(b for n, b in enumerate(self.branches) if len(self.taken.get(n, ())) == 2)

    @property
    def missing(self) -> tuple[tuple[Branch, bool], ...]:
        """The sides that no path took."""
        return tuple(
            (branch, side)
            for number, branch in enumerate(self.branches)
            for side in (True, False)
            if side not in self.taken.get(number, ())
        )

    def as_dict(self) -> Json:
        """The coverage for JSON."""
        return {
            "branches": len(self.branches),
            "sides": self.sides,
            "both": [{"line": b.line, "text": b.text} for b in self.both],
            "missing": [{"line": b.line, "text": b.text, "side": side} for b, side in self.missing],
        }

    def __str__(self) -> str:
        total = len(self.branches)
        lines = [f"{self.sides} of {2 * total} sides of {total} branches"]
        for branch, side in self.missing:
            lines.append(f"line {branch.line}: `{branch.text}` is never {str(side).lower()}")
        return "\n  ".join(lines)


class Probed:
    """A function with probes, and what they have seen."""

    def __init__(self, function: Callable[..., Value], inner: FunctionType) -> None:
        node, classes = source.find(inner)
        if isinstance(node, ast.AsyncFunctionDef):
            raise NotLiftedError("an `async` function has no coverage")
        found = definition(copied(node), classes)
        prober = _Prober()
        body = [prober.visit(statement) for statement in found.body]
        code = inner.__code__
        changed = compile_inside(Unit(code.co_filename), found, body, code)
        changed = changed.replace(co_name=code.co_name, co_qualname=code.co_qualname)
        copy = with_code(inner, changed)
        self.function: Callable[..., Value] = copy
        if isinstance(function, MethodType):
            self.function = MethodType(copy, function.__self__)
        self.coverage = Coverage(tuple(prober.branches))

    def __enter__(self) -> Coverage:
        self.token = _ACTIVE.set(self.coverage)
        return self.coverage

    def __exit__(self, *_: object) -> None:
        _ACTIVE.reset(self.token)


def probed(function: Callable[..., Value]) -> Probed | None:
    """The plain function with probes, if its source is known."""
    found = plain(function)
    inner = found.__func__ if isinstance(found, MethodType) else found
    if not isinstance(inner, FunctionType):
        return None
    try:
        return Probed(found, inner)
    except NotLiftedError:
        return None


# What has a place in the source, and what has a test.
Located = ast.expr | ast.stmt | ast.pattern
Tested = ast.If | ast.While | ast.IfExp | ast.Assert


class _Prober(ast.NodeTransformer):
    """Puts probes into the syntax tree of a function."""

    def __init__(self) -> None:
        self.branches: list[Branch] = []

    def number(self, at: Located, text: str | None = None) -> ast.expr:
        """A new branch."""
        text = text or " ".join(ast.unparse(at).split())
        self.branches.append(Branch(at.lineno, at.col_offset + 1, text))
        return ast.Constant(len(self.branches) - 1)

    def probe(self, helper: str, at: Located, *args: ast.expr) -> ast.expr:
        call = ast.Call(ast.Name(helper, ast.Load()), list(args), [])
        return ast.fix_missing_locations(ast.copy_location(call, at))

    def test(self, node: ast.expr) -> ast.expr:
        """An expression of which only the truth counts."""
        if isinstance(node, ast.BoolOp):
            node.values = [self.test(value) for value in node.values]
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self.test(node.operand)
            return node
        if isinstance(node, ast.Constant):
            return node
        number = self.number(node)
        return self.probe("_sv_probe", node, self.visit(node), number)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.BoolOp:
        *deciding, last = node.values
        numbers = [self.number(value) for value in deciding]
        node.values = [
            self.probe("_sv_probe_value", value, self.visit(value), number)
            for value, number in zip(deciding, numbers, strict=True)
        ]
        node.values.append(self.visit(last))
        return node

    def _tested(self, node: Tested) -> Tested:
        test = node.test
        node.test = ast.Constant(None)
        tested = self.test(test)
        self.generic_visit(node)
        node.test = tested
        return node

    visit_If = visit_While = visit_IfExp = visit_Assert = _tested

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        tests, node.ifs = node.ifs, []
        self.generic_visit(node)
        node.ifs = [self.test(test) for test in tests]
        return node

    def visit_For(self, node: ast.For) -> ast.For:
        text = f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
        number = self.number(node, text)
        self.generic_visit(node)
        node.iter = self.probe("_sv_probe_items", node.iter, node.iter, number)
        return node

    def visit_Match(self, node: ast.Match) -> ast.Match:
        always = _is_irrefutable(node.cases[-1])
        refutable = node.cases[:-1] if always else node.cases
        numbers: list[ast.expr] = []
        for case in refutable:
            text = f"case {ast.unparse(case.pattern)}"
            text += f" if {ast.unparse(case.guard)}" if case.guard else ""
            numbers.append(self.number(case.pattern, text))
        self.generic_visit(node)
        if not always:
            node.cases.append(ast.match_case(ast.MatchAs(), None, []))
        for place, case in enumerate(node.cases):
            missed = ast.Tuple(list(numbers[:place]), ast.Load())
            hit = numbers[place] if place < len(numbers) else ast.Constant(None)
            call = self.probe("_sv_probe_case", node, missed, hit)
            case.body.insert(0, ast.copy_location(ast.Expr(call), node))
            ast.fix_missing_locations(ast.copy_location(case.pattern, node))
        return node


def _is_irrefutable(case: ast.match_case) -> bool:
    pattern = case.pattern
    return case.guard is None and isinstance(pattern, ast.MatchAs) and pattern.pattern is None


# --- what functions with probes call --------------------------------------------------------------

_ACTIVE: ContextVar[Coverage | None] = ContextVar("solvent_coverage", default=None)


def _note(number: int, side: bool) -> None:
    coverage = _ACTIVE.get()
    if coverage is not None:
        coverage.note(number, side)


def _probe(value: Value, number: int) -> bool:
    """A test."""
    side = bool(value)
    _note(number, side)
    return side


def _probe_value(value: Value, number: int) -> Value:
    """An operand of `and` or `or` that decides and may be the result."""
    _note(number, bool(value))
    return value


def _probe_items(items: Iterable[Value], number: int) -> Iterator[Value]:
    """What a `for` loop iterates over."""
    for item in items:
        _note(number, True)
        yield item
    _note(number, False)


def _probe_case(missed: tuple[int, ...], hit: int | None) -> None:
    """The case that a `match` statement chose."""
    for number in missed:
        _note(number, False)
    if hit is not None:
        _note(hit, True)


for _function in (_probe, _probe_value, _probe_items, _probe_case):
    provide(f"_sv{_function.__name__}", _function)
