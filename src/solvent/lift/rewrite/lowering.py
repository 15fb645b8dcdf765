"""Statements and expressions that are other Python in disguise.

What is here turns syntax into simpler syntax, which is then rewritten like the user's own:
`with`, `match`, `assert` with a message, chained comparisons, comprehensions.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, TypeVar

from solvent.lift.rewrite.templates import expression, statements

if TYPE_CHECKING:
    from solvent.lift.rewrite.base import Base

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Copied = TypeVar("Copied")


class Rewritten(ast.expr):
    """An expression that is rewritten already."""

    _fields = ("value",)

    def __init__(self, value: ast.expr) -> None:
        super().__init__()
        self.value = value
        ast.copy_location(self, value)


def keyword(node: ast.AST) -> str:
    """What a construct is called in the source."""
    names = {
        "Await": "await", "AsyncFor": "async for", "AsyncWith": "async with",
        "AsyncFunctionDef": "async def", "TryStar": "except*", "Yield": "yield",
        "YieldFrom": "yield from",
    }  # fmt: skip
    return names.get(type(node).__name__, type(node).__name__.lower())


def advice(node: ast.AST) -> str:
    """What to do instead of a construct that is not lifted."""
    if type(node).__name__.startswith(("Await", "Async")):
        return "symbolic execution is for functions that run from start to end; remove `async`"
    return ""


def lower_assert(node: ast.Assert) -> list[ast.stmt]:
    """`if not test: raise AssertionError(message)`."""
    assert node.msg is not None
    return statements("if not _T:\n    raise AssertionError(_M)", node, _T=node.test, _M=node.msg)


def lower_conditional(node: ast.Assign) -> list[ast.stmt]:
    """`x = a if test else b` as a statement, which merges better than a value on its way."""
    value = node.value
    assert isinstance(value, ast.IfExp)
    sides: list[list[ast.stmt]] = []
    for side in (value.body, value.orelse):
        sides.append([ast.copy_location(ast.Assign(node.targets, side), side)])
    if isinstance(value.orelse, ast.IfExp):
        sides[1] = lower_conditional(sides[1][0])  # type: ignore[arg-type]
    return [ast.copy_location(ast.If(value.test, sides[0], sides[1]), node)]


def lower_comparisons(node: ast.Compare, rewriter: Base) -> ast.expr:
    """`a < b < c` is `a < b and b < c` with `b` evaluated once."""
    left = node.left
    parts: list[ast.expr] = []
    for place, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
        if place < len(node.ops) - 1 and not isinstance(right, (ast.Name, ast.Constant)):
            name = f"_sv_o{rewriter.number()}"
            held: ast.expr = ast.NamedExpr(ast.Name(name, ast.Store()), right)
            rewriter.locals.add(name)
            parts.append(ast.Compare(left, [op], [held]))
            left = ast.Name(name, ast.Load())
        else:
            parts.append(ast.Compare(left, [op], [right]))
            left = right
    result = ast.copy_location(ast.BoolOp(ast.And(), parts), node)
    return ast.fix_missing_locations(result)


class Delegated(ast.Yield):
    """A `yield` that stands for `yield from`: a delegate gets what is sent or thrown."""

    def __init__(self, value: ast.expr, delegate: str) -> None:
        super().__init__(value)
        self.delegate = delegate


def lower_yield_from(node: ast.YieldFrom, source: str, item: str) -> list[ast.stmt]:
    """`for item in iterable: yield item`; the source knows what the inner generator returned."""
    given = ast.copy_location(ast.Name(item, ast.Load()), node)
    yielding = ast.copy_location(Delegated(given, source), node)
    return statements(
        "_S = _sv_Delegate(_V)\nfor _I in _S.items():\n    _YIELD", node,
        _S=source, _I=item, _V=node.value,
        _YIELD=[ast.copy_location(ast.Expr(yielding), node)],
    )  # fmt: skip


# Appended at once as long as no path has to be able to undo it and all have as many items.
APPEND = '_sv_append if not _sv_journaling else _sv_method(_sv_result, "append")'
ALIKE = "(not _sv_result or _sv_type(_sv_result[-1]) is not _sv_Maybe)"
APPEND_IF_ALIKE = APPEND.replace("_sv_journaling", f"_sv_journaling and {ALIKE}")

# How each kind of comprehension starts, and how it takes an element.
START = {
    ast.ListComp: "_sv_result = []\n_sv_append = _sv_result.append",
    ast.SetComp: "_sv_result = _sv_set()",
    ast.DictComp: "_sv_result = {}",
}
TAKE = {
    ast.ListComp: "_APPEND(_E)",
    ast.SetComp: "_sv_add_element(_sv_result, _E)",
    ast.DictComp: "_sv_set_entry(_sv_result, _K, _E)",
    ast.GeneratorExp: "yield _E",
}


def lower_comprehension(node: Comprehension, name: str, rewriter: Base) -> ast.FunctionDef:
    """The inner function that a comprehension is; its argument is the first iterable."""
    element = node.value if isinstance(node, ast.DictComp) else node.elt
    holes: dict[str, Any] = {"_K": getattr(node, "key", None), "_E": element}
    if isinstance(node, ast.ListComp):
        # Without a choice between elements, the list has one length wherever the loop is.
        alike = len(node.generators) == 1 and not node.generators[0].ifs
        holes["_APPEND"] = Rewritten(expression(APPEND if alike else APPEND_IF_ALIKE, node))
    body = statements(TAKE[type(node)], element, **holes)
    for place in range(len(node.generators) - 1, -1, -1):
        clause = node.generators[place]
        if clause.is_async:
            rewriter.refuse(node, "`async for`", advice(node))
        for test in reversed(clause.ifs):
            body = [ast.copy_location(ast.If(test, body, []), test)]
        source = clause.iter
        if place == 0:
            source = ast.copy_location(ast.Name("_sv_source", ast.Load()), node)
        body = [ast.copy_location(ast.For(clause.target, source, body, []), node)]
    assigned = [n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)]
    before: list[ast.stmt] = []
    if assigned:
        kind: type[ast.Global] | type[ast.Nonlocal] = ast.Nonlocal
        if all(found in rewriter.globals for found in assigned):
            kind = ast.Global
        before.append(ast.copy_location(kind(list(dict.fromkeys(assigned))), node))
    if not isinstance(node, ast.GeneratorExp):
        start = statements(START[type(node)], node)
        before += [_rewritten(found) for found in start]
        body += statements("return _sv_result", node)
    arguments = ast.arguments([], [ast.arg("_sv_source")], None, [], [], None, [])
    ast.fix_missing_locations(ast.copy_location(arguments.args[0], node))
    return ast.copy_location(ast.FunctionDef(name, arguments, [*before, *body], [], None), node)


def _rewritten(node: ast.stmt) -> ast.stmt:
    """An assignment whose value is rewritten already."""
    assert isinstance(node, ast.Assign)
    return ast.copy_location(ast.Assign(node.targets, Rewritten(node.value)), node)


def lower_handlers(node: ast.Try, number: int) -> ast.Try:
    """Handlers whose classes are computed, as one handler with a chain of `if`s."""
    caught = f"_sv_caught{number}"
    chain: list[ast.stmt] = [ast.Raise(None, None)]
    for handler in reversed(node.handlers):
        test: ast.expr = ast.Constant(True)
        if handler.type is not None:
            test = expression("_sv_matches(_E, _T)", handler, _E=caught, _T=handler.type)
        body = list(handler.body)
        if handler.name:
            bind = ast.Assign([ast.Name(handler.name, ast.Store())], ast.Name(caught, ast.Load()))
            body = [bind, *body, ast.Delete([ast.Name(handler.name, ast.Del())])]
        chain = [ast.copy_location(ast.If(test, body, chain), handler)]
    kind = ast.Name("_sv_BaseException", ast.Load())
    whole = ast.ExceptHandler(kind, caught, chain)
    result = ast.Try(node.body, [ast.copy_location(whole, node)], node.orelse, node.finalbody)
    return ast.fix_missing_locations(ast.copy_location(result, node))


NESTED = """
def _F():
    _DECLARED
    _BODY
    return 0, None
_K, _V = _F()
if _K == 1:
    return _V
"""


def lower_nested(
    node: ast.stmt, number: int, names: list[str], global_names: list[str], first: str | None
) -> list[ast.stmt]:
    """A statement as an inner function that tells how it was left.

    The inner function returns 1 for `return`, 2 for `break`, 3 for `continue`.
    """
    declared: list[ast.stmt] = []
    if names:
        declared.append(ast.copy_location(ast.Nonlocal(names), node))
    if global_names:
        declared.append(ast.copy_location(ast.Global(global_names), node))
    how = f"_sv_how{number}"
    leaving = _Leaving(first)
    body = [leaving.visit(copied(node))]
    result = statements(
        NESTED, node, _F=f"_sv_nested{number}", _DECLARED=declared, _BODY=body, _K=how,
        _V=f"_sv_left{number}",
    )  # fmt: skip
    if not leaving.returns:
        result.pop()
    for code, jump in ((2, ast.Break()), (3, ast.Continue())):
        if code in leaving.jumps:
            test = expression("_K == _N", node, _K=how, _N=ast.Constant(code))
            result.append(
                ast.copy_location(ast.If(test, [ast.copy_location(jump, node)], []), node)
            )
    return [ast.fix_missing_locations(found) for found in result]


class _Leaving(ast.NodeTransformer):
    """Turns what leaves a statement into results of the inner function that it becomes."""

    def __init__(self, first: str | None) -> None:
        self.first = first
        self.loops = 0
        self.returns = False
        self.jumps: set[int] = set()

    def _result(self, code: int, value: ast.expr | None, node: ast.stmt) -> ast.Return:
        parts: list[ast.expr] = [ast.Constant(code), value or ast.Constant(None)]
        result = ast.Return(ast.Tuple(parts, ast.Load()))
        return ast.fix_missing_locations(ast.copy_location(result, node))

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        self.returns = True
        return self._result(1, self.visit(node.value) if node.value else None, node)

    def visit_Break(self, node: ast.Break) -> ast.stmt:
        return node if self.loops else self._jump(2, node)

    def visit_Continue(self, node: ast.Continue) -> ast.stmt:
        return node if self.loops else self._jump(3, node)

    def _jump(self, code: int, node: ast.stmt) -> ast.stmt:
        self.jumps.add(code)
        return self._result(code, None, node)

    def _loop(self, node: ast.For | ast.While) -> ast.stmt:
        self.loops += 1
        node.body = [self.visit(child) for child in node.body]
        self.loops -= 1
        node.orelse = [self.visit(child) for child in node.orelse]
        return node

    visit_For = visit_While = _loop

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            return expression("super(__class__, _S)", node, _S=self.first or "self")
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    visit_Lambda = visit_ClassDef = visit_FunctionDef  # type: ignore[assignment]


def copied(node: Copied) -> Copied:
    """A copy of a syntax tree, with its positions."""
    if isinstance(node, ast.AST):
        result = type(node)(**{name: copied(value) for name, value in ast.iter_fields(node)})
        return ast.copy_location(result, node) if hasattr(node, "lineno") else result
    if isinstance(node, list):
        return [copied(item) for item in node]  # type: ignore[return-value]
    return node
