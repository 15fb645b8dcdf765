"""How values are shown in notebooks: models, unions and outcomes as tables, automata as graphs."""

from __future__ import annotations

import html
from collections.abc import Callable
from types import FunctionType
from typing import Any

from solvent.languages.automata import graph_of
from solvent.lift.reflection import members
from solvent.terms import Model
from solvent.verdicts.cells import in_cells
from solvent.vm.machine import Outcome
from solvent.vm.union import Union

# What is shown of a value at most.
LONGEST = 500


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
    Model: model_as_html,
    Union: union_as_html,
    Outcome: outcome_as_html,
    FunctionType: function_as_html,
}
