"""`solvent bench`: table 4 and figure 10 of "A Lightweight Symbolic Virtual Machine", measured.

`table4` runs the benchmarks of the three languages, `figure10` varies the bound of one of them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from solvent.cli.common import (
    Commands,
    InputError,
    natural,
    positive,
    print_json,
    usage,
    write_page,
)
from solvent.languages import figure10, tables
from solvent.languages.benchmark import Benchmark
from solvent.languages.ifcl.benchmarks import figure10_benchmarks
from solvent.languages.measuring import LANGUAGES, Measured, all_benchmarks, measure_all
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
    parser.add_argument(
        "--jobs",
        type=natural,
        default=1,
        metavar="N",
        help="benchmarks at a time (default: 1, as others disturb the times)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--html", metavar="FILE", help="write a page with plots as well")


def _add_table4(actions: Commands) -> None:
    parser = actions.add_parser("table4", help="run the benchmarks beside the paper's rows")
    _add_common(parser)
    parser.add_argument(
        "--language", choices=LANGUAGES, action="append", help="only this one (repeatable)"
    )
    parser.add_argument(
        "--only", metavar="NAME", action="append", help="only benchmarks of this name (repeatable)"
    )
    parser.set_defaults(run=run_table4)


def _add_figure10(actions: Commands) -> None:
    parser = actions.add_parser("figure10", help="vary the bound of B1 and fit a quadratic")
    _add_common(parser)
    parser.add_argument("--svg", metavar="FILE", help="write the plot")
    parser.set_defaults(run=run_figure10)


# --- progress ----------------------------------------------------------------------------------


@contextmanager
def bars() -> Iterator[tuple[Callable[[Benchmark], None], Callable[[Measured], None]]]:
    """A bar for each benchmark that runs, on standard error if that is a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as shown:
        tasks: dict[int, TaskID] = {}

        def begun(benchmark: Benchmark) -> None:
            title = f"{benchmark.language} {benchmark.name} {benchmark.bound}"
            tasks[id(benchmark)] = shown.add_task(title, total=None)

        def done(measured: Measured) -> None:
            task = tasks[id(measured.benchmark)]
            shown.update(task, total=1, completed=1)
            shown.stop_task(task)

        yield begun, done


def measured(benchmarks: Sequence[Benchmark], options: argparse.Namespace) -> list[Measured]:
    """Run benchmarks as the options say."""
    with bars() as (begun, done):
        return measure_all(benchmarks, options.limit, options.jobs, begun, done)


# --- table 4 -----------------------------------------------------------------------------------


def run_table4(options: argparse.Namespace) -> int:
    """Run the benchmarks; 1 if an answer is not the expected one, 3 if one is missing."""
    chosen = all_benchmarks(options.language or LANGUAGES)
    if options.only:
        names = dict.fromkeys(found.name for found in chosen)
        for name in options.only:
            if name not in names:
                known = ", ".join(names)
                raise InputError(f"there is no benchmark {name!r}; there are {known}")
        chosen = [found for found in chosen if found.name in options.only]
    # Said now, and not after ten minutes.
    write_page(options.html, page("Table 4", ["<p>Running.</p>"]))
    rows = measured(chosen, options)
    if options.json:
        print_json(tables.as_json(rows), _answer(rows))
    else:
        print(tables.as_text(rows))
    write_page(options.html, tables.as_html(rows))
    return _code(rows)


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
    for path in (options.html, options.svg):
        write_page(path, "")
    rows = measured(figure10_benchmarks(), options)
    missing = [row for row in rows if row.outcome is None]
    if missing:
        row = missing[0]
        print(f"solvent: {row.benchmark.bound}: {row.problem}", file=sys.stderr)
        return UNKNOWN
    points = [(row.outcome.joins, row.outcome.union_sum) for row in rows if row.outcome]
    if options.json:
        print_json(figure10.as_json(points))
    else:
        print(figure10.as_text(points))
    write_page(options.svg, figure10.as_svg(points))
    write_page(options.html, figure10.as_html(points))
    return DONE
