"""`solvent verify`, `solve`, `optimize`, `synthesize` and `debug` on functions of Python files."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import solvent
from solvent.cli.answers import Unanswered, position_of, say, show
from solvent.cli.asking import attempt, query_options, with_code
from solvent.cli.cases import Case
from solvent.cli.checking import add_race_options
from solvent.cli.common import (
    Commands,
    InputError,
    add_budget_options,
    add_page_option,
    add_solver_options,
)
from solvent.cli.envelope import told
from solvent.cli.functions import verify
from solvent.cli.loading import (
    Subject,
    functions,
    parse_inputs,
)
from solvent.cli.measuring import add_profile_option, profiled
from solvent.cli.progress import Work
from solvent.cli.selecting import (
    add_selection_options,
    one_function,
)
from solvent.cli.settings import configured
from solvent.cli.spreading import add_split_options, add_spread_options, only_units, spread
from solvent.queries.options import Options
from solvent.queries.results import Result
from solvent.queries.spaces.base import DEFAULT_LENGTH
from solvent.queries.subjects import name_of
from solvent.verdicts import (
    BAD_INPUT,
    DONE,
    VIOLATION,
    exit_code,
)
from solvent.vm.report import WATCHER, Detail

# What makes questions about a function smaller.
SMALLER = "a smaller --max-len or --bound"


def one_query(
    query: Callable[..., Result],
    options: argparse.Namespace,
    more: dict[str, object] | None = None,
    data: Callable[[], dict[str, object]] = dict,
) -> int:
    """A query about one function, and the exit code that its verdict stands for.

    `more` are options of this query, `data` is what it adds to the JSON object.
    """
    file, function = one_function(options.target)
    given = parse_inputs(options.input)
    asked = query_options(options, **(more or {}))
    token = WATCHER.set(Watch(options.work, name_of(function)))
    try:
        with profiled(options, name_of(function)):
            found = attempt(function, partial(query, function, asked, **given))
    finally:
        WATCHER.reset(token)
    if isinstance(found, Unanswered):
        return unanswered(options, file, found)
    found = with_code(found)
    position = position_of(function)
    fields = {"file": file, "position": position, **found.as_dict(), **data()}
    told(options, fields, found, cases=[Case(name_of(function), found, position)])
    show(options, found, position)
    return exit_code(found.verdict)


class Watch:
    """Says how far a query is: what its runs and its solver have done.

    >>> watch = Watch(Work(), "f")
    >>> for what in ("join", "question", "question"):
    ...     watch(what, None)
    >>> watch.work.doing
    'f: asking the solver, question 2'
    >>> watch.work.covered
    'f was run (paths met once), 1 question was answered'
    """

    # With how many more joins the numbers are shown anew, less one.
    OFTEN = 63

    def __init__(self, work: Work, name: str) -> None:
        self.work = work
        self.name = name
        self.joins = 0
        self.questions = 0
        work.update(f"{name}: running it")

    def __call__(self, what: str, _: Detail) -> None:
        if what == "join":
            self.joins += 1
            if not self.joins & self.OFTEN:
                self.work.update(f"{self.name}: running it, {self.joins:,} times paths met")
        elif what == "question":
            answered = self.questions
            self.questions += 1
            times = "once" if self.joins == 1 else f"{self.joins:,} times"
            covered = f"{self.name} was run (paths met {times})"
            if answered:
                what = "question was" if answered == 1 else "questions were"
                covered += f", {answered} {what} answered"
            self.work.update(f"{self.name}: asking the solver, question {self.questions}", covered)


def unanswered(options: argparse.Namespace, file: str, found: Unanswered) -> int:
    """Say why there is no answer about the one function of a command."""
    if found.code == BAD_INPUT:
        raise InputError(str(found))
    case = Case(found.function, found, found.position)
    told(options, {"file": file, **found.as_dict()}, found, cases=[case])
    say(options, str(found))
    return found.code


def solve(options: argparse.Namespace) -> int:
    """Inputs with which the function succeeds."""
    return one_query(solvent.solve, options)


def optimize(options: argparse.Namespace) -> int:
    """The best inputs with which the function succeeds."""

    def query(function: Subject, asked: Options, **named: Any) -> Result:
        goals = [_objective(name, function) for name in options.objective] or True
        chosen: dict[str, Any] = {options.direction: goals}
        return solvent.optimize(function, replace(asked, **chosen), **named)

    return one_query(query, options)


def _objective(name: str, function: Subject) -> object:
    """What computes an objective from the result: a function that the same file names."""
    found: object = getattr(sys.modules[function.__module__], name, None)
    if not callable(found):
        raise InputError(f"--objective {name}: the file of the function has no such function")
    return found


def synthesize(options: argparse.Namespace) -> int:
    """Values for the holes of a sketch, and the source of the completed functions."""
    more: dict[str, object] = {"method": options.method}
    if options.forall:
        more["forall"] = [name for text in options.forall for name in text.split(",")]
    completed: dict[str, str] = {}

    def guessed(number: int, *_: object) -> None:
        rounds = f"{number} {'guess' if number == 1 else 'guesses'}"
        name = options.target
        options.work.update(
            f"{name}: searching, round {number}", f"{rounds} for the holes were checked"
        )

    def query(function: Subject, asked: Options, **named: Any) -> Result:
        result = solvent.synthesize(function, replace(asked, progress=guessed), **named)
        if result.model is not None:
            completed.update(_completed(result, sys.modules[function.__module__]))
        return result

    if options.split:
        # Few divide questions, and SMT-LIB takes a while to import.
        from solvent.cli.conquering import splitting

        with spread(options, ["synthesize"]) as doing, splitting(options, doing):
            code = one_query(query, options, more, lambda: {"completed": completed})
    else:
        only_units(options, "without --split")
        code = one_query(query, options, more, lambda: {"completed": completed})
    for text in completed.values():
        say(options, "\n" + text.rstrip())
    return code


def _completed(result: Result, module: ModuleType) -> dict[str, str]:
    """The functions of a module that have holes, with these filled, by name."""
    # Other questions have no sketches.
    from solvent.sketch import complete

    found = {}
    for function in functions(module):
        text = complete(result, function)
        if text.strip() != inspect.getsource(function).strip():
            found[function.__name__] = text
    return found


def debug(options: argparse.Namespace) -> int:
    """The expressions that are responsible for a failure."""
    # Each check has a limit of its own by itself, which is not that of the command.
    more = {"limit": options.cores, "timeout": options.timeout}
    code = one_query(_debug_and_save(options.html), options, more)
    if options.html:
        say(options, f"wrote {options.html}")
    # A failure that is explained is what was asked for.
    return DONE if code == VIOLATION else code


def _debug_and_save(page: str | None) -> Callable[..., Result]:
    def query(function: Subject, asked: Options, **named: Any) -> Result:
        result = solvent.debug(function, asked, **named)
        if page is not None:
            try:
                result.save(Path(page))
            except OSError as error:
                raise InputError(f"{page}: {error.strerror}") from None
        return result

    return query


# --- the command line --------------------------------------------------------------------------


def add_query_options(parser: argparse.ArgumentParser) -> None:
    """The options of the commands about one function of a Python file."""
    parser.add_argument(
        "target", metavar="FILE.py::FUNCTION", help="the function that the question is about"
    )
    add_program_options(parser)


def add_program_options(parser: argparse.ArgumentParser) -> None:
    """What all questions about functions may be given."""
    parser.add_argument(
        "--bound",
        type=_count,
        metavar="N",
        help="unroll loops with symbolic tests and recursion at most N times",
    )
    parser.add_argument(
        "--max-len",
        type=_count,
        default=DEFAULT_LENGTH,
        metavar="N",
        help=f"longest list, set or dict that is tried for an annotation ({DEFAULT_LENGTH})",
    )
    parser.add_argument(
        "--alias",
        action="store_true",
        help="two inputs, or parts of them, may be the same object",
    )
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=SPACE",
        help="inputs of a parameter, for example xs='lists(Int, max_len=5)' or n='integers(0, 9)'",
    )


def _count(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"a number is needed, not {text!r}")
    return int(text)


def add_parser(commands: Commands) -> None:
    """Add the commands to the command line."""
    for add in (_add_verify, _add_synthesize, _add_debug, _add_optimize):
        add(commands)


def _add_verify(commands: Commands) -> None:
    parser = commands.add_parser("verify", help="find inputs with which a Python function fails")
    parser.add_argument(
        "target",
        nargs="*",
        metavar="TARGET",
        help="FILE.py, FILE.py::FUNCTION, FILE.py::Class.method, FILE.py:LINE, a folder, or "
        "package.module.function",
    )
    add_program_options(parser)
    add_profile_option(parser)
    add_race_options(parser)
    add_selection_options(parser)
    add_page_option(parser)
    add_spread_options(parser)
    add_split_options(parser)
    add_solver_options(parser, reports=True)
    configured(parser, verify)


def _add_optimize(commands: Commands) -> None:
    parser = commands.add_parser("optimize", help="find the best inputs of a Python function")
    add_query_options(parser)
    add_profile_option(parser)
    direction = parser.add_mutually_exclusive_group(required=True)
    for name, what in (("minimize", "least"), ("maximize", "greatest")):
        direction.add_argument(
            f"--{name}",
            dest="direction",
            action="store_const",
            const=name,
            help=f"the {what} result is the best",
        )
    parser.add_argument(
        "--objective",
        action="append",
        default=[],
        metavar="NAME",
        help="what counts instead of the result: a function of the same file, which is given the "
        "result; of several the first counts most",
    )
    add_budget_options(parser, SMALLER)
    add_solver_options(parser)
    parser.set_defaults(run=optimize)


def _add_synthesize(commands: Commands) -> None:
    parser = commands.add_parser("synthesize", help="find values for the holes of a sketch")
    add_query_options(parser)
    add_profile_option(parser)
    parser.add_argument(
        "--forall", action="append", metavar="NAMES", help="parameters that are inputs, not holes"
    )
    parser.add_argument(
        "--method", choices=("cegis", "quantifiers", "sygus"), default="cegis", help="how to search"
    )
    add_budget_options(parser, SMALLER)
    add_spread_options(parser)
    add_split_options(parser)
    add_solver_options(parser)
    parser.set_defaults(run=synthesize)


def _add_debug(commands: Commands) -> None:
    parser = commands.add_parser("debug", help="find the expressions responsible for a failure")
    add_query_options(parser)
    add_profile_option(parser)
    parser.add_argument(
        "--cores", type=_count, default=1, metavar="N", help="how many explanations to look for (1)"
    )
    parser.add_argument("--html", metavar="FILE", help="write a page with the source highlighted")
    add_budget_options(parser, SMALLER)
    add_solver_options(parser)
    parser.set_defaults(run=debug)
