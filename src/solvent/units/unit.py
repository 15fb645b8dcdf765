"""Units of work: what is to be done as data, its limits, and the reply.

A unit names its kind, which says what does it (`KINDS`), and has all that this needs in a JSON
object.  So it can be sent anywhere, its key tells whether it is the same unit as in an earlier run,
and nothing that comes back can do more than be read.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol

from solvent.errors import (
    CommandError,
    InternalError,
    SolventError,
    SolverMissingError,
    UnknownSolverError,
)
from solvent.units.bundle import Bundle
from solvent.verdicts.rendering import Json
from solvent.verdicts.texts import shown

# What does the units of each kind: a module and a function in it, which takes the data.
KINDS = {
    "verify": "solvent.cli.checked:perform",
    "findings": "solvent.cli.test:perform",
    "explore": "solvent.cli.suites:perform",
    "boogie": "solvent.cli.boogie:perform",
    "cstar": "solvent.cli.cstar:perform",
    "piece": "solvent.solvers.pieces:perform",
    "depth": "solvent.cli.depths:perform",
    "diff": "solvent.cli.compared:perform_tests",
    "fault": "solvent.cli.compared:perform_fault",
    "bench": "solvent.cli.benchmarked:perform",
    "nap": "solvent.units.napping:perform",
}

# Errors that say that no other unit of the command will do better; others are about one unit.
REFUSALS = (CommandError, UnknownSolverError, SolverMissingError)

# What a unit is given to say how far it is.
Tell = Callable[[str], None]


class Perform(Protocol):
    """Does the units of a kind: takes their data, gives their answer."""

    def __call__(self, data: Json, tell: Tell) -> Json: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """What a unit may use: seconds of wall clock, and bytes of memory for each process."""

    seconds: float | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """Something to be done that no other unit waits for.

    Its kind is one of `KINDS`, or a module with a function that is found from where commands run.

    >>> Unit("nap", "a nap", {"seconds": 0}).key == Unit("nap", "other name", {"seconds": 0}).key
    True
    >>> Unit("nap", "a nap", {"seconds": 0}).key == Unit("nap", "a nap", {"seconds": 1}).key
    False
    """

    kind: str
    # What people call it.
    name: str
    data: Json
    # The files that it is about.
    bundle: Bundle | None = None
    limits: Limits = Limits()
    # What does it in a fork of this process, which has at hand what others would read again.
    here: Callable[[Tell], Json] | None = field(default=None, compare=False)
    # Why it cannot be sent away, if that is so.
    only_here: str = ""
    # Which of its answers another run must not rely on, as they may depend on more than the unit.
    doubtful: Callable[[Json], bool] | None = field(default=None, compare=False)
    # What of its data no answer depends on that another run may rely on.
    aside: frozenset[str] = field(default=frozenset(), compare=False)
    # Whether its answer still matters; a unit that does not is ended without one.
    is_wanted: Callable[[], bool] = field(default=lambda: True, compare=False)

    @property
    def key(self) -> str:
        """The same for units that have the same answer."""
        files = "" if self.bundle is None else self.bundle.digest
        matter = {name: value for name, value in self.data.items() if name not in self.aside}
        return digest([self.kind, canonical(matter), files])


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of a unit: its answer, or the problem that kept it from one."""

    answer: Json | None = None
    problem: str = ""
    seconds: float = 0.0
    # Whether to do it again would come to the same; what was stopped has not finished.
    finished: bool = True


class ElsewhereError(SolventError):
    """A unit that cannot be done here, but perhaps on another machine."""


class UnsentError(SolventError):
    """A unit that cannot be sent: JSON cannot say what it is about."""


def perform(kind: str, data: Json, tell: Tell) -> Json:
    """Do a unit in this process.

    >>> perform("nap", {"seconds": 0}, lambda text: None)
    {'slept': 0}
    """
    return doing(kind)(data, tell)


def doing(kind: str) -> Perform:
    """What does the units of a kind; it is imported now, if that has not been done.

    >>> doing("nap").__module__
    'solvent.units.napping'
    """
    found = kind if is_from_outside(kind) else KINDS.get(kind)
    if found is None:
        raise InternalError(f"there is no unit of kind {kind!r}")
    module, _, function = found.partition(":")
    performs: Perform = getattr(import_module(module), function)
    return performs


def is_from_outside(kind: str) -> bool:
    """Whether what does units of a kind is not Solvent's own: it is among the files of a unit.

    >>> is_from_outside("nap"), is_from_outside("tests.fuzz.units:perform")
    (False, True)
    """
    return ":" in kind


def encoded(data: Json) -> bytes:
    """Data as the bytes of a JSON text."""
    with any_digits():
        return json.dumps(data, default=shown).encode()


def canonical(data: Json) -> str:
    """Data as a text, the same for the same data, in whatever order it has them.

    >>> canonical({"b": 1, "a": [None]})
    '{"a": [null], "b": 1}'
    """
    with any_digits():
        try:
            return json.dumps(data, sort_keys=True)
        except (TypeError, ValueError, RecursionError) as error:
            raise UnsentError(f"it cannot be sent: {error}") from None


def decoded(text: bytes) -> Json:
    """The data that bytes stand for; `ValueError` if they stand for none."""
    with any_digits():
        found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError("a JSON object is needed")
    return found


def digest(parts: list[str]) -> str:
    """One short text for several, other for all others.

    >>> digest(["ab", "c"]) == digest(["a", "bc"])
    False
    """
    found = hashlib.sha256()
    for part in parts:
        # With its length, so that no two lists of parts look alike.
        data = part.encode("utf-8", "surrogatepass")
        found.update(b"%d:" % len(data) + data)
    return found.hexdigest()


@contextmanager
def any_digits() -> Iterator[None]:
    """Convert numbers of any length meanwhile."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)
