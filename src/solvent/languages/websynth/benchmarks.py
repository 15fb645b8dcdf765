"""The benchmarks of table 4, and more examples than there."""

from __future__ import annotations

from functools import partial

from solvent.languages.benchmark import (
    Benchmark,
    Clock,
    Figures,
    Kind,
    Outcome,
    PaperRow,
    outcome,
)
from solvent.languages.websynth.generated import LAYOUTS, Layout, generate
from solvent.languages.websynth.pages import Page, read_page
from solvent.languages.websynth.paper import scrape_records
from solvent.languages.websynth.paper_pages import PAPER_LAYOUTS, PaperLayout, source
from solvent.languages.websynth.real import REAL, RealPage
from solvent.languages.websynth.synthesis import Scraper, scrape

PAPER = {
    "iTunes": PaperRow(76_438, 0, 0, 0, 0, 0),
    "IMDb": PaperRow(85_413, 0, 0, 0, 0, 0),
    "AlAnon": PaperRow(279_543, 0, 0, 0, 0, 0),
}
# With as many examples as there are in the paper, first.
PAPER_EXAMPLES = 4
EXAMPLES = (PAPER_EXAMPLES, 2, 8, 16)

# What Rosette 4 needs (see `benchmark.ROSETTE`).
ROSETTE = {
    ("iTunes", 2): Figures(0.208, None, 11_707, 4_424),
    ("iTunes", 4): Figures(0.461, 0.49),
    ("iTunes", 8): Figures(0.966),
    ("iTunes", 16): Figures(1.920, None, 96_245, 35_410),
    ("IMDb", 2): Figures(0.188, None, 10_909, 4_152),
    ("IMDb", 4): Figures(0.407, 0.46),
    ("IMDb", 8): Figures(0.931),
    ("IMDb", 16): Figures(1.976, None, 92_944, 33_215),
    ("AlAnon", 2): Figures(0.606, None, 27_895, 12_036),
    ("AlAnon", 4): Figures(1.266, 1.32),
    ("AlAnon", 8): Figures(2.526),
    ("AlAnon", 16): Figures(5.360, None, 226_079, 96_520),
}

NOTE = (
    "pages of the same numbers of elements, levels, tokens and fields, made by a program; "
    "Rosette's are the real ones of the paper"
)


def benchmarks() -> list[Benchmark]:
    """All benchmarks, in the order of the paper, then the real pages that are installed.

    >>> [found.name for found in benchmarks() if found.paper is not None]
    ['iTunes', 'IMDb', 'AlAnon', 'iTunes', 'IMDb', 'AlAnon']
    """
    same = [_benchmark(layout, count) for layout in PAPER_LAYOUTS for count in EXAMPLES]
    own = [_benchmark(layout, count) for layout in LAYOUTS for count in EXAMPLES]
    return [*same, *own, *(_real_benchmark(page) for page in REAL if page.file.exists())]


def _benchmark(layout: Layout | PaperLayout, count: int) -> Benchmark:
    in_paper = count == PAPER_EXAMPLES
    kind = Kind.SAME if isinstance(layout, PaperLayout) else Kind.OWN
    run = _run_paper if kind is Kind.SAME else _run
    return Benchmark(
        language="websynth",
        name=layout.name if in_paper else f"{layout.name} {count}",
        bound=f"{layout.nodes} nodes, depth {layout.depth}, {count} examples",
        run=partial(run, layout.name, count),
        kind=kind,
        paper=PAPER[layout.name] if in_paper else None,
        peer=ROSETTE[layout.name, count],
        note=NOTE if kind is Kind.SAME else "",
        details={
            "nodes": layout.nodes,
            "depth": layout.depth,
            "tokens": layout.tokens,
            "examples": count,
        },
    )


def _run_paper(name: str, count: int, timeout: float) -> Outcome:
    layout = next(found for found in PAPER_LAYOUTS if found.name == name)
    page = Page(source(layout))
    _lift()
    clock = Clock()
    result = scrape_records(page, layout.examples(count), timeout=timeout)
    total = clock.total()
    solution = result.solution
    expected = solution.model is not None and result.columns == layout.columns()
    answer = str(solution.status) if solution.model is None else "synthesized"
    return outcome(answer, expected, solution.stats.run, total, "\n".join(result.xpaths))


def _lift() -> None:
    """Lift both interpreters on a page of two elements, as a compiler has done for others."""
    page = Page("<p>a</p>")
    scrape_records(page, [("a",)])
    scrape(page, ["a"])


def _run(name: str, count: int, timeout: float) -> Outcome:
    layout = next(found for found in LAYOUTS if found.name == name)
    page = Page(generate(layout))
    _lift()
    clock = Clock()
    result = scrape(page, layout.examples(count), timeout=timeout)
    return _outcome(result, clock.total(), _is_right(layout, page, result))


def _real_benchmark(page: RealPage) -> Benchmark:
    return Benchmark(
        language="websynth",
        name=page.name,
        bound=f"{page.file.name}, {len(page.examples)} examples",
        run=partial(_run_real, page.name),
    )


def _run_real(name: str, timeout: float) -> Outcome:
    found = next(page for page in REAL if page.name == name)
    page = read_page(found.file)
    _lift()
    clock = Clock()
    result = scrape(page, found.examples, timeout=timeout)
    expected = {*found.examples, *found.more} <= set(result.selected)
    return _outcome(result, clock.total(), expected)


def _outcome(result: Scraper, total: float, expected: bool) -> Outcome:
    answer = "synthesized" if result.found else str(result.status)
    return outcome(answer, expected, result.stats.run, total, result.xpath)


def _is_right(layout: Layout, page: Page, result: Scraper) -> bool:
    """Whether lxml selects all titles and nothing else, though only a few were examples."""
    return result.found and page.select(result.xpath) == layout.titles()
