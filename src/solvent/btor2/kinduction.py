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
from solvent.btor2.memory import Memory
from solvent.btor2.solving import Questions
from solvent.btor2.symbolic import Value
from solvent.btor2.syntax import Model
from solvent.btor2.system import as_term
from solvent.btor2.unroll import Unroller
from solvent.terms import and_, eq, not_
from solvent.terms.kinds import Guard
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
) -> list[PropertyAnswer]:
    """Prove bad states unreachable by induction over at most `kmax` steps, or reach them.

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
    search = Search(evaluator, properties, solver, deadline, settled)
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
                known = replace(search.answers[k], bound=search.examined, reason=f"k = {time}")
                search.decide(k, replace(known, verdict=Verdict.HOLDS))
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
        self.questions = Questions(solver, deadline)
        roots = [*(evaluator.bads[k] for k in properties), *evaluator.constraints]
        self.unroller = Unroller(evaluator, roots, initialised=False)
        self.kept = [place for place in self.unroller.states if place in evaluator.nexts]
        # For each property, that it does not hold at the times before.
        self.good: dict[int, list[Guard]] = {k: [] for k in properties}
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
            self.good[k].append(not_(value if value.__class__ is not int else bool(value)))
        self.unroller.advance()
        self._begin()

    def proved(self, properties: Sequence[int]) -> list[int]:
        """Those of the properties that cannot be bad now if they were not before."""
        return [k for k in properties if self._holds(k)]

    def _holds(self, k: int) -> bool:
        bad = self.unroller.get(self.evaluator.bads[k])
        goal = and_(*self.good[k], bad if bad.__class__ is not int else bool(bad))
        if goal is False or self.dead:
            return True
        while self.questions.satisfiable(goal):
            if not self._refine():
                return False
        return True

    def _refine(self) -> bool:
        """Tell states to differ that the last model has equal; False if there are none."""
        model = self.questions.model()
        found = False
        for j in range(len(self.states)):
            for i in range(j):
                if (i, j) in self.told:
                    continue
                same = self._equal(self.states[i], self.states[j])
                if same is True or (same is not False and model.evaluate(same) is True):
                    self.told.add((i, j))
                    self.questions.add(not_(same))
                    found = True
        return found

    def _equal(self, first: list[Value], second: list[Value]) -> Guard:
        parts = []
        for place, a, b in zip(self.kept, first, second, strict=True):
            if isinstance(a, Memory):
                same = a.equals(b)
                parts.append(bool(same) if same.__class__ is int else same)
            else:
                sort = self.evaluator.sorts[place]
                parts.append(eq(as_term(a, sort), as_term(b, sort)))
        return and_(*parts)
