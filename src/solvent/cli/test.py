"""`solvent test`: explore a function path by path and write a test for each path."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from solvent.cli.common import (
    Commands,
    InputError,
    add_solver_options,
    natural,
    positive,
    print_json,
)
from solvent.cli.loading import parse_inputs
from solvent.cli.programs import (
    Unanswered,
    add_query_options,
    attempt,
    named_function,
    unanswered,
)
from solvent.explore import Exploration, Suite, explore, suite
from solvent.explore.frontier import ORDERS
from solvent.queries.options import Options
from solvent.verdicts import Answer, Verdict, exit_code


def run(options: argparse.Namespace) -> int:
    """Explore a function, write the tests, and say what they cover."""
    file, function = named_function(options)
    inputs = parse_inputs(options.input)

    def query() -> tuple[Exploration, Suite]:
        with paths_shown() as progress:
            asked = Options(
                order=options.order,
                depth=options.depth,
                paths=options.paths,
                seconds=options.seconds,
                bound=options.bound,
                compositional=options.compositional,
                merged=options.merged,
                solver=options.solver,
                timeout=options.timeout,
                max_len=options.max_len,
                alias=options.alias,
                progress=progress,
            )
            found = explore(function, asked, **inputs)
        return found, suite(found, function, options.output)

    answer = attempt(function, query)
    if isinstance(answer, Unanswered):
        return unanswered(options, file, answer)
    found, written = answer
    if options.output is not None:
        save(options.output, written)
    tested = _answer(found, written)
    show(options, file, found, written, tested)
    return exit_code(tested.verdict)


def _answer(found: Exploration, written: Suite) -> Answer:
    """Whether each path has a test."""
    if found.complete and not written.left_out:
        return Answer(verdict=Verdict.HOLDS)
    reasons = [one.reason for one in found.unexplored] + [why for _, why in written.left_out]
    return Answer(reason="; ".join(dict.fromkeys(reasons)))


def save(output: str, written: Suite) -> None:
    """Write the test file."""
    if not written.tests:
        raise InputError("there is no path of which a test can be written")
    try:
        Path(output).write_text(written.text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{output}: {error.strerror}") from None


def show(
    options: argparse.Namespace, file: str, found: Exploration, written: Suite, tested: Answer
) -> None:
    """What was found: the tests themselves unless there is a file for them."""
    if options.json:
        left_out = [{"call": call, "reason": reason} for call, reason in written.left_out]
        print_json(
            {
                "command": "test",
                "file": file,
                **found.as_dict(),
                "tests": written.tests,
                "left_out": left_out,
                "output": options.output,
                **({} if options.output else {"text": written.text}),
            },
            tested,
        )
        return
    if options.output is None:
        print(written.text, end="")
        print(found, file=sys.stderr)
        return
    console = Console(soft_wrap=True, highlight=False)
    console.print(str(found), markup=False)
    for call, reason in written.left_out:
        console.print(f"  no test of {call}: {reason}", markup=False)
    console.print(f"wrote {written.tests} tests to {options.output}", markup=False)


@contextmanager
def paths_shown() -> Iterator[Callable[[int], object] | None]:
    """What shows how far the search has come, if somebody is looking."""
    if not sys.stderr.isatty():
        yield None
        return
    with Console(stderr=True).status("exploring") as status:
        yield lambda count: status.update(f"exploring, {count} paths")


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("test", help="write a test for each path of a Python function")
    add_query_options(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write the tests")
    parser.add_argument(
        "--order", choices=tuple(ORDERS), default="depth", help="which paths come first (depth)"
    )
    parser.add_argument(
        "--depth", type=natural, default=100, metavar="N", help="most decisions on a path (100)"
    )
    parser.add_argument(
        "--paths", type=natural, default=1_000, metavar="N", help="most paths (1000)"
    )
    parser.add_argument(
        "--seconds", type=positive, metavar="SECONDS", help="time limit of the whole search"
    )
    parser.add_argument(
        "--compositional", action="store_true", help="summarise the functions that are called"
    )
    parser.add_argument(
        "--merged", action="store_true", help="compare with the merged run: paths against states"
    )
    add_solver_options(parser)
    parser.set_defaults(run=run)
