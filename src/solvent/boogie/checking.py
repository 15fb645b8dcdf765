"""Checking a program: names first, then types; everything that is wrong is reported at once."""

from __future__ import annotations

from dataclasses import dataclass

from solvent.boogie import modifies
from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.check_statements import StatementChecker
from solvent.boogie.diagnostics import BoogieCheckError, Diagnostic
from solvent.boogie.externs import without_ignored, without_repeated
from solvent.boogie.marks import Seen, check_definitions, check_globals, check_marks
from solvent.boogie.resolve_program import resolve_program
from solvent.boogie.symbols import FunctionSymbol, ProcedureSymbol, Reporter, Symbol, Tables
from solvent.boogie.tokens import deep_recursion
from solvent.boogie.triggers import check_type_variables
from solvent.boogie.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class TypedProgram:
    """A program without mistakes, in which every name and every type is known."""

    program: st.Program
    tables: Tables
    warnings: tuple[Diagnostic, ...] = ()

    def type_of(self, expression: s.Expr) -> Type:
        """The type of an expression of the program."""
        return self.tables.types[expression]

    def symbol_of(self, node: s.Node) -> Symbol:
        """What an `Identifier`, or a declared variable or constant, stands for."""
        return self.tables.symbols[node]

    def instances_of(self, node: s.Node) -> tuple[Type, ...]:
        """The types that an application, call, selection, update or target instantiates with."""
        return self.tables.instances.get(node, ())

    def function(self, application: s.Apply) -> FunctionSymbol:
        """The function that is applied."""
        return self.tables.functions[application.function]

    def procedure(self, call: st.Call) -> ProcedureSymbol:
        """The procedure that is called."""
        return self.tables.procedures[call.procedure]

    def left_by(self, statement: st.Break) -> st.If | st.While:
        """The statement that a break leaves."""
        return self.tables.breaks[statement]

    @property
    def constants(self) -> dict[str, Symbol]:
        """The constants by name."""
        return self.tables.constants

    @property
    def globals(self) -> dict[str, Symbol]:
        """The global variables by name."""
        return self.tables.globals

    @property
    def functions(self) -> dict[str, FunctionSymbol]:
        """The functions by name."""
        return self.tables.functions

    @property
    def procedures(self) -> dict[str, ProcedureSymbol]:
        """The procedures by name, with their implementations."""
        return self.tables.procedures

    @property
    def constructors(self) -> dict[str, int]:
        """The declared types with the number of their arguments."""
        return self.tables.constructors

    @property
    def axioms(self) -> tuple[st.AxiomDecl, ...]:
        """The axioms in order."""
        found = self.program.declarations
        return tuple(each for each in found if isinstance(each, st.AxiomDecl))


def check_program(program: st.Program, *, infer_modifies: bool = False) -> TypedProgram:
    """Resolve all names and check all types; mistakes are raised as one `BoogieCheckError`.

    With `infer_modifies`, what procedures with bodies modify is found out, whatever they say.

    >>> from solvent.boogie import parse_program
    >>> checked = check_program(parse_program(text="const c: bv8; axiom c ++ c == 0bv16;"))
    >>> print(checked.type_of(checked.axioms[0].condition.left))
    bv16
    >>> check_program(parse_program(text="axiom x > 1;", file="a.bpl"))
    Traceback (most recent call last):
    ...
    solvent.boogie.diagnostics.BoogieCheckError: a.bpl(1,7): Error: undeclared identifier: x
    """
    reporter = Reporter()
    program = without_ignored(without_repeated(program))
    seen = Seen()
    with deep_recursion():
        tables = resolve_program(program, reporter)
        if infer_modifies:
            modifies.infer_modifies(tables)
        checker = StatementChecker(tables, reporter)
        for declaration in program.declarations:
            checker.declaration(declaration)
            checker.close()
        for procedure in tables.procedures.values():
            for implementation in procedure.implementations:
                checker.implementation(implementation)
                checker.close()
                check_marks(implementation, tables, reporter, seen)
        check_globals(tables, reporter)
        check_definitions(tables, reporter)
        check_type_variables(tables, reporter)
    errors = reporter.sorted(each.position.file for each in program.declarations)
    if errors:
        raise BoogieCheckError(errors)
    return TypedProgram(program, tables, tuple(reporter.warnings))
