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


def below(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below one in the tree, but for operators and the like.

    As `ast.iter_child_nodes`, in a third of the time: the rewriter does little else than this.
    """
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST) and value._fields:
            found.append(value)
    return found


def all_below(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of some trees, in no order."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        stack += below(node)


def walk(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes, in source order, without the insides of inner functions and classes.

    What is evaluated in the surrounding scope (decorators, defaults, bases) is included.
    """
    stack = list(nodes)
    stack.reverse()
    while stack:
        node = stack.pop()
        yield node
        inner = _around(node) if type(node) in _INNER else below(node)
        inner.reverse()
        stack += inner


def _around(node: ast.AST) -> list[ast.AST]:
    """What belongs to the scope around an inner one."""
    result: list[ast.AST] = []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        result += node.decorator_list
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        result += node.args.defaults
        result += [default for default in node.args.kw_defaults if default is not None]
    elif isinstance(node, ast.ClassDef):
        result += [*node.decorator_list, *node.bases, *node.keywords]
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        result.append(node.generators[0].iter)
        # An assignment expression inside binds in the surrounding function.
        result += [found.target for found in ast.walk(node) if isinstance(found, ast.NamedExpr)]
    elif isinstance(node.name, ast.Name):  # type: ignore[attr-defined]
        # What a type alias means is found out when somebody asks.
        result.append(node.name)  # type: ignore[attr-defined]
    return result


# Nodes whose insides are of another scope, or evaluated later.
_INNER = frozenset((*SCOPES, *LAZY_TYPES))

# What may be called, or go on, when the path on which it was made is over.
_LASTING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp, *LAZY_TYPES)


def captured_names(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that occur in functions, lambdas and generator expressions inside of statements."""
    return {
        name.id
        for inner in all_below(nodes)
        if isinstance(inner, _LASTING)
        for name in all_below((inner,))
        if isinstance(name, ast.Name)
    }


def bound_names(nodes: Iterable[ast.AST]) -> list[str]:
    """The names that statements bind or delete, in the order of their first occurrence."""
    return bound_by(walk(nodes))


def bound_by(nodes: Iterable[ast.AST]) -> list[str]:
    """The names that these very nodes bind or delete."""
    found: dict[str, None] = {}
    for node in nodes:
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
    return declared_by(walk(nodes), kind)


def declared_by(nodes: Iterable[ast.AST], kind: type[ast.Global] | type[ast.Nonlocal]) -> set[str]:
    """The names that those of these very nodes declare."""
    return {name for node in nodes if isinstance(node, kind) for name in node.names}


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


# What may take a path out of the statement that it stands in, to a scope around that.
_LEAVING = (
    ast.Return, ast.Break, ast.Continue, ast.Try, ast.TryStar, ast.With, ast.Yield, ast.YieldFrom,
)  # fmt: skip


def may_leave(nodes: Iterable[ast.AST]) -> bool:
    """Whether a path may leave these nodes other than at their end or with an exception.

    >>> may_leave(ast.parse("x = y or z").body), may_leave(ast.parse("if a:\\n return b").body)
    (False, True)
    """
    return any(isinstance(found, _LEAVING) for node in nodes for found in ast.walk(node))


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
