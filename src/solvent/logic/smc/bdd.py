"""Boolean programs by binary decision diagrams: the sets of states of section 3, without a solver.

All variables are Boolean, so the states at a location are one diagram, and the fixpoint is reached
after finitely many steps.  The diagrams are those of the package `dd`.
"""

from __future__ import annotations

from typing import Any

from dd.autoref import BDD

from solvent.logic.method import Questions
from solvent.logic.smc.transitions import ERROR, System, Transition
from solvent.terms import Bool
from solvent.terms.booleans import AND, EQ, ITE, NOT, OR
from solvent.terms.graph import constants, reachable
from solvent.terms.kinds import Operand
from solvent.terms.term import CONSTANT, Term
from solvent.verdicts import Answer, Verdict

_OPERATORS = (AND, OR, NOT, EQ, CONSTANT)


def is_boolean(system: System) -> bool:
    """Whether everything in a program is Boolean."""
    terms = _terms(system)
    return (
        not system.recursive
        and all(variable.sort is Bool for variable in (*system.flat.inputs, *system.flat.variables))
        and all(
            term.sort is Bool and (term.op in _OPERATORS or term.op.base is ITE)
            for term in reachable(terms)
        )
    )


def _terms(system: System) -> list[Operand]:
    found: list[Operand] = list(system.flat.source.axioms)
    for one in system.transitions:
        found += [one.guard, *one.updates.values()]
    return found


class Diagrams:
    """The states that can be reached, one diagram for each location."""

    def __init__(self, system: System, questions: Questions) -> None:
        self.system = system
        self.questions = questions
        self.bdd = BDD()
        flat = system.flat
        variables = dict.fromkeys((*flat.inputs, *flat.variables, *constants(*_terms(system))))
        # Names of programs need not be names of diagrams.
        self.names = {variable: f"v{place}" for place, variable in enumerate(variables)}
        for name in self.names.values():
            self.bdd.declare(name, f"{name}p")
        self.states: dict[int, Any] = {}
        self.steps = 0

    def run(self) -> Answer:
        """Add states until there are no new ones, or the error can be reached."""
        start = self.diagram(True)
        for axiom in self.system.flat.source.axioms:
            start &= self.diagram(axiom)
        self.states[self.system.start] = start
        waiting = {self.system.start: start}
        while waiting:
            self.questions.deadline.check()
            location = next(iter(waiting))
            new = waiting.pop(location)
            for one in self.system.after(location):
                found = self.post(new, one)
                self.steps += 1
                known = self.states.get(one.target, self.bdd.false)
                fresh = found & ~known
                if fresh == self.bdd.false:
                    continue
                if one.target == ERROR:
                    reason = f"the error is reached after {self.steps} steps"
                    return Answer(verdict=Verdict.VIOLATED, reason=reason)
                self.states[one.target] = known | found
                waiting[one.target] = waiting.get(one.target, self.bdd.false) | fresh
        reason = f"a fixpoint after {self.steps} steps, with {len(self.bdd)} nodes"
        return Answer(verdict=Verdict.HOLDS, reason=reason)

    def post(self, states: Any, one: Transition) -> Any:
        """The states after a transition."""
        states = states & self.diagram(one.guard)
        changed = {self.names[variable] for variable in (*one.updates, *one.havoc)}
        for variable, value in one.updates.items():
            after = self.bdd.var(f"{self.names[variable]}p")
            states &= ~self.bdd.apply("xor", after, self.diagram(value))
        if changed:
            states = self.bdd.exist(changed, states)
        renaming = {f"{self.names[v]}p": self.names[v] for v in one.updates}
        return self.bdd.let(renaming, states) if renaming else states

    def diagram(self, formula: Operand) -> Any:
        """The diagram of a formula."""
        if not isinstance(formula, Term):
            return self.bdd.true if formula else self.bdd.false
        made: dict[Term, Any] = {}

        def of(part: Operand) -> Any:
            return made[part] if isinstance(part, Term) else self.diagram(part)

        for term in reachable([formula]):
            parts = [of(part) for part in term.args]
            if term.op is CONSTANT:
                made[term] = self.bdd.var(self.names[term])
            elif term.op is NOT:
                made[term] = ~parts[0]
            elif term.op is AND:
                made[term] = parts[0] & parts[1]
            elif term.op is OR:
                made[term] = parts[0] | parts[1]
            elif term.op is EQ:
                made[term] = ~self.bdd.apply("xor", *parts)
            else:
                made[term] = self.bdd.ite(*parts)
        return made[formula]

    def count(self, states: Any) -> int:
        """How many values of the variables a diagram stands for."""
        return int(states.count(nvars=len(self.names)))

    def lines(self) -> list[str]:
        """How many states can be reached, by location."""
        count = len(self.system.flat.inputs) + len(self.system.flat.variables)
        return [
            f"pc = {location}: {self.count(found)} of {1 << count} states, {len(found)} nodes"
            for location, found in sorted(self.states.items())
            if location != ERROR
        ]
