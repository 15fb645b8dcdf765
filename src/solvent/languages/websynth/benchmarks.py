"""The benchmarks of table 4, and more examples than there."""

from __future__ import annotations

from functools import partial

from solvent.languages.benchmark import Benchmark, Outcome, PaperRow, Rosette
from solvent.languages.websynth.generated import LAYOUTS, Layout, generate
from solvent.languages.websynth.pages import Page, read_page
from solvent.languages.websynth.real import REAL, RealPage
from solvent.languages.websynth.synthesis import Scraper, scrape

PAPER = {
    "iTunes": PaperRow(76_438, 0, 0, 0, 0, 0),
    "IMDb": PaperRow(85_413, 0, 0, 0, 0, 0),
    "AlAnon": PaperRow(279_543, 0, 0, 0, 0, 0),
}
# With as many examples as there are in the paper.
PAPER_EXAMPLES = 4

ROSETTE = {
    ("iTunes", 2): Rosette(0.21, 0.03, 11_700),
    ("iTunes", 4): Rosette(0.48, 0.03),
    ("iTunes", 8): Rosette(1.1, 0.03),
    ("iTunes", 16): Rosette(2.3, 0.03, 96_200),
    ("IMDb", 2): Rosette(0.18, 0.03, 10_900),
    ("IMDb", 4): Rosette(0.56, 0.03),
    ("IMDb", 8): Rosette(1.4, 0.03),
    ("IMDb", 16): Rosette(2.3, 0.03, 92_900),
    ("AlAnon", 2): Rosette(0.68, 0.04, 27_900),
    ("AlAnon", 4): Rosette(2.0, 0.04),
    ("AlAnon", 8): Rosette(3.6, 0.04),
    ("AlAnon", 16): Rosette(7.7, 0.04, 226_000),
}


def benchmarks() -> list[Benchmark]:
    """All benchmarks, in the order of the paper, then the real pages that are installed.

    >>> [found.name for found in benchmarks() if found.paper is not None]
    ['iTunes', 'IMDb', 'AlAnon']
    """
    generated = [_benchmark(layout, count) for layout in LAYOUTS for count in (4, 2, 8, 16)]
    return [*generated, *(_real_benchmark(page) for page in REAL if page.file.exists())]


def _benchmark(layout: Layout, count: int) -> Benchmark:
    in_paper = count == PAPER_EXAMPLES
    return Benchmark(
        language="websynth",
        name=layout.name if in_paper else f"{layout.name} {count}",
        bound=f"{layout.nodes} nodes, depth {layout.depth}, {count} examples",
        run=partial(_run, layout.name, count),
        paper=PAPER[layout.name] if in_paper else None,
        rosette=ROSETTE[layout.name, count],
        details={
            "nodes": layout.nodes,
            "depth": layout.depth,
            "tokens": layout.tokens,
            "examples": count,
        },
    )


def _run(name: str, count: int, timeout: float) -> Outcome:
    layout = next(found for found in LAYOUTS if found.name == name)
    page = Page(generate(layout))
    result = scrape(page, layout.examples(count), timeout=timeout)
    return _outcome(result, _is_right(layout, page, result))


def _real_benchmark(page: RealPage) -> Benchmark:
    return Benchmark(
        language="websynth",
        name=page.name,
        bound=f"{page.file.name}, {len(page.examples)} examples",
        run=partial(_run_real, page.name),
    )


def _run_real(name: str, timeout: float) -> Outcome:
    found = next(page for page in REAL if page.name == name)
    result = scrape(read_page(found.file), found.examples, timeout=timeout)
    return _outcome(result, {*found.examples, *found.more} <= set(result.selected))


def _outcome(result: Scraper, expected: bool) -> Outcome:
    run = result.stats.run
    return Outcome(
        answer="synthesized" if result.found else str(result.status),
        expected=expected,
        joins=run.joins,
        unions=run.unions,
        union_sum=run.union_sizes,
        union_max=run.largest_union,
        terms=run.terms,
        evaluation=run.seconds,
        solving=result.stats.solver_seconds,
        detail=result.xpath,
    )


def _is_right(layout: Layout, page: Page, result: Scraper) -> bool:
    """Whether lxml selects all titles and nothing else, though only a few were examples."""
    return result.found and page.select(result.xpath) == layout.titles()
