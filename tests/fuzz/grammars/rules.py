"""Grammars as text, and random sentences of them.

A grammar is written as `kind: phrase | phrase | ...`, one kind after the other, with a backslash at
the end of a line that goes on.  In a phrase, `<kind>` stands for a sentence of that kind.  The
first phrase of a kind must lead to an end: it is taken when a sentence gets too deep.
"""

from __future__ import annotations

import re
from random import Random

_HOLE = re.compile(r"<(\w+)>")
_KIND = re.compile(r"^(\w+): ", re.MULTILINE)


class Grammar:
    """A grammar, whose start is its first kind.

    >>> Grammar("sum: 1 | (<sum> + <sum>)").sentence(Random(1), 0)
    '1'
    """

    def __init__(self, text: str) -> None:
        _, *parts = _KIND.split(text.replace("\\\n", "").strip("\n"))
        self.kinds: dict[str, list[str]] = {}
        for kind, phrases in zip(parts[::2], parts[1::2], strict=True):
            split = re.split(r" \| ", phrases.rstrip("\n"))
            self.kinds[kind] = [phrase.replace("\\n", "\n") for phrase in split]
        self.start = parts[0]

    def sentence(self, random: Random, depth: int = 8, kind: str | None = None) -> str:
        """A random sentence, nested at most so deep."""
        phrases = self.kinds[kind or self.start]
        phrase = phrases[0] if depth <= 0 else random.choice(phrases)

        def filled(hole: re.Match[str]) -> str:
            known = hole[1] in self.kinds
            return self.sentence(random, depth - 1, hole[1]) if known else hole[0]

        return _HOLE.sub(filled, phrase)
