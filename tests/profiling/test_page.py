"""The page of a profile: what is in it, and in a browser what it does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from solvent.lift import execute
from solvent.profiling import Profile, profile
from solvent.queries import verify
from solvent.terms import Int
from tests.chromium import Page, opened
from tests.profiling import planted


def measured() -> Profile:
    with profile() as found:
        for program in planted.PROGRAMS:
            verify(program)
    return found


def data_of(page: str) -> dict[str, object]:
    block = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert block is not None
    found: dict[str, object] = json.loads(block[1])
    return found


def test_a_page_is_one_file_without_addresses() -> None:
    page = measured().page("A <b>title</b>")
    assert "A &lt;b&gt;title" in page
    assert "<b>title" not in page
    assert not re.search(r"""(?:src|href)=["']?(?:https?:|//)""", page)
    data = data_of(page)
    assert set(data) == {"measures", "times", "contexts", "entries", "sources", "names"}


def test_what_the_program_says_is_never_markup(tmp_path: Path) -> None:
    source = "def f(x):\n    if x > 3:\n        return '</script><img src=x onerror=alert(1)>'\n"
    file = tmp_path / "<b>.py"
    file.write_text(source)
    namespace: dict[str, object] = {}
    exec(compile(source, str(file), "exec"), namespace)
    with profile() as found:
        execute(namespace["f"], Int("x"))  # type: ignore[arg-type]
    page = found.page()
    assert "<img" not in page
    assert "<b>.py" not in page
    assert source in data_of(page)["sources"].values()  # type: ignore[attr-defined]


def test_an_empty_profile_has_a_page() -> None:
    with profile() as found:
        pass
    assert "No function of the program" in found.page()


@pytest.mark.pages
def test_the_page_in_a_browser(tmp_path: Path) -> None:
    found = measured()
    file = tmp_path / "profile.html"
    found.save(file)
    with opened(file) as page:
        assert page.errors() == []
        _check_flame(page, found)
        _check_table(page, found)
        _check_source(page)
        assert page.run(
            "return [...document.querySelectorAll('.advice a:not([data-line])')].every("
            "(link) => document.querySelector(link.getAttribute('href')))"
        )
        for scheme in ("light", "dark"):
            for width in (400, 1400):
                page.seen_as(scheme, width)
                assert page.fits(), (scheme, width)
                color = page.run("return getComputedStyle(document.body).color")
                canvas = page.run(
                    "const e = document.createElement('i'); e.style.color = 'Canvas';"
                    "document.body.append(e); return getComputedStyle(e).color"
                )
                assert color != canvas
        assert page.errors() == []


def _check_flame(page: Page, found: Profile) -> None:
    # What took hardly any time is not drawn; how many forks there are is always the same.
    page.run(
        "const e = document.getElementById('measure'); e.value = 'forks';"
        "e.dispatchEvent(new Event('change'))"
    )
    names = page.texts("#flame button")
    assert {"if_chain", "cost", "leading"} <= set(names)
    widths = "return [...document.querySelectorAll('#flame button')].map((e) => e.offsetWidth)"
    whole = page.run("return document.getElementById('flame').clientWidth")
    assert max(page.run(widths)) >= whole - 2
    # The names of functions are as wide as what they did.
    shares = dict(zip(page.texts("#flame button"), page.run(widths), strict=True))
    chain = next(entry for entry in found.functions if entry.name == "cost")
    expected = chain.value("forks", inclusive=True) / found.totals["forks"]
    assert shares["cost"] / whole == pytest.approx(expected, abs=0.02)
    # By keys alone: the next one, into it, and out again.
    page.run("document.querySelector('#flame button').focus()")
    for key, focused in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.run(
            "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', "
            "{key: arguments[0], bubbles: true}))", key,
        )  # fmt: skip
        buttons = "[...document.querySelectorAll('#flame button')]"
        assert page.run(f"return {buttons}.indexOf(document.activeElement)") == focused
    page.run("document.querySelectorAll('#flame button')[2].click()")
    assert len(page.texts("#flame button")) < len(names)
    page.click("#out")
    assert page.run("return document.getElementById('out').disabled")


def _check_table(page: Page, found: Profile) -> None:
    rows = page.texts("#entries tbody tr td.text")
    assert len(rows) == len(found.lines)
    worst = found.worst(1)[0]
    assert rows[0].startswith(f"planted.py:{worst.line} ")
    page.click('#entries button[data-column="terms"]')
    terms = "#entries tbody tr td:nth-child(9)"
    numbers = [int(text.replace(",", "")) for text in page.texts(terms)]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[0] > 0
    page.click('#entries button[data-column="terms"]')
    numbers = [int(text.replace(",", "")) for text in page.texts(terms)]
    assert numbers == sorted(numbers)
    sorted_by = "return document.querySelector('[aria-sort]').textContent"
    assert page.run(sorted_by) == "terms"
    page.click('#tabs button[data-kind="loops"]')
    assert len(page.texts("#entries tbody tr")) == len(found.loops)
    page.type("#filter", "no such place")
    assert page.texts("#entries tbody tr") == []


def _check_source(page: Page) -> None:
    lines = page.texts("#source tr td:nth-child(3)")
    assert lines == Path(planted.__file__).read_text().split("\n")
    page.run(
        "const e = document.getElementById('measure'); e.value = 'time';"
        "e.dispatchEvent(new Event('change'))"
    )
    page.click(".advice a[data-line]")
    marked = page.texts("#source tr.marked td:nth-child(3)")
    assert len(marked) == 1
    assert "# planted" in marked[0]
    heat = page.texts("#source tr.marked td.heat")
    assert heat[0].strip()


@pytest.mark.pages
def test_the_program_is_drawn_first(tmp_path: Path) -> None:
    file = tmp_path / "profile.html"
    with profile() as found:
        verify(planted.if_chain)
    found.save(file)
    with opened(file) as page:
        assert page.texts("#flame button")[0] == "if_chain"
        page.click("#out")
        assert page.texts("#flame button")[0] == "(outside of runs)"
