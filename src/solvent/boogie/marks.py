"""Rules for statements and variables that attributes mark: `{:assumption}`, `{:id}` and others.

An assumption variable only ever becomes stronger: it is a Boolean variable without a `where`,
assigned once, in the form `a := a && e`; a global one once in the whole program.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from solvent.boogie import attributes
from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.modifies import statements_of
from solvent.boogie.symbols import ImplementationSymbol, Reporter, Symbol, Tables
from solvent.boogie.types import BOOL, INT, REAL, BitVecType, pruned
from solvent.boogie.walking import nodes_of
from solvent.reach.graphs import components


@dataclass(slots=True)
class Seen:
    """What may be in the whole program only once: identities, and who is assigned to."""

    named: set[str] = field(default_factory=set)
    assigned: set[Symbol] = field(default_factory=set)


def check_globals(tables: Tables, reporter: Reporter) -> None:
    """Report global assumption variables that none can be."""
    for symbol in tables.globals.values():
        if is_assumption(symbol):
            _declaration(symbol, reporter)


def check_marks(
    implementation: ImplementationSymbol, tables: Tables, reporter: Reporter, seen: Seen
) -> None:
    """Report what attributes in a body may not be, after its types are known.

    What was seen in other bodies is in `seen`, to which that of this one comes.
    """
    local = {one for one in implementation.locals if is_assumption(one)}
    for symbol in local:
        _declaration(symbol, reporter)
    marked = local.union(filter(is_assumption, tables.globals.values()))
    for statement in statements_of(implementation):
        if isinstance(statement, st.Assign):
            for target, value in zip(statement.targets, statement.values, strict=False):
                changed = tables.symbols.get(target.variable)
                if changed is None or changed not in marked:
                    continue
                if changed in seen.assigned:
                    message = "assumption variable may not be assigned to more than once"
                    reporter.error(target.position, message)
                seen.assigned.add(changed)
                _conjunction(changed, target, value, tables, reporter)
        elif isinstance(statement, (st.Assert, st.Assume, st.Call)):
            _statement(statement, tables, reporter, seen)
        elif isinstance(statement, st.While):
            for invariant in statement.invariants:
                _statement(invariant, tables, reporter, seen)


def _statement(
    statement: st.Assert | st.Assume | st.Call | st.Invariant,
    tables: Tables,
    reporter: Reporter,
    seen: Seen,
) -> None:
    """Check the attributes of one statement, or of an invariant, which is one for Boogie."""
    name = attributes.string(statement.attributes, "id")
    if name is not None and name in seen.named:
        message = f"more than one statement with same id: {name}"
        reporter.error(statement.position, message)
    seen.named.update(() if name is None else (name,))
    _verified_under(statement.attributes, statement, tables, reporter)
    _optimized(statement.attributes, statement, tables, reporter)


def is_assumption(symbol: Symbol) -> bool:
    """Whether a symbol is an assumption variable, which is true at first."""
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
    found: tuple[s.Attribute, ...], statement: s.Node, tables: Tables, reporter: Reporter
) -> None:
    attribute = attributes.find(found, "verified_under")
    if attribute is None:
        return
    types = [tables.types.get(argument) for argument in attribute.arguments]
    if len(types) != 1 or types[0] is not BOOL:
        message = "attribute :verified_under accepts only one argument of type bool"
        reporter.error(statement.position, message)


def _optimized(
    found: tuple[s.Attribute, ...], statement: s.Node, tables: Tables, reporter: Reporter
) -> None:
    """Check what a counterexample should have the least or the greatest value of."""
    for attribute in found:
        if attribute.name not in ("minimize", "maximize"):
            continue
        message = "attributes :minimize and :maximize accept only one argument"
        if len(attribute.arguments) != 1:
            reporter.error(statement.position, message)
            continue
        type_ = tables.types.get(attribute.arguments[0])
        known = None if type_ is None else pruned(type_)
        if known not in (INT, REAL) and not isinstance(known, BitVecType):
            reporter.error(statement.position, f"{message} of type int, real or bv")


def check_definitions(tables: Tables, reporter: Reporter) -> None:
    """Report functions with `{:define}` that cannot be replaced by their bodies."""
    defined: dict[str, st.FunctionDecl] = {}
    graph: dict[str, list[str]] = {}
    for name, function in tables.functions.items():
        declaration, body = function.declaration, function.declaration.body
        if body is not None and attributes.flag(declaration.attributes, "define"):
            defined[name] = declaration
            graph[name] = [one.function for one in nodes_of(body) if isinstance(one, s.Apply)]
    graph = {name: [one for one in called if one in defined] for name, called in graph.items()}
    for declaration in defined.values():
        if attributes.flag(declaration.attributes, "inline"):
            message = "a function has either {:define} or {:inline}"
            reporter.error(declaration.position, message)
    for component in components(graph):
        first = component[0]
        if len(component) > 1 or first in graph[first]:
            names = sorted(component, key=[*defined].index)
            message = f"call cycle among functions with {{:define}}: {', '.join(names)}"
            reporter.error(defined[names[0]].position, message)
