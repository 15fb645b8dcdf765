"""What is around the statement that is being rewritten."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from solvent.errors import NotLiftedError
from solvent.lift.rewrite.scoping import leaves
from solvent.vm.values import Value


class Unit:
    """One piece of source that is rewritten as a whole: a function or a module."""

    def __init__(self, filename: str, find: Callable[[str], Value] | None = None) -> None:
        self.filename = filename
        # What the names around it stand for.
        self.find = find
        self.counter = 0
        # The names that it calls as ordinary functions, and whether one depends on its place.
        self.called: set[str] = set()
        self.is_placed = False

    def refuse(self, node: ast.AST, what: str, instead: str = "") -> NoReturn:
        """Report a construct that cannot be lifted, with its position."""
        line = getattr(node, "lineno", 0)
        advice = f"; {instead}" if instead else ""
        raise NotLiftedError(f"{self.filename}:{line}: {what} cannot be lifted{advice}")


@dataclass(frozen=True, slots=True)
class Whole:
    """An expression of Python's own operators that gives an int, or a bool, on ints."""

    # The variables that must be ints.
    names: tuple[str, ...]
    native: ast.expr
    # What is evaluated if they are not.
    otherwise: ast.expr

    @property
    def test(self) -> str:
        """Whether they are."""
        return " and ".join(f"_sv_type({name}) is _sv_int" for name in self.names)


class Loop:
    """A loop of the source around the statement that is being rewritten."""

    def __init__(
        self, number: int, node: ast.For | ast.While, names: tuple[str, ...], later: tuple[str, ...]
    ) -> None:
        inner = [child for child in node.body if not isinstance(child, ast.Continue)]
        self.names = names
        # Those that the `else` clause assigns too.
        self.all_names = tuple(dict.fromkeys((*names, *later)))
        self.scope = f"_sv_l{number}"
        # With an `else` clause, paths that break and paths that finish have scopes of their own.
        self.outer = f"_sv_b{number}" if node.orelse else None
        self.iteration = f"_sv_c{number}" if leaves(inner, (ast.Continue,)) else None
        self.breaks = leaves(node.body, (ast.Break,))
        self.flag = f"_sv_k{number}"


class Wrapper:
    """A generated loop around the statement that is being rewritten: it catches `break`."""


class Protected:
    """A `try` statement of the source around the statement that is being rewritten."""

    def __init__(self, variable: str, final: bool) -> None:
        self.variable = variable
        self.final = final
