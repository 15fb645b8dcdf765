"""k-induction: a property holds if no bad state is reached in k steps, and none after k good ones.

The base is bounded model checking.  The step starts in any state.  States on the way must differ
(simple paths), which makes the method complete for finite systems; two states are only told to
differ once an answer has them equal.

A property that holds for ever, as is known from here or from another engine, is assumed in all
states of the step.

Neither waits for the other for long: the step is asked about as many steps as the base has looked
at, but only as long as it has not taken more time than the base.  So a bad state that is reached
soon is found soon, however hard the step is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from solvent.btor2.answers import PropertyAnswer
from solvent.btor2.bmc import News, Progress, Search, Settled
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.logics import begin
from solvent.btor2.symbolic import Value
from solvent.btor2.syntax import Model
from solvent.verdicts import Deadline, GaveUp, Verdict

ENGINE = "k-induction"


def kinduction(
    model: Model | Evaluator,
    kmax: int,
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
    """Prove bad states unreachable by induction over at most `kmax` steps, or reach them.

    Up to the time that is `known`, nothing is bad; `news` tells what others find out meanwhile.

    >>> from solvent.btor2 import parse
    >>> model = parse('''1 sort bitvec 8
    ... 2 zero 1
    ... 3 state 1 n
    ... 4 init 1 3 2
    ... 5 constd 1 2
    ... 6 add 1 3 5
    ... 7 next 1 3 6
    ... 8 sort bitvec 1
    ... 9 slice 8 3 0 0
    ... 10 bad 9 odd''')
    >>> [str(answer) for answer in kinduction(model, 10)]
    ['b0 (odd) holds (k-induction, k = 1)']
    """
    evaluator = model if isinstance(model, Evaluator) else Evaluator(model)
    deadline = deadline or Deadline(None)
    search = Search(evaluator, properties, solver, deadline, settled, known, news)
    step = _Step(evaluator, search, solver, deadline)
    search.answers = {k: replace(one, engine=ENGINE) for k, one in search.answers.items()}
    try:
        begun = perf_counter()
        for time in range(kmax + 1):
            deadline.check()
            search.listen()
            if progress is not None and search.open:
                progress(time, len(search.open))
            if not search.constrain():
                search.settle(Verdict.HOLDS, time, "no execution is longer")
            elif search.examine(time) and not find_all:
                search.settle(Verdict.BOUNDED, time - 1)
            while search.open and step.k <= time and 2 * step.seconds <= perf_counter() - begun:
                step.advance()
            if not search.open:
                break
            if time < kmax and not search.unroller.advance():
                search.settle(Verdict.HOLDS, time, "the states do not change any more")
                break
        if search.open and settled is not None:
            for k in search.open:
                settled(k, replace(search.answers[k], verdict=Verdict.BOUNDED, bound=kmax))
        while search.open and step.k <= kmax:
            deadline.check()
            search.listen()
            step.advance()
        search.settle(Verdict.BOUNDED, kmax)
    except GaveUp as reason:
        search.give_up(str(reason))
    finally:
        search.questions.close()
        step.questions.close()
    return list(search.answers.values())


class _Step:
    """The induction step: an execution from any state, in which only the last state is bad."""

    def __init__(
        self,
        evaluator: Evaluator,
        search: Search,
        solver: str | None,
        deadline: Deadline,
    ) -> None:
        self.evaluator = evaluator
        self.search = search
        # How many steps are next, and what was spent on those before.
        self.k = 0
        self.seconds = 0.0
        self.properties = properties = list(search.open)
        roots = [*(evaluator.bads[k] for k in properties), *evaluator.constraints]
        self.questions, self.unroller = begin(evaluator, roots, solver, deadline, initialised=False)
        self.kept = [place for place in self.unroller.states if place in evaluator.nexts]
        # For each property, that it does not hold at the times before.
        self.good: dict[int, list[Value]] = {k: [] for k in properties}
        self.states: list[list[Value]] = []
        self.told: set[tuple[int, int]] = set()
        self.dead = False
        # What is bad at each time, and the properties that are assumed at all of them.
        self.bads: list[list[Value]] = []
        self.told_lemmas: dict[int, int] = {}
        self._begin()

    def _begin(self) -> None:
        """Take the current time into account."""
        self.bads.append([self.unroller.get(self.evaluator.bads[k]) for k in self.properties])
        self.states.append([self.unroller.get(place) for place in self.kept])
        for place in self.evaluator.constraints:
            value = self.unroller.get(place)
            if value.__class__ is not int:
                self.questions.add(value)
            elif not value:
                self.dead = True

    def advance(self) -> None:
        """Ask about the next number of steps, which the base must have looked at."""
        begun = perf_counter()
        if self.k:
            self._extend()
        search = self.search
        self._assume()
        for k in [k for k in search.open if self._holds(k)]:
            answer = replace(search.answers[k], bound=search.examined, reason=f"k = {self.k}")
            search.decide(k, replace(answer, verdict=Verdict.HOLDS))
            search.open.remove(k)
        self.k += 1
        self.seconds += perf_counter() - begun

    def _extend(self) -> None:
        """Go on to the next time."""
        for k in self.properties:
            value = self.unroller.get(self.evaluator.bads[k])
            condition = value if value.__class__ is not int else bool(value)
            self.good[k].append(self.questions.negation(condition))
        self.unroller.advance()
        self._begin()

    def _assume(self) -> None:
        """Assume at all times what is known to hold."""
        for k in self.search.lemmas:
            if k not in self.properties:
                continue
            place = self.properties.index(k)
            for values in self.bads[self.told_lemmas.get(k, 0) :]:
                bad = values[place]
                if bad.__class__ is not int:
                    self.questions.add(self.questions.negation(bad))
                elif bad:
                    self.dead = True
            self.told_lemmas[k] = len(self.bads)

    def _holds(self, k: int) -> bool:
        """Whether a property cannot be bad now if it was not before."""
        bad = self.unroller.get(self.evaluator.bads[k])
        last = bad if bad.__class__ is not int else bool(bad)
        goal = self.questions.all_of([*self.good[k], last])
        if goal is False or self.dead:
            return True
        while self.questions.satisfiable(goal):
            if not self._refine():
                return False
        return True

    def _refine(self) -> bool:
        """Tell states to differ that the last model has equal; False if there are none."""
        found = False
        for j in range(len(self.states)):
            for i in range(j):
                if (i, j) in self.told:
                    continue
                same = self._equal(self.states[i], self.states[j])
                if self.questions.is_true(same):
                    self.told.add((i, j))
                    self.questions.add(self.questions.negation(same))
                    found = True
        return found

    def _equal(self, first: list[Value], second: list[Value]) -> Value:
        sorts = self.evaluator.sorts
        return self.questions.all_of(
            self.questions.same(a, b, sorts[place])
            for place, a, b in zip(self.kept, first, second, strict=True)
        )
