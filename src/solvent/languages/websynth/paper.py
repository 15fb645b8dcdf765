"""WebSynth as the paper's own program has it: the rows "same program" of table 4.

What is done here and not in `synthesis`: each field of each example has a symbolic path of its own;
a step is the name of an element with its place among siblings of that name, such as `li[3]`; the
interpreter asks for the step of an element and then walks into it, so that there is a branch for
each element of the page; masks say at which levels paths agree, between the fields of a record and
between records, and what they agree in makes the paths of the fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from solvent import Bool, Int, evaluate, lifted, solve
from solvent.languages.websynth.pages import Page, normalized
from solvent.queries.results import Solution
from solvent.terms.kinds import Guard, Integer

# The number of no step, with which a path goes on after its end.
NO_STEP = 0

# A path that may not be known yet: the numbers of its steps.
Path = Sequence[Integer]


@dataclass(frozen=True, slots=True)
class Element:
    """An element: the number of its step, and what is in it: elements and texts."""

    step: int
    content: tuple[Element | str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """A page, with its steps by number."""

    root: Element
    steps: tuple[str, ...]

    @property
    def size(self) -> int:
        """The number of elements."""
        return sum(1 for _ in elements(self.root))

    @property
    def depth(self) -> int:
        """The number of levels."""
        return _depth(self.root)


def elements(root: Element) -> Iterator[Element]:
    """An element and all below it."""
    yield root
    for child in root.content:
        if isinstance(child, Element):
            yield from elements(child)


def _depth(element: Element) -> int:
    return 1 + max([_depth(x) for x in element.content if isinstance(x, Element)], default=0)


def read_tree(page: Page) -> Tree:
    """The tree of a page.

    >>> tree = read_tree(Page("<ul><li>one<li>two"))
    >>> tree.steps
    ('', 'html[0]', 'body[0]', 'ul[0]', 'li[0]', 'li[1]')
    >>> tree.size, tree.depth
    (5, 4)
    """
    numbers = {"": NO_STEP}

    def made(element: Any, place: int) -> Element:
        number = numbers.setdefault(f"{element.tag}[{place}]", len(numbers))
        content: list[Element | str] = list(_texts(element.text))
        places: Counter[str] = Counter()
        for child in element:
            if isinstance(child.tag, str):
                content.append(made(child, places[child.tag]))
                places[child.tag] += 1
            content.extend(_texts(child.tail))
        return Element(number, tuple(content))

    root = made(page.document.getroot(), 0)
    return Tree(root, tuple(numbers))


def _texts(text: str | None) -> Iterator[str]:
    if text and not text.isspace():
        yield normalized(text)


# --- the interpreter -----------------------------------------------------------------------------


@lifted
def leads(path: Path, source: Element | str, sink: str) -> Guard:
    """Whether a path leads from an element to a text, and ends there.

    >>> page = Element(1, (Element(2, ("no",)), Element(3, ("yes",))))
    >>> leads([1, 3, 0], page, "yes"), leads([1, 2, 0], page, "yes"), leads([1, 3, 1], page, "yes")
    (True, False, False)
    """
    if isinstance(source, str):
        return source == sink and all(step == NO_STEP for step in path)
    if not path:
        return False
    found: Guard = False
    if path[0] == source.step:
        for child in source.content:
            found = found or leads(path[1:], child, sink)
    return found


@lifted
def agree(one: Path, other: Path, mask: Sequence[Guard]) -> None:
    """Fail unless a mask says at which levels two paths have the same step.

    >>> agree([1, 2], [1, 3], [True, False])
    """
    for a, b, same in zip(one, other, mask, strict=True):
        assert same == (a == b), "the mask is another"


# --- the query -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unknowns:
    """What is searched for: a path for each field of each record, and the masks."""

    paths: list[list[list[Integer]]]
    field_masks: list[list[Guard]]
    record_mask: list[Guard]


def unknowns(depth: int, records: int, fields: int) -> Unknowns:
    """Paths and masks for so many records of so many fields.

    >>> found = unknowns(2, 1, 1)
    >>> found.paths, found.record_mask
    ([[[r0f0.0, r0f0.1]]], [record.0, record.1])
    """
    levels = range(depth)
    return Unknowns(
        [
            [[Int(f"r{record}f{field}.{level}") for level in levels] for field in range(fields)]
            for record in range(records)
        ],
        [[Bool(f"fields{record}.{level}") for level in levels] for record in range(records)],
        [Bool(f"record.{level}") for level in levels],
    )


@lifted
def demonstrated(root: Element, records: Sequence[Sequence[str]], sought: Unknowns) -> Unknowns:
    """Fail unless all paths lead to the texts of the records and the masks are theirs."""
    for texts, paths in zip(records, sought.paths, strict=True):
        for text, path in zip(texts, paths, strict=True):
            assert leads(path, root, text), "a path does not lead to its text"
    for paths, mask in zip(sought.paths, sought.field_masks, strict=True):
        for one, other in pairwise(paths):
            agree(one, other, mask)
    for record, following in pairwise(sought.paths):
        agree(record[0], following[0], sought.record_mask)
    return sought


@dataclass(frozen=True, slots=True)
class Scraped:
    """The answer: the generalized path of each field, and what they select."""

    solution: Solution
    xpaths: tuple[str, ...] = ()
    columns: tuple[tuple[str, ...], ...] = ()


def scrape_records(
    page: Page,
    records: Sequence[Sequence[str]],
    *,
    solver: str | None = None,
    timeout: float | None = None,
) -> Scraped:
    """What a page has besides some records: for each field its path, and all that it selects.

    >>> page = Page("<ul><li><b>Abba</b> 1974<li><b>Blur</b> 1994<li><b>Cher</b> 1998</ul>")
    >>> found = scrape_records(page, [("Abba", "1974"), ("Blur", "1994")])
    >>> found.xpaths
    ('/html[1]/body[1]/ul[1]/li/b[1]', '/html[1]/body[1]/ul[1]/li')
    >>> found.columns[0]
    ('Abba', 'Blur', 'Cher')
    """
    tree = read_tree(page)
    sought = unknowns(tree.depth, len(records), len(records[0]))
    solution = solve(demonstrated, tree.root, records, sought, solver=solver, timeout=timeout)
    if solution.model is None:
        return Scraped(solution)
    found = evaluate(sought, solution.model)
    mask = list(found.record_mask)
    xpaths = tuple(_generalized(tree, path, mask) for path in found.paths[0])
    columns = tuple(tuple(_selected(page, xpath)) for xpath in xpaths)
    return Scraped(solution, xpaths, columns)


def _generalized(tree: Tree, path: Sequence[int], mask: Sequence[bool]) -> str:
    """The XPath of a path, without places where records differ."""
    parts = []
    for number, same in zip(path, mask, strict=True):
        if number == NO_STEP:
            break
        name, _, place = tree.steps[number].removesuffix("]").rpartition("[")
        parts.append(f"/{name}[{int(place) + 1}]" if same else f"/{name}")
    return "".join(parts)


def _selected(page: Page, xpath: str) -> Iterator[str]:
    """The texts directly in what lxml selects."""
    for element in page.document.xpath(xpath):
        yield from _texts(element.text)
        for child in element:
            yield from _texts(child.tail)
