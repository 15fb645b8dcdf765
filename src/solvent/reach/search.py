"""Reachability of failing assertions: from a program to a verdict and a confirmed execution.

Loops become procedures, assertions an error flag, and stratified (or static) inlining searches for
an execution that leaves the first procedure with the flag set.  As in Corral (figure 11), only some
global variables are tracked at first, and summaries of procedures prune the search.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

from solvent.errors import EvaluationError
from solvent.reach.abstraction import abstract, asserted
from solvent.reach.answers import SearchAnswer
from solvent.reach.candidates import candidates
from solvent.reach.contracts import with_checked_contracts
from solvent.reach.counting import counts
from solvent.reach.errors import ERROR, failing, with_error_flag
from solvent.reach.executions import Execution, events, execution
from solvent.reach.graphs import postorder
from solvent.reach.interpreter import Confirmation, Interpreter
from solvent.reach.loops import extract
from solvent.reach.passive import renamed
from solvent.reach.program import (
    Assert,
    Assume,
    Block,
    Command,
    Havoc,
    Procedure,
    Program,
    ProgramError,
    Variable,
    has_quantifiers,
    old_value,
)
from solvent.reach.replay import replay
from solvent.reach.stratified import (
    InliningAnswer,
    Node,
    Statistics,
    StratifiedInlining,
    inlined,
    taken,
)
from solvent.reach.summaries import Summaries, summarize
from solvent.terms import BoolTerm, and_, constants, not_
from solvent.terms.kinds import Guard
from solvent.terms.model import Model
from solvent.verdicts import Deadline, Verdict

# What is told of how far a search is.
Progress = Callable[[Statistics], object]

DEFAULT_BOUND = 4
# The part of the time that may be spent on summaries, and the most if there is no limit.
SUMMARY_SHARE = 0.3
SUMMARY_SECONDS = 60.0


class SearchOptions(TypedDict, total=False):
    """What a search takes by keyword."""

    bound: int
    static: bool
    timeout: float | None
    bounds: Mapping[str, int] | None
    track_all: bool
    summaries: bool
    guards: Iterable[Variable]
    progress: Progress | None
    track: Iterable[Variable]
    stack: int | None
    skipped: Iterable[Assert]


def search(
    program: Program,
    main: str,
    bound: int = DEFAULT_BOUND,
    *,
    static: bool = False,
    timeout: float | None = None,
    bounds: Mapping[str, int] | None = None,
    track_all: bool = False,
    summaries: bool = True,
    guards: Iterable[Variable] = (),
    progress: Progress | None = None,
    track: Iterable[Variable] = (),
    stack: int | None = None,
    skipped: Iterable[Assert] = (),
) -> SearchAnswer:
    """Search for a failing assertion of a procedure and of those that it calls.

    With `static`, everything within the bound is inlined at once, and nothing is abstracted.  The
    `guards` are constants that guard candidates of contracts; `progress` is told before each round
    what the search has cost.  There may be variables to `track` from the start, a bound of the
    calls inside of each other on the `stack`, and assertions that are `skipped`: others fail then.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> blocks = {"a": Block("a", (Havoc((x,)), Assume(x > 3), Assert(x > 4)), ())}
    >>> found = search(Program((), {"p": Procedure("p", (), (), (x,), blocks)}), "p")
    >>> found.verdict, found.confirmed, found.execution.visits[0].steps[0].values
    (<Verdict.VIOLATED: 'violated'>, True, {x: 4})
    """
    if not program.procedure(main).blocks:
        raise ProgramError(f"the procedure {main} has no body to search")
    one = _Search(
        program, main, bound, static, timeout, bounds or {}, summaries, list(guards), skipped
    )
    one.progress = progress
    one.tracked.update(track)
    one.stack = stack
    return one.run(track_all or static)


class _Search:
    """The refinement loop of figure 11."""

    def __init__(
        self,
        program: Program,
        main: str,
        bound: int,
        static: bool,
        timeout: float | None,
        bounds: Mapping[str, int],
        summaries: bool,
        guards: list[Variable],
        skipped: Iterable[Assert],
    ) -> None:
        self.main, self.bound, self.static = main, bound, static
        self.deadline = Deadline(timeout, "time limit")
        self.contracts = with_bodies(with_checked_contracts(called(program, main)))
        self.source = skipping(without_candidates(self.contracts, guards), skipped)
        # A loop that runs n times has n + 1 instances, as the last one only says that it is over.
        self.bounds = {name: n + 1 for name, n in counts(self.source).items()} | dict(bounds)
        # Loop invariants become assertions.
        extracted = extract(self.source)
        flagged = with_error_flag(extracted)
        if main not in failing(extracted):
            # There is no assertion that could fail: nothing to search for.
            flagged = replace(flagged, axioms=(*flagged.axioms, False))
        self.program = flagged
        self.uses_summaries = summaries and not static
        # Whether nothing was found out in the last abstraction: then only a long search asks again.
        self.fruitless = False
        self.guards = dict.fromkeys(guards, True)
        self.progress: Progress | None = None
        self.tracked = {ERROR, *asserted(self.source)}
        self.stack: int | None = None

    def run(self, track_all: bool) -> SearchAnswer:
        """Search with more and more variables, until an abstraction says what holds."""
        everything = set(self.program.globals)
        tracked = everything if track_all else self.tracked & everything
        grown: list[Node] = []
        within_bound: SearchAnswer | None = None
        refinements = 0
        while True:
            answer, summaries = self.explored(abstract(self.program, tracked), grown)
            kept = tuple(v for v in self.program.globals if v in tracked and v is not ERROR)
            found = _found(answer, kept, refinements, summaries)
            is_weak = not answer.verdict.is_definite
            if is_weak and tracked != everything and not self.deadline.is_over:
                # Perhaps more is known with all variables.
                within_bound = found if answer.verdict is Verdict.BOUNDED else None
                tracked = everything
            elif answer.verdict is Verdict.UNKNOWN and within_bound is not None:
                return within_bound
            elif answer.verdict is not Verdict.VIOLATED or answer.model is None:
                return found
            else:
                path = execution(answer.root, answer.model)
                if tracked == everything:
                    return self.decided(found, path, answer.model)
                left = self.deadline.left()
                if left == 0:
                    return self.too_late(found)
                real = replay(self.program, path, self.start(), ERROR, left)
                if real.execution is not None and real.model is not None:
                    run = self.confirmed(found, real.execution, real.model)
                    if not real.guessed:
                        return run
                    if run.confirmed and fits(self.program, real.model):
                        return replace(run, guessed=True)
                if self.deadline.is_over:
                    return self.too_late(found)
                tracked = self.refined(tracked, real.about)
                # Where more is known the others may not matter, and they make questions hard.
                grown = taken(answer.root, answer.model)
                refinements += 1
                continue
            grown = inlined(answer.root)
            refinements += 1

    def refined(self, tracked: set[Variable], about: Iterable[Variable]) -> set[Variable]:
        """The tracked variables, and those that would have excluded an execution."""
        known = {variable: variable for variable in self.program.globals}
        known.update({old_value(variable): variable for variable in self.program.globals})
        more = {known[variable] for variable in about if variable in known}
        return tracked | more if more - tracked else set(self.program.globals)

    def explored(self, program: Program, grown: list[Node]) -> tuple[InliningAnswer, Summaries]:
        """Inline, in one abstraction of the program."""
        lessons: list[Callable[[], Summaries]] = []
        if self.uses_summaries:
            # First about those that may fail.
            may_fail = [
                name
                for name, procedure in program.procedures.items()
                if ERROR in set(procedure.modifies)
            ]
            if not self.fruitless:
                lessons.append(lambda: self.learnt(program, may_fail))
            lessons.append(lambda: self.learnt(program, list(program.procedures)))
        engine = StratifiedInlining(
            program,
            self.main,
            self.bound,
            _goal,
            self.bounds,
            lessons,
            grown,
            self.deadline,
            self.stack,
        )
        engine.is_abstract = program is not self.program
        try:
            answer = engine.run_static() if self.static else engine.run(self.tell)
        finally:
            engine.close()
        return answer, engine.summaries

    def tell(self, engine: StratifiedInlining) -> None:
        """Say how far the search is."""
        if self.progress is not None:
            self.progress(engine.statistics)

    def learnt(self, program: Program, names: list[str]) -> Summaries:
        """What the candidates for some procedures come to."""
        deadline = self.deadline.part(SUMMARY_SHARE, SUMMARY_SECONDS)
        wanted = candidates(self.contracts, program, names, self.guards)
        found = summarize(program, wanted, not_(ERROR), deadline)
        self.fruitless = found.count == 0
        return found

    def start(self) -> Guard:
        """What holds where the first procedure is entered."""
        required = [clause.assumption for clause in self.program.procedure(self.main).requires]
        return and_([not_(ERROR), *required])

    def confirmed(self, found: SearchAnswer, path: Execution, model: Model) -> SearchAnswer:
        """The bug, after the source program has been run along it."""
        confirmation = confirm(self.source, self.main, path, model)
        return replace(found, execution=path, confirmation=confirmation, model=model)

    def decided(self, found: SearchAnswer, path: Execution, model: Model) -> SearchAnswer:
        """The bug, unless the model is a guess with which the program does not fail."""
        run = self.confirmed(found, path, model)
        if not found.inlining.guessed:
            return run
        if run.confirmed and fits(self.program, model):
            return replace(run, guessed=True)
        unknown = replace(found.inlining, verdict=Verdict.UNKNOWN, model=None, guessed=False)
        return _found(unknown, found.tracked, found.refinements, found.summaries)

    def too_late(self, found: SearchAnswer) -> SearchAnswer:
        """That nothing is known: nobody could see whether an execution is real."""
        unknown = replace(
            found.inlining, verdict=Verdict.UNKNOWN, model=None, reason=self.deadline.message
        )
        return _found(unknown, found.tracked, found.refinements, found.summaries)


def fits(program: Program, model: Model) -> bool:
    """Whether the axioms without quantifiers hold in what may be no model."""
    plain = [axiom for axiom in program.axioms if not has_quantifiers(axiom)]
    try:
        return all(model.evaluate(axiom) is True for axiom in plain)
    except EvaluationError:
        return False


def _found(
    inlining: InliningAnswer, tracked: tuple[Variable, ...], refinements: int, summaries: Summaries
) -> SearchAnswer:
    """What inlining found, as an answer about the program."""
    return SearchAnswer(
        inlining,
        tracked,
        refinements,
        summaries,
        verdict=inlining.verdict,
        reason=inlining.reason,
        bound=inlining.bound,
        seconds=inlining.statistics.seconds,
    )


def _goal(root: Node) -> Guard:
    """The flag is not set at the start, and set at the exit; the preconditions hold."""
    assert root.template is not None
    passive = root.template.passive
    required = [
        renamed(clause.assumption, passive.entry_values) for clause in passive.procedure.requires
    ]
    end = passive.exit_values.get(ERROR, False)
    assert isinstance(end, bool | BoolTerm)
    return and_([not_(root.value(ERROR)), root.value(end), *map(root.value, required)])


def called(program: Program, main: str) -> Program:
    """The program with the procedures only that may be called from the first one."""
    graph = program.call_graph
    reached = set(postorder(graph, main))
    procedures = {name: found for name, found in program.procedures.items() if name in reached}
    return replace(program, procedures=procedures)


def without_candidates(program: Program, guards: Iterable[Variable]) -> Program:
    """The program without invariants and assertions that are candidates only."""
    guarding = set(guards)
    if not guarding:
        return program

    def kept(condition: Guard) -> bool:
        return guarding.isdisjoint(constants(condition))

    def block(found: Block) -> Block:
        commands = [
            command
            for command in found.commands
            if not isinstance(command, Assert) or kept(command.condition)
        ]
        invariants = [clause for clause in found.invariants if kept(clause.condition)]
        return replace(found, commands=tuple(commands), invariants=tuple(invariants))

    procedures = {
        name: replace(one, blocks={label: block(found) for label, found in one.blocks.items()})
        for name, one in program.procedures.items()
    }
    return replace(program, procedures=procedures)


def skipping(program: Program, failures: Iterable[Assert]) -> Program:
    """The program in which some assertions are assumed: what fails is another one."""
    known = {(found.where, found.related) for found in failures}
    if not known:
        return program

    def command(found: Command) -> Command:
        if isinstance(found, Assert) and (found.where, found.related) in known:
            return Assume(found.condition, found.where)
        return found

    def block(found: Block) -> Block:
        invariants = [
            replace(one, free=True, assumed=None) if (one.where, ()) in known else one
            for one in found.invariants
        ]
        commands = tuple(map(command, found.commands))
        return replace(found, commands=commands, invariants=tuple(invariants))

    procedures = {
        name: replace(one, blocks={label: block(found) for label, found in one.blocks.items()})
        for name, one in program.procedures.items()
    }
    return replace(program, procedures=procedures)


def several(ask: Callable[[Sequence[Assert]], SearchAnswer], count: int) -> list[SearchAnswer]:
    """Ask for failures of different assertions, so often or until no other one is confirmed.

    >>> from solvent.reach.positions import Position
    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> blocks = {"a": Block("a", (Assert(x > 4, Position("p", 1)), Assert(x > 7)), ())}
    >>> program = Program((), {"p": Procedure("p", (x,), (), (), blocks)})
    >>> found = several(lambda known: search(program, "p", skipped=known), 9)
    >>> [one.words for one in found]
    ['bug', 'bug', 'no bug']
    """
    found = [ask(())]
    while len(found) < count and found[-1].failed is not None:
        found.append(ask([one.failed for one in found if one.failed is not None]))
    return found


def with_bodies(program: Program, but: Container[str] = ()) -> Program:
    """The program in which procedures without a body, but for some, do what contracts allow."""
    procedures = {
        name: procedure if procedure.blocks or name in but else _from_contract(procedure)
        for name, procedure in program.procedures.items()
    }
    return replace(program, procedures=procedures)


def _from_contract(procedure: Procedure) -> Procedure:
    changed = (*procedure.outputs, *procedure.modifies)
    commands = (
        *((Havoc(changed, procedure.where),) if changed else ()),
        *(Assume(clause.assumption, clause.where) for clause in procedure.ensures),
    )
    label = "body"
    return replace(procedure, blocks={label: Block(label, commands, (), procedure.where)})


def confirm(program: Program, main: str, found: Execution, model: Model) -> Confirmation:
    """Run the source program along an execution."""
    told = events(found, program.procedures)
    return Interpreter(program, told, {key: model[key] for key in model}).run(main)
