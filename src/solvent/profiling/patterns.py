"""The anti-patterns of the manual, for pages that have no manual beside them."""

from __future__ import annotations

import html
import re
from functools import cache
from importlib.resources import files


@cache
def sections() -> dict[str, str]:
    """The sections of the manual's page by their anchors, as HTML.

    >>> list(sections())[:2]
    ['irrelevant-branching', 'recursion-before-the-test']
    """
    text = files("solvent.profiling").joinpath("antipatterns.md").read_text(encoding="utf-8")
    _, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return {anchor(part.partition("\n")[0]): _html(part) for part in parts}


def anchor(heading: str) -> str:
    """How a heading is linked to.

    >>> anchor("Recursion before the test")
    'recursion-before-the-test'
    """
    return re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")


def _html(part: str) -> str:
    """A section as HTML: paragraphs and programs are all there is."""
    heading, _, body = part.partition("\n")
    result = [f'<h3 id="{anchor(heading)}">{html.escape(heading)}</h3>']
    for number, piece in enumerate(re.split(r"^```\w*\n", body, flags=re.MULTILINE)):
        if number % 2:
            result.append(f"<pre>{html.escape(piece.rstrip())}</pre>")
        else:
            paragraphs = filter(None, (one.strip() for one in piece.split("\n\n")))
            result += [f"<p>{_inline(one)}</p>" for one in paragraphs]
    return "".join(result)


def _inline(text: str) -> str:
    """A paragraph: code, emphasis and the texts of links."""
    escaped = html.escape(text)
    escaped = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", escaped)
    escaped = re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", escaped)
