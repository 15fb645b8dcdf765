"""`solvent websynth`: the XPath for some examples of what to scrape from a page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from solvent.cli.common import Commands, add_solver_options
from solvent.cli.envelope import told
from solvent.cli.measuring import add_profile_option, profiled
from solvent.cli.terminal import console as console_of
from solvent.languages.websynth import Scraper, read_page, scrape
from solvent.queries.results import verdict_of
from solvent.solvers.status import Status
from solvent.verdicts import Answer, exit_code


def websynth(options: argparse.Namespace) -> int:
    """Print the XPath and all that it selects."""
    with _shown() as progress, profiled(options, f"websynth {options.page}"):
        progress("reading the page")
        result = scrape(
            read_page(options.page),
            options.example,
            solver=options.solver,
            timeout=options.timeout,
            progress=progress,
        )
    answer = Answer(verdict=verdict_of(result.status, Status.SAT), reason=result.reason)
    if not told(options, {"file": options.page, **result.as_dict()}, answer):
        _print(result)
    return exit_code(answer.verdict)


def _print(result: Scraper) -> None:
    if result.found:
        print(result)
    else:
        print(f"solvent: {result}", file=sys.stderr)


@contextmanager
def _shown() -> Iterator[Callable[[str], object]]:
    """What shows the progress, if somebody is looking."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with console_of(stderr=True).status("starting") as status:
        yield status.update


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("websynth", help="find an XPath from examples of what to scrape")
    parser.add_argument("page", metavar="PAGE.html", help="the page")
    parser.add_argument(
        "--example",
        action="append",
        required=True,
        metavar="TEXT",
        help="a text of the page that the XPath must select; give several",
    )
    add_profile_option(parser)
    add_solver_options(parser)
    parser.set_defaults(run=websynth)
