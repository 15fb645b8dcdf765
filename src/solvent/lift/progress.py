"""What cannot be rewound: where it was advanced last, and iterators of libraries."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.errors import NotLiftedError
from solvent.lift import foreign
from solvent.lift.facts import on_path
from solvent.vm.kinds import StandIn
from solvent.vm.machine import JOURNALING, current
from solvent.vm.state import is_below
from solvent.vm.values import Value


class Progress:
    """Where something that cannot be rewound was advanced last."""

    __slots__ = ("path",)

    def __init__(self) -> None:
        self.path = current().state.path

    def check(self) -> None:
        """Called before every step."""
        path = current().state.path
        if path is not self.path:
            # Paths that have met may part again, by the same conditions.
            if not is_below(path, self.path) and on_path(self.path.term) is not True:
                raise NotLiftedError(
                    "an iterator or generator was advanced on some paths only and is then used "
                    "again where those paths have met; make a list of its items first"
                )
            self.path = path


class TrackedIterator(Progress, StandIn):
    """An iterator of a library, which must not be advanced on some paths only."""

    __slots__ = ("iterator",)

    def __init__(self, iterator: Iterator[Value]) -> None:
        super().__init__()
        self.iterator = iterator

    def python_type(self) -> type:
        return type(self.iterator)

    def __iter__(self) -> TrackedIterator:
        return self

    def __next__(self) -> Value:
        self.check()
        if JOURNALING:
            foreign.note_sources(self.iterator)
        return next(self.iterator)

    def __getattr__(self, name: str) -> Value:
        self.check()
        return getattr(self.iterator, name)
