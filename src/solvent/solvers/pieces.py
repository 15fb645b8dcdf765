"""Pieces of a question as data: a script of SMT-LIB, and what a solver says to it.

Text can be sent anywhere and does nothing but be read.  An answer names the piece that it is about,
so that none is taken for another's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    wait,
)
from dataclasses import dataclass

from solvent.errors import SolverError, UnsupportedError
from solvent.solvers.script import model_text
from solvent.solvers.solver import Solver, portfolio
from solvent.solvers.status import Status
from solvent.terms.booleans import and_
from solvent.terms.kinds import Guard
from solvent.terms.smtlib import Writer, parse_smtlib, write_script
from solvent.verdicts.rendering import Json

# How much of the time of a piece may be spent on what made it impossible.
_CORE_SHARE = 0.2
_LEAST_CORE_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Task:
    """A piece that is to be solved."""

    name: str
    data: Json
    seconds: float

    @property
    def digest(self) -> str:
        """What its answer must name."""
        return str(self.data["piece"])


# What solves pieces: it takes them, `None` where there is none just now, and gives their answers
# as they come, `None` for one that has none.
Solve = Callable[[Iterable[Task | None]], Iterator[tuple[Task, Json | None]]]


def task_of(
    name: str,
    formula: Guard,
    root: Guard,
    conditions: Sequence[Guard],
    writer: Writer,
    solver: str | None,
    seconds: float,
) -> Task:
    """A piece: a formula to be solved, which is the root under some conditions."""
    text = write_script([formula], check=False, writer=_same_names(writer))
    parts = write_script([root, *conditions], check=False, writer=_same_names(writer))
    piece = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    data: Json = {
        "piece": piece,
        "script": text,
        "parts": parts if len(conditions) > 1 else "",
        "solver": solver,
        "seconds": seconds,
    }
    return Task(name, data, seconds)


def _same_names(writer: Writer) -> Writer:
    """A writer for another script that calls constants by the same names."""
    found = Writer()
    found.names = writer.names
    return found


def perform(data: Json, tell: Callable[[str], object]) -> Json:
    """Solve a piece.

    >>> script = "(declare-const x Int)(assert (> (* x x) 48))(assert (< 0 x 8))"
    >>> found = perform({"piece": "p", "script": script, "parts": "", "seconds": 60}, print)
    >>> found["status"], found["piece"]
    ('sat', 'p')
    """
    seconds = float(str(data["seconds"]))
    name = data.get("solver")
    found: Json = {"piece": data["piece"], "status": Status.UNKNOWN.value}
    try:
        formula = and_(*parse_smtlib(str(data["script"])))
        with _solver(str(name) if name else None, seconds) as solver:
            solver.add(formula)
            status = solver.check_for_model()
            found["status"], found["reason"] = status.value, solver.reason
            found["seconds"] = solver.checked.seconds
            if status is Status.SAT:
                found["model"] = model_text(solver.model())
        if status is Status.UNSAT and data["parts"]:
            found["core"] = _core(str(data["parts"]), name, float(str(found["seconds"])))
    except (SolverError, UnsupportedError) as error:
        found["reason"] = str(error)
    return found


def _solver(name: str | None, seconds: float) -> Solver:
    if name and "," in name and not name.startswith("smtlib:"):
        return portfolio([part.strip() for part in name.split(",")], timeout=seconds)
    return Solver(name, timeout=seconds)


def _core(parts: str, name: object, seconds: float) -> list[int] | None:
    """The numbers of conditions that are impossible together, if that is found out in time."""
    root, *conditions = parse_smtlib(parts)
    limit = max(_LEAST_CORE_SECONDS, _CORE_SHARE * seconds)
    solver = None if not name or "," in str(name) else str(name)
    try:
        with Solver(solver, timeout=limit) as asked:
            asked.add(root)
            if asked.check(conditions) is not Status.UNSAT:
                return None
            core = asked.unsat_core()
    except (SolverError, UnsupportedError):
        return None
    return [number for number, one in enumerate(conditions) if any(one is part for part in core)]


def done(data: Json) -> Json:
    """Solve a piece where nobody is told how far it is."""
    return perform(data, lambda text: None)


def _answer_of(future: Future[Json]) -> Json | None:
    """What a piece came to; nothing if who was at it died, or was told to leave it."""
    try:
        return future.result()
    except Exception:
        return None


def on_executor(executor: Executor, width: int) -> Solve:
    """What solves pieces on an executor, so many at a time."""

    def solve(tasks: Iterable[Task | None]) -> Iterator[tuple[Task, Json | None]]:
        waiting = iter(tasks)
        running: dict[Future[Json], Task] = {}
        more = True
        try:
            while more or running:
                while more and len(running) < width:
                    try:
                        task = next(waiting)
                    except StopIteration:
                        more = False
                        break
                    if task is None:
                        break
                    try:
                        running[executor.submit(done, task.data)] = task
                    except BrokenExecutor:
                        yield task, None
                ended, _ = wait(running, timeout=1, return_when=FIRST_COMPLETED)
                for future in ended:
                    yield running.pop(future), _answer_of(future)
        finally:
            for future in running:
                future.cancel()

    return solve
