"""Real pages: what Python and Debian ship, where they are installed, and what pydoc writes."""

from __future__ import annotations

import json
import pydoc

import pytest

from solvent.languages.websynth import Page, read_page, scrape
from solvent.languages.websynth.real import REAL, RealPage


@pytest.mark.parametrize("real", REAL, ids=[real.name for real in REAL])
def test_pages_of_packages(real: RealPage) -> None:
    if not real.file.exists():
        pytest.skip(f"{real.file} is not installed")
    page = read_page(real.file)
    if not {*real.examples, *real.more} <= _strings(page):
        pytest.skip(f"{real.file} is of another version")
    _check(page, list(real.examples), set(real.more))


def test_a_page_of_pydoc() -> None:
    """Documentation of an installed package, made on the spot."""
    writer = pydoc.HTMLDoc()
    page = Page(writer.page("json", writer.docmodule(json)))
    _check(page, ["dump", "loads"], {"dumps", "load"})


def _check(page: Page, examples: list[str], more: set[str]) -> None:
    result = scrape(page, examples)
    assert result.found
    assert {*examples, *more} <= set(result.selected)
    assert page.select(result.xpath) == page.select(result.full) == list(result.selected)
    assert result.stats.run.unions == 0
    assert len(result.selected) < page.size / 5


def _strings(page: Page) -> set[str]:
    return {*page.select("//*"), *page.select("//@*"), *page.select("//text()")}
