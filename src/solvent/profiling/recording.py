"""Taking a profile: functions get probes, questions are watched, and both end with the block."""

from __future__ import annotations

import linecache
import threading
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from solvent.errors import SolventError
from solvent.lift.probes import BLOCKS, PLACES, Probes
from solvent.profiling.measures import COUNT, Measures
from solvent.profiling.profile import Context, Profile
from solvent.solvers.questions import QUESTION_WATCHER
from solvent.solvers.status import Checked
from solvent.terms.kinds import Guard
from solvent.terms.memory import created_terms, sweep
from solvent.terms.term import CONSTANT, Term
from solvent.vm.probe import (
    MEASURES,
    OUTSIDE,
    PROBE,
    QUESTIONS,
    SOLVER_TIME,
    TIME,
    VISITS,
    Row,
)

_TAKING = threading.Lock()


class _Questions:
    """Counts questions where they are asked, and notes which terms they are about."""

    def __init__(self) -> None:
        self.asked = 0
        self.reached: set[int] = set()

    def __call__(self, formulas: Sequence[Guard], checked: Checked) -> None:
        self.asked += 1
        PROBE.charge(QUESTIONS, 1)
        PROBE.charge(SOLVER_TIME, int(checked.seconds * 1e9))
        # What was reached before is not walked again.
        reached = self.reached
        stack: list[Term] = [term for term in formulas if isinstance(term, Term)]
        while stack:
            term = stack.pop()
            if term.id not in reached:
                reached.add(term.id)
                if term.op is not CONSTANT:
                    stack += [arg for arg in term.key[1:] if isinstance(arg, Term)]


@contextmanager
def profile() -> Iterator[Profile]:
    """Measure all symbolic runs in a block; the profile is filled when the block ends.

    >>> from solvent import Int
    >>> from solvent.lift import execute
    >>> def larger(x, y):
    ...     if x > y:
    ...         return x
    ...     return y
    >>> with profile() as found:
    ...     outcome = execute(larger, Int("x"), Int("y"))
    >>> found.totals["joins"] == outcome.stats.joins == 1
    True
    >>> found.functions[0].name
    'larger'
    """
    if not _TAKING.acquire(blocking=False):
        raise SolventError("a profile is being taken already; one at a time can be")
    result = Profile()
    probes, questions = Probes(), _Questions()
    token = QUESTION_WATCHER.set(questions)
    # A term that an earlier run has made and nobody needs would not be made again.
    sweep()
    start = created_terms()
    try:
        probes.add()
        PROBE.start(OUTSIDE)
        try:
            yield result
        finally:
            rows, cells, log = PROBE.stop()
            _fill(result, rows, cells, log, questions, start)
    finally:
        QUESTION_WATCHER.reset(token)
        probes.remove()
        _TAKING.release()


def _fill(
    result: Profile,
    rows: Sequence[Row],
    cells: bytes,
    log: bytes,
    questions: _Questions,
    start: int,
) -> None:
    numbers = array("q")
    numbers.frombytes(cells)
    reached = _reached_by_cell(log, questions.reached, start)
    width = len(MEASURES)
    for parent, line, function, first_cell, calls in rows:
        place = PLACES[function]
        context = Context(place, parent, _line_of(rows, parent, line), calls)
        lines = [(number,) for number in range(place.first, place.last + 1)]
        for cell, here in enumerate([*lines, *BLOCKS.get(function, ())], first_cell):
            found = numbers[cell * width : (cell + 1) * width]
            if any(found):
                _add(context.lines, here, [*found, reached.get(cell, 0)])
        result.contexts.append(context)
        if place.filename and place.filename not in result.sources:
            result.sources[place.filename] = "".join(linecache.getlines(place.filename))
    result.asked = questions.asked
    settle_times([row for context in result.contexts for row in context.lines.values()])
    result.finish()


def settle_times(rows: Sequence[Measures]) -> None:
    """Leave no line with less than no time, and the sum as it is.

    What the clock saw too much in a window, since other processes ran, was taken from one line of
    that window; the others had more than they needed then, and bear it together.

    >>> rows = [[-30], [100], [50]]
    >>> settle_times(rows)
    >>> rows
    [[0], [80], [40]]
    """
    missing = -sum(min(row[TIME], 0) for row in rows)
    there = sum(max(row[TIME], 0) for row in rows)
    if not missing or there < missing:
        return
    for row in rows:
        row[TIME] = max(row[TIME], 0) * (there - missing) // there
    # What rounding has lost goes to the largest, so that nothing is.
    max(rows, key=lambda row: row[TIME])[TIME] += there - missing - sum(row[TIME] for row in rows)


def _add(known: dict[int, Measures], lines: Sequence[int], measured: Measures) -> None:
    """Give what lines did together to each of them: all were visited, and share the time."""
    for place, line in enumerate(lines):
        row = known.setdefault(line, [0] * COUNT)
        row[VISITS] += measured[VISITS]
        row[TIME] += measured[TIME] // len(lines)
        if place == 0:
            # What rounding has lost. Only a line of its own counts anything else.
            row[TIME] += measured[TIME] % len(lines)
            for measure in range(VISITS + 1, COUNT):
                row[measure] += measured[measure]


def _line_of(rows: Sequence[Row], context: int, place: int) -> int:
    """The line of a place in a context; the first where there are several."""
    if context < 0:
        return 0
    function = rows[context][2]
    first, last = PLACES[function].first, PLACES[function].last
    return first + place if first + place <= last else BLOCKS[function][first + place - last - 1][0]


def _reached_by_cell(log: bytes, reached: set[int], start: int) -> dict[int, int]:
    """How many of the terms that each line made a solver has seen."""
    entries = array("q")
    entries.frombytes(log)
    ends, cells = entries[0::2], entries[1::2]
    result: dict[int, int] = {}
    for number in reached:
        place = bisect_right(ends, number)
        if number >= start and place < len(ends):
            result[cells[place]] = result.get(cells[place], 0) + 1
    return result
