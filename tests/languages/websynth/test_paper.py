"""WebSynth as the paper has it: paths against brute force, pages of its sizes, the same answers."""

from __future__ import annotations

from itertools import product

import pytest

from solvent import evaluate
from solvent.languages.websynth import Page, scrape
from solvent.languages.websynth.paper import (
    NO_STEP,
    Element,
    demonstrated,
    leads,
    read_tree,
    scrape_records,
    unknowns,
)
from solvent.languages.websynth.paper_pages import PAPER_LAYOUTS, PaperLayout, source
from solvent.lift import execute
from solvent.solvers import Status

SIZES = {"iTunes": (1104, 10, 150), "IMDb": (2152, 20, 359), "AlAnon": (2002, 22, 161)}

SONGS = Page(
    "<h1>Songs</h1><ul><li><b>Imagine</b><i>Lennon</i><li><b>Help!</b><i>Beatles</i>"
    "<li><b>Vogue</b><i>Madonna</i><li>Buy!</ul>"
)


def texts_at(element: Element | str, path: tuple[int, ...]) -> list[str]:
    """All texts to which a path leads, by walking along it."""
    if isinstance(element, str):
        return [element] if set(path) <= {NO_STEP} else []
    if not path or path[0] != element.step:
        return []
    return [text for child in element.content for text in texts_at(child, path[1:])]


def test_paths_against_brute_force() -> None:
    root = Element(1, ("x", Element(2, ("y", "x")), Element(3, (Element(2, ("z",)), "y"))))
    for path in product(range(4), repeat=3):
        found = texts_at(root, path)
        for text in "xyzw":
            assert leads(list(path), root, text) == (text in found)
    sought = unknowns(3, 1, 1)
    outcome = execute(leads, sought.paths[0][0], root, "y")
    names = sought.paths[0][0]
    for path in product(range(4), repeat=3):
        model = dict(zip(names, path, strict=True))
        assert evaluate(outcome.value, model) == ("y" in texts_at(root, path))


@pytest.mark.parametrize("layout", PAPER_LAYOUTS, ids=lambda layout: layout.name)
def test_the_sizes_of_table_2(layout: PaperLayout) -> None:
    tree = read_tree(Page(source(layout)))
    assert (tree.size, tree.depth, len(tree.steps) - 1) == SIZES[layout.name]


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_fields_of_records(solver: str) -> None:
    records = [("Imagine", "Lennon"), ("Help!", "Beatles")]
    found = scrape_records(SONGS, records, solver=solver)
    assert found.solution.confirmed
    assert found.columns == (("Imagine", "Help!", "Vogue"), ("Lennon", "Beatles", "Madonna"))
    for column, texts in enumerate(found.columns):
        own = scrape(SONGS, [record[column] for record in records])
        assert own.selected == texts


def test_texts_that_are_not_there() -> None:
    assert scrape_records(SONGS, [("Imagine",), ("Nothing",)]).solution.status is Status.UNSAT


def test_masks_of_records_that_are_not_alike() -> None:
    # The title differs from the songs at other levels than these from each other.
    records = [("Songs",), ("Imagine",), ("Help!",)]
    assert scrape_records(SONGS, records).solution.status is Status.UNSAT


def test_there_is_a_branch_for_each_element_of_the_page() -> None:
    layout = PAPER_LAYOUTS[0]
    tree = read_tree(Page(source(layout)))
    sought = unknowns(tree.depth, 1, 2)
    run = execute(demonstrated, tree.root, layout.examples(1), sought).stats
    assert run.joins >= 2 * tree.size
    assert run.unions == 0
