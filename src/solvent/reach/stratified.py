"""Stratified inlining: figures 7 to 10 of "Reachability Modulo Theories".

The call tree is grown only where an execution may go: an underapproximating query blocks all open
calls, an overapproximating one lets them do anything, and the open calls on the execution that it
finds are inlined, as long as their recursion bound is not reached.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from solvent.reach.equations import Equations, may_return
from solvent.reach.passive import CallSite, Maker, Passive, Statement, passify, renamed
from solvent.reach.program import (
    Assert,
    Assume,
    Call,
    Clause,
    Program,
    ProgramError,
    Variable,
    has_quantifiers,
)
from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.terms import Bool, implies, not_, substitute
from solvent.terms.model import Model
from solvent.terms.term import Term

# --- templates ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Template:
    """VCGEN(f): the formula of a procedure, and its open calls."""

    passive: Passive
    equations: Equations
    formula: Any
    # The constants that each instance has of its own.
    inner: tuple[Any, ...]


def open_call(program: Program) -> Callable[..., Any]:
    """What becomes of a call: an assumption that a fresh Boolean constant is true (figure 7)."""
    counter = iter(range(1 << 60))

    def rule(
        call: Call, known: dict[Variable, Any], maker: Maker
    ) -> tuple[list[Statement], dict[Variable, Any], CallSite]:
        callee = program.procedure(call.procedure)
        taken = Bool(f"call {next(counter)}")
        outputs = tuple(maker.fresh(variable) for variable in call.outputs)
        after = {variable: maker.fresh(variable) for variable in callee.modifies}
        site = CallSite(
            taken,
            call.procedure,
            tuple(renamed(value, known) for value in call.inputs),
            {variable: known[variable] for variable in program.globals},
            outputs,
            after,
            where=call.where,
        )
        new = {**after, **dict(zip(call.outputs, outputs, strict=True))}
        statement = Statement(taken, origin=call, values=tuple(new.items()), where=call.where)
        return [statement], new, site

    return rule


def template(program: Program, name: str) -> Template:
    """The formula of a procedure, made once for all its instances."""
    passive = passify(program.procedure(name), program, open_call(program), results=True)
    found = may_return(passive)
    procedure = passive.procedure
    # Constants that are no variables mean the same everywhere.
    own = [*procedure.outputs, *procedure.locals, *found.constants.values()]
    own += [site.taken for site in passive.calls]
    for block in passive.blocks.values():
        for statement in block.statements:
            own += [incarnation for _, incarnation in statement.values]
    shared = {*program.globals, *procedure.inputs, *passive.exit_values.values()}
    inner = tuple(one for one in dict.fromkeys(own) if one not in shared)
    return Template(passive, found, found.formula, inner)


# --- the call tree -----------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class Node:
    """A dynamic instance of a procedure; open as long as it is not inlined."""

    procedure: str
    # The Boolean constant that says whether it happens; True for the first procedure.
    taken: Any
    site: CallSite | None
    parent: Node | None
    number: int
    # Once it is inlined: its constants, as renamed, and its calls.
    renaming: dict[Any, Any] | None = None
    template: Template | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Whether it has not been inlined."""
        return self.template is None

    @property
    def depth(self) -> int:
        """RB of the paper: how many instances of the procedure there are on the way to the root."""
        count, node = 0, self.parent
        while node is not None:
            count += node.procedure == self.procedure
            node = node.parent
        return count

    def value(self, term: Any) -> Any:
        """A term of the template as a term of this instance."""
        if not isinstance(term, Term) or self.renaming is None:
            return term
        # Most often it is a constant.
        found = self.renaming.get(term)
        return substitute(term, self.renaming) if found is None else found

    def __str__(self) -> str:
        inside = ", ".join(map(str, self.children))
        return f"{self.procedure}({inside})" if self.children else self.procedure


class Verdict(Enum):
    """The three answers of Corral, and that of a solver that does not know."""

    BUG = "bug"
    NO_BUG = "no bug"
    BOUND_REACHED = "no bug within the recursion bound"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Statistics:
    """What a search cost."""

    under_queries: int = 0
    over_queries: int = 0
    inlined: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict, and for a bug the model and the tree that an execution can be read from."""

    verdict: Verdict
    root: Node
    model: Model | None
    statistics: Statistics
    reason: str = ""
    # The procedures whose bound was reached.
    blocked: tuple[str, ...] = ()


# Where triggers do not decide, Z3 may look for a model of the quantifiers for so many seconds.
SECOND_OPINION = 10.0


class Timeout(Exception):
    """The time limit is reached."""


class StratifiedInlining:
    """The search for an execution of a procedure that returns, with a recursion bound."""

    def __init__(
        self,
        program: Program,
        main: str,
        bound: int,
        goal: Callable[[Node], Any] = lambda root: True,
        bounds: Mapping[str, int] | None = None,
        summaries: Mapping[str, Callable[[Node], Any]] | None = None,
        timeout: float | None = None,
        solver: str | None = None,
    ) -> None:
        self.program = program
        self.bound = bound
        # Larger bounds of some procedures.
        self.bounds = bounds or {}
        self.summaries = summaries or {}
        self.templates: dict[str, Template] = {}
        self.statistics = Statistics()
        self.deadline = None if timeout is None else time.monotonic() + timeout
        # With quantifiers only what the triggers prove is certain.
        self.solver = Solver(solver or ("z3:triggers" if _quantified(program) else "z3"))
        self.numbers = iter(range(1 << 60))
        self.open: dict[Any, Node] = {}
        self.root = Node(main, True, None, None, next(self.numbers))
        for axiom in program.axioms:
            self.solver.add(axiom)
        self.instantiate(self.root)
        self.solver.add(goal(self.root))

    # --- figure 8 ---

    def instantiate(self, node: Node) -> None:
        """INSTANTIATE, and INIT for the first procedure: assert the formula of a node."""
        found = self.template(node.procedure)
        renaming = {one: one.sort(f"{one.name}#{node.number}") for one in found.inner}
        renaming.update(self.interface(node, found))
        node.template, node.renaming = found, renaming
        self.solver.add(implies(node.taken, node.value(found.formula)))
        self.open.pop(node.taken, None)
        for site in found.passive.calls:
            self.grow(node, site)
        self.statistics.inlined += 1

    def interface(self, node: Node, found: Template) -> dict[Any, Any]:
        """What the interface variables of a template are in an instance."""
        procedure, exits = found.passive.procedure, found.passive.exit_values
        if node.site is None:
            return {}
        values = dict(zip(procedure.inputs, node.site.inputs, strict=True))
        values.update(node.site.before)
        results = dict(zip(procedure.outputs, node.site.outputs, strict=True))
        results.update(node.site.after)
        values.update({exits[variable]: value for variable, value in results.items()})
        return values

    def grow(self, node: Node, site: CallSite) -> None:
        """Create the edge to an open call."""
        assert node.renaming is not None
        here = CallSite(
            node.value(site.taken),
            site.procedure,
            tuple(map(node.value, site.inputs)),
            {variable: node.value(value) for variable, value in site.before.items()},
            tuple(map(node.value, site.outputs)),
            {variable: node.value(value) for variable, value in site.after.items()},
            site.label,
            site.where,
        )
        child = Node(site.procedure, here.taken, here, node, next(self.numbers))
        node.children.append(child)
        self.open[here.taken] = child
        summary = self.summaries.get(site.procedure)
        if summary is not None:
            self.solver.add(implies(here.taken, summary(child)))

    def template(self, name: str) -> Template:
        """VCGEN of a procedure."""
        if name not in self.templates:
            if not self.program.procedure(name).blocks:
                raise ProgramError(f"the procedure {name} has no body")
            self.templates[name] = template(self.program, name)
        return self.templates[name]

    # --- figure 9 ---

    def query_under(self) -> Status:
        """QUERYUNDER: is there an execution through inlined calls only?"""
        self.statistics.under_queries += 1
        return self.check([not_(taken) for taken in self.open])

    def query_over(self, blocked: Sequence[Node]) -> Status:
        """QUERYOVER: is there one through open calls within the bound?"""
        self.statistics.over_queries += 1
        return self.check([not_(node.taken) for node in blocked])

    def check(self, assumptions: Sequence[Any]) -> Status:
        """Ask the solver, in the time that is left."""
        left = None if self.deadline is None else self.deadline - time.monotonic()
        if left is not None and left <= 0:
            raise Timeout
        return self.solver.check(*assumptions, timeout=left)

    def beyond(self) -> list[Node]:
        """The open calls whose bound is reached."""
        return [
            node
            for node in self.open.values()
            if node.depth > max(self.bound, self.bounds.get(node.procedure, 0))
        ]

    def within(self) -> list[Node]:
        """The other open calls."""
        beyond = set(self.beyond())
        return [node for node in self.open.values() if node not in beyond]

    def run(self, step: Callable[[StratifiedInlining], None] = lambda search: None) -> Answer:
        """Both queries in turn, until one of them decides; `step` sees the tree after each."""
        started = time.monotonic()
        try:
            while True:
                step(self)
                answer = self.round()
                if answer is not None:
                    return answer
        except Timeout:
            return self.answer(Verdict.UNKNOWN, reason="time limit")
        finally:
            self.statistics.seconds = time.monotonic() - started

    def run_static(self) -> Answer:
        """Static inlining, the baseline: inline everything within the bound, then ask once."""
        started = time.monotonic()
        try:
            while within := self.within():
                for node in within:
                    if self.deadline is not None and time.monotonic() > self.deadline:
                        raise Timeout
                    self.instantiate(node)
            if self.query_under() is not Status.UNSAT:
                return self.bug()
            return self.nothing_found(self.beyond())
        except Timeout:
            return self.answer(Verdict.UNKNOWN, reason="time limit")
        finally:
            self.statistics.seconds = time.monotonic() - started

    def round(self) -> Answer | None:
        """One underapproximating and one overapproximating query."""
        if self.query_under() is not Status.UNSAT:
            return self.bug()
        blocked = self.beyond()
        status = self.query_over(blocked)
        if status is Status.UNSAT:
            return self.nothing_found(blocked)
        model = self.found_model(status)
        nodes = [] if model is None else self.on_trace(self.root, model)
        if not nodes:
            return self.answer(Verdict.UNKNOWN, reason=self.solver.reason)
        for node in nodes:
            self.instantiate(node)
        return None

    def found_model(self, status: Status) -> Model | None:
        """The model of a check, or what the solver was left with when it gave up."""
        return self.solver.model() if status is Status.SAT else self.solver.candidate()

    def bug(self) -> Answer:
        """What the underapproximating query has found, if that is certain."""
        if self.solver.answer.status is Status.SAT:
            return self.answer(Verdict.BUG, self.solver.model())
        reason = self.solver.reason
        with Solver("z3", timeout=SECOND_OPINION) as other:
            other.add(*self.solver.assertions, *(not_(taken) for taken in self.open))
            if other.check() is Status.SAT:
                return self.answer(Verdict.BUG, other.model())
        return self.answer(Verdict.UNKNOWN, reason=reason)

    def nothing_found(self, blocked: Sequence[Node]) -> Answer:
        """No execution within the bound: is there none at all?"""
        if not blocked or self.query_over(()) is Status.UNSAT:
            return self.answer(Verdict.NO_BUG)
        names = dict.fromkeys(node.procedure for node in blocked)
        return self.answer(Verdict.BOUND_REACHED, blocked=tuple(names))

    def answer(
        self,
        verdict: Verdict,
        model: Model | None = None,
        reason: str = "",
        blocked: tuple[str, ...] = (),
    ) -> Answer:
        """The result of the search."""
        return Answer(verdict, self.root, model, self.statistics, reason, blocked)

    def on_trace(self, node: Node, model: Model) -> list[Node]:
        """The open calls on the execution that a model describes."""
        found: list[Node] = []
        stack = [node]
        while stack:
            here = stack.pop()
            taken = {child.taken: child for child in here.children}
            for label in path(here, model):
                for site in here.template.passive.calls:  # type: ignore[union-attr]
                    if site.label == label:
                        child = taken[here.value(site.taken)]
                        (found if child.is_open else stack).append(child)
        return found

    def close(self) -> None:
        """Let the solver go."""
        self.solver.close()


def path(node: Node, model: Model) -> list[str]:
    """The labels of the blocks of an instance that the execution of a model goes through."""
    assert node.template is not None
    blocks, names = node.template.passive.blocks, node.template.equations.constants
    label = node.template.passive.entry
    labels = [label]
    while blocks[label].targets:
        taken = [t for t in blocks[label].targets if model.evaluate(node.value(names[t])) is True]
        if not taken:
            # Only where a solver gave up there is no way on.
            break
        label = taken[0]
        labels.append(label)
    return labels


def _quantified(program: Program) -> bool:
    """Whether there are quantifiers anywhere in a program."""
    conditions = [
        found.condition
        for procedure in program.procedures.values()
        for found in (*procedure.requires, *procedure.ensures, *procedure.commands)
        if isinstance(found, (Assume, Assert, Clause))
    ]
    return any(map(has_quantifiers, (*program.axioms, *conditions)))
