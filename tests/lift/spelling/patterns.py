"""Random regular expressions over a small alphabet, with everything that the engine knows."""

from __future__ import annotations

import random
import re
import warnings

LETTERS = "ab1"
_CLASSES = ("[ab]", "[^a]", ".", r"\w", r"\d", r"\W", "[a1]", r"[^\d]")
_BORDERS = ("^", "$", r"\b", r"\B", r"\A", r"\Z")
_REPEATS = ("*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}", "{,1}")


class Grammar:
    """Draws one pattern."""

    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.groups = 0
        self.closed: list[int] = []

    def sequence(self, depth: int) -> str:
        """Some items one after the other."""
        return "".join(
            self.item(depth) for _ in range(self.random.randint(0 if depth < 2 else 1, 3))
        )

    def choice(self, depth: int) -> str:
        """Some alternatives, most often one."""
        count = self.random.choice((1, 1, 1, 2, 2, 3))
        return "|".join(self.sequence(depth) for _ in range(count))

    def item(self, depth: int) -> str:
        """An atom, possibly repeated."""
        atom = self.atom(depth)
        if atom in _BORDERS or self.random.random() < 0.55:
            return atom
        return atom + self.random.choice(_REPEATS) + self.random.choice(("", "", "?", "+"))

    def atom(self, depth: int) -> str:
        """A character, a border, a group or a reference."""
        kind = self.random.random()
        if depth == 0 or kind < 0.35:
            return self.random.choice(LETTERS)
        if kind < 0.45:
            return self.random.choice(_CLASSES)
        if kind < 0.51:
            return self.random.choice(_BORDERS)
        if kind < 0.58 and self.closed:
            return f"\\{self.random.choice(self.closed)}"
        if kind < 0.8:
            return self.group(depth)
        return self.special(depth)

    def group(self, depth: int) -> str:
        """A group with a number."""
        self.groups += 1
        number = self.groups
        inner = self.choice(depth - 1)
        self.closed.append(number)
        return f"({inner})"

    def special(self, depth: int) -> str:
        """Groups of other kinds."""
        opening = self.random.choice(
            ("(?:", "(?:", "(?=", "(?!", "(?>", "(?i:", "(?<=", "(?<!", "?")
        )
        if opening in ("(?<=", "(?<!"):
            return f"{opening}{self.fixed()})"
        if opening == "?":
            if not self.closed:
                return "(?:)"
            number = self.random.choice(self.closed)
            return f"(?({number}){self.sequence(depth - 1)}|{self.sequence(depth - 1)})"
        return f"{opening}{self.choice(depth - 1)})"

    def fixed(self) -> str:
        """What has a fixed width, as lookbehind wants it."""
        if self.random.random() < 0.3:
            self.groups += 1
            self.closed.append(self.groups)
            return f"({self.random.choice(LETTERS)}|{self.random.choice(LETTERS)})"
        return "".join(
            self.random.choice((*LETTERS, *_CLASSES)) for _ in range(self.random.randint(1, 2))
        )


def random_pattern(source: random.Random, depth: int = 3) -> re.Pattern[str]:
    """A random pattern that Python accepts."""
    while True:
        flags = source.choice((0, 0, 0, re.IGNORECASE, re.MULTILINE, re.DOTALL, re.ASCII))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return re.compile(Grammar(source).choice(depth), flags)
            except re.error:
                continue
