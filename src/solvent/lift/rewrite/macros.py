"""Calls that depend on their place in the source, or evaluate only one of their arguments.

What the function of a call stands for is looked up when the function around it is lifted: in its
closure, in its module, and in modules that those name.  If it is `Placed`, the call is given its
place; if it is lazy too, `f(a, b, c)` becomes

    a if picks(f, place, 3, 0) else b if picks(f, place, 3, 1) else c
"""

from __future__ import annotations

import ast
import builtins
import importlib
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING

from solvent.lift.registry import Place, Placed, placed
from solvent.lift.rewrite.scoping import bound_names, declared, parameters
from solvent.vm.values import Value

if TYPE_CHECKING:
    from solvent.lift.rewrite.calls import Calls

Lookup = Callable[[str], Value]


class _Nothing:
    """A name that stands for nothing yet."""


NOTHING = _Nothing()


def lookup_in(function: FunctionType) -> Lookup:
    """What the names around a function stand for."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    namespace = function.__globals__

    def find(name: str) -> Value:
        if name in cells:
            try:
                return cells[name].cell_contents
            except ValueError:
                return NOTHING
        return namespace.get(name, getattr(builtins, name, NOTHING))

    return find


def of_imports(tree: ast.AST) -> Lookup:
    """What the names of a module that is not imported yet stand for, as far as Solvent's go."""
    known: dict[str, Value] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "solvent":
                    found = _imported(alias.name if alias.asname else "solvent")
                    known[alias.asname or "solvent"] = found
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "solvent":
            module = _imported(node.module or "")
            for alias in node.names:
                if alias.name == "*":
                    known.update({name: getattr(module, name) for name in module.__all__})
                else:
                    known[alias.asname or alias.name] = getattr(module, alias.name, NOTHING)
        elif (
            isinstance(node, ast.Assign)
            and isinstance(node.value, (ast.Name, ast.Attribute))
            and isinstance(node.targets[0], ast.Name)
        ):
            # `pick = choose`
            found = resolved(node.value, lambda name: known.get(name, NOTHING))
            if found is not NOTHING:
                known[node.targets[0].id] = found
    return lambda name: known.get(name, NOTHING)


def _imported(name: str) -> Value:
    try:
        return importlib.import_module(name)
    except ImportError:
        return NOTHING


def variant(function: FunctionType) -> tuple[str, ...]:
    """The closure variables that decide how a function is lifted."""
    names = function.__code__.co_freevars
    if not names:
        return ()
    find = lookup_in(function)
    return tuple(name for name in names if placed(find(name)) is not None)


def resolved(node: ast.expr, find: Lookup) -> Value:
    """What a name, or a name in a module, stands for."""
    name = dotted(node)
    return NOTHING if name is None else _value_of(name, find)


def stands_for(name: str, find: Lookup) -> Placed | None:
    """How a function is called that depends on the place, by its name, which may have dots."""
    return placed(_value_of(name, find))


def dotted(node: ast.expr) -> str | None:
    """A name, or a name in a module, as it is written."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join((node.id, *reversed(parts))) if isinstance(node, ast.Name) else None


def _value_of(name: str, find: Lookup) -> Value:
    first, *others = name.split(".")
    found = find(first)
    for part in others:
        if not isinstance(found, ModuleType):
            return NOTHING
        if found.__name__ == "solvent":
            # It imports its names when they are asked for.
            found = getattr(found, part, NOTHING)
        else:
            found = vars(found).get(part, NOTHING)
    return found


def place_of(node: ast.Call, filename: str) -> Place:
    """The place of a call, as the bytecode compiler sees it."""
    found = node.func
    if isinstance(found, ast.Attribute) and found.lineno != found.end_lineno:
        # A chain of attributes over several lines is where its last name is.
        assert found.end_lineno is not None
        assert found.end_col_offset is not None
        return filename, found.end_lineno, found.end_col_offset - len(found.attr.encode())
    return filename, node.lineno, node.col_offset


def rewritten(rewriter: Calls, node: ast.Call) -> ast.expr | None:
    """A call that depends on its place, rewritten; `None` for any other."""
    find = rewriter.unit.find
    if find is None:
        return None
    name = dotted(node.func)
    if name is None or not rewriter.is_global(name.partition(".")[0]):
        return None
    known = stands_for(name, find)
    if known is None:
        rewriter.unit.called.add(name)
        return None
    rewriter.unit.is_placed = True
    place = ast.Constant(place_of(node, rewriter.unit.filename))  # type: ignore[arg-type]
    result: ast.expr
    if is_lazy(node, known):
        result = conditional(node, rewriter.unit.filename)
    else:
        function = _helper("_sv_at", [node.func, place], node)
        result = ast.copy_location(ast.Call(function, node.args, node.keywords), node)
    return rewriter.expr(result)


def is_lazy(node: ast.Call, known: Placed) -> bool:
    """Whether only one argument of a call is evaluated: it must be seen which there are."""
    simple = not node.keywords and not any(isinstance(a, ast.Starred) for a in node.args)
    return known.lazy and simple and len(node.args) > 1 and not all(map(_is_literal, node.args))


def _is_literal(node: ast.expr) -> bool:
    """Whether it makes no difference when, and whether at all, an argument is evaluated."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = node.operand
        return isinstance(inner, ast.Constant) and isinstance(inner.value, (int, float))
    return isinstance(node, ast.Constant)


def conditional(node: ast.Call, filename: str) -> ast.expr:
    """A lazy call as conditional expressions."""
    place = ast.Constant(place_of(node, filename))  # type: ignore[arg-type]
    *first, result = node.args
    for which in range(len(first) - 1, -1, -1):
        numbers = [ast.Constant(len(node.args)), ast.Constant(which)]
        test = _helper("_sv_picks", [node.func, place, *numbers], first[which])
        result = ast.copy_location(ast.IfExp(test, first[which], result), first[which])
    return result


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def local_names(node: ast.AST) -> set[str]:
    """The names that are local in a node: a function or a comprehension has some."""
    if isinstance(node, _LOOPS):
        return set(bound_names([clause.target for clause in node.generators]))
    if isinstance(node, _FUNCTIONS):
        body = node.body if isinstance(node.body, list) else [node.body]
        names = {*parameters(node.args), *bound_names(body)}
        return names - declared(body, ast.Global) - declared(body, ast.Nonlocal)
    return set()


def _helper(name: str, arguments: list[ast.expr], at: ast.AST) -> ast.expr:
    called = ast.Call(ast.Name(name, ast.Load()), arguments, [])
    return ast.fix_missing_locations(ast.copy_location(called, at))
