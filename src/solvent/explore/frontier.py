"""What is left to explore, and in which order it is taken.

*depth* goes on where the last run could have gone elsewhere, *breadth* takes what leaves the known
paths after the fewest decisions, *coverage* what leaves them for the side that was taken least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from solvent.errors import QueryError
from solvent.explore.directing import Decision, Site, Start


class Frontier:
    """The starts of runs that are still to be made.

    >>> frontier = Frontier("breadth")
    >>> frontier.add(Start((), None))
    >>> frontier.take().depth, len(frontier)
    (0, 0)
    """

    def __init__(self, order: str) -> None:
        if order not in ORDERS:
            raise QueryError(f"the order is one of {', '.join(ORDERS)}, not {order!r}")
        self.pick = ORDERS[order]
        self.waiting: list[Start] = []
        # How often each side of a branch was taken.
        self.visits: Counter[tuple[Site, bool]] = Counter()

    def add(self, start: Start) -> None:
        """Leave a path for later."""
        self.waiting.append(start)

    def take(self) -> Start:
        """The path to explore next."""
        return self.waiting.pop(self.pick(self))

    def visit(self, decisions: list[Decision]) -> None:
        """A run has made these decisions."""
        self.visits.update((decision.site, decision.taken) for decision in decisions)

    def __len__(self) -> int:
        return len(self.waiting)


def _deepest(frontier: Frontier) -> int:
    return -1


def _shallowest(frontier: Frontier) -> int:
    waiting = frontier.waiting
    return min(range(len(waiting)), key=lambda place: waiting[place].depth)


def _least_covered(frontier: Frontier) -> int:
    waiting = frontier.waiting

    def rank(place: int) -> tuple[int, int]:
        start = waiting[place]
        last = start.decisions[-1] if start.decisions else None
        visits = frontier.visits[(last.site, last.taken)] if last is not None else 0
        return visits, start.depth

    return min(range(len(waiting)), key=rank)


ORDERS: dict[str, Callable[[Frontier], int]] = {
    "depth": _deepest,
    "breadth": _shallowest,
    "coverage": _least_covered,
}
