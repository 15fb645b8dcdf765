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
class Ended:
    """A lane has nothing more to do: all was decided, or the reason why not is given."""

    # Whether no input is left of which it is not known whether it fails.
    complete: bool = False
    reason: str = ""
    # Whether the reason is something that is not lifted.
    refused: bool = False
