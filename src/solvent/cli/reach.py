"""`solvent reach`: Boogie programs, searched for executions that fail an assertion."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from solvent.boogie import BoogieError
from solvent.boogie.checking import TypedProgram
from solvent.boogie.lowering import entry_points, existentials, lower
from solvent.boogie.values import shown
from solvent.cli.boogie import print_lines, read_program, report_problem
from solvent.cli.common import (
    Commands,
    InputError,
    natural,
    positive,
    print_json,
)
from solvent.errors import shortened
from solvent.reach.answers import SearchAnswer
from solvent.reach.errors import ERROR
from solvent.reach.executions import Execution, Step
from solvent.reach.positions import some_names
from solvent.reach.program import Assign, Call, Havoc, Program
from solvent.reach.search import DEFAULT_BOUND, search
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
        help=f"recursion and iterations (default: {DEFAULT_BOUND})",
    )
    parser.add_argument("--static", action="store_true", help="inline everything at once")
    parser.add_argument(
        "--track-all", action="store_true", help="track all global variables from the start"
    )
    parser.add_argument(
        "--no-summaries", action="store_true", help="find out nothing about procedures beforehand"
    )
    parser.add_argument("--timeout", type=positive, metavar="SECONDS")
    parser.add_argument("--trace", metavar="FILE", help="write the failing execution here")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run_reach)


def run_reach(options: argparse.Namespace) -> int:
    """Search for a bug; 1 if there is one, 3 if the bound or the time was reached."""
    try:
        checked = read_program(options.files)
        program = lower(checked)
    except BoogieError as error:
        return report_problem(error)
    main = first_procedure(checked, program, options.main)
    found = search(
        program,
        main,
        options.recursion_bound,
        static=options.static,
        timeout=options.timeout,
        track_all=options.track_all,
        summaries=not options.no_summaries,
        guards=existentials(checked),
    )
    lines = list(trace_lines(found, program))
    if options.trace and found.execution is not None:
        _write(options.trace, lines)
    if options.json:
        print_json(_fields(found, main, lines), found)
    else:
        print_lines(_described(found, lines, program))
    return exit_code(found.verdict)


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
        given = ", ".join(f"{variable} = {shown(value)}" for variable, value in one.inputs.items())
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
                f"{variable} = {shown(value)}"
                for variable, value in step.values.items()
                if variable is not ERROR
            ]
            return f"{step.where}: {', '.join(given)}" if given else ""
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


def _fields(found: SearchAnswer, main: str, lines: Sequence[str]) -> dict[str, object]:
    stats = found.inlining.statistics
    return {
        "main": main,
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
