"""Small questions about truth values, bitvectors and ints that are only compared, answered here.

The process of a solver takes longer to start than most of them take.  So a solver of clauses tries
each in this very process, up to some gates and conflicts; what is too hard for it goes to another
process, and so does all that is asked after it.  Ctrl-C, interrupts and limits are heard every few
hundredths of a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from solvent.solvers.engines.base import Unsupported
from solvent.solvers.engines.minisat_engine import (
    FEATURES,
    MinisatEngine,
    TooLarge,
    is_available,
)
from solvent.solvers.questions import Attempt
from solvent.solvers.rows import Command, Figures, ModelData
from solvent.verdicts import Deadline

# Who answers here.
HERE = MinisatEngine.name
# How large a question may be: a tenth of a second is enough to look at it.
MOST_TERMS = 10_000
MOST_GATES = 20_000
# After so many conflicts it is too hard, and where bitvectors and ints meet, which is what only
# the slowest of the others can take.
MOST_CONFLICTS = 1_000
MOST_CONFLICTS_OF_MIXED = 20_000


def is_understood(features: Iterable[str]) -> bool:
    """Whether all sorts and operators of a question are among those that can be tried here.

    >>> is_understood({"Bool", "BitVec", "bvadd"}), is_understood({"Int", "="})
    (True, True)
    >>> is_understood({"Int", "+"})
    False
    """
    return FEATURES.issuperset(features) and is_available()


class Here:
    """What a solver of clauses in this process knows of a query, until something is too hard."""

    def __init__(self) -> None:
        self._engine: MinisatEngine | None = None
        self._has_given_up = False
        # What it did at the last question.
        self.attempt: Attempt | None = None

    def answer(
        self,
        commands: Sequence[Command],
        assumptions: Sequence[int],
        features: set[str],
        deadline: Deadline,
        interrupted: Callable[[], bool],
    ) -> str | None:
        """`sat` or `unsat`, or `None`: then it is not to be asked again."""
        self.attempt = None
        if self._has_given_up:
            return None
        started = time.perf_counter()
        most = MOST_CONFLICTS_OF_MIXED if {"Int", "BitVec"} <= features else MOST_CONFLICTS
        try:
            if not is_understood(features) or _terms_in(commands) > MOST_TERMS:
                raise TooLarge
            engine = self._told(commands)
            if deadline.is_over:
                # Looking at the question has taken the time.
                raise TooLarge
            found = engine.search(
                assumptions,
                lambda conflicts: conflicts < most and not (deadline.is_over or interrupted()),
            )
        except (TooLarge, Unsupported, MemoryError):
            self.give_up()
            return None
        reason = "it is too hard for a short attempt" if found == "unknown" else ""
        self.attempt = Attempt(HERE, found, reason, time.perf_counter() - started)
        if found != "unknown":
            return found
        self.give_up()
        return None

    def _told(self, commands: Sequence[Command]) -> MinisatEngine:
        """The engine, after some commands."""
        if self._engine is None:
            self._engine = MinisatEngine(most_gates=MOST_GATES)
        for command, *arguments in commands:
            if command == "optimize":
                raise Unsupported
            getattr(self._engine, command)(*arguments)
        return self._engine

    def give_up(self) -> None:
        """Forget everything: from now on somebody else is asked."""
        self._has_given_up = True
        if self._engine is not None:
            self._engine.forget()
            self._engine = None

    def model(self, wanted: Sequence[int] | None) -> ModelData | None:
        """The model of the last answer, if it was given here."""
        return None if self._engine is None else self._engine.model(wanted)

    def core(self) -> list[int] | None:
        """The assumptions that the last answer needed."""
        return None if self._engine is None else self._engine.core()

    def figures(self) -> tuple[float, Figures]:
        """The seconds spent on building gates, and the solver's own figures."""
        return (0.0, {}) if self._engine is None else self._engine.figures()


def _terms_in(commands: Sequence[Command]) -> int:
    return sum(len(command[2]) for command in commands if command[0] == "define")
