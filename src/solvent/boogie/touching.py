"""Which expressions contain code expressions, and which of these call procedures.

Where there is no code, nothing depends on whether a condition is assumed or asserted.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.checking import TypedProgram
from solvent.boogie.walking import children, nodes_of


class Touching:
    """What the expressions of one program lead to; bodies of functions belong to their uses."""

    def __init__(self, program: TypedProgram) -> None:
        self.any = bool(program.tables.code_locals)
        bodies = {
            name: list(nodes_of(function.declaration.body))
            for name, function in program.functions.items()
            if self.any and function.declaration.body is not None
        }
        self._code = _Known(_leading(bodies, s.CodeExpr), lambda e: True)
        calling = _leading(bodies, st.Call)
        self._calls = _Known(calling, lambda e: _calls(e, calling))

    def code(self, e: s.Expr) -> bool:
        """Whether there is a code expression in an expression."""
        return self.any and self._code.of(e)

    def function(self, name: str) -> bool:
        """Whether there is one in the body of a function, or where that leads to."""
        return name in self._code.functions

    def calls(self, e: s.Expr) -> bool:
        """Whether there is one that calls a procedure."""
        return self.any and self._calls.of(e)


def _leading(bodies: dict[str, list[s.Node]], kind: type[s.Node]) -> set[str]:
    """The functions whose bodies lead to a kind of node."""
    found = {
        name for name, nodes in bodies.items() if any(isinstance(node, kind) for node in nodes)
    }
    while True:
        more = {
            name
            for name, nodes in bodies.items()
            if name not in found
            and any(isinstance(node, s.Apply) and node.function in found for node in nodes)
        }
        if not more:
            return found
        found |= more


def _calls(e: s.CodeExpr, calling: set[str]) -> bool:
    return any(
        isinstance(node, st.Call) or (isinstance(node, s.Apply) and node.function in calling)
        for node in nodes_of(e)
    )


class _Known:
    """A property of code expressions, and of all expressions around one that has it."""

    def __init__(self, functions: set[str], has: Callable[[s.CodeExpr], bool]) -> None:
        self.functions = functions
        self.has = has
        self.known: dict[s.Expr, bool] = {}

    def of(self, e: s.Expr) -> bool:
        """Whether an expression has it; each is looked at once, and without recursion."""
        stack = [e]
        while stack:
            here = stack[-1]
            below = children(here)
            waiting = [one for one in below if one not in self.known]
            if waiting and here not in self.known:
                stack += waiting
                continue
            stack.pop()
            self.known[here] = (
                any(self.known[one] for one in below)
                or (isinstance(here, s.CodeExpr) and self.has(here))
                or (isinstance(here, s.Apply) and here.function in self.functions)
            )
        return self.known[e]
