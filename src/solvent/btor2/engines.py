"""The engines by name, and `auto`: all of them side by side, after a short attempt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from solvent.btor2.answers import ModelAnswer, PropertyAnswer
from solvent.btor2.bmc import Progress, Settled, bmc, first_answer
from solvent.btor2.errors import ModelError
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.ic3 import ENGINE as IC3
from solvent.btor2.ic3 import ic3
from solvent.btor2.kinduction import kinduction
from solvent.btor2.liveness import back_to, to_safety
from solvent.btor2.race import CRASHED, Entrant, Send, Task, wait_for_messages
from solvent.btor2.syntax import Model
from solvent.terms.sorts import ArraySort
from solvent.verdicts import Deadline, GaveUp, Verdict

ENGINES = ("auto", "bmc", "kind", "ic3")
DEFAULT_BOUND = 200
# How many seconds the attempt of `auto` takes before it starts processes.
_ATTEMPT_SECONDS = 2.0
# Without a limit, how many seconds a proof has at least when all up to the bound has been searched;
# it has as long as the search took, so that nobody waits more than twice as long for it.
_PROOF_SECONDS = 4.0
# How many seconds IC3 gives each property in the first round; each round gives twice as many.
_ROUND_SECONDS = 1.0
_LATE = "the time limit was reached"
_OTHER_VIOLATED = "it was not checked, as another property is violated"


def check(
    model: Model,
    *,
    kmax: int = DEFAULT_BOUND,
    kmin: int = 0,
    engine: str = "auto",
    find_all: bool = False,
    solver: str | None = None,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> ModelAnswer:
    """Check all properties of a model: its bad states, and its justice properties.

    * `bmc` looks for executions of `kmin` to `kmax` steps;
    * `kind` is k-induction with k up to `kmax`;
    * `ic3` proves or refutes without a bound, for models without arrays;
    * `auto` has all of them work side by side, in processes, if a short attempt does not do; the
      first definite answer counts.

    Without `find_all` the search ends with the first violation.

    >>> from solvent.btor2 import parse
    >>> found = check(parse("1 sort bitvec 1\\n2 input 1 x\\n3 bad 2 set"))
    >>> print(found["set"], found.witnesses[0], sep="\\n", end="")
    b0 (set) is violated at time 0
    sat
    b0
    #0
    @0
    0 1 x@0
    .
    """
    if engine not in ENGINES:
        raise ModelError(f"there is no engine {engine!r}; known are {', '.join(ENGINES)}")
    deadline = Deadline(timeout, _LATE)
    run = _Run(kmax, kmin, engine, find_all, solver, deadline, progress)
    answers = run.bads(Evaluator(model)) if model.bads else []
    for justice in range(len(model.justices)):
        if not find_all and any(one.verdict is Verdict.VIOLATED for one in answers):
            symbol = model.justices[justice].symbol
            answers.append(PropertyAnswer(f"j{justice}", symbol, reason=_OTHER_VIOLATED))
            continue
        changed = to_safety(model, justice)
        found = run.bads(Evaluator(changed))[0]
        answers.append(back_to(model, justice, changed, found))
    return ModelAnswer.of(answers, deadline.spent())


@dataclass
class _Run:
    """One call of `check`: its settings."""

    kmax: int
    kmin: int
    engine: str
    find_all: bool
    solver: str | None
    deadline: Deadline
    progress: Progress | None

    def bads(self, evaluator: Evaluator) -> list[PropertyAnswer]:
        """What is known about the bad states of a model."""
        everything = list(range(len(evaluator.bads)))
        if self.engine == "auto":
            return self._auto(evaluator, everything)
        return self.one_engine(self.engine, evaluator, everything, None)

    def one_engine(
        self, engine: str, evaluator: Evaluator, properties: Sequence[int], settled: Settled | None
    ) -> list[PropertyAnswer]:
        """What one engine says."""
        if engine == "ic3":
            return self._ic3(evaluator, properties, self.deadline)
        if engine == "kind":
            return self._induction(evaluator, properties, self.deadline, settled)
        return self._bmc(evaluator, properties, self.deadline, settled)

    def _bmc(
        self,
        evaluator: Evaluator,
        properties: Sequence[int],
        deadline: Deadline,
        settled: Settled | None = None,
    ) -> list[PropertyAnswer]:
        return bmc(
            evaluator,
            self.kmax,
            self.kmin,
            find_all=self.find_all,
            properties=properties,
            solver=self.solver,
            deadline=deadline,
            progress=self.progress,
            settled=settled,
        )

    def _induction(
        self,
        evaluator: Evaluator,
        properties: Sequence[int],
        deadline: Deadline,
        settled: Settled | None = None,
    ) -> list[PropertyAnswer]:
        return kinduction(
            evaluator,
            self.kmax,
            find_all=self.find_all,
            properties=properties,
            solver=self.solver,
            deadline=deadline,
            progress=self.progress,
            settled=settled,
        )

    def _ic3(
        self, evaluator: Evaluator, properties: Sequence[int], deadline: Deadline
    ) -> list[PropertyAnswer]:
        answers = []
        ended = False
        for k in properties:
            if ended:
                answer = replace(first_answer(evaluator.model, k, IC3), reason=_OTHER_VIOLATED)
            else:
                answer = ic3(
                    evaluator, k, solver=self.solver, deadline=deadline, progress=self.progress
                )
                ended = answer.verdict is Verdict.VIOLATED and not self.find_all
            answers.append(answer)
        return answers

    # --- all engines -------------------------------------------------------------------------

    def _auto(self, evaluator: Evaluator, properties: Sequence[int]) -> list[PropertyAnswer]:
        """A short attempt in this process, then all engines beside each other."""
        answers = {k: first_answer(evaluator.model, k) for k in properties}
        answers |= self._attempt(evaluator, properties)
        if self.is_settled(answers.values()) or self.deadline.is_over:
            return list(answers.values())
        race = _Race(self, evaluator, answers)
        try:
            race.start()
            race.watch()
        finally:
            race.stop()
        return list(answers.values())

    def _attempt(
        self, evaluator: Evaluator, properties: Sequence[int]
    ) -> dict[int, PropertyAnswer]:
        """What can be said soon: many models need no other process."""
        deadline = self.deadline.limited(_ATTEMPT_SECONDS)
        engine = self._bmc if _in_arrays(evaluator) else self._induction
        return dict(zip(properties, engine(evaluator, properties, deadline), strict=True))

    def is_settled(self, answers: Iterable[PropertyAnswer]) -> bool:
        """Whether nothing is left to be asked."""
        verdicts = [answer.verdict for answer in answers]
        if Verdict.VIOLATED in verdicts and not self.find_all:
            return True
        return all(verdict.is_definite for verdict in verdicts)


@dataclass
class EngineTask(Task):
    """One engine on some properties of a model, in a process of its own.

    It sends `("settled", k, answer)`, `("time", k)` when it begins to examine a time, and
    `("done", answers)`.
    """

    engine: str
    model: Model
    properties: list[int]
    kmax: int
    kmin: int
    find_all: bool
    solver: str | None

    def run(self, send: Send) -> None:
        evaluator = Evaluator(self.model)

        def examines(time: int, count: int) -> None:
            send(("time", time, count))

        def settled(k: int, answer: PropertyAnswer) -> None:
            send(("settled", k, answer))

        run = _Run(
            self.kmax,
            self.kmin,
            self.engine,
            self.find_all,
            self.solver,
            Deadline(None),
            None if self.engine == "ic3" else examines,
        )
        if self.engine == "ic3":
            self._rounds(run, evaluator, send)
            return
        found = run.one_engine(self.engine, evaluator, self.properties, settled)
        send(("done", dict(zip(self.properties, found, strict=True))))

    def _rounds(self, run: _Run, evaluator: Evaluator, send: Send) -> None:
        """IC3 on one property after the other, each for a while, so that none waits for ever."""
        left, seconds = list(self.properties), _ROUND_SECONDS
        while left:
            for k in list(left):
                # The last one may take as long as it likes.
                limit = None if len(left) == 1 else seconds
                try:
                    answer = ic3(evaluator, k, solver=self.solver, deadline=Deadline(limit))
                except ModelError:
                    left.remove(k)
                    continue
                if answer.verdict.is_definite:
                    send(("settled", k, answer))
                    left.remove(k)
                elif limit is None:
                    return
            seconds *= 2


class _Race:
    """The engines at work on what is open, and what they have said so far."""

    def __init__(self, run: _Run, evaluator: Evaluator, answers: dict[int, PropertyAnswer]) -> None:
        self.run = run
        self.evaluator = evaluator
        self.answers = answers
        self.deadline = run.deadline
        self.entrants: list[Entrant] = []

    def start(self) -> None:
        """Start all engines."""
        run, model = self.run, self.evaluator.model
        rest = [k for k, answer in self.answers.items() if not answer.verdict.is_definite]
        for name in ("bmc", "kind", *(() if _in_arrays(self.evaluator) else ("ic3",))):
            task = EngineTask(name, model, rest, run.kmax, run.kmin, run.find_all, run.solver)
            self.entrants.append(Entrant(name, task))

    def stop(self) -> None:
        """End all engines."""
        for entrant in self.entrants:
            entrant.stop()

    def watch(self) -> None:
        """Collect what the engines say until nothing is open, or no time is left."""
        try:
            while not self.run.is_settled(self.answers.values()):
                if all(entrant.ended for entrant in self.entrants):
                    raise GaveUp("no engine gave an answer")
                if self.entrants[0].ended and not self.deadline.is_limited:
                    # All is searched; what is left is whether there is a proof.
                    self.deadline = Deadline(max(_PROOF_SECONDS, self.deadline.spent()), _LATE)
                left = self.deadline.check()
                for entrant in wait_for_messages(self.entrants, left):
                    for message in entrant.messages():
                        self._hear(entrant, message)
                        if self.run.is_settled(self.answers.values()):
                            return
        except GaveUp as stop:
            for k, answer in self._unknown():
                self.answers[k] = replace(answer, reason=str(stop))

    def _unknown(self) -> list[tuple[int, PropertyAnswer]]:
        return [(k, one) for k, one in self.answers.items() if one.verdict is Verdict.UNKNOWN]

    def _hear(self, entrant: Entrant, message: tuple[Any, ...]) -> None:
        match message:
            case (kind, error) if kind == CRASHED:
                raise error
            case ("settled", k, answer):
                self._take(k, answer)
            case ("done", found):
                for k, answer in found.items():
                    self._take(k, answer)
            case ("time", time, count):
                self._examines(entrant.name, time, count)

    def _examines(self, engine: str, time: int, count: int) -> None:
        """An engine begins with a time: what is open holds before it."""
        if self.run.progress is not None and engine == "bmc":
            self.run.progress(time, count)
        if engine == "bmc" and self.run.kmin:
            return
        for k, answer in self._unknown():
            if time - 1 > answer.depth:
                self.answers[k] = replace(answer, bound=time - 1)

    def _take(self, k: int, answer: PropertyAnswer) -> None:
        known = self.answers[k]
        if known.verdict.is_definite:
            return
        better = answer.verdict is Verdict.BOUNDED or known.verdict is Verdict.UNKNOWN
        if answer.verdict.is_definite or (better and answer.depth >= known.depth):
            self.answers[k] = answer


def _in_arrays(evaluator: Evaluator) -> bool:
    """Whether the properties depend on arrays."""
    cone = evaluator.cone([*evaluator.bads, *evaluator.constraints])
    arrays = (place for place in evaluator.states if place in cone)
    return any(isinstance(evaluator.sorts[place], ArraySort) for place in arrays)
