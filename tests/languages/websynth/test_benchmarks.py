"""The pages of table 2 have its sizes, and the rows of table 4 their answers."""

from __future__ import annotations

import pytest

from solvent.languages.benchmark import Benchmark, Kind
from solvent.languages.websynth import Page, scrape
from solvent.languages.websynth.benchmarks import benchmarks
from solvent.languages.websynth.generated import LAYOUTS, Layout, generate

SIZES = {"iTunes": (1104, 10, 150), "IMDb": (2152, 20, 359), "AlAnon": (2002, 22, 161)}


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_the_sizes_of_table_2(layout: Layout) -> None:
    page = Page(generate(layout))
    examples = layout.examples(4)
    tree = scrape(page, examples).tree
    expected = SIZES[layout.name]
    assert (page.size, page.depth, len(page.vocabulary)) == expected
    # What the interpreter runs on.
    assert (tree.size, tree.depth, len(tree.vocabulary)) == expected


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_examples_are_different(layout: Layout) -> None:
    assert len(set(layout.examples(16))) == 16
    assert set(layout.examples(16)) < set(layout.titles())


GENERATED = [found for found in benchmarks() if found.peer is not None and found.kind is Kind.OWN]
# Two examples are enough, `bench` does the others.
SAME = [row for row in benchmarks() if row.kind is Kind.SAME and row.name.endswith(" 2")]


@pytest.mark.parametrize("benchmark", SAME, ids=lambda found: found.name)
def test_the_same_programs(benchmark: Benchmark) -> None:
    outcome = benchmark.run(60.0)
    assert outcome.expected, outcome.detail
    assert outcome.unions == 0
    assert outcome.total > outcome.evaluation > 0


@pytest.mark.parametrize("benchmark", GENERATED, ids=lambda found: found.name)
def test_the_rows_of_table_4(benchmark: Benchmark) -> None:
    outcome = benchmark.run(60.0)
    assert outcome.answer == "synthesized"
    assert outcome.expected, outcome.detail
    assert (outcome.unions, outcome.union_sum, outcome.union_max) == (0, 0, 0)
    assert 0 < outcome.terms < 2_000


def test_a_limit() -> None:
    outcome = GENERATED[0].run(1e-9)
    assert (outcome.answer, outcome.expected) == ("unknown", False)
