"""Cube and conquer: one hard question as a tree of pieces, solved wherever there is somebody idle.

A piece that is not answered in its time is divided again (`cubes`).  A model of one piece is a
model of the question, once it was checked here.  The question has none only when all pieces are
*closed*: a leaf by the answer that it has no model, or by what was learnt from another one, an
inner piece by all of its parts.  A piece whose answer was lost is open, and is asked again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from solvent.errors import SolventError
from solvent.solvers.cubes import divide
from solvent.solvers.pieces import Solve, Task, task_of
from solvent.solvers.solver import Solver
from solvent.solvers.status import Status
from solvent.terms.booleans import eq
from solvent.terms.graph import size
from solvent.terms.kinds import Guard
from solvent.terms.model import Model
from solvent.terms.smtlib import Writer, read_model
from solvent.terms.term import Term
from solvent.verdicts import Deadline
from solvent.verdicts.rendering import Json
from solvent.verdicts.texts import cut

# Seconds for a piece at first; with each division they may take so many times longer.
PIECE_SECONDS = 10.0
_GROWTH = 1.5
# So many pieces for each who solves them, before anything is asked: at least, and at most where
# looking for divisions of so many terms takes no time to speak of.
_AHEAD = 2
_MOST_AHEAD = 8
_FEW_TERMS = 5_000
# So often a piece whose answer was lost is asked again.
_MOST_LOST = 3
# For checking a model here.
_PATIENCE_SECONDS = 30.0
_LONGEST = 100


class State(StrEnum):
    """What is known about a piece."""

    OPEN = "open"
    UNSAT = "closed"
    SAT = "has a model"
    DIVIDED = "divided"
    PRUNED = "closed by another piece"
    GIVEN_UP = "given up"


@dataclass(slots=True, eq=False)
class Piece:
    """The question under some conditions, which the pieces above it have, too."""

    formula: Guard
    conditions: tuple[Guard, ...] = ()
    how: str = ""
    state: State = State.OPEN
    parts: list[Piece] = field(default_factory=list)
    seconds: float = 0.0
    lost: int = 0
    reason: str = ""

    @property
    def is_closed(self) -> bool:
        """Whether it is known to have no model."""
        pending = [self]
        while pending:
            piece = pending.pop()
            if piece.state is State.DIVIDED and piece.parts:
                pending += piece.parts
            elif piece.state not in (State.UNSAT, State.PRUNED):
                return False
        return True

    def leaves(self) -> Iterator[Piece]:
        """The pieces that are not divided."""
        pending = [self]
        while pending:
            piece = pending.pop()
            if piece.state is State.DIVIDED:
                pending += reversed(piece.parts)
            else:
                yield piece

    def lines(self, depth: int = 0) -> Iterator[str]:
        """The tree, a line for each piece."""
        what = cut(str(self.conditions[-1]), _LONGEST) if self.conditions else "the question"
        times = f" ({self.seconds:.1f} s)" if self.seconds else ""
        how = f" by {self.how}" if self.state is State.DIVIDED else ""
        more = f": {self.reason}" if self.state is State.GIVEN_UP and self.reason else ""
        yield f"{'  ' * depth}{what}: {self.state.value}{how}{times}{more}"
        for part in self.parts:
            yield from part.lines(depth + 1)


@dataclass(frozen=True, slots=True)
class Conquered:
    """What became of a question: a status, a model if there is one, and the tree of its pieces."""

    status: Status
    tree: Piece
    reason: str = ""
    model: Model | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """How questions are divided: who solves pieces, how many at a time, and after how long."""

    solve: Solve
    width: int
    # Seconds in which a question must be answered if it is not to be divided.
    share: float = 2.0
    piece_seconds: float = PIECE_SECONDS
    # Who is told of what became of a question.
    watch: Callable[[Conquered], None] = lambda conquered: None

    def conquer(self, formula: Guard, seconds: float | None, solver: str | None) -> Conquered:
        """The answer to a question, by its pieces."""
        message = "" if seconds is None else f"the {seconds:g} s for its pieces are spent"
        conquest = Conquest(
            formula,
            self.solve,
            width=self.width,
            deadline=Deadline(seconds, message),
            solver=solver,
            piece_seconds=self.piece_seconds,
        )
        try:
            return conquest.run()
        finally:
            # Also when it is interrupted: what is closed by then is worth to be known.
            self.watch(conquest.concluded())


class Conquest:
    """The search for an answer."""

    def __init__(
        self,
        formula: Guard,
        solve: Solve,
        *,
        width: int,
        deadline: Deadline | None = None,
        solver: str | None = None,
        piece_seconds: float = PIECE_SECONDS,
    ) -> None:
        self.root = Piece(formula)
        self._solve = solve
        self._width = width
        self._deadline = deadline or Deadline(None)
        self._solver = solver
        self._seconds = piece_seconds
        self._writer = Writer()
        # All pieces call constants by the same names.
        self._writer.declarations_for(formula)
        self._waiting: deque[Piece] = deque()
        self._running: dict[str, Piece] = {}
        self._names = 0
        self._cores: list[frozenset[int]] = []
        self._model: Model | None = None

    def run(self) -> Conquered:
        """Solve pieces until there is an answer, or the time is over."""
        self._waiting.append(self.root)
        self._divide_ahead()
        if not self.root.is_closed:
            for task, answer in self._solve(self._tasks()):
                self._take(task, answer)
                if self._model is not None or self.root.is_closed or self._deadline.is_over:
                    break
        return self.concluded()

    def concluded(self) -> Conquered:
        """What is known by now."""
        if self._model is not None:
            return Conquered(Status.SAT, self.root, model=self._model)
        if self.root.is_closed:
            return Conquered(Status.UNSAT, self.root)
        leaves = list(self.root.leaves())
        still_open = [leaf for leaf in leaves if not leaf.is_closed]
        reasons = dict.fromkeys(leaf.reason for leaf in still_open if leaf.reason)
        why = f" ({'; '.join(reasons)})" if reasons else ""
        over = f"{self._deadline.message}; " if self._deadline.is_over else ""
        are = "is" if len(still_open) == 1 else "are"
        reason = f"{over}{len(still_open)} of {len(leaves)} pieces {are} open{why}"
        return Conquered(Status.UNKNOWN, self.root, reason)

    # --- pieces to solve -------------------------------------------------------------------------

    def _divide_ahead(self) -> None:
        """Divide until there is enough to do for all."""
        while self._waiting and len(self._waiting) < _MOST_AHEAD * self._width:
            # What is divided least may be hardest, however little of it is to be seen.
            largest = max(
                self._waiting, key=lambda piece: (-len(piece.conditions), size(piece.formula))
            )
            enough = len(self._waiting) >= _AHEAD * self._width
            if enough and size(largest.formula) > _FEW_TERMS:
                return
            self._waiting.remove(largest)
            if not self._divided(largest):
                self._waiting.append(largest)
                return

    def _divided(self, piece: Piece) -> bool:
        """Divide a piece, if that is possible."""
        found = divide(piece.formula)
        if found is None:
            return False
        piece.how = found.how
        for condition, formula in zip(found.conditions, found.pieces, strict=True):
            part = Piece(formula, (*piece.conditions, condition))
            if formula is False:
                part.state = State.UNSAT
            piece.parts.append(part)
        piece.state = State.DIVIDED
        self._waiting += [part for part in piece.parts if part.state is State.OPEN]
        return True

    def _tasks(self) -> Iterator[Task | None]:
        while True:
            piece = next((one for one in self._taken()), None)
            if piece is not None:
                yield self._task(piece)
            elif self._running:
                yield None
            else:
                return

    def _taken(self) -> Iterator[Piece]:
        """The next piece that is still open."""
        while self._waiting:
            piece = self._waiting.popleft()
            if not self._is_pruned(piece):
                yield piece

    def _is_pruned(self, piece: Piece) -> bool:
        held = frozenset(map(id, piece.conditions))
        if any(core <= held for core in self._cores):
            piece.state = State.PRUNED
        return piece.state is State.PRUNED

    def _task(self, piece: Piece) -> Task:
        self._names += 1
        name = f"piece {self._names}"
        seconds = self._seconds * _GROWTH ** len(piece.conditions)
        left = self._deadline.left()
        if piece.reason == _LAST and left is None:
            seconds = 1e6
        elif piece.reason == _LAST and left is not None:
            seconds = left
        elif left is not None:
            seconds = min(seconds, left)
        task = task_of(
            name,
            piece.formula,
            self.root.formula,
            piece.conditions,
            self._writer,
            self._solver,
            max(0.05, seconds),
        )
        self._running[name] = piece
        return task

    # --- answers ---------------------------------------------------------------------------------

    def _take(self, task: Task, answer: Json | None) -> None:
        """What a piece has come to; whatever does not say that it is closed leaves it open."""
        piece = self._running.pop(task.name)
        if answer is None or answer.get("piece") != task.digest:
            self._lost(piece)
            return
        piece.seconds += float(str(answer.get("seconds", 0.0)))
        match answer.get("status"):
            case Status.UNSAT.value:
                piece.state = State.UNSAT
                self._learn(piece, answer.get("core"))
            case Status.SAT.value:
                self._model = self._checked(piece, str(answer.get("model", "")))
                if self._model is None:
                    piece.state, piece.reason = State.GIVEN_UP, "its model is none of the question"
                else:
                    piece.state = State.SAT
            case _:
                self._hard(piece, str(answer.get("reason", "")))

    def _lost(self, piece: Piece) -> None:
        piece.lost += 1
        if piece.lost < _MOST_LOST:
            self._waiting.append(piece)
        else:
            piece.state, piece.reason = State.GIVEN_UP, "its answer was lost"

    def _hard(self, piece: Piece, reason: str) -> None:
        """A piece was not answered in its time: divide it, or give it all the time there is."""
        if self._is_pruned(piece) or self._divided(piece):
            return
        if piece.reason == _LAST or self._deadline.is_over:
            piece.state, piece.reason = State.GIVEN_UP, reason
        else:
            piece.reason = _LAST
            self._waiting.append(piece)

    def _learn(self, piece: Piece, core: object) -> None:
        """Conditions that are impossible together close all pieces that have them."""
        if not isinstance(core, list) or len(core) >= len(piece.conditions):
            return
        if not all(isinstance(one, int) and 0 <= one < len(piece.conditions) for one in core):
            return
        # Conditions are terms, which are the same object if they are the same.
        self._cores.append(frozenset(id(piece.conditions[one]) for one in core))

    def _checked(self, piece: Piece, text: str) -> Model | None:
        """The model of a piece, if it is one of the question: nobody is taken at their word."""
        formula = self.root.formula
        try:
            model = read_model(text, self._writer)
            if model.evaluate(formula) is True:
                return model
        except SolventError:
            model = Model({})
        try:
            with Solver(None, timeout=_PATIENCE_SECONDS) as solver:
                solver.add(formula)
                for key in model:
                    if isinstance(key, Term):
                        solver.add(eq(key, model.internal(key)))
                return solver.model() if solver.check() is Status.SAT else None
        except SolventError:
            return None


# Why a piece is asked for the last time, with all the time that is left.
_LAST = "it cannot be divided"
