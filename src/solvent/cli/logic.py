"""`solvent logic`: one Boogie program, four encodings, one answer."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from solvent.boogie import BoogieError
from solvent.boogie.lowering import existentials, lower
from solvent.cli.boogie import print_lines, read_program, report_problem
from solvent.cli.common import (
    Commands,
    InputError,
    add_budget_options,
    add_report_options,
    positive,
)
from solvent.cli.envelope import told
from solvent.cli.progress import Work
from solvent.cli.reach import first_procedure
from solvent.logic.method import Limits, Report
from solvent.logic.methods import METHODS, TITLES, Comparison, analyse
from solvent.logic.page import comparison
from solvent.reach.program import Program
from solvent.terms import not_
from solvent.verdicts import exit_code, lines

DEFAULT_TIMEOUT = 30.0


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "logic", help="turn a Boogie program into logic, by four methods side by side"
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="one program in several files")
    parser.add_argument(
        "--method", choices=[*METHODS, "all"], default="all", help="default: all of them"
    )
    parser.add_argument("--main", metavar="NAME", help="start here instead of {:entrypoint}")
    parser.add_argument(
        "--timeout",
        type=positive,
        default=DEFAULT_TIMEOUT,
        metavar="SECONDS",
        help=f"for each method (default: {DEFAULT_TIMEOUT:g})",
    )
    add_budget_options(parser, "--method for one of them")
    parser.add_argument("--html", metavar="PAGE", help="write a page with everything side by side")
    add_report_options(parser)
    parser.set_defaults(run=run_logic)


def run_logic(options: argparse.Namespace) -> int:
    """Analyse the program; 1 if a method finds an error, 0 if one proves that there is none."""
    try:
        checked = read_program(options.files)
        # Candidates of contracts, which inference would choose from, do not count.
        unchosen = [not_(guard) for guard in existentials(checked)]
        program = lower(checked)
    except BoogieError as error:
        return report_problem(options, error)
    program = replace(program, axioms=(*program.axioms, *unchosen))
    main = first_procedure(checked, program, options.main)
    names = list(METHODS) if options.method == "all" else [options.method]
    reports, together = _analysed(program, main, names, options)
    if options.html:
        _write_page(options, reports)
    if not told(options, {"main": main, "methods": [*map(_as_json, reports)]}, together):
        for report in reports:
            print_lines(_described(report))
            print()
        if len(reports) > 1 or len(names) > len(reports):
            print(f"together: {together.words}")
    return exit_code(together.verdict)


def _analysed(
    program: Program, main: str, names: Sequence[str], options: argparse.Namespace
) -> tuple[list[Report], Comparison]:
    """What the methods say for which there is time, and what they say together."""
    work: Work = options.work
    reports: list[Report] = []
    for name in names:
        said = ", ".join(f"{one.method}: {one.words}" for one in reports)
        work.update(f"{name}, {len(reports) + 1} of {len(names)} methods", said)
        if work.deadline.is_over:
            break
        reports += analyse(program, main, [name], Limits(work.within(options.timeout)))
    together = Comparison.between(reports)
    missing = names[len(reports) :]
    if missing and not together.verdict.is_definite:
        reasons = [*filter(None, [together.reason]), f"no time for {', '.join(missing)}"]
        together = replace(together, reason="; ".join(reasons))
    return reports, together


def _write_page(options: argparse.Namespace, reports: Sequence[Report]) -> None:
    files = [Path(file) for file in options.files]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    made = comparison(", ".join(file.name for file in files), text, reports, TITLES)
    try:
        Path(options.html).write_text(made, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{options.html}: {error.strerror}") from None


def _described(report: Report) -> Iterator[str]:
    yield f"=== {TITLES[report.method]}"
    yield ""
    yield from report.encoding.splitlines()
    yield ""
    if report.failure is not None:
        yield from lines(report.failure)
    yield from lines(report)


def _as_json(report: Report) -> dict[str, object]:
    failure = report.failure
    return {
        "method": report.method,
        "verdict": report.verdict.value,
        "reason": report.reason,
        "failure": None
        if failure is None
        else {
            "message": failure.message,
            "where": str(failure.where),
            "inputs": dict(failure.inputs),
            "blocks": list(failure.blocks),
            "believed": failure.believed,
        },
        "encoding": [asdict(section) for section in report.sections],
        "statistics": asdict(report.statistics),
        "details": dict(report.figures),
    }
