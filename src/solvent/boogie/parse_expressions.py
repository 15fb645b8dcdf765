"""Parsing attributes and expressions.

Operators are reduced with a stack, and chains of prefixes, brackets and `else if` in loops, so
only what stands between brackets costs a level of recursion.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from solvent.boogie import lexer
from solvent.boogie import syntax as s
from solvent.boogie.lexer import IDENTIFIER
from solvent.boogie.literals import parse_bits, parse_float, parse_real
from solvent.boogie.operators import GROUPING, LEVELS, NONE, RIGHT, UNMIXED
from solvent.boogie.parse_types import TypeParser
from solvent.reach.positions import Position

ROUNDING = {
    "RNE": "RNE",
    "RNA": "RNA",
    "RTP": "RTP",
    "RTN": "RTN",
    "RTZ": "RTZ",
    "roundNearestTiesToEven": "RNE",
    "roundNearestTiesToAway": "RNA",
    "roundTowardPositive": "RTP",
    "roundTowardNegative": "RTN",
    "roundTowardZero": "RTZ",
}


class ExpressionParser(TypeParser, ABC):
    """Attributes and expressions."""

    def attributes(self) -> tuple[s.Attribute, ...]:
        """All attributes that follow."""
        found: list[s.Attribute] = []
        while self.kinds[self.at] == "{" and self.kinds[self.at + 1] == ":":
            found.append(self._attribute())
        return tuple(found)

    def _attribute(self) -> s.Attribute:
        position = self.expect("{")
        self.expect(":")
        # Any word may name an attribute, even a keyword.
        if self.kinds[self.at] in lexer.KEYWORDS:
            name = self.texts[self.at]
            self.at += 1
        else:
            name, _ = self.identifier("the name of an attribute")
        arguments = [] if self.kinds[self.at] == "}" else self.expressions()
        self.expect("}")
        return s.Attribute(name, tuple(arguments), position=position)

    def expressions(self) -> list[s.Expr]:
        """`a, b, c`."""
        found = [self.expression()]
        while self.take(","):
            found.append(self.expression())
        return found

    def expression(self) -> s.Expr:
        """An expression, as long as possible."""
        kinds = self.kinds
        operand = self._unary()
        operator = kinds[self.at]
        if operator not in LEVELS:
            return operand
        operands = [operand]
        pending: list[tuple[str, Position]] = []
        while operator in LEVELS:
            position = self.positions[self.at]
            self._reduce(operands, pending, operator)
            pending.append((operator, position))
            self.at += 1
            operands.append(self._unary())
            operator = kinds[self.at]
        while pending:
            self._combine(operands, pending)
        return operands[0]

    def _reduce(
        self, operands: list[s.Expr], pending: list[tuple[str, Position]], operator: str
    ) -> None:
        """Combine what binds more tightly than the operator that comes next."""
        level = LEVELS[operator]
        while pending:
            previous = pending[-1][0]
            if LEVELS[previous] < level:
                return
            if LEVELS[previous] == level:
                self._check_mixture(previous, operator, level)
                if GROUPING[operator] == RIGHT:
                    return
            self._combine(operands, pending)

    def _check_mixture(self, previous: str, operator: str, level: int) -> None:
        if GROUPING[operator] == NONE:
            self.fail(f"operators {previous} and {operator} cannot be chained; add parentheses")
        if previous != operator and level in UNMIXED:
            self.fail(f"operators {previous} and {operator} cannot be mixed; add parentheses")

    @staticmethod
    def _combine(operands: list[s.Expr], pending: list[tuple[str, Position]]) -> None:
        operator, position = pending.pop()
        right = operands.pop()
        operands[-1] = s.Binary(operator, operands[-1], right, position=position)

    def _unary(self) -> s.Expr:
        kinds, start = self.kinds, self.at
        while kinds[self.at] in ("!", "-"):
            self.at += 1
        first = self.at
        found = self._postfix()
        signed = first > start and kinds[first] == lexer.FLOAT and kinds[first - 1] == "-"
        if signed and isinstance(found, s.FloatLiteral) and not found.special:
            # A minus directly before a float literal belongs to it.
            first -= 1
            found = replace(found, negative=True, position=self.positions[first])
        while kinds[self.at] == ":":
            position = self.positions[self.at]
            self.at += 1
            found = s.Coerce(found, self.type(), position=position)
        for at in range(first - 1, start - 1, -1):
            found = s.Unary(kinds[at], found, position=self.positions[at])
        return found

    def _postfix(self) -> s.Expr:
        found = self._atom()
        while self.kinds[self.at] == "[":
            found = self._bracket(found)
        if self.kinds[self.at] == "->":
            self.fail("datatypes and their field access '->' are not supported")
        if self.kinds[self.at] == IDENTIFIER and self.texts[self.at] == "is":
            self.fail("datatypes and their constructor test 'is' are not supported")
        return found

    def _bracket(self, base: s.Expr) -> s.Expr:
        position = self.positions[self.at]
        self.at += 1
        kinds, at = self.kinds, self.at
        if kinds[at] == lexer.INTEGER and kinds[at + 1] == ":" and kinds[at + 2] == lexer.INTEGER:
            high = self.natural()
            self.at += 1
            low = self.natural()
            self.expect("]")
            return s.Extract(base, high, low, position=position)
        self.enter()
        indices: list[s.Expr] = []
        if kinds[at] not in ("]", ":="):
            indices = self.expressions()
        value = self.expression() if self.take(":=") else None
        self.expect("]")
        self.depth -= 1
        if value is None:
            return s.Select(base, tuple(indices), position=position)
        return s.Update(base, tuple(indices), value, position=position)

    def _atom(self) -> s.Expr:
        at = self.at
        kind, position = self.kinds[at], self.positions[at]
        if kind == IDENTIFIER:
            self.at = at + 1
            if self.kinds[at + 1] == "(":
                arguments = self.arguments()
                return s.Apply(self.texts[at], arguments, position=position)
            return s.Identifier(self.texts[at], position=position)
        if kind == lexer.INTEGER:
            return s.IntLiteral(self.natural(), position=position)
        if kind == "(":
            self.enter()
            found = self._parenthesized()
            self.depth -= 1
            return found
        if kind in ("true", "false"):
            self.at = at + 1
            return s.BoolLiteral(kind == "true", position=position)
        if kind in ("old", "int", "real"):
            return self._wrapped(kind, position)
        if kind == "if":
            return self._if_then_else()
        return self._other_atom(kind, position)

    def _other_atom(self, kind: str, position: Position) -> s.Expr:
        text = self.texts[self.at]
        if kind == "|{":
            return self.code_expression()
        if kind in ("forall", "exists", "lambda"):
            self.fail(f"'{text}' must stand in parentheses: ({text} x: T :: ...)")
        if kind in ROUNDING:
            self.at += 1
            return s.RoundingLiteral(ROUNDING[kind], position=position)
        if kind == lexer.STRING:
            self.at += 1
            return s.StringLiteral(text[1:-1], position=position)
        parse = {
            lexer.BITVECTOR: parse_bits,
            lexer.REAL: parse_real,
            lexer.FLOAT: parse_float,
        }.get(kind)
        if parse is None:
            self.fail(f"expected an expression, but found {self.found()}")
        self.at += 1
        literal = parse(text, position)
        if isinstance(literal, str):
            self.report(literal, position)
            return s.BoolLiteral(True, position=position)
        return literal

    @abstractmethod
    def code_expression(self) -> s.Expr:
        """`|{ ... }|`, which the parser of statements knows how to read."""

    def arguments(self) -> tuple[s.Expr, ...]:
        """`(a, b)`."""
        self.expect("(")
        self.enter()
        found = [] if self.kinds[self.at] == ")" else self.expressions()
        self.expect(")")
        self.depth -= 1
        return tuple(found)

    def _wrapped(self, kind: str, position: Position) -> s.Expr:
        self.at += 1
        self.expect("(")
        self.enter()
        operand = self.expression()
        self.expect(")")
        self.depth -= 1
        if kind == "old":
            return s.Old(operand, position=position)
        return s.Convert(kind, operand, position=position)

    def _if_then_else(self) -> s.Expr:
        branches: list[tuple[Position, s.Expr, s.Expr]] = []
        while self.kinds[self.at] == "if":
            position = self.positions[self.at]
            self.at += 1
            self.enter()
            condition = self.expression()
            self.expect("then")
            then = self.expression()
            self.expect("else")
            self.depth -= 1
            branches.append((position, condition, then))
        found = self.expression()
        for position, condition, then in reversed(branches):
            found = s.IfThenElse(condition, then, found, position=position)
        return found

    def _parenthesized(self) -> s.Expr:
        position = self.expect("(")
        kind = self.kinds[self.at]
        if kind in ("forall", "exists"):
            found = self._quantifier(kind)
        elif kind == "lambda":
            found = self._lambda()
        elif kind == "var":
            found = self._let(position)
        else:
            found = self.expression()
        self.expect(")")
        return found

    def _binder(self) -> tuple[tuple[s.TypeParameter, ...], tuple[s.Variable, ...]]:
        parameters = self.type_parameters()
        variables: list[s.Variable] = []
        if not parameters or self.kinds[self.at] != "::":
            variables = self.variables("bound variables")
        self.expect("::")
        return parameters, tuple(variables)

    def _quantifier(self, kind: str) -> s.Expr:
        position = self.positions[self.at]
        self.at += 1
        parameters, variables = self._binder()
        triggers: list[s.Trigger] = []
        attributes: list[s.Attribute] = []
        while self.kinds[self.at] == "{":
            if self.kinds[self.at + 1] != ":":
                triggers.append(self._trigger())
            elif self.texts[self.at + 2] == "nopats":
                triggers.append(self._negative(self._attribute()))
            else:
                attributes.append(self._attribute())
        body = self.expression()
        return s.Quantifier(
            kind,
            parameters,
            variables,
            body,
            tuple(triggers),
            tuple(attributes),
            position=position,
        )

    def _negative(self, attribute: s.Attribute) -> s.Trigger:
        """`{:nopats e}`, a pattern that must not be used."""
        found = attribute.arguments
        if len(found) != 1 or isinstance(found[0], s.StringLiteral):
            message = "the 'nopats' attribute of a quantifier expects one expression"
            self.fail(message, attribute.position)
        return s.Trigger(found, negative=True, position=attribute.position)

    def _trigger(self) -> s.Trigger:
        position = self.expect("{")
        expressions = self.expressions()
        self.expect("}")
        return s.Trigger(tuple(expressions), position=position)

    def _lambda(self) -> s.Expr:
        position = self.positions[self.at]
        self.at += 1
        parameters, variables = self._binder()
        attributes = self.attributes()
        if self.kinds[self.at] == "{":
            self.fail("a lambda expression has no triggers")
        return s.Lambda(parameters, variables, self.expression(), attributes, position=position)

    def _let(self, position: Position) -> s.Expr:
        self.expect("var")
        names: list[s.LetVariable] = []
        while True:
            attributes = self.attributes()
            name, place = self.identifier()
            names.append(s.LetVariable(name, attributes, position=place))
            if not self.take(","):
                break
        self.expect(":=")
        values = self.expressions()
        self.expect(";")
        attributes = self.attributes()
        body = self.expression()
        return s.Let(tuple(names), tuple(values), body, attributes, position=position)

    def variables(self, what: str, where: bool = False, each: bool = True) -> list[s.Variable]:
        """`x, y: T, z: U where e`, as many variables as there are names.

        `where` says whether such clauses may stand here, `each` whether attributes may.
        """
        found: list[s.Variable] = []
        while True:
            attributes = self.attributes() if each else ()
            names = [self.identifier()]
            while self.take(","):
                names.append(self.identifier())
            self.expect(":")
            type_ = self.type()
            clause = None
            if self.kinds[self.at] == "where":
                if not where:
                    self.report(f"where clause not allowed on {what}")
                self.at += 1
                clause = self.expression()
            found += (
                s.Variable(name, type_, clause, attributes, position=position)
                for name, position in names
            )
            if not self.take(","):
                return found
