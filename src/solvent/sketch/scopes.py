"""What a choice belongs to: its place alone, or an expansion of a grammar around that place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Protocol

from solvent.errors import SketchError
from solvent.lift.registry import Place, Placed
from solvent.sketch.places import shown, where


class Scope(Protocol):
    """An expansion of a grammar that is being evaluated."""

    label: str

    def covers(self, place: Place) -> bool:
        """Whether a place is in the body of the grammar."""

    def allowed(self, place: Place, count: int) -> Sequence[int]:
        """Which options of a choice are possible within the depth that is left."""


CURRENT: ContextVar[Scope | None] = ContextVar("solvent_expansion", default=None)

# Says the name of the grammar that has a place in its body, if one has.
OWNERS: list[Callable[[Place], str | None]] = []

# What was called at a place: the name of a function, or a grammar.
SEEN: dict[Place, str | Placed] = {}


def scope_of(what: str, place: Place) -> Scope | None:
    """The expansion that a place belongs to, `None` outside of grammars."""
    current: Scope | None = CURRENT.get()
    if current is not None and current.covers(place):
        return current
    for owner in OWNERS:
        name = owner(place)
        if name is not None:
            raise SketchError(
                f"{where(place)}: this {what} is in the grammar `{name}`, but is called when "
                "that has ended; a function made by a grammar cannot have holes of its own"
            )
    return None


def label(what: str, place: Place) -> str:
    """What the constants of a call are called."""
    SEEN[place] = what
    return label_in(scope_of(what, place), what, place)


def label_in(scope: Scope | None, what: str, place: Place) -> str:
    """What the constants of a call in an expansion are called."""
    inside = "" if scope is None else f"[{scope.label}]"
    return f"{what}@{shown(place)}{inside}"


def choice(what: str, place: Place, count: int) -> tuple[str, Sequence[int]]:
    """What the constants of a choice are called, and which options are possible."""
    SEEN[place] = what
    scope = scope_of(what, place)
    allowed = range(count) if scope is None else scope.allowed(place, count)
    return label_in(scope, what, place), allowed
