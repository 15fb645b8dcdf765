"""`solvent reference`: test the virtual machine against the reference semantics.

`diff` compares all routes on generated programs (table 1 of the paper), `faults` shows that the
programs find faults that are put in on purpose (table 2).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from solvent.cli.common import (
    Commands,
    add_json_option,
    natural,
    positive,
    usage,
    write_page,
)
from solvent.cli.compared import compared, looked_for
from solvent.cli.envelope import told
from solvent.cli.measuring import add_profile_option, profiled, wants_profile
from solvent.cli.spreading import add_spread_options, only_units
from solvent.cli.terminal import console as console_of
from solvent.pages import page
from solvent.reference import tables
from solvent.reference.differential import LIMITS, Limits, Report, check, run, smallest
from solvent.reference.enumeration import Test, tests
from solvent.reference.faults import FAULTS, Catches
from solvent.reference.syntax import parse
from solvent.verdicts import exit_code

# So many differences are shrunken and shown.
MOST_SHOWN = 3


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "reference",
        help="test the virtual machine against the reference semantics",
        description=__doc__.split("\n\n")[1] if __doc__ else None,
    )
    parser.set_defaults(run=lambda options: usage(parser))
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    _add_diff(actions)
    _add_faults(actions)


def _add_common(parser: argparse.ArgumentParser, count: int) -> None:
    parser.add_argument(
        "--count", type=natural, default=count, metavar="N", help=f"programs (default: {count:,})"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the generator")
    add_spread_options(parser)
    # The bar says how far it is.
    parser.set_defaults(quiet=True)
    add_json_option(parser)
    parser.add_argument("--html", metavar="FILE", help="write the table as a page as well")


def _add_diff(actions: Commands) -> None:
    parser = actions.add_parser("diff", help="compare all routes on generated programs: table 1")
    _add_common(parser, 10_000)
    add_profile_option(parser)
    parser.add_argument(
        "--timeout",
        type=positive,
        default=LIMITS.seconds,
        metavar="SECONDS",
        help=f"for each program (default: {LIMITS.seconds:.0f})",
    )
    parser.add_argument(
        "--fuel", type=natural, default=LIMITS.fuel, metavar="N", help="how deep calls may be"
    )
    parser.add_argument(
        "--program", metavar="TEXT", help="compare on this program instead of generated ones"
    )
    parser.set_defaults(run=run_diff)


def _add_faults(actions: Commands) -> None:
    parser = actions.add_parser("faults", help="catch faults that are put in on purpose: table 2")
    _add_common(parser, 2_000)
    parser.set_defaults(run=run_faults)


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error, if that is a terminal; the function moves it by one."""
    console = console_of(stderr=True)
    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(title, total=total)
        yield lambda: bar.advance(task)


# --- diff --------------------------------------------------------------------------------------


def run_diff(options: argparse.Namespace) -> int:
    """Compare all routes; 1 if they differ, 3 if the solver does not know."""
    limits = Limits(seconds=options.timeout, fuel=options.fuel)
    started = time.perf_counter()
    # Said now, and not after ten minutes.
    write_page(options.html, page("Differential testing", ["<p>Running.</p>"]))
    if options.program is not None:
        only_units(options, "with --program")
        given = Test.of(parse(options.program, "--program"))
        with profiled(options, "reference diff"):
            rows = [check(given, limits)]
    elif wants_profile(options):
        only_units(options, "with --profile")
        # What is measured runs in this very process.
        bar = progress_bar("comparing", options.count)
        with bar as advance, profiled(options, "reference diff"):
            chosen = tests(options.count, options.seed)
            rows = list(run(chosen, None, limits, lambda row: advance()).rows)
    else:
        with progress_bar("comparing", options.count) as advance:
            chosen = tests(options.count, options.seed)
            rows = compared(chosen, limits, options, lambda row: advance())
    report = Report.of(rows, time.perf_counter() - started)
    minimal = [smallest(row, limits) for row in report.differences[:MOST_SHOWN]]
    shown = [{"program": str(row.test), "detail": row.detail} for row in minimal]
    if not told(options, {**tables.as_json(report), "minimal": shown}, report):
        print(tables.as_text(report))
        for row in minimal:
            print(f"\n{row.detail}\n{row.test}")
    write_page(options.html, tables.as_html(report))
    return exit_code(report.verdict)


# --- faults ------------------------------------------------------------------------------------


def run_faults(options: argparse.Namespace) -> int:
    """Catch all faults; 1 if one is not caught."""
    write_page(options.html, page("Faults put in on purpose", ["<p>Running.</p>"]))
    with progress_bar("catching", len(FAULTS)) as advance:
        found = looked_for(list(FAULTS), options, lambda catch: advance())
    answer = Catches.of(found)
    if not told(options, tables.faults_as_json(found), answer):
        print(tables.faults_as_text(found))
    write_page(options.html, tables.faults_as_html(found))
    return exit_code(answer.verdict)
