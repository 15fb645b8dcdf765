"""Parsing declarations and whole files.

A mistake outside a body ends its declaration only; the parser goes on with the next one.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.boogie import lexer
from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.diagnostics import BoogieSyntaxError, Diagnostic
from solvent.boogie.lexer import END, IDENTIFIER
from solvent.boogie.parse_statements import StatementParser
from solvent.boogie.tokens import GiveUp, Stop, deep_recursion
from solvent.reach.positions import Position

_REFUSED = {
    "datatype": "datatypes are not supported; declare a type with functions and axioms instead",
    "yield": "yielding procedures are not supported; 'yield' is a statement",
    "async": "asynchronous actions are not supported; 'async call' is a statement",
}


def parse_text(text: str, file: str = "<text>") -> tuple[list[st.Declaration], list[Diagnostic]]:
    """The declarations of one file, with everything that is wrong in it.

    >>> declarations, errors = parse_text("const c: int; axiom c > 0;")
    >>> [type(declaration).__name__ for declaration in declarations], errors
    (['ConstantDecl', 'AxiomDecl'], [])
    """
    if "\0" in text:
        return [], [Diagnostic(Position(file, 0, 0), "this is a binary file, not a Boogie program")]
    tokens, errors = lexer.tokenize(text, file)
    parser = DeclarationParser(tokens, errors)
    with deep_recursion():
        return parser.declarations(), errors


def parse_expression(text: str) -> s.Expr:
    """One expression.

    >>> parse_expression("x + 1")
    Binary(operator='+', left=Identifier(name='x'), right=IntLiteral(value=1))
    """
    tokens, errors = lexer.tokenize(text)
    parser = DeclarationParser(tokens, errors)
    try:
        with deep_recursion():
            found = parser.expression()
            parser.expect(END)
    except (Stop, GiveUp):
        raise BoogieSyntaxError(errors) from None
    if errors:
        raise BoogieSyntaxError(errors)
    return found


class DeclarationParser(StatementParser):
    """Everything outside bodies."""

    def declarations(self) -> list[st.Declaration]:
        """All declarations up to the end of the file."""
        found: list[st.Declaration] = []
        try:
            while self.kinds[self.at] != END:
                self._declaration(found)
        except GiveUp:
            pass
        return found

    def _declaration(self, found: list[st.Declaration]) -> None:
        start, kind = self.at, self.kinds[self.at]
        try:
            parse = _DECLARATIONS.get(kind)
            if parse is None:
                message = _REFUSED.get(kind)
                self.fail(message or f"expected a declaration, but found {self.found()}")
            self.at += 1
            parse(self, self.positions[start], found)
        except Stop:
            self.depth = self.in_code = self.type_depth = 0
            self._next_declaration(start)

    def _next_declaration(self, start: int) -> None:
        """Skip to a word that starts a declaration; `var` only where no body can be."""
        if self.at == start:
            self.at += 1
        depth = 0
        while self.kinds[self.at] != END:
            kind = self.kinds[self.at]
            if kind in _DECLARATIONS and (kind != "var" or depth == 0):
                return
            depth += (kind == "{") - (kind == "}")
            self.at += 1

    def _types(self, _: Position, found: list[st.Declaration]) -> None:
        attributes = self.attributes()
        finite = self.kinds[self.at] == IDENTIFIER and self.texts[self.at] == "finite"
        finite = finite and self.kinds[self.at + 1] == IDENTIFIER
        self.at += finite
        while True:
            name, position = self.identifier("the name of a type")
            parameters: list[s.TypeParameter] = []
            while self.kinds[self.at] == IDENTIFIER:
                parameter, place = self.identifier()
                parameters.append(s.TypeParameter(parameter, position=place))
            synonym = self.type() if self.take("=") else None
            found.append(
                st.TypeDecl(name, tuple(parameters), synonym, finite, attributes, position=position)
            )
            if not self.take(","):
                break
        self.expect(";")

    def _constants(self, _: Position, found: list[st.Declaration]) -> None:
        attributes = self.attributes()
        unique = self.take("unique")
        names = [self.identifier("the name of a constant")]
        while self.take(","):
            names.append(self.identifier("the name of a constant"))
        self.expect(":")
        type_ = self.type()
        parents = self._parents() if self.take("extends") else None
        complete = self.take("complete")
        found += (
            st.ConstantDecl(name, type_, unique, parents, complete, attributes, position=position)
            for name, position in names
        )
        self._uses(found)

    def _parents(self) -> tuple[st.Parent, ...]:
        found: list[st.Parent] = []
        if self.kinds[self.at] not in (IDENTIFIER, "unique"):
            return ()
        while True:
            unique = self.take("unique")
            name, position = self.identifier("the name of a constant")
            identifier = s.Identifier(name, position=position)
            found.append(st.Parent(identifier, unique, position=position))
            if not self.take(","):
                return tuple(found)

    def _uses(self, found: list[st.Declaration]) -> None:
        """The end of a declaration: a semicolon, or axioms that belong to it."""
        if not self.take("uses"):
            self.expect(";")
            return
        self.expect("{")
        while not self.take("}"):
            position = self.expect("axiom")
            self._axiom(position, found)

    def _axiom(self, position: Position, found: list[st.Declaration]) -> None:
        attributes = self.attributes()
        condition = self.expression()
        self.expect(";")
        found.append(st.AxiomDecl(condition, attributes, position=position))

    def _globals(self, _: Position, found: list[st.Declaration]) -> None:
        found += (
            st.GlobalDecl(variable, position=variable.position)
            for variable in self.local_variables("global variables")
        )

    def _function(self, _: Position, found: list[st.Declaration]) -> None:
        attributes = self.attributes()
        name, position = self.identifier("the name of a function")
        type_parameters = self.type_parameters()
        parameters = self._function_parameters()
        if self.take("returns"):
            place = self.positions[self.at]
            results = self._function_parameters()
            if len(results) != 1:
                self.fail("a function has exactly one result", place)
            result = results[0]
        else:
            self.expect(":")
            place = self.positions[self.at]
            result = s.Variable("", self.type(), position=place)
        body = None
        if self.take("{"):
            body = self.expression()
            self.expect("}")
        found.append(
            st.FunctionDecl(
                name,
                type_parameters,
                tuple(parameters),
                result,
                body,
                attributes,
                position=position,
            )
        )
        if body is None or self.kinds[self.at] == "uses":
            self._uses(found)

    def _function_parameters(self) -> list[s.Variable]:
        self.expect("(")
        found: list[s.Variable] = []
        while self.kinds[self.at] != ")":
            found.append(self._function_parameter())
            if self.kinds[self.at] == "where":
                self.fail("where clause not allowed on function parameters")
            if not self.take(","):
                break
        self.expect(")")
        return found

    def _function_parameter(self) -> s.Variable:
        """`x: T`, or a type alone; unlike elsewhere each name has a type of its own."""
        attributes = self.attributes()
        name, position = "", self.positions[self.at]
        if self.kinds[self.at] == IDENTIFIER and self.kinds[self.at + 1] == ":":
            name = self.texts[self.at]
            self.at += 2
        return s.Variable(name, self.type(), None, attributes, position=position)

    def _signature(
        self, where: bool
    ) -> tuple[
        str, Position, tuple[s.TypeParameter, ...], tuple[s.Variable, ...], tuple[s.Variable, ...]
    ]:
        name, position = self.identifier("the name of a procedure")
        type_parameters = self.type_parameters()
        parameters = self._formals(where)
        results = self._formals(where) if self.take("returns") else ()
        return name, position, type_parameters, parameters, results

    def _formals(self, where: bool) -> tuple[s.Variable, ...]:
        self.expect("(")
        found: list[s.Variable] = []
        if self.kinds[self.at] != ")":
            what = "procedure formals" if where else "the parameters of an implementation"
            found = self.variables(what, where=where)
        self.expect(")")
        return tuple(found)

    def _procedure(self, _: Position, found: list[st.Declaration]) -> None:
        attributes = self.attributes()
        name, position, type_parameters, parameters, results = self._signature(where=True)
        has_body = not self.take(";")
        contract = self._contract()
        if has_body and self.kinds[self.at] != "{":
            self.fail(f"expected ';', a contract or a body, but found {self.found()}")
        body = self.body() if has_body else None
        if not has_body and self.kinds[self.at] == "{":
            self.fail("a procedure with a body has no ';' behind its parameters")
        found.append(
            st.ProcedureDecl(
                name,
                type_parameters,
                parameters,
                results,
                contract,
                body,
                attributes,
                position=position,
            )
        )

    def _contract(self) -> tuple[st.Clause, ...]:
        found: list[st.Clause] = []
        while True:
            kind, position = self.kinds[self.at], self.positions[self.at]
            if kind == "modifies":
                self.at += 1
                variables = () if self.kinds[self.at] == ";" else self.identifiers()
                found.append(st.Modifies(variables, position=position))
            elif kind in ("requires", "ensures", "free"):
                found.append(self._condition(position))
            else:
                return tuple(found)
            self.expect(";")

    def _condition(self, position: Position) -> st.Clause:
        free = self.take("free")
        kind = self.kinds[self.at]
        if kind not in ("requires", "ensures"):
            self.fail(f"expected 'requires' or 'ensures' behind 'free', but found {self.found()}")
        self.at += 1
        attributes = self.attributes()
        condition = self.expression()
        clause = st.Requires if kind == "requires" else st.Ensures
        return clause(condition, free, attributes, position=position)

    def _implementation(self, _: Position, found: list[st.Declaration]) -> None:
        attributes = self.attributes()
        name, position, type_parameters, parameters, results = self._signature(where=False)
        body = self.body()
        found.append(
            st.ImplementationDecl(
                name, type_parameters, parameters, results, body, attributes, position=position
            )
        )


_Parse = Callable[[DeclarationParser, Position, list[st.Declaration]], None]

_DECLARATIONS: dict[str, _Parse] = {
    "type": DeclarationParser._types,
    "const": DeclarationParser._constants,
    "axiom": DeclarationParser._axiom,
    "var": DeclarationParser._globals,
    "function": DeclarationParser._function,
    "procedure": DeclarationParser._procedure,
    "implementation": DeclarationParser._implementation,
}
