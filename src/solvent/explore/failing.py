"""Failing paths, told while they are found: for somebody who waits for the first one.

The search begins with loops and recursion that run once, and goes on with bounds of 2, 4, 8, ...
until no bound is in the way any more; what every round finds first are the sides of branches that
no path has taken.  Each failure is made in CPython before it is told, and told once.

What was told is true however the search ends.  That nothing else fails is said by the summary only,
and only if every path was followed to its end on symbolic values.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from solvent.errors import SolventError
from solvent.explore.concretizing import Choices, Notes
from solvent.explore.searching import Bounds, End, Search
from solvent.explore.solving import PathSolver
from solvent.queries.asking import other_orders, other_runs
from solvent.queries.inputs import Inputs
from solvent.queries.problem import Problem
from solvent.queries.replay import message_of
from solvent.terms.model import Model
from solvent.verdicts import Deadline
from solvent.vm.values import Value


@dataclass(frozen=True, slots=True)
class PathFailure:
    """Inputs with which CPython fails: a model of their constants, and what it raises, where."""

    model: Model
    exception: str
    position: str
    message: str
    # Where values were chosen for symbolic ones on the way.
    concretized: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PathProgress:
    """How far the search is: the bound, the paths of this round, and what waits to be run."""

    bound: int
    paths: int
    open: int
    # Where values were chosen for symbolic ones so far.
    concretized: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PathSummary:
    """What a search came to, with the paths of its last round.

    If it is `complete`, its failures are all kinds of failures that there are.
    """

    paths: int
    complete: bool
    bound: int
    concretized: tuple[str, ...]
    open: tuple[str, ...]


class Raised(NamedTuple):
    """What CPython raises, and where."""

    exception: BaseException
    position: str


# How often progress is told, in seconds.
_PAUSE = 0.1

# How many values are tried at one place at most, before that alone is no reason to go on.
_MOST_VALUES = 256

# How many decisions there may be on a path for each time that a loop may run.
_DECISIONS = 50


def failing_paths(
    function: Callable[..., Value],
    inputs: Inputs,
    report: Callable[[object], None],
    *,
    seconds: float | None = None,
    paths: int = 10_000,
    concretize: bool = True,
    bound: int | None = None,
    solver: str | None = None,
    timeout: float | None = None,
    is_failure: Callable[[BaseException], bool] = lambda error: True,
) -> PathSummary:
    """Search a function for failing paths and tell of each at once; the last word is a summary.

    `report` is given `PathFailure`, `PathProgress` and in the end `PathSummary` objects; all of
    them can be pickled.  `paths` limits each round, `bound` is the last that is tried.  Exceptions
    that are meant, so that they are no failures, are told by `is_failure`.

    >>> from solvent.queries.inputs import bind
    >>> def shares(total: int, people: int) -> int:
    ...     return total // people if total > 10 else 0
    >>> told = []
    >>> summary = failing_paths(shares, bind(shares, (), {}), told.append)
    >>> [(found.exception, found.message) for found in told if isinstance(found, PathFailure)]
    [('ZeroDivisionError', 'integer division or modulo by zero')]
    >>> summary.complete, summary.paths
    (True, 3)
    """
    hunt = _Hunt(function, inputs, report, seconds, is_failure)
    with PathSolver(solver, timeout=timeout) as asking:
        rounds = Bounds(paths=paths, bound=1 if bound is None else min(1, bound))
        while True:
            summary, again = hunt.round(asking, rounds, concretize)
            most = rounds.bound if rounds.bound is not None else 0
            if not again or hunt.is_over or (bound is not None and most >= bound):
                report(summary)
                return summary
            most = max(1, 2 * most)
            rounds = Bounds(
                paths=paths,
                depth=_DECISIONS * most,
                bound=most if bound is None else min(most, bound),
                values=4 * most,
            )


class _Hunt:
    """What the rounds of one search have in common."""

    def __init__(
        self,
        function: Callable[..., Value],
        inputs: Inputs,
        report: Callable[[object], None],
        seconds: float | None,
        is_failure: Callable[[BaseException], bool],
    ) -> None:
        self.is_failure = is_failure
        self.function = function
        self.inputs = inputs
        self.report = report
        self.deadline = Deadline(seconds)
        self.told: set[tuple[str, str]] = set()
        self.heard = 0.0
        # How many paths the round before had, and which values were chosen in any.
        self.before = -1
        self.notes: Notes = {}

    @property
    def is_over(self) -> bool:
        return self.deadline.is_over

    def round(
        self, asking: PathSolver, bounds: Bounds, concretize: bool
    ) -> tuple[PathSummary, bool]:
        """One search; whether one with larger bounds may find more."""
        left = self.deadline.left()
        left = None if left is None else max(0.001, left)
        search = Search(
            self.function,
            self.inputs,
            asking,
            "coverage",
            Bounds(bounds.depth, bounds.paths, left, bounds.bound, bounds.values),
            Choices(bounds.values, notes=self.notes) if concretize else None,
        )
        failed: list[str] = []
        bound = bounds.bound or 0
        try:
            for end in search:
                if end.run.varying:
                    failed.append(other_runs(end.run.varying))
                if end.run.walked:
                    failed.append(other_orders(end.run.walked))
                if end.failure is not None and not self.confirm(end):
                    failed.append(f"not confirmed: {end.failure!r}")
                self.try_stranded(search)
                if time.monotonic() - self.heard > _PAUSE:
                    self.heard = time.monotonic()
                    self.report(self.progress(search, bound))
        except SolventError as error:
            failed.append(str(error))
        self.try_stranded(search)
        open_ = dict.fromkeys([*failed, *(found.reason for found in search.unexplored)])
        count = len(search.ends)
        chosen = search.choices.told() if search.choices is not None else []
        complete = search.complete and not failed
        summary = PathSummary(count, complete, bound, tuple(chosen), tuple(open_))
        bounded = any(found.bounded for found in search.unexplored)
        grown = bool(chosen) and count > self.before and bounds.values < _MOST_VALUES
        self.before = count
        return summary, bounded or grown

    def progress(self, search: Search, bound: int) -> PathProgress:
        """How far a search is."""
        chosen = search.choices.told() if search.choices is not None else []
        return PathProgress(bound, len(search.ends), len(search.frontier), tuple(chosen))

    def confirm(self, end: End) -> bool:
        """Whether CPython fails too; if so, it is told."""
        assert end.failure is not None
        error = end.failure.exception
        kind = (type(error).__name__, end.failure.position)
        if kind in self.told:
            return True
        seen = self.seen(end.model)
        if seen is None:
            return False
        self.tell(end.model, seen, end.concretized)
        # That what CPython raises is meant says nothing of another exception.
        if self.is_failure(error) and not self.is_failure(seen.exception):
            return False
        self.told.add(kind)
        return True

    def try_stranded(self, search: Search) -> None:
        """Let CPython run inputs with which no run of ours comes to an end."""
        while search.stranded and not self.is_over:
            model = search.stranded.pop()
            seen = self.seen(model)
            if seen is not None:
                self.tell(model, seen)

    def seen(self, model: Model) -> Raised | None:
        """How CPython fails with some inputs, if it does."""
        seen = Problem(self.function, self.inputs, None).replay(model)  # type: ignore[arg-type]
        if seen.returned is not False or seen.exception is None:
            return None
        return Raised(seen.exception, seen.position)

    def tell(self, model: Model, seen: Raised, concretized: tuple[str, ...] = ()) -> None:
        """Tell of a failure of a new kind, unless it is meant."""
        kind = (type(seen.exception).__name__, seen.position)
        if kind not in self.told and self.is_failure(seen.exception):
            self.told.add(kind)
            self.report(PathFailure(model, *kind, message_of(seen.exception), concretized))
