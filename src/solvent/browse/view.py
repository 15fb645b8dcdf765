"""The page of a value, and what notebooks show of it."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import count
from pathlib import Path

from solvent.browse.graphs import Graph, Json, sort_name
from solvent.errors import SolventError
from solvent.pages import page
from solvent.solvers.solver import Solver
from solvent.solvers.status import Status
from solvent.terms.booleans import BoolTerm
from solvent.terms.graph import size
from solvent.terms.smtlib import to_smtlib, write_script
from solvent.terms.term import Term
from solvent.verdicts.texts import shown
from solvent.vm.values import Guard, Value

# Seconds for the example of a member of a union.
_PATIENCE = 2.0
# How many characters of SMT-LIB a page has.
_LONGEST = 200_000
# How many characters of a value stand for it.
_SHORT = 60
_numbers = count(1)

STYLE = """
.sv-view { font: 14px/1.45 system-ui, sans-serif; }
.sv-view details { margin-left: 1.1rem; }
.sv-view summary { cursor: pointer; }
.sv-view summary:focus-visible, .sv-view a:focus-visible { outline: 2px solid Highlight; }
.sv-view .leaf { margin-left: 2.2rem; }
.sv-view .member { margin: .3rem 0 .5rem 1.2rem; border-left: 3px solid #8888; }
.sv-view .example { font-style: italic; }
.sv-view .op { font-weight: 600; } .sv-view .sort, .sv-view .size { opacity: .7; }
.sv-view .is { font-family: ui-monospace, monospace; color: #1a7f37; }
@media (prefers-color-scheme: dark) { .sv-view .is { color: #56d364; } }
.sv-view code { font-family: ui-monospace, monospace; }
.sv-view .model { display: flex; flex-wrap: wrap; gap: .4rem 1rem; margin: .5rem 0; }
.sv-view .model input { width: 9rem; font: inherit; }
.sv-view .model input[aria-invalid=true] { outline: 2px solid #cf222e; }
.sv-view pre { overflow: auto; max-height: 24rem; white-space: pre-wrap; }
.sv-view .scroll { overflow-x: auto; }
.sv-view .marked { outline: 2px solid Highlight; }
"""


@dataclass(slots=True, repr=False)
class View:
    """A value to look at: `save` writes its page, and a notebook shows it by itself.

    >>> View([1, 2])
    <a view of [1, 2]; save('page.html') writes its page>
    """

    value: Value
    title: str = "Value"
    # How deep the graph is unfolded at first.
    depth: int = 3
    data: Json = field(init=False)
    smtlib: str = field(init=False)

    def __post_init__(self) -> None:
        with Solver(timeout=_PATIENCE) as solver:
            graph = Graph(self.value, lambda guard: _example(solver, guard))
        self.smtlib = _smtlib(graph.roots)
        self.data = {
            "nodes": graph.nodes,
            "root": graph.root,
            "cut": graph.cut,
            "depth": self.depth,
            "size": size(*graph.roots),
            "constants": [
                {"node": graph.numbers[id(one)], "name": one.name, "sort": sort_name(one.sort)}
                for one in graph.constants
                if id(one) in graph.numbers
            ],
        }

    def __repr__(self) -> str:
        return f"<a view of {shown(self.value, _SHORT)}; save('page.html') writes its page>"

    def page(self) -> str:
        """The page: one HTML file that needs nothing else."""
        return page(self.title, [self._repr_html_()])

    def save(self, path: str | Path) -> None:
        """Write the page."""
        Path(path).write_text(self.page(), encoding="utf-8")

    def _repr_html_(self) -> str:
        identity = f"sv-view-{next(_numbers)}"
        data = json.dumps(self.data)
        for character in "<>&":
            data = data.replace(character, f"\\u{ord(character):04x}")
        folder = files("solvent.browse")
        scripts = [
            folder.joinpath(name).read_text(encoding="utf-8") for name in ("evaluate.js", "view.js")
        ]
        smtlib = html.escape(self.smtlib)
        return (
            f'<style>{STYLE}</style><div class="sv-view" id="{identity}"></div>'
            f"<details class=sv-view><summary>SMT-LIB</summary><pre>{smtlib}</pre></details>"
            f"<script>(() => {{ const data = {data}; {scripts[0]} {scripts[1]} "
            f'show(document.getElementById("{identity}"), data); }})();</script>'
        )


def browse(value: Value, title: str = "Value", depth: int = 3) -> View:
    """A view of any value; its graph is unfolded to some depth at first.

    >>> from solvent import Int
    >>> x = Int("x")
    >>> view = browse((x + 1) * (x + 1))
    >>> view.data["size"], view.smtlib
    (3, '(let (($1 (+ x 1))) (* $1 $1))')
    """
    return View(value, title, depth)


def _example(solver: Solver, guard: Guard) -> str | None:
    """A model of a guard as text; None if it has none."""
    if guard is True:
        return "always"
    if guard is False:
        return None
    solver.push()
    try:
        solver.add(guard)
        status = solver.check()
        if status is Status.SAT:
            return str(solver.model()).replace("\n", ", ") or "always"
        return None if status is Status.UNSAT else "not known"
    except SolventError as error:
        return f"not known: {error}"
    finally:
        solver.pop()


def _smtlib(roots: list[Term]) -> str:
    """The terms of a value as SMT-LIB: a script for formulas, else one term after the other."""
    try:
        formulas = [root for root in roots if isinstance(root, BoolTerm)]
        if roots and len(formulas) == len(roots):
            text = write_script(formulas)
        else:
            text = "\n".join(map(to_smtlib, roots))
    except SolventError as error:
        return f"; cannot be written: {error}"
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "\n; (cut off here)"
