"""Code that stands where a contract stands, so that what it raises is told there.

Expressions of docstrings are compiled with the file and line of the docstring, as plain functions
that have a lifted version; and what raises a violation is a function at the contract's line.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable
from types import CellType, CodeType, FunctionType
from typing import Any

from solvent.errors import ContractError
from solvent.lift.function import compile_function, with_code
from solvent.lift.rewrite import Unit
from solvent.vm.values import Value


def parsed(text: str, file: str, line: int) -> ast.expr:
    """The expression of a contract, with the line where it stands."""
    shown = " ".join(text.split())
    try:
        tree = ast.parse(f"({text}\n)", mode="eval")
    except (SyntaxError, ValueError) as error:
        reason = getattr(error, "msg", str(error))
        raise ContractError(
            f"{file}:{line}: the contract `{shown}` is no Python: {reason}"
        ) from None
    except (RecursionError, MemoryError):
        raise ContractError(f"{file}:{line}: this contract is nested too deeply") from None
    if isinstance(tree.body, _ALWAYS_TRUE) or (
        isinstance(tree.body, ast.Constant) and type(tree.body.value) not in (bool, int)
    ):
        raise ContractError(f"{file}:{line}: the contract `{shown}` is no condition")
    if any(map(_is_interrupted, ast.walk(tree))):
        raise ContractError(f"{file}:{line}: the contract `{shown}` cannot be evaluated at once")
    try:
        # What can be read may still be no Python, such as `[x := 1 for x in xs]`.
        compile(tree, file, "eval", dont_inherit=True)
    except SyntaxError as error:
        raise ContractError(
            f"{file}:{line}: the contract `{shown}` is no Python: {error.msg}"
        ) from None
    ast.increment_lineno(tree, line - 1)
    return tree.body


# Nobody means a condition that is true whatever is in it, such as `post: [_ > 0]`.
_ALWAYS_TRUE = (
    ast.Tuple, ast.List, ast.Set, ast.Dict, ast.JoinedStr, ast.Lambda, ast.GeneratorExp
)  # fmt: skip


def _is_interrupted(node: ast.AST) -> bool:
    """Whether somebody else runs before a node is evaluated."""
    if isinstance(node, ast.comprehension):
        return bool(node.is_async)
    return isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await))


def expression(
    tree: ast.expr,
    parameters: Iterable[str],
    file: str,
    line: int,
    around: dict[str, Value],
    cells: dict[str, CellType],
) -> Callable[..., Value]:
    """A function of the parameters that evaluates an expression where it stands."""
    names = [ast.arg(name) for name in parameters]
    arguments = ast.arguments([], names, None, [], [], None, [])
    body: list[ast.stmt] = [ast.Return(tree)]
    return _made(ast.FunctionDef("contract", arguments, body, []), file, line, around, cells)


@functools.cache
def raiser(file: str, line: int) -> Callable[[Value, Callable[[], BaseException]], None]:
    """A function that raises an error where what it is given is false, at a line of a file."""
    text = "def contract(holds, error):\n    if not holds:\n        raise error()\n"
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.FunctionDef)
    return _made(definition, file, line, {}, {})


def _made(
    definition: ast.FunctionDef,
    file: str,
    line: int,
    around: dict[str, Value],
    cells: dict[str, CellType],
) -> Callable[..., Value]:
    """A plain function whose lines are all one line, and which has a lifted version."""
    for node in ast.walk(definition):
        if isinstance(node, (ast.stmt, ast.expr, ast.arg)):
            node.lineno = node.end_lineno = line
            node.col_offset, node.end_col_offset = 0, 1
    used = {node.id for node in ast.walk(definition) if isinstance(node, ast.Name)}
    own = {found.arg for found in ast.walk(definition.args) if isinstance(found, ast.arg)}
    free = sorted(name for name in cells if name in used - own)
    outer = ast.FunctionDef("around", _arguments(free), [definition], [])
    module = ast.fix_missing_locations(ast.Module([ast.copy_location(outer, definition)], []))
    whole = compile(module, file, "exec", dont_inherit=True)
    code: Any = whole
    for _ in range(2):
        code = next(found for found in code.co_consts if isinstance(found, CodeType))
    closure = tuple(cells[name] for name in code.co_freevars)
    result = FunctionType(code, around, definition.name, None, closure)
    lifted = compile_function(Unit(file), definition, (), code)
    version = with_code(result, lifted)
    result.__dict__["__solvent_lifted__"] = result.__dict__["__solvent_call__"] = version
    return result


def _arguments(names: Iterable[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
