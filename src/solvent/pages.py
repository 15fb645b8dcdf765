"""HTML pages with tables: each is one file that needs nothing else."""

from __future__ import annotations

import html
from collections.abc import Iterable

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
tr.all td { border-top: 2px solid; }
td.text, th.text { text-align: left; }
tbody tr:hover { background: var(--soft); }
.yes { color: #1a7f37; } .no { color: #cf222e; } .maybe { color: #9a6700; }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; white-space: pre-wrap; }
"""


def page(title: str, body: Iterable[str]) -> str:
    """A page with a heading and some lines of HTML.

    >>> "<h1>1 &lt; 2</h1>" in page("1 < 2", ["<p>yes</p>"])
    True
    """
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{html.escape(title)}</title><style>{STYLE}</style></head>",
            f"<body><h1>{html.escape(title)}</h1>",
            *body,
            "</body></html>",
            "",
        ]
    )
