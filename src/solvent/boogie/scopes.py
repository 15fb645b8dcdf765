"""What names stand for where an expression is translated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from solvent.boogie.symbols import Symbol
from solvent.boogie.type_terms import TypeValues
from solvent.boogie.types import Type, TypeVariable, resolved, substitute

Values = Mapping[Symbol, Any]


@dataclass(frozen=True, slots=True)
class Scope:
    """What variables stand for, and whether their values at the entry are meant."""

    values: Values
    old: bool = False
    # Whether an expression makes an assumption stronger where it is true, and not an assertion.
    assumed: bool = False
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

    def type(self, type_: Type) -> Type:
        """A type as it is here."""
        return substitute(resolved(type_), dict(self.actual)) if self.actual else resolved(type_)
