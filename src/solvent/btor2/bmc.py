"""Bounded model checking (section 5.5): does an execution of length 0, 1, 2, ... go to a bad state?

The model is unrolled symbolically, and only those properties are asked about that did not become
constant.  If the states stop changing, or no execution satisfies the constraints any more, what
holds so far holds for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from solvent.btor2.answers import PropertyAnswer
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.logics import begin
from solvent.btor2.symbolic import Value
from solvent.btor2.syntax import Model
from solvent.btor2.traces import Execution, confirmed
from solvent.verdicts import Deadline, GaveUp, Verdict

# Told the time that is examined and how many properties are open.
Progress = Callable[[int, int], None]
# Told of a property, by its position, as soon as it is violated or proved.
Settled = Callable[[int, PropertyAnswer], None]
# What other engines have found out since it was asked: `("known", time)` if nothing that is open is
# bad up to a time, `("settled", k, holds)` of a property.
News = Callable[[], Sequence[tuple[Any, ...]]]

ENGINE = "bounded model checking"


def bmc(
    model: Model | Evaluator,
    kmax: int,
    kmin: int = 0,
    *,
    find_all: bool = False,
    properties: Sequence[int] | None = None,
    solver: str | None = None,
    deadline: Deadline | None = None,
    progress: Progress | None = None,
    settled: Settled | None = None,
    known: int = -1,
    news: News | None = None,
) -> list[PropertyAnswer]:
    """Look for executions to bad states, of lengths from `kmin` to `kmax`.

    Without `find_all` the search ends with the first execution that is found.  Nothing is proved if
    shorter executions are left out.  Up to the time that is `known`, nothing is bad; `news` tells
    what others find out meanwhile.

    >>> from solvent.btor2 import parse
    >>> model = parse('''1 sort bitvec 8
    ... 2 zero 1
    ... 3 state 1 n
    ... 4 init 1 3 2
    ... 5 input 1 by
    ... 6 add 1 3 5
    ... 7 next 1 3 6
    ... 8 sort bitvec 1
    ... 9 constd 1 7
    ... 10 eq 8 3 9
    ... 11 bad 10 seven''')
    >>> [str(answer) for answer in bmc(model, 10)]
    ['b0 (seven) is violated at time 1']
    """
    evaluator = model if isinstance(model, Evaluator) else Evaluator(model)
    deadline = deadline or Deadline(None)
    search = Search(evaluator, properties, solver, deadline, settled, known, news)
    return search.run(kmax, kmin, find_all, progress)


class Search:
    """The state of a search: which properties are open, and the unrolled model so far."""

    def __init__(
        self,
        evaluator: Evaluator,
        properties: Sequence[int] | None,
        solver: str | None,
        deadline: Deadline,
        settled: Settled | None = None,
        known: int = -1,
        news: News | None = None,
    ) -> None:
        self.evaluator = evaluator
        self.settled = settled
        self.known = known
        self.news = news
        # Which properties hold for ever, as is known from here or from others.
        self.lemmas: list[int] = []
        wanted = range(len(evaluator.bads)) if properties is None else properties
        self.answers = {k: first_answer(evaluator.model, k, ENGINE) for k in wanted}
        self.open = list(self.answers)
        # The last time at which nobody found an open property to be violated.
        self.examined: int | None = None
        self.deadline = deadline
        places = [evaluator.bads[k] for k in self.open]
        roots = [*places, *evaluator.constraints]
        self.questions, self.unroller = begin(evaluator, roots, solver, deadline)

    def run(
        self, kmax: int, kmin: int, find_all: bool, progress: Progress | None
    ) -> list[PropertyAnswer]:
        """Look at one time after the other."""
        try:
            for time in range(kmax + 1):
                self.deadline.check()
                self.listen()
                if not self.open:
                    break
                if progress is not None:
                    progress(time, len(self.open))
                if not self.constrain():
                    self.hold(kmin, time, "no execution is longer")
                    break
                if time >= kmin and self.examine(time) and not find_all:
                    self.settle(Verdict.BOUNDED, time - 1)
                    break
                if not self.open:
                    break
                if time < kmax and not self.unroller.advance() and time >= kmin:
                    self.hold(kmin, time, "the states do not change any more")
                    break
            else:
                self.settle(Verdict.BOUNDED, kmax)
        except GaveUp as reason:
            self.give_up(str(reason))
        finally:
            self.questions.close()
        return list(self.answers.values())

    def listen(self) -> None:
        """Take over what others have found out: they have told whoever watches."""
        for message in () if self.news is None else self.news():
            match message:
                case ("known", time):
                    self.known = max(self.known, time)
                case ("settled", k, holds):
                    if k in self.open:
                        self.open.remove(k)
                    if holds and k not in self.lemmas:
                        self.lemmas.append(k)

    def give_up(self, reason: str) -> None:
        """Say of all open properties why nothing more is known."""
        for k in self.open:
            self.answers[k] = replace(self.answers[k], reason=reason, bound=self.examined)

    def settle(self, verdict: Verdict, bound: int, reason: str = "") -> None:
        """Say the same about all open properties."""
        for k in self.open:
            answer = replace(self.answers[k], verdict=verdict, bound=bound, reason=reason)
            self.decide(k, answer)
        self.open = []

    def hold(self, kmin: int, bound: int, reason: str) -> None:
        """Say that no later time is bad: a proof, if no earlier time was left out."""
        self.settle(Verdict.BOUNDED if kmin else Verdict.HOLDS, bound, reason)

    def decide(self, k: int, answer: PropertyAnswer) -> None:
        """Keep an answer, and tell of it if it is final."""
        self.answers[k] = answer
        if answer.verdict is Verdict.HOLDS:
            self.lemmas.append(k)
        if self.settled is not None and answer.verdict.is_definite:
            self.settled(k, answer)

    def constrain(self) -> bool:
        """Assert the constraints of this time; False if one of them is false."""
        for place in self.evaluator.constraints:
            value = self.unroller.get(place)
            if value.__class__ is not int:
                self.questions.add(value)
            elif not value:
                return False
        return True

    def examine(self, time: int) -> bool:
        """Ask about the properties at this time; whether one is violated."""
        violated = False
        while True:
            candidates = self.candidates()
            asked = candidates if time > self.known else {}
            found = self.ask(time, asked) if asked else []
            if not found:
                self.examined = time
                for condition in candidates.values():
                    if condition is not True:
                        # It helps later checks to know this.
                        self.questions.add(self.questions.negation(condition))
                return violated
            violated = True
            self.open = [k for k in self.open if k not in found]

    def candidates(self) -> dict[int, Value]:
        """The conditions of the open properties that may hold now."""
        found: dict[int, Value] = {}
        for k in self.open:
            value = self.unroller.get(self.evaluator.bads[k])
            if value.__class__ is not int:
                found[k] = value
            elif value:
                found[k] = True
        return found

    def ask(self, time: int, candidates: dict[int, Value]) -> list[int]:
        """The properties that one execution violates now; none if there is no such execution."""
        condition = self.questions.any_of(candidates.values())
        # What holds whatever is chosen needs no solver.
        asked = condition is not True or self.questions.has_assertions
        if asked and not self.questions.satisfiable(condition):
            return []
        chosen = self.questions.choices(self.unroller.chosen, asked)
        execution = Execution(self.evaluator, chosen, time)
        found = confirmed(execution, time, candidates)
        witness = execution.witness([f"b{k}" for k in found])
        for k in found:
            if k in self.open:
                known = replace(self.answers[k], bound=self.examined, witness=witness)
                self.decide(k, replace(known, verdict=Verdict.VIOLATED, time=time))
        return found


def first_answer(model: Model, k: int, engine: str = "") -> PropertyAnswer:
    """What is known about a bad state before an engine has looked at it."""
    return PropertyAnswer(f"b{k}", model.bads[k].symbol, engine)
