"""Rules for statements and variables that attributes mark: `{:assumption}`, `{:id}` and others.

An assumption variable only ever becomes stronger: it is a Boolean local variable without a `where`,
assigned once in a body, in the form `a := a && e`.
"""

from __future__ import annotations

from solvent.boogie import attributes
from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.modifies import statements_of
from solvent.boogie.symbols import ImplementationSymbol, Reporter, Symbol, Tables
from solvent.boogie.types import BOOL


def check_marks(implementation: ImplementationSymbol, tables: Tables, reporter: Reporter) -> None:
    """Report what attributes in a body may not be, after its types are known."""
    marked = {one for one in implementation.locals if _is_assumption(one)}
    for symbol in marked:
        _declaration(symbol, reporter)
    assigned: set[Symbol] = set()
    named: set[str] = set()
    for statement in statements_of(implementation):
        if isinstance(statement, st.Assign):
            for target, value in zip(statement.targets, statement.values, strict=False):
                changed = tables.symbols.get(target.variable)
                if changed is None or changed not in marked:
                    continue
                if changed in assigned:
                    message = "assumption variable may not be assigned to more than once"
                    reporter.error(target.position, message)
                assigned.add(changed)
                _conjunction(changed, target, value, tables, reporter)
        elif isinstance(statement, (st.Assert, st.Assume, st.Call)):
            name = attributes.string(statement.attributes, "id")
            if name is not None and name in named:
                message = f"more than one statement with same id: {name}"
                reporter.error(statement.position, message)
            named.update(() if name is None else (name,))
            _verified_under(statement.attributes, statement, tables, reporter)


def _is_assumption(symbol: Symbol) -> bool:
    declaration = symbol.declaration
    return isinstance(declaration, s.Variable) and attributes.flag(
        declaration.attributes, "assumption"
    )


def _declaration(symbol: Symbol, reporter: Reporter) -> None:
    declaration = symbol.declaration
    if symbol.type is not BOOL:
        reporter.error(declaration.position, "assumption variable must be of type 'bool'")
    if isinstance(declaration, s.Variable) and declaration.where is not None:
        message = "assumption variable may not be declared with a where clause"
        reporter.error(declaration.position, message)


def _conjunction(
    symbol: Symbol, target: st.Target, value: s.Expr, tables: Tables, reporter: Reporter
) -> None:
    """Check that what is assigned is the variable itself and something else."""
    match value:
        case s.Binary("&&", s.Identifier() as left, _) if tables.symbols.get(left) is symbol:
            return
    message = f'RHS of assignment to assumption variable {symbol.name} must match expression "'
    reporter.error(target.position, f'{message}{symbol.name} && <boolean expression>"')


def _verified_under(
    found: tuple[s.Attribute, ...], statement: st.Statement, tables: Tables, reporter: Reporter
) -> None:
    attribute = attributes.find(found, "verified_under")
    if attribute is None:
        return
    types = [tables.types.get(argument) for argument in attribute.arguments]
    if len(types) != 1 or types[0] is not BOOL:
        message = "attribute :verified_under accepts only one argument of type bool"
        reporter.error(statement.position, message)
