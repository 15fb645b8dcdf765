"""Function and block summaries: section 5.2 of "From Program to Logic".

A summary is a disjunction over the paths of a procedure, or of a block that ends where a branch
ends: a precondition over what the block reads, and what it gives to each variable that it writes,
under a primed name.  It is made once.  Where the block is met again, in whatever context, what it
reads is replaced by the symbolic values there, and the primed names are new inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from solvent.logic import notation
from solvent.logic.method import Questions
from solvent.logic.regions import EXIT, joins, paths, region
from solvent.reach.passive import renamed
from solvent.reach.program import (
    ASSERTION,
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Command,
    Havoc,
    Procedure,
    Program,
    Variable,
    assigned,
    old_value,
)
from solvent.solvers.status import Status
from solvent.terms import and_, constants, eq, not_, or_
from solvent.terms.kinds import Guard, Operand
from solvent.terms.term import Term

# A block with more paths has its inner branches summarized.
MOST_PATHS = 16
# A procedure with more paths is given up.
MOST_WALKS = 500
# How often a walk goes around a loop.
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Case:
    """One path: what it needs, and what the outputs are then; or that an assertion fails."""

    pre: tuple[Guard, ...]
    post: Mapping[Variable, Operand]
    fails: bool = False
    # The precondition as it is read: where other summaries were used, with their names.
    trail: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """The paths of a procedure or block, over the names of its variables."""

    name: str
    outputs: tuple[Variable, ...]
    cases: tuple[Case, ...]
    # Constants that each use of the summary has of its own.
    inner: tuple[Term, ...] = ()
    # Why paths may be missing.
    missing: tuple[str, ...] = ()

    @property
    def returning(self) -> list[Case]:
        """The paths that get to the end."""
        return [case for case in self.cases if not case.fails]

    @property
    def failing(self) -> list[Case]:
        """The paths on which an assertion fails."""
        return [case for case in self.cases if case.fails]

    def formula(
        self, known: Mapping[Variable, Operand], primed: Mapping[Variable, Operand]
    ) -> Guard:
        """The summary where variables have the values `known`, and outputs the names `primed`."""
        return or_(
            [
                and_(
                    [
                        *(renamed(one, known) for one in case.pre),
                        *(eq(primed[v], renamed(case.post[v], known)) for v in self.outputs),
                    ]
                )
                for case in self.returning
            ]
        )

    def failure(self, known: Mapping[Variable, Operand]) -> Guard:
        """That an assertion fails inside."""
        return or_([and_([renamed(one, known) for one in case.pre]) for case in self.failing])

    def lines(self) -> list[str]:
        """The disjunction, as the paper writes it."""
        found = []
        for case in self.cases:
            parts = list(case.trail) or [notation.literal(one) for one in case.pre]
            if case.fails:
                parts.append("an assertion fails")
            else:
                parts += [notation.equation(f"{v}'", case.post[v]) for v in self.outputs]
            found.append(f"({notation.conjunction(parts)})")
        return [f"{'  ' if not k else '∨ '}{line}" for k, line in enumerate(found)] or ["false"]


@dataclass(slots=True)
class _State:
    """A walk: where it is, the symbolic store, and the path constraint."""

    label: str
    store: dict[Variable, Operand]
    path: list[Guard]
    visits: dict[str, int]
    # The path constraint as it is read, with names for summaries.
    trail: list[str] = field(default_factory=list)

    def at(self, label: str) -> _State:
        """A copy of the walk, somewhere else."""
        return _State(label, dict(self.store), list(self.path), dict(self.visits), list(self.trail))


class Summarizer:
    """Makes summaries of a program, once each, and counts how often they are used."""

    def __init__(self, program: Program, questions: Questions, blocks: bool = True) -> None:
        self.program = program
        self.questions = questions
        # Whether branches are summarized too, or procedures only.
        self.blocks = blocks
        self.known: dict[str, Summary] = {}
        self.uses = 0
        self.counts: dict[str, int] = {}
        self.missing: dict[str, None] = {}
        self.active: set[str] = set()

    # --- summaries ---

    def procedure(self, name: str) -> Summary:
        """The summary of a procedure: its inputs are parameters and global variables."""
        if name not in self.known:
            procedure = self.program.procedure(name)
            outputs = (*procedure.outputs, *procedure.modifies)
            self.active.add(name)
            walk = Walk(self, procedure)
            self.known[name] = walk.summary(name, procedure.entry, EXIT, outputs)
            self.active.discard(name)
        return self.known[name]

    def block(self, walk: Walk, label: str, end: str) -> Summary:
        """The summary of the branch at the end of a block, up to where its paths meet again."""
        name = f"{walk.procedure.name}.{label}"
        if name not in self.known:
            inside = region(walk.procedure.blocks, label, end)
            commands = [c for one in inside for c in walk.procedure.blocks[one].commands]
            outputs = tuple(assigned(commands, self.program))
            self.known[name] = walk.summary(name, label, end, outputs, after=True)
        return self.known[name]

    def fresh(self, like: Term, name: str) -> Term:
        """A new constant."""
        place = self.counts[name] = self.counts.get(name, 0) + 1
        return like.sort(f"{name}'{place if place > 1 else ''}")

    def use(
        self, summary: Summary, state: _State, names: Mapping[Variable, Operand]
    ) -> tuple[Guard, dict[Variable, Term]]:
        """Continue a walk behind a summary; `names` has what the block reads.

        The path gets the disjunction, the store the primed names; what fails inside is returned.
        """
        self.uses += 1
        self.missing.update(dict.fromkeys(summary.missing))
        inner = {one: self.fresh(one, one.name) for one in summary.inner}
        known = {**names, **inner}
        primed = {v: self.fresh(v, v.name) for v in summary.outputs}
        failure = and_([*state.path, summary.failure(known)])
        state.path.append(summary.formula(known, primed))
        state.trail += [
            notation.equation(str(one), known[one])
            for one in reads(summary)
            if known.get(one, one) is not one
        ]
        state.trail.append(f"φ_{summary.name}")
        return failure, primed


class Walk:
    """Symbolic execution of a procedure; with `ask`, failures are looked for at once."""

    def __init__(self, summarizer: Summarizer, procedure: Procedure) -> None:
        self.summarizer = summarizer
        self.procedure = procedure
        self.ends = joins(procedure.blocks)
        self.cases: list[Case] = []
        self.inner: dict[Term, None] = {}
        self.missing: dict[str, None] = {}

    def summary(
        self, name: str, start: str, end: str, outputs: tuple[Variable, ...], after: bool = False
    ) -> Summary:
        """All paths from a block, or from behind it, to another."""
        inner = Walk(self.summarizer, self.procedure)
        inner.ends = dict(self.ends)
        if after and paths(self.procedure.blocks, start, end) <= MOST_PATHS:
            inner.ends = {}
        olds = {old_value(g): g for g in self.summarizer.program.globals}
        first = _State(start, dict(olds) if not after else {}, [], {})
        waiting = [first]
        if after:
            waiting = inner.branches(first, end, cut=False)
        cases = []
        for state in inner.walk(waiting, end):
            if self.feasible(state.path):
                post = {v: state.store.get(v, v) for v in outputs}
                cases.append(Case(tuple(state.path), post, trail=tuple(state.trail)))
        cases += [case for case in inner.cases if self.feasible(case.pre)]
        # Shorter paths first.
        ordered = sorted(cases, key=lambda case: (case.fails, len(case.pre)))
        return Summary(name, outputs, tuple(ordered), tuple(inner.inner), tuple(inner.missing))

    def feasible(self, path: Sequence[Guard]) -> bool:
        status, _ = self.summarizer.questions.ask_often(list(path))
        return status is not Status.UNSAT

    def walk(self, waiting: list[_State], end: str) -> Iterator[_State]:
        """The states at the end of all paths."""
        ended = 0
        while waiting:
            self.summarizer.questions.deadline.check()
            state = waiting.pop()
            if state.label == end:
                ended += 1
                if ended > MOST_WALKS:
                    self.missing["there are too many paths"] = None
                    return
                yield state
                continue
            count = state.visits[state.label] = state.visits.get(state.label, 0) + 1
            if count > ROUNDS + 1:
                self.missing["a loop has no summary"] = None
                continue
            if self.block(self.procedure.blocks[state.label], state):
                waiting += reversed(self.branches(state, end, cut=True))

    def branches(self, state: _State, end: str, cut: bool) -> list[_State]:
        """Where a walk goes on: at every target, or behind the summary of the branch."""
        block = self.procedure.blocks[state.label]
        if not block.targets:
            return [state.at(EXIT)]
        join = self.ends.get(state.label)
        if cut and join is not None and join != EXIT and self.summarizer.blocks:
            summary = self.summarizer.block(self, state.label, join)
            failure, primed = self.summarizer.use(summary, state, state.store)
            self.fail(failure)
            self.inner.update(dict.fromkeys(primed.values()))
            state.store.update(primed)
            return [state.at(join)]
        return [state.at(target) for target in dict.fromkeys(block.targets)]

    def fail(self, condition: Guard) -> None:
        """Under a condition an assertion fails."""
        if condition is not False:
            self.cases.append(Case((condition,), {}, True))

    # --- commands ---

    def block(self, block: Block, state: _State) -> bool:
        """Execute a block; whether the path goes on."""
        commands: list[Command] = [clause.command(ASSERTION) for clause in block.invariants]
        return all(self.command(one, state) for one in (*commands, *block.commands))

    def command(self, command: Command, state: _State) -> bool:
        match command:
            case Assume(condition) | Assert(condition):
                term = renamed(condition, state.store)
                if isinstance(command, Assert) and term is not True:
                    self.fails((*state.path, not_(term)))
                if term is not True:
                    state.path.append(term)
                    state.trail.append(notation.literal(term))
                return term is not False
            case Assign(targets, values):
                found = [renamed(value, state.store) for value in values]
                state.store.update(zip(targets, found, strict=True))
            case Havoc(variables):
                self.any_value(variables, state)
            case Call():
                self.call(command, state)
        return True

    def fails(self, path: Sequence[Guard]) -> None:
        if not any(one is False for one in path):
            self.cases.append(Case(tuple(path), {}, True))

    def any_value(self, variables: Iterable[Variable], state: _State) -> None:
        for variable in variables:
            state.store[variable] = one = self.summarizer.fresh(variable, variable.name)
            self.inner[one] = None

    def call(self, call: Call, state: _State) -> None:
        """A call is the summary of the callee; a recursive one may do anything."""
        program, name = self.summarizer.program, call.procedure
        callee = program.procedure(name)
        if name in self.summarizer.active:
            self.missing["a recursive procedure has no summary"] = None
            self.any_value((*call.outputs, *callee.modifies), state)
            return
        summary = self.summarizer.procedure(name)
        known = {g: state.store.get(g, g) for g in program.globals}
        known.update({old_value(g): known[g] for g in program.globals})
        inputs = [renamed(value, state.store) for value in call.inputs]
        known.update(zip(callee.inputs, inputs, strict=True))
        known.update({v: self.start(v) for v in (*callee.outputs, *callee.locals)})
        failure, primed = self.summarizer.use(summary, state, known)
        self.fail(failure)
        self.inner.update(dict.fromkeys(primed.values()))
        results = [primed[v] for v in callee.outputs]
        state.store.update({g: primed[g] for g in callee.modifies})
        state.store.update(zip(call.outputs, results, strict=True))

    def start(self, variable: Variable) -> Term:
        """What a variable is before anything is assigned to it."""
        one = self.summarizer.fresh(variable, variable.name)
        self.inner[one] = None
        return one


@dataclass(slots=True)
class Composed:
    """What the compositional variant found: conditions under which an assertion fails."""

    summary: Summary
    summarizer: Summarizer
    failing: list[Guard] = field(default_factory=list)

    @property
    def missing(self) -> list[str]:
        """Why paths may be missing."""
        return [*dict.fromkeys((*self.summary.missing, *self.summarizer.missing))]


def compose(program: Program, main: str, questions: Questions, blocks: bool = True) -> Composed:
    """Summarize a procedure, and all that it calls; each summary is made once.

    `program` has a body for every procedure, and the preconditions of the first are assumed.
    """
    summarizer = Summarizer(program, questions, blocks)
    summary = summarizer.procedure(main)
    required = [clause.assumption for clause in program.procedure(main).requires]
    failing = [and_([*program.axioms, *required, *case.pre]) for case in summary.failing]
    return Composed(summary, summarizer, failing)


def reads(summary: Summary) -> list[Variable]:
    """The inputs of a summary: the variables in its conditions."""
    inner = set(summary.inner)
    mentioned = [one for case in summary.cases for one in (*case.pre, *case.post.values())]
    return [one for one in constants(*mentioned) if one not in inner]
