"""What names mean: the tables that resolution fills and that later phases read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.diagnostics import Diagnostic
from solvent.boogie.types import Type, TypeVariable
from solvent.reach.positions import Position


class Kind(Enum):
    """What sort of variable a name stands for."""

    CONSTANT = "constant"
    GLOBAL = "global variable"
    IN = "in-parameter"
    OUT = "out-parameter"
    LOCAL = "local variable"
    BOUND = "bound variable"

    @property
    def mutable(self) -> bool:
        """Whether a statement may assign to it."""
        return self in (Kind.GLOBAL, Kind.OUT, Kind.LOCAL)


@dataclass(slots=True, eq=False)
class Symbol:
    """A variable, constant or parameter: one object for each declaration."""

    name: str
    kind: Kind
    type: Type
    declaration: s.Node = field(repr=False)


@dataclass(slots=True, eq=False)
class FunctionSymbol:
    """A function with the types of its parameters and result."""

    name: str
    type_parameters: tuple[TypeVariable, ...]
    parameters: tuple[Symbol, ...]
    result: Type
    declaration: st.FunctionDecl = field(repr=False)


@dataclass(slots=True, eq=False)
class ImplementationSymbol:
    """One body of a procedure, with the names that it has for the parameters."""

    procedure: ProcedureSymbol
    type_parameters: tuple[TypeVariable, ...]
    parameters: tuple[Symbol, ...]
    results: tuple[Symbol, ...]
    locals: tuple[Symbol, ...]
    body: st.Body = field(repr=False)
    declaration: st.ProcedureDecl | st.ImplementationDecl = field(repr=False)


@dataclass(slots=True, eq=False)
class ProcedureSymbol:
    """A procedure, the global variables that it may modify, and its bodies."""

    name: str
    type_parameters: tuple[TypeVariable, ...]
    parameters: tuple[Symbol, ...]
    results: tuple[Symbol, ...]
    declaration: st.ProcedureDecl = field(repr=False)
    modifies: tuple[Symbol, ...] = ()
    implementations: list[ImplementationSymbol] = field(default_factory=list, repr=False)

    @property
    def requires(self) -> tuple[st.Requires, ...]:
        """The preconditions, in order."""
        return tuple(each for each in self.declaration.contract if isinstance(each, st.Requires))

    @property
    def ensures(self) -> tuple[st.Ensures, ...]:
        """The postconditions, in order."""
        return tuple(each for each in self.declaration.contract if isinstance(each, st.Ensures))


@dataclass(slots=True, eq=False)
class Tables:
    """Everything that resolution and checking find out about a program."""

    program: st.Program
    # User types with the number of their arguments; synonyms are expanded everywhere.
    constructors: dict[str, int] = field(default_factory=dict)
    constants: dict[str, Symbol] = field(default_factory=dict)
    globals: dict[str, Symbol] = field(default_factory=dict)
    functions: dict[str, FunctionSymbol] = field(default_factory=dict)
    procedures: dict[str, ProcedureSymbol] = field(default_factory=dict)
    # What each use of a name, and each declared variable, stands for.
    symbols: dict[s.Node, Symbol] = field(default_factory=dict)
    # The type of each expression, and the types that polymorphic uses instantiate variables with.
    types: dict[s.Expr, Type] = field(default_factory=dict)
    instances: dict[s.Node, tuple[Type, ...]] = field(default_factory=dict)
    # The type variables of each quantifier and lambda, and the type that each coercion names.
    binders: dict[s.Expr, tuple[TypeVariable, ...]] = field(default_factory=dict)
    coercions: dict[s.Coerce, Type] = field(default_factory=dict)
    # The value of each variable that a let binds.
    let_values: dict[s.LetVariable, s.Expr] = field(default_factory=dict)
    # The statement that each break leaves.
    breaks: dict[st.Break, st.If | st.While] = field(default_factory=dict)
    # The local variables of each code expression.
    code_locals: dict[s.CodeExpr, tuple[Symbol, ...]] = field(default_factory=dict)


class Reporter:
    """Collects messages, each once."""

    def __init__(self) -> None:
        self._errors: dict[Diagnostic, None] = {}
        self.warnings: list[Diagnostic] = []

    def error(self, position: Position, message: str) -> None:
        """Record a mistake."""
        self._errors[Diagnostic(position, message)] = None

    def warn(self, position: Position, message: str) -> None:
        """Record something that is allowed but surprising."""
        self.warnings.append(Diagnostic(position, message, "Warning"))

    def sorted(self, files: Iterable[str]) -> list[Diagnostic]:
        """All mistakes, in the order of the files and of the places in them."""
        order: Mapping[str, int] = {file: at for at, file in enumerate(files)}
        return sorted(
            self._errors,
            key=lambda each: (
                order.get(each.position.file, len(order)),
                each.position.line,
                each.position.column,
            ),
        )
