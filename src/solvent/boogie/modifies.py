"""Modifies clauses that are inferred: what bodies, and what they call, really change.

Corral does this by default, Boogie on request.  A procedure with a body modifies what its body
assigns to and what the procedures that it calls modify, whatever its clause says; one without a
body has its clause only.  Code expressions change nothing: that is checked with the clauses found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.symbols import ImplementationSymbol, ProcedureSymbol, Symbol, Tables
from solvent.reach.graphs import components


def infer_modifies(tables: Tables) -> None:
    """Give each procedure with a body the global variables that it changes.

    >>> from solvent.boogie import check_program, parse_program
    >>> text = "var g, h: int; procedure P() { call Q(); } procedure Q() { g := 1; call P(); }"
    >>> checked = check_program(parse_program(text=text), infer_modifies=True)
    >>> [one.name for one in checked.procedures["P"].modifies]
    ['g']
    """
    graph = {name: _called(found, tables) for name, found in tables.procedures.items()}
    known: dict[str, set[Symbol]] = {}
    for component in components(graph):
        changed: set[Symbol] = set()
        for name in component:
            changed |= _own(tables.procedures[name], tables)
            changed.update(*(known[callee] for callee in graph[name] if callee in known))
        known.update(dict.fromkeys(component, changed))
    for name, procedure in tables.procedures.items():
        if procedure.implementations:
            procedure.modifies = tuple(g for g in tables.globals.values() if g in known[name])


def _called(procedure: ProcedureSymbol, tables: Tables) -> list[str]:
    """The procedures that the bodies of one call; a name that is not known is told elsewhere."""
    return [
        statement.procedure
        for statement in _statements(procedure)
        if isinstance(statement, st.Call) and statement.procedure in tables.procedures
    ]


def _own(procedure: ProcedureSymbol, tables: Tables) -> set[Symbol]:
    """What the bodies of a procedure change themselves, or what its clause says without any."""
    if not procedure.implementations:
        return set(procedure.modifies)
    named = [tables.symbols.get(one) for found in _statements(procedure) for one in _targets(found)]
    everywhere = set(tables.globals.values())
    return {symbol for symbol in named if symbol is not None and symbol in everywhere}


def _targets(statement: st.Statement) -> Sequence[s.Identifier]:
    match statement:
        case st.Assign():
            return [target.variable for target in statement.targets]
        case st.Havoc():
            return statement.variables
        case st.Call():
            return statement.results
        case _:
            return ()


def _statements(procedure: ProcedureSymbol) -> Iterator[st.Statement]:
    """All statements of the bodies of a procedure."""
    for one in procedure.implementations:
        yield from statements_of(one)


def statements_of(implementation: ImplementationSymbol) -> Iterator[st.Statement]:
    """All statements of a body in the order of its text, without those of code expressions."""
    stack = [iter(implementation.body.statements)]
    while stack:
        for statement in stack[-1]:
            yield statement
            if isinstance(statement, st.Parallel):
                yield from statement.calls
            if isinstance(statement, st.If):
                stack += [iter(statement.otherwise or ()), iter(statement.then)]
                break
            if isinstance(statement, st.While):
                stack.append(iter(statement.body))
                break
        else:
            stack.pop()
