"""The probe: what the profiler measures with while a program runs.

Code that is compiled for a profile says which function it enters and leaves, and at which line it
is.  What has happened between two such moments belongs to the line that was running: nothing is
counted twice and nothing is lost, so that the sums are the totals of `vm.report`.  Counters exist
without the probe; it reads them.  Without a profile no code has probes.

The code tells it by operators, since a call would take longer than what a line of plain Python
does: `+entry` starts a function, `-entry` lets it go on after a `yield` and `entry @ depth` ends
it; `+point` visits a line, or several that run one after the other, and `-point` goes on at a line
that was visited before.

The processor's time is slow to read.  It is read every few milliseconds, and divided up between
the lines by a faster clock; what that saw too much, since other processes ran or a solver was
waited for, is taken from the longest stretch.

The compiled core has the same in C (`terms/compiled.c`), which is used where it is there.  It reads
the faster clock less often, too: plain arithmetic that was quick shares one reading with what comes
before and after it.
"""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from solvent.terms.core import COMPILED
from solvent.terms.memory import created_terms
from solvent.vm import merge
from solvent.vm.report import STATS, Stats

# What is measured, in the order of the numbers of a line.  Times are in nanoseconds.
MEASURES = (
    "time", "visits", "terms", "recursions", "questions", "solver_time", "infeasible",
    "forks", "joins", "unions", "union_sizes", "writes",
)  # fmt: skip
TIME, VISITS, TERMS, RECURSIONS, QUESTIONS, SOLVER_TIME, INFEASIBLE = range(7)
# Those that are counters of `vm.report.Stats`.
COUNTERS = MEASURES[7:]

# Nanoseconds between two looks at the processor's time.
_WINDOW = 2_000_000
# A context: the one it was called from, at which of its lines, the function, where its lines are
# among all, and how often it was called.
Row = tuple[int, int, int, int, int]


@dataclass(slots=True)
class _Context:
    parent: int
    line: int
    function: int
    cells: int
    calls: int = 0
    children: dict[tuple[int, int], int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Point:
    """A line of a function, or several that run one after the other."""

    probe: PythonProbe
    function: int
    place: int

    def visited(self, times: int) -> None:
        """Count visits, and nothing else; to correct others."""
        self.probe.visited(self.function, self.place, times)

    def __pos__(self) -> None:
        """The lines are visited."""
        self.probe.go_on(self.function, self.place, 1)

    def __neg__(self) -> bool:
        """What comes belongs to a line that was visited before."""
        self.probe.go_on(self.function, self.place, 0)
        return True


@dataclass(frozen=True, slots=True)
class Entry:
    """A function of the user."""

    probe: PythonProbe
    function: int
    first: Point | None

    def __pos__(self) -> int:
        """It starts; what it is known by when it ends."""
        if self.first is None:
            return self.probe.enter(self.function)
        return self.probe.enter(self.function, self.first.place, 1)

    def __neg__(self) -> int:
        """It goes on after a `yield`."""
        return self.probe.enter(self.function)

    def __matmul__(self, depth: int) -> None:
        """It ends."""
        self.probe.leave(depth)


class PythonProbe:
    """The probe in Python, for the core in Python; one profile is taken at a time."""

    def __init__(self) -> None:
        self.functions: list[int] = []
        self.thread = 0
        # The processor's time and the clock when they were read last.
        self.processor = self.clock = 0
        self.running = False

    @property
    def active(self) -> bool:
        """Whether this thread takes a profile."""
        return self.running and threading.get_ident() == self.thread

    def setup(self, counters: tuple[str, ...]) -> None:
        """Which counters of a run are read; those in C are found by their names."""
        assert counters == COUNTERS

    def function(self, places: int) -> int:
        """A number for a function with so many lines."""
        self.functions.append(places)
        return len(self.functions) - 1

    def place(self, function: int) -> int:
        """A place more in a function that has not run yet."""
        self.functions[function] += 1
        return self.functions[function] - 1

    def entry(self, function: int, first: Point | None) -> Entry:
        """What code enters, at a point if it starts with one, and leaves."""
        return Entry(self, function, first)

    def point(self, function: int, place: int, light: bool) -> Point:
        """What code visits; for what is light the compiled core does not always read the clock."""
        return Point(self, function, place)

    def start(self, bottom: int) -> None:
        """Start to measure, in a function that stands for all that is outside of others."""
        if self.running:
            raise RuntimeError("a profile is being taken already")
        self.cells: list[list[int]] = []
        self.contexts: list[_Context] = []
        self.stack: list[tuple[int, int]] = []
        self.log: list[int] = []
        self.current = 0
        self.thread = threading.get_ident()
        self.running = True
        self.enter(bottom)
        stats = STATS.get(None)
        self.tracked: dict[int, tuple[Stats, tuple[int, ...]]] = {}
        self.last = stats
        if stats is not None:
            self.tracked[id(stats)] = stats, _counts(stats)
        self.terms = created_terms()
        self.window = self.largest = 0
        self.largest_cell: list[int] = self.cells[0]
        self.settle_window()

    def stop(self) -> tuple[list[Row], bytes, bytes]:
        """Stop: contexts, the measures of all lines, and which line made which terms."""
        if not self.running:
            raise RuntimeError("no profile is being taken")
        self.flush()
        self.settle_window()
        self.running = False
        rows = [(c.parent, c.line, c.function, c.cells, c.calls) for c in self.contexts]
        cells = array("q", [number for cell in self.cells for number in cell])
        return rows, cells.tobytes(), array("q", self.log).tobytes()

    def settle_window(self) -> None:
        """Compare with the processor's time."""
        now = time.process_time_ns()
        if self.window > 0:
            self.largest_cell[TIME] += now - self.processor - self.window
        self.processor = now
        self.window = self.largest = 0
        self.clock = time.perf_counter_ns()

    def flush(self) -> None:
        """Give what has happened since the last time to the line that was running."""
        cell = self.cells[self.current]
        terms = created_terms()
        if terms > self.terms:
            cell[TERMS] += terms - self.terms
            self.terms = terms
            if self.log and self.log[-1] == self.current:
                self.log[-2] = terms
            else:
                self.log += (terms, self.current)
        stats = STATS.get(None)
        for one in (self.last, stats) if self.last is not stats else (stats,):
            if one is not None:
                self._count(one, cell)
        self.last = stats
        now = time.perf_counter_ns()
        passed = now - self.clock
        self.clock = now
        cell[TIME] += passed
        self.window += passed
        if passed > self.largest:
            self.largest = passed
            self.largest_cell = cell
        if self.window > _WINDOW:
            self.settle_window()

    def _count(self, stats: Stats, cell: list[int]) -> None:
        found = _counts(stats)
        _, before = self.tracked.get(id(stats), (stats, (0,) * len(found)))
        if found != before or id(stats) not in self.tracked:
            self.tracked[id(stats)] = stats, found
            for place, (new, old) in enumerate(zip(found, before, strict=True), INFEASIBLE + 1):
                cell[place] += new - old

    def enter(self, function: int, place: int = 0, visits: int = 0) -> int:
        """A function starts; what it is known by when it ends."""
        if not self.active:
            return -1
        if self.stack:
            self.flush()
        number = self._context(function)
        context = self.contexts[number]
        context.calls += 1
        self.current = context.cells + place
        self.cells[self.current][VISITS] += visits
        self.stack.append((number, self.current))
        return len(self.stack) - 1

    def _context(self, function: int) -> int:
        """The context of a call; a function inside of itself keeps the one that it has."""
        here = self.stack[-1][0] if self.stack else -1
        above = here
        while above >= 0:
            if self.contexts[above].function == function:
                self.cells[self.current][RECURSIONS] += 1
                return above
            above = self.contexts[above].parent
        line = self.current - self.contexts[here].cells if here >= 0 else 0
        children = self.contexts[here].children if here >= 0 else {}
        known = children.get((line, function))
        if known is None:
            known = children[line, function] = len(self.contexts)
            self.contexts.append(_Context(here, line, function, len(self.cells)))
            self.cells += ([0] * len(MEASURES) for _ in range(self.functions[function]))
        return known

    def go_on(self, function: int, place: int, visits: int) -> None:
        """The last activation of a function goes on at a place; those above it are over."""
        if not self.active:
            return
        for depth in range(len(self.stack) - 1, -1, -1):
            context = self.contexts[self.stack[depth][0]]
            if context.function == function:
                break
        else:
            return
        self.flush()
        del self.stack[depth + 1 :]
        self.current = context.cells + place
        self.stack[depth] = self.stack[depth][0], self.current
        self.cells[self.current][VISITS] += visits

    def visited(self, function: int, place: int, times: int) -> None:
        """Visits of a place in the function that is running."""
        if self.active:
            context = self.contexts[self.stack[-1][0]]
            if context.function == function:
                self.cells[context.cells + place][VISITS] += times

    def each(self, items: Iterable[object], line: Point, body: Point) -> Iterator[object]:
        """The items of a loop: taking one belongs to its line, then its body goes on."""
        return _Each(iter(items), line, body)

    def leave(self, depth: int) -> None:
        """A function ends."""
        if depth > 0 and self.active and depth < len(self.stack):
            self.flush()
            del self.stack[depth:]
            self.current = self.stack[-1][1]

    def changed(self) -> None:
        """Another run goes on: a probe that does not look each time does so now."""

    def charge(self, measure: int, amount: int) -> None:
        """Something that is no counter happened at the line that is running."""
        if self.active:
            self.cells[self.current][measure] += amount


class _Each:
    """No generator, which would be closed when an item cannot be taken."""

    __slots__ = ("_body", "_items", "_line", "_started")

    def __init__(self, items: Iterator[object], line: Point, body: Point) -> None:
        self._items, self._line, self._body = items, line, body
        self._started = False

    def __iter__(self) -> _Each:
        return self

    def __next__(self) -> object:
        _ = -self._line
        try:
            item = next(self._items)
        except StopIteration:
            self._line.visited(self._started)
            raise
        _ = +self._body
        if not self._started:
            # The visit that began the loop is that of the first item.
            self._line.visited(-1)
        self._started = True
        return item


def _counts(stats: Stats) -> tuple[int, ...]:
    return stats.forks, stats.joins, stats.unions, stats.union_sizes, stats.writes


_KIND = PythonProbe
if COMPILED and not TYPE_CHECKING:
    from solvent.terms.compiled import Probe as _KIND

    # The offsets of counters are known from there.
    assert merge.Stats is Stats

PROBE = _KIND()
PROBE.setup(COUNTERS)

# What runs outside of any symbolic run, in one outside of its program's functions, and what
# rewrites functions when they are met.
OUTSIDE = PROBE.function(1)
RUN = PROBE.function(1)
LIFTING = PROBE.function(1)
