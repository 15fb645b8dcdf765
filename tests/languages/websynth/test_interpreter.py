"""The interpreter means what lxml means, on concrete paths and on symbolic ones."""

from __future__ import annotations

import random

import pytest

from solvent import evaluate
from solvent.languages.websynth import Page, Tree, reaches, reaches_all
from solvent.languages.websynth.pages import END
from solvent.languages.websynth.synthesis import symbolic_path
from solvent.lift import execute


def random_page(seed: int, size: int = 12) -> str:
    """A small page with few names, classes and texts."""
    rng = random.Random(seed)

    def element(left: int) -> str:
        tag = rng.choice("bi")
        mark = rng.choice(["", "", " class=k", " id=k"])
        inside = rng.choice("xyz")
        while left > 0 and rng.random() < 0.6:
            part = rng.randrange(1, left + 1)
            inside += element(part - 1)
            left -= part
        return f"<{tag}{mark}>{inside}</{tag}>"

    return "".join(element(size // 2) for _ in range(2))


def random_path(tree: Tree, rng: random.Random) -> list[int]:
    """Numbers of steps, most of which match somewhere."""
    path = []
    node = tree.document
    for _ in range(rng.randrange(1, tree.depth + 1)):
        if node.children:
            node = rng.choice(node.children)
            path.append(rng.choice(node.steps))
    if rng.random() < 0.3:
        path[rng.randrange(len(path))] = rng.randrange(1, len(tree.vocabulary) + 1)
    return path


@pytest.mark.parametrize("seed", range(30))
def test_concrete_paths(seed: int) -> None:
    page = Page(random_page(seed))
    texts = set(page.select("//*"))
    tree = page.tree(texts)
    rng = random.Random(seed)
    for _ in range(20):
        path = random_path(tree, rng)
        padded = path + [END] * (tree.depth - len(path))
        selected = page.select(tree.xpath(path))
        for text in texts:
            assert reaches(tree.document, padded, 0, text) == (text in selected)


@pytest.mark.parametrize("seed", range(6))
def test_symbolic_paths(seed: int) -> None:
    page = Page(random_page(seed))
    text = page.select("//*")[-1]
    tree = page.tree([text])
    path = symbolic_path(tree)
    outcome = execute(reaches, tree.document, path, 0, text)
    rng = random.Random(seed)
    for _ in range(20):
        numbers = random_path(tree, rng)
        padded = numbers + [END] * (tree.depth - len(numbers))
        model = dict(zip(path, padded, strict=True))
        assert evaluate(outcome.value, model) == (text in page.select(tree.xpath(numbers)))


def test_all_texts_must_be_reached() -> None:
    tree = Page("<p>a<p>b").tree(["a", "b"])
    path = [tree.vocabulary.index(step) + 1 for step in ("html", "body", "p[1]")]
    reaches_all(tree.document, path, ["a"])
    with pytest.raises(AssertionError, match="b"):
        reaches_all(tree.document, path, ["a", "b"])


def test_no_unions_and_few_terms() -> None:
    """The walk over the tree is concrete; only nodes above an example become terms."""
    page = Page("<table>" + "<tr><td>no<td>no" * 300 + "<tr><td>no<td>yes</table>")
    tree = page.tree(["yes"])
    stats = execute(reaches_all, tree.document, symbolic_path(tree), ["yes"]).stats
    assert (stats.unions, stats.solver_calls) == (0, 0)
    assert stats.terms < 60
