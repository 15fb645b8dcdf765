"""k-induction: a property holds if no bad state is reached in k steps, and none after k good ones.

The base is bounded model checking.  The step starts in any state.  States on the way must differ
(simple paths), which makes the method complete for finite systems; two states are only told to
differ once an answer has them equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from solvent.btor2.answers import PropertyAnswer
from solvent.btor2.bmc import Progress, Search, Settled
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
) -> list[PropertyAnswer]:
    """Prove bad states unreachable by induction over at most `kmax` steps, or reach them.

    Up to the time that is `known`, nothing is bad.

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
    search = Search(evaluator, properties, solver, deadline, settled, known)
    step = _Step(evaluator, search.open, solver, deadline)
    search.answers = {k: replace(one, engine=ENGINE) for k, one in search.answers.items()}
    try:
        for time in range(kmax + 1):
            deadline.check()
            if progress is not None:
                progress(time, len(search.open))
            if not search.constrain():
                search.settle(Verdict.HOLDS, time, "no execution is longer")
            elif search.examine(time) and not find_all:
                search.settle(Verdict.BOUNDED, time - 1)
            for k in step.proved(search.open):
                answer = replace(search.answers[k], bound=search.examined, reason=f"k = {time}")
                search.decide(k, replace(answer, verdict=Verdict.HOLDS))
                search.open.remove(k)
            if not search.open:
                break
            if time < kmax and not search.unroller.advance():
                search.settle(Verdict.HOLDS, time, "the states do not change any more")
                break
            step.extend()
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
        properties: Sequence[int],
        solver: str | None,
        deadline: Deadline,
    ) -> None:
        self.evaluator = evaluator
        self.properties = list(properties)
        roots = [*(evaluator.bads[k] for k in properties), *evaluator.constraints]
        self.questions, self.unroller = begin(evaluator, roots, solver, deadline, initialised=False)
        self.kept = [place for place in self.unroller.states if place in evaluator.nexts]
        # For each property, that it does not hold at the times before.
        self.good: dict[int, list[Value]] = {k: [] for k in properties}
        self.states: list[list[Value]] = []
        self.told: set[tuple[int, int]] = set()
        self.dead = False
        self._begin()

    def _begin(self) -> None:
        """Take the current time into account."""
        self.states.append([self.unroller.get(place) for place in self.kept])
        for place in self.evaluator.constraints:
            value = self.unroller.get(place)
            if value.__class__ is not int:
                self.questions.add(value)
            elif not value:
                self.dead = True

    def extend(self) -> None:
        """Go on to the next time."""
        for k in self.properties:
            value = self.unroller.get(self.evaluator.bads[k])
            condition = value if value.__class__ is not int else bool(value)
            self.good[k].append(self.questions.negation(condition))
        self.unroller.advance()
        self._begin()

    def proved(self, properties: Sequence[int]) -> list[int]:
        """Those of the properties that cannot be bad now if they were not before."""
        return [k for k in properties if self._holds(k)]

    def _holds(self, k: int) -> bool:
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
