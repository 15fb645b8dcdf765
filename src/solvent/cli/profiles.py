"""`solvent profile` and `solvent trace`: where paths and terms come from, and where paths end."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping

from solvent import queries
from solvent.cli.answers import Unanswered, position_of, say
from solvent.cli.asking import attempt, query_options
from solvent.cli.common import (
    Commands,
    InputError,
    add_budget_options,
    add_solver_options,
    positive,
    read_text,
    write_page,
)
from solvent.cli.envelope import told
from solvent.cli.loading import parse_inputs
from solvent.cli.measuring import add_profile_option, profiled, stopping_after
from solvent.cli.programs import SMALLER, add_query_options, unanswered
from solvent.cli.selecting import one_function
from solvent.profiling import Profile, Trace, compare, profile, trace
from solvent.queries.results import Result
from solvent.queries.subjects import name_of
from solvent.verdicts import DONE, Answer, Verdict, exit_code

# How many seconds a program is run before what was measured is shown.
DEFAULT_SECONDS = 60.0


def run_profile(options: argparse.Namespace) -> int:
    """Ask about a function as `verify` does, and show where paths and terms come from."""
    before = None if options.compare is None else _read_profile(options.compare)
    file, function = one_function(options.target)
    given = parse_inputs(options.input)
    options.work.update(f"{options.target}: running it")
    found: Result | Unanswered | None = None
    query: Callable[..., Result] = getattr(queries, options.query)
    asked = query_options(options)
    title = f"Profile of {name_of(function)}"
    measured = Profile()
    try:
        with profile() as measured, stopping_after(options.seconds) as stopped:
            found = attempt(function, lambda: query(function, asked, **given))
    except KeyboardInterrupt:
        # What is stopped with Ctrl-C is what one wants to know about.
        if not measured.is_empty:
            _write(options, measured, title)
            if not options.json:
                _say(options, measured)
        raise
    if isinstance(found, Unanswered) and measured.is_empty:
        return unanswered(options, file, found)
    _write(options, measured, title)
    fields: dict[str, object] = {
        "file": file,
        "function": name_of(function),
        "position": position_of(function),
        "stopped": bool(stopped),
        "answer": None if found is None else found.as_dict(),
        **measured.as_dict(),
    }
    comparison = None if before is None else compare(before, measured)
    if comparison is not None:
        fields["comparison"] = comparison.as_dict()
    if not told(options, fields, Answer(verdict=Verdict.HOLDS)):
        if stopped:
            say(options, f"stopped after {options.seconds:g} s; this is what was measured so far")
        elif found is not None:
            say(options, str(found).splitlines()[0])
        compared = "" if comparison is None else f"\ncompared with {options.compare}\n{comparison}"
        _say(options, measured, compared)
    return DONE


def _write(options: argparse.Namespace, measured: Profile, title: str) -> None:
    if options.html:
        write_page(options.html, measured.page(title))


def _say(options: argparse.Namespace, measured: Profile, compared: str = "") -> None:
    say(options, str(measured))
    if compared:
        say(options, compared)
    if options.html:
        say(options, f"wrote {options.html}")


def _read_profile(path: str) -> Mapping[str, object]:
    try:
        found = json.loads(read_text(path))
    except ValueError as error:
        raise InputError(f"{path}: no JSON ({error}); `solvent profile --json` writes it") from None
    if not isinstance(found, dict) or "functions" not in found or "totals" not in found:
        raise InputError(f"{path}: no profile; `solvent profile --json` writes one")
    return found


def run_trace(options: argparse.Namespace) -> int:
    """The paths of a function that were lost, how and where."""
    file, function = one_function(options.target)
    given = parse_inputs(options.input)
    options.work.update(f"{options.target}: running it")

    def traced() -> Trace:
        return trace(
            function,
            bound=options.bound,
            max_len=options.max_len,
            alias=options.alias,
            solver=options.solver,
            timeout=options.work.within(options.timeout),
            **given,
        )

    with profiled(options, name_of(function)):
        found = attempt(function, traced)
    if isinstance(found, Unanswered):
        return unanswered(options, file, found)
    fields = {"file": file, "position": position_of(function), **found.as_dict()}
    answer = Answer(verdict=Verdict.HOLDS)
    if not told(options, fields, answer):
        say(options, str(found))
    return exit_code(answer.verdict)


# --- the command line ---------------------------------------------------------------------------


def add_parser(commands: Commands) -> None:
    """Add the commands to the command line."""
    parser = commands.add_parser("profile", help="show where paths and terms come from")
    add_query_options(parser)
    parser.add_argument(
        "--query", choices=("verify", "solve"), default="verify", help="what is asked (verify)"
    )
    parser.add_argument("--html", metavar="FILE", help="write a page: flame graph, table, source")
    parser.add_argument("--compare", metavar="FILE", help="an earlier profile, as --json writes it")
    parser.add_argument(
        "--seconds",
        type=positive,
        default=DEFAULT_SECONDS,
        metavar="N",
        help=f"show what was measured after N seconds ({DEFAULT_SECONDS:g})",
    )
    add_budget_options(parser, SMALLER)
    add_solver_options(parser)
    parser.set_defaults(run=run_profile)
    parser = commands.add_parser("trace", help="show the exceptions that became `no such path`")
    add_query_options(parser)
    add_profile_option(parser)
    add_budget_options(parser, SMALLER)
    add_solver_options(parser)
    parser.set_defaults(run=run_trace)
