"""Statements and expressions that are other Python in disguise.

What is here turns syntax into simpler syntax, which is then rewritten like the user's own:
`with`, `match`, `assert` with a message, chained comparisons, comprehensions.
"""

from __future__ import annotations

import ast
from typing import Any

from solvent.lift.templates import expression, statements


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


def lower_comparisons(node: ast.Compare, rewriter: Any) -> ast.expr:
    """`a < b < c` is `a < b and b < c` with `b` evaluated once."""
    left = node.left
    parts: list[ast.expr] = []
    for place, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
        if place < len(node.ops) - 1 and not isinstance(right, (ast.Name, ast.Constant)):
            name = f"_sv_o{rewriter.number()}"
            held: ast.expr = ast.NamedExpr(ast.Name(name, ast.Store()), right)
            rewriter.locals.add(name)
            rewriter.bound.add(name)
            parts.append(ast.Compare(left, [op], [held]))
            left = ast.Name(name, ast.Load())
        else:
            parts.append(ast.Compare(left, [op], [right]))
            left = right
    result = ast.copy_location(ast.BoolOp(ast.And(), parts), node)
    return ast.fix_missing_locations(result)


def lower_yield_from(node: ast.YieldFrom, number: int) -> list[ast.stmt]:
    """`for item in iterable: yield item`."""
    return statements("for _I in _V:\n    yield _I", node, _I=f"_sv_item{number}", _V=node.value)


WITH = """
_M = _E
_X = _sv_exit_of(_M)
_V = _sv_enter(_M)
_OK = True
try:
    try:
        _BODY
    except _sv_BaseException as _ERR:
        _OK = False
        if not _X(_sv_type(_ERR), _ERR, _ERR.__traceback__):
            raise
finally:
    if _OK:
        _X(None, None, None)
"""


def lower_with(node: ast.With, number: int) -> list[ast.stmt]:
    """The `with` statement as its definition in the language reference."""
    item, *rest = node.items
    body = node.body
    if rest:
        body = [ast.copy_location(ast.With(rest, body), node)]
    value = f"_sv_with_v{number}"
    if item.optional_vars is not None:
        held = ast.copy_location(ast.Name(value, ast.Load()), node)
        bind = ast.copy_location(ast.Assign([item.optional_vars], held), node)
        body = [bind, *body]
    return statements(
        WITH, node, _M=f"_sv_with_m{number}", _E=item.context_expr, _X=f"_sv_with_x{number}",
        _V=value, _OK=f"_sv_with_ok{number}", _ERR=f"_sv_with_e{number}", _BODY=body,
    )  # fmt: skip


def lower_comprehension(node: Any, name: str, rewriter: Any) -> ast.FunctionDef:
    """The inner function that a comprehension is; its argument is the first iterable."""
    result = "_sv_result"
    add = {
        ast.ListComp: "_sv_result.append(_E)",
        ast.SetComp: "_sv_result.add(_E)",
        ast.DictComp: "_sv_key = _K\n_sv_result[_sv_key] = _E",
        ast.GeneratorExp: "yield _E",
    }[type(node)]
    if isinstance(node, ast.DictComp):
        # The key is evaluated before the value.
        body = statements(add, node, _K=node.key, _E=node.value)
    else:
        body = statements(add, node.elt, _E=node.elt)
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
        kind: Any = ast.Nonlocal
        if all(found in rewriter.globals for found in assigned):
            kind = ast.Global
        before.append(ast.copy_location(kind(list(dict.fromkeys(assigned))), node))
    if not isinstance(node, ast.GeneratorExp):
        empty = {ast.ListComp: "[]", ast.SetComp: "_sv_set()", ast.DictComp: "{}"}[type(node)]
        before += statements(f"{result} = {empty}", node)
        body += statements(f"return {result}", node)
    arguments = ast.arguments([], [ast.arg("_sv_source")], None, [], [], None, [])
    ast.fix_missing_locations(ast.copy_location(arguments.args[0], node))
    return ast.copy_location(ast.FunctionDef(name, arguments, [*before, *body], [], None), node)


# --- match ---------------------------------------------------------------------------------------


def lower_match(node: ast.Match, number: int) -> list[ast.stmt]:
    """A chain of `if`s over the patterns."""
    subject = f"_sv_match{number}"
    result = statements("_S = _V", node, _S=subject, _V=node.subject)
    branches: list[ast.stmt] = []
    for case in reversed(node.cases):
        held = ast.copy_location(ast.Name(subject, ast.Load()), case.pattern)
        test, binds = _pattern(case.pattern, held)
        if case.guard is not None:
            # Names that the pattern captures are visible in the guard.
            for name, value in binds:
                target = ast.Name(name, ast.Store())
                always = ast.BoolOp(
                    ast.Or(),
                    [
                        ast.Compare(ast.NamedExpr(target, value), [ast.Is()], [ast.Constant(None)]),
                        ast.Constant(True),
                    ],
                )
                test = _both(
                    test, ast.fix_missing_locations(ast.copy_location(always, case.pattern))
                )
            test = _both(test, case.guard)
            body = list(case.body)
        else:
            body = [
                ast.fix_missing_locations(
                    ast.copy_location(
                        ast.Assign([ast.Name(name, ast.Store())], value), case.pattern
                    )
                )
                for name, value in binds
            ] + list(case.body)
        test = test if test is not None else ast.Constant(True)
        branches = [
            ast.fix_missing_locations(ast.copy_location(ast.If(test, body, branches), case.pattern))
        ]
    return result + branches


def _both(a: ast.expr | None, b: ast.expr) -> ast.expr:
    return b if a is None else ast.copy_location(ast.BoolOp(ast.And(), [a, b]), b)


Binds = list[tuple[str, ast.expr]]


def _pattern(pattern: ast.pattern, subject: ast.expr) -> tuple[ast.expr | None, Binds]:
    """The test of a pattern (None if it always matches) and what it binds."""
    at = pattern
    if isinstance(pattern, ast.MatchValue):
        return expression("_S == _V", at, _S=subject, _V=pattern.value), []
    if isinstance(pattern, ast.MatchSingleton):
        constant = ast.copy_location(ast.Constant(pattern.value), at)
        return expression("_S is _V", at, _S=subject, _V=constant), []
    if isinstance(pattern, ast.MatchAs):
        test, binds = (None, []) if pattern.pattern is None else _pattern(pattern.pattern, subject)
        if pattern.name is not None:
            binds = [*binds, (pattern.name, subject)]
        return test, binds
    if isinstance(pattern, ast.MatchOr):
        tests = [_pattern(found, subject) for found in pattern.patterns]
        if any(binds for _, binds in tests):
            return _alternatives(tests, at)
        alternatives = [test if test is not None else ast.Constant(True) for test, _ in tests]
        return ast.fix_missing_locations(
            ast.copy_location(ast.BoolOp(ast.Or(), alternatives), at)
        ), []
    if isinstance(pattern, ast.MatchSequence):
        return _sequence(pattern, subject)
    if isinstance(pattern, ast.MatchMapping):
        return _mapping(pattern, subject)
    assert isinstance(pattern, ast.MatchClass)
    return _class(pattern, subject)


def _alternatives(
    tests: list[tuple[ast.expr | None, Binds]], at: ast.AST
) -> tuple[ast.expr, Binds]:
    """Alternatives that bind the same names: which one matched decides what they stand for."""
    conditions = [test if test is not None else ast.Constant(True) for test, _ in tests]
    binds: Binds = []
    for name, last in tests[-1][1]:
        value = last
        for (_, found), condition in zip(
            reversed(tests[:-1]), reversed(conditions[:-1]), strict=True
        ):
            value = ast.IfExp(condition, dict(found)[name], value)
        binds.append((name, ast.fix_missing_locations(ast.copy_location(value, at))))
    return ast.fix_missing_locations(ast.copy_location(ast.BoolOp(ast.Or(), conditions), at)), binds


def _combine(first: ast.expr, parts: list[tuple[ast.pattern, ast.expr]]) -> tuple[ast.expr, Binds]:
    test: ast.expr = first
    binds: Binds = []
    for inner, value in parts:
        more, found = _pattern(inner, value)
        if more is not None:
            test = ast.copy_location(ast.BoolOp(ast.And(), [test, more]), inner)
        binds += found
    return test, binds


def _sequence(pattern: ast.MatchSequence, subject: ast.expr) -> tuple[ast.expr, Binds]:
    star = [p for p, found in enumerate(pattern.patterns) if isinstance(found, ast.MatchStar)]
    count = len(pattern.patterns)
    least = ast.Constant(count - 1 if star else count)
    text = "_sv_sequence(_S) and len(_S) >= _N" if star else "_sv_sequence(_S) and len(_S) == _N"
    test = expression(text.replace("len(", "_sv_len("), pattern, _S=subject, _N=least)
    parts: list[tuple[ast.pattern, ast.expr]] = []
    binds: Binds = []
    for place, inner in enumerate(pattern.patterns):
        if isinstance(inner, ast.MatchStar):
            if inner.name is not None:
                after = count - 1 - place
                upper = ast.Constant(-after) if after else ast.Constant(None)
                value = expression(
                    "_sv_list(_S[_A:_B])", inner, _S=subject, _A=ast.Constant(place), _B=upper
                )
                binds.append((inner.name, value))
            continue
        index = place if not star or place < star[0] else place - count
        parts.append((inner, expression("_S[_I]", inner, _S=subject, _I=ast.Constant(index))))
    tested, found = _combine(test, parts)
    return ast.fix_missing_locations(tested), [*found, *binds]


def _mapping(pattern: ast.MatchMapping, subject: ast.expr) -> tuple[ast.expr, Binds]:
    test = expression("_sv_mapping(_S)", pattern, _S=subject)
    parts: list[tuple[ast.pattern, ast.expr]] = []
    for key, inner in zip(pattern.keys, pattern.patterns, strict=True):
        present = expression("_K in _S", inner, _K=key, _S=subject)
        test = ast.copy_location(ast.BoolOp(ast.And(), [test, present]), inner)
        parts.append((inner, expression("_S[_K]", inner, _S=subject, _K=key)))
    tested, binds = _combine(test, parts)
    if pattern.rest is not None:
        keys = ast.Tuple(list(pattern.keys), ast.Load())
        rest = expression("_sv_without(_S, _K)", pattern, _S=subject, _K=keys)
        binds = [*binds, (pattern.rest, rest)]
    return ast.fix_missing_locations(tested), binds


def _class(pattern: ast.MatchClass, subject: ast.expr) -> tuple[ast.expr, Binds]:
    test = expression("_sv_isinstance(_S, _C)", pattern, _S=subject, _C=pattern.cls)
    parts: list[tuple[ast.pattern, ast.expr]] = []
    for place, inner in enumerate(pattern.patterns):
        value = expression(
            "_sv_positional(_S, _C, _I)", inner, _S=subject, _C=pattern.cls, _I=ast.Constant(place)
        )
        parts.append((inner, value))
    for name, inner in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
        present = expression(
            "_sv_hasattr(_S, _N)",
            inner,
            _S=subject,
            _N=ast.copy_location(ast.Constant(name), inner),
        )
        test = ast.copy_location(ast.BoolOp(ast.And(), [test, present]), inner)
        parts.append((inner, ast.copy_location(ast.Attribute(subject, name, ast.Load()), inner)))
    tested, binds = _combine(test, parts)
    return ast.fix_missing_locations(tested), binds
