"""Scraping: the best XPath, none, examples that are not there, limits."""

from __future__ import annotations

import itertools

import pytest

from solvent.languages.websynth import ExampleError, Page, PageError, Tree, scrape, synthesis
from solvent.solvers import Status
from tests.languages.websynth.test_interpreter import random_page

SHOP = """
<html><body>
<div id="menu"><ul><li><a href="/">Home</a></li><li><a href="/help">Help</a></li></ul></div>
<div id="main"><table>
<tr class="head"><th>Name</th><th>Price</th></tr>
<tr><td class="name"><a href="/1">Lamp</a></td><td>10 <i>EUR</i></td></tr>
<tr><td class="name"><a href="/2">Chair</a></td><td>25 <i>EUR</i></td></tr>
<tr><td class="name"><a href="/3">Table</a></td><td>99 <i>EUR</i></td></tr>
</table></div></body></html>
"""
PRODUCTS = ["Lamp", "10 EUR", "Chair", "25 EUR", "Table", "99 EUR"]


@pytest.mark.parametrize(
    ("examples", "xpath", "selected"),
    [
        (["Lamp", "Table"], '//td[@class="name"]', ["Lamp", "Chair", "Table"]),
        (["Home", "Help"], "//li", ["Home", "Help"]),
        (["10 EUR", " 99\n EUR"], "//td[2]", ["10 EUR", "25 EUR", "99 EUR"]),
        (["10", "99"], "//td[2]/text()", ["10", "25", "99"]),
        (["/1", "/3"], '//td[@class="name"]/a/@href', ["/1", "/2", "/3"]),
        (["Chair"], '//tr[3]/td[@class="name"]', ["Chair"]),
        (["Price", "Lamp", "Price"], "//tr/*", ["Name", "Price", *PRODUCTS]),
    ],
)
def test_the_best_xpath(examples: list[str], xpath: str, selected: list[str]) -> None:
    page = Page(SHOP)
    result = scrape(page, examples)
    assert result.found
    assert result.xpath == xpath
    assert list(result.selected) == selected
    assert page.select(result.full) == page.select(result.xpath) == list(result.selected)
    assert {" ".join(example.split()) for example in examples} <= set(result.selected)


def test_no_xpath() -> None:
    result = scrape(SHOP, ["Home", "EUR"])
    assert result.status is Status.UNSAT
    assert str(result) == "no XPath of the language selects all examples"
    assert result.xpath == ""


def test_texts_are_tried_where_elements_fail() -> None:
    """As elements the examples are on different levels."""
    page = "<p>one<b>!</b></p><p>two<b>!</b></p><div>?<div>?<h1>one</h1></div></div><h1>two</h1>"
    result = scrape(page, ["one", "two"])
    assert result.full == "/html/body/p/text()"


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        (["Lamp", "Sofa"], "'Sofa' is not the text of any element or attribute of the page"),
        (["Cha"], "'Cha' is not the text of any .*, only a part of 'Chair'"),
        (["x" * 1000], "is not the text of any element"),
        ([" \n"], "an example is empty"),
        ([], "at least one example is needed"),
    ],
)
def test_examples_that_are_not_there(examples: list[str], message: str) -> None:
    with pytest.raises(ExampleError, match=message):
        scrape(SHOP, examples)


def test_a_text_around_is_cut() -> None:
    with pytest.raises(ExampleError, match=r"a part of 'needle y+\.\.\.'"):
        scrape(f"<p>needle {'y' * 500}</p>", ["needle"])


def test_no_page() -> None:
    with pytest.raises(PageError, match="the page is empty"):
        scrape("", ["x"])


def test_a_limit_is_no_answer() -> None:
    result = scrape(SHOP, ["Lamp", "Table"], timeout=1e-9)
    assert result.status is Status.UNKNOWN
    assert result.reason
    assert str(result) == f"unknown: {result.reason}"
    assert result.as_dict()["reason"] == result.reason


def test_what_lxml_does_not_select_is_never_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(synthesis.Tree, "xpath", lambda self, numbers: "/html/head")
    with pytest.raises(Exception, match="lxml does not select all examples"):
        scrape(SHOP, ["Lamp"])


def test_progress() -> None:
    told: list[str] = []
    scrape(SHOP, ["Lamp", "Chair"], progress=told.append)
    assert told[:2] == ["running 2 examples on 28 nodes", "asking the solver"]
    assert told[2].startswith("looking for the best step 1 of at most ")


def test_as_dict() -> None:
    found = scrape(SHOP, ["Lamp", "Table"]).as_dict()
    assert found["status"] == "sat"
    assert found["selected"] == ["Lamp", "Chair", "Table"]
    assert found["page"] == {"nodes": 28, "depth": 7, "tokens": 28}
    assert found["stats"]["run"]["unions"] == 0


def right_paths(page: Page, tree: Tree, examples: tuple[str, ...]) -> list[tuple[int, ...]]:
    """All XPaths of the language that select some examples, by trying them with lxml."""
    found = []
    paths: list[tuple[int, ...]] = [()]
    while paths:
        path = paths.pop()
        for number in range(1, len(tree.vocabulary) + 1):
            longer = (*path, number)
            xpath = tree.xpath(longer)
            if page.document.xpath(xpath):
                found += [longer] if set(examples) <= set(page.select(xpath)) else []
                if not tree.vocabulary[number - 1].startswith(("text()", "@")):
                    paths.append(longer)
    return found


@pytest.mark.parametrize("seed", range(25))
def test_every_xpath_by_brute_force(seed: int) -> None:
    """Where an XPath is found it is the smallest of all, and where none is found there is none."""
    page = Page(random_page(seed, size=5))
    texts = sorted(set(page.select("//body//*")))
    for examples in itertools.islice(itertools.combinations(texts, 2), 3):
        tree = page.tree(examples)
        right = right_paths(page, tree, examples)
        if not right:
            tree = page.tree(examples, page.leaves_for(examples))
            right = right_paths(page, tree, examples)
        result = scrape(page, examples)
        assert result.found == bool(right)
        if right:
            assert result.full == tree.xpath(min(right))
