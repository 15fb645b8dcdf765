"""The abstract syntax of Boogie 2: statements, declarations and whole programs.

A declaration of several names stands here as several declarations, and an axiom in a `uses` block
as an axiom of its own, so that a later phase sees one name at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from solvent.boogie.syntax import (
    Attribute,
    Expr,
    Identifier,
    Node,
    TypeExpr,
    TypeParameter,
    Variable,
)
from solvent.reach.positions import NOWHERE, Position

# Statements --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Statement(Node):
    """The base of all statements."""


Block = tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Label(Statement):
    """`L:`; it names the statement that follows in the same list."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Assert(Statement):
    """`assert e;`."""

    condition: Expr
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Assume(Statement):
    """`assume e;`."""

    condition: Expr
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Havoc(Statement):
    """`havoc x, y;`."""

    variables: tuple[Identifier, ...]
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Target(Node):
    """What is assigned: `x`, or `m[i][j, k]` with one tuple of indices for each bracket."""

    variable: Identifier
    indices: tuple[tuple[Expr, ...], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Assign(Statement):
    """`x, m[i] := a, b;`: all at once; attributes and the position are those of `:=`."""

    targets: tuple[Target, ...]
    values: tuple[Expr, ...]
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Call(Statement):
    """`call x, y := P(a, b);`; with `free` the preconditions are assumed, not checked.

    `async call P(a);`, or `call {:async} P(a);`, starts a thread and does not wait for it.
    """

    procedure: str
    arguments: tuple[Expr, ...]
    results: tuple[Identifier, ...] = ()
    free: bool = False
    attributes: tuple[Attribute, ...] = ()
    asynchronous: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Parallel(Statement):
    """`par x := P(a) | Q(b);`: threads that all end before the next statement."""

    calls: tuple[Call, ...]
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Yield(Statement):
    """`yield;`: another thread may run here."""

    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class If(Statement):
    """`if (c) {..} else {..}`; no condition means `*`, `else if` an `If` alone in `otherwise`."""

    condition: Expr | None
    then: Block
    otherwise: Block | None = None
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Invariant(Node):
    """`invariant e;` of a loop."""

    condition: Expr
    free: bool = False
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class While(Statement):
    """`while (c) invariant e; {..}`; no condition means `*`."""

    condition: Expr | None
    invariants: tuple[Invariant, ...]
    body: Block
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Break(Statement):
    """`break;`, or `break L;` out of the enclosing statement with that label."""

    label: str | None = None
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Goto(Statement):
    """`goto A, B;`: to any of them."""

    labels: tuple[str, ...]
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Return(Statement):
    """`return;`, or `return e;` in a code expression."""

    value: Expr | None = None
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Body(Node):
    """Local variables, then statements; `end` is where the closing brace stands."""

    locals: tuple[Variable, ...]
    statements: Block
    end: Position = field(default=NOWHERE, kw_only=True, repr=False)


# Declarations ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Declaration(Node):
    """The base of all declarations."""


@dataclass(frozen=True, slots=True, eq=False)
class TypeDecl(Declaration):
    """`type Field a;`, or the synonym `type Heap = <a>[ref, Field a]a;`."""

    name: str
    parameters: tuple[TypeParameter, ...] = ()
    synonym: TypeExpr | None = None
    finite: bool = False
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Parent(Node):
    """One name after `extends`."""

    name: Identifier
    unique: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ConstantDecl(Declaration):
    """`const unique c: T extends unique a, b complete;`; no `extends` means `parents` is None."""

    name: str
    type: TypeExpr
    unique: bool = False
    parents: tuple[Parent, ...] | None = None
    complete: bool = False
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class FunctionDecl(Declaration):
    """`function f<a>(x: T) returns (r: U) { e }`."""

    name: str
    type_parameters: tuple[TypeParameter, ...]
    parameters: tuple[Variable, ...]
    result: Variable
    body: Expr | None = None
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class AxiomDecl(Declaration):
    """`axiom e;`."""

    condition: Expr
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class GlobalDecl(Declaration):
    """`var x: T where e;`."""

    variable: Variable


@dataclass(frozen=True, slots=True, eq=False)
class Clause(Node):
    """The base of the parts of a contract."""


@dataclass(frozen=True, slots=True, eq=False)
class Requires(Clause):
    """`requires e;`."""

    condition: Expr
    free: bool = False
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Ensures(Clause):
    """`ensures e;`."""

    condition: Expr
    free: bool = False
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Modifies(Clause):
    """`modifies x, y;`."""

    variables: tuple[Identifier, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ProcedureDecl(Declaration):
    """A procedure with its contract, and perhaps its body."""

    name: str
    type_parameters: tuple[TypeParameter, ...]
    parameters: tuple[Variable, ...]
    results: tuple[Variable, ...]
    contract: tuple[Clause, ...] = ()
    body: Body | None = None
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ImplementationDecl(Declaration):
    """A body for a procedure that is declared elsewhere."""

    name: str
    type_parameters: tuple[TypeParameter, ...]
    parameters: tuple[Variable, ...]
    results: tuple[Variable, ...]
    body: Body
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Program(Node):
    """The declarations of all files, in order."""

    declarations: tuple[Declaration, ...]
