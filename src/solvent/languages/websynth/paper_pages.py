"""Pages for `paper.py` of exactly the sizes of table 2, where a token is a name with its place.

Each is one long list of records inside of nested boxes, as the paper's pages are, and notes fill it
up: lists of entries, of which there are as many and as long ones as give the number of tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from solvent.languages.websynth.pages import Page
from solvent.languages.websynth.paper import read_tree


@dataclass(frozen=True, slots=True)
class PaperLayout:
    """A kind of page: its sizes in table 2, its records, and what is scraped of each."""

    name: str
    nodes: int
    depth: int
    tokens: int
    records: int
    frame: tuple[str, str]
    record: Callable[[int], str]
    # How many levels a record has, with those of the list.
    levels: int
    fields: Callable[[int], tuple[str, ...]]

    def columns(self) -> tuple[tuple[str, ...], ...]:
        """What there is to scrape, field by field."""
        return tuple(zip(*map(self.fields, range(self.records)), strict=True))

    def examples(self, wanted: int) -> list[tuple[str, ...]]:
        """The first records.

        >>> ITUNES.examples(2)
        [('Song 0', 'Artist 0'), ('Song 1', 'Artist 1')]
        """
        return [self.fields(number) for number in range(wanted)]


def _song(number: int) -> str:
    return (
        f"<li><a><img></a><h3><a>Song {number}</a></h3><h4><a>Artist {number}</a></h4>"
        f"<p>Price of {number}</p></li>"
    )


def _film(number: int) -> str:
    return (
        f"<tr><td>{number + 1}.</td><td><a>Film {number}</a> <span>(year)</span></td>"
        f"<td><b>rating</b></td></tr>"
    )


def _meeting(number: int) -> str:
    columns = ("day", "hour", *ALANON.fields(number), "<b>open</b>", "")
    cells = "".join(f"<td><font>{column}</font></td>" for column in columns)
    return f"<tr>{cells}</tr>"


ITUNES = PaperLayout(
    "iTunes", 1104, 10, 150, 100, ("<ul>", "</ul>"), _song, 4,
    lambda number: (f"Song {number}", f"Artist {number}"),
)  # fmt: skip
IMDB = PaperLayout(
    "IMDb", 2152, 20, 359, 250, ("<table><tbody>", "</tbody></table>"), _film, 5,
    lambda number: (f"Film {number}",),
)  # fmt: skip
ALANON = PaperLayout(
    "AlAnon", 2002, 22, 161, 119, ("<table><tbody>", "</tbody></table>"), _meeting, 6,
    lambda number: (f"Group {number}", f"Street {number}", f"Town {number}"),
)  # fmt: skip
PAPER_LAYOUTS = (ITUNES, IMDB, ALANON)


@cache
def source(layout: PaperLayout) -> str:
    """The source of a page.

    >>> tree = read_tree(Page(source(ITUNES)))
    >>> tree.size, tree.depth, len(tree.steps) - 1
    (1104, 10, 150)
    """
    bare = read_tree(Page(_page(layout, "")))
    notes = _notes(layout.nodes - bare.size, layout.tokens - (len(bare.steps) - 1))
    return _page(layout, notes)


def _page(layout: PaperLayout, notes: str) -> str:
    # Above the list are the elements html and body.
    boxes = layout.depth - layout.levels - 2
    opening, closing = layout.frame
    return (
        f"<html><head><title>{layout.name}</title></head><body>{'<div>' * boxes}"
        f"{opening}{''.join(map(layout.record, range(layout.records)))}{closing}{notes}"
        f"{'</div>' * boxes}</body></html>"
    )


def _notes(nodes: int, tokens: int) -> str:
    """Lists of entries: so many elements, and so many names with places."""
    for lists in range(1, tokens):
        longest = tokens - lists
        entries = nodes - lists
        if longest <= entries <= lists * longest:
            break
    else:
        raise AssertionError(f"{nodes} elements cannot have {tokens} names with places")
    lengths = [longest]
    for left in range(lists - 1, 0, -1):
        lengths.append(-(-(entries - sum(lengths)) // left))
    return "".join(f"<ol>{'<dd>note</dd>' * length}</ol>" for length in lengths)
