"""The search of programs with threads: a sequential program, its answer, and the schedule.

A bug is confirmed by running the threads in the order that was found.  That there is none is known
up to the bound of context switches or rounds only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import ClassVar, Unpack

from solvent.reach.answers import SearchAnswer
from solvent.reach.contracts import with_checked_contracts
from solvent.reach.program import Assert, Program, ProgramError, Variable
from solvent.reach.search import (
    SearchOptions,
    called,
    search,
    skipping,
    with_bodies,
    without_candidates,
)
from solvent.reach.stratified import BUG_OR_NOT
from solvent.reach.threads.primitives import PRIMITIVES, Bound, with_plain_steps
from solvent.reach.threads.running import Threads, Told
from solvent.reach.threads.schedules import schedule
from solvent.reach.threads.sequential import sequentialized
from solvent.reach.threads.source import Source
from solvent.terms.kinds import Operand
from solvent.verdicts import Finding, Verdict


@dataclass(frozen=True, slots=True)
class ThreadsAnswer(SearchAnswer):
    """What a search of a program with threads came to; a bug comes with what each thread does."""

    WORDS: ClassVar[Mapping[Verdict, str]] = {
        **BUG_OR_NOT,
        Verdict.BOUNDED: "no bug within the bound",
    }

    schedules: Bound = field(default_factory=Bound)
    trace: tuple[Told, ...] = ()
    # The shared variables at the start, and how often another thread goes on in the trace.
    start: Mapping[Variable, Operand] = field(default_factory=dict)
    switches: int = 0

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The assertion that fails, with what the threads do before."""
        if self.failed is None:
            return super(ThreadsAnswer, self).findings
        file, line, _ = self.failed.where
        inputs = {str(variable): str(value) for variable, value in self.inputs.items()}
        trace = tuple(f"{one.where}: thread {one.thread}" for one in self.trace)
        return (Finding(self.failed.message, file, line, inputs, trace, self.confirmed),)

    @property
    def inputs(self) -> Mapping[Variable, Operand]:
        """The values of the inputs of the first procedure."""
        return {} if self.execution is None else self.execution.inputs

    def headline(self) -> str:
        if self.verdict is Verdict.BOUNDED and not self.inlining.blocked:
            stats = self.inlining.statistics
            figures = f"{stats.inlined} procedures inlined, {stats.seconds:.1f} s"
            return f"no bug within {self.schedules} ({figures})"
        line = SearchAnswer.headline(self)
        if self.verdict is Verdict.BOUNDED:
            return line.replace("the recursion bound", f"{self.schedules} and the recursion bound")
        if self.verdict is Verdict.VIOLATED:
            return line.replace("running the program", "running the threads in this order")
        return line


def threaded_source(
    program: Program, main: str, guards: Iterable[Variable] = (), skipped: Iterable[Assert] = ()
) -> Source:
    """The program as its threads run: contracts are commands, and every step is one."""
    checked = with_checked_contracts(called(program, main))
    by_contract = frozenset(name for name, one in checked.procedures.items() if not one.blocks)
    bodied = with_bodies(checked, by_contract & PRIMITIVES)
    kept = skipping(without_candidates(bodied, guards), skipped)
    return Source(with_plain_steps(kept), main, by_contract)


def search_threads(
    program: Program, main: str, schedules: Bound, **options: Unpack[SearchOptions]
) -> ThreadsAnswer:
    """Search the schedules within a bound for a failing assertion.

    >>> from solvent.reach.program import Assign, Block, Call, Procedure
    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> first = [Assign((x,), (0,)), Call("q", asynchronous=True), Assert(x < 1)]
    >>> p = Procedure("p", blocks={"a": Block("a", tuple(first), ())})
    >>> q = Procedure("q", blocks={"b": Block("b", (Assign((x,), (x + 1,)),), ())})
    >>> program = Program((x,), {"p": p, "q": q})
    >>> search_threads(program, "p", Bound(1)).words
    'no bug within the bound'
    >>> found = search_threads(program, "p", Bound(2))
    >>> found.confirmed, found.switches
    (True, 2)
    """
    if not program.procedure(main).blocks:
        raise ProgramError(f"the procedure {main} has no body to search")
    guards, skipped = options.pop("guards", ()), options.pop("skipped", ())
    source = threaded_source(program, main, guards, skipped)
    made = sequentialized(source, schedules)
    options["track"] = (*made.tracked, *options.pop("track", ()))
    found = search(made.program, made.main, **options)
    known = {one.name: getattr(found, one.name) for one in fields(found) if one.init}
    answer = ThreadsAnswer(**known, schedules=schedules)
    kept = set(program.globals)
    answer = replace(answer, tracked=tuple(v for v in answer.tracked if v in kept))
    if found.execution is not None and found.model is not None:
        order = schedule(found.execution, made)
        threads = Threads(source, schedules, {key: found.model[key] for key in found.model})
        confirmation = threads.follow(order)
        return replace(
            answer,
            confirmation=confirmation,
            trace=tuple(threads.told),
            start=order.start,
            switches=threads.switches,
        )
    if found.verdict is Verdict.HOLDS:
        return replace(answer, verdict=Verdict.BOUNDED)
    return answer
