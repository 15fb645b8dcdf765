"""What is known about the variables of a function before it is translated.

*Counts* are ints that are made of ids, sizes, loop counters and parameters that only say how many
there are: they are far from overflowing.  All other ints are *data*, which wraps around.
*Naturals* are counts that are not negative, whose quotients are the same in Python and in C.

The *places* say where C declares a variable: where it is assigned first if all its uses are in that
block from there on, else at the beginning of the function.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from solvent.languages.synthcl import runtime, types

GEOMETRY = (
    runtime.get_global_id, runtime.get_local_id, runtime.get_group_id, runtime.get_global_size,
    runtime.get_local_size, runtime.get_num_groups, runtime.get_work_dim,
)  # fmt: skip
# Functions whose results are counts if their arguments are.
OF_COUNTS = (
    types.select, types.minimum, types.maximum, types.div, types.rem, types.int_, abs, min, max,
    range,
)  # fmt: skip
OF_NATURALS = (
    ast.Add,
    ast.Mult,
    ast.FloorDiv,
    ast.Mod,
    ast.RShift,
    ast.LShift,
    ast.BitAnd,
    ast.BitOr,
)

Resolve = Callable[[ast.expr], object]


def is_one(found: object, several: tuple[object, ...]) -> bool:
    """Whether an object is one of several, which `in` would compare.

    >>> is_one(max, (min, max)), is_one(True, (1,))
    (True, False)
    """
    return any(found is one for one in several)


class Flow:
    """Which variables of a function are counts, and which of these are never negative."""

    def __init__(
        self, function: ast.FunctionDef, parameters: Mapping[str, object], resolve: Resolve
    ) -> None:
        self.resolve = resolve
        self.assigned = list(assignments(function))
        self.data: set[str] = set()
        self.signed = set(parameters)
        self._spread()
        needed = self._needed(function)
        self.data |= {name for name in parameters if name in needed}
        self._spread()
        self._find_signed()

    def _spread(self) -> None:
        """Data makes data of what is computed from it."""
        before = -1
        while before != len(self.data):
            before = len(self.data)
            self.data |= {name for name, value in self.assigned if not self.is_count(value)}

    def _find_signed(self) -> None:
        before = -1
        while before != len(self.signed):
            before = len(self.signed)
            self.signed |= {name for name, value in self.assigned if not self.is_natural(value)}

    def _needed(self, function: ast.FunctionDef) -> set[str]:
        """The names from which data is computed, directly or not."""
        needed: set[str] = set()
        for tree in data_trees(function, self.is_count):
            needed |= names_outside_of_indices(tree)
        before = -1
        while before != len(needed):
            before = len(needed)
            for name, value in self.assigned:
                if name in needed:
                    needed |= names_outside_of_indices(value)
        return needed

    def is_count(self, node: ast.expr) -> bool:
        """Whether an int is made of counts alone."""
        match node:
            case ast.Constant():
                return True
            case ast.Name():
                return node.id not in self.data
            case ast.Call(func=function, args=args):
                found = self.resolve(function)
                if is_one(found, GEOMETRY):
                    return True
                return is_one(found, OF_COUNTS) and all(map(self.is_count, args))
            case ast.BinOp() | ast.UnaryOp() | ast.IfExp() | ast.Compare() | ast.BoolOp():
                parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
                return all(map(self.is_count, parts))
        return False

    def is_natural(self, node: ast.expr) -> bool:
        """Whether an int is a count that is never negative."""
        match node:
            case ast.Constant(value=value):
                return isinstance(value, int) and value >= 0
            case ast.Name():
                known = self.resolve(node)
                if isinstance(known, int):
                    return known >= 0
                return node.id not in self.data and node.id not in self.signed
            case ast.Call(func=function):
                return is_one(self.resolve(function), GEOMETRY)
            case ast.BinOp(left=left, op=op, right=right):
                return (
                    isinstance(op, OF_NATURALS) and self.is_natural(left) and self.is_natural(right)
                )
            case ast.IfExp(body=body, orelse=other):
                return self.is_natural(body) and self.is_natural(other)
        return False


def assignments(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """The names that are assigned, with what."""
    for node in ast.walk(function):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                for target, value in zip(targets, values, strict=False):
                    if isinstance(target, ast.Name):
                        yield target.id, value
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                yield name, ast.BinOp(ast.Name(name, ast.Load()), op, value)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=args)):
                yield from ((name, value) for value in counted(args))


def counted(args: list[ast.expr]) -> list[ast.expr]:
    """What makes a loop counter data, or negative: its first value, and a step that is not 1."""
    zero: ast.expr = ast.Constant(0)
    return [zero] if len(args) == 1 else [args[0], *args[2:]]


def data_trees(
    function: ast.FunctionDef, is_count: Callable[[ast.expr], bool]
) -> Iterator[ast.expr]:
    """The expressions whose values are data: what is stored or returned, or mixed with data."""
    for node in ast.walk(function):
        match node:
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AugAssign(target=target, value=value)
            ) if not isinstance(target, ast.Name):
                yield value
            case ast.Return(value=ast.expr() as value):
                yield value
            case ast.BinOp() | ast.Compare() | ast.IfExp() | ast.Call() if not is_count(node):
                yield node


def names_outside_of_indices(tree: ast.expr) -> set[str]:
    """The names in an expression, apart from those that are only in indices."""
    found = set()
    rest: list[ast.AST] = [tree]
    while rest:
        node = rest.pop()
        if isinstance(node, ast.Name):
            found.add(node.id)
        rest.extend([node.value] if isinstance(node, ast.Subscript) else ast.iter_child_nodes(node))
    return found


# --- places of declarations ----------------------------------------------------------------------

Path = tuple[tuple[int, int], ...]


class Places:
    """Where the variables of a function are declared."""

    def __init__(self, function: ast.FunctionDef, parameters: Mapping[str, object]) -> None:
        self.declaring: set[tuple[int, str]] = set()
        self.hoisted: list[str] = []
        # Loops whose counters are variables that exist elsewhere, or that the body assigns.
        self.kept: set[int] = set()
        self.uses: dict[str, list[Use]] = {}
        self._walk(function.body, ())
        for name, uses in self.uses.items():
            if not any(use.kind is not READ for use in uses):
                continue
            if name in parameters or not self._place(name, uses):
                if name not in parameters:
                    self.hoisted.append(name)
                self.kept |= {id(use.statement) for use in uses if use.is_loop}

    def _walk(self, block: list[ast.stmt], path: Path) -> None:
        for place, statement in enumerate(block):
            here = (*path, (id(block), place))
            for name, kind in _uses(statement):
                self.uses.setdefault(name, []).append(Use(here, statement, kind))
            for inner in blocks(statement):
                self._walk(inner, here)

    def _place(self, name: str, uses: list[Use]) -> bool:
        """Find the statements that can declare a variable, if all uses are in their scopes."""
        found: list[Use] = []
        kept: set[int] = set()
        for use in uses:
            scope = found[-1] if found else None
            if scope is not None and scope.covers(use.path):
                if scope.is_loop and use.kind is not READ and use.path != scope.path:
                    return False
                if use.is_loop and use.path != scope.path:
                    kept.add(id(use.statement))
            elif use.kind is DECLARATION and not (_is_bare(use.statement) and len(use.path) > 1):
                found.append(use)
            else:
                return False
        self.declaring |= {(id(use.statement), name) for use in found}
        self.kept |= kept
        return True

    def declares(self, statement: ast.stmt, name: str) -> bool:
        """Whether a variable is declared by the statement that assigns it."""
        return (id(statement), name) in self.declaring


READ, WRITE, DECLARATION = "read", "write", "declaration"


@dataclass(frozen=True, slots=True)
class Use:
    """Where a statement uses a variable, and how: it may be able to declare it."""

    path: Path
    statement: ast.stmt
    kind: str

    @property
    def is_loop(self) -> bool:
        """Whether the variable is the counter of a loop."""
        return self.kind is DECLARATION and isinstance(self.statement, ast.For)

    def covers(self, other: Path) -> bool:
        """Whether another use is in the scope of this declaration."""
        depth = len(self.path) - 1
        if len(other) <= depth or other[:depth] != self.path[:depth]:
            return False
        (block, place), (other_block, at) = self.path[depth], other[depth]
        return block == other_block and (at == place if self.is_loop else at >= place)


def _is_bare(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.AnnAssign) and statement.value is None


def blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks inside of a statement."""
    for field in ("body", "orelse"):
        block = getattr(statement, field, None)
        if block:
            yield block


def _uses(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """The variables in a statement itself, with the kind of use; reads come first."""
    reads: list[str] = []
    writes: list[str] = []
    rest: list[ast.AST] = [
        child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)
    ]
    if isinstance(statement, ast.AnnAssign):
        rest.remove(statement.annotation)
    while rest:
        node = rest.pop()
        if isinstance(node, ast.Name):
            (writes if isinstance(node.ctx, ast.Store) else reads).append(node.id)
        rest.extend(ast.iter_child_nodes(node))
    declares = isinstance(statement, (ast.AnnAssign, ast.Assign, ast.For))
    yield from ((name, READ) for name in reads)
    yield from ((name, DECLARATION if declares else WRITE) for name in writes)
