"""`solvent boogie`: Boogie programs, verified modularly.

`solvent boogie verify` takes Boogie's own options too, such as `/proc:NAME` and `/errorLimit:3`.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from solvent.boogie import BoogieError, check_program, parse_program
from solvent.boogie.checking import TypedProgram
from solvent.boogie.lowering import (
    entry_points,
    existentials,
    inline_depths,
    lower,
    unverified,
)
from solvent.cli.boogie_options import BOOGIE, INFER, INLINE, INTERVALS, NO_INLINING, count
from solvent.cli.common import (
    Commands,
    InputError,
    add_budget_options,
    add_page_option,
    add_report_options,
    positive,
    usage,
)
from solvent.cli.entries import check_loops, searched
from solvent.cli.envelope import is_for_people, told
from solvent.cli.procedures import ReportedProcedure, in_trace
from solvent.cli.progress import Work
from solvent.cli.spreading import add_spread_options, is_spread, limits_of, only_units, spread
from solvent.errors import shortened
from solvent.reach import houdini
from solvent.reach.inlining import Limit, inline
from solvent.reach.intervals import with_intervals
from solvent.reach.loops import loops_of, with_free_invariants
from solvent.reach.modular import DEFAULT_ERRORS, ProcedureAnswer, verify
from solvent.reach.positions import some_names
from solvent.reach.program import Program
from solvent.units.bundle import Bundle
from solvent.units.unit import Reply, Tell, Unit
from solvent.verdicts import BAD_INPUT, Answer, Together, exit_code
from solvent.verdicts.rendering import Json

# What is longer in a report, as values of maps may be, is cut off; JSON has everything.
LONGEST_LINE = 2_000
# Other processes take longer to start than most procedures to be verified: so many seconds.
ALONE = 2.0


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("boogie", help="verify Boogie programs modularly")
    parser.set_defaults(run=lambda options: usage(parser))
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    _add_verify(actions)


def _add_verify(actions: Commands) -> None:
    parser = actions.add_parser(
        "verify", help="prove each procedure against its contract, or show how it fails"
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="one program in several files")
    parser.add_argument(
        "--proc",
        action="append",
        metavar="NAME",
        help="only this procedure; * stands for anything (/proc:NAME)",
    )
    parser.add_argument(
        "--loop-unroll",
        type=count,
        metavar="N",
        help="run at most N iterations of loops instead of cutting them (/loopUnroll:N)",
    )
    parser.add_argument(
        "--inline",
        choices=INLINE,
        default=Limit.ASSUME.value,
        metavar="HOW",
        help="what becomes of calls that are deeper than {:inline N} says: assume that there are "
        "none (the default), assert it, take them by contract (spec); or inline nothing (none)",
    )
    parser.add_argument(
        "--error-limit",
        type=count,
        default=DEFAULT_ERRORS,
        metavar="N",
        help=f"errors for each procedure, 0 for all (/errorLimit:N, default: {DEFAULT_ERRORS})",
    )
    _add_inference(parser)
    parser.add_argument(
        "--timeout",
        type=positive,
        default=30.0,
        metavar="SECONDS",
        help="for each check (/timeLimit:SECONDS, default: 30)",
    )
    add_budget_options(parser, "--proc for one procedure")
    add_page_option(parser)
    add_spread_options(parser)
    add_report_options(parser)
    parser.set_defaults(run=run_verify, settings=None)


def _add_inference(parser: argparse.ArgumentParser) -> None:
    """What may be found out that the program does not say."""
    parser.add_argument(
        "--contract-infer",
        action="store_true",
        help="infer {:existential true} constants (/contractInfer)",
    )
    parser.add_argument(
        "--infer-modifies",
        action="store_true",
        help="find out what procedures with bodies modify (/inferModifies)",
    )
    parser.add_argument(
        "--infer",
        choices=INFER,
        default="t",
        help="invariants of loops: j for intervals of numbers (/infer:j), t for none (the default)",
    )
    parser.set_defaults(
        stratified=0, extract_loops=False, recursion_bound=None, inline_depth=None, error_trace=1
    )
    parser.add_argument(
        "--free-invariants",
        action="store_true",
        help="assume free loop invariants also where others are checked "
        "(/alwaysAssumeFreeLoopInvariants)",
    )
    parser.add_argument(
        "--subsumption",
        type=int,
        choices=(0, 1, 2),
        default=2,
        help="whether what was asserted is assumed then: never (0), not with quantifiers (1), "
        "always (2, the default)",
    )


# --- reading -----------------------------------------------------------------------------------


def _distinct(files: Sequence[str]) -> None:
    """Check that no file is given twice; all of its declarations would be wrong."""
    seen: set[str] = set()
    for file in files:
        # Unlike that of `Path`, this one says nothing about links that lead to themselves.
        path = os.path.realpath(file)
        if path in seen:
            raise InputError(f"{file}: this file is given twice")
        seen.add(path)


def read_program(files: Sequence[str], *, infer_modifies: bool = False) -> TypedProgram:
    """The checked program, or its errors on standard error."""
    return check_program(parse_program(files), infer_modifies=infer_modifies)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines, none of them longer than anybody would read."""
    text = "\n".join(lines)
    if text:
        shown = (shortened(line, LONGEST_LINE) for line in text.split("\n"))
        print("\n".join(shown), flush=True)


def report_problem(options: argparse.Namespace, error: BoogieError) -> int:
    """Say what is wrong with a program, as Boogie does, and in the JSON object."""
    print(error, file=sys.stderr)
    print(error.summary, file=sys.stderr)
    told(options, {"error": str(error)}, Answer(reason=str(error)))
    return BAD_INPUT


# --- verify ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Posed:
    """A program whose procedures are verified."""

    checked: TypedProgram
    program: Program
    names: Sequence[str]
    # What was left out of each procedure when calls were inlined.
    cut: Mapping[str, Sequence[str]]


def _posed(options: argparse.Namespace) -> _Posed:
    """Read the program as the options say."""
    checked = read_program(options.files, infer_modifies=options.infer_modifies)
    program = lower(checked, modular=not options.stratified, subsumption=options.subsumption)
    if options.stratified:
        return _Posed(checked, program, _entries(checked, program, options), {})
    depths = {} if options.inline == NO_INLINING else inline_depths(checked)
    skipped = unverified(checked)
    if options.inline in (Limit.ASSUME.value, Limit.ASSERT.value):
        # As in Boogie: these are verified where they are called.
        skipped.update(depths)
    names = _chosen(program, options.proc, skipped)
    cut: Mapping[str, Sequence[str]] = {}
    if depths:
        inlined = inline(program, depths, Limit(options.inline), names)
        program, cut = inlined.program, inlined.cut
    if options.contract_infer and options.inline_depth is not None:
        everywhere = dict.fromkeys(program.procedures, options.inline_depth)
        deepest = options.inline_depth
        program = inline(program, everywhere, Limit.SPEC, names, deepest).program
    if options.free_invariants:
        program = with_free_invariants(program)
    if options.infer == INTERVALS:
        program = with_intervals(program)
    return _Posed(checked, program, names, cut)


def _entries(checked: TypedProgram, program: Program, options: argparse.Namespace) -> Sequence[str]:
    """The procedures that are searched from."""
    names = entry_points(checked)
    if not names:
        raise InputError("/stratifiedInline needs procedures with {:entrypoint}; there are none")
    for name in names:
        check_loops(program, name, options.extract_loops)
    return names


def _consistent(options: argparse.Namespace) -> None:
    """Refuse options that mean nothing without others, or together."""
    if options.stratified not in (0, 1):
        raise InputError("/stratifiedInline is 0 or 1")
    alone = {"/extractLoops": options.extract_loops, "/recursionBound": options.recursion_bound}
    for name, given in alone.items():
        if given and not options.stratified:
            raise InputError(f"{name} belongs to /stratifiedInline:1; 'solvent reach' searches too")
    others = {
        "/contractInfer": options.contract_infer,
        "/loopUnroll": options.loop_unroll is not None,
        "/infer:j": options.infer == INTERVALS,
        "/proc": options.proc,
    }
    for name, given in others.items():
        if given and options.stratified:
            raise InputError(f"{name} and /stratifiedInline do not go together")
    if any(options.settings or ()) and (options.stratified or options.contract_infer):
        raise InputError("/rlimit and /proverOpt are for procedures that are verified one by one")
    if options.inline_depth is not None and not options.contract_infer:
        print("note: /inlineDepth means nothing without /contractInfer", file=sys.stderr)


def run_verify(options: argparse.Namespace) -> int:
    """Verify procedures; 1 if one fails, 3 if a solver gave up."""
    BOOGIE.move(options, "verify")
    _distinct(options.files)
    _consistent(options)
    try:
        posed = _posed(options)
    except BoogieError as error:
        return report_problem(options, error)
    program, names, cut = posed.program, posed.names, posed.cut
    results, guards = _verified(posed, options)
    together = Together.of(results)
    fields = {
        "procedures": [found.row for found in results],
        "inferred": guards,
        "left_out": {name: list(calls) for name, calls in cut.items()},
        "unrolled": dict.fromkeys(_unrolled(program, names, options), options.loop_unroll),
    }
    if options.html:
        _write_page(options, results)
    if not told(options, fields, together):
        left_out = [*_left_out(program, names, cut, options)]
        untold = [] if _streams(options, names) else results
        about = [line for one in untold for line in _about(one, options.error_trace > 0)]
        print_lines([*about, *_report(results, guards, left_out)])
    return exit_code(together.verdict)


def _verified(
    posed: _Posed, options: argparse.Namespace
) -> tuple[list[ReportedProcedure], dict[str, bool]]:
    """What the procedures come to, and the constants that are inferred, if that is asked for."""
    work: Work = options.work
    names = posed.names
    if options.contract_infer:
        only_units(options, "with /contractInfer: each procedure tells of all others")
        begin: Callable[[str], object] = lambda name: work.update(f"inferring: {name}")  # noqa: E731
        limit = work.within(options.timeout)
        candidates = existentials(posed.checked)
        inferred = houdini.infer(posed.program, candidates, names, limit, begin)
        guards = {guard.name: value for guard, value in inferred.guards.items()}
        answers = (
            ProcedureAnswer.of(
                name, inferred.violations.get(name, ()), inferred.reasons.get(name, "")
            )
            for name in names
        )
        return [ReportedProcedure.of(found) for found in answers], guards
    results: list[ReportedProcedure] = []
    seconds = 0.0
    streams = _streams(options, names)
    for place, name in enumerate(names):
        if seconds >= _alone(options) and is_spread(options, len(names) - place):
            return _spread(posed, options, results), {}
        _tell(work, f"procedure {len(results) + 1} of {len(names)}: {name}", results, len(names))
        results.append(_one(posed, name, options))
        seconds += results[-1].seconds
        if streams:
            print_lines(_about(results[-1], options.error_trace > 0))
    return results, {}


def _alone(options: argparse.Namespace) -> float:
    """For how long procedures are verified in this process, before others share the work."""
    elsewhere = options.resume or options.memory is not None or options.cluster is not None
    return 0.0 if elsewhere else ALONE


def _one(posed: _Posed, name: str, options: argparse.Namespace) -> ReportedProcedure:
    """What a procedure comes to."""
    work: Work = options.work
    if work.deadline.is_over:
        return ReportedProcedure.unknown(name, work.deadline.message)
    if options.stratified:
        limit = work.within(options.timeout)
        guards = existentials(posed.checked)
        return searched(posed.program, name, options.recursion_bound, limit, guards)
    found = verify(
        posed.program,
        name,
        unrolled=options.loop_unroll,
        errors=options.error_limit or None,
        timeout=work.within(options.timeout),
        settings=[one for one in options.settings or () if one],
    )
    return ReportedProcedure.of(found)


# The options that an answer about a procedure depends on.
_MATTER = (
    "files",
    "proc",
    "loop_unroll",
    "inline",
    "error_limit",
    "infer",
    "infer_modifies",
    "contract_infer",
    "inline_depth",
    "stratified",
    "extract_loops",
    "recursion_bound",
    "free_invariants",
    "subsumption",
    "timeout",
    "settings",
)


def _spread(
    posed: _Posed, options: argparse.Namespace, first: Sequence[ReportedProcedure]
) -> list[ReportedProcedure]:
    """Verify procedures side by side, after the first ones."""
    work: Work = options.work
    bundle = Bundle.of([Path(file) for file in options.files if file != "-"])
    matter: Json = {name: getattr(options, name) for name in _MATTER}

    def unit(name: str) -> Unit:
        return Unit(
            "boogie",
            name,
            {"procedure": name, "options": matter},
            bundle,
            # What is known of others is told when the time is over, not lost with this one.
            limits_of(options, work.within(None)),
            lambda tell: _one(posed, name, options).as_data(),
            "it is read from standard input" if "-" in options.files else "",
        )

    known: dict[int, ReportedProcedure] = dict(enumerate(first))
    with spread(options, ["boogie verify", bundle.digest], one_by_one=True) as doing:
        for place, found, reply in doing(map(unit, posed.names[len(first) :])):
            index = len(first) + place
            known[index] = _read(found.name, reply, work)
            _tell(work, "verifying procedures", list(known.values()), len(posed.names))
            if _streams(options, posed.names):
                print_lines(_about(known[index], options.error_trace > 0))
    return [known[index] for index in range(len(posed.names))]


def _streams(options: argparse.Namespace, names: Sequence[str]) -> bool:
    """Whether what is known about a procedure is printed at once, and not in their order."""
    apart = is_spread(options, len(names)) and not options.contract_infer
    return apart and is_for_people(options) and sys.stdout.isatty()


def _read(name: str, reply: Reply, work: Work) -> ReportedProcedure:
    """The answer about a procedure, unknown unless it says otherwise in so many words."""
    if reply.answer is None:
        problem = work.deadline.message if work.deadline.is_over else reply.problem
        return ReportedProcedure.unknown(name, problem)
    try:
        found = ReportedProcedure.from_data(reply.answer)
    except (LookupError, TypeError, ValueError) as error:
        return ReportedProcedure.unknown(name, f"its answer cannot be read: {error}")
    if found.procedure != name:
        return ReportedProcedure.unknown(name, f"its answer is about {found.procedure}")
    return found


def perform(data: Json, tell: Tell) -> Json:
    """Verify a procedure of a program whose files were sent here."""
    given = data["options"]
    assert isinstance(given, dict)
    options = argparse.Namespace(**given, work=Work())
    name = str(data["procedure"])
    tell(name)
    posed = _posed(options)
    if name not in posed.names:
        raise InputError(f"there is no procedure {shortened(name)!r} in what was sent")
    return _one(posed, name, options).as_data()


def _tell(work: Work, doing: str, results: Sequence[ReportedProcedure], count: int) -> None:
    """Say how far the verification of procedures is."""
    verified = sum(found.holds for found in results)
    failing = sum(bool(found.findings) for found in results)
    covered = f"{verified} of {count} procedures verified"
    if failing:
        covered += f", {failing} {'fails' if failing == 1 else 'fail'}"
    work.update(doing, covered)


def _write_page(options: argparse.Namespace, results: Sequence[ReportedProcedure]) -> None:
    """A page with each violation: the values that are given on the way to it."""
    # Few ask for one.
    from solvent.cli.tracing import boogie_story, write_stories

    stories = []
    for found in results:
        rows = found.row.get("errors")
        for number, finding in enumerate(found.findings):
            told = rows[number] if isinstance(rows, list) and number < len(rows) else {}
            values = [f"{where}: {name} = {value}" for where, name, value in told.get("values", ())]
            end = f"{finding.file}({finding.line},1): {finding.message}"
            lines = [*(values or finding.trace), end]
            stories.append(boogie_story(str(finding), lines, dict(finding.inputs)))
    notes = [f"{found.procedure}: {found.verdict.value}" for found in results if not found.findings]
    write_stories(options, " ".join(options.files), stories, notes)


def _chosen(program: Program, wanted: Sequence[str] | None, skipped: set[str]) -> list[str]:
    """The procedures to verify; one that is asked for by its name is, whatever attributes say."""
    bodies = [name for name, procedure in program.procedures.items() if procedure.blocks]
    if not wanted:
        return [name for name in bodies if name not in skipped]
    chosen: dict[str, None] = {}
    for pattern in wanted:
        matches = re.compile(".*".join(map(re.escape, pattern.split("*")))).fullmatch
        found = [name for name in bodies if matches(name)]
        if not found:
            known, asked = some_names(bodies), shortened(pattern)
            raise InputError(f"there is no procedure {asked!r} with a body; there are: {known}")
        chosen.update(dict.fromkeys(found))
    return [name for name in bodies if name in chosen]


def _unrolled(program: Program, names: Sequence[str], options: argparse.Namespace) -> list[str]:
    """The procedures whose loops are unrolled, so that longer executions are left out."""
    if options.loop_unroll is None or options.contract_infer:
        return []
    return [name for name in names if loops_of(program.procedure(name))]


def _left_out(
    program: Program,
    names: Sequence[str],
    cut: Mapping[str, Sequence[str]],
    options: argparse.Namespace,
) -> Iterator[str]:
    """What was not looked at."""
    for name, calls in cut.items():
        yield f"{name}: calls of {', '.join(calls)} deeper than {{:inline}} says were left out"
    times = options.loop_unroll
    for name in _unrolled(program, names, options):
        rounds = f"{times} iteration{'s' * (times != 1)}"
        yield f"{name}: executions with more than {rounds} of a loop were left out"


def _about(found: ReportedProcedure, traces: bool) -> Iterator[str]:
    """What there is to say about a procedure."""
    yield from (text for text in found.texts if traces or not in_trace(text))
    if found.reason:
        yield f"{found.procedure}: no answer ({found.reason})"


def _report(
    results: Sequence[ReportedProcedure],
    guards: Mapping[str, bool],
    left_out: Sequence[str],
) -> Iterator[str]:
    """What there is to say about all procedures together."""
    if guards:
        yield "Assignment computed by Houdini:"
        yield from (f"{name} = {value}" for name, value in guards.items())
    yield from left_out
    errors = sum(len(found.findings) for found in results)
    verified = sum(found.holds for found in results)
    unknown = sum(bool(found.reason) for found in results)
    more = f", {unknown} time {'out' if unknown == 1 else 'outs'}" if unknown else ""
    yield (
        f"\nBoogie program verifier finished with {verified} verified, "
        f"{errors} {'error' if errors == 1 else 'errors'}{more}"
    )
