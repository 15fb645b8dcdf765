"""Which names a piece of a function binds."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

# Type parameters (`def f[T]`) and aliases (`type X = ...`) are of Python 3.12 and newer.
LAZY_TYPES: tuple[type[ast.AST], ...] = tuple(
    getattr(ast, name)
    for name in ("TypeAlias", "TypeVar", "TypeVarTuple", "ParamSpec")
    if hasattr(ast, name)
)

SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def walk(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes, in source order, without the insides of inner functions and classes.

    What is evaluated in the surrounding scope (decorators, defaults, bases) is included.
    """
    stack = list(nodes)
    stack.reverse()
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(_children(node))))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield from node.decorator_list
        yield from node.args.defaults
        yield from (default for default in node.args.kw_defaults if default is not None)
    elif isinstance(node, ast.ClassDef):
        yield from node.decorator_list
        yield from node.bases
        yield from node.keywords
    elif isinstance(node, ast.Lambda):
        yield from node.args.defaults
        yield from (default for default in node.args.kw_defaults if default is not None)
    elif isinstance(node, LAZY_TYPES):
        # What a type alias means is found out when somebody asks.
        if isinstance(node.name, ast.Name):  # type: ignore[attr-defined]
            yield node.name  # type: ignore[attr-defined]
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        yield node.generators[0].iter
        # An assignment expression inside binds in the surrounding function.
        for inner in ast.walk(node):
            if isinstance(inner, ast.NamedExpr):
                yield inner.target
    else:
        yield from ast.iter_child_nodes(node)


# What may be called, or go on, when the path on which it was made is over.
_LASTING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp, *LAZY_TYPES)


def captured_names(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that occur in functions, lambdas and generator expressions inside of statements."""
    return {
        name.id
        for node in nodes
        for inner in ast.walk(node)
        if isinstance(inner, _LASTING)
        for name in ast.walk(inner)
        if isinstance(name, ast.Name)
    }


def bound_names(nodes: Iterable[ast.AST]) -> list[str]:
    """The names that statements bind or delete, in the order of their first occurrence."""
    found: dict[str, None] = {}
    for node in walk(nodes):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found[node.id] = None
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[node.name] = None
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                found[(alias.asname or alias.name).split(".")[0]] = None
        elif (isinstance(node, ast.ExceptHandler) and node.name) or (
            isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name
        ):
            found[node.name] = None
        elif isinstance(node, ast.MatchMapping) and node.rest:
            found[node.rest] = None
    return list(found)


def declared(nodes: Iterable[ast.AST], kind: type[ast.Global] | type[ast.Nonlocal]) -> set[str]:
    """The names that `global` or `nonlocal` statements declare."""
    return {name for node in walk(nodes) if isinstance(node, kind) for name in node.names}


def type_parameters(node: ast.AST) -> dict[str, Any]:
    """The type parameters of a definition, as arguments for another one like it."""
    found = getattr(node, "type_params", None)
    return {} if found is None else {"type_params": found}


def parameters(arguments: ast.arguments) -> list[str]:
    """The names of all parameters."""
    found = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    for extra in (arguments.vararg, arguments.kwarg):
        if extra is not None:
            found.append(extra.arg)
    return found


def leaves(nodes: list[ast.stmt], kinds: tuple[type[ast.stmt], ...]) -> bool:
    """Whether a `break` or `continue` among these statements belongs to a loop around them."""
    for node in nodes:
        if isinstance(node, kinds):
            return True
        if isinstance(node, (ast.For, ast.While)):
            if leaves(node.orelse, kinds):
                return True
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        else:
            for _, value in ast.iter_fields(node):
                if not isinstance(value, list):
                    continue
                inner = [item for item in value if isinstance(item, ast.stmt)]
                inner += [
                    item
                    for handler in value
                    if isinstance(handler, (ast.ExceptHandler, ast.match_case))
                    for item in handler.body
                ]
                if leaves(inner, kinds):
                    return True
    return False
