"""Parsing types as they are written."""

from __future__ import annotations

from solvent.boogie import syntax as s
from solvent.boogie.lexer import IDENTIFIER
from solvent.boogie.tokens import TYPE_NESTING_LIMIT, GiveUp, TokenCursor

_BASIC_TYPES = ("int", "bool", "real")


class TypeParser(TokenCursor):
    """Types as written."""

    def type(self) -> s.TypeExpr:
        """A type, with as many arguments as follow."""
        kind, position = self.kinds[self.at], self.positions[self.at]
        if kind == IDENTIFIER:
            name = self.texts[self.at]
            self.at += 1
            arguments: list[s.TypeExpr] = []
            while self._starts_type():
                map_follows = self.kinds[self.at] in ("[", "<")
                arguments.append(self._type_argument())
                if map_follows:
                    break
            return s.NamedTypeExpr(name, tuple(arguments), position=position)
        return self._type_argument()

    def _type_argument(self) -> s.TypeExpr:
        """A type that needs no parentheses as an argument: a name alone, or a map type."""
        kind, position = self.kinds[self.at], self.positions[self.at]
        if kind == IDENTIFIER or kind in _BASIC_TYPES:
            self.at += 1
            return s.NamedTypeExpr(self.texts[self.at - 1], position=position)
        if kind not in ("(", "[", "<"):
            self.fail(f"expected a type, but found {self.found()}")
        self._enter_type()
        found = self._map_type() if kind != "(" else self._parenthesized_type()
        self.type_depth -= 1
        return found

    type_depth = 0

    def _enter_type(self) -> None:
        self.type_depth += 1
        if self.type_depth > TYPE_NESTING_LIMIT:
            self.report(f"the type is nested more than {TYPE_NESTING_LIMIT} levels deep")
            raise GiveUp

    def _parenthesized_type(self) -> s.TypeExpr:
        self.at += 1
        found = self.type()
        self.expect(")")
        return found

    def _map_type(self) -> s.TypeExpr:
        position = self.positions[self.at]
        parameters = self.type_parameters()
        self.expect("[")
        arguments: list[s.TypeExpr] = []
        if self.kinds[self.at] != "]":
            arguments.append(self.type())
            while self.take(","):
                arguments.append(self.type())
        self.expect("]")
        return s.MapTypeExpr(parameters, tuple(arguments), self.type(), position=position)

    def _starts_type(self) -> bool:
        kind = self.kinds[self.at]
        if kind == "<":
            # After a coercion `<` may as well be the comparison.
            return self._starts_type_parameters()
        return kind == IDENTIFIER or kind in _BASIC_TYPES or kind in ("(", "[")

    def _starts_type_parameters(self) -> bool:
        at = self.at + 1
        while self.kinds[at] == IDENTIFIER:
            if self.kinds[at + 1] == ">":
                return self.kinds[at + 2] == "["
            if self.kinds[at + 1] != ",":
                return False
            at += 2
        return False

    def type_parameters(self) -> tuple[s.TypeParameter, ...]:
        """`<a, b>`, or nothing."""
        if not self.take("<"):
            return ()
        found = []
        while True:
            name, position = self.identifier("a type variable")
            found.append(s.TypeParameter(name, position=position))
            if not self.take(","):
                break
        self.expect(">")
        return tuple(found)
