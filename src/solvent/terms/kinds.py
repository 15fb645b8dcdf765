"""What the operators on terms take and give, by sort.

A term whose operands are concrete is computed at once, so what an operator gives is a value or a
term: `Int("x") - Int("x")` is 0.  For each sort one name says so (`Integer`, `Bits`, ...), and one
that ends in `Like` says what its operators take, which is more where Python mixes numbers.

Modules of terms import these names for type checkers only: they are made of the classes that the
modules define.
"""

from __future__ import annotations

from fractions import Fraction

from solvent.terms.arrays import ArrayTerm
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import BoolTerm
from solvent.terms.floats import FloatTerm
from solvent.terms.integers import IntTerm
from solvent.terms.reals import RealTerm
from solvent.terms.regexes import RegexTerm
from solvent.terms.softfloat import FP
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.terms.values import BV, ArrayValue, Element

# --- results -----------------------------------------------------------------------------------

# A condition: what a formula, a test or the guard of a branch is.
Guard = bool | BoolTerm
Integer = int | IntTerm
Rational = Fraction | RealTerm
Bits = BV | BitVecTerm
Text = str | StringTerm
# A float as it occurs inside terms, and as users see it: a value of `Float64` is a Python float.
Datum = FP | FloatTerm
Floating = float | FP | FloatTerm
ArrayLike = ArrayValue | ArrayTerm

# What the operators on Int and Real have in common.
Number = int | Fraction
NumericTerm = IntTerm | RealTerm
Numeric = Number | NumericTerm

# --- operands ----------------------------------------------------------------------------------

# As in Python a truth value counts as 0 or 1.
IntLike = int | IntTerm | BoolTerm
RealLike = int | Fraction | IntTerm | RealTerm | BoolTerm
FloatLike = int | float | FP | Fraction | FloatTerm | IntTerm | RealTerm | BoolTerm
BitVecLike = int | BV | BitVecTerm
StringLike = str | StringTerm
# A string stands for the regex that matches just it.
RegexLike = str | StringTerm | RegexTerm

# --- all sorts ---------------------------------------------------------------------------------

# What a term stands for under a model.
# The value of a regex is one without symbolic parts.
Concrete = bool | int | float | Fraction | str | BV | FP | ArrayValue | Element | RegexTerm
# An argument of an operator.
Operand = Concrete | Term
