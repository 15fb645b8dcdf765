"""HTML pages, read by lxml, as trees whose nodes know which steps of an XPath match them.

A step is a string such as `li`, `li[@class="song"]`, `li[3]` or `*`.  The steps that match anything
in a page are its vocabulary.  They are numbered, the most specific ones first, so that a smaller
number is a better step.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from lxml import etree, html

from solvent.errors import SolventError

# An element of a page, made by lxml, which has no types.
Element: TypeAlias = Any


class PageError(SolventError, ValueError):
    """A page that cannot be used."""


class ExampleError(PageError):
    """An example that is not in the page."""


@dataclass(slots=True)
class Node:
    """A node of a page: the numbers of the steps that match it, its text, and its children."""

    steps: tuple[int, ...]
    text: str | None = None
    children: list[Node] = field(default_factory=list)


# The number of no step: where a path that is shorter than others ends.
END = 0


@dataclass(frozen=True, slots=True)
class Tree:
    """A page as the interpreter sees it, when it looks for some texts."""

    # The node above the elements at the top, of which broken pages have several.
    document: Node
    # Step `number` is `vocabulary[number - 1]`.
    vocabulary: tuple[str, ...]
    size: int
    depth: int
    # All that can be found in it, apart from what is longer than the examples.
    texts: frozenset[str]

    def xpath(self, numbers: Sequence[int]) -> str:
        """The XPath with the steps of some numbers."""
        return "".join(f"/{self.vocabulary[number - 1]}" for number in numbers)


# Whose values are worth a predicate: they say what an element is for.
ATTRIBUTES = ("id", "class", "itemprop", "name", "rel", "role", "scope", "type")
WILDCARD = "*"
TEXT = "text()"

# Longer values are hardly ever what a person would write into an XPath.
_LONGEST_VALUE = 100
_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
# A step of an XPath; slashes in quotes do not separate.
_STEP = re.compile(r'(?:[^/"]|"[^"]*")+')
_SPACE = re.compile(r"\s+")


def normalized(text: str) -> str:
    """A text without space around it and with single spaces in it.

    >>> normalized("  two\\n words ")
    'two words'
    """
    return " ".join(text.split())


# --- reading -----------------------------------------------------------------------------------


class Page:
    """An HTML page.

    >>> page = Page("<ul><li class=a>one<li class=a>two")
    >>> page.select("//li")
    ['one', 'two']
    >>> page.size, page.depth, len(page.vocabulary)
    (5, 4, 8)
    """

    def __init__(self, source: str | bytes) -> None:
        root = _parsed(source)
        self.document = root.getroottree()
        self.elements: list[Element] = [
            found for top in _tops(root) for found in top.iter() if isinstance(found.tag, str)
        ]
        places = _places(self.elements)
        self._steps = [list(_steps_of(found, places.get(found))) for found in self.elements]
        self.vocabulary = _vocabulary(self._steps)
        self.depth = _depth(self.elements)

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self.elements)

    def select(self, xpath: str) -> list[str]:
        """The texts of what lxml's own XPath engine selects."""
        return [
            normalized(found if isinstance(found, str) else found.xpath("string()"))
            for found in self.document.xpath(xpath)
        ]

    def shortened(self, xpath: str) -> str:
        """The last steps of an XPath from the root, as few as select the same.

        >>> Page("<p><b>x</b></p>").shortened("/html/body/p/b")
        '//b'
        """
        wanted = self.document.xpath(xpath)
        steps = _STEP.findall(xpath)
        for count in range(1, len(steps)):
            shorter = "//" + "/".join(steps[-count:])
            if self.document.xpath(shorter) == wanted:
                return shorter
        return xpath

    def text_around(self, part: str) -> str | None:
        """The shortest text that a text is a part of, if there is any, cut if it is long."""
        found = [text for element in self.elements for _, text in _leaves(element) if part in text]
        return _cut(min(found, key=len)) if found else None

    def leaves_for(self, examples: Iterable[str]) -> frozenset[str]:
        """The steps from elements to texts and attributes that are one of some examples."""
        wanted = set(examples)
        found: set[str] = set()
        for element in self.elements:
            found.update(step for step, text in _leaves(element) if text in wanted)
        return frozenset(found)

    def tree(self, examples: Iterable[str], leaves: Iterable[str] = ()) -> Tree:
        """The tree in which to look for examples, with texts and attributes as further nodes.

        >>> tree = Page("<p>a<p>b").tree(["b"])
        >>> [node.text for node in tree.document.children[0].children[0].children]
        ['a', 'b']
        """
        examples = list(examples)
        wanted = frozenset(leaves)
        vocabulary = (*self.vocabulary, *sorted(wanted))
        numbers = {step: place for place, step in enumerate(vocabulary, 1)}
        texts = _texts(self.elements, max(map(len, examples), default=0))
        document = Node(())
        nodes: dict[Element, Node] = {None: document}
        found = {text for text in texts.values() if text is not None}
        size = self.size
        for element, steps in zip(self.elements, self._steps, strict=True):
            node = Node(tuple(numbers[step] for step in steps), texts[element])
            nodes[element] = node
            nodes[element.getparent()].children.append(node)
            for step, text in _leaves(element) if wanted else ():
                if step in wanted:
                    node.children.append(Node((numbers[step],), text))
                    found.add(text)
                    size += 1
        depth = self.depth + bool(wanted)
        return Tree(document, vocabulary, size, depth, frozenset(found))


def read_page(path: str | Path) -> Page:
    """The page in a file, `-` being standard input."""
    try:
        return Page(sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes())
    except FileNotFoundError:
        raise PageError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise PageError(f"{path}: this is a directory, a page is needed") from None
    except OSError as error:
        raise PageError(f"{path}: {error.strerror}") from None
    except PageError as error:
        raise PageError(f"{path}: {error}") from None


# Deeper pages are made by machines for machines.
DEEPEST = 500


def _parsed(source: str | bytes) -> Element:
    encoding: str | None = "utf-8"
    if isinstance(source, str):
        source = source.encode("utf-8", "surrogatepass")
    else:
        encoding = _encoding(source)
    if encoding != "utf-16" and b"\0" in source:
        raise PageError("this is not HTML: it contains zero bytes")
    text = source if encoding != "utf-16" else source.replace(b"\0", b"")
    if not re.search(rb"<[A-Za-z!?/]", text):
        raise PageError("this is not HTML: it has no tags" if text.strip() else "the page is empty")
    try:
        parser = html.HTMLParser(encoding=encoding, huge_tree=True)
        return html.document_fromstring(source, parser=parser)
    except etree.LxmlError:
        raise PageError("the page is empty: it has no elements") from None


def _tops(root: Element) -> list[Element]:
    """The elements that are below nothing: one, unless the markup is broken."""
    earlier = [*root.itersiblings(preceding=True)][::-1]
    found = [*earlier, root, *root.itersiblings()]
    return [top for top in found if isinstance(top.tag, str)]


def _encoding(source: bytes) -> str | None:
    """How a page is encoded, or None if it says so itself."""
    if source.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if re.search(rb"<meta[^>]+charset", source[:4096], re.IGNORECASE):
        return None
    try:
        source.decode()
    except UnicodeDecodeError:
        return "windows-1252"
    return "utf-8"


def _depth(elements: list[Element]) -> int:
    """The number of levels of a page."""
    levels: dict[Element, int] = {None: 0}
    for element in elements:
        levels[element] = levels[element.getparent()] + 1
    deepest = max(levels.values())
    if deepest > DEEPEST:
        raise PageError(f"the page is {deepest} levels deep, more than the {DEEPEST} that are read")
    return deepest


# --- steps -------------------------------------------------------------------------------------


def _steps_of(element: Element, place: int | None) -> Iterator[str]:
    """The steps that match an element, which may have a place among siblings of its name."""
    tag = element.tag if _NAME.fullmatch(element.tag) else _named(element.tag)
    if tag is not None:
        yield tag
        for name in ATTRIBUTES:
            value = _quoted(element.get(name))
            if value is not None:
                yield f"{tag}[@{name}={value}]"
        if place is not None:
            yield f"{tag}[{place}]"
    yield WILDCARD


def _named(tag: str) -> str | None:
    """A test for a name that cannot be written as it is, such as `o:p`."""
    quoted = _quoted(tag)
    return None if quoted is None else f"*[name()={quoted}]"


def _quoted(value: str | None) -> str | None:
    """A value as XPath 1.0 writes it, if it can."""
    if not value or len(value) > _LONGEST_VALUE or '"' in value or not value.isprintable():
        return None
    return f'"{value}"'


def _places(elements: list[Element]) -> dict[Element, int]:
    """The places of elements among siblings of their name, for names that have siblings at all."""
    groups: dict[tuple[Element, str], list[Element]] = {}
    for element in elements:
        groups.setdefault((element.getparent(), element.tag), []).append(element)
    several = {tag for (_, tag), group in groups.items() if len(group) > 1}
    return {
        element: place
        for (_, tag), group in groups.items()
        if tag in several
        for place, element in enumerate(group, 1)
    }


def _vocabulary(steps: list[list[str]]) -> tuple[str, ...]:
    """All steps that occur, from the most specific to the most general."""
    counts: Mapping[str, int] = Counter(step for found in steps for step in found)
    return tuple(sorted(counts, key=lambda step: (counts[step], _kind(step), step)))


def _kind(step: str) -> int:
    """Among steps that match as many elements, which a person would rather write."""
    if step == WILDCARD:
        return 3
    if step.endswith("]"):
        return 0 if step.endswith('"]') else 2
    return 1


# --- texts -------------------------------------------------------------------------------------


def _texts(elements: list[Element], longest: int) -> dict[Element, str | None]:
    """The texts of elements, None where they are longer than any that is looked for."""
    raw: dict[Element, str | None] = {}
    for element in reversed(elements):
        raw[element] = _text(element, raw, longest)
    return {found: None if text is None else text.strip() for found, text in raw.items()}


def _text(element: Element, raw: Mapping[Element, str | None], longest: int) -> str | None:
    pieces = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str):
            inside = raw[child]
            if inside is None:
                return None
            pieces.append(inside)
        pieces.append(child.tail or "")
    # A space at either end may separate words in the text around.
    text = _SPACE.sub(" ", "".join(pieces))
    return text if len(text) <= longest + 2 else None


def _leaves(element: Element) -> Iterator[tuple[str, str]]:
    """The attributes and the texts directly in an element, each with the step that leads there."""
    for name, value in element.items():
        if _NAME.fullmatch(name):
            yield f"@{name}", normalized(value)
    for text in (element.text, *(child.tail for child in element)):
        if text and not text.isspace():
            yield TEXT, normalized(text)


def _cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."
