"""`solvent reach`: Boogie programs, searched for executions that fail an assertion."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from solvent.boogie import BoogieError
from solvent.boogie.checking import TypedProgram
from solvent.boogie.lowering import entry_points, existentials, lower
from solvent.boogie.values import given, shown
from solvent.cli.boogie import print_lines, read_program, report_problem
from solvent.cli.boogie_options import BASE
from solvent.cli.common import (
    Commands,
    InputError,
    add_budget_options,
    add_page_option,
    add_report_options,
    natural,
    positive,
)
from solvent.cli.envelope import told
from solvent.cli.progress import Work
from solvent.cli.slashed import Slashed
from solvent.cli.threads import thread_lines
from solvent.errors import shortened
from solvent.reach.answers import SearchAnswer
from solvent.reach.errors import ERROR
from solvent.reach.executions import Execution, Step
from solvent.reach.positions import some_names
from solvent.reach.program import Assert, Assign, Call, Havoc, Program, Variable
from solvent.reach.search import DEFAULT_BOUND, SearchOptions, called, search, several
from solvent.reach.stratified import Statistics
from solvent.reach.threads.primitives import Bound, has_threads
from solvent.reach.threads.search import ThreadsAnswer, search_threads
from solvent.verdicts import exit_code


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("reach", help="search a Boogie program for failing assertions")
    parser.add_argument("files", nargs="+", metavar="FILE", help="one program in several files")
    parser.add_argument("--main", metavar="NAME", help="start here instead of {:entrypoint}")
    parser.add_argument(
        "--recursion-bound",
        type=natural,
        default=DEFAULT_BOUND,
        metavar="N",
        help="instances of a procedure or loop inside of each other, from 1 on "
        f"(default: {DEFAULT_BOUND})",
    )
    parser.add_argument(
        "--stack-depth",
        type=natural,
        metavar="N",
        help="calls and iterations inside of each other, whatever they call (/stackDepthBound:N)",
    )
    parser.add_argument(
        "--cex",
        type=natural,
        default=1,
        metavar="N",
        help="go on after a bug, up to N of different assertions (/cex:N, default: 1)",
    )
    _add_thread_options(parser)
    parser.add_argument("--static", action="store_true", help="inline everything at once")
    parser.add_argument(
        "--track-all", action="store_true", help="track all global variables from the start"
    )
    parser.add_argument(
        "--track", action="append", metavar="NAME", help="track this global variable from the start"
    )
    parser.add_argument(
        "--no-summaries", action="store_true", help="find out nothing about procedures beforehand"
    )
    parser.add_argument(
        "--timeout",
        type=positive,
        metavar="SECONDS",
        help="time limit of the search alone, without reading the program; see --budget",
    )
    add_budget_options(parser, "a smaller --recursion-bound")
    parser.add_argument("--trace", metavar="FILE", help="write the failing execution here")
    add_page_option(parser)
    add_report_options(parser)
    parser.set_defaults(run=run_reach)


def _add_thread_options(parser: argparse.ArgumentParser) -> None:
    """The options about schedules."""
    parser.add_argument(
        "--contexts",
        type=_count,
        metavar="N",
        help="threads: all schedules with at most N context switches",
    )
    parser.add_argument(
        "--rounds",
        type=natural,
        metavar="N",
        help="threads: every thread may run N times, in turns (/k:N; default: 3, which has all "
        "schedules with 2 context switches)",
    )
    parser.add_argument(
        "--cooperative",
        action="store_true",
        help="threads are interrupted only where they yield, or start others",
    )


def _count(text: str) -> int:
    """The argument of an option that must be 0 or a positive integer."""
    return 0 if text == "0" else natural(text)


_PRINTED = "it only changes what is printed"

_ORDER = "it only changes in which order, or with how much effort, is searched"
_SOLVERS = "solvers and their options are chosen here; leave it out"
_ONLY_PRINTED = (
    "noTrace noTraceOnDisk tryCTrace printDataValues printDataValue trace traceProgram "
    "printFinalProg printAllTraces silent si_verbose verboseMode env sdvMode"
)
_ONLY_ORDER = (
    "si newStratifiedInlining di noCallTreeReuse noSplit delayRefinement noBlockAnalysis "
    "houdiniTimeout trainSummaries generateSummaries useDuality pruneInfeasiblePaths "
    "nonUniformUnfolding disableStaticAnalysis useLocalVariableAbstraction doNotUseLabels "
    "prevCorralState dumpCorralState typeEncoding useArrayTheory"
)

CORRAL = Slashed(
    {
        "main": ("main", str),
        "recursionBound": ("recursion_bound", natural),
        "stackDepthBound": ("stack_depth", natural),
        "timeLimit": ("timeout", positive),
        "track": ("track", str),
        "cex": ("cex", natural),
        "k": ("rounds", natural),
    },
    {"trackAllVars": "track_all", "staticInlining": "static", "cooperative": "cooperative"},
    ("nologo",),
    {
        **dict.fromkeys(_ONLY_PRINTED.split(), _PRINTED),
        **dict.fromkeys(_ONLY_ORDER.split(), _ORDER),
        "useProverEvaluate": "it only changes how Z3 is asked for values",
    },
    {
        "flags": "options in a file are not read; write them here",
        "include": "files are given one after the other, without /include",
        "rootCause": "causes are not looked for; the trace shows the values",
        "fwdBck": "searches go forward only",
        "noTrackAllVars": "variables are tracked as they are needed",
        "maxStaticLoopBound": "loops that count run to their end; use /recursionBound for others",
        "lib:base": BASE,
        "lib": "there is no library; declare what the program needs of it",
        "killAfter": "use /timeLimit, or --budget for everything",
        **dict.fromkeys(("proverOpt", "z3opt", "z3exe", "bopt"), _SOLVERS),
    },
    lists=("track",),
)


def run_reach(options: argparse.Namespace) -> int:
    """Search for a bug; 1 if there is one, 3 if the bound or the time was reached."""
    CORRAL.move(options, "search")
    try:
        checked = read_program(options.files, infer_modifies=True)
        program = lower(checked, threads=True)
    except BoogieError as error:
        return report_problem(options, error)
    main = first_procedure(checked, program, options.main)
    options.work.update(f"searching from {main}")

    schedules = _schedules(options, program, main)

    def ask(known: Sequence[Assert]) -> SearchAnswer:
        asked = SearchOptions(
            bound=options.recursion_bound,
            static=options.static,
            timeout=options.work.within(options.timeout),
            track_all=options.track_all,
            summaries=not options.no_summaries,
            guards=existentials(checked),
            progress=partial(_tell, options.work, main),
            track=_tracked(program, options.track or ()),
            stack=options.stack_depth,
            skipped=known,
        )
        if schedules is None:
            return search(program, main, **asked)
        return search_threads(program, main, schedules, **asked)

    found = several(ask, options.cex)
    traces = [list(trace_lines(one, program)) for one in found]
    if options.trace and found[0].execution is not None:
        _write(options.trace, traces[0])
    if options.html:
        _write_page(options, main, found, traces)
    fields = [_fields(one, lines) for one, lines in zip(found, traces, strict=True)]
    more = [{"answer": one.words, **data} for one, data in zip(found[1:], fields[1:], strict=True)]
    if not told(options, {"main": main, **fields[0], "more": more}, found[0]):
        for one, lines in zip(found, traces, strict=True):
            if one is not found[0]:
                print_lines(["", "Besides, if what failed so far holds:"])
            print_lines(_described(one, lines, program))
    return exit_code(found[0].verdict)


def _write_page(
    options: argparse.Namespace,
    main: str,
    found: Sequence[SearchAnswer],
    traces: Sequence[Sequence[str]],
) -> None:
    """A page with each failing execution, or with the answer if there is none."""
    # Few ask for one.
    from solvent.cli.tracing import boogie_story, write_stories

    stories = [
        boogie_story(str(one.findings[0]), lines, dict(one.findings[0].inputs))
        for one, lines in zip(found, traces, strict=True)
        if one.findings
    ]
    notes = [one.headline() for one in found if not one.findings]
    write_stories(options, f"{' '.join(options.files)}: {main}", stories, notes)


def _schedules(options: argparse.Namespace, program: Program, main: str) -> Bound | None:
    """Which schedules are searched, if there are threads."""
    if options.contexts is not None and options.rounds is not None:
        raise InputError("--contexts and --rounds (/k) are two ways to count; give one of them")
    if not has_threads(called(program, main)):
        if options.contexts is not None or options.rounds is not None or options.cooperative:
            print(
                "note: the program has no threads: context switches mean nothing", file=sys.stderr
            )
        return None
    if options.contexts is None and options.rounds is None:
        print(
            f"note: the program has threads; they are searched over {Bound().rounds} rounds, "
            "which has all schedules with 2 context switches (see --contexts)",
            file=sys.stderr,
        )
    rounds = options.rounds or Bound().rounds
    return Bound(options.contexts, rounds, options.cooperative)


def _tracked(program: Program, names: Iterable[str]) -> list[Variable]:
    """The global variables of some names."""
    known = {variable.name: variable for variable in program.globals}
    for name in names:
        if name not in known:
            there_are, asked = some_names(known), shortened(name)
            raise InputError(f"there is no global variable {asked!r}; there are: {there_are}")
    return [known[name] for name in names]


def _tell(work: Work, main: str, cost: Statistics) -> None:
    queries = cost.under_queries + cost.over_queries
    figures = f"{cost.inlined} procedures inlined, {queries} queries"
    work.update(f"searching from {main}: {figures}", f"{figures}, no failing execution so far")


def first_procedure(checked: TypedProgram, program: Program, name: str | None) -> str:
    """The procedure to start from: the one that was named, or marked, or is the only one."""
    bodies = [one for one, procedure in program.procedures.items() if procedure.blocks]
    if name is not None:
        if name not in bodies:
            known, asked = some_names(bodies), shortened(name)
            raise InputError(f"there is no procedure {asked!r} with a body; there are: {known}")
        return name
    marked = entry_points(checked)
    entries = marked or [one for one in bodies if one == "main"] or bodies
    if len(entries) == 1:
        return entries[0]
    if not bodies:
        raise InputError("there is no procedure with a body to start from")
    said = "several procedures have" if marked else "no procedure has"
    raise InputError(f"{said} {{:entrypoint}}; name the one to start from with --main")


def _write(path: str, lines: Iterable[str]) -> None:
    try:
        Path(path).write_text("\n".join([*lines, ""]), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def trace_lines(found: SearchAnswer, program: Program) -> Iterator[str]:
    """The failing execution: what each command gives to variables, calls indented."""
    if isinstance(found, ThreadsAnswer):
        yield from thread_lines(found, program)
        return
    root = found.execution
    if root is None:
        return
    start = [f"{variable} = {shown(root.start[variable])}" for variable in program.globals]
    if start:
        yield f"at the start: {', '.join(start)}"
    # Executions may be deep, so this does not recur.
    stack: list[Iterator[tuple[int, str] | tuple[int, Execution]]] = [_lines(root, 0, program)]
    while stack:
        for depth, item in stack[-1]:
            if isinstance(item, Execution):
                stack.append(_lines(item, depth, program))
                break
            yield "  " * depth + item
        else:
            stack.pop()
    if found.failed is not None:
        yield f"{found.failed.where}: {found.failed.message}"


def _lines(
    one: Execution, depth: int, program: Program
) -> Iterator[tuple[int, str] | tuple[int, Execution]]:
    """The lines of one activation; whole iterations of a loop belong to where the loop is."""
    inside = depth
    if one.procedure in program.procedures:
        inputs = ", ".join(given(variable.name, value) for variable, value in one.inputs.items())
        yield depth, f"{one.procedure}({inputs})"
        inside = depth + 1
    for visit in one.visits:
        for step in visit.steps:
            if step.call is not None:
                yield inside, step.call
            text = _step(step, program)
            if text:
                yield inside, text


def _step(step: Step, program: Program) -> str:
    """What a command gives to variables of the program."""
    match step.command:
        case Call(name) if name not in program.procedures:
            return ""
        case Assign(_, values) if any(str(value).endswith(" in") for value in values):
            # A loop procedure takes its variables over.
            return ""
        case Assign() | Havoc() | Call():
            texts = [
                given(variable.name, value)
                for variable, value in step.values.items()
                if variable is not ERROR
            ]
            return f"{step.where}: {', '.join(texts)}" if texts else ""
        case _:
            return ""


def _described(found: SearchAnswer, lines: Sequence[str], program: Program) -> Iterator[str]:
    yield from lines
    yield found.headline()
    yield from found.details()
    if program.globals:
        names = ", ".join(map(str, found.tracked)) or "none"
        yield f"tracked: {names} ({len(found.tracked)} of {len(program.globals)} global variables)"
    if found.summaries.count:
        count, procedures = found.summaries.count, len(found.summaries.known)
        yield f"summaries: {count} conditions about {procedures} procedures"


def _fields(found: SearchAnswer, lines: Sequence[str]) -> dict[str, object]:
    stats = found.inlining.statistics
    threads = {}
    if isinstance(found, ThreadsAnswer):
        threads = {"schedules": str(found.schedules), "switches": found.switches}
    return {
        **threads,
        "failed": None if found.failed is None else str(found.failed.where),
        "confirmed": found.confirmed,
        "bound_reached_by": list(found.inlining.blocked),
        "trace": list(lines),
        "tracked": [str(variable) for variable in found.tracked],
        "refinements": found.refinements,
        "summaries": {
            name: [str(condition) for condition in known]
            for name, known in found.summaries.known.items()
        },
        "inlined": stats.inlined,
        "queries": stats.under_queries + stats.over_queries,
        "seconds": stats.seconds,
    }
