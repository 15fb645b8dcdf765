"""`solvent bench`: table 4 and figure 10 of "A Lightweight Symbolic Virtual Machine", measured.

`table4` runs the benchmarks of the three languages beside a peer: the same programs, and those that
a user would write here.  `figure10` varies the bound of one of them.
"""

from __future__ import annotations

import argparse
import html
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from solvent.cli.benchmarked import measured_all
from solvent.cli.common import (
    Commands,
    InputError,
    add_json_option,
    natural,
    positive,
    report_error,
    usage,
    write_page,
)
from solvent.cli.envelope import told
from solvent.cli.measuring import add_profile_option
from solvent.cli.progress import Work
from solvent.cli.spreading import add_spread_options
from solvent.cli.terminal import console as console_of
from solvent.languages import figure10, tables
from solvent.languages.benchmark import ROSETTE, Benchmark, Kind, Peer
from solvent.languages.ifcl.benchmarks import figure10_benchmarks
from solvent.languages.measuring import LANGUAGES, Measured, all_benchmarks
from solvent.languages.peers import PeerCommand, PeerError
from solvent.pages import page
from solvent.verdicts import DONE, UNKNOWN, Finding, Stated, Verdict, exit_code

DEFAULT_LIMIT = 300.0


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "bench",
        help="measure the solver-aided languages: table 4 and figure 10",
        description=__doc__.split("\n\n")[1] if __doc__ else None,
    )
    parser.set_defaults(run=lambda options: usage(parser))
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    _add_table4(actions)
    _add_figure10(actions)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--limit",
        type=positive,
        default=DEFAULT_LIMIT,
        metavar="SECONDS",
        help=f"time limit of each benchmark (default: {DEFAULT_LIMIT:.0f})",
    )
    # Others disturb the times.
    add_spread_options(parser, jobs=1)
    add_profile_option(parser)
    add_json_option(parser)
    parser.add_argument("--html", metavar="FILE", help="write a page with plots as well")
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def _add_table4(actions: Commands) -> None:
    parser = actions.add_parser("table4", help="run the benchmarks beside the paper's rows")
    _add_common(parser)
    parser.add_argument(
        "--language", choices=LANGUAGES, action="append", help="only this one (repeatable)"
    )
    parser.add_argument(
        "--only", metavar="NAME", action="append", help="only benchmarks of this name (repeatable)"
    )
    parser.add_argument(
        "--kind",
        choices=[kind.name.lower() for kind in Kind],
        help="only rows of this kind: same programs as the peer's, or our own formulations",
    )
    parser.add_argument(
        "--runs",
        type=natural,
        default=1,
        metavar="N",
        help="run each benchmark so often; the least seconds count (default: 1)",
    )
    parser.add_argument(
        "--peer",
        metavar="CMD",
        help="run a peer on this machine instead of taking recorded figures: a command that is "
        "called with a row and prints a JSON object (see docs/commands.md)",
    )
    parser.set_defaults(run=run_table4)


def _add_figure10(actions: Commands) -> None:
    parser = actions.add_parser("figure10", help="vary the bound of B1 and fit a quadratic")
    _add_common(parser)
    parser.add_argument("--svg", metavar="FILE", help="write the plot")
    parser.set_defaults(run=run_figure10)


# --- progress ----------------------------------------------------------------------------------


@contextmanager
def bars(
    count: int, work: Work, quiet: bool
) -> Iterator[tuple[Callable[[Benchmark], None], Callable[[Measured], None]]]:
    """A bar for each benchmark that runs and one for all, on standard error on a terminal."""
    console = console_of(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=quiet or not console.is_terminal) as shown:
        tasks: dict[int, TaskID] = {}
        total = shown.add_task(f"0 of {count}", total=count)
        finished: list[Measured] = []
        work.update("measuring", f"0 of {count} benchmarks measured")

        def begun(benchmark: Benchmark) -> None:
            title = f"{benchmark.language} {benchmark.name} {benchmark.bound}"
            tasks[id(benchmark)] = shown.add_task(title, total=None)

        def done(measured: Measured) -> None:
            task = tasks[id(measured.benchmark)]
            shown.update(task, total=1, completed=1)
            shown.stop_task(task)
            finished.append(measured)
            said = f"{len(finished)} of {count}"
            shown.update(total, description=said, completed=len(finished))
            work.update("measuring", f"{said} benchmarks measured")

        yield begun, done


def measured(
    benchmarks: Sequence[Benchmark],
    options: argparse.Namespace,
    runs: int = 1,
    peer: PeerCommand | None = None,
) -> list[Measured]:
    """Run benchmarks as the options say."""
    with bars(len(benchmarks), options.work, options.quiet) as (begun, done):
        return measured_all(benchmarks, options, begun, done, runs=runs, peer=peer)


# --- table 4 -----------------------------------------------------------------------------------


def run_table4(options: argparse.Namespace) -> int:
    """Run the benchmarks; 1 if an answer is not the expected one, 3 if one is missing."""
    command = _peer_command(options.peer)
    peer = ROSETTE if command is None else Peer(options.peer, "measured now, on this machine")
    chosen = all_benchmarks(options.language or LANGUAGES)
    if options.kind:
        chosen = [found for found in chosen if found.kind is Kind[options.kind.upper()]]
    if options.only:
        names = dict.fromkeys(found.name for found in chosen)
        for name in options.only:
            if name not in names:
                known = ", ".join(names)
                raise InputError(f"there is no benchmark {name!r}; there are {known}")
        chosen = [found for found in chosen if found.name in options.only]
    # Said now, and not after ten minutes.
    write_page(options.html, page("Table 4", ["<p>Running.</p>"]))
    rows = measured(chosen, options, options.runs, command)
    if not told(options, tables.as_json(rows, peer), _answer(rows)):
        print(tables.as_text(rows, peer))
    write_page(options.html, tables.as_html(rows, peer=peer))
    return _code(rows)


def _peer_command(command: str | None) -> PeerCommand | None:
    try:
        return None if command is None else PeerCommand(command)
    except PeerError as error:
        raise InputError(str(error)) from None


def _code(rows: Sequence[Measured]) -> int:
    return exit_code(_answer(rows).verdict)


def _answer(rows: Sequence[Measured]) -> Stated:
    """Whether all answers are the expected ones."""
    wrong = tuple(
        Finding(f"{row.benchmark.name}: {row.outcome.answer} is not expected")
        for row in rows
        if row.outcome is not None and not row.outcome.expected
    )
    missing = [f"{row.benchmark.name}: {row.problem}" for row in rows if row.outcome is None]
    if wrong:
        return Stated(wrong, verdict=Verdict.VIOLATED)
    verdict = Verdict.UNKNOWN if missing else Verdict.HOLDS
    return Stated(verdict=verdict, reason="; ".join(missing))


# --- figure 10 ---------------------------------------------------------------------------------


def run_figure10(options: argparse.Namespace) -> int:
    """Run B1 with the bounds of the figure; 3 if one is missing."""
    # Said now, and not after ten minutes.
    write_page(options.html, page("Figure 10", ["<p>Running.</p>"]))
    write_page(options.svg, "")
    rows = measured(figure10_benchmarks(), options)
    missing = [row for row in rows if row.outcome is None]
    if missing:
        row = missing[0]
        reason = f"{row.benchmark.bound}: {row.problem}"
        write_page(options.html, page("Figure 10", [f"<p>{html.escape(reason)}</p>"]))
        return report_error(options, reason, UNKNOWN)
    points = [(row.outcome.joins, row.outcome.union_sum) for row in rows if row.outcome]
    if not told(options, figure10.as_json(points)):
        print(figure10.as_text(points))
        print(tables.total(rows))
    write_page(options.svg, figure10.as_svg(points))
    write_page(options.html, figure10.as_html(points))
    return DONE
