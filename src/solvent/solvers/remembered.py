"""What is asked twice is answered once: questions that took a while are remembered with answers.

A question is known by its structure, so that one about other names has the answer of the first; its
model is told with the new names.  Only answers that took longer than looking at the question are
kept, and a question is looked at in full only if one that begins like it was kept.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solvent.solvers.context import Backend, Frame, ModelParts
from solvent.solvers.questions import Attempt
from solvent.solvers.rows import Data, Figures
from solvent.solvers.structure import NoKeyError, Structure, glance
from solvent.terms.functions import FunctionSymbol
from solvent.terms.kinds import Concrete, Guard
from solvent.terms.model import Constant
from solvent.terms.term import Term
from solvent.terms.values import FunctionValue

# Answers that took less are not worth it.
LEAST_SECONDS = 0.02
# How many answers are kept, of the last ones used.
MOST_ANSWERS = 1000
# What looking at a term takes at most, and which part of an answer's time looking may take.
_TERM_SECONDS = 5e-6
_SHARE = 0.1


@dataclass(slots=True)
class Known:
    """An answer, told by numbers of constants, functions and assumptions."""

    status: str
    solver: str
    seconds: float
    values: list[tuple[int, Concrete]] | None = None
    functions: list[tuple[int, FunctionValue]] | None = None
    inexact: list[int] | None = None
    core: list[int] | None = None


class Memory:
    """Answers by the keys of their questions; threads may share it."""

    def __init__(self) -> None:
        self.renew()
        self.clear()

    def renew(self) -> None:
        """A lock of one's own, in a fork: another thread may have held it."""
        self._lock = threading.Lock()

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._answers: OrderedDict[bytes, Known] = OrderedDict()
            # For each beginning of a question, how many seconds may be spent on looking.
            self._credit: dict[Data, float] = {}

    def is_worth_looking(self, seen: Data) -> bool:
        """Whether a question that begins like this was kept, and looking has not cost too much."""
        return self._credit.get(seen, 0.0) > 0.0

    def find(self, seen: Data, key: bytes, spent: float) -> Known | None:
        """The answer to a question, looking at which has taken some seconds."""
        with self._lock:
            found = self._answers.get(key)
            gained = 0.0 if found is None else found.seconds
            self._credit[seen] = self._credit.get(seen, 0.0) + gained - spent
            if found is not None:
                self._answers.move_to_end(key)
            return found

    def keep(self, seen: Data, key: bytes, known: Known) -> None:
        """Keep an answer."""
        with self._lock:
            if len(self._credit) > MOST_ANSWERS:
                self._credit.clear()
            self._answers[key] = known
            self._credit[seen] = self._credit.get(seen, 0.0) + _SHARE * known.seconds
            if len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)

    def __len__(self) -> int:
        return len(self._answers)


MEMORY = Memory()
os.register_at_fork(after_in_child=MEMORY.renew)


class Remembering(Backend):
    """Another place of checks, which is asked only what is not remembered."""

    def __init__(self, backend: Backend, about: Data) -> None:
        """`about` is what else an answer depends on: which solvers may be asked, and how."""
        self._asked = backend
        self._about = about
        # The question of the last check, and its answer if that is kept.
        self._structure: Structure | None = None
        self._known: Known | None = None
        # Whether the last answer comes from the memory, and the next may not.
        self._is_remembered = False
        self._forgets = False
        self._assumptions: tuple[Guard, ...] = ()

    @property
    def name(self) -> str:
        if self._is_remembered and self._known is not None:
            return self._known.solver
        return self._asked.name

    @property
    def nodes(self) -> int:
        return self._asked.nodes

    @property
    def attempts(self) -> Sequence[Attempt]:  # type: ignore[override]
        """What each solver did, or that this was known."""
        if self._is_remembered and self._known is not None:
            return [Attempt(self._known.solver, self._known.status, form="asked before")]
        return self._asked.attempts

    def prepare(self, about: Guard = True) -> None:
        self._asked.prepare(about)

    def check(
        self,
        frames: Sequence[Frame],
        assumptions: Sequence[Guard],
        seconds: float | None,
        interrupted: Callable[[], bool],
    ) -> tuple[str, str]:
        self._asked.wants_model = self.wants_model
        self._structure = self._known = None
        self._is_remembered = False
        self._assumptions = tuple(assumptions)
        forgets, self._forgets = self._forgets, False
        entries = [entry for frame in frames for entry in frame.entries]
        formulas = [*(term for term, _ in entries), *assumptions]
        seen = (self._about, len(assumptions), glance(formulas))
        plain = all(goal is None for _, goal in entries)
        if (
            plain
            and not forgets
            and MEMORY.is_worth_looking(seen)
            and self._recalled(seen, formulas)
        ):
            assert self._known is not None
            return self._known.status, ""
        begun = time.perf_counter()
        status, reason = self._asked.check(frames, assumptions, seconds, interrupted)
        spent = time.perf_counter() - begun
        if plain and status != "unknown" and spent >= LEAST_SECONDS:
            self._keep(seen, formulas, status, spent)
        return status, reason

    def _recalled(self, seen: Data, formulas: Sequence[Guard]) -> Known | None:
        """The answer if it is known, with its model if one will be asked for."""
        begun = time.perf_counter()
        try:
            self._structure = self._looked_at(formulas)
        except NoKeyError:
            return None
        known = MEMORY.find(seen, self._structure.key, time.perf_counter() - begun)
        if known is None or (self.wants_model and known.status == "sat" and known.values is None):
            return None
        self._known = known
        self._is_remembered = True
        return known

    def _looked_at(self, formulas: Sequence[Guard], most: int = sys.maxsize) -> Structure:
        return Structure(formulas, most, (self._about, len(self._assumptions)))

    def _keep(self, seen: Data, formulas: Sequence[Guard], status: str, seconds: float) -> None:
        try:
            if self._structure is None:
                most = int(seconds * _SHARE / _TERM_SECONDS)
                self._structure = self._looked_at(formulas, most)
        except NoKeyError:
            return
        self._known = Known(status, self._asked.name, seconds)
        MEMORY.keep(seen, self._structure.key, self._known)

    def model(self, wanted: Sequence[Term] | None = None) -> ModelParts | None:
        known, structure = self._known, self._structure
        if self._is_remembered and known is not None and structure is not None:
            if known.values is None:
                # It is asked again, and this time the solver.
                self._forgets = True
                return None
            return _told(known, structure, wanted)
        found = self._asked.model(wanted)
        # What was lost is asked for again, of the solver.
        self._forgets = found is None
        if found is not None and wanted is None and known is not None and structure is not None:
            _note(known, structure, found)
        return found

    def core(self) -> list[Guard] | None:
        known = self._known
        if self._is_remembered and known is not None:
            if known.core is None:
                self._forgets = True
                return None
            return [self._assumptions[place] for place in known.core]
        found = self._asked.core()
        self._forgets = found is None
        if found is not None and known is not None:
            places = {guard: place for place, guard in enumerate(self._assumptions)}
            known.core = [places[guard] for guard in found]
        return found

    def objectives(self) -> list[Data] | None:
        return self._asked.objectives()

    def total_conversion_seconds(self) -> float:
        return self._asked.total_conversion_seconds()

    def figures(self) -> Figures:
        return self._asked.figures()

    def reset(self) -> None:
        self._known = self._structure = None
        self._is_remembered = False
        self._asked.reset()

    def abandon(self) -> None:
        self._asked.abandon()

    def close(self) -> None:
        self._asked.close()


def _note(known: Known, structure: Structure, found: ModelParts) -> None:
    """Keep a model with an answer, by the numbers of its constants."""
    values, functions, inexact = found
    places = {constant: place for place, constant in enumerate(structure.constants)}
    known.functions = [
        (structure.functions[one], value)
        for one, value in functions.items()
        if one in structure.functions
    ]
    known.inexact = [places[one] for one in inexact if isinstance(one, Term) and one in places]
    known.values = [(places[one], value) for one, value in values.items() if one in places]


def _told(known: Known, structure: Structure, wanted: Sequence[Term] | None) -> ModelParts:
    """A model with the names of a question."""
    constants = structure.constants
    functions = list(structure.functions)
    values: dict[Term, Concrete] = {constants[place]: one for place, one in known.values or ()}
    if wanted is not None:
        values = {one: values[one] for one in wanted if one in values}
    tables: dict[FunctionSymbol, FunctionValue] = {
        functions[place]: value for place, value in known.functions or ()
    }
    inexact: list[Constant] = [constants[place] for place in known.inexact or ()]
    return values, tables, inexact
