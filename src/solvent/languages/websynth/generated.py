"""Pages of exactly the sizes of table 2 of "A Lightweight Symbolic Virtual Machine".

Each is a list of records, such as songs, somewhere inside of nested boxes, between notes that are
there to be passed by.  As many notes as needed have a class of their own, which is one more step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice

from solvent.languages.websynth.pages import Page


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of page, and how large it is."""

    name: str
    nodes: int
    depth: int
    tokens: int
    # How many records there are in how many lists, what a list starts and ends with, and a record.
    lists: int
    records: int
    frame: tuple[str, str]
    record: Callable[[int], str]
    # How many levels there are from the list to the deepest element of a record.
    levels: int
    # What a record is about.
    title: Callable[[int], str]

    def titles(self) -> list[str]:
        """What there is to scrape: the titles of all records."""
        return [self.title(number) for number in range(self.lists * self.records)]

    def examples(self, wanted: int) -> list[str]:
        """Some of the titles, from different lists and places in them.

        >>> ITUNES.examples(2)
        ['Song 7', 'Song 74']
        """
        titles = self.titles()
        return [titles[(7 + 67 * number) % len(titles)] for number in range(wanted)]


def _song(number: int) -> str:
    return (
        f'<li class="song"><a href="/s{number}"><img src="{number}.png"></a>'
        f'<h3><a href="/s{number}">Song {number}</a></h3>'
        f'<h4><a href="/a{number % 7}">Artist {number % 7}</a></h4></li>'
    )


def _film(number: int) -> str:
    parity = ("even", "odd")[number % 2]
    return (
        f'<tr class="{parity}"><td class="rank">{number + 1}.</td>'
        f'<td class="title"><a href="/f{number}">Film {number}</a> '
        f'<span class="year">({1950 + number % 60})</span></td>'
        f'<td class="rating"><b>{number % 10}.{number % 9}</b></td></tr>'
    )


def _meeting(number: int) -> str:
    day = ("Monday", "Tuesday", "Friday")[number % 3]
    return (
        f"<tr><td><font>{day}</font></td><td><font>{number % 12 + 1}:30</font></td>"
        f"<td><font><b>Group {number}</b></font></td><td><font>Town {number % 23}</font></td></tr>"
    )


ITUNES = Layout(
    name="iTunes",
    nodes=1104,
    depth=10,
    tokens=150,
    lists=10,
    records=12,
    frame=('<ul class="chart">', "</ul>"),
    record=_song,
    levels=3,
    title=lambda number: f"Song {number}",
)
IMDB = Layout(
    name="IMDb",
    nodes=2152,
    depth=20,
    tokens=359,
    lists=5,
    records=50,
    frame=('<table class="list"><tbody>', "</tbody></table>"),
    record=_film,
    levels=4,
    title=lambda number: f"Film {number}",
)
ALANON = Layout(
    name="AlAnon",
    nodes=2002,
    depth=22,
    tokens=161,
    lists=6,
    records=30,
    frame=("<table><tbody>", "</tbody></table>"),
    record=_meeting,
    levels=5,
    title=lambda number: f"Group {number}",
)
LAYOUTS = (ITUNES, IMDB, ALANON)


def generate(layout: Layout) -> str:
    """The source of a page.

    >>> page = Page(generate(ITUNES))
    >>> page.size, page.depth, len(page.vocabulary)
    (1104, 10, 150)
    """
    bare = Page(_source(layout, notes=0, classes=0)).size
    notes = layout.nodes - bare
    plain = len(Page(_source(layout, notes=notes, classes=0)).vocabulary)
    return _source(layout, notes=notes, classes=layout.tokens - plain)


def _source(layout: Layout, notes: int, classes: int) -> str:
    """A page with so many elements for notes, of which some have a class."""
    boxes = layout.depth - layout.levels - 4
    opened = "".join(f'<div class="box{level}">' for level in range(boxes))
    early, late = _notes(notes // 2, 0, classes), _notes(notes - notes // 2, notes // 2, classes)
    return (
        f"<html><head><title>{layout.name}</title></head><body>{opened}"
        f"<div>{early}</div><div>{''.join(_lists(layout))}</div><div>{late}</div>"
        f"{'</div>' * boxes}</body></html>"
    )


def _lists(layout: Layout) -> Iterator[str]:
    numbers = count()
    opening, closing = layout.frame
    for _ in range(layout.lists):
        yield opening
        yield from map(layout.record, islice(numbers, layout.records))
        yield closing


# How many notes are in one paragraph.
_TOGETHER = 5


def _notes(wanted: int, first: int, classes: int) -> str:
    """So many elements for notes, numbered from some number on."""
    parts = []
    for number in range(first, first + wanted):
        mark = f' class="note{number}"' if number < classes else ""
        place = (number - first) % (_TOGETHER + 1)
        parts.append(f"<p{mark}>" if place == 0 else f"<i{mark}>Note {number}</i>")
    return "".join(parts)
