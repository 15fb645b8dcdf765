"""Code expressions: `|{ var x: int; A: x := 1; return x > 0; }|`.

In an assertion a code expression holds if no execution of it returns false; in an assumption, as in
Boogie, it holds if some execution returns true.  Where the code decides everything, this is the
same.  In a statement, code that calls or havocs is run by blocks of its own; elsewhere, as in
contracts and under quantifiers, it is a term, in which a call is what the contract says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.bodies import Body, declared_wheres
from solvent.boogie.encoding import Encoder
from solvent.boogie.scopes import Scope
from solvent.boogie.sorts import UnsupportedError
from solvent.boogie.symbols import Symbol
from solvent.reach import program as cfg
from solvent.reach.graphs import postorder
from solvent.reach.weakest import call_commands, weakest_precondition
from solvent.terms import Bool, not_
from solvent.terms.kinds import Guard, Operand
from solvent.terms.term import Term

# Any value, for code inside of code that is only checked.
UNCHECKED = Bool("unchecked code")


class CodeExpressions:
    """Translates the code expressions of a program."""

    def __init__(self, encoder: Encoder, procedure_of: Callable[[str], cfg.Procedure]) -> None:
        self.encoder = encoder
        self.procedure_of = procedure_of
        # Whether only the blocks matter, and no value of what is inside.
        self.checking = False

    def __call__(self, e: s.CodeExpr, scope: Scope) -> Guard:
        """The value of a code expression in a condition."""
        if self.checking:
            return UNCHECKED
        if scope.runs is not None and self.encoder.is_run(e, scope):
            return scope.runs.run_code(e, scope, not scope.assumed)
        return self.term(e, replace(scope, runs=None))

    def term(self, e: s.CodeExpr, scope: Scope) -> Guard:
        """The term of a code expression."""
        body, blocks, local = self.blocks(e, scope)
        found = weakest_precondition(self.without_calls(blocks, scope), [*local, *body.held])
        return not_(found) if scope.assumed else found

    def check(self, e: s.CodeExpr, scope: Scope) -> None:
        """Check that a code expression has no loops, and that every path ends with `return`."""
        self.checking = True
        try:
            self.blocks(e, replace(scope, runs=None))
        finally:
            self.checking = False

    def blocks(
        self, e: s.CodeExpr, scope: Scope
    ) -> tuple[_Code, dict[str, cfg.Block], tuple[Term, ...]]:
        """The blocks of a code expression, and its variables."""
        encoder = self.encoder
        symbols = encoder.program.tables.code_locals[e]
        local = {symbol: encoder.bound(symbol, e.position, scope) for symbol in symbols}
        outside, encoder.boxes.facts = encoder.boxes.facts, {}
        chosen, encoder.choices = encoder.choices, []
        body = _Code(encoder, scope.inside(local), e.body, declared_wheres(symbols))
        blocks = body.run(symbols)
        encoder.boxes.facts, encoder.choices = outside, chosen
        _check(body, blocks, e)
        return body, blocks, tuple(local.values())

    def without_calls(self, blocks: dict[str, cfg.Block], scope: Scope) -> dict[str, cfg.Block]:
        """The blocks in which calls are what contracts say."""
        return {label: self.expanded(block, scope) for label, block in blocks.items()}

    def expanded(self, block: cfg.Block, scope: Scope) -> cfg.Block:
        """A block without calls; only a procedure without a body does just what it promises."""
        encoder = self.encoder
        commands: list[cfg.Command] = []
        for command in block.commands:
            if not isinstance(command, cfg.Call):
                commands.append(command)
                continue
            if encoder.program.procedures[command.procedure].implementations:
                raise UnsupportedError(
                    command.where,
                    f"{command.procedure} has a body, and calls of it in a code expression are "
                    "followed only in statements, outside of quantifiers, old(..) and contracts",
                )
            callee = self.procedure_of(command.procedure)
            # Here the procedure is entered, and global variables do not change.
            state: dict[Term, Operand] = {}
            for symbol in encoder.program.globals.values():
                variable = encoder.constant(symbol)
                state[variable] = state[cfg.old_value(variable)] = encoder.variable(symbol, scope)
            commands += call_commands(command, callee, next(encoder.numbers), state)
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
        where = statement.position
        value = statement.value
        condition = self.asserted(value) if self.positive else not_(self.assumed(value))
        self.emit(cfg.Assert(condition, where), where)
        assert self.open is not None
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
