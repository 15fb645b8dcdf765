"""Type checking of statements and declarations, and what a procedure may assign to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.symbols import ImplementationSymbol, Kind, ProcedureSymbol, Symbol
from solvent.boogie.typecheck import ExpressionChecker
from solvent.boogie.types import (
    UNKNOWN,
    Type,
    TypeVariable,
    proxy,
    pruned,
    substitute,
)
from solvent.boogie.unification import unify


class StatementChecker(ExpressionChecker):
    """Checks bodies; `frame` holds the global variables that the current one may modify."""

    frame: frozenset[Symbol] = frozenset()

    def body(self, body: st.Body, modifies: Iterable[Symbol]) -> None:
        """Check a body that may modify some global variables."""
        self.frame = frozenset(modifies)
        self.wheres(body.locals)
        self._block(body.statements)

    def code(self, e: s.CodeExpr) -> None:
        """Check the statements of a code expression, which may change its own locals only."""
        outer, self.frame = self.frame, frozenset()
        self.wheres(e.body.locals)
        self._block(e.body.statements)
        self.frame = outer

    def wheres(self, variables: Sequence[s.Variable]) -> None:
        """Check the where clauses and attributes of variables."""
        for variable in variables:
            self.attributes(variable.attributes)
            if variable.where is not None:
                self.check_bool(variable.where, "where clauses", variable.position)

    def _block(self, statements: st.Block) -> None:
        for statement in statements:
            if isinstance(statement, st.If):
                self._if(statement)
            elif isinstance(statement, st.While):
                self.attributes(statement.attributes)
                self._guard(statement, "the condition of a while statement")
                for each in statement.invariants:
                    self.attributes(each.attributes)
                    self.check_bool(each.condition, "loop invariants", each.position)
                self._block(statement.body)
            else:
                self._simple(statement)

    def _guard(self, statement: st.If | st.While, what: str) -> None:
        if statement.condition is not None:
            self.check_bool(statement.condition, what, statement.condition.position)

    def _if(self, statement: st.If) -> None:
        while True:
            self.attributes(statement.attributes)
            self._guard(statement, "the condition of an if statement")
            self._block(statement.then)
            otherwise = statement.otherwise or ()
            if len(otherwise) == 1 and isinstance(otherwise[0], st.If):
                statement = otherwise[0]
                continue
            self._block(otherwise)
            return

    def _simple(self, statement: st.Statement) -> None:
        if isinstance(statement, st.Assert):
            self.attributes(statement.attributes)
            self.check_bool(statement.condition, "an asserted expression", statement.position)
        elif isinstance(statement, st.Assume):
            self.attributes(statement.attributes)
            self.check_bool(statement.condition, "an assumed expression", statement.position)
        elif isinstance(statement, st.Assign):
            self._assign(statement)
        elif isinstance(statement, st.Call):
            self._call(statement)
        elif isinstance(statement, st.Parallel):
            self.attributes(statement.attributes)
            for call in statement.calls:
                self._call(call)
        elif isinstance(statement, st.Havoc):
            self.attributes(statement.attributes)
            for variable in statement.variables:
                self._check_assignable(variable)
        elif isinstance(statement, st.Return):
            self.attributes(statement.attributes)
            if statement.value is not None:
                self.check_bool(statement.value, "a returned expression", statement.position)
        elif isinstance(statement, (st.Goto, st.Break, st.Yield)):
            self.attributes(statement.attributes)

    # Assignments ---------------------------------------------------------------------------------

    def _check_assignable(self, variable: s.Identifier) -> Type:
        """Check that a statement may assign to a variable; the result is its type."""
        self.check(variable)
        symbol = self.tables.symbols.get(variable)
        if symbol is None:
            return UNKNOWN
        if not symbol.kind.mutable:
            self.error(variable, f"command assigns to an immutable variable: {symbol.name}")
        elif symbol.kind is Kind.GLOBAL and symbol not in self.frame:
            self._outside_frame(variable, symbol)
        return symbol.type

    def _outside_frame(self, node: s.Node, symbol: Symbol) -> None:
        message = "command assigns to a global variable that is not in the enclosing procedure's"
        self.error(node, f"{message} modifies clause: {symbol.name}")

    def _assign(self, statement: st.Assign) -> None:
        self.attributes(statement.attributes)
        for value in statement.values:
            self.check(value)
        targets = [self._target(target) for target in statement.targets]
        if len(targets) != len(statement.values):
            message = "number of left-hand sides does not match number of right-hand sides"
            self.error(statement, message)
            return
        for target, type_, value in zip(statement.targets, targets, statement.values, strict=True):
            found = pruned(self.types[value])
            if not unify(type_, found):
                message = f"mismatched types in assignment command (cannot assign {found} to"
                self.error(target, f"{message} {type_})")

    def _target(self, target: st.Target) -> Type:
        """The type of what may be assigned to a target."""
        type_ = self._check_assignable(target.variable)
        instances: tuple[Type, ...] = ()
        for indices in target.indices:
            for index in indices:
                self.check(index)
            expected, result = self.opened(target, type_, indices, "map assignment")
            self.arguments(target, indices, expected, "map assignment")
            # Each pair of brackets may instantiate type variables of its own.
            instances += self.tables.instances.pop(target, ())
            type_ = result
        if instances:
            self.tables.instances[target] = instances
        return type_

    def _call(self, statement: st.Call) -> None:
        self.attributes(statement.attributes)
        for argument in statement.arguments:
            self.check(argument)
        given = [self._check_assignable(result) for result in statement.results]
        procedure = self.tables.procedures.get(statement.procedure)
        if procedure is None:
            return
        fresh = [proxy(each.name) for each in procedure.type_parameters]
        replacement: dict[TypeVariable, Type] = {
            **dict(zip(procedure.type_parameters, fresh, strict=True))
        }
        self.instance(statement, fresh)
        expected = [substitute(each.type, replacement) for each in procedure.parameters]
        what = f"call to {procedure.name}"
        self.arguments(statement, statement.arguments, expected, what)
        self._results(statement, procedure, given, replacement)
        for symbol in procedure.modifies:
            if symbol not in self.frame:
                self._outside_frame(statement, symbol)

    def _results(
        self,
        statement: st.Call,
        procedure: ProcedureSymbol,
        given: Sequence[Type],
        replacement: dict[TypeVariable, Type],
    ) -> None:
        what = f"call to {procedure.name}"
        if len(given) != len(procedure.results):
            counts = f"{len(given)} instead of {len(procedure.results)}"
            self.error(statement, f"wrong number of result variables in {what}: {counts}")
            return
        for at, (type_, result) in enumerate(zip(given, procedure.results, strict=True)):
            wanted = substitute(result.type, replacement)
            if not unify(wanted, type_):
                message = f"invalid type for out-parameter {at} in {what}: {type_}"
                self.error(statement.results[at], f"{message} (expected: {wanted})")

    # Declarations --------------------------------------------------------------------------------

    def declaration(self, declaration: st.Declaration) -> None:
        """Check everything inside a declaration, except bodies of procedures."""
        if isinstance(declaration, st.GlobalDecl):
            self.wheres([declaration.variable])
            return
        if isinstance(declaration, st.AxiomDecl):
            self.check_bool(declaration.condition, "axioms", declaration.position)
        elif isinstance(declaration, st.ConstantDecl):
            self._constant(declaration)
        elif isinstance(declaration, st.FunctionDecl):
            self._function(declaration)
        elif isinstance(declaration, st.ProcedureDecl):
            self.wheres(declaration.parameters)
            self.wheres(declaration.results)
            self._contract(declaration)
        elif isinstance(declaration, st.ImplementationDecl):
            self.wheres(declaration.parameters)
            self.wheres(declaration.results)
        assert isinstance(declaration, _WITH_ATTRIBUTES)
        self.attributes(declaration.attributes)

    def _constant(self, declaration: st.ConstantDecl) -> None:
        own = self.tables.symbols[declaration].type
        for parent in declaration.parents or ():
            found = self.check(parent.name)
            if not unify(own, found):
                message = f"parent of constant has incompatible type ({found} instead of {own})"
                self.error(parent, message)

    def _function(self, declaration: st.FunctionDecl) -> None:
        self.wheres((*declaration.parameters, declaration.result))
        if declaration.body is None:
            return
        found = self.check(declaration.body)
        expected = self.tables.symbols[declaration.result].type
        if not unify(found, expected):
            message = f"function body with invalid type: {found} (expected: {expected})"
            self.error(declaration.body, message)

    def _contract(self, declaration: st.ProcedureDecl) -> None:
        for clause in declaration.contract:
            if isinstance(clause, st.Requires):
                self.attributes(clause.attributes)
                self.check_bool(clause.condition, "preconditions", clause.position)
            elif isinstance(clause, st.Ensures):
                self.attributes(clause.attributes)
                self.check_bool(clause.condition, "postconditions", clause.position)
            elif isinstance(clause, st.Modifies):
                for variable in clause.variables:
                    self.check(variable)

    def implementation(self, found: ImplementationSymbol) -> None:
        """Check a body of a procedure."""
        self.body(found.body, found.procedure.modifies)


_WITH_ATTRIBUTES = (
    st.TypeDecl,
    st.ConstantDecl,
    st.FunctionDecl,
    st.AxiomDecl,
    st.ProcedureDecl,
    st.ImplementationDecl,
)
