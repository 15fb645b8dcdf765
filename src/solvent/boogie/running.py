"""Bodies of procedures in which code expressions are run by blocks of their own.

What a code expression calls or havocs cannot be said by a term without quantifiers.  Its statements
are written before the command that needs its value: so every engine follows its calls and choices
as it follows all others.  Where a condition may do without the value, as in `x > 0 ==> code`, there
is another way around the code, with the value that makes the condition weakest: true in an
assertion, false in an assumption.  So code without any execution stops nothing but itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.bodies import Body, declared_wheres
from solvent.boogie.encoding import Encoder
from solvent.boogie.scopes import Scope
from solvent.boogie.sorts import UnsupportedError
from solvent.boogie.symbols import Symbol
from solvent.reach import program as cfg
from solvent.reach.positions import Position
from solvent.terms import Bool, BoolTerm
from solvent.terms.kinds import Guard


@dataclass(frozen=True, slots=True)
class _Code:
    """The code expression that is being written: its labels, and where it leaves its value."""

    prefix: str
    result: BoolTerm
    after: str


class RunningBody(Body):
    """Writes the blocks of one body, and those of the code expressions in it."""

    def __init__(
        self,
        encoder: Encoder,
        scope: Scope,
        body: st.Body,
        wheres: Mapping[Symbol, s.Expr],
        typing: Mapping[Symbol, Guard] | None = None,
    ) -> None:
        self.code: _Code | None = None
        super().__init__(encoder, scope, body, wheres, typing)

    def inside(self, scope: Scope) -> Scope:
        """The scope of statements, in which code can be run."""
        return replace(super().inside(scope), runs=self)

    def label(self, name: str) -> str:
        """The block of a label; a colon keeps those of code expressions apart."""
        return name if self.code is None else f"{self.code.prefix}:{name}"

    # --- running ---

    def run_code(self, e: s.CodeExpr, scope: Scope, otherwise: bool | None) -> BoolTerm:
        """A variable with what an execution of the code returns, or perhaps with another value."""
        self.encoder.check_code(e, scope)
        result = self.hold("code")
        after = self.alternative(result, otherwise, e.position)
        self.write(e, scope, _Code(self.fresh("_Code"), result, after))
        self.begin(after, e.position, placed=True)
        return result

    def write(self, e: s.CodeExpr, scope: Scope, code: _Code) -> None:
        """Write the statements of a code expression."""
        where = e.position
        symbols = self.program.tables.code_locals[e]
        local = {symbol: self.encoder.bound(symbol, where, scope) for symbol in symbols}
        self.held += local.values()
        before = self.scope, self.wheres, self.code
        self.scope = self.inside(scope.inside(local))
        self.wheres = {**self.wheres, **declared_wheres(symbols)}
        self.code = code
        if local:
            self.emit(cfg.Havoc(tuple(local.values()), where), where)
        self.assume_wheres(symbols, where)
        self.statements(e.body.statements)
        if self.open is not None:
            # Nothing gets here: every path has returned.
            self.emit(cfg.Assume(False, where), where)
            self.finish((code.after,), where)
        self.scope, self.wheres, self.code = before

    def unit(self, make: Callable[[], Guard], assumed: bool, position: Position) -> BoolTerm:
        """A variable with a condition, or with the value that makes it weakest."""
        result = self.hold("condition")
        after = self.alternative(result, not assumed, position)
        value = make()
        self.choose_all()
        self.emit(cfg.Assign((result,), (value,), position), position)
        self.jump(after, position)
        self.begin(after, position, placed=True)
        return result

    def alternative(self, result: BoolTerm, otherwise: bool | None, where: Position) -> str:
        """Start a side on which a value is computed; on the other one, if any, it is given."""
        self.facts(where)
        after = self.fresh("_After")
        if otherwise is not None:
            computed, given = self.fresh("_Run"), self.fresh("_Else")
            self.finish((computed, given), where)
            self.begin(given, where, placed=True)
            self.emit(cfg.Assign((result,), (otherwise,), where), where)
            self.jump(after, where)
            self.begin(computed, where, placed=True)
        return after

    def hold(self, name: str) -> BoolTerm:
        """A new variable for a condition."""
        made = Bool(f"{name} {next(self.encoder.numbers)}")
        self.held.append(made)
        return made

    # --- statements of code expressions ---

    def thread(self, where: Position) -> None:
        """Refuse what only threads do in code, whose value is computed at once."""
        if self.code is not None:
            raise UnsupportedError(where, "a code expression cannot start threads or yield")
        super().thread(where)

    def do_Assert(self, statement: st.Assert) -> None:
        if self.code is None:
            super().do_Assert(statement)
            return
        # If it fails, the value may be anything.
        where = statement.position
        holds, fails = self.tests(statement.condition, where)
        passed, failed = self.fresh("_Passed"), self.fresh("_Failed")
        self.finish((passed, failed), where)
        self.begin(failed, where, placed=True)
        self.assume(fails, where)
        self.emit(cfg.Havoc((self.code.result,), where), where)
        self.jump(self.code.after, where)
        self.begin(passed, where, placed=True)
        self.assume(holds, where)

    def do_Return(self, statement: st.Return) -> None:
        if self.code is None:
            super().do_Return(statement)
            return
        assert statement.value is not None
        where = statement.position
        value = self.value(statement.value)
        self.emit(cfg.Assign((self.code.result,), (value,), where), where)
        self.finish((self.code.after,), where)
