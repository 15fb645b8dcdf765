"""What lanes tell: failures in common words, so that whoever waits need not know who found them."""

from __future__ import annotations

from dataclasses import dataclass

from solvent.queries.coverage import Level
from solvent.terms.model import Model


@dataclass(frozen=True, slots=True)
class Found:
    """Inputs with which the program fails: a model of the constants of inputs up to some length."""

    model: Model
    # The name of the exception's class, where it is raised, and its message.
    exception: str
    position: str
    message: str = ""
    length: int | None = None
    # How long texts were at most, if they were longer than was asked for.
    longest: int = 0
    # The exception itself, if it can be sent.
    error: BaseException | None = None
    # Where a set was walked, in an order that CPython may not take.
    walked: str = ""

    @property
    def kind(self) -> tuple[str, str]:
        """What makes it another failure than others."""
        return self.position, self.exception


@dataclass(frozen=True, slots=True)
class Began:
    """A level is being run."""

    level: Level


@dataclass(frozen=True, slots=True)
class Asking:
    """A solver is asked whether a place may fail, after `before` others of `total`."""

    level: Level
    position: str
    exception: str
    before: int
    total: int


@dataclass(frozen=True, slots=True)
class Undecided:
    """Places that a solver has not decided yet, and how many it has not been asked about."""

    kinds: tuple[tuple[str, str], ...] = ()
    unasked: int = 0


@dataclass(frozen=True, slots=True)
class Cleared:
    """A place that does not fail at a level."""

    level: Level
    position: str
    exception: str
    by: str


@dataclass(frozen=True, slots=True)
class Finished:
    """No input fails at a level; `cut` says why some paths ended early, if some did."""

    level: Level
    cut: str = ""


@dataclass(frozen=True, slots=True)
class Proved:
    """No input that was asked about fails; texts of up to `longest` characters, if it is not 0.

    Longer texts, of up to `next` characters, are tried then.
    """

    longest: int
    next: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A lane has nothing more to do: all was decided, or the reason why not is given."""

    # Whether no input is left of which it is not known whether it fails.
    complete: bool = False
    reason: str = ""
    # Which texts the program looks for, longer than any that are tried, 0 if there are none.
    untried: int = 0
    # Whether the reason is something that is not lifted.
    refused: bool = False
