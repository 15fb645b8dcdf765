"""The syntax tree of C* (figure 13).

Each node knows where it starts.  The type of an expression is filled in by the type check.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from solvent.riscu.cstar.diagnostics import Position


class Type(Enum):
    """The types of C*, of which `void` is only the result of procedures."""

    WORD = "uint64_t"
    POINTER = "uint64_t*"
    VOID = "void"

    def __str__(self) -> str:
        return self.value


# --- expressions -------------------------------------------------------------------------------


@dataclass(slots=True)
class Literal:
    """An integer or a character."""

    position: Position
    value: int
    type: Type = Type.WORD


@dataclass(slots=True)
class String:
    """A string literal: the address of its bytes, which end with a zero."""

    position: Position
    value: bytes
    type: Type = Type.POINTER


@dataclass(slots=True)
class Name:
    """A variable."""

    position: Position
    name: str
    type: Type = Type.WORD


@dataclass(slots=True)
class Call:
    """A call of a procedure."""

    position: Position
    name: str
    arguments: list[Expression]
    type: Type = Type.WORD


@dataclass(slots=True)
class Negate:
    """`-x`, which is `0 - x`."""

    position: Position
    operand: Expression
    type: Type = Type.WORD


@dataclass(slots=True)
class Dereference:
    """`*x`: the word in memory at an address."""

    position: Position
    operand: Expression
    type: Type = Type.WORD


@dataclass(slots=True)
class Cast:
    """`(uint64_t*) x`: the same value with another type."""

    position: Position
    type: Type
    operand: Expression


@dataclass(slots=True)
class Binary:
    """Two operands; pointers are scaled by the size of a word in `+` and `-`."""

    position: Position
    operator: str
    left: Expression
    right: Expression
    type: Type = Type.WORD


Expression = Literal | String | Name | Call | Negate | Dereference | Cast | Binary

# --- statements --------------------------------------------------------------------------------


@dataclass(slots=True)
class Assign:
    """`x = e;` or `*e = e;`."""

    position: Position
    target: Name | Dereference
    value: Expression


@dataclass(slots=True)
class Perform:
    """A call as a statement."""

    position: Position
    call: Call


@dataclass(slots=True)
class While:
    """A loop with its test at the top."""

    position: Position
    test: Expression
    body: list[Statement]


@dataclass(slots=True)
class If:
    """A choice; `otherwise` is empty if there is no `else`."""

    position: Position
    test: Expression
    then: list[Statement]
    otherwise: list[Statement]


@dataclass(slots=True)
class Return:
    """`return;` or `return e;`."""

    position: Position
    value: Expression | None


Statement = Assign | Perform | While | If | Return

# --- declarations ------------------------------------------------------------------------------


@dataclass(slots=True)
class Variable:
    """A global variable with its initial value, a parameter or a local variable."""

    position: Position
    type: Type
    name: str
    value: int = 0
    # The type of the initial value, if one is written.
    given: Type | None = None


@dataclass(slots=True)
class Procedure:
    """A procedure; one without a body is only declared."""

    position: Position
    result: Type
    name: str
    parameters: list[Variable]
    locals: list[Variable] = field(default_factory=list)
    body: list[Statement] | None = None
    # Where the closing brace stands.
    end: Position | None = None


@dataclass(slots=True)
class Unit:
    """A whole file."""

    file: str
    variables: list[Variable]
    procedures: list[Procedure]
