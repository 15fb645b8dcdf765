"""How values are shown in notebooks.

Terms with their sort and size, models, unions and outcomes as tables, automata as graphs.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from types import FunctionType
from typing import Any

from solvent.errors import SolventError
from solvent.languages.automata import graph_of
from solvent.lift.reflection import members
from solvent.terms import Model
from solvent.terms.graph import constants, size
from solvent.terms.smtlib import to_smtlib
from solvent.terms.term import Term
from solvent.verdicts.cells import in_cells
from solvent.vm.machine import Outcome
from solvent.vm.union import Union

# What is shown of a value at most.
LONGEST = 500
# So many unknowns of a term are named, and one of so many terms at most has its SMT-LIB.
MOST_NAMES, MOST_TERMS = 12, 1_000


def _table(heads: list[str], rows: list[list[object]]) -> str:
    def cells(tag: str, row: list[Any]) -> str:
        return "".join(
            f'<{tag} style="text-align:left"><code>{html.escape(_cut(str(cell)))}</code></{tag}>'
            for cell in row
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', [*heads])}</tr></thead><tbody>{body}</tbody></table>"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def term_as_html(term: Term) -> str:
    """The term as far as it is short, its sort, its size and its unknowns, and its SMT-LIB.

    >>> from solvent.terms import Int
    >>> term_as_html(Int("x") <= 3).partition("<details>")[0]
    '<code>x &lt;= 3</code><br><small>Bool, 2 terms, of x: Int</small>'
    """
    unknowns = [f"{one.name}: {one.sort}" for one in constants(term)[:MOST_NAMES]]
    count = size(term)
    about = [str(term.sort), "1 term" if count == 1 else f"{count:,} terms"]
    if unknowns:
        about.append(f"of {', '.join(unknowns)}")
    shown = f"<code>{html.escape(_cut(str(term)))}</code>"
    shown += f"<br><small>{html.escape(', '.join(about))}</small>"
    if count > MOST_TERMS:
        return shown
    try:
        text = to_smtlib(term)
    except SolventError:
        # Not all has a form in SMT-LIB.
        return shown
    return f"{shown}<details><summary>SMT-LIB</summary><pre>{html.escape(text)}</pre></details>"


def model_as_html(model: Model) -> str:
    """The constants with their values.

    >>> from solvent.terms import Int
    >>> "<code>3</code>" in model_as_html(Model({Int("x"): 3}))
    True
    """
    return _table(["constant", "value"], [[name, value] for name, value in model.to_dict().items()])


def union_as_html(value: Union) -> str:
    """The members, each with the condition under which the union is it."""
    return _table(["value", "if"], [[repr(member), guard] for guard, member in members(value)])


def outcome_as_html(outcome: Outcome) -> str:
    """What a symbolic run came to."""
    rows: list[list[object]] = [
        ["value", repr(outcome.value)],
        ["assumes", outcome.assumes],
        ["asserts", outcome.asserts],
    ]
    for failure in outcome.failures:
        raised = f"{type(failure.exception).__name__} at {in_cells(failure.position)}"
        rows.append([raised, f"if {failure.condition}"])
    return _table(["", ""], rows)


def function_as_html(function: FunctionType) -> str | None:
    """The graph of an automaton; any other function is shown as always."""
    return graph_of(function)


DISPLAYS: dict[type, Callable[[Any], str | None]] = {
    Term: term_as_html,
    Model: model_as_html,
    Union: union_as_html,
    Outcome: outcome_as_html,
    FunctionType: function_as_html,
}
