"""Finding the XPath: the interpreter runs on a symbolic path, and a solver says which one is right.

A first answer is improved step by step, from the root on: a step with a smaller number is more
specific, and the smallest number ends the path.  lxml runs what is found before it is reported.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from solvent import BitVec, Solver
from solvent.errors import SolventError
from solvent.languages.websynth.interpreter import reaches_all
from solvent.languages.websynth.pages import END, ExampleError, Page, Tree, normalized
from solvent.lift import execute
from solvent.queries import QueryStats
from solvent.solvers import Status
from solvent.terms import ult
from solvent.terms.bitvectors import BitVecTerm

Progress = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scraper:
    """The answer: an XPath that selects all examples, if there is one, and what else it selects."""

    status: Status
    examples: tuple[str, ...]
    tree: Tree
    stats: QueryStats
    reason: str = ""
    # As short as possible, and step by step from the root; lxml selects the same with both.
    xpath: str = ""
    full: str = ""
    selected: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether there is such an XPath."""
        return self.status is Status.SAT

    def __str__(self) -> str:
        if self.found:
            return "\n".join([self.xpath, *(f"  {text}" for text in self.selected)])
        if self.status is Status.UNSAT:
            return "no XPath of the language selects all examples"
        return f"unknown: {self.reason}"

    def as_dict(self) -> dict[str, object]:
        """The answer for JSON."""
        result: dict[str, object] = {"status": str(self.status), "examples": list(self.examples)}
        if self.status is Status.UNKNOWN:
            result["reason"] = self.reason
        if self.found:
            result |= {"xpath": self.xpath, "full": self.full, "selected": list(self.selected)}
        tree = self.tree
        result["page"] = {
            "nodes": tree.size,
            "depth": tree.depth,
            "tokens": len(tree.vocabulary),
        }
        result["stats"] = self.stats.as_dict()
        return result


def scrape(
    page: Page | str | bytes,
    examples: Sequence[str],
    *,
    solver: str | None = None,
    timeout: float | None = None,
    progress: Progress = lambda _: None,
) -> Scraper:
    """The most specific XPath that selects all of some texts of a page.

    >>> page = "<ul><li><b>Abba</b> 1974<li><b>Blur</b> 1994<li><b>Cher</b> 1998</ul>"
    >>> print(scrape(page, ["Abba", "Cher"]))
    //b
      Abba
      Blur
      Cher
    >>> scrape(page, ["1974", "1998"]).xpath
    '//li/text()'
    """
    if not isinstance(page, Page):
        page = Page(page)
    texts = tuple(dict.fromkeys(map(normalized, examples)))
    result = None
    for tree in _trees(page, texts):
        progress(f"running {len(texts)} examples on {tree.size} nodes")
        result = _search(page, tree, texts, solver, timeout, progress)
        if result.status is not Status.UNSAT:
            break
    assert result is not None
    return result


def _trees(page: Page, examples: Sequence[str]) -> Iterator[Tree]:
    """The trees to try: with elements only if they have all examples, then with texts and all."""
    if not examples or "" in examples:
        raise ExampleError("an example is empty" if examples else "at least one example is needed")
    tree = page.tree(examples)
    missing = set(examples) - tree.texts
    if not missing:
        yield tree
    leaves = page.leaves_for(examples)
    if leaves:
        tree = page.tree(examples, leaves)
        missing -= tree.texts
    for example in examples:
        if example in missing:
            raise ExampleError(_absent(page, example))
    if leaves:
        yield tree


def _absent(page: Page, example: str) -> str:
    """Why an example cannot be found."""
    message = f"the example {example!r} is not the text of any element or attribute of the page"
    around = page.text_around(example)
    return message if around is None else f"{message}, only a part of {around!r}"


# --- the query ---------------------------------------------------------------------------------


def _search(
    page: Page,
    tree: Tree,
    examples: tuple[str, ...],
    solver_name: str | None,
    timeout: float | None,
    progress: Progress,
) -> Scraper:
    started = time.perf_counter()
    path = symbolic_path(tree)
    outcome = execute(reaches_all, tree.document, path, examples)
    progress("asking the solver")
    with Solver(solver_name, timeout=timeout) as solver:
        solver.add(not outcome.halted, outcome.normal)
        status = solver.check()
        numbers = _best(solver, path, progress) if status is Status.SAT else []
        figures = solver.statistics()
        reason = solver.reason
    stats = QueryStats(
        outcome.stats,
        figures["solver"],
        figures["checks"],
        figures["seconds"],
        time.perf_counter() - started,
    )
    found = _confirmed(page, tree.xpath(numbers), examples) if numbers else {}
    return Scraper(
        status=status,
        examples=examples,
        tree=tree,
        stats=stats,
        reason=reason if status is Status.UNKNOWN else "",
        **found,
    )


def symbolic_path(tree: Tree) -> list[BitVecTerm]:
    """A path of unknown steps, one for each level of a tree.

    >>> len(symbolic_path(Page("<p>x").tree(["x"])))
    3
    """
    width = len(tree.vocabulary).bit_length()
    return [BitVec.fresh(f"step{level + 1}", width) for level in range(tree.depth)]


def _best(solver: Solver, path: list[BitVecTerm], progress: Progress) -> list[int]:
    """The numbers of the steps of the best path, when the solver has found one.

    Each step, from the root on, gets the smallest number that is possible after those before it.
    """
    numbers: list[int] = []
    model = solver.model()
    for level, step in enumerate(path, 1):
        progress(f"looking for the best step {level} of at most {len(path)}")
        number = model.evaluate(step)
        while number != END and solver.check(ult(step, number)) is Status.SAT:
            model = solver.model()
            number = model.evaluate(step)
        if number == END:
            break
        solver.add(step == number)
        numbers.append(int(number))
    return numbers


# --- confirming --------------------------------------------------------------------------------


def _confirmed(page: Page, full: str, examples: tuple[str, ...]) -> dict[str, Any]:
    """What lxml selects with an XPath, and the shortest one that selects the same."""
    selected = page.select(full)
    if not set(examples) <= set(selected):
        raise SolventError(f"lxml does not select all examples with {full}: please report this")
    return {"full": full, "xpath": page.shortened(full), "selected": tuple(selected)}
