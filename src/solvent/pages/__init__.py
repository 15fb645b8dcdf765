"""HTML pages of one style: each is one file that needs nothing else, and escapes what it shows.

`page` and `table` are here; `plots` draws charts, `graphs` automata, `traces` the steps of a
counterexample, `waves` the signals of a model.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from solvent.pages.style import SORTING, STEPPING, STYLE


def page(title: str, body: Iterable[str]) -> str:
    """A page with a heading and some lines of HTML.

    >>> "<h1>1 &lt; 2</h1>" in page("1 < 2", ["<p>yes</p>"])
    True
    """
    lines = list(body)
    text = "\n".join(lines)
    # Only a page that has something to sort or to step through has a script.
    scripts = [SORTING] if 'class="sortable"' in text else []
    scripts += [STEPPING] if 'class="trace"' in text else []
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            # Without it a browser asks the server for a picture that is not there.
            '<link rel="icon" href="data:,">',
            f"<title>{html.escape(title)}</title><style>{STYLE}</style></head>",
            f"<body><h1>{html.escape(title)}</h1>",
            text,
            *(f"<script>{script}</script>" for script in scripts),
            "</body></html>",
            "",
        ]
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, texts: int = 1) -> str:
    """A table in a box of its own, sorted by a click on a heading; the first `texts` columns are
    words, the others numbers.  All cells are escaped.

    >>> "<td>3</td>" in table(["name", "count"], [["a<b", "3"]])
    True
    """

    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(
            f"<{tag}{text_class(cell) if place < texts else ''}>{html.escape(cell)}</{tag}>"
            for place, cell in enumerate(row)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return box(
        f'<table class="sortable"><thead><tr>{cells("th", heads)}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


# Words that are shorter are kept on one line.
SHORT = 16


def text_class(cell: str, *more: str) -> str:
    """The attribute of a cell with words.

    >>> text_class("3 steps"), text_class("a sentence that is long", "no")
    (' class="text short"', ' class="text no"')
    """
    names = ["text", *(["short"] if len(cell) <= SHORT else []), *more]
    return f' class="{" ".join(names)}"'


OPEN_BOX = '<div class="wide" tabindex="0" role="region" aria-label="table">'


def spanning(groups: Iterable[tuple[str, int]]) -> str:
    """A row of headings above those of columns: each with how many columns it is about.

    >>> spanning([("", 1), ("here", 2)]).count("<th"), 'colspan="2"' in spanning([("here", 2)])
    (2, True)
    """
    cells = []
    for place, (name, columns) in enumerate(groups):
        kind = "group begins" if place else "group"
        wide = f' colspan="{columns}" scope="colgroup"' if columns > 1 else ""
        cells.append(f'<th class="{kind}"{wide}>{html.escape(name)}</th>')
    return f"<tr>{''.join(cells)}</tr>"


def box(content: str, name: str = "table") -> str:
    """A box in which something scrolls that may be too wide; the keyboard can reach it.

    >>> box("<table></table>")
    '<div class="wide" tabindex="0" role="region" aria-label="table"><table></table></div>'
    """
    return f"{OPEN_BOX.replace('table', html.escape(name))}{content}</div>"
