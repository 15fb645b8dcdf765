"""Dynamic test generation: the directed search of DART, section 5.1 of "From Program to Logic".

The program is run on concrete inputs while its path constraint is collected.  Then the constraints
are negated in turn, deepest first; a solver finds inputs that lead elsewhere, and the program is
run again, until no path is left.  Inputs that the negated constraint does not depend on stay as
they were.  Where paths are endless, long ones wait until all shorter ones are done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from solvent.logic import notation
from solvent.logic.compositional import summarized
from solvent.logic.concolic import External, Outcome, Run, Runner, confirmed
from solvent.logic.flat import Flat, TooLarge, flatten
from solvent.logic.method import (
    Decision,
    Failure,
    Limits,
    Questions,
    Report,
    Section,
    clipped,
)
from solvent.reach.program import Program
from solvent.solvers.status import Status
from solvent.terms import Bool, Int, and_, applied_functions, constants, not_
from solvent.terms.arithmetic import MUL
from solvent.terms.graph import reachable, substitute
from solvent.terms.kinds import Concrete, Guard
from solvent.terms.model import Constant, Model
from solvent.terms.term import Term
from solvent.terms.values import FunctionValue
from solvent.verdicts import Deadline, OutOfTime, Verdict

# Constraints that come later than this wait until all others are done; then twice as many count.
FIRST_DEPTH = 16
# Recursion is unfolded so deep, as long as that makes a difference.
DEPTHS = (1, 2, 4, 8, 16)
# The part of the time for single paths; the rest is for summaries.
PLAIN_SHARE = 0.6
LATE = "the time limit is reached"
# So many runs are printed.
PRINTED_RUNS = 40


@dataclass(frozen=True, slots=True)
class Work:
    """A constraint to negate: what must hold before it, what then, and the inputs of the run."""

    prefix: tuple[Guard, ...]
    alternative: Guard
    inputs: Model
    asserts: bool = False


@dataclass(slots=True)
class Search:
    """The state of a directed search: all runs, what is left to do, and what was left out."""

    runs: list[Run] = field(default_factory=list)
    stack: list[Work] = field(default_factory=list)
    waiting: list[Work] = field(default_factory=list)
    depth: int = FIRST_DEPTH
    # Why paths may be missing.
    missing: dict[str, None] = field(default_factory=dict)
    failure: Failure | None = None
    # Constraints that no input satisfies.
    infeasible: list[tuple[Guard, ...]] = field(default_factory=list)


class DynamicSymbolicExecution:
    """The method of section 5.1.

    `first` has the inputs of the first run, by name; `externals` are functions that are not part of
    the logic: what they give is observed in each run (section 7).
    """

    name = "dse"

    def __init__(
        self,
        first: Mapping[str, Concrete] | None = None,
        externals: Mapping[str, External] | None = None,
        stop: bool = True,
        compositional: bool = True,
        directed: bool = True,
    ) -> None:
        self.first = first
        self.externals = dict(externals or {})
        # Whether the first failure ends the search.
        self.stop = stop
        # Whether summaries may decide what paths alone do not.
        self.compositional = compositional
        # Whether single paths are executed at all.
        self.directed = directed
        self.current = Search()

    def analyse(self, program: Program, main: str, limits: Limits) -> Report:
        """Search until all paths are done, or an assertion fails; then try summaries."""
        questions = Questions(limits)
        search, flat = self.search(program, main, questions)
        found = self.decided(search)
        sections = [*printed(search, flat, limits)]
        figures: dict[str, object] = {
            "runs": len(search.runs),
            "paths": _paths(search),
            "branch coverage": coverage(flat, search.runs),
        }
        if self.compositional and not self.externals:
            composed = summarized(program, main, limits, questions)
            sections += composed.sections
            figures["summaries"] = f"{composed.summaries}, used {composed.uses} times"
            if found.verdict is Verdict.UNKNOWN and composed.verdict is not Verdict.UNKNOWN:
                found = composed
        return questions.report(self.name, found, sections, figures)

    def search(self, program: Program, main: str, questions: Questions) -> tuple[Search, Flat]:
        """The directed search, with recursion unfolded deeper and deeper."""
        search, flat = Search(), flatten(program, main)
        if not self.directed:
            search.missing["no path was executed"] = None
            return search, flat
        deadline = questions.deadline.part(PLAIN_SHARE)
        try:
            for depth in DEPTHS:
                flat = flatten(program, main, depth)
                part = deadline.part(0.5) if flat.is_cut else deadline
                search = self.explore(flat, questions, part)
                if search.failure is not None or Outcome.UNWOUND.value not in search.missing:
                    break
        except OutOfTime:
            search = self.current
            search.missing[LATE] = None
        except TooLarge as problem:
            search.missing[str(problem)] = None
        return search, flat

    def decided(self, search: Search) -> Decision:
        """What the runs say."""
        if search.failure is not None:
            reason = f"found in run {len(search.runs)}"
            return Decision(verdict=Verdict.VIOLATED, reason=reason, failure=search.failure)
        if search.missing:
            return Decision(reason="; ".join(search.missing))
        reason = f"all {_paths(search)} feasible paths were executed"
        return Decision(verdict=Verdict.HOLDS, reason=reason)

    def explore(self, flat: Flat, questions: Questions, deadline: Deadline) -> Search:
        """The directed search in one flat program, in the given time."""
        self.current = search = Search()
        runner = Runner(flat, self.externals)
        inputs = self.start(flat, questions)
        if inputs is None:
            return search
        self.ran(runner.run(inputs), None, search, runner, questions)
        while search.failure is None or not self.stop:
            if not search.stack and not search.waiting:
                break
            if deadline.is_over:
                search.missing[LATE] = None
                break
            if not search.stack:
                search.depth *= 2
                search.stack, search.waiting = search.waiting[::-1], []
            work = search.stack.pop()
            if len(work.prefix) >= search.depth:
                search.waiting.append(work)
                continue
            found = self.solve(work, flat, questions, search)
            if found is not None:
                self.ran(runner.run(found), work, search, runner, questions)
        return search

    def start(self, flat: Flat, questions: Questions) -> Model | None:
        """The inputs of the first run: given, or random but the same each time."""
        variables = (*flat.inputs, *flat.variables)
        if self.first is not None:
            named = {str(v): v for v in variables}
            return Model({named[name]: value for name, value in self.first.items()})
        axioms = flat.source.axioms
        known: dict[Constant, Concrete | FunctionValue] = {}
        if axioms:
            status, model = questions.ask(axioms)
            if status is Status.UNSAT:
                return None
            if model is not None:
                known = {key: model[key] for key in model}
        chosen = Random(0)
        for variable in variables:
            if variable.sort is Int:
                known.setdefault(variable, chosen.randint(0, 9))
            elif variable.sort is Bool:
                known.setdefault(variable, chosen.random() < 0.5)
        return Model(known)

    def ran(
        self, run: Run, work: Work | None, search: Search, runner: Runner, questions: Questions
    ) -> None:
        """Record a run, and put what it leaves to do on the stack, the deepest on top."""
        search.runs.append(run)
        if work is not None and not _as_predicted(run, work):
            search.missing["a run did not go as predicted"] = None
        if run.outcome in (Outcome.UNWOUND, Outcome.TOO_LONG):
            search.missing[run.outcome.value] = None
        if run.concretized:
            search.missing["external functions gave concrete values"] = None
        if run.believed:
            search.missing["a quantified condition was believed"] = None
        if run.outcome is Outcome.FAILED:
            found = confirmed(runner, run, questions)
            if isinstance(found, Failure):
                search.failure = search.failure or found
            else:
                search.missing[f"a failure was not confirmed: {found}"] = None
        start = 0 if work is None else len(work.prefix) + 1
        for place in range(start, len(run.constraints)):
            constraint = run.constraints[place]
            for alternative in reversed(constraint.alternatives):
                search.stack.append(
                    Work(run.path[:place], alternative, run.inputs, constraint.asserts)
                )

    # --- solving ---

    def solve(self, work: Work, flat: Flat, questions: Questions, search: Search) -> Model | None:
        """Inputs that lead along the prefix and then elsewhere; None if there are none."""
        if work.alternative is False:
            return None
        axioms = flat.source.axioms
        needed = [*axioms, work.alternative]
        needed += work.prefix if axioms else related(work.prefix, work.alternative)
        status, model = questions.ask_often(needed)
        if status is Status.UNKNOWN:
            # Section 7: what is too hard is replaced by what was observed.
            search.missing["the solver gave up on a path"] = None
            simpler = [simplified(one, work.inputs) for one in needed]
            status, model = questions.ask(simpler, questions.deadline.share(0.1, 2.0))
        if model is None:
            if status is Status.UNSAT:
                search.infeasible.append((*work.prefix, work.alternative))
            return None
        known = {key: work.inputs[key] for key in work.inputs}
        return Model({**known, **{key: model[key] for key in model}})


def _as_predicted(run: Run, work: Work) -> bool:
    """Whether a run went along the prefix of its constraint."""
    same = all(a is b for a, b in zip(run.path, work.prefix, strict=False))
    failed = run.outcome is Outcome.FAILED or not work.asserts
    return same and failed and len(run.path) > len(work.prefix)


def related(conditions: Iterable[Guard], negated: Guard) -> list[Guard]:
    """The conditions that share inputs with one, directly or through others.

    >>> from solvent.terms import Bool, Int
    >>> a, b, z = Int("a"), Int("b"), Bool("z")
    >>> related([a + b != 1, b > 3], z), related([a + b != 1, b > 3, z], a > 7)
    ([], [a + b != 1, b > 3])
    """
    rest = [(one, _symbols(one)) for one in conditions]
    reached = _symbols(negated)
    found: dict[int, None] = {}
    changed = True
    while changed:
        changed = False
        for place, (_, symbols) in enumerate(rest):
            if place not in found and not reached.isdisjoint(symbols):
                found[place] = None
                reached |= symbols
                changed = True
    return [one for place, (one, _) in enumerate(rest) if place in found]


def _symbols(condition: Guard) -> set[Constant]:
    return {*constants(condition), *applied_functions(condition)}


def simplified(condition: Guard, inputs: Model) -> Guard:
    """A condition in which products of inputs have a factor with its concrete value.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> simplified(x * y > 10, Model({x: 3, y: 4}))
    y > 3
    """
    if not isinstance(condition, Term):
        return condition
    factors = {
        one
        for term in reachable([condition])
        if term.op is MUL and all(isinstance(arg, Term) for arg in term.args)
        for one in constants(term.args[0])
    }
    return substitute(condition, {one: inputs[one] for one in factors})


# --- what is printed ---------------------------------------------------------------------------


def _paths(search: Search) -> int:
    """How many paths were executed to an end."""
    ended = (Outcome.RETURNED, Outcome.FAILED)
    return len({run.witness.path for run in search.runs if run.outcome in ended})


def coverage(flat: Flat, runs: Iterable[Run]) -> str:
    """How many edges of branches were taken.

    They are those of the source program: copies of an inlined procedure are taken together.
    """
    every = {
        (_plain(label), _plain(target))
        for label, block in flat.blocks.items()
        for target in block.targets
        if len(block.targets) > 1
    }
    taken = {
        (_plain(a), _plain(b))
        for run in runs
        for a, b in zip(run.witness.path, run.witness.path[1:], strict=False)
    }
    return f"{len(every & taken)} of {len(every)}"


def _plain(label: str) -> str:
    """A label without the number of the instance."""
    name, mark, rest = label.partition("(")
    return f"{name}.{rest.partition(').')[2]}" if mark else label


def printed(search: Search, flat: Flat, limits: Limits) -> Iterable[Section]:
    """The runs, as section 5.1 tells them."""
    for number, run in enumerate(search.runs[:PRINTED_RUNS], 1):
        yield Section(f"Run {number}", "\n".join(run_lines(run, flat)))
    if len(search.runs) > PRINTED_RUNS:
        yield Section("More runs", f"{len(search.runs) - PRINTED_RUNS} more")
    if search.infeasible:
        lines = [path_text(one) for one in search.infeasible[:PRINTED_RUNS]]
        yield Section("Unsatisfiable path constraints", clipped(lines, limits))


def run_lines(run: Run, flat: Flat) -> list[str]:
    """The inputs, path constraint and end of a run."""
    return [
        f"inputs: {inputs_text(run, flat)}",
        f"path constraint: {path_text(run.path)}",
        f"end: {run.outcome.value}",
    ]


def inputs_text(run: Run, flat: Flat) -> str:
    """The inputs that matter: those of the procedure, and what the run took."""
    used = dict.fromkeys(flat.inputs)
    used.update(dict.fromkeys(constants(*run.path)))
    shown = [one for one in used if one.sort is not Bool or " to " not in one.name]
    values: dict[Any, Concrete | FunctionValue]
    values = {**run.witness.fixed, **run.witness.start}
    return (
        ", ".join(
            f"{one} = {str(values[one]).lower() if one.sort is Bool else values[one]}"
            for one in shown
            if one in values
        )
        or "none"
    )


def path_text(path: Sequence[Guard]) -> str:
    """A path constraint as the paper writes it."""
    return notation.conjunction(notation.literal(one) for one in path)


def fails(search: Search) -> list[Guard]:
    """The inputs for which an assertion fails, as a list of conjunctions: one for each path."""
    found = []
    for run in search.runs:
        for place, one in enumerate(run.constraints):
            if one.asserts:
                found.append(and_([*run.path[:place], not_(one.condition)]))
        if run.outcome is Outcome.FAILED:
            found.append(and_(run.path))
    return list(dict.fromkeys(found))
