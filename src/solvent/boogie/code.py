"""Code expressions: `|{ var x: int; A: x := 1; return x > 0; }|`.

In an assertion a code expression holds if every path through it returns true; in an assumption, as
in Boogie, it holds if some path does.  Where the code decides everything, this is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.bodies import Body
from solvent.boogie.encoding import Encoder
from solvent.boogie.scopes import Scope
from solvent.boogie.sorts import UnsupportedError
from solvent.boogie.symbols import Symbol
from solvent.reach import program as cfg
from solvent.reach.graphs import postorder
from solvent.reach.weakest import call_commands, weakest_precondition
from solvent.terms import not_


class CodeExpressions:
    """Translates the code expressions of a program; calls in them are by contract."""

    def __init__(self, encoder: Encoder, procedure_of: Callable[[str], cfg.Procedure]) -> None:
        self.encoder = encoder
        self.procedure_of = procedure_of

    def __call__(self, e: s.CodeExpr, scope: Scope) -> Any:
        """The term of a code expression."""
        encoder = self.encoder
        symbols = encoder.program.tables.code_locals[e]
        local = {symbol: encoder.bound(symbol, e.position, scope) for symbol in symbols}
        wheres = {
            symbol: symbol.declaration.where
            for symbol in symbols
            if isinstance(symbol.declaration, s.Variable) and symbol.declaration.where is not None
        }
        outside, encoder.boxes.facts = encoder.boxes.facts, {}
        body = _Code(encoder, scope.inside(local), e.body, wheres)
        blocks = self.without_calls(body.run(symbols))
        encoder.boxes.facts = outside
        _check(body, blocks, e)
        found = weakest_precondition(blocks, [*local.values(), *body.held])
        return not_(found) if scope.assumed else found

    def without_calls(self, blocks: dict[str, cfg.Block]) -> dict[str, cfg.Block]:
        """The blocks in which calls are what contracts say."""
        return {label: self.expanded(block) for label, block in blocks.items()}

    def expanded(self, block: cfg.Block) -> cfg.Block:
        commands: list[cfg.Command] = []
        for command in block.commands:
            if isinstance(command, cfg.Call):
                callee = self.procedure_of(command.procedure)
                commands += call_commands(command, callee, next(self.encoder.numbers))
            else:
                commands.append(command)
        return cfg.Block(block.label, tuple(commands), block.targets, block.where)


class _Code(Body):
    """The blocks of a code expression, in which each `return` asserts its value."""

    def __init__(
        self, encoder: Encoder, scope: Scope, body: st.Body, wheres: dict[Symbol, s.Expr]
    ) -> None:
        super().__init__(encoder, scope, body, wheres)
        # That some path returns true is that not all paths return false.
        self.positive = not scope.assumed
        self.returning: set[str] = set()

    def do_Return(self, statement: st.Return) -> None:
        assert statement.value is not None
        assert self.open is not None
        where = statement.position
        value = self.asserted(statement.value) if self.positive else self.encode(statement.value)
        self.emit(cfg.Assert(value if self.positive else not_(value), where), where)
        self.returning.add(self.open.label)
        super().do_Return(statement)


def _check(body: _Code, blocks: dict[str, cfg.Block], e: s.CodeExpr) -> None:
    """There are no loops, and every path ends with `return`."""
    graph = {label: block.targets for label, block in blocks.items()}
    seen: set[str] = set()
    for label in postorder(graph, next(iter(blocks))):
        if any(target not in seen for target in graph[label]):
            raise UnsupportedError(blocks[label].where, "a loop in a code expression has no value")
        if not graph[label] and label not in body.returning:
            raise UnsupportedError(
                e.position, "every path of a code expression must end with 'return'"
            )
        seen.add(label)
