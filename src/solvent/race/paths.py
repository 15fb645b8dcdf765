"""What the lane of paths has told to who waits for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from solvent.queries.replay import relative
from solvent.race.messages import Found

if TYPE_CHECKING:
    from solvent.explore.failing import PathSummary


@dataclass(slots=True)
class Paths:
    """What the lane of paths has told."""

    count: int = 0
    summary: PathSummary | None = None
    # What the last message said of chosen values.
    chosen: tuple[str, ...] = ()
    # Why it ended without a summary.
    lost: str = ""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self.summary is not None or bool(self.lost)

    @property
    def complete(self) -> bool:
        """Whether every input is on a path that was followed to its end, and there are some."""
        return self.summary is not None and self.summary.complete and self.summary.paths > 0

    @property
    def concretized(self) -> tuple[str, ...]:
        """Where values were chosen."""
        return tuple(map(relative, self.chosen))

    @property
    def open(self) -> tuple[str, ...]:
        """What was not followed to its end, and why."""
        if self.summary is not None:
            return tuple(map(relative, self.summary.open))
        return (self.lost,) if self.lost else ()

    def hear(self, message: object) -> Found | None:
        """Take what the lane says: a failure, or how far it is."""
        # The message has brought them: whoever hears none need not wait for this import.
        from solvent.explore.failing import PathFailure, PathProgress, PathSummary

        if isinstance(message, PathFailure):
            return Found(message.model, message.exception, message.position, message.message)
        if isinstance(message, (PathProgress, PathSummary)):
            self.count = max(self.count, message.paths)
            self.chosen = message.concretized
        if isinstance(message, PathSummary):
            self.summary = message
        return None
