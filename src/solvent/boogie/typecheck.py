"""Type checking of expressions, from the leaves upwards.

What resolution could not tie to a declaration has the type `UNKNOWN`, which fits everywhere, so
that one mistake leads to one message.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from solvent.boogie import syntax as s
from solvent.boogie.operators import COMPARISON, EQUALITY, LOGICAL
from solvent.boogie.symbols import Reporter, Symbol, Tables
from solvent.boogie.types import (
    BOOL,
    INT,
    REAL,
    RMODE,
    STRING,
    UNKNOWN,
    BitVecType,
    FloatType,
    MapType,
    Proxy,
    Type,
    TypeVariable,
    bitvec_type,
    float_type,
    map_type,
    open_map,
    polymorphic_map,
    proxies_in,
    proxy,
    pruned,
    resolved,
    substitute,
    variables_in,
)
from solvent.boogie.unification import comparable, unify
from solvent.boogie.walking import parents_first
from solvent.reach.positions import Position


class ExpressionChecker(ABC):
    """Gives each expression its type."""

    def __init__(self, tables: Tables, reporter: Reporter) -> None:
        self.tables = tables
        self.types = tables.types
        self.reporter = reporter
        # What contains types that were not known when it was checked.
        self._open: list[s.Expr] = []
        self._open_instances: list[s.Node] = []
        self._open_symbols: list[Symbol] = []

    def error(self, node: s.Node, message: str) -> Type:
        """Report a mistake; the result is the type of what contains it."""
        self.reporter.error(node.position, message)
        return UNKNOWN

    def check(self, root: s.Expr) -> Type:
        """The type of an expression, after checking everything inside it."""
        types = self.types
        for found in reversed(parents_first(root)):
            type_ = _RULES[type(found)](self, found)
            types[found] = type_
            if type_.has_proxy:
                self._open.append(found)
        return pruned(types[root])

    def check_bool(self, expression: s.Expr, message: str, position: Position) -> None:
        """Check an expression that must be of type bool."""
        found = self.check(expression)
        if not unify(found, BOOL):
            self.reporter.error(position, f"{message} must be of type bool (got: {found})")

    def close(self) -> None:
        """Put the types that are known by now in place of the proxies."""
        for found in self._open:
            self.types[found] = self._settled(self.types[found], found.position)
        for node in dict.fromkeys(self._open_instances):
            self.tables.instances[node] = tuple(
                self._settled(each, node.position) for each in self.tables.instances[node]
            )
        for symbol in self._open_symbols:
            symbol.type = self._settled(symbol.type, symbol.declaration.position)
        self._open.clear()
        self._open_instances.clear()
        self._open_symbols.clear()

    def _settled(self, type_: Type, position: Position) -> Type:
        """A type without proxies; what nothing determines becomes int, as in Boogie."""
        for unknown in proxies_in(type_):
            message = f"type parameter {unknown.parameter} is ambiguous, instantiating to int"
            self.reporter.warn(position, message)
            unknown.target = INT
        return resolved(type_)

    def instance(self, node: s.Node, proxies: Sequence[Proxy]) -> None:
        """Remember with which types a polymorphic use instantiates the type variables."""
        if proxies:
            self.tables.instances[node] = tuple(proxies)
            self._open_instances.append(node)

    # Rules ---------------------------------------------------------------------------------------

    def _identifier(self, e: s.Identifier) -> Type:
        symbol = self.tables.symbols.get(e)
        if symbol is None:
            return UNKNOWN
        if symbol.type.has_proxy and isinstance(symbol.declaration, s.LetVariable):
            self._bind_let(symbol, symbol.declaration)
        return symbol.type

    def _bind_let(self, symbol: Symbol, variable: s.LetVariable) -> None:
        """A variable of a let has the type of its value, which is checked before the body."""
        value = self.tables.let_values.get(variable)
        unify(symbol.type, UNKNOWN if value is None else self.types[value])

    def _unary(self, e: s.Unary) -> Type:
        operand = pruned(self.types[e.operand])
        if isinstance(operand, Proxy):
            unify(operand, BOOL if e.operator == "!" else INT)
            operand = pruned(operand)
        allowed = operand is BOOL if e.operator == "!" else _is_number(operand)
        if operand is UNKNOWN or allowed:
            return operand
        return self.error(e, f"invalid argument type ({operand}) to unary operator {e.operator}")

    def _binary(self, e: s.Binary) -> Type:
        left, right = pruned(self.types[e.left]), pruned(self.types[e.right])
        operator = e.operator
        result: Type | None
        if operator in LOGICAL:
            result = BOOL if unify(left, BOOL) and unify(right, BOOL) else None
        elif operator in EQUALITY:
            result = BOOL if comparable(left, right) else None
        elif operator == "<:":
            result = BOOL if unify(left, right) else None
        elif operator == "++":
            result = self._concatenation(left, right)
        else:
            result = self._arithmetic(operator, left, right)
        if result is not None:
            return result
        message = f"invalid argument types ({left} and {right}) to binary operator {operator}"
        self.error(e, message)
        return BOOL if operator in _PREDICATES else UNKNOWN

    @staticmethod
    def _concatenation(left: Type, right: Type) -> Type | None:
        if isinstance(left, BitVecType) and isinstance(right, BitVecType):
            return bitvec_type(left.width + right.width)
        known = [each for each in (left, right) if each is not UNKNOWN]
        fits = len(known) < 2 and all(isinstance(each, BitVecType) for each in known)
        return UNKNOWN if fits else None

    @staticmethod
    def _arithmetic(operator: str, left: Type, right: Type) -> Type | None:
        if left is UNKNOWN or right is UNKNOWN:
            return BOOL if operator in COMPARISON else UNKNOWN
        if isinstance(left, Proxy) or isinstance(right, Proxy):
            if isinstance(left, Proxy) and isinstance(right, Proxy):
                unify(left, INT)
            unify(left, right)
            left, right = pruned(left), pruned(right)
        if operator in ("div", "mod"):
            return INT if left is INT and right is INT else None
        if operator == "**":
            return REAL if left is REAL and right is REAL else None
        if operator == "/" and left in (INT, REAL) and right in (INT, REAL):
            return REAL
        if left is not right or not _is_number(left):
            return None
        return BOOL if operator in COMPARISON else left

    def _old(self, e: s.Old) -> Type:
        return self.types[e.operand]

    def _apply(self, e: s.Apply) -> Type:
        function = self.tables.functions.get(e.function)
        if function is None:
            return UNKNOWN
        expected: tuple[Type, ...] = tuple([each.type for each in function.parameters])
        result = function.result
        if function.type_parameters:
            fresh = [proxy(each.name) for each in function.type_parameters]
            replacement: dict[TypeVariable, Type] = dict(
                zip(function.type_parameters, fresh, strict=True)
            )
            expected = tuple(substitute(each, replacement) for each in expected)
            result = substitute(result, replacement)
            self.instance(e, fresh)
        self.arguments(e, e.arguments, expected, f"application of {e.function}")
        return result

    def arguments(
        self, node: s.Node, given: Sequence[s.Expr], expected: Sequence[Type], what: str
    ) -> None:
        """Check that arguments have the expected number and types."""
        if len(given) != len(expected):
            counts = f"{len(given)} instead of {len(expected)}"
            self.error(node, f"wrong number of arguments in {what}: {counts}")
            return
        for at, (argument, wanted) in enumerate(zip(given, expected, strict=True)):
            found = self.types[argument]
            if found is wanted or unify(wanted, found):
                continue
            message = f"invalid type for argument {at} in {what}: {found} (expected: {wanted})"
            self.error(argument, message)

    def _convert(self, e: s.Convert) -> Type:
        source, target = (REAL, INT) if e.target == "int" else (INT, REAL)
        found = pruned(self.types[e.operand])
        if not isinstance(found, FloatType) and not unify(found, source):
            message = f"argument type {found} does not match expected type {source} or type float"
            self.error(e, message)
        return target

    def _coerce(self, e: s.Coerce) -> Type:
        target = self.tables.coercions.get(e, UNKNOWN)
        found = self.types[e.operand]
        if not unify(found, target):
            self.error(e, f"{found} cannot be coerced to {target}")
        return target

    def opened(
        self, node: s.Node, type_: Type, given: Sequence[s.Expr], what: str
    ) -> tuple[tuple[Type, ...], Type]:
        """Argument and result types of the map that a use of it works on."""
        type_ = pruned(type_)
        if isinstance(type_, Proxy):
            # Nothing is known of the map, so it is taken to be one that fits here.
            guess = map_type(tuple(self.types[each] for each in given), proxy())
            unify(type_, guess)
            return guess.arguments, guess.result
        if not isinstance(type_, MapType):
            if type_ is not UNKNOWN:
                self.error(node, f"{what} applied to a non-map: {type_}")
            return tuple(UNKNOWN for _ in given), UNKNOWN
        fresh = [proxy(f"T{at}") for at in range(type_.parameters)]
        self.instance(node, fresh)
        return open_map(type_, fresh)

    def _select(self, e: s.Select) -> Type:
        expected, result = self.opened(e, self.types[e.map], e.indices, "map select")
        self.arguments(e, e.indices, expected, "map select")
        return result

    def _update(self, e: s.Update) -> Type:
        expected, result = self.opened(e, self.types[e.map], e.indices, "map store")
        self.arguments(e, e.indices, expected, "map store")
        found = self.types[e.value]
        if not unify(result, found):
            message = f"invalid type for value in map store: {found} (expected: {result})"
            self.error(e.value, message)
        return self.types[e.map]

    def _extract(self, e: s.Extract) -> Type:
        operand = pruned(self.types[e.operand])
        if e.high < e.low:
            return self.error(e, "start index in extract must be no bigger than the end index")
        wide_enough = isinstance(operand, BitVecType) and operand.width >= e.high
        if operand is not UNKNOWN and not wide_enough:
            message = f"extract operand must be a bitvector of at least {e.high} bits"
            self.error(e, f"{message} (got {operand})")
        return bitvec_type(e.high - e.low)

    def _if_then_else(self, e: s.IfThenElse) -> Type:
        condition = self.types[e.condition]
        if not unify(condition, BOOL):
            self.error(e, f"first argument to if-then-else should be bool, not {condition}")
        then, otherwise = self.types[e.then], self.types[e.otherwise]
        if not unify(then, otherwise):
            message = f"branches of if-then-else have incompatible types {then} and {otherwise}"
            return self.error(e, message)
        return otherwise if pruned(then) is UNKNOWN else then

    def _variables(self, variables: Sequence[s.Variable]) -> tuple[Type, ...]:
        for variable in variables:
            self.attributes(variable.attributes)
        return tuple(self.tables.symbols[each].type for each in variables)

    def _quantifier(self, e: s.Quantifier) -> Type:
        self._variables(e.variables)
        body = self.types[e.body]
        if not unify(body, BOOL):
            self.error(e, f"quantifier body must be of type bool (got: {body})")
        return BOOL

    def _lambda(self, e: s.Lambda) -> Type:
        arguments = self._variables(e.variables)
        result = resolved(self.types[e.body])
        own = self.tables.binders[e]
        occurring = variables_in(arguments)
        for variable in own:
            if variable not in occurring:
                message = f"the type variable {variable.name} does not occur in types of the"
                self.error(e, f"{message} lambda parameters")
        return polymorphic_map(own, arguments, result)[0]

    def _let(self, e: s.Let) -> Type:
        for variable in e.variables:
            self.attributes(variable.attributes)
            symbol = self.tables.symbols[variable]
            self._bind_let(symbol, variable)
            self._open_symbols.append(symbol)
        return self.types[e.body]

    def _code(self, e: s.CodeExpr) -> Type:
        self.code(e)
        return BOOL

    @abstractmethod
    def code(self, e: s.CodeExpr) -> None:
        """Check the statements of a code expression."""

    def attributes(self, attributes: Sequence[s.Attribute]) -> None:
        """Check the arguments of attributes; they may have any type."""
        for attribute in attributes:
            for argument in attribute.arguments:
                self.check(argument)


_PREDICATES = LOGICAL | EQUALITY | COMPARISON | {"<:"}


def _is_number(type_: Type) -> bool:
    return type_ is INT or type_ is REAL or isinstance(type_, FloatType)


_C = ExpressionChecker
_RULES: dict[type[s.Expr], Callable[[ExpressionChecker, Any], Type]] = {
    s.BoolLiteral: lambda c, e: BOOL,
    s.IntLiteral: lambda c, e: INT,
    s.RealLiteral: lambda c, e: REAL,
    s.BitVecLiteral: lambda c, e: bitvec_type(e.width),
    s.FloatLiteral: lambda c, e: float_type(e.significand, e.exponent_bits),
    s.RoundingLiteral: lambda c, e: RMODE,
    s.StringLiteral: lambda c, e: STRING,
    s.Identifier: _C._identifier,
    s.Old: _C._old,
    s.Unary: _C._unary,
    s.Binary: _C._binary,
    s.Apply: _C._apply,
    s.Convert: _C._convert,
    s.Coerce: _C._coerce,
    s.Select: _C._select,
    s.Update: _C._update,
    s.Extract: _C._extract,
    s.IfThenElse: _C._if_then_else,
    s.Quantifier: _C._quantifier,
    s.Lambda: _C._lambda,
    s.Let: _C._let,
    s.CodeExpr: _C._code,
}
