"""Name resolution: every use of a name is tied to its declaration.

Expressions are walked with a stack of (expression, scope); a scope never changes once its binder
has been entered, so nothing has to be undone on the way back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.labels import check_labels
from solvent.boogie.resolve_types import EMPTY, TypeResolver, TypeScope
from solvent.boogie.symbols import Kind, Reporter, Symbol, Tables
from solvent.boogie.triggers import check_triggers
from solvent.boogie.types import TypeVariable, proxy
from solvent.boogie.walking import children

# How many states an expression may speak of: an axiom of none, a precondition of one, a
# postcondition of two.
NO_STATE, ONE_STATE, TWO_STATES = 0, 1, 2


class Scope:
    """Names of variables and types, and the scope around them."""

    __slots__ = ("names", "parent", "types")

    def __init__(
        self, parent: Scope | None, names: dict[str, Symbol], types: TypeScope = EMPTY
    ) -> None:
        self.parent = parent
        self.names = names
        outer = parent.types if parent is not None else EMPTY
        self.types: TypeScope = {**outer, **types} if types else outer

    def find(self, name: str) -> Symbol | None:
        """What a name stands for here."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return None


class NameResolver:
    """Resolves expressions and statements."""

    def __init__(self, tables: Tables, types: TypeResolver, reporter: Reporter) -> None:
        self.tables = tables
        self.types = types
        self.reporter = reporter

    def declare(
        self, variables: Iterable[s.Variable], kind: Kind, scope: Scope
    ) -> tuple[Symbol, ...]:
        """Enter variables into a scope; a name may be declared there only once."""
        found: list[Symbol] = []
        for variable in variables:
            symbol = Symbol(
                variable.name, kind, self.types.resolve(variable.type, scope.types), variable
            )
            self.tables.symbols[variable] = symbol
            found.append(symbol)
            if variable.name:
                self.enter(symbol, variable, scope)
        return tuple(found)

    def enter(self, symbol: Symbol, place: s.Node, scope: Scope) -> None:
        """Make a symbol visible under its name."""
        if symbol.name in scope.names:
            message = f"more than one declaration of variable name: {symbol.name}"
            self.reporter.error(place.position, message)
            return
        scope.names[symbol.name] = symbol

    def attributes(
        self, attributes: tuple[s.Attribute, ...], scope: Scope, states: int = TWO_STATES
    ) -> None:
        """Resolve the arguments of attributes."""
        for attribute in attributes:
            for argument in attribute.arguments:
                self.expression(argument, scope, states)

    # Expressions ---------------------------------------------------------------------------------

    def expression(self, root: s.Expr, scope: Scope, states: int) -> None:
        """Resolve all names in an expression."""
        tables, error = self.tables, self.reporter.error
        pending: list[tuple[s.Expr, Scope]] = [(root, scope)]
        while pending:
            found, scope = pending.pop()
            kind = type(found)
            if kind is s.Identifier:
                assert isinstance(found, s.Identifier)
                self.use(found, scope, states)
            elif kind in _BINDERS:
                self._binder(found, scope, states, pending)
            else:
                if kind is s.Apply:
                    assert isinstance(found, s.Apply)
                    if found.function not in tables.functions:
                        self._undeclared_function(found)
                elif kind is s.Old and states < TWO_STATES:
                    error(found.position, "old expressions allowed only in two-state contexts")
                elif kind is s.Coerce:
                    assert isinstance(found, s.Coerce)
                    tables.coercions[found] = self.types.resolve(found.type, scope.types)
                for child in children(found):
                    pending.append((child, scope))

    def _undeclared_function(self, found: s.Apply) -> None:
        message = f"use of undeclared function: {found.function}"
        if found.function in self.tables.procedures:
            message += " (a procedure of this name can only be called by a statement)"
        self.reporter.error(found.position, message)

    def use(self, found: s.Identifier, scope: Scope, states: int) -> Symbol | None:
        """Tie one use of a variable to its declaration."""
        symbol = scope.find(found.name)
        if symbol is None:
            self.reporter.error(found.position, f"undeclared identifier: {found.name}")
            return None
        if states == NO_STATE and symbol.kind is Kind.GLOBAL:
            message = f"cannot refer to a global variable in this context: {found.name}"
            self.reporter.error(found.position, message)
        self.tables.symbols[found] = symbol
        return symbol

    def _binder(
        self, found: s.Expr, scope: Scope, states: int, pending: list[tuple[s.Expr, Scope]]
    ) -> None:
        if isinstance(found, s.Let):
            pending.extend((value, scope) for value in found.values)
            inner = Scope(scope, {})
            for variable in found.variables:
                symbol = Symbol(variable.name, Kind.BOUND, proxy(variable.name), variable)
                self.tables.symbols[variable] = symbol
                self.enter(symbol, variable, inner)
                self.attributes(variable.attributes, scope, states)
            self.tables.let_values.update(zip(found.variables, found.values, strict=False))
            if len(found.variables) != len(found.values):
                message = "number of left-hand sides does not match number of right-hand sides"
                self.reporter.error(found.position, message)
            self.attributes(found.attributes, inner, states)
            pending.append((found.body, inner))
        elif isinstance(found, s.CodeExpr):
            self._code(found, scope, states)
        else:
            assert isinstance(found, (s.Quantifier, s.Lambda))
            own = self.types.parameters(found.type_parameters)
            inner = Scope(scope, {}, own)
            self.tables.binders[found] = tuple(own.values())
            self.declare(found.variables, Kind.BOUND, inner)
            for bound in found.variables:
                self.attributes(bound.attributes, inner, states)
            if isinstance(found, s.Quantifier):
                check_triggers(found, self.reporter)
            pending.extend((child, inner) for child in children(found))

    def _code(self, found: s.CodeExpr, scope: Scope, states: int) -> None:
        inner = Scope(scope, {})
        self.tables.code_locals[found] = self.body(found.body, inner, states)

    # Statements ----------------------------------------------------------------------------------

    def body(self, body: st.Body, scope: Scope, states: int = TWO_STATES) -> tuple[Symbol, ...]:
        """Resolve a body whose parameters are already in the scope; the result is its locals."""
        symbols = self.declare(body.locals, Kind.LOCAL, scope)
        self.wheres(body.locals, scope)
        check_labels(body.statements, self.reporter, self.tables.breaks)
        self._block(body.statements, scope, states)
        return symbols

    def wheres(self, variables: Sequence[s.Variable], scope: Scope) -> None:
        """Resolve the where clauses and attributes of variables."""
        for variable in variables:
            self.attributes(variable.attributes, scope)
            if variable.where is not None:
                self.expression(variable.where, scope, ONE_STATE)

    def _block(self, statements: st.Block, scope: Scope, states: int) -> None:
        for statement in statements:
            if isinstance(statement, st.If):
                self._if(statement, scope, states)
            elif isinstance(statement, st.While):
                self.attributes(statement.attributes, scope, states)
                if statement.condition is not None:
                    self.expression(statement.condition, scope, states)
                for invariant in statement.invariants:
                    self.attributes(invariant.attributes, scope, states)
                    self.expression(invariant.condition, scope, states)
                self._block(statement.body, scope, states)
            else:
                self._simple(statement, scope, states)

    def _if(self, statement: st.If, scope: Scope, states: int) -> None:
        while True:
            self.attributes(statement.attributes, scope, states)
            if statement.condition is not None:
                self.expression(statement.condition, scope, states)
            self._block(statement.then, scope, states)
            otherwise = statement.otherwise or ()
            if len(otherwise) == 1 and isinstance(otherwise[0], st.If):
                statement = otherwise[0]
                continue
            self._block(otherwise, scope, states)
            return

    def _simple(self, statement: st.Statement, scope: Scope, states: int) -> None:
        if isinstance(statement, (st.Assert, st.Assume)):
            self.attributes(statement.attributes, scope, states)
            self.expression(statement.condition, scope, states)
        elif isinstance(statement, st.Assign):
            self.attributes(statement.attributes, scope, states)
            for target in statement.targets:
                self.use(target.variable, scope, states)
                for indices in target.indices:
                    for index in indices:
                        self.expression(index, scope, states)
            for value in statement.values:
                self.expression(value, scope, states)
            self._distinct([target.variable for target in statement.targets], "parallel assignment")
        elif isinstance(statement, st.Call):
            self._call(statement, scope, states)
        elif isinstance(statement, st.Parallel):
            self.attributes(statement.attributes, scope, states)
            for call in statement.calls:
                self._call(call, scope, states)
            results = [result for call in statement.calls for result in call.results]
            self._distinct(results, "parallel call")
        elif isinstance(statement, st.Havoc):
            self.attributes(statement.attributes, scope, states)
            for variable in statement.variables:
                self.use(variable, scope, states)
        elif isinstance(statement, st.Return):
            self.attributes(statement.attributes, scope, states)
            if statement.value is not None:
                self.expression(statement.value, scope, states)
        elif isinstance(statement, (st.Goto, st.Break, st.Yield)):
            self.attributes(statement.attributes, scope, states)

    def _call(self, statement: st.Call, scope: Scope, states: int) -> None:
        self.attributes(statement.attributes, scope, states)
        if statement.procedure not in self.tables.procedures:
            message = f"call to undeclared procedure: {statement.procedure}"
            self.reporter.error(statement.position, message)
        for argument in statement.arguments:
            self.expression(argument, scope, states)
        for result in statement.results:
            self.use(result, scope, states)
        self._distinct(statement.results, f"call to {statement.procedure}")

    def _distinct(self, variables: Sequence[s.Identifier], what: str) -> None:
        if len(variables) < 2:
            return
        seen: set[str] = set()
        for variable in variables:
            if variable.name in seen:
                message = f"variable {variable.name} is assigned more than once in {what}"
                self.reporter.error(variable.position, message)
            seen.add(variable.name)

    # Signatures ----------------------------------------------------------------------------------

    def must_occur(
        self,
        variables: Iterable[TypeVariable],
        found: Sequence[TypeVariable],
        what: str,
        node: s.Node,
    ) -> None:
        """Every type parameter of a signature occurs in the types of the signature."""
        for variable in variables:
            if variable not in found:
                message = f"type variable must occur in {what} arguments: {variable.name}"
                self.reporter.error(node.position, message)


_BINDERS = frozenset((s.Quantifier, s.Lambda, s.Let, s.CodeExpr))
