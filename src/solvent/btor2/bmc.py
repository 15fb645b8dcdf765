"""Bounded model checking (section 5.5): does an execution of length 0, 1, 2, ... go to a bad state?

The model is unrolled symbolically, and only those properties are asked about that did not become
constant.  If the states stop changing, or no execution satisfies the constraints any more, what
holds so far holds for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from solvent.btor2.program import Program
from solvent.btor2.results import Finding, Verdict
from solvent.btor2.solving import Deadline, OutOfTime, Questions
from solvent.btor2.syntax import Model
from solvent.btor2.traces import Execution, confirmed
from solvent.btor2.unroll import Unroller
from solvent.terms import not_, or_
from solvent.terms.model import Model as Assignment

# Told the time that is examined and how many properties are open.
Progress = Callable[[int, int], None]
# Told of a property, by its position, as soon as it is violated or proved.
Settled = Callable[[int, Finding], None]

ENGINE = "bounded model checking"


def bmc(
    model: Model | Program,
    kmax: int,
    kmin: int = 0,
    *,
    find_all: bool = False,
    properties: Sequence[int] | None = None,
    solver: str | None = None,
    deadline: Deadline | None = None,
    progress: Progress | None = None,
    settled: Settled | None = None,
) -> list[Finding]:
    """Look for executions to bad states, of lengths from `kmin` to `kmax`.

    Without `find_all` the search ends with the first execution that is found.  Nothing is proved if
    shorter executions are left out.

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
    >>> [str(finding) for finding in bmc(model, 10)]
    ['b0 (seven) is violated at time 1']
    """
    program = model if isinstance(model, Program) else Program(model)
    search = Search(program, properties, solver, deadline or Deadline(None), settled)
    return search.run(kmax, kmin, find_all, progress)


class Search:
    """The state of a search: which properties are open, and the unrolled model so far."""

    def __init__(
        self,
        program: Program,
        properties: Sequence[int] | None,
        solver: str | None,
        deadline: Deadline,
        settled: Settled | None = None,
    ) -> None:
        self.program = program
        self.settled = settled
        wanted = range(len(program.bads)) if properties is None else properties
        self.findings = {k: _finding(program.model, k) for k in wanted}
        self.open = list(self.findings)
        self.deadline = deadline
        self.questions = Questions(solver, deadline)
        places = [program.bads[k] for k in self.open]
        self.unroller = Unroller(program, [*places, *program.constraints])

    def run(self, kmax: int, kmin: int, find_all: bool, progress: Progress | None) -> list[Finding]:
        try:
            for time in range(kmax + 1):
                self.deadline.left()
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
        except OutOfTime as reason:
            for k in self.open:
                self.findings[k].reason = str(reason)
        finally:
            self.questions.close()
        return list(self.findings.values())

    def settle(self, verdict: Verdict, depth: int, reason: str = "") -> None:
        """Say the same about all open properties."""
        for k in self.open:
            finding = self.findings[k]
            finding.verdict, finding.depth, finding.reason = verdict, depth, reason
            self.tell(k)
        self.open = []

    def hold(self, kmin: int, depth: int, reason: str) -> None:
        """Say that no later time is bad: a proof, if no earlier time was left out."""
        self.settle(Verdict.BOUNDED if kmin else Verdict.HOLDS, depth, reason)

    def tell(self, k: int) -> None:
        """Tell of a finding that is final."""
        finding = self.findings[k]
        if self.settled is not None and finding.verdict in (Verdict.VIOLATED, Verdict.HOLDS):
            self.settled(k, finding)

    def constrain(self) -> bool:
        """Assert the constraints of this time; False if one of them is false."""
        for place in self.program.constraints:
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
            found = self.ask(time, candidates) if candidates else []
            if not found:
                for k in self.open:
                    self.findings[k].depth = time
                for condition in candidates.values():
                    if condition is not True:
                        # It helps later checks to know this.
                        self.questions.add(not_(condition))
                return violated
            violated = True
            self.open = [k for k in self.open if k not in found]

    def candidates(self) -> dict[int, Any]:
        """The conditions of the open properties that may hold now."""
        found = {}
        for k in self.open:
            value = self.unroller.get(self.program.bads[k])
            if value.__class__ is not int:
                found[k] = value
            elif value:
                found[k] = True
        return found

    def ask(self, time: int, candidates: dict[int, Any]) -> list[int]:
        """The properties that one execution violates now; none if there is no such execution."""
        condition = or_(*candidates.values())
        assignment = Assignment()
        # What holds whatever is chosen needs no solver.
        if condition is not True or self.questions.has_assertions:
            if not self.questions.satisfiable(condition):
                return []
            assignment = self.questions.model()
        execution = Execution(self.program, self.unroller.chosen, assignment, time)
        found = confirmed(execution, time, candidates)
        witness = execution.witness([f"b{k}" for k in found])
        for k in found:
            if k in self.open:
                finding = self.findings[k]
                finding.verdict, finding.depth = Verdict.VIOLATED, time
                finding.witness = witness
                self.tell(k)
        return found


def _finding(model: Model, k: int) -> Finding:
    return Finding(f"b{k}", model.bads[k].symbol, engine=ENGINE)
