"""Reading pages: broken, empty, foreign and hostile ones; steps and texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from solvent.errors import SolventError
from solvent.languages.websynth import Page, PageError, read_page, scrape
from solvent.languages.websynth.pages import Node


def nodes(node: Node) -> list[Node]:
    """All nodes below one."""
    return [found for child in node.children for found in [child, *nodes(child)]]


def steps(source: str, tag: str) -> set[str]:
    """The steps that match some element with a tag."""
    page = Page(source)
    tree = page.tree(["x"])
    return {
        page.vocabulary[number - 1]
        for node in nodes(tree.document)
        if any(page.vocabulary[number - 1] == tag for number in node.steps)
        for number in node.steps
    }


def test_steps() -> None:
    assert steps('<p id="a" class="b c" title="t">x</p>', "p") == {
        "p",
        'p[@id="a"]',
        'p[@class="b c"]',
        "*",
    }


def test_places() -> None:
    """Elements without siblings have one only if others of their name have siblings."""
    source = "<ul><li>a<li>b</ul><ol><li>c</ol>"
    assert steps(source, "li") == {"li", "li[1]", "li[2]", "*"}
    assert steps(source, "ul") == {"ul", "*"}


def test_every_step_matches_the_nodes_that_have_it() -> None:
    page = Page('<p class=a>x<p id="b">y<div><p class=a>z</div><o:p>w</o:p>')
    tree = page.tree(["x"])
    for number, step in enumerate(page.vocabulary, 1):
        having = [node.text for node in nodes(tree.document) if number in node.steps]
        if all(having):
            assert page.select(f"//{step}") == having


def test_specific_steps_come_first() -> None:
    words = Page('<ul><li class="a">1<li class="a">2<li>3</ul>').vocabulary
    assert words.index('li[@class="a"]') < words.index("li") < words.index("*")
    assert words[-1] == "*"


@pytest.mark.parametrize("value", ['"', "a\nb", "x" * 101, ""])
def test_values_that_no_xpath_should_quote(value: str) -> None:
    page = Page(f"<p class='{value}'>x</p>")
    assert page.vocabulary == ("body", "html", "p", "*")


@pytest.mark.parametrize("tag", ["o:p", 'a"b', "h\u00e9", "a.b", "x-y"])
def test_names_that_xpath_cannot_write(tag: str) -> None:
    page = Page(f"<{tag}>x</{tag}>")
    for step in page.vocabulary:
        assert "x" in page.select(f"//{step}")


def test_texts() -> None:
    page = Page("<div> a <b> b\n\tc </b><!-- no -->d<br>&eacute;&nbsp;f <i></i></div>")
    texts = [node.text for node in nodes(page.tree(["x" * 20]).document)]
    assert texts == ["a b c dé f"] * 3 + ["b c", "", ""]
    assert page.select("//div") == ["a b c dé f"]


def test_long_texts_are_not_kept() -> None:
    tree = Page("<p>abc<p>abcdef").tree(["xyz"])
    assert [node.text for node in nodes(tree.document)] == [None, None, "abc", None]
    assert tree.texts == {"abc"}


def test_leaves() -> None:
    page = Page('<a href="/x" @click="no">one<b>two</b>three</a>')
    assert page.leaves_for(["/x"]) == {"@href"}
    assert page.leaves_for(["three", "two", "no"]) == {"text()"}
    tree = page.tree(["/x"], ["@href", "text()"])
    assert (tree.size, tree.depth) == (page.size + 4, page.depth + 1)
    assert {"/x", "one", "two", "three"} <= tree.texts


def test_shortened() -> None:
    page = Page('<div class="a/b"><p>x</p></div><div><p>y</p></div>')
    assert page.shortened("/html/body/div/p") == "//p"
    assert page.shortened('/html/body/div[@class="a/b"]/p') == '//div[@class="a/b"]/p'
    assert page.shortened("/html") == "/html"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"", "the page is empty"),
        (b" \n ", "the page is empty"),
        (b"<!-- nothing -->", "the page is empty: it has no elements"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR<a", "this is not HTML: it contains zero bytes"),
        (b"just some words", "this is not HTML: it has no tags"),
        (b"1 < 2", "this is not HTML: it has no tags"),
        (b"<p>" + b"<b>" * 600 + b"x", "the page is 603 levels deep, more than the 500"),
    ],
)
def test_what_is_no_page(source: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(source)
    with pytest.raises(PageError, match=message) as caught:
        read_page(file)
    assert isinstance(caught.value, SolventError)
    assert str(caught.value).startswith(f"{file}: ")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="there is no such file"):
        read_page(tmp_path / "none.html")
    with pytest.raises(PageError, match="this is a directory"):
        read_page(tmp_path)


@pytest.mark.parametrize(
    "source",
    [
        "<p>é€".encode(),
        "<p>é€".encode("utf-16"),
        "\ufeff<p>é€".encode(),
        "<meta charset=windows-1252><p>é€".encode("windows-1252"),
        "<p>é€".encode("windows-1252"),
        "<meta charset=utf-8><p>é€".encode(),
        "<p>é€",
        '<?xml version="1.0" encoding="latin-1"?><p>é€',
    ],
)
def test_encodings(source: str | bytes) -> None:
    assert Page(source).select("//p") == ["é€"]


@pytest.mark.parametrize(
    "source",
    [
        "<p><b>one</p></b><i>two",
        "<table><p>one<tr><td><i>two",
        "</div><<p>one<i class=>two</i",
        "<p>one</p><!-- <p> --><![CDATA[ x ]]><i>two</i><?php echo ?>",
        "<html><html><body>one<body><i>two</i></html></html>",
        "<i>two<script>if (a < b) '<p>'</script>",
        '<i a="1" a="2" "">two',
    ],
)
def test_broken_markup(source: str) -> None:
    page = Page(source)
    assert page.size == len(page.select("//*"))
    assert any("two" in text for text in page.select("//i"))


def test_what_follows_the_end() -> None:
    """The parser then makes two elements at the top."""
    page = Page("<html><body><p>one</p></body></html><p>two</p>")
    assert len(page.document.xpath("/*")) == 2
    assert page.size == 5
    assert page.select(scrape(page, ["one", "two"]).xpath) == ["one", "two"]
    assert scrape(page, ["two"]).selected == ("two",)


def test_a_large_page() -> None:
    page = Page("<ul>" + "".join(f"<li>item {number}" for number in range(20_000)) + "</ul>")
    assert page.size == 20_003
    assert "li[20000]" in page.vocabulary
