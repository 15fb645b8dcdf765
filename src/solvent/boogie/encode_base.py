"""What the parts of the encoder share: variables, types, and facts about what is boxed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import TYPE_CHECKING, NoReturn

from solvent.boogie import syntax as s
from solvent.boogie.boxes import Boxes
from solvent.boogie.checking import TypedProgram
from solvent.boogie.scopes import Scope, Values
from solvent.boogie.sorts import UnsupportedError, is_open, rounding_mode, sort_of
from solvent.boogie.symbols import Kind, Symbol
from solvent.boogie.touching import Touching
from solvent.boogie.type_terms import told_by_values, types_matter
from solvent.boogie.types import RMODE, Type, TypeVariable
from solvent.reach.positions import Position
from solvent.reach.program import Clause, old_value
from solvent.terms import and_, implies
from solvent.terms.kinds import Guard, Operand
from solvent.terms.sorts import Sort
from solvent.terms.term import Term

if TYPE_CHECKING:
    from solvent.boogie.choices import Choice


class BaseEncoder:
    """The base of the encoder: variables and types, conditions and the facts that they need."""

    def __init__(self, program: TypedProgram) -> None:
        self.program = program
        self.constants: dict[Symbol, Term] = {}
        self.axioms: list[Guard] = []
        self.boxes = Boxes(self.axioms, types_matter(program))
        # The sorts whose values are compared with `<:`.
        self.ordered: dict[Sort[Term], None] = {}
        self.numbers = count()
        # Only code expressions differ in assumptions and assertions.
        self.touching = Touching(program)
        # The choices of code expressions that no condition around them has closed yet.
        self.choices: list[Choice] = []
        self.depth = 0
        self.code: Callable[[s.CodeExpr, Scope], Guard] = _no_code
        self.check_code: Callable[[s.CodeExpr, Scope], None] = _no_code

    # --- variables ---

    def type_of(self, e: s.Expr, scope: Scope) -> Type:
        """The type of an expression, as it is in a scope."""
        return scope.type(self.program.type_of(e))

    def instances_of(self, e: s.Node, scope: Scope) -> list[Type]:
        """The types that a polymorphic use instantiates type variables with."""
        return [scope.type(one) for one in self.program.instances_of(e)]

    def constant(self, symbol: Symbol) -> Term:
        """The constant of a global variable or of a constant."""
        if symbol not in self.constants:
            sort = sort_of(symbol.type, symbol.declaration.position)
            self.constants[symbol] = sort(symbol.name)
        return self.constants[symbol]

    def variable(self, symbol: Symbol, scope: Scope) -> Operand:
        """What a variable stands for."""
        if symbol in scope.values:
            return scope.values[symbol]
        found = self.constant(symbol)
        return old_value(found) if scope.old and symbol.kind is Kind.GLOBAL else found

    # --- expressions ---

    def encode(self, e: s.Expr, scope: Scope) -> Operand:
        """The term of an expression."""
        if self.touching.code(e):
            return self.choosing(e, scope)
        return self.plain(e, scope)

    def condition(self, e: s.Expr, scope: Scope) -> Guard:
        """The term of a Boolean expression."""
        return self.encode(e, scope)  # type: ignore[return-value]

    def choosing(self, e: s.Expr, scope: Scope) -> Operand:
        """The term of an expression with a code expression in it."""
        raise NotImplementedError

    def plain(self, e: s.Expr, scope: Scope) -> Operand:
        """The term of an expression, by its own operator."""
        method = getattr(self, f"_{type(e).__name__}", None)
        if method is None:
            raise UnsupportedError(
                e.position, f"{type(e).__name__} expressions cannot be reasoned about"
            )
        found: Operand = method(e, scope)
        return found

    def with_facts(self, e: s.Expr, scope: Scope) -> tuple[Guard, list[Guard]]:
        """The term of a condition, and the facts about what it boxes."""
        outside, self.boxes.facts = self.boxes.facts, {}
        found = self.condition(e, scope)
        facts, self.boxes.facts = list(self.boxes.facts), outside
        return found, facts

    def hypothesis(self, e: s.Expr, scope: Scope) -> Guard:
        """A condition that is assumed, with the facts that it needs."""
        found, facts = self.with_facts(e, scope.inside_assumption(True))
        return and_([*facts, found]) if facts else found

    def clause(self, e: s.Expr, scope: Scope, free: bool, where: Position) -> Clause:
        """A condition that is checked in some places and assumed in others."""
        condition, facts = self.with_facts(e, scope.inside_assumption(False))
        has_code = self.touching.code(e)
        if not facts and not has_code:
            return Clause(condition, free, where)
        assumed = self.hypothesis(e, scope) if has_code else and_([*facts, condition])
        return Clause(implies(and_(facts), condition), free, where, assumed=assumed)

    def value(self, e: s.Expr, scope: Scope) -> Operand:
        """The term of an expression whose value is used, whatever it is."""
        return self.encode(e, scope.value())

    def all(self, expressions: Sequence[s.Expr], scope: Scope) -> list[Operand]:
        """The terms of some expressions whose values are used."""
        return [self.value(e, scope) for e in expressions]

    def bound(self, symbol: Symbol, position: Position, scope: Scope) -> Term:
        """A new constant for a bound variable."""
        sort = sort_of(scope.type(symbol.type), position)
        return sort(f"{symbol.name}!{next(self.numbers)}")

    def told(
        self, parameters: Sequence[TypeVariable], values: Values, scope: Scope
    ) -> dict[TypeVariable, Term]:
        """What type variables are, where the types of values tell."""
        typed = {value: scope.type(symbol.type) for symbol, value in values.items()}
        boxed = {
            value: type_
            for value, type_ in typed.items()
            if is_open(type_) and isinstance(value, Term)
        }
        return told_by_values(parameters, boxed)

    def guards(self, values: Values, scope: Scope, position: Position) -> list[Guard]:
        """That values have their types, as far as their sorts do not say it."""
        found = []
        for symbol, value in values.items():
            type_ = scope.type(symbol.type)
            if is_open(type_) and isinstance(value, Term):
                found.append(self.boxes.types.has_type(value, type_, scope.types, position))
        return [guard for guard in found if guard is not True]


def _no_code(e: s.CodeExpr, scope: Scope) -> NoReturn:
    raise UnsupportedError(e.position, "a code expression is only known inside of a program")


def proper(value: Operand, type_: Type) -> Operand:
    """A value that was read somewhere; of the values of a sort some may be no rounding modes."""
    return rounding_mode(value) if type_ is RMODE else value  # type: ignore[arg-type]
