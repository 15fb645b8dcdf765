"""`match` statements, as chains of `if`s over the patterns."""

from __future__ import annotations

import ast

from solvent.lift.rewrite.templates import expression, statements


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
                    "_sv_make_list(_S[_A:_B])", inner, _S=subject, _A=ast.Constant(place), _B=upper
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
