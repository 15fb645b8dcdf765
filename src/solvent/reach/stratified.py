"""Stratified inlining: figures 7 to 10 of "Reachability Modulo Theories".

The call tree is grown only where an execution may go: an underapproximating query blocks all open
calls, an overapproximating one lets them do anything, and the open calls on the execution that it
finds are inlined, as long as their recursion bound is not reached.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, cast, overload

from solvent.errors import SolverError
from solvent.reach.efforts import ENDLESS, is_exhausted, prefers_facts, solver_at
from solvent.reach.passive import CallSite
from solvent.reach.program import Program, ProgramError, quantified
from solvent.reach.summaries import Summaries
from solvent.reach.templates import Template, template
from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.terms import implies, not_, substitute
from solvent.terms.kinds import Guard, Operand
from solvent.terms.model import Model
from solvent.terms.term import Term
from solvent.verdicts import Answer, Deadline, OutOfTime, Verdict

# --- the call tree -----------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class Node:
    """A dynamic instance of a procedure; open as long as it is not inlined."""

    procedure: str
    # The Boolean constant that says whether it happens; True for the first procedure.
    taken: Guard
    site: CallSite | None
    parent: Node | None
    number: int
    # RB of the paper: how many instances of the procedure there are up to the root, with this one.
    depth: int = 1
    # How many calls there are on the way to the root.
    level: int = 0
    # Once it is inlined: its constants, as renamed, and its calls.
    renaming: dict[Term, Operand] | None = None
    template: Template | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Whether it has not been inlined."""
        return self.template is None

    def instances(self, procedure: str) -> int:
        """How many instances of a procedure there are on the way to the root, with this one."""
        count, node = 0, cast("Node | None", self)
        while node is not None:
            count += node.procedure == procedure
            node = node.parent
        return count

    @overload
    def value(self, term: Guard) -> Guard: ...
    @overload
    def value(self, term: Operand) -> Operand: ...

    def value(self, term: Operand) -> Operand:
        """A term of the template as a term of this instance."""
        if not isinstance(term, Term) or self.renaming is None:
            return term
        # Most often it is a constant.
        found = self.renaming.get(term)
        return substitute(term, self.renaming) if found is None else found

    def __str__(self) -> str:
        inside = ", ".join(map(str, self.children))
        return f"{self.procedure}({inside})" if self.children else self.procedure


# The three answers of Corral, and that of a solver that does not know.
BUG_OR_NOT: Mapping[Verdict, str] = {
    Verdict.VIOLATED: "bug",
    Verdict.HOLDS: "no bug",
    Verdict.BOUNDED: "no bug within the recursion bound",
    Verdict.UNKNOWN: "unknown",
}


@dataclass(slots=True)
class Statistics:
    """What a search cost."""

    under_queries: int = 0
    over_queries: int = 0
    inlined: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class InliningAnswer(Answer):
    """A verdict, and for a bug the model and the tree that an execution can be read from."""

    WORDS: ClassVar[Mapping[Verdict, str]] = BUG_OR_NOT

    root: Node
    model: Model | None
    statistics: Statistics
    # The procedures whose bound was reached.
    blocked: tuple[str, ...] = ()
    # Whether the model is what a solver was left with that could not decide about quantifiers.
    guessed: bool = False


# Where triggers do not decide, Z3 may look for a model of the quantifiers for so many seconds.
SECOND_OPINION = 10.0
# If there is a candidate for a model, less is enough: running the program decides.
QUICK_OPINION = 2.0
# That search can take all memory there is.
SECOND_OPINION_MEGABYTES = 4096


# So many procedures are inlined before something, and then more, is found out about others.
PATIENCE = (20, 500)


class StratifiedInlining:
    """The search for an execution of a procedure that returns, with a recursion bound."""

    def __init__(
        self,
        program: Program,
        main: str,
        bound: int,
        goal: Callable[[Node], Guard] = lambda root: True,
        bounds: Mapping[str, int] | None = None,
        lessons: Sequence[Callable[[], Summaries]] = (),
        grown: Iterable[Node] = (),
        deadline: Deadline | None = None,
        stack: int | None = None,
    ) -> None:
        self.program = program
        self.bound = bound
        # Larger bounds of some procedures.
        self.bounds = bounds or {}
        # How many calls may be inside of each other, whatever they call.
        self.stack = stack
        # Whether it is an abstraction, whose executions are followed through the program.
        self.is_abstract = False
        # What can be found out about procedures, if the search becomes long.
        self.lessons = list(lessons)
        self.summaries = Summaries()
        self.templates: dict[str, Template] = {}
        self.statistics = Statistics()
        self.deadline = deadline or Deadline()
        # With quantifiers only what the triggers prove is certain, and steps are counted.
        self.effort = 0
        self.limited = quantified(program)
        self.solver = solver_at(self.effort) if self.limited else Solver("z3")
        # How many frames are open for what the last question assumed.
        self.assumed = 0
        self.numbers = iter(range(1 << 60))
        self.open: dict[Guard, Node] = {}
        self.root = Node(main, True, None, None, next(self.numbers))
        for axiom in program.axioms:
            self.solver.add(axiom)
        self.instantiate(self.root)
        self.solver.add(goal(self.root))
        self.regrow(grown)

    # --- figure 8 ---

    def instantiate(self, node: Node) -> None:
        """INSTANTIATE, and INIT for the first procedure: assert the formula of a node."""
        found = self.template(node.procedure)
        renaming: dict[Term, Operand] = {
            one: one.sort(f"{one.name} #{node.number}") for one in found.inner
        }
        renaming.update(self.interface(node, found))
        node.template, node.renaming = found, renaming
        self.state(implies(node.taken, node.value(found.formula)))
        self.open.pop(node.taken, None)
        for site in found.passive.calls:
            self.grow(node, site)
        self.statistics.inlined += 1

    def interface(self, node: Node, found: Template) -> dict[Term, Operand]:
        """What the interface variables of a template are in an instance."""
        procedure, exits = found.passive.procedure, found.passive.exit_values
        if node.site is None:
            return {}
        values: dict[Term, Operand] = dict(zip(procedure.inputs, node.site.inputs, strict=True))
        values.update(node.site.before)
        results: dict[Term, Operand] = dict(zip(procedure.outputs, node.site.outputs, strict=True))
        results.update(node.site.after)
        values.update({exits[variable]: value for variable, value in results.items()})
        return values

    def grow(self, node: Node, site: CallSite) -> None:
        """Create the edge to an open call."""
        assert node.renaming is not None
        here = CallSite(
            node.value(site.taken),
            site.procedure,
            tuple(node.value(one) for one in site.inputs),
            {variable: node.value(value) for variable, value in site.before.items()},
            tuple(node.value(one) for one in site.outputs),
            {variable: node.value(value) for variable, value in site.after.items()},
            site.label,
            site.where,
        )
        depth = node.instances(site.procedure) + 1
        child = Node(
            site.procedure, here.taken, here, node, next(self.numbers), depth, node.level + 1
        )
        node.children.append(child)
        self.open[here.taken] = child
        self.summarize(child)

    def summarize(self, node: Node) -> None:
        """Assume what is known about an open call."""
        assert node.site is not None
        self.state(implies(node.taken, self.summaries.at(self.program, node.site)))

    def state(self, fact: Guard) -> None:
        """Assert something for good, after taking back what the last question assumed."""
        self.take_back()
        self.solver.add(fact)

    def take_back(self) -> None:
        """Close the frame with what the last question assumed."""
        self.solver.pop(self.assumed)
        self.assumed = 0

    def regrow(self, grown: Iterable[Node]) -> None:
        """Inline what is given of the tree of another search, callers before what they call."""
        same: dict[int, Node] = {}
        for other in grown:
            if other.parent is None:
                same[id(other)] = self.root
                continue
            node = same[id(other.parent)]
            place = next(at for at, one in enumerate(other.parent.children) if one is other)
            same[id(other)] = node.children[place]
            self.instantiate(node.children[place])

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

    def check(self, assumptions: Sequence[Guard]) -> Status:
        """Ask the solver, in the time that is left, and a new one if it takes too many steps."""
        status = self.ask(assumptions)
        while self.limited and is_exhausted(self.solver, self.deadline):
            self.effort += 1
            self.limited = self.effort < ENDLESS
            self.take_back()
            known = self.solver.assertions
            self.solver.close()
            self.solver = solver_at(self.effort)
            self.solver.add(*known)
            status = self.ask(assumptions)
        return status

    def ask(self, assumptions: Sequence[Guard]) -> Status:
        """Ask the solver once, with facts instead of assumptions where these are harder."""
        self.take_back()
        if prefers_facts(self.effort):
            self.solver.push()
            self.assumed = 1
            self.solver.add(*assumptions)
            assumptions = ()
        return self.solver.check(*assumptions, timeout=self.deadline.check())

    def beyond(self) -> list[Node]:
        """The open calls whose bound is reached."""
        return [
            node
            for node in self.open.values()
            if node.depth > max(self.bound, self.bounds.get(node.procedure, 0))
            or (self.stack is not None and node.level > self.stack)
        ]

    def within(self) -> list[Node]:
        """The other open calls."""
        beyond = set(self.beyond())
        return [node for node in self.open.values() if node not in beyond]

    def run(
        self, step: Callable[[StratifiedInlining], None] = lambda search: None
    ) -> InliningAnswer:
        """Both queries in turn, until one of them decides; `step` sees the tree after each."""
        started = time.monotonic()
        try:
            while True:
                step(self)
                answer = self.round()
                if answer is not None:
                    return answer
        except OutOfTime as stop:
            return self.answer(Verdict.UNKNOWN, reason=str(stop))
        finally:
            self.statistics.seconds = time.monotonic() - started

    def run_static(self) -> InliningAnswer:
        """Static inlining, the baseline: inline everything within the bound, then ask once."""
        started = time.monotonic()
        try:
            while within := self.within():
                for node in within:
                    self.deadline.check()
                    self.instantiate(node)
            found = self.bug() if self.query_under() is not Status.UNSAT else None
            return found or self.nothing_found(self.beyond())
        except OutOfTime as stop:
            return self.answer(Verdict.UNKNOWN, reason=str(stop))
        finally:
            self.statistics.seconds = time.monotonic() - started

    def round(self) -> InliningAnswer | None:
        """One underapproximating and one overapproximating query."""
        if self.lessons and self.statistics.inlined > PATIENCE[-len(self.lessons)]:
            self.learn()
        found = self.bug() if self.query_under() is not Status.UNSAT else None
        if found is not None:
            return found
        blocked = self.beyond()
        status = self.query_over(blocked)
        if status is Status.UNSAT:
            return self.nothing_found(blocked)
        nodes = self.on_trace()
        if not nodes:
            return self.answer(Verdict.UNKNOWN, reason=self.solver.reason)
        for node in nodes:
            self.instantiate(node)
        return None

    def bug(self) -> InliningAnswer | None:
        """What the underapproximating query has found; None if there is no execution after all."""
        reason = self.solver.reason
        guess: Model | None = None
        try:
            if self.solver.checked.status is Status.SAT:
                return self.answer(Verdict.VIOLATED, self.solver.model())
            guess = self.solver.candidate()
        except SolverError as error:
            reason = str(error)
        if guess is not None and self.is_abstract:
            # Following it through the program itself says more than another solver.
            return replace(self.answer(Verdict.VIOLATED, guess, reason), guessed=True)
        seconds = SECOND_OPINION if guess is None else QUICK_OPINION
        with Solver("z3", timeout=seconds, memory_limit=SECOND_OPINION_MEGABYTES) as other:
            other.add(*self.solver.assertions, *(not_(taken) for taken in self.open))
            try:
                status = other.check()
                if status is Status.SAT:
                    return self.answer(Verdict.VIOLATED, other.model())
                if status is Status.UNSAT:
                    return None
            except SolverError:
                reason = "Z3 has a model, but with functions or maps that are no tables"
        if guess is not None:
            found = self.answer(Verdict.VIOLATED, guess, reason)
            return replace(found, guessed=True)
        return self.answer(Verdict.UNKNOWN, reason=reason)

    def nothing_found(self, blocked: Sequence[Node]) -> InliningAnswer:
        """No execution within the bound: is there none at all?"""
        while blocked and self.query_over(()) is not Status.UNSAT and self.lessons:
            self.learn()
        if not blocked or self.solver.checked.status is Status.UNSAT:
            return self.answer(Verdict.HOLDS)
        names = dict.fromkeys(node.procedure for node in blocked)
        return self.answer(Verdict.BOUNDED, blocked=tuple(names))

    def learn(self) -> None:
        """Find out about procedures, which helps with all open calls."""
        self.summaries = self.lessons.pop(0)()
        for node in self.open.values():
            self.summarize(node)

    def answer(
        self,
        verdict: Verdict,
        model: Model | None = None,
        reason: str = "",
        blocked: tuple[str, ...] = (),
    ) -> InliningAnswer:
        """The result of the search."""
        return InliningAnswer(
            self.root,
            model,
            self.statistics,
            blocked,
            verdict=verdict,
            reason=reason,
            bound=self.bound if verdict is Verdict.BOUNDED else None,
        )

    def on_trace(self) -> list[Node]:
        """The open calls on the execution that the last check has found.

        The solver is asked for the blocks of the nodes on it only, all of one depth at a time.
        """
        found: list[Node] = []
        level = [self.root]
        while level:
            names = [
                here.value(name)
                for here in level
                for name in here.template.equations.constants.values()  # type: ignore[union-attr]
            ]
            model = self.solver.values(names)  # type: ignore[arg-type]
            called = [child for here in level for child in calls_on(here, path(here, model))]
            found += [child for child in called if child.is_open]
            level = [child for child in called if not child.is_open]
        return found

    def close(self) -> None:
        """Let the solver go."""
        self.solver.close()


def inlined(root: Node) -> list[Node]:
    """The nodes of a tree that have been inlined, callers before what they call."""
    found = [root]
    for node in found:
        found += [child for child in node.children if not child.is_open]
    return found


def taken(root: Node, model: Model) -> list[Node]:
    """Those of them that the execution of a model goes through."""
    found = [root]
    for node in found:
        found += [child for child in calls_on(node, path(node, model)) if not child.is_open]
    return found


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


def calls_on(node: Node, labels: Sequence[str]) -> list[Node]:
    """The calls in some blocks of an inlined node."""
    assert node.template is not None
    sites = node.template.passive.calls
    on = set(labels)
    # There is one child for each call site, in the same order.
    return [child for child, site in zip(node.children, sites, strict=True) if site.label in on]
