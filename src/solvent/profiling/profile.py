"""A profile: what every line did in every context, and the entries that follow from it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from solvent.lift.probes import Place
from solvent.profiling.entries import Entry, ranked
from solvent.profiling.measures import Measures, as_dict, nothing, scaled, total
from solvent.vm.probe import RECURSIONS


@dataclass(slots=True)
class Context:
    """A function as it was called from one line in one context; one in itself keeps its own."""

    place: Place
    parent: int
    line: int
    calls: int
    lines: dict[int, Measures] = field(default_factory=dict)
    inclusive: Measures = field(default_factory=nothing)

    @property
    def exclusive(self) -> Measures:
        """What its own lines did."""
        return total(self.lines.values())


# An entry in the making: what its lines did, what was called from them, and how often it ran.
_Parts = tuple[list[Measures], list[Measures], int]


@dataclass(slots=True)
class Profile:
    """What runs did, line by line; `functions`, `calls`, `loops` and `lines` are the worst first.

    `totals` are the sums of all exclusive measures.
    """

    contexts: list[Context] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    # How many questions solvers were asked.
    asked: int = 0
    functions: list[Entry] = field(default_factory=list)
    calls: list[Entry] = field(default_factory=list)
    loops: list[Entry] = field(default_factory=list)
    lines: list[Entry] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=dict)

    def finish(self) -> None:
        """Everything is measured: find the entries."""
        for context in reversed(self.contexts):
            # What is called has a larger number than what calls it.
            context.inclusive = total([context.inclusive, context.exclusive])
            if context.parent >= 0:
                above = self.contexts[context.parent]
                above.inclusive = total([above.inclusive, context.inclusive])
        everything = total(context.exclusive for context in self.contexts)
        self.totals = as_dict(everything, sum(c.calls for c in self.contexts), bool(self.asked))
        self.functions = ranked(list(self._functions()))
        self.calls = ranked(list(self._calls()))
        lines = list(self._regions("line", self._own_lines()))
        self._blame_recursion(lines)
        self.lines = ranked(lines)
        self.loops = ranked(list(self._regions("loop", self._loops())))

    @property
    def is_empty(self) -> bool:
        """Whether no function of the program was run."""
        return not self.lines

    def worst(self, count: int = 5) -> list[Entry]:
        """The lines with the highest scores."""
        return self.lines[:count]

    def _programs(self) -> list[Context]:
        return [context for context in self.contexts if context.place.filename]

    def _entry(self, kind: str, place: Place, line: int, last: int, parts: _Parts) -> Entry:
        own, below, calls = parts
        exclusive = total(own)
        return Entry(
            kind, place.name, place.filename, line, last, calls, exclusive,
            total([exclusive, *below]), bool(self.asked),
        )  # fmt: skip

    def _functions(self) -> Iterator[Entry]:
        found: dict[Place, list[Context]] = {}
        for context in self._programs():
            found.setdefault(context.place, []).append(context)
        for place, contexts in found.items():
            calls = sum(context.calls for context in contexts)
            parts = [context.exclusive for context in contexts], self._below(contexts), calls
            yield self._entry("function", place, place.first, place.last, parts)

    def _blame_recursion(self, lines: list[Entry]) -> None:
        """Give the lines that call their own function a share of what it did, by calls."""
        functions = {(entry.file, entry.name): entry for entry in self.functions}
        for line in lines:
            again = line.exclusive[RECURSIONS]
            if again:
                function = functions[line.file, line.name]
                line.recursive = scaled(function.exclusive, again / max(function.calls, again))

    @staticmethod
    def _below(contexts: list[Context]) -> list[Measures]:
        """What was called by contexts: all that they did but for what they did themselves."""
        return [
            [a - b for a, b in zip(context.inclusive, context.exclusive, strict=True)]
            for context in contexts
        ]

    def _calls(self) -> Iterator[Entry]:
        found: dict[tuple[Place, int, Place], list[Context]] = {}
        for context in self._programs():
            caller = self.contexts[context.parent]
            if caller.place.filename:
                found.setdefault((caller.place, context.line, context.place), []).append(context)
        for (caller_place, line, place), contexts in found.items():
            calls = sum(context.calls for context in contexts)
            parts = [context.exclusive for context in contexts], self._below(contexts), calls
            entry = self._entry("call", place, line, line, parts)
            entry.file, entry.caller = caller_place.filename, caller_place.name
            yield entry

    def _own_lines(self) -> dict[Place, list[tuple[int, int, list[int]]]]:
        """Lines as regions of one line."""
        result: dict[Place, list[tuple[int, int, list[int]]]] = {}
        for context in self._programs():
            known = result.setdefault(context.place, [])
            seen = {line for line, _, _ in known}
            known += [(line, line, [line]) for line in context.lines if line not in seen]
        return result

    def _loops(self) -> dict[Place, list[tuple[int, int, list[int]]]]:
        """Loops: first and last line, and the lines of them that are in no inner loop."""
        result: dict[Place, list[tuple[int, int, list[int]]]] = {}
        for place in {context.place for context in self._programs()}:
            spans = loops_of(self.sources.get(place.filename, ""), place.first, place.last)
            rows = []
            for first, last in spans:
                inner = [s for s in spans if s != (first, last) and first <= s[0] and s[1] <= last]
                own = [
                    line
                    for line in range(first, last + 1)
                    if not any(a <= line <= b for a, b in inner)
                ]
                rows.append((first, last, own))
            result[place] = rows
        return result

    def _regions(
        self, kind: str, regions: dict[Place, list[tuple[int, int, list[int]]]]
    ) -> Iterator[Entry]:
        """Entries of regions of lines, each with those that are its own."""
        for place, rows in regions.items():
            contexts = [(n, c) for n, c in enumerate(self.contexts) if c.place == place]
            numbers = {number for number, _ in contexts}
            called = [child for child in self.contexts if child.parent in numbers]
            for first, last, own in rows:
                alone = [c.lines[line] for _, c in contexts for line in own if line in c.lines]
                within = set(range(first, last + 1)) - set(own)
                inner = [c.lines[line] for _, c in contexts for line in within if line in c.lines]
                below = [child.inclusive for child in called if first <= child.line <= last]
                calls = sum(c.lines[first][1] for _, c in contexts if first in c.lines)
                if alone or inner:
                    yield self._entry(kind, place, first, last, (alone, [*inner, *below], calls))

    # --- showing ---

    def as_dict(self) -> dict[str, object]:
        """For JSON: the totals and all entries, the worst of each kind first."""
        return {
            "totals": self.totals,
            "asked": self.asked,
            **{
                kind: [entry.as_dict() for entry in entries]
                for kind, entries in (
                    ("functions", self.functions),
                    ("calls", self.calls),
                    ("loops", self.loops),
                    ("lines", self.lines),
                )
            },
        }

    def __str__(self) -> str:
        from solvent.profiling.summary import summary

        return summary(self)

    __repr__ = __str__

    def page(self, title: str = "Profile") -> str:
        """The page: one HTML file that needs nothing else."""
        from solvent.profiling.page import profile_page

        return profile_page(self, title)

    def save(self, path: str | Path, title: str = "Profile") -> None:
        """Write the page."""
        Path(path).write_text(self.page(title), encoding="utf-8")

    def _repr_html_(self) -> str:
        from solvent.profiling.page import embedded

        return embedded(self)


_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def loops_of(source: str, first: int, last: int) -> list[tuple[int, int]]:
    """First and last line of each loop and comprehension between two lines.

    >>> loops_of("for x in y:\\n    while x:\\n        x = f(x)\\n", 1, 3)
    [(1, 3), (2, 3)]
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    found = {
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, _LOOPS) and first <= node.lineno <= last
    }
    return sorted(found)
