"""Boogie expressions as terms.

Functions with bodies are expanded where they are used, unless they are recursive; those with
`{:bvbuiltin}` or `{:builtin}` are what SMT-LIB says.  Recursive functions and lambdas become
functions with axioms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import count
from typing import Any

from solvent.boogie import attributes
from solvent.boogie import syntax as s
from solvent.boogie.checking import TypedProgram
from solvent.boogie.diagnostics import Position
from solvent.boogie.sorts import ANY, UnsupportedError, box, round_trip, sort_of, unbox
from solvent.boogie.symbols import FunctionSymbol, Kind, Symbol
from solvent.boogie.types import MapType, Type, TypeVariable, open_map, resolved
from solvent.boogie.types import substitute as substitute_types
from solvent.boogie.walking import parents_first
from solvent.errors import SolventError
from solvent.reach.graphs import components
from solvent.reach.program import old_value
from solvent.terms import (
    Bool,
    Function,
    Int,
    Real,
    and_,
    bv,
    concat,
    const_array,
    constants,
    div,
    eq,
    exists,
    extract,
    floor,
    forall,
    iff,
    implies,
    ite,
    mod,
    not_,
    or_,
    select,
    store,
    to_real,
)
from solvent.terms import substitute as substitute_terms
from solvent.terms.smtlib import read_term
from solvent.terms.softfloat import RoundingMode
from solvent.terms.sorts import IntSort, Sort
from solvent.terms.term import Term

Values = Mapping[Symbol, Any]


@dataclass(frozen=True, slots=True)
class Scope:
    """What variables stand for, and whether their values at the entry are meant."""

    values: Values
    old: bool = False

    def inside(self, new: Values) -> Scope:
        """The scope inside of a binder."""
        return Scope({**self.values, **new}, self.old)


# What division by zero gives is not known.
_DIV_ZERO = Function("div by zero", [Int], Int)
_MOD_ZERO = Function("mod by zero", [Int], Int)
_OVER_ZERO = Function("division by zero", [Real], Real)


def _divided(operation: Callable[[Any, Any], Any], unknown: Any) -> Callable[[Any, Any], Any]:
    def divide(a: Any, b: Any) -> Any:
        if not isinstance(b, Term) and b != 0:
            return operation(a, b)
        return ite(eq(b, 0), unknown(a), operation(a, b) if isinstance(b, Term) else 0)

    return divide


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<==>": iff,
    "==>": implies,
    "<==": lambda a, b: implies(b, a),
    "&&": and_,
    "||": or_,
    "==": eq,
    "!=": lambda a, b: not_(eq(a, b)),
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "++": concat,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": _divided(div, _DIV_ZERO),
    "mod": _divided(mod, _MOD_ZERO),
}


class Encoder:
    """Translates the expressions of one program; `axioms` collects what they need."""

    def __init__(self, program: TypedProgram) -> None:
        self.program = program
        self.constants: dict[Symbol, Any] = {}
        self.functions: dict[str, Any] = {}
        self.builtins: dict[str, tuple[list[Any], Any]] = {}
        self.axioms: list[Any] = []
        # The boxed values of an expression, about which a fact is needed.
        self.boxed: dict[Any, None] = {}
        self.numbers = count()
        self.recursive = _recursive(program)

    # --- variables ---

    def sort(self, type_: Type, position: Position) -> Sort[Any]:
        """The sort of a type."""
        return sort_of(type_, position)

    def constant(self, symbol: Symbol) -> Any:
        """The constant of a global variable or of a constant."""
        if symbol not in self.constants:
            sort = self.sort(symbol.type, symbol.declaration.position)
            self.constants[symbol] = sort(symbol.name)
        return self.constants[symbol]

    def variable(self, symbol: Symbol, scope: Scope) -> Any:
        """What a variable stands for."""
        if symbol in scope.values:
            return scope.values[symbol]
        found = self.constant(symbol)
        return old_value(found) if scope.old and symbol.kind is Kind.GLOBAL else found

    # --- expressions ---

    def encode(self, e: s.Expr, scope: Scope) -> Any:
        """The term of an expression."""
        method = getattr(self, f"_{type(e).__name__}", None)
        if method is None:
            raise UnsupportedError(
                e.position, f"{type(e).__name__} expressions cannot be reasoned about"
            )
        return method(e, scope)

    def all(self, expressions: Sequence[s.Expr], scope: Scope) -> list[Any]:
        """The terms of some expressions."""
        return [self.encode(e, scope) for e in expressions]

    def _BoolLiteral(self, e: s.BoolLiteral, scope: Scope) -> Any:
        return e.value

    _IntLiteral = _BoolLiteral

    def _RealLiteral(self, e: s.RealLiteral, scope: Scope) -> Any:
        return e.value

    def _FloatLiteral(self, e: s.FloatLiteral, scope: Scope) -> Any:
        sort = f"{e.exponent_bits} {e.significand}"
        if e.special:
            return read_term(f"(_ {e.special} {sort})")
        number, sign = abs(e.value), "-" if e.negative else ""
        if number == 0:
            return read_term(f"(_ {sign or '+'}zero {sort})")
        text = f"(/ {number.numerator}.0 {number.denominator}.0)"
        text = f"(- {text})" if sign else text
        return read_term(f"((_ to_fp {sort}) RNE {text})")

    def _RoundingLiteral(self, e: s.RoundingLiteral, scope: Scope) -> Any:
        return RoundingMode[e.mode]

    def _BitVecLiteral(self, e: s.BitVecLiteral, scope: Scope) -> Any:
        return bv(e.value, e.width)

    def _Identifier(self, e: s.Identifier, scope: Scope) -> Any:
        return self.variable(self.program.symbol_of(e), scope)

    def _Old(self, e: s.Old, scope: Scope) -> Any:
        return self.encode(e.operand, Scope(scope.values, old=True))

    def _Unary(self, e: s.Unary, scope: Scope) -> Any:
        value = self.encode(e.operand, scope)
        return not_(value) if e.operator == "!" else -value

    def _Binary(self, e: s.Binary, scope: Scope) -> Any:
        # Long chains lean to the left: they are taken apart without recursion.
        chain: list[s.Binary] = []
        left: s.Expr = e
        while isinstance(left, s.Binary):
            chain.append(left)
            left = left.left
        value = self.encode(left, scope)
        for part in reversed(chain):
            value = self.operation(part, value, self.encode(part.right, scope))
        return value

    def operation(self, e: s.Binary, a: Any, b: Any) -> Any:
        """A binary operator on terms."""
        if e.operator in ("==", "!="):
            a, b = self.comparable(e, a, b)
        if e.operator == "/":
            return self.quotient(a, b)
        if e.operator == "**":
            return self.power(e, a, b)
        if e.operator == "<:":
            return self.below(a, b, e)
        if e.operator not in _OPERATORS:
            raise UnsupportedError(
                e.position, f"the operator {e.operator} cannot be reasoned about"
            )
        return _OPERATORS[e.operator](a, b)

    def comparable(self, e: s.Binary, a: Any, b: Any) -> tuple[Any, Any]:
        """Both sides of an equation, boxed if only one of them is."""
        first = self.sort(self.program.type_of(e.left), e.position)
        second = self.sort(self.program.type_of(e.right), e.position)
        if first is second:
            return a, b
        return self.boxed_value(a, first), self.boxed_value(b, second)

    def quotient(self, a: Any, b: Any) -> Any:
        """Real division."""
        a, b = _as_real(a), _as_real(b)
        if isinstance(b, Term):
            return ite(eq(b, 0), _OVER_ZERO(a), a / b)
        return a / b if b != 0 else _OVER_ZERO(a)

    def power(self, e: s.Binary, a: Any, b: Any) -> Any:
        """A power; only whole numbers that are known can be exponents."""
        if isinstance(b, Term) or b != int(b):
            raise UnsupportedError(e.position, "only whole numbers that are known can be exponents")
        a, result = _as_real(a), Fraction(1)
        for _ in range(abs(int(b))):
            result = result * a
        return result if b >= 0 else self.quotient(Fraction(1), result)

    def below(self, a: Any, b: Any, e: s.Expr) -> Any:
        """The partial order `<:`."""
        sort = a.sort if isinstance(a, Term) else b.sort
        return order(sort)(a, b)

    def _Convert(self, e: s.Convert, scope: Scope) -> Any:
        value = self.encode(e.operand, scope)
        return to_real(value) if e.target == "real" else floor(value)

    def _Coerce(self, e: s.Coerce, scope: Scope) -> Any:
        return self.encode(e.operand, scope)

    def _IfThenElse(self, e: s.IfThenElse, scope: Scope) -> Any:
        return ite(*self.all((e.condition, e.then, e.otherwise), scope))

    def _Extract(self, e: s.Extract, scope: Scope) -> Any:
        return extract(e.high - 1, e.low, self.encode(e.operand, scope))

    # --- maps ---

    def indices(self, e: Any, scope: Scope) -> tuple[list[Any], Type, Type]:
        """The indices of a selection or update as the sorts of the map want them; the results."""
        type_ = resolved(self.program.type_of(e.map))
        assert isinstance(type_, MapType)
        return self.map_indices(type_, e, self.all(e.indices, scope))

    def map_indices(
        self, type_: MapType, e: s.Node, values: Sequence[Any]
    ) -> tuple[list[Any], Type, Type]:
        """The same for any selection, and for the target of an assignment."""
        arguments, result = open_map(type_, self.program.instances_of(e))
        boxed = [
            self.converted(value, actual, declared, e.position)
            for value, actual, declared in zip(values, arguments, type_.arguments, strict=True)
        ]
        return boxed, result, type_.result

    def converted(self, value: Any, actual: Type, declared: Type, position: Position) -> Any:
        """A value of an actual type where one of a declared type is wanted."""
        own, wanted = self.sort(actual, position), self.sort(declared, position)
        if own is wanted:
            return value
        if wanted is ANY:
            return self.boxed_value(value, own)
        if own is ANY:
            return unbox(value, wanted)
        raise UnsupportedError(
            position, "a map whose type arguments differ cannot be passed to a polymorphic place"
        )

    def boxed_value(self, value: Any, sort: Sort[Any]) -> Any:
        """A value in the sort of all values; that it can be taken out again is noted."""
        if sort is not ANY:
            self.boxed[round_trip(sort, value)] = None
        return box(value, sort)

    def _Select(self, e: s.Select, scope: Scope) -> Any:
        array = self.encode(e.map, scope)
        indices, result, declared = self.indices(e, scope)
        return self.converted(reduce(select, indices, array), declared, result, e.position)

    def _Update(self, e: s.Update, scope: Scope) -> Any:
        array = self.encode(e.map, scope)
        indices, result, declared = self.indices(e, scope)
        value = self.encode(e.value, scope)
        return updated(array, indices, self.converted(value, result, declared, e.position))

    # --- functions ---

    def _Apply(self, e: s.Apply, scope: Scope) -> Any:
        function = self.program.function(e)
        values = self.all(e.arguments, scope)
        builtin = _builtin(function)
        if builtin is not None:
            return self.builtin(function, builtin, values, e.position)
        replaced = dict(zip(function.type_parameters, self.program.instances_of(e), strict=False))
        values = [
            self.converted(value, _instance(p.type, replaced), p.type, e.position)
            for value, p in zip(values, function.parameters, strict=True)
        ]
        result = self.applied(function, values, e.position)
        return self.converted(
            result, function.result, _instance(function.result, replaced), e.position
        )

    def applied(self, function: FunctionSymbol, values: Sequence[Any], position: Position) -> Any:
        """A function on terms: its body, or an uninterpreted function."""
        body = function.declaration.body
        if body is not None and function.name not in self.recursive:
            inner = Scope(dict(zip(function.parameters, values, strict=True)))
            return self.encode(body, inner)
        return self.symbol(function, position)(*values)

    def symbol(self, function: FunctionSymbol, position: Position) -> Any:
        """The function symbol of a function; if it has a body, with an axiom."""
        if function.name not in self.functions:
            domain = [self.sort(p.type, position) for p in function.parameters]
            range_ = self.sort(function.result, position)
            if not domain:
                made = range_(function.name)
                self.functions[function.name] = lambda: made
            else:
                self.functions[function.name] = Function(function.name, domain, range_)
            self.define(function, position)
        return self.functions[function.name]

    def define(self, function: FunctionSymbol, position: Position) -> None:
        """The axiom of a recursive function."""
        body = function.declaration.body
        if body is None:
            return
        variables = {p: self.bound(p, position) for p in function.parameters}
        applied = self.functions[function.name](*variables.values())
        equal = eq(applied, self.encode(body, Scope(variables)))
        if variables:
            equal = forall(list(variables.values()), equal, [applied])
        self.axioms.append(equal)

    def bound(self, symbol: Symbol, position: Position) -> Any:
        """A new constant for a bound variable."""
        sort = self.sort(symbol.type, position)
        return sort(f"{symbol.name}!{next(self.numbers)}")

    def builtin(
        self, function: FunctionSymbol, text: str, values: Sequence[Any], position: Position
    ) -> Any:
        """A function of SMT-LIB, read once with constants for its parameters.

        Rounding modes are no values of a sort, but a part of the text.
        """
        modes = [value.name for value in values if isinstance(value, RoundingMode)]
        key = " ".join([function.name, *modes])
        if key not in self.builtins:
            self.builtins[key] = self.read_builtin(function, text, values, position)
        formals, term = self.builtins[key]
        given = [value for value in values if not isinstance(value, RoundingMode)]
        return substitute_terms(term, dict(zip(formals, given, strict=True)))

    def read_builtin(
        self, function: FunctionSymbol, text: str, values: Sequence[Any], position: Position
    ) -> tuple[list[Any], Any]:
        """The term of a function of SMT-LIB, and the constants in it for the parameters."""
        formals, names = [], []
        for place, (parameter, value) in enumerate(zip(function.parameters, values, strict=True)):
            if isinstance(value, RoundingMode):
                names.append(value.name)
            else:
                formals.append(self.sort(parameter.type, position)(f"p{place}"))
                names.append(formals[-1].name)
        head = f"(_ {text})" if " " in text and not text.startswith("(") else text
        try:
            term = read_term(f"({' '.join([head, *names])})" if names else head, formals)
        except SolventError as error:
            raise UnsupportedError(
                position, f"the function {text} of {function.name} is not known: {error}"
            ) from None
        return formals, term

    # --- binders ---

    def _Quantifier(self, e: s.Quantifier, scope: Scope) -> Any:
        bound = {self.program.symbol_of(v): v for v in e.variables}
        variables = {symbol: self.bound(symbol, v.position) for symbol, v in bound.items()}
        inner = scope.inside(variables)
        outside, self.boxed = self.boxed, {}
        body = self.encode(e.body, inner)
        patterns = [
            tuple(self.all(trigger.expressions, inner))
            for trigger in e.triggers
            if not trigger.negative
        ]
        # What is boxed in here depends on the bound variables.
        facts, self.boxed = list(self.boxed), outside
        if facts:
            make = and_ if e.kind == "exists" else implies
            body = make(and_(facts), body)
        if not variables:
            return body
        quantify = forall if e.kind == "forall" else exists
        usable = [p for p in patterns if all(isinstance(term, Term) for term in p)]
        return quantify(list(variables.values()), body, usable)

    def _Lambda(self, e: s.Lambda, scope: Scope) -> Any:
        symbols = {self.program.symbol_of(v): v for v in e.variables}
        variables = {symbol: self.bound(symbol, v.position) for symbol, v in symbols.items()}
        names = list(variables.values())
        body = self.encode(e.body, scope.inside(variables))
        sort = self.sort(self.program.type_of(e), e.position)
        bound = dict.fromkeys(names)
        free = [one for one in constants(body) if one not in bound]
        if len(free) == len(constants(body)):
            return reduce(lambda inner, one: const_array(one.sort, inner), reversed(names), body)
        return self.lifted(names, body, free, sort)

    def lifted(self, names: list[Any], body: Any, free: list[Any], sort: Sort[Any]) -> Any:
        """A lambda as a function of its free variables, with an axiom."""
        title = f"lambda {next(self.numbers)}"
        made: Any = sort(title)
        if free:
            made = Function(title, [one.sort for one in free], sort)(*free)
        read = reduce(select, names, made)
        self.axioms.append(forall([*free, *names], eq(read, body), [read]))
        return made

    def _Let(self, e: s.Let, scope: Scope) -> Any:
        values = self.all(e.values, scope)
        symbols = [self.program.symbol_of(v) for v in e.variables]
        return self.encode(e.body, scope.inside(dict(zip(symbols, values, strict=True))))


# --- helpers -----------------------------------------------------------------------------------


def updated(array: Any, indices: Sequence[Any], value: Any) -> Any:
    """An array of arrays with another element."""
    if not indices:
        return value
    first, *rest = indices
    return store(array, first, updated(select(array, first), rest, value))


def order(sort: Sort[Any]) -> Any:
    """The relation `<:` of a sort."""
    return Function(f"<: {sort}", [sort, sort], Bool)


def _as_real(value: Any) -> Any:
    is_int = type(value) is int or (isinstance(value, Term) and isinstance(value.sort, IntSort))
    return to_real(value) if is_int else value


def _instance(type_: Type, replaced: Mapping[TypeVariable, Type]) -> Type:
    return substitute_types(type_, dict(replaced))


def _builtin(function: FunctionSymbol) -> str | None:
    found = function.declaration.attributes
    return attributes.string(found, "bvbuiltin") or attributes.string(found, "builtin")


def _recursive(program: TypedProgram) -> set[str]:
    """The functions whose bodies lead back to them."""
    graph = {
        name: [
            found.function
            for found in parents_first(function.declaration.body)
            if isinstance(found, s.Apply)
        ]
        if function.declaration.body is not None
        else []
        for name, function in program.functions.items()
    }
    return {
        name
        for component in components(graph)
        for name in component
        if len(component) > 1 or name in graph[name]
    }
