"""`solvent boogie` and `solvent reach`: Boogie programs, verified modularly or searched for bugs.

`solvent boogie verify` takes Boogie's own options too, such as `/proc:NAME` and `/errorLimit:3`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from solvent.boogie import BoogieError, check_program, parse_program
from solvent.boogie.lowering import entry_points, existentials, lower
from solvent.cli.common import (
    BAD_INPUT,
    DONE,
    UNKNOWN,
    VIOLATION,
    InputError,
    natural,
    positive,
    print_json,
    usage,
)
from solvent.reach import houdini
from solvent.reach.errors import ERROR
from solvent.reach.executions import Execution, Step
from solvent.reach.loops import INVARIANT, MAINTAINED, ON_ENTRY
from solvent.reach.modular import DEFAULT_ERRORS, Verified, Violation, verify
from solvent.reach.program import (
    ASSERTION,
    POSTCONDITION,
    PRECONDITION,
    Assign,
    Call,
    Havoc,
    Position,
    Program,
)
from solvent.reach.search import DEFAULT_BOUND, Found, search
from solvent.reach.stratified import Verdict

# Boogie's numbers for what may fail.
CODES = {
    ASSERTION: "BP5001",
    PRECONDITION: "BP5002",
    POSTCONDITION: "BP5003",
    ON_ENTRY: "BP5004",
    MAINTAINED: "BP5005",
    INVARIANT: "BP5004",
}


def add_parser(commands: Any) -> None:
    """Add both commands."""
    parser = commands.add_parser("boogie", help="verify Boogie programs modularly")
    parser.set_defaults(run=lambda options: usage(parser))
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    _add_verify(actions)
    _add_reach(commands)


def _add_verify(actions: Any) -> None:
    parser = actions.add_parser(
        "verify", help="prove each procedure against its contract, or show how it fails"
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="one program in several files")
    parser.add_argument(
        "--proc", action="append", metavar="NAME", help="only this procedure (/proc:NAME)"
    )
    parser.add_argument(
        "--loop-unroll",
        type=natural,
        metavar="N",
        help="unroll loops instead of cutting them (/loopUnroll:N)",
    )
    parser.add_argument(
        "--error-limit",
        type=natural,
        default=DEFAULT_ERRORS,
        metavar="N",
        help=f"errors for each procedure (/errorLimit:N, default: {DEFAULT_ERRORS})",
    )
    parser.add_argument(
        "--contract-infer",
        action="store_true",
        help="infer {:existential true} constants (/contractInfer)",
    )
    parser.add_argument("--timeout", type=positive, default=30.0, metavar="SECONDS")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run_verify)


def _add_reach(commands: Any) -> None:
    parser = commands.add_parser("reach", help="search a Boogie program for failing assertions")
    parser.add_argument("files", nargs="+", metavar="FILE", help="one program in several files")
    parser.add_argument("--main", metavar="NAME", help="start here instead of {:entrypoint}")
    parser.add_argument(
        "--recursion-bound",
        type=natural,
        default=DEFAULT_BOUND,
        metavar="N",
        help=f"recursion and iterations (default: {DEFAULT_BOUND})",
    )
    parser.add_argument("--static", action="store_true", help="inline everything at once")
    parser.add_argument("--timeout", type=positive, metavar="SECONDS")
    parser.add_argument("--trace", metavar="FILE", help="write the failing execution here")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run_reach)


# --- reading -----------------------------------------------------------------------------------

_SLASHED = re.compile(r"/(proc|loopUnroll|errorLimit|contractInfer|inline)(?::(.*))?")


def _boogie_options(options: argparse.Namespace) -> None:
    """Move Boogie's own options from the files to where they belong."""
    files = []
    for text in options.files:
        found = _SLASHED.fullmatch(text)
        if found is None:
            files.append(text)
            continue
        name, value = found[1], found[2]
        if name == "proc":
            options.proc = [*(options.proc or ()), value or ""]
        elif name == "contractInfer":
            options.contract_infer = True
        elif name == "inline":
            raise InputError(f"{text}: inlining is what `solvent reach` does; use that")
        else:
            try:
                number = natural(value or "")
            except argparse.ArgumentTypeError as error:
                raise InputError(f"{text}: {error}") from None
            setattr(options, {"loopUnroll": "loop_unroll"}.get(name, "error_limit"), number)
    if not files:
        raise InputError("there is no file to verify")
    options.files = files


def _read(files: Sequence[str]) -> Any:
    """The checked program, or its errors on standard error."""
    return check_program(parse_program(files))


def _problem(error: BoogieError) -> int:
    print(error, file=sys.stderr)
    print(error.summary, file=sys.stderr)
    return BAD_INPUT


# --- verify ------------------------------------------------------------------------------------


def run_verify(options: argparse.Namespace) -> int:
    """Verify procedures; 1 if one fails, 3 if a solver gave up."""
    _boogie_options(options)
    try:
        checked = _read(options.files)
        program = lower(checked)
    except BoogieError as error:
        return _problem(error)
    names = _chosen(program, options.proc)
    guards = {}
    if options.contract_infer:
        inferred = houdini.infer(program, existentials(checked), names, options.timeout)
        guards = {guard.name: value for guard, value in inferred.guards.items()}
        results = [
            Verified(name, inferred.violations.get(name, ()), inferred.reasons.get(name, ""))
            for name in names
        ]
    else:
        results = [
            verify(
                program,
                name,
                unrolled=options.loop_unroll,
                errors=options.error_limit,
                timeout=options.timeout,
            )
            for name in names
        ]
    if options.json:
        print_json({"procedures": [_as_json(found) for found in results], "inferred": guards})
    else:
        print("\n".join(_report(results, guards)))
    if any(found.violations for found in results):
        return VIOLATION
    return UNKNOWN if any(found.reason for found in results) else DONE


def _chosen(program: Program, wanted: Sequence[str] | None) -> list[str]:
    bodies = [name for name, procedure in program.procedures.items() if procedure.blocks]
    if not wanted:
        return bodies
    for name in wanted:
        if name not in bodies:
            known = ", ".join(bodies) or "none"
            raise InputError(f"there is no procedure {name!r} with a body; there are: {known}")
    return [name for name in bodies if name in wanted]


def _report(results: Sequence[Verified], guards: dict[str, bool]) -> Iterator[str]:
    for found in results:
        for violation in found.violations:
            yield from _violation(violation)
        if found.reason:
            yield f"{found.procedure}: no answer ({found.reason})"
    if guards:
        yield "Assignment computed by Houdini:"
        yield from (f"{name} = {value}" for name, value in guards.items())
    errors = sum(len(found.violations) for found in results)
    verified = sum(found.holds for found in results)
    unknown = sum(bool(found.reason) for found in results)
    more = f", {unknown} time outs" if unknown else ""
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
        yield "  with " + ", ".join(f"{variable} = {value}" for variable, value in found.inputs)
    for one in found.values:
        values.setdefault(one.where, []).append(f"{one.variable} = {one.value}")
    yield from (f"    {where}: {', '.join(texts)}" for where, texts in values.items())


def _as_json(found: Verified) -> dict[str, Any]:
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
                "inputs": {str(variable): str(value) for variable, value in one.inputs},
                "values": [[str(v.where), str(v.variable), str(v.value)] for v in one.values],
            }
            for one in found.violations
        ],
    }


# --- reach -------------------------------------------------------------------------------------

_CODES = {Verdict.BUG: VIOLATION, Verdict.NO_BUG: DONE}


def run_reach(options: argparse.Namespace) -> int:
    """Search for a bug; 1 if there is one, 3 if the bound or the time was reached."""
    try:
        checked = _read(options.files)
        program = lower(checked)
    except BoogieError as error:
        return _problem(error)
    main = _main(checked, program, options.main)
    found = search(
        program, main, options.recursion_bound, static=options.static, timeout=options.timeout
    )
    lines = list(trace_lines(found, program))
    if options.trace and found.execution is not None:
        _write(options.trace, lines)
    if options.json:
        print_json(_found_as_json(found, main, lines))
    else:
        print("\n".join(_described(found, main, lines)))
    return _CODES.get(found.verdict, UNKNOWN)


def _main(checked: Any, program: Program, name: str | None) -> str:
    if name is not None:
        if not program.procedures.get(name) or not program.procedures[name].blocks:
            known = ", ".join(n for n, p in program.procedures.items() if p.blocks) or "none"
            raise InputError(f"there is no procedure {name!r} with a body; there are: {known}")
        return name
    entries = entry_points(checked)
    if len(entries) == 1:
        return entries[0]
    if "main" in program.procedures and not entries:
        return "main"
    said = "several procedures have" if entries else "no procedure has"
    raise InputError(f"{said} {{:entrypoint}}; name the one to start from with --main")


def _write(path: str, lines: Iterable[str]) -> None:
    try:
        Path(path).write_text("\n".join([*lines, ""]), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def trace_lines(found: Found, program: Program) -> Iterator[str]:
    """The failing execution: what each command gives to variables, calls indented."""
    root = found.execution
    if root is None:
        return
    start = [f"{variable} = {root.start[variable]}" for variable in program.globals]
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
        given = ", ".join(f"{variable} = {value}" for variable, value in one.inputs.items())
        yield depth, f"{one.procedure}({given})"
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
            given = [
                f"{variable} = {value}"
                for variable, value in step.values.items()
                if variable is not ERROR
            ]
            return f"{step.where}: {', '.join(given)}" if given else ""
        case _:
            return ""


def _described(found: Found, main: str, lines: Sequence[str]) -> Iterator[str]:
    stats = found.answer.statistics
    figures = f"{stats.inlined} procedures inlined, {stats.seconds:.1f} s"
    if found.verdict is Verdict.BUG:
        confirmation = found.confirmation
        assert confirmation is not None
        yield from lines
        if confirmation.confirmed:
            yield f"bug: an assertion fails (confirmed by running the program; {figures})"
            if confirmation.believed:
                yield f"({len(confirmation.believed)} conditions with quantifiers were believed)"
        else:
            yield f"bug, NOT confirmed by running the program: {confirmation.reason} ({figures})"
    elif found.verdict is Verdict.NO_BUG:
        yield f"no bug: no assertion can fail from {main} ({figures})"
    elif found.verdict is Verdict.BOUND_REACHED:
        names = ", ".join(found.answer.blocked)
        yield f"no bug within the recursion bound, which {names} reached ({figures})"
    else:
        yield f"unknown: {found.answer.reason} ({figures})"


def _found_as_json(found: Found, main: str, lines: Sequence[str]) -> dict[str, Any]:
    stats = found.answer.statistics
    confirmation = found.confirmation
    return {
        "main": main,
        "verdict": found.verdict.value,
        "failed": None if found.failed is None else str(found.failed.where),
        "confirmed": confirmation is not None and confirmation.confirmed,
        "bound_reached_by": list(found.answer.blocked),
        "reason": found.answer.reason,
        "trace": list(lines),
        "inlined": stats.inlined,
        "queries": stats.under_queries + stats.over_queries,
        "seconds": stats.seconds,
    }
