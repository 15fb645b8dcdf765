"""Real pages: what Python and Debian ship, where they are installed, and what pydoc writes."""

from __future__ import annotations

import json
import pydoc
import sysconfig
from pathlib import Path

import pytest

from solvent.languages.websynth import Page, read_page, scrape

LIBRARY = Path(sysconfig.get_path("stdlib"))
DOCUMENTATION = Path("/usr/share/doc")

MENU = {"Open…", "Undo", "Redo", "Cut", "Copy", "Paste"}
CASES = [
    (LIBRARY / "idlelib/help.html", ["New File", "Redo"], MENU),
    (LIBRARY / "test/test_difflib_expect.html", ["123", "456"], {"123", "456"}),
    (DOCUMENTATION / "base-passwd/users-and-groups.html", ["daemon", "games"], {"sys", "man"}),
    (DOCUMENTATION / "libjs-underscore/index.html", ["#each", "#chunk"], {"#map", "#find"}),
    (DOCUMENTATION / "python3/python-policy.html", ["PEP 404", "PEP 466"], {"PEP 404"}),
    (DOCUMENTATION / "libffi8/html/Index.html", ["ABI", "closures"], {"FFI", "ffi_call"}),
]


@pytest.mark.parametrize(
    ("file", "examples", "more"), CASES, ids=[file.parts[-2] for file, _, _ in CASES]
)
def test_pages_of_packages(file: Path, examples: list[str], more: set[str]) -> None:
    if not file.exists():
        pytest.skip(f"{file} is not installed")
    page = read_page(file)
    if not {*examples, *more} <= _strings(page):
        pytest.skip(f"{file} is of another version")
    _check(page, examples, more)


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
