"""The values of code expressions where no condition says which of them counts.

A code expression is run, and its value is what one of its executions returns.  In an assumption it
is enough that one returns true, in an assertion none may return false.  Elsewhere, as in
`m == code` or `f(code)`, the value is a *choice*: a Boolean constant that is true only if some
execution returns true, and false only if some execution returns false.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple, TypeVar

from solvent.boogie import syntax as s
from solvent.boogie.encode_base import BaseEncoder
from solvent.boogie.scopes import Scope
from solvent.boogie.sorts import UnsupportedError
from solvent.boogie.types import BOOL
from solvent.reach.positions import Position
from solvent.reach.program import has_quantifiers
from solvent.terms import Bool, BoolTerm, and_, exists, forall, implies, or_, substitute
from solvent.terms.kinds import Guard, Operand

# So many choices are written out as cases; more are quantified.
MOST_CASES = 4
# Values inside of each other are translated twice on each level.
DEEPEST = 8

# What is made without choices.
FoundT = TypeVar("FoundT")

_MONOTONE = ("&&", "||", "==>", "<==")


class Choice(NamedTuple):
    """A constant for a value, and what has to hold of it."""

    constant: BoolTerm
    condition: Guard


class ChoiceEncoder(BaseEncoder):
    """Expressions that contain code expressions."""

    def choosing(self, e: s.Expr, scope: Scope) -> Operand:
        """The term of an expression that contains a code expression."""
        if scope.mixed:
            return self.either(e, scope) if self.type_of(e, scope) is BOOL else self.plain(e, scope)
        if isinstance(e, s.CodeExpr) or _is_monotone(e):
            return self.plain(e, scope)
        return self.unit(e, scope)

    def either(self, e: s.Expr, scope: Scope) -> Guard:
        """A condition in a place where neither true nor false makes anything weaker."""
        here = replace(scope, mixed=False)
        runs = scope.runs is not None and self.is_run(e, here)
        if runs and isinstance(e, s.CodeExpr):
            assert scope.runs is not None
            return scope.runs.run_code(e, here, None)
        self.deeper(e.position)
        low, high = self.both(e, here if runs else replace(here, runs=None))
        self.depth -= 1
        if low is high:
            return low
        constant = Bool(f"choice {next(self.numbers)}")
        condition = and_(implies(constant, high), implies(low, constant))
        if scope.runs is not None:
            scope.runs.choose(constant, condition)
        else:
            self.choices.append(Choice(constant, condition))
        return constant

    def deeper(self, position: Position) -> None:
        """Go into a value, if that is not too deep."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise UnsupportedError(
                position, f"code expressions are nested more than {DEEPEST} levels deep in values"
            )

    def both(self, e: s.Expr, scope: Scope) -> tuple[Guard, Guard]:
        """What holds if all executions return true, and what if some do."""
        low = self.condition(e, scope.inside_assumption(False))
        return low, self.condition(e, scope.inside_assumption(True))

    def is_run(self, e: s.Expr, scope: Scope) -> bool:
        """Whether code is run by blocks: a term needs quantifiers for what it calls or havocs."""
        if self.touching.calls(e):
            return True
        low, high = self.both(e, replace(scope, runs=None))
        # If both are the same, the quantifiers are those of the program.
        return low is not high and (has_quantifiers(low) or has_quantifiers(high))

    def unit(self, e: s.Expr, scope: Scope) -> Guard:
        """A condition that depends on values of code expressions."""
        if scope.runs is not None and self.is_run(e, scope):

            def make() -> Guard:
                return self.plain(e, scope)  # type: ignore[return-value]

            return scope.runs.unit(make, scope.assumed, e.position)
        outside, self.choices = self.choices, []
        found = self.plain(e, replace(scope, runs=None))
        own, self.choices = self.choices, outside
        return _closed(own, found, scope.assumed)  # type: ignore[arg-type]

    def decided(self, make: Callable[[], FoundT], position: Position, what: str) -> FoundT:
        """The term of an expression without choices."""
        outside, self.choices = self.choices, []
        found = make()
        own, self.choices = self.choices, outside
        if own:
            raise UnsupportedError(
                position, f"a code expression in {what} must have one value, not one of several"
            )
        return found


def _is_monotone(e: s.Expr) -> bool:
    match e:
        case s.Unary(operator):
            return operator == "!"
        case s.Binary(operator):
            return operator in _MONOTONE
        case _:
            return isinstance(e, (s.Quantifier, s.Old, s.Coerce))


def _closed(choices: Sequence[Choice], condition: Guard, assumed: bool) -> Guard:
    if not choices:
        return condition
    known = and_([one.condition for one in choices])
    whole = and_(known, condition) if assumed else implies(known, condition)
    names = [one.constant for one in choices]
    if len(names) > MOST_CASES:
        return exists(names, whole) if assumed else forall(names, whole)
    cases = [
        substitute(whole, dict(zip(names, values, strict=True)))
        for values in product((False, True), repeat=len(names))
    ]
    return or_(cases) if assumed else and_(cases)
