"""When an engine stops."""

from __future__ import annotations

import time

from solvent.errors import SolventError

LATE = "the time limit is reached"


class GaveUp(SolventError):
    """An engine stops without having decided; the message is the reason that its answer gives."""


class OutOfTime(GaveUp):
    """The time limit is reached."""

    def __init__(self, message: str = LATE) -> None:
        super().__init__(message)


class Deadline:
    """A moment after which nothing is begun any more, or never if there is no limit.

    One deadline is handed down to all that works towards one answer; who may only use a part of the
    time gets a sooner one.  `message` is what `OutOfTime` says when it has passed.

    >>> never, soon = Deadline(), Deadline(60)
    >>> never.left(), never.is_over, 59 < soon.left() <= 60
    (None, False, True)
    >>> soon.limited(1).left() <= 1, soon.limited(None).left() > 59
    (True, True)
    """

    __slots__ = ("_started", "end", "message")

    def __init__(self, seconds: float | None = None, message: str = LATE) -> None:
        self._started = time.monotonic()
        self.end = None if seconds is None else self._started + seconds
        self.message = message

    @property
    def is_limited(self) -> bool:
        """Whether it comes at all."""
        return self.end is not None

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.end is not None and time.monotonic() >= self.end

    def spent(self) -> float:
        """The seconds since this deadline was set."""
        return time.monotonic() - self._started

    def left(self) -> float | None:
        """The seconds that are left, perhaps none; `None` without a limit."""
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    def up_to(self, most: float) -> float:
        """So many seconds, or those that are left if they are fewer: how long to wait at a time.

        >>> Deadline().up_to(5), Deadline(60).up_to(5), Deadline(0).up_to(5)
        (5, 5, 0.0)
        """
        left = self.left()
        return most if left is None else min(most, left)

    def check(self) -> float | None:
        """The seconds that are left, for who needs some; `OutOfTime` if there are none.

        >>> Deadline(0, "too late").check()
        Traceback (most recent call last):
        solvent.verdicts.deadline.OutOfTime: too late
        """
        left = self.left()
        # Not a truth value: no limit is `None`.
        if left == 0.0:
            raise OutOfTime(self.message)
        return left

    def limited(self, seconds: float | None) -> Deadline:
        """A deadline in so many seconds, or this one if it is sooner."""
        sooner = Deadline(seconds, self.message)
        if self.end is not None:
            sooner.end = self.end if sooner.end is None else min(sooner.end, self.end)
        return sooner

    def part(self, share: float, otherwise: float | None = None) -> Deadline:
        """A deadline when a share of the time has passed, or in so many seconds without a limit.

        >>> 29 < Deadline(60).part(0.5).left() <= 30, Deadline().part(0.5).is_limited
        (True, False)
        """
        left = self.left()
        return Deadline(otherwise if left is None else left * share, self.message)

    def share(self, share: float, most: float) -> float:
        """So many seconds at most for one of several attempts: a share of the time that is left.

        >>> Deadline().share(0.1, 5), Deadline(10).share(0.9, 5), Deadline(0.2).share(0.1, 5)
        (5, 5, 0.1)
        """
        left = self.check()
        # With less than this no attempt is worth being started.
        return most if left is None else min(most, max(0.1, share * left))
