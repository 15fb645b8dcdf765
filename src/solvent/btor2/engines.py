"""The engines by name, and `auto`: side by side, as many as the model turns out to need.

A model that runs a program without a choice is unrolled without any solver.  Otherwise one engine
begins, on literals if there is a solver of clauses (see `literals`), in a process of its own.  Then
others join after a while: what is searched already is told to them, and an engine that can add
nothing any more is ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from solvent.btor2.answers import ModelAnswer, PropertyAnswer
from solvent.btor2.bmc import News, Progress, Settled, bmc, first_answer
from solvent.btor2.errors import ModelError
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.ic3 import ENGINE as IC3
from solvent.btor2.ic3 import ic3
from solvent.btor2.kinduction import kinduction
from solvent.btor2.literals import CADICAL, fits, follows, is_available, is_small
from solvent.btor2.liveness import back_to, to_safety
from solvent.btor2.logics import NONE
from solvent.btor2.race import CRASHED, Entrant, Line, Task, wait_for_messages
from solvent.btor2.syntax import Model
from solvent.terms.sorts import ArraySort
from solvent.verdicts import Deadline, GaveUp, Verdict

ENGINES = ("auto", "bmc", "kind", "ic3")
DEFAULT_BOUND = 200
# How many seconds the attempt on terms takes before there are processes.
_ATTEMPT_SECONDS = 2.0
# Without a limit, how many seconds a proof has at least when all up to the bound has been searched;
# it has as long as the search took, so that nobody waits more than twice as long for it.
_PROOF_SECONDS = 2.0
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
    * `ic3` proves or refutes without a bound;
    * `auto` begins with induction, and has the others join it, in processes; the first definite
      answer counts.

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
    # Up to this time nothing is bad, as another engine has found out.
    known: int = -1
    # The last time of which was told that it is examined.
    told: int = -1
    # What other engines find out meanwhile.
    news: News | None = None

    def bads(self, evaluator: Evaluator) -> list[PropertyAnswer]:
        """What is known about the bad states of a model."""
        everything = list(range(len(evaluator.bads)))
        self.told = -1
        on_literals = self._on_literals(evaluator)
        if self.engine == "auto":
            return self._auto(evaluator, everything, on_literals)
        if not on_literals:
            return self.one_engine(self.engine, evaluator, everything, None)
        answers = {k: first_answer(evaluator.model, k) for k in everything}
        if self.engine == "bmc":
            answers |= self._attempt(evaluator, everything, NONE)
            if all(one.verdict is not Verdict.UNKNOWN for one in answers.values()):
                return list(answers.values())
        return self._raced(evaluator, answers, [Lane(self.engine, CADICAL)])

    def _on_literals(self, evaluator: Evaluator) -> bool:
        """Whether the engines work on literals: if they can, and no other solver is asked for."""
        if self.solver not in (None, CADICAL):
            return False
        possible = follows if self.engine == "ic3" else fits
        can = is_available() and possible(evaluator, [*evaluator.bads, *evaluator.constraints])
        if self.solver == CADICAL and not can:
            raise ModelError(
                "cadical needs the package python-sat and a model that does not compare arrays; "
                "use another solver"
            )
        # Programs with a large memory are mostly constants, which terms see and gates do not.
        by_default = self.engine == "ic3" or not _has_large_memory(evaluator)
        return can and (self.solver == CADICAL or by_default)

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
        solver: str | None = None,
    ) -> list[PropertyAnswer]:
        return bmc(
            evaluator,
            self.kmax,
            self.kmin,
            find_all=self.find_all,
            properties=properties,
            solver=solver or self.solver,
            deadline=deadline,
            progress=self.tell if solver == NONE else self.progress,
            settled=settled,
            known=self.known,
            news=self.news,
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
            known=self.known,
            news=self.news,
        )

    def _ic3(
        self, evaluator: Evaluator, properties: Sequence[int], deadline: Deadline
    ) -> list[PropertyAnswer]:
        answers = []
        lemmas: list[int] = []
        ended = False
        for k in properties:
            if ended:
                answer = replace(first_answer(evaluator.model, k, IC3), reason=_OTHER_VIOLATED)
            else:
                answer = ic3(
                    evaluator,
                    k,
                    solver=self.solver,
                    deadline=deadline,
                    progress=self.progress,
                    lemmas=lemmas,
                )
                if answer.verdict is Verdict.HOLDS:
                    lemmas.append(k)
                ended = answer.verdict is Verdict.VIOLATED and not self.find_all
            answers.append(answer)
        return answers

    # --- all engines -------------------------------------------------------------------------

    def _auto(
        self, evaluator: Evaluator, properties: Sequence[int], on_literals: bool
    ) -> list[PropertyAnswer]:
        """A short attempt in this process, then one engine after the other joins."""
        answers = {k: first_answer(evaluator.model, k) for k in properties}
        answers |= self._attempt(evaluator, properties, NONE)
        if not on_literals and not self.is_settled(answers.values()):
            answers |= self._attempt(evaluator, properties, self.solver)
        if self.is_settled(answers.values()) or self.deadline.is_over:
            return list(answers.values())
        return self._raced(evaluator, answers, _LANES if on_literals else self._on_terms(evaluator))

    def _on_terms(self, evaluator: Evaluator) -> list[Lane]:
        lanes = [Lane(name, self.solver) for name in ("bmc", "kind")]
        if not _in_arrays(evaluator):
            return [*lanes, Lane("ic3", self.solver)]
        roots = [*evaluator.bads, *evaluator.constraints]
        if self.solver is None and is_available() and follows(evaluator, roots):
            # Of memories IC3 follows cells, on literals.
            lanes.append(Lane("ic3", CADICAL, 1.0))
        return lanes

    def _raced(
        self, evaluator: Evaluator, answers: dict[int, PropertyAnswer], lanes: Sequence[Lane]
    ) -> list[PropertyAnswer]:
        race = _Race(self, evaluator, answers, list(lanes))
        try:
            race.watch()
        finally:
            race.stop()
        return list(answers.values())

    def _attempt(
        self, evaluator: Evaluator, properties: Sequence[int], solver: str | None
    ) -> dict[int, PropertyAnswer]:
        """What can be said soon: many models need no other process, and some no solver."""
        deadline = self.deadline.limited(_ATTEMPT_SECONDS)
        if solver == NONE or _in_arrays(evaluator):
            found = self._bmc(evaluator, properties, deadline, solver=solver)
        else:
            found = self._induction(evaluator, properties, deadline)
        return dict(zip(properties, found, strict=True))

    def tell(self, time: int, count: int) -> None:
        """Say which time is examined, unless an engine was there before."""
        if self.progress is not None and time > self.told:
            self.told = time
            self.progress(time, count)

    def is_settled(self, answers: Iterable[PropertyAnswer]) -> bool:
        """Whether nothing is left to be asked."""
        verdicts = [answer.verdict for answer in answers]
        if Verdict.VIOLATED in verdicts and not self.find_all:
            return True
        return all(verdict.is_definite for verdict in verdicts)


@dataclass(frozen=True)
class Lane:
    """An engine with a solver that joins a race after some seconds."""

    engine: str
    solver: str | None
    delay: float = 0.0


# On literals one engine does for most models.  Solvers of words see through some arithmetic.
_LANES = (
    Lane("kind", CADICAL),
    Lane("ic3", CADICAL, 1.0),
    Lane("bmc", CADICAL, 1.0),
    Lane("bmc", None, 5.0),
    Lane("kind", None, 5.0),
)


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
    known: int = -1
    # Whether no other engine is at work.
    alone: bool = False

    def run(self, send: Line) -> None:
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
            self.known,
            news=None if self.alone else send.news,
        )
        if self.engine == "ic3" and not self.alone:
            self._rounds(evaluator, send, examines)
            return
        found = run.one_engine(self.engine, evaluator, self.properties, settled)
        send(("done", dict(zip(self.properties, found, strict=True))))

    def _rounds(self, evaluator: Evaluator, send: Line, examines: Progress) -> None:
        """IC3 on one property after the other, each for a while, so that none waits for ever."""
        left, seconds = list(self.properties), _ROUND_SECONDS
        lemmas: list[int] = []
        while left:
            for k in list(left):
                for message in send.news():
                    match message:
                        case ("settled", int(other), holds) if other in left:
                            left.remove(other)
                            lemmas += [other] if holds else []
                if k not in left:
                    continue
                # The last one may take as long as it likes.
                last = len(left) == 1
                limit = None if last else seconds
                try:
                    answer = ic3(
                        evaluator,
                        k,
                        solver=self.solver,
                        deadline=Deadline(limit),
                        # A frame is about one property: others may be bad before.
                        progress=examines if last else None,
                        lemmas=lemmas,
                    )
                except ModelError:
                    left.remove(k)
                    continue
                if answer.verdict.is_definite:
                    send(("settled", k, answer))
                    left.remove(k)
                    lemmas += [k] if answer.verdict is Verdict.HOLDS else []
                elif limit is None:
                    return
            seconds *= 2


@dataclass
class _Race:
    """The engines at work on what is open, and what they have said so far."""

    run: _Run
    evaluator: Evaluator
    answers: dict[int, PropertyAnswer]
    # Who has not joined yet.
    waiting: list[Lane]
    entrants: list[Entrant] = field(default_factory=list)
    # Whether all up to the bound is searched, so that only a proof is left to be found.
    searched: bool = False
    # Whether an engine has said all that it can.
    ended: bool = False

    def __post_init__(self) -> None:
        self.deadline = self.run.deadline
        self.clock = Deadline(None)
        self.alone = len(self.waiting) == 1
        if self._all_searched():
            self._end_of_search()

    def _admit(self) -> float | None:
        """Start the engines whose time has come; how many seconds are left for the next."""
        spent = self.clock.spent()
        if all(entrant.ended for entrant in self.entrants):
            # Nobody is at work.
            spent = max(spent, min((lane.delay for lane in self.waiting), default=0.0))
        for lane in list(self.waiting):
            if lane.delay <= spent or (self.searched and lane.engine == "ic3"):
                self.waiting.remove(lane)
                if not (self.searched and lane.engine == "bmc"):
                    self.entrants.append(Entrant(lane.engine, self._task(lane)))
        return min((lane.delay - spent for lane in self.waiting), default=None)

    def _task(self, lane: Lane) -> EngineTask:
        run = self.run
        rest = [k for k, answer in self.answers.items() if not answer.verdict.is_definite]
        known = -1 if run.kmin else min(self.answers[k].depth for k in rest)
        settings = (run.kmax, run.kmin, run.find_all, lane.solver, known, self.alone)
        return EngineTask(lane.engine, self.evaluator.model, rest, *settings)

    def stop(self) -> None:
        """End all engines."""
        for entrant in self.entrants:
            entrant.stop()

    def watch(self) -> None:
        """Collect what the engines say until nothing is open, or no time is left."""
        try:
            while not self._is_over():
                until_next = self._admit()
                if all(entrant.ended for entrant in self.entrants):
                    raise GaveUp("no engine gave an answer")
                left = self.deadline.check()
                waits = [one for one in (left, until_next) if one is not None]
                for entrant in wait_for_messages(self.entrants, min(waits, default=None)):
                    for message in entrant.messages():
                        self._hear(entrant, message)
                        if self._is_over():
                            return
        except GaveUp as stop:
            for k, answer in self._unknown():
                self.answers[k] = replace(answer, reason=str(stop))

    def _is_over(self) -> bool:
        """Whether nothing is left to be asked; a single engine has the last word itself."""
        return self.ended if self.alone else self.run.is_settled(self.answers.values())

    def _all_searched(self) -> bool:
        return all(answer.verdict is not Verdict.UNKNOWN for answer in self.answers.values())

    def _end_of_search(self) -> None:
        """All up to the bound is searched: who only searches can add nothing any more."""
        self.searched = True
        for entrant in self.entrants:
            if entrant.name == "bmc":
                entrant.stop()
        if not self.deadline.is_limited:
            self.deadline = Deadline(max(_PROOF_SECONDS, self.clock.spent()), _LATE)

    def _unknown(self) -> list[tuple[int, PropertyAnswer]]:
        return [(k, one) for k, one in self.answers.items() if one.verdict is Verdict.UNKNOWN]

    def _hear(self, entrant: Entrant, message: tuple[Any, ...]) -> None:
        match message:
            case (kind, error) if kind == CRASHED:
                raise error
            case ("settled", k, answer):
                self._take(k, answer, entrant)
                if not self.alone and not self.searched and self._all_searched():
                    self._end_of_search()
            case ("done", found):
                for k, answer in found.items():
                    self._take(k, answer, entrant)
                if not self.searched and self._all_searched():
                    self._end_of_search()
                self.ended = True
            case ("time", time, count):
                self._examines(entrant, time, count)

    def _tell_others(self, entrant: Entrant, message: tuple[Any, ...]) -> None:
        """What one engine has found out is told to the others."""
        for other in self.entrants:
            if other is not entrant:
                other.tell(message)

    def _examines(self, entrant: Entrant, time: int, count: int) -> None:
        """An engine begins with a time: what is open holds before it."""
        self.run.tell(time, count)
        if entrant.name == "bmc" and self.run.kmin:
            return
        before = min((answer.depth for _, answer in self._unknown()), default=time)
        if time - 1 > before:
            self._tell_others(entrant, ("known", time - 1))
        for k, answer in self._unknown():
            if time - 1 > answer.depth:
                self.answers[k] = replace(answer, bound=time - 1)

    def _take(self, k: int, answer: PropertyAnswer, entrant: Entrant) -> None:
        known = self.answers[k]
        if known.verdict.is_definite:
            return
        if answer.verdict.is_definite:
            self._tell_others(entrant, ("settled", k, answer.verdict is Verdict.HOLDS))
        better = answer.verdict is Verdict.BOUNDED or known.verdict is Verdict.UNKNOWN
        if answer.verdict.is_definite or (better and answer.depth >= known.depth):
            self.answers[k] = answer


def _has_large_memory(evaluator: Evaluator) -> bool:
    """Whether a bad state depends on a memory of more bits than are followed one by one."""
    roots = [*evaluator.bads, *evaluator.constraints]
    sorts = [evaluator.sorts[place] for place in evaluator.cone(roots)]
    return any(isinstance(sort, ArraySort) and not is_small(sort) for sort in sorts)


def _in_arrays(evaluator: Evaluator) -> bool:
    """Whether the properties depend on arrays."""
    cone = evaluator.cone([*evaluator.bads, *evaluator.constraints])
    arrays = (place for place in evaluator.states if place in cone)
    return any(isinstance(evaluator.sorts[place], ArraySort) for place in arrays)
