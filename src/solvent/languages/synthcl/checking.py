"""What a kernel must not do, found in its source.

In OpenCL a vector is a value: after `u = v`, assigning `u.x` leaves `v` alone.  In Python both
names would mean one object.  So a variable of which components are assigned must get its vectors
from expressions that make new ones, and its vectors must not get other names.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from types import FunctionType

from solvent.languages.synthcl.types import SynthCLError


def check_source(function: FunctionType, name: str) -> None:
    """Raise an error if components are assigned of a vector that two variables may share."""
    try:
        lines, start = inspect.getsourcelines(function)
    except (OSError, TypeError):
        # Without source it cannot be lifted either, which then says so.
        return
    tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    where = function.__code__.co_filename
    for found in _elements_assigned(tree):
        raise SynthCLError(
            f"{where}:{start + found.lineno - 1}: in {name}, `{ast.unparse(found)}` is assigned; "
            "load the vector into a variable, assign its component, and store it"
        )
    assigned = set(_assigned_by_component(tree))
    for parameter in inspect.signature(function).parameters:
        assigned.discard(parameter)
    for target, value, line in _assignments(tree):
        for shared in _shared(value):
            if target in assigned or shared in assigned:
                raise SynthCLError(
                    f"{where}:{start + line - 1}: in {name}, `{target} = {ast.unparse(value)}` may "
                    "share a vector of which components are assigned; copy it, as in "
                    f"int4({shared})"
                )


def _elements_assigned(tree: ast.AST) -> Iterator[ast.Attribute]:
    """Components that are assigned of what is no variable: of a copy, so that nothing changes."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and not isinstance(node.value, ast.Name)
        ):
            yield node


def _assigned_by_component(tree: ast.AST) -> Iterator[str]:
    """The variables of which components are assigned."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
        ):
            yield node.value.id


def _assignments(tree: ast.AST) -> Iterator[tuple[str, ast.expr, int]]:
    """The variables that are assigned, with what, and in which line."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            if isinstance(node.target, ast.Name):
                yield node.target.id, node.value, node.lineno
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value, node.lineno
                elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    for one, value in zip(target.elts, node.value.elts, strict=False):
                        if isinstance(one, ast.Name):
                            yield one.id, value, node.lineno


def _shared(value: ast.expr) -> Iterator[str]:
    """The variables whose vector an expression may be, rather than a new one."""
    if isinstance(value, ast.Name):
        yield value.id
    elif isinstance(value, ast.IfExp):
        yield from _shared(value.body)
        yield from _shared(value.orelse)
    elif isinstance(value, ast.NamedExpr):
        yield from _shared(value.value)
    elif isinstance(value, ast.BoolOp):
        for part in value.values:
            yield from _shared(part)
    elif isinstance(value, ast.Call) and _may_return_argument(value.func):
        for part in value.args:
            yield from _shared(part)


def _may_return_argument(function: ast.expr) -> bool:
    """Whether a call may return one of its arguments; a constructor such as `int4` does not."""
    name = function.id if isinstance(function, ast.Name) else ""
    return not name.startswith(("int", "float", "bool", "convert", "abs", "dot"))
