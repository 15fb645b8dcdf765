"""Resolving a whole program: first all declarations, then everything that uses them."""

from __future__ import annotations

from collections.abc import Sequence

from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.resolve import NO_STATE, ONE_STATE, TWO_STATES, NameResolver, Scope
from solvent.boogie.resolve_types import TypeResolver
from solvent.boogie.symbols import (
    FunctionSymbol,
    ImplementationSymbol,
    Kind,
    ProcedureSymbol,
    Reporter,
    Symbol,
    Tables,
)
from solvent.boogie.types import TypeVariable, substitute, variables_in


def resolve_program(program: st.Program, reporter: Reporter) -> Tables:
    """Tie all names of a program to their declarations."""
    tables = Tables(program)
    types = TypeResolver(tables, reporter)
    types.declare(each for each in program.declarations if isinstance(each, st.TypeDecl))
    resolver = ProgramResolver(tables, types, reporter)
    for declaration in program.declarations:
        resolver.signature(declaration)
    for declaration in program.declarations:
        resolver.contents(declaration)
    return tables


class ProgramResolver(NameResolver):
    """Resolves declarations."""

    def __init__(self, tables: Tables, types: TypeResolver, reporter: Reporter) -> None:
        super().__init__(tables, types, reporter)
        self.top = Scope(None, {})
        self._inner: dict[st.Declaration, Scope] = {}

    # First pass: what is declared ----------------------------------------------------------------

    def signature(self, declaration: st.Declaration) -> None:
        """Enter a declaration under its name."""
        if isinstance(declaration, st.ConstantDecl):
            meaning = self.types.resolve(declaration.type)
            symbol = Symbol(declaration.name, Kind.CONSTANT, meaning, declaration)
            self.tables.symbols[declaration] = symbol
            self.enter(symbol, declaration, self.top)
            self.tables.constants.setdefault(declaration.name, symbol)
        elif isinstance(declaration, st.GlobalDecl):
            (symbol,) = self.declare([declaration.variable], Kind.GLOBAL, self.top)
            self.tables.globals.setdefault(symbol.name, symbol)
        elif isinstance(declaration, st.FunctionDecl):
            self._function(declaration)
        elif isinstance(declaration, st.ProcedureDecl):
            self._procedure(declaration)

    def _is_new(self, declaration: st.FunctionDecl | st.ProcedureDecl) -> bool:
        name = declaration.name
        if name in self.tables.functions or name in self.tables.procedures:
            message = f"more than one declaration of function/procedure name: {name}"
            self.reporter.error(declaration.position, message)
            return False
        return True

    def _function(self, declaration: st.FunctionDecl) -> None:
        own = self.types.parameters(declaration.type_parameters)
        scope = Scope(self.top, {}, own)
        self._inner[declaration] = scope
        parameters = self.declare(declaration.parameters, Kind.IN, scope)
        (result,) = self.declare([declaration.result], Kind.OUT, Scope(scope, {}))
        occurring = variables_in([*(each.type for each in parameters), result.type])
        self.must_occur(own.values(), occurring, "function", declaration)
        if self._is_new(declaration):
            self.tables.functions[declaration.name] = FunctionSymbol(
                declaration.name, tuple(own.values()), parameters, result.type, declaration
            )

    def _procedure(self, declaration: st.ProcedureDecl) -> None:
        own = self.types.parameters(declaration.type_parameters)
        scope = Scope(self.top, {}, own)
        self._inner[declaration] = scope
        parameters = self.declare(declaration.parameters, Kind.IN, scope)
        results = self.declare(declaration.results, Kind.OUT, scope)
        occurring = variables_in([each.type for each in (*parameters, *results)])
        self.must_occur(own.values(), occurring, "procedure", declaration)
        if self._is_new(declaration):
            self.tables.procedures[declaration.name] = ProcedureSymbol(
                declaration.name, tuple(own.values()), parameters, results, declaration
            )

    # Second pass: what uses the declarations -----------------------------------------------------

    def contents(self, declaration: st.Declaration) -> None:
        """Resolve everything inside a declaration."""
        if isinstance(declaration, st.GlobalDecl):
            self.wheres([declaration.variable], self.top)
        elif isinstance(declaration, st.ConstantDecl):
            self.attributes(declaration.attributes, self.top)
            self._parents(declaration)
        elif isinstance(declaration, st.AxiomDecl):
            self.attributes(declaration.attributes, self.top)
            self.expression(declaration.condition, self.top, NO_STATE)
        elif isinstance(declaration, st.TypeDecl):
            self.attributes(declaration.attributes, self.top)
        elif isinstance(declaration, st.FunctionDecl):
            scope = self._inner[declaration]
            self.attributes(declaration.attributes, scope)
            self.wheres((*declaration.parameters, declaration.result), scope)
            if declaration.body is not None:
                self.expression(declaration.body, scope, NO_STATE)
        elif isinstance(declaration, st.ProcedureDecl):
            self._contract(declaration)
        elif isinstance(declaration, st.ImplementationDecl):
            self._implementation(declaration)

    def _parents(self, declaration: st.ConstantDecl) -> None:
        seen: set[str] = set()
        for parent in declaration.parents or ():
            name, error = parent.name.name, self.reporter.error
            symbol = self.use(parent.name, self.top, ONE_STATE)
            if name in seen:
                error(parent.position, f"{name} occurs more than once as parent")
            elif name == declaration.name:
                error(parent.position, "constant cannot be its own parent")
            elif symbol is not None and symbol.kind is not Kind.CONSTANT:
                error(parent.position, "the parent of a constant has to be a constant")
            seen.add(name)

    def _contract(self, declaration: st.ProcedureDecl) -> None:
        scope = self._inner[declaration]
        ins = {each.name for each in declaration.parameters}
        before = Scope(
            self.top,
            {name: symbol for name, symbol in scope.names.items() if name in ins},
            scope.types,
        )
        self.attributes(declaration.attributes, scope)
        self.wheres(declaration.parameters, before)
        self.wheres(declaration.results, scope)
        modifies: dict[str, Symbol] = {}
        for clause in declaration.contract:
            if isinstance(clause, st.Modifies):
                self._modifies(clause, modifies)
            elif isinstance(clause, st.Requires):
                self.attributes(clause.attributes, before)
                self.expression(clause.condition, before, ONE_STATE)
            elif isinstance(clause, st.Ensures):
                self.attributes(clause.attributes, scope)
                self.expression(clause.condition, scope, TWO_STATES)
        procedure = self.tables.procedures.get(declaration.name)
        if procedure is not None and procedure.declaration is declaration:
            procedure.modifies = tuple(modifies.values())
            if declaration.body is not None:
                self._add_body(procedure, declaration, declaration.body, scope)
        elif declaration.body is not None:
            self.body(declaration.body, Scope(self.top, dict(scope.names), scope.types))

    def _modifies(self, clause: st.Modifies, found: dict[str, Symbol]) -> None:
        for variable in clause.variables:
            symbol = self.use(variable, self.top, ONE_STATE)
            if symbol is None:
                continue
            if symbol.kind is Kind.CONSTANT:
                message = f"modifies list contains constant: {variable.name}"
                self.reporter.error(variable.position, message)
            found[variable.name] = symbol

    def _implementation(self, declaration: st.ImplementationDecl) -> None:
        own = self.types.parameters(declaration.type_parameters)
        scope = Scope(self.top, {}, own)
        self.declare(declaration.parameters, Kind.IN, scope)
        self.declare(declaration.results, Kind.OUT, scope)
        self.attributes(declaration.attributes, scope)
        self.wheres((*declaration.parameters, *declaration.results), scope)
        procedure = self.tables.procedures.get(declaration.name)
        if procedure is None:
            message = f"implementation given for undeclared procedure: {declaration.name}"
            self.reporter.error(declaration.position, message)
            self.body(declaration.body, scope)
            return
        self._match(procedure, declaration, list(own.values()))
        self._add_body(procedure, declaration, declaration.body, scope)

    def _add_body(
        self,
        procedure: ProcedureSymbol,
        declaration: st.ProcedureDecl | st.ImplementationDecl,
        body: st.Body,
        outer: Scope,
    ) -> None:
        # The body shares one scope with the parameters: a local may not have the name of one.
        scope = Scope(self.top, dict(outer.names), outer.types)
        variables = self.body(body, scope)
        symbols = self.tables.symbols
        own = [outer.types[each.name] for each in declaration.type_parameters]
        procedure.implementations.append(
            ImplementationSymbol(
                procedure,
                tuple(dict.fromkeys(own)),
                tuple(symbols[each] for each in declaration.parameters),
                tuple(symbols[each] for each in declaration.results),
                variables,
                body,
                declaration,
            )
        )

    def _match(
        self,
        procedure: ProcedureSymbol,
        declaration: st.ImplementationDecl,
        variables: list[TypeVariable],
    ) -> None:
        """An implementation has the signature of its procedure, up to the names."""
        name, error = declaration.name, self.reporter.error
        if len(variables) != len(procedure.type_parameters):
            message = "mismatched number of type parameters in procedure implementation"
            error(declaration.position, f"{message}: {name}")
            return
        renaming = dict(zip(procedure.type_parameters, variables, strict=True))
        for what, expected, given in (
            ("in-parameter", procedure.parameters, declaration.parameters),
            ("out-parameter", procedure.results, declaration.results),
        ):
            if len(expected) != len(given):
                message = f"mismatched number of {what}s in procedure implementation: {name}"
                error(declaration.position, message)
                continue
            self._match_types(what, name, expected, given, renaming)

    def _match_types(
        self,
        what: str,
        name: str,
        expected: Sequence[Symbol],
        given: Sequence[s.Variable],
        renaming: dict[TypeVariable, TypeVariable],
    ) -> None:
        for wanted, variable in zip(expected, given, strict=True):
            found = self.tables.symbols[variable].type
            if substitute(wanted.type, {**renaming}) is not found:
                also = f" (named {variable.name} in implementation)"
                also = "" if variable.name == wanted.name else also
                message = f"mismatched type of {what} in implementation {name}: {wanted.name}{also}"
                self.reporter.error(variable.position, message)
