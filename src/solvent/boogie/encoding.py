"""Boogie expressions as terms: literals and operators; the classes below do everything else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from solvent.boogie import operations
from solvent.boogie import syntax as s
from solvent.boogie.encode_base import proper
from solvent.boogie.encode_binders import BinderEncoder
from solvent.boogie.operations import order
from solvent.boogie.scopes import Scope
from solvent.boogie.sorts import MODES, UnsupportedError, sort_of
from solvent.terms import bv, extract, implies, ite, not_
from solvent.terms.smtlib import read_term

_IMPLIES = ("==>", "<==")
_CONNECTIVES = ("&&", "||")

LARGEST_EXPONENT = 10_000


class Encoder(BinderEncoder):
    """Translates the expressions of one program; `axioms` collects what they need."""

    def _BoolLiteral(self, e: s.BoolLiteral, scope: Scope) -> Any:
        return e.value

    _IntLiteral = _BoolLiteral

    def _RealLiteral(self, e: s.RealLiteral, scope: Scope) -> Any:
        return self.power_of(e, e.exponent)

    def power_of(self, e: s.RealLiteral | s.FloatLiteral, exponent: int) -> Any:
        """The number of a literal, unless writing it down would take for ever."""
        if abs(exponent) > LARGEST_EXPONENT:
            problem = f"numbers with exponents over {LARGEST_EXPONENT:,} cannot be reasoned about"
            raise UnsupportedError(e.position, problem)
        return e.value

    def _FloatLiteral(self, e: s.FloatLiteral, scope: Scope) -> Any:
        sort = f"{e.exponent_bits} {e.significand}"
        if e.special:
            return read_term(f"(_ {e.special} {sort})")
        number, sign = abs(self.power_of(e, e.exponent)), "-" if e.negative else ""
        if number == 0:
            return read_term(f"(_ {sign or '+'}zero {sort})")
        text = f"(/ {number.numerator}.0 {number.denominator}.0)"
        text = f"(- {text})" if sign else text
        return read_term(f"((_ to_fp {sort}) RNE {text})")

    def _RoundingLiteral(self, e: s.RoundingLiteral, scope: Scope) -> Any:
        return MODES[e.mode]

    def _BitVecLiteral(self, e: s.BitVecLiteral, scope: Scope) -> Any:
        self.not_empty(e.width, e)
        return bv(e.value, e.width)

    def _Identifier(self, e: s.Identifier, scope: Scope) -> Any:
        symbol = self.program.symbol_of(e)
        return proper(self.variable(symbol, scope), symbol.type)

    def _Old(self, e: s.Old, scope: Scope) -> Any:
        return self.encode(e.operand, replace(scope, old=True, runs=None))

    def _CodeExpr(self, e: s.CodeExpr, scope: Scope) -> Any:
        return self.code(e, scope)

    def _Unary(self, e: s.Unary, scope: Scope) -> Any:
        if e.operator == "!":
            return not_(self.encode(e.operand, scope.negated()))
        return -self.value(e.operand, scope)

    def _Binary(self, e: s.Binary, scope: Scope) -> Any:
        if self.touching.code(e):
            return self.binary_with_code(e, scope)
        # Long chains lean to the left: they are taken apart without recursion.
        chain: list[s.Binary] = []
        left: s.Expr = e
        while isinstance(left, s.Binary):
            chain.append(left)
            left = left.left
        value = self.encode(left, scope)
        for part in reversed(chain):
            value = self.operation(part, value, self.encode(part.right, scope), scope)
        return value

    def binary_with_code(self, e: s.Binary, scope: Scope) -> Any:
        """An operator with a code expression in an operand, which may be negated."""
        if e.operator in _CONNECTIVES:
            chain, left = [e], e.left
            while isinstance(left, s.Binary) and left.operator in _CONNECTIVES:
                chain.append(left)
                left = left.left
            value = self.encode(left, scope)
            for part in reversed(chain):
                value = self.operation(part, value, self.encode(part.right, scope), scope)
            return value
        if e.operator not in _IMPLIES:
            return self.operation(e, self.value(e.left, scope), self.value(e.right, scope), scope)
        premise, conclusion = (e.left, e.right) if e.operator == "==>" else (e.right, e.left)
        return implies(self.encode(premise, scope.negated()), self.encode(conclusion, scope))

    def operation(self, e: s.Binary, a: Any, b: Any, scope: Scope) -> Any:
        """A binary operator on terms."""
        if e.operator in ("==", "!="):
            a, b = self.comparable(e, a, b, scope)
        if e.operator == "<:":
            sort = sort_of(self.type_of(e.left, scope), e.position)
            self.ordered[sort] = None
            return order(sort)(a, b)
        return operations.binary(e.operator, a, b, e.position)

    def comparable(self, e: s.Binary, a: Any, b: Any, scope: Scope) -> tuple[Any, Any]:
        """Both sides of an equation, boxed if only one of them is."""
        first, second = self.type_of(e.left, scope), self.type_of(e.right, scope)
        if sort_of(first, e.position) is sort_of(second, e.position):
            return a, b
        boxed = self.boxes.boxed
        return boxed(a, first, e.position), boxed(b, second, e.position)

    def _Convert(self, e: s.Convert, scope: Scope) -> Any:
        return operations.converted(e.target, self.value(e.operand, scope))

    def _Coerce(self, e: s.Coerce, scope: Scope) -> Any:
        return self.encode(e.operand, scope)

    def _IfThenElse(self, e: s.IfThenElse, scope: Scope) -> Any:
        condition = self.value(e.condition, scope)
        return ite(condition, self.encode(e.then, scope), self.encode(e.otherwise, scope))

    def not_empty(self, width: int, e: s.Expr) -> None:
        """Refuse a bitvector without bits, which solvers do not have."""
        if width == 0:
            raise UnsupportedError(e.position, "values of the type bv0 cannot be reasoned about")

    def _Extract(self, e: s.Extract, scope: Scope) -> Any:
        self.not_empty(e.high - e.low, e)
        return extract(e.high - 1, e.low, self.value(e.operand, scope))
