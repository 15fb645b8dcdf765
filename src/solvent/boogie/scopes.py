"""What names stand for where an expression is translated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from solvent.boogie import syntax as s
from solvent.boogie.symbols import Symbol
from solvent.boogie.type_terms import TypeValues
from solvent.boogie.types import Type, TypeVariable, resolved, substitute
from solvent.reach.positions import Position
from solvent.terms import BoolTerm
from solvent.terms.kinds import Guard, Operand

Values = Mapping[Symbol, Operand]


class Runs(Protocol):
    """Blocks in which code expressions can be run before the command that needs their values."""

    def run_code(self, e: s.CodeExpr, scope: Scope, otherwise: bool | None) -> BoolTerm:
        """A variable with what an execution returns; or with another value, if none is needed."""

    def unit(self, make: Callable[[], Guard], assumed: bool, position: Position) -> BoolTerm:
        """A variable with a condition for which code is run, if that is needed."""

    def choose(self, variable: BoolTerm, condition: Guard) -> None:
        """Give a variable any value for which a condition holds."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What variables stand for, and whether their values at the entry are meant."""

    values: Values
    old: bool = False
    # Whether an expression makes an assumption stronger where it is true, and not an assertion.
    assumed: bool = False
    # Whether it does neither, as where it is compared with something.
    mixed: bool = False
    # Where code expressions are run; None inside of a binder, and in all that is no statement.
    runs: Runs | None = None
    # What type variables are: types, in the body of a function, or else terms.
    actual: Mapping[TypeVariable, Type] = field(default_factory=dict)
    types: TypeValues = field(default_factory=dict)

    def inside(self, new: Values, types: TypeValues | None = None) -> Scope:
        """The scope inside of a binder."""
        values = {**self.values, **new}
        known = {**self.types, **types} if types else self.types
        return replace(self, values=values, types=known)

    def inside_assumption(self, assumed: bool) -> Scope:
        """The same scope in an assumption, or in an assertion."""
        return self if assumed is self.assumed else replace(self, assumed=assumed)

    def negated(self) -> Scope:
        """The scope inside of a negation."""
        return replace(self, assumed=not self.assumed)

    def value(self) -> Scope:
        """The scope of a part whose value is used, whatever it is."""
        return self if self.mixed else replace(self, mixed=True)

    def type(self, type_: Type) -> Type:
        """A type as it is here."""
        return substitute(resolved(type_), dict(self.actual)) if self.actual else resolved(type_)
