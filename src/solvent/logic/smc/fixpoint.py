"""The forward fixpoint of section 3, with quantifier elimination.

    S := I;  repeat:  if S and T are satisfiable together, return error
                      if Post(S, TR) implies S, return safe
                      S := S or Post(S, TR)

The set S has a formula for each location.  Post(S, TR) is `exists s. S(s) and TR(s, s')`; Z3 makes
it free of quantifiers where the theory admits it.
"""

from __future__ import annotations

from solvent.logic.method import Questions
from solvent.logic.smc.transitions import ERROR, System, Transition
from solvent.reach.passive import renamed
from solvent.reach.program import Variable
from solvent.solvers.elimination import eliminate
from solvent.solvers.status import Status
from solvent.terms import Bool, Int, Real, and_, applied_functions, eq, not_, or_
from solvent.terms.kinds import Guard
from solvent.terms.sorts import BitVecSort
from solvent.verdicts import Answer, Deadline, Verdict

# More states than this at one location will not become fewer.
MOST_STATES = 40


class Fixpoint:
    """The states that can be reached, by location."""

    def __init__(self, system: System, questions: Questions, seconds: float) -> None:
        self.system = system
        self.questions = questions
        self.deadline = Deadline(seconds)
        self.states: dict[int, list[Guard]] = {}
        self.steps = 0

    @property
    def admissible(self) -> bool:
        """Whether the theory admits quantifier elimination: numbers and Booleans, no functions."""
        flat = self.system.flat
        sorts = [variable.sort for variable in (*flat.inputs, *flat.variables)]
        simple = all(
            sort is Bool or sort is Int or sort is Real or isinstance(sort, BitVecSort)
            for sort in sorts
        )
        terms = [
            term for one in self.system.transitions for term in (one.guard, *one.updates.values())
        ]
        functions = applied_functions(*terms, *flat.source.axioms)
        return simple and not functions and not self.system.recursive

    def run(self) -> Answer:
        """Add states until there are no new ones, or the error can be reached."""
        first = and_(self.system.flat.source.axioms)
        waiting: list[tuple[int, Guard]] = [(self.system.start, first)]
        self.states[self.system.start] = [first]
        while waiting:
            location, new = waiting.pop(0)
            for one in self.system.after(location):
                if self.deadline.is_over:
                    return Answer(reason=f"no fixpoint after {self.steps} steps")
                found = self.post(new, one)
                if found is None:
                    return Answer(reason="quantifiers could not be eliminated")
                self.steps += 1
                if found is False:
                    continue
                is_new = self.add(one.target, found)
                if is_new is None:
                    return Answer(reason="the solver gave up")
                if is_new and one.target == ERROR:
                    reason = f"the error is reached after {self.steps} steps"
                    return Answer(verdict=Verdict.VIOLATED, reason=reason)
                if is_new:
                    waiting.append((one.target, found))
        return Answer(verdict=Verdict.HOLDS, reason=f"a fixpoint after {self.steps} steps")

    def post(self, states: Guard, one: Transition) -> Guard | None:
        """The states after a transition from some states; None if there is no formula for them."""
        before: dict[Variable, Variable] = {
            variable: variable.sort(f"{variable.name} before")
            for variable in (*one.updates, *one.havoc)
        }
        condition = renamed(and_(states, one.guard), before)
        equal = [eq(variable, renamed(value, before)) for variable, value in one.updates.items()]
        left = self.deadline.left() or 0.0
        return eliminate(before.values(), and_([condition, *equal]), max(0.1, left))

    def add(self, location: int, found: Guard) -> bool | None:
        """Whether some states are new at a location; None if nobody knows."""
        known = self.states.setdefault(location, [])
        status, _ = self.questions.ask_often([found, not_(or_(known))])
        if status is Status.UNKNOWN:
            return None
        if status is Status.UNSAT:
            return False
        known.append(found)
        return True if len(known) <= MOST_STATES else None

    def lines(self) -> list[str]:
        """The states that can be reached, by location."""
        names = {ERROR: "err"}
        return [
            f"pc = {names.get(location, location)}: {or_(found)}"
            for location, found in sorted(self.states.items())
            if found and location != ERROR
        ]
