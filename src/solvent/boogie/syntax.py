"""The abstract syntax of Boogie 2: expressions, types as they are written, and attributes.

Every node is immutable, knows its position and is equal to itself alone, so that nodes are keys of
dictionaries (that is how the checker records types and declarations).  `walking.same` compares two
nodes by structure, without positions.  Statements and declarations are in `statements`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from solvent.reach.positions import NOWHERE, Position

if TYPE_CHECKING:
    from solvent.boogie.statements import Body


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """The base of all nodes; the position is that of the token which names the construct."""

    position: Position = field(default=NOWHERE, kw_only=True, repr=False)


# Types as written --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class TypeExpr(Node):
    """A type as it is written; `types.Type` is what it means."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedTypeExpr(TypeExpr):
    """`int`, `bv32`, `Field a`: a built-in type, constructor, synonym or type variable."""

    name: str
    arguments: tuple[TypeExpr, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TypeParameter(Node):
    """A type variable where it is bound: the `a` of `<a>`."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class MapTypeExpr(TypeExpr):
    """`<a>[ref, Field a]a`."""

    parameters: tuple[TypeParameter, ...]
    arguments: tuple[TypeExpr, ...]
    result: TypeExpr


# Expressions -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Expr(Node):
    """The base of all expressions."""


@dataclass(frozen=True, slots=True, eq=False)
class Attribute(Node):
    """`{:inline 1}`: a name and arguments; string arguments are `StringLiteral`s."""

    name: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Variable(Node):
    """A global, local, bound variable or parameter where it is declared.

    A parameter of a function may have no name; its name is then empty.
    """

    name: str
    type: TypeExpr
    where: Expr | None = None
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class BoolLiteral(Expr):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, slots=True, eq=False)
class IntLiteral(Expr):
    """A natural number."""

    value: int


@dataclass(frozen=True, slots=True, eq=False)
class RealLiteral(Expr):
    """`mantissa` times ten to the power of `exponent`, in lowest terms."""

    mantissa: int
    exponent: int

    @property
    def value(self) -> Fraction:
        """The number itself.

        >>> RealLiteral(15, -1).value
        Fraction(3, 2)
        """
        return Fraction(self.mantissa) * Fraction(10) ** self.exponent


@dataclass(frozen=True, slots=True, eq=False)
class BitVecLiteral(Expr):
    """`5bv8`."""

    value: int
    width: int


@dataclass(frozen=True, slots=True, eq=False)
class FloatLiteral(Expr):
    """`0x1.8e0f24e8`: mantissa times sixteen to the power of `exponent`, or a special value.

    `special` is empty, or one of `NaN`, `+oo` and `-oo`.  The format has `significand` bits with
    the hidden one, and `exponent_bits` bits of exponent.
    """

    negative: bool
    mantissa: int
    exponent: int
    special: str
    significand: int
    exponent_bits: int

    @property
    def value(self) -> Fraction:
        """The number that a literal which is not special denotes, before rounding.

        >>> FloatLiteral(True, 0x18, -1, "", 24, 8).value
        Fraction(-3, 2)
        """
        size = Fraction(self.mantissa) * Fraction(16) ** self.exponent
        return -size if self.negative else size


@dataclass(frozen=True, slots=True, eq=False)
class RoundingLiteral(Expr):
    """A rounding mode by its short name: `RNE`, `RNA`, `RTP`, `RTN` or `RTZ`."""

    mode: str


@dataclass(frozen=True, slots=True, eq=False)
class StringLiteral(Expr):
    """The text between the quotes, as it is written."""

    value: str


@dataclass(frozen=True, slots=True, eq=False)
class Identifier(Expr):
    """A variable or constant where it is used."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Old(Expr):
    """`old(e)`: the value on entry to the procedure."""

    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Expr):
    """`!e` or `-e`."""

    operator: str
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Binary(Expr):
    """Two operands and one of the keys of `operators.LEVELS`."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Apply(Expr):
    """A function applied to its arguments."""

    function: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Convert(Expr):
    """`int(e)` or `real(e)`; `target` is that word."""

    target: str
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Coerce(Expr):
    """`e : T`."""

    operand: Expr
    type: TypeExpr


@dataclass(frozen=True, slots=True, eq=False)
class Select(Expr):
    """`m[i, j]`."""

    map: Expr
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Update(Expr):
    """`m[i, j := e]`."""

    map: Expr
    indices: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Extract(Expr):
    """`e[high:low]`: the bits from `low` up to, without, `high`."""

    operand: Expr
    high: int
    low: int


@dataclass(frozen=True, slots=True, eq=False)
class IfThenElse(Expr):
    """`if c then a else b`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Trigger(Node):
    """`{f(x), g(y)}`, or with `negative` a pattern that must not be used: `{:nopats f(x)}`."""

    expressions: tuple[Expr, ...]
    negative: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Quantifier(Expr):
    """`(forall<a> x: T :: {:weight 2} {f(x)} e)`; `kind` is `forall` or `exists`."""

    kind: str
    type_parameters: tuple[TypeParameter, ...]
    variables: tuple[Variable, ...]
    body: Expr
    triggers: tuple[Trigger, ...] = ()
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Lambda(Expr):
    """`(lambda x: T :: e)`, a map."""

    type_parameters: tuple[TypeParameter, ...]
    variables: tuple[Variable, ...]
    body: Expr
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class LetVariable(Node):
    """A variable that `let` binds; its type is that of its value."""

    name: str
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Let(Expr):
    """`(var x, y := a, b; e)`."""

    variables: tuple[LetVariable, ...]
    values: tuple[Expr, ...]
    body: Expr
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class CodeExpr(Expr):
    """`|{ var x: int; A: x := 1; return x > 0; }|`: does every path return true?"""

    body: Body
