"""Procedure summaries: the strongest inductive set of candidates (Houdini), for open calls.

A summary is a condition over the interface of a procedure: its inputs, its outputs, the global
variables `g` after it and `old(g)` before it.  Each query is about one procedure, in which the
calls do what their summaries say; callees come first, and procedures that call each other are
visited until nothing changes (section 6 of "Reachability Modulo Theories").
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from solvent.reach.graphs import components
from solvent.reach.passive import CallSite, renamed
from solvent.reach.program import Procedure, Program, Variable, old_value, quantified
from solvent.reach.templates import Template, template
from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.terms import Bool, BoolTerm, and_, eq, implies, not_, or_
from solvent.terms.kinds import Guard, Operand
from solvent.verdicts import Deadline

# The time that one question may take.
SECONDS = 2.0


def at_site(procedure: Procedure, site: CallSite, condition: Guard) -> Guard:
    """A condition over the interface of a procedure at a call of it."""
    values: dict[Variable, Operand] = {old_value(g): value for g, value in site.before.items()}
    values.update(site.before)
    values.update(site.after)
    values.update(zip(procedure.inputs, site.inputs, strict=True))
    values.update(zip(procedure.outputs, site.outputs, strict=True))
    return renamed(condition, values)


def at_exit(procedure: Procedure, found: Template, condition: Guard) -> Guard:
    """A condition over the interface of a procedure where its own formula returns."""
    values = dict(found.passive.entry_values)
    values.update(found.passive.exit_values)
    return renamed(condition, values)


@dataclass(slots=True)
class Summaries:
    """What is known about procedures, and what it cost."""

    known: dict[str, list[Guard]] = field(default_factory=dict)
    checks: int = 0
    seconds: float = 0.0

    def at(self, program: Program, site: CallSite) -> Guard:
        """What is known about a call."""
        found = self.known.get(site.procedure, ())
        procedure = program.procedure(site.procedure)
        return and_([at_site(procedure, site, condition) for condition in found])

    @property
    def count(self) -> int:
        """How many conditions there are."""
        return sum(map(len, self.known.values()))


def summarize(
    program: Program,
    candidates: Mapping[str, Sequence[Guard]],
    at_entry: Guard = True,
    deadline: Deadline | None = None,
) -> Summaries:
    """Find out which candidates hold; after the deadline, none of those that are left.

    Procedures are called only where the condition `at_entry` on global variables holds.

    >>> from solvent.reach.program import Assign, Block
    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> body = {"a": Block("a", (Assign((y,), (x + 1,)),), ())}
    >>> p = Procedure("p", (x,), (y,), (), body)
    >>> greater, other = summarize(Program((), {"p": p}), {"p": [y > x, y < x, y >= x]}).known["p"]
    >>> greater is (y > x), other is (y >= x)
    (True, True)
    """
    started = time.monotonic()
    graph = program.call_graph
    with _Houdini(program, candidates, graph, at_entry, deadline or Deadline()) as houdini:
        for component in components(graph):
            houdini.settle(component)
    known = {name: found for name, found in houdini.alive.items() if found}
    return Summaries(known, houdini.checks, time.monotonic() - started)


class _Houdini:
    """One solver for the questions about all procedures."""

    def __init__(
        self,
        program: Program,
        candidates: Mapping[str, Sequence[Guard]],
        graph: Mapping[str, Sequence[str]],
        at_entry: Guard,
        deadline: Deadline,
    ) -> None:
        self.program = program
        self.alive = {name: list(candidates.get(name, ())) for name in graph}
        self.graph = graph
        self.at_entry = at_entry
        self.deadline = deadline
        self.checks = 0
        self.solver = Solver("z3:triggers" if quantified(program) else "z3:simple")
        # The start of the solver does not count as the time of a procedure.
        self.solver.check()
        self.solver.add(*program.axioms)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.solver.close()

    def settle(self, component: Iterable[str]) -> None:
        """Drop candidates of procedures that call each other until all that are left hold."""
        together = list(component)
        waiting = dict.fromkeys(name for name in together if self.alive[name])
        while waiting:
            name = next(iter(waiting))
            del waiting[name]
            before = len(self.alive[name])
            self.alive[name] = [] if self.deadline.is_over else self.holding(name)
            if len(self.alive[name]) < before:
                callers = [one for one in together if name in self.graph[one] and self.alive[one]]
                waiting.update(dict.fromkeys(callers))

    def holding(self, name: str) -> list[Guard]:
        """The candidates of a procedure that hold if those of the callees do."""
        procedure = self.program.procedure(name)
        found = template(self.program, name)
        known = Summaries(self.alive)
        alive = {
            Bool(f"candidate {place}"): condition
            for place, condition in enumerate(self.alive[name])
        }
        self.solver.push()
        self.solver.add(
            found.formula,
            renamed(self.at_entry, found.passive.entry_values),
            *(implies(site.taken, known.at(self.program, site)) for site in found.passive.calls),
            *(eq(one, at_exit(procedure, found, condition)) for one, condition in alive.items()),
        )
        self.drop(alive)
        self.solver.pop()
        return list(alive.values())

    def drop(self, alive: dict[BoolTerm, Guard]) -> None:
        """Take candidates away as long as the solver finds an execution in which one fails."""
        while alive:
            failing = Bool(f"one of {len(alive)} fails")
            self.solver.add(implies(failing, or_([not_(one) for one in alive])))
            self.checks += 1
            status = self.solver.check(failing, timeout=SECONDS)
            if status is Status.UNSAT:
                return
            model = self.solver.values(list(alive))
            # Where the solver gave up, nothing is certain.
            lost = [one for one in alive if status is Status.UNKNOWN or model[one] is not True]
            for one in lost:
                del alive[one]
