"""Boogie expressions as terms: literals and operators; the classes below do everything else."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from solvent.boogie import operations
from solvent.boogie import syntax as s
from solvent.boogie.encode_base import proper
from solvent.boogie.encode_binders import BinderEncoder
from solvent.boogie.operations import order
from solvent.boogie.scopes import Scope
from solvent.boogie.sorts import MODES, UnsupportedError, sort_of
from solvent.terms import bv, extract, implies, ite, not_
from solvent.terms.kinds import Guard, Operand
from solvent.terms.smtlib import read_term

_IMPLIES = ("==>", "<==")
_CONNECTIVES = ("&&", "||")

LARGEST_EXPONENT = 10_000


class Encoder(BinderEncoder):
    """Translates the expressions of one program; `axioms` collects what they need."""

    def _BoolLiteral(self, e: s.BoolLiteral, scope: Scope) -> Operand:
        return e.value

    _IntLiteral = _BoolLiteral

    def _RealLiteral(self, e: s.RealLiteral, scope: Scope) -> Operand:
        return self.power_of(e, e.exponent)

    def power_of(self, e: s.RealLiteral | s.FloatLiteral, exponent: int) -> Fraction:
        """The number of a literal, unless writing it down would take for ever."""
        if abs(exponent) > LARGEST_EXPONENT:
            problem = f"numbers with exponents over {LARGEST_EXPONENT:,} cannot be reasoned about"
            raise UnsupportedError(e.position, problem)
        return e.value

    def _FloatLiteral(self, e: s.FloatLiteral, scope: Scope) -> Operand:
        found: Operand = read_term(self.float_text(e))
        return found

    def float_text(self, e: s.FloatLiteral) -> str:
        """A literal as SMT-LIB writes it."""
        sort = f"{e.exponent_bits} {e.significand}"
        if e.special:
            return f"(_ {e.special} {sort})"
        number, sign = abs(self.power_of(e, e.exponent)), "-" if e.negative else ""
        if number == 0:
            return f"(_ {sign or '+'}zero {sort})"
        text = f"(/ {number.numerator}.0 {number.denominator}.0)"
        text = f"(- {text})" if sign else text
        return f"((_ to_fp {sort}) RNE {text})"

    def _RoundingLiteral(self, e: s.RoundingLiteral, scope: Scope) -> Operand:
        return MODES[e.mode]

    def _BitVecLiteral(self, e: s.BitVecLiteral, scope: Scope) -> Operand:
        self.not_empty(e.width, e)
        return bv(e.value, e.width)

    def _Identifier(self, e: s.Identifier, scope: Scope) -> Operand:
        symbol = self.program.symbol_of(e)
        return proper(self.variable(symbol, scope), symbol.type)

    def _Old(self, e: s.Old, scope: Scope) -> Operand:
        return self.encode(e.operand, replace(scope, old=True, runs=None))

    def _CodeExpr(self, e: s.CodeExpr, scope: Scope) -> Operand:
        return self.code(e, scope)

    def _Unary(self, e: s.Unary, scope: Scope) -> Operand:
        if e.operator == "!":
            return not_(self.condition(e.operand, scope.negated()))
        return -self.value(e.operand, scope)  # type: ignore[operator]

    def _Binary(self, e: s.Binary, scope: Scope) -> Operand:
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

    def binary_with_code(self, e: s.Binary, scope: Scope) -> Operand:
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
        return implies(self.condition(premise, scope.negated()), self.condition(conclusion, scope))

    def operation(self, e: s.Binary, a: Operand, b: Operand, scope: Scope) -> Operand:
        """A binary operator on terms."""
        if e.operator in ("==", "!="):
            a, b = self.comparable(e, a, b, scope)
        if e.operator == "<:":
            sort = sort_of(self.type_of(e.left, scope), e.position)
            self.ordered[sort] = None
            found: Guard = order(sort)(a, b)
            return found
        return operations.binary(e.operator, a, b, e.position)

    def comparable(
        self, e: s.Binary, a: Operand, b: Operand, scope: Scope
    ) -> tuple[Operand, Operand]:
        """Both sides of an equation, boxed if only one of them is."""
        first, second = self.type_of(e.left, scope), self.type_of(e.right, scope)
        if sort_of(first, e.position) is sort_of(second, e.position):
            return a, b
        boxed = self.boxes.boxed
        return boxed(a, first, e.position), boxed(b, second, e.position)

    def _Convert(self, e: s.Convert, scope: Scope) -> Operand:
        return operations.converted(e.target, self.value(e.operand, scope))

    def _Coerce(self, e: s.Coerce, scope: Scope) -> Operand:
        return self.encode(e.operand, scope)

    def _IfThenElse(self, e: s.IfThenElse, scope: Scope) -> Operand:
        condition = self.condition(e.condition, scope.value())
        return ite(condition, self.encode(e.then, scope), self.encode(e.otherwise, scope))

    def not_empty(self, width: int, e: s.Expr) -> None:
        """Refuse a bitvector without bits, which solvers do not have."""
        if width == 0:
            raise UnsupportedError(e.position, "values of the type bv0 cannot be reasoned about")

    def _Extract(self, e: s.Extract, scope: Scope) -> Operand:
        self.not_empty(e.high - e.low, e)
        operand = self.value(e.operand, scope)
        return extract(e.high - 1, e.low, operand)  # type: ignore[arg-type]
