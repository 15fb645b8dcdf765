"""`solvent boogie`: Boogie programs, verified modularly.

`solvent boogie verify` takes Boogie's own options too, such as `/proc:NAME` and `/errorLimit:3`.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from solvent.boogie import BoogieError, check_program, parse_program
from solvent.boogie.checking import TypedProgram
from solvent.boogie.lowering import (
    existentials,
    inline_depths,
    lower,
    unverified,
)
from solvent.boogie.values import shown
from solvent.cli.common import (
    Commands,
    InputError,
    positive,
    print_json,
    usage,
)
from solvent.errors import shortened
from solvent.reach import houdini
from solvent.reach.inlining import Limit, inline
from solvent.reach.loops import INVARIANT, MAINTAINED, ON_ENTRY, loops_of
from solvent.reach.modular import DEFAULT_ERRORS, ProcedureAnswer, Violation, verify
from solvent.reach.positions import some_names
from solvent.reach.program import (
    ASSERTION,
    POSTCONDITION,
    PRECONDITION,
    Position,
    Program,
)
from solvent.terms import BoolTerm
from solvent.verdicts import BAD_INPUT, Together, exit_code

NO_INLINING = "none"
INLINE = (NO_INLINING, *(limit.value for limit in Limit))

# What is longer in a report, as values of maps may be, is cut off; JSON has everything.
LONGEST_LINE = 2_000

# Boogie's numbers for what may fail.
CODES = {
    ASSERTION: "BP5001",
    PRECONDITION: "BP5002",
    POSTCONDITION: "BP5003",
    ON_ENTRY: "BP5004",
    MAINTAINED: "BP5005",
    INVARIANT: "BP5004",
}


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
        type=_count,
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
        type=_count,
        default=DEFAULT_ERRORS,
        metavar="N",
        help=f"errors for each procedure, 0 for all (/errorLimit:N, default: {DEFAULT_ERRORS})",
    )
    parser.add_argument(
        "--contract-infer",
        action="store_true",
        help="infer {:existential true} constants (/contractInfer)",
    )
    parser.add_argument(
        "--timeout",
        type=positive,
        default=30.0,
        metavar="SECONDS",
        help="for each check (/timeLimit:SECONDS, default: 30)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run_verify)


def _count(text: str) -> int:
    """The argument of an option that must be a number, perhaps 0."""
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"a number from 0 to 999,999,999 is needed, not {text!r}")
    return int(text)


# --- reading -----------------------------------------------------------------------------------

# Boogie's own options: where their values go, and what they may be.
_OPTIONS: dict[str, tuple[str, Callable[[str], object]]] = {
    "proc": ("proc", str),
    "loopUnroll": ("loop_unroll", _count),
    "inline": ("inline", str),
    "errorLimit": ("error_limit", _count),
    "timeLimit": ("timeout", positive),
}
# Options of Boogie that scripts pass, and that change nothing here.
_WITHOUT_MEANING = ("nologo", "trace", "noinfer", "quiet")
_SLASHED = re.compile(r"/([A-Za-z]+)(?::(.*))?")


def _boogie_options(options: argparse.Namespace) -> None:
    """Move Boogie's own options from the files to where they belong."""
    files = []
    for text in options.files:
        found = _SLASHED.fullmatch(text)
        if found is None or os.path.exists(text):
            files.append(text)
        elif found[1] == "contractInfer" and not found[2]:
            options.contract_infer = True
        elif found[1] in _WITHOUT_MEANING:
            continue
        elif found[1] in _OPTIONS:
            _set_option(options, text, *_OPTIONS[found[1]], found[2] or "")
        else:
            known = ", ".join(f"/{name}" for name in (*_OPTIONS, "contractInfer"))
            raise InputError(
                f"{shortened(text)}: there is no such file or option; options are {known}"
            )
    if not files:
        raise InputError("there is no file to verify")
    options.files = files


def _set_option(
    options: argparse.Namespace, text: str, target: str, read: Callable[[str], object], value: str
) -> None:
    if not value:
        raise InputError(f"{text}: its value is missing; write it after a colon")
    try:
        found = read(value)
    except argparse.ArgumentTypeError as error:
        raise InputError(f"{text}: {error}") from None
    if target == "inline" and found not in INLINE:
        raise InputError(f"{text}: one of {', '.join(INLINE)} is needed, not {found!r}")
    if target == "proc":
        found = [*(options.proc or ()), found]
    setattr(options, target, found)


def _distinct(files: Sequence[str]) -> None:
    """Check that no file is given twice; all of its declarations would be wrong."""
    seen: set[str] = set()
    for file in files:
        # Unlike that of `Path`, this one says nothing about links that lead to themselves.
        path = os.path.realpath(file)
        if path in seen:
            raise InputError(f"{file}: this file is given twice")
        seen.add(path)


def read_program(files: Sequence[str]) -> TypedProgram:
    """The checked program, or its errors on standard error."""
    return check_program(parse_program(files))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines, none of them longer than anybody would read."""
    text = "\n".join(lines)
    print("\n".join(shortened(line, LONGEST_LINE) for line in text.split("\n")))


def report_problem(error: BoogieError) -> int:
    print(error, file=sys.stderr)
    print(error.summary, file=sys.stderr)
    return BAD_INPUT


# --- verify ------------------------------------------------------------------------------------


def run_verify(options: argparse.Namespace) -> int:
    """Verify procedures; 1 if one fails, 3 if a solver gave up."""
    _boogie_options(options)
    _distinct(options.files)
    try:
        checked = read_program(options.files)
        program = lower(checked)
    except BoogieError as error:
        return report_problem(error)
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
    results, guards = _verified(program, names, existentials(checked), options)
    together = Together.of(results)
    if options.json:
        print_json(
            {
                "procedures": [_as_json(found) for found in results],
                "inferred": guards,
                "left_out": {name: list(calls) for name, calls in cut.items()},
                "unrolled": dict.fromkeys(_unrolled(program, names, options), options.loop_unroll),
            },
            together,
        )
    else:
        left_out = [*_left_out(program, names, cut, options)]
        print_lines(_report(results, guards, left_out))
    return exit_code(together.verdict)


def _verified(
    program: Program,
    names: Sequence[str],
    candidates: Sequence[BoolTerm],
    options: argparse.Namespace,
) -> tuple[list[ProcedureAnswer], dict[str, bool]]:
    """What the procedures come to, and the constants that are inferred, if that is asked for."""
    if options.contract_infer:
        inferred = houdini.infer(program, candidates, names, options.timeout)
        guards = {guard.name: value for guard, value in inferred.guards.items()}
        return [
            ProcedureAnswer.of(
                name, inferred.violations.get(name, ()), inferred.reasons.get(name, "")
            )
            for name in names
        ], guards
    return [
        verify(
            program,
            name,
            unrolled=options.loop_unroll,
            errors=options.error_limit or None,
            timeout=options.timeout,
        )
        for name in names
    ], {}


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


def _report(
    results: Sequence[ProcedureAnswer], guards: Mapping[str, bool], left_out: Sequence[str]
) -> Iterator[str]:
    for found in results:
        for violation in found.violations:
            yield from _violation(violation)
        if found.reason:
            yield f"{found.procedure}: no answer ({found.reason})"
    if guards:
        yield "Assignment computed by Houdini:"
        yield from (f"{name} = {value}" for name, value in guards.items())
    yield from left_out
    errors = sum(len(found.violations) for found in results)
    verified = sum(found.holds for found in results)
    unknown = sum(bool(found.reason) for found in results)
    more = f", {unknown} time {'out' if unknown == 1 else 'outs'}" if unknown else ""
    yield (
        f"\nBoogie program verifier finished with {verified} verified, "
        f"{errors} {'error' if errors == 1 else 'errors'}{more}"
    )


def _violation(found: Violation) -> Iterator[str]:
    yield f"{found.where}: Error {CODES.get(found.message, 'BP5001')}: {found.message}"
    for where, text in found.related:
        yield f"{where}: Related location: {text}"
    yield "Execution trace:"
    values: dict[Position, list[str]] = {}
    for where, label in found.blocks:
        yield f"    {where}: {label}"
    if found.inputs:
        given = (f"{variable} = {shown(value)}" for variable, value in found.inputs)
        yield "  with " + ", ".join(given)
    for one in found.values:
        values.setdefault(one.where, []).append(f"{one.variable} = {shown(one.value)}")
    yield from (f"    {where}: {', '.join(texts)}" for where, texts in values.items())


def _as_json(found: ProcedureAnswer) -> dict[str, object]:
    return {
        "procedure": found.procedure,
        "verified": found.holds,
        "reason": found.reason,
        "errors": [
            {
                "position": str(one.where),
                "message": one.message,
                "related": [f"{where}: {text}" for where, text in one.related],
                "trace": [f"{where}: {label}" for where, label in one.blocks],
                "inputs": {str(variable): shown(value) for variable, value in one.inputs},
                "values": [[str(v.where), str(v.variable), shown(v.value)] for v in one.values],
            }
            for one in found.violations
        ],
    }
