"""`solvent verify`, `solve`, `synthesize` and `debug` on functions of Python files."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from rich.console import Console

import solvent
from solvent.cli.common import (
    LONGEST,
    Commands,
    InputError,
    add_solver_options,
    contained,
    own_failure,
    print_json,
)
from solvent.cli.loading import (
    Inputs,
    Subject,
    find,
    functions,
    load,
    parse_inputs,
    split,
    subjects,
)
from solvent.errors import (
    InputSpaceError,
    InternalError,
    NotLiftedError,
    SolventError,
    SolverError,
    SolverMissingError,
    SymbolicBoolError,
    UnboundedError,
    UnknownSolverError,
    UnsupportedError,
)
from solvent.queries.guarding import defined_at
from solvent.queries.options import Options
from solvent.queries.replay import cut, relative
from solvent.queries.results import Result
from solvent.queries.spaces.base import DEFAULT_LENGTH
from solvent.queries.subjects import name_of
from solvent.sketch import complete
from solvent.verdicts import (
    BAD_INPUT,
    DONE,
    UNKNOWN,
    VIOLATION,
    Answer,
    Together,
    as_json,
    exit_code,
    worst,
)

Asked = TypeVar("Asked")


def _options(options: argparse.Namespace, **more: Any) -> Options:
    """The options that all queries take, and those of one query."""
    return Options(
        solver=options.solver,
        timeout=options.timeout,
        bound=options.bound,
        max_len=options.max_len,
        alias=options.alias,
        **more,
    )


@dataclass(frozen=True, slots=True)
class Unanswered(Answer):
    """Why nothing is known about a function: it is unknown, not supported, or bad input."""

    function: str
    position: str
    status: str
    cause: type[BaseException] | None = None

    def as_dict(self) -> dict[str, object]:
        """The row for JSON."""
        return {
            "function": self.function,
            "position": self.position,
            "status": self.status,
            **as_json(self),
        }

    def __str__(self) -> str:
        what = "" if self.status == "error" else f"{self.said()}: "
        return f"{self.position}: {self.function}: {what}{self.reason}"

    def said(self) -> str:
        """The status in words."""
        return "not supported" if self.status == "unsupported" else self.status

    @property
    def code(self) -> int:
        """The exit code if this is all there is."""
        return BAD_INPUT if self.status == "error" else UNKNOWN


def attempt(function: Subject, query: Callable[[], Asked]) -> Asked | Unanswered:
    """Ask about a function; what goes wrong with one is no reason to give up on others."""
    try:
        # What the program prints is no answer of the command.
        with redirect_stdout(sys.stderr), contained():
            return query()
    except (UnknownSolverError, SolverMissingError, InputError):
        # It is not the function that is wrong.
        raise
    except SolventError as error:
        cause: type[BaseException] = type(error)
        reason = cut(relative(str(error)), LONGEST)
        if isinstance(error, UnboundedError) and "bounded(" in reason:
            reason += "; here: --bound N"
        status = next((s for kinds, s in _STATUSES if isinstance(error, kinds)), "error")
    except Exception as error:
        status, reason, cause = "unknown", own_failure(error), type(error)
    name = name_of(function)
    reason = reason.removeprefix(f"{name}: ")
    return Unanswered(name, position_of(function), status, cause, reason=reason)


# What an error says about a question; others say that it was not asked rightly.
_STATUSES: tuple[tuple[tuple[type[SolventError], ...], str], ...] = (
    ((NotLiftedError, UnsupportedError, SymbolicBoolError), "unsupported"),
    ((UnboundedError, InternalError, SolverError), "unknown"),
)


def position_of(function: Subject) -> str:
    """File and line of a function, as editors understand it."""
    return relative(defined_at(function))


def verify(options: argparse.Namespace) -> int:
    """Findings as compilers print them, one for each place that can fail."""
    file, name = split(options.target)
    module = load(file)
    inputs = parse_inputs(options.input)
    chosen: list[Subject] = [find(module, name, file)] if name else subjects(module)
    rows: list[dict[str, object]] = []
    skipped: list[Unanswered] = []
    answers: list[Answer] = []
    codes: list[int] = []
    for function in chosen:
        given = inputs if name else _fitting(function, inputs)
        problem = "" if name else _unsaid(function, given)
        if problem:
            where = position_of(function)
            skipped.append(Unanswered(name_of(function), where, "not checked", reason=problem))
            continue
        found = attempt(function, partial(solvent.verify_all, function, _options(options), **given))
        if isinstance(found, Unanswered):
            if name and found.code == BAD_INPUT:
                raise InputError(str(found))
            if not name and found.cause is InputSpaceError:
                # Nobody asked about this function by name.
                found = replace(found, status="unsupported")
            answers.append(found)
            codes.append(found.code)
            rows.append(found.as_dict())
            _say(options, str(found))
            continue
        for result in found:
            answers.append(result)
            codes.append(exit_code(result.verdict))
            rows.append({"position": position_of(function), **result.as_dict()})
            _show(options, result, function)
    if not codes:
        raise InputError(f"{file}: no function has annotated parameters; name one: {file}::NAME")
    for row in skipped:
        _say(options, str(row))
    if options.json:
        print_json(
            {
                "command": "verify",
                "file": file,
                "results": rows,
                "not_checked": [row.as_dict() for row in skipped],
            },
            Together.of(answers),
        )
    return worst(codes)


def _fitting(function: Subject, inputs: Inputs) -> Inputs:
    """Those of the given inputs that a function has parameters for."""
    parameters = inspect.signature(function).parameters
    return {name: value for name, value in inputs.items() if name in parameters}


def _unsaid(function: Subject, given: Inputs) -> str:
    """Why a function is left out if all of a file are checked: nothing says what its inputs are."""
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
            return f"its parameter `{stars}{name}` may be anything"
        if (
            name not in given
            and parameter.default is parameter.empty
            and parameter.annotation is parameter.empty
        ):
            return f"its parameter `{name}` has no annotation"
    return ""


def one_query(
    query: Callable[..., Result],
    options: argparse.Namespace,
    more: dict[str, object] | None = None,
    data: Callable[[], dict[str, object]] = dict,
) -> int:
    """A query about one function, and the exit code that its verdict stands for.

    `more` are options of this query, `data` is what it adds to the JSON object.
    """
    file, function = named_function(options)
    given = parse_inputs(options.input)
    found = attempt(function, partial(query, function, _options(options, **(more or {})), **given))
    if isinstance(found, Unanswered):
        return unanswered(options, file, found)
    if options.json:
        print_json(
            {
                "command": options.command,
                "file": file,
                "position": position_of(function),
                **found.as_dict(),
                **data(),
            },
            found,
        )
    _show(options, found, function)
    return exit_code(found.verdict)


def named_function(options: argparse.Namespace) -> tuple[str, Subject]:
    """The file and the function that a command is about."""
    file, name = split(options.target)
    if not name:
        raise InputError(f"{file}: name a function: {file}::NAME")
    return file, find(load(file), name, file)


def unanswered(options: argparse.Namespace, file: str, found: Unanswered) -> int:
    """Say why there is no answer about the one function of a command."""
    if found.code == BAD_INPUT:
        raise InputError(str(found))
    if options.json:
        print_json({"command": options.command, "file": file, **found.as_dict()}, found)
    _say(options, str(found))
    return found.code


def solve(options: argparse.Namespace) -> int:
    """Inputs with which the function succeeds."""
    return one_query(solvent.solve, options)


def synthesize(options: argparse.Namespace) -> int:
    """Values for the holes of a sketch, and the source of the completed functions."""
    more: dict[str, object] = {"method": options.method}
    if options.forall:
        more["forall"] = [name for text in options.forall for name in text.split(",")]
    completed: dict[str, str] = {}

    def query(function: Subject, asked: Options, **named: Any) -> Result:
        with rounds_shown() as progress:
            result = solvent.synthesize(function, replace(asked, progress=progress), **named)
        if result.model is not None:
            completed.update(_completed(result, sys.modules[function.__module__]))
        return result

    code = one_query(query, options, more, lambda: {"completed": completed})
    for text in completed.values():
        _say(options, "\n" + text.rstrip())
    return code


def _completed(result: Result, module: ModuleType) -> dict[str, str]:
    """The functions of a module that have holes, with these filled, by name."""
    found = {}
    for function in functions(module):
        text = complete(result, function)
        if text.strip() != inspect.getsource(function).strip():
            found[function.__name__] = text
    return found


@contextmanager
def rounds_shown() -> Iterator[Callable[..., object] | None]:
    """What shows how far a search has come, if somebody is looking."""
    if not sys.stderr.isatty():
        yield None
        return
    with Console(stderr=True).status("searching") as status:
        yield lambda number, *_: status.update(f"searching, round {number}")


def debug(options: argparse.Namespace) -> int:
    """The expressions that are responsible for a failure."""
    code = one_query(_debug_and_save(options.html), options, {"limit": options.cores})
    if options.html:
        _say(options, f"wrote {options.html}")
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


# --- showing -----------------------------------------------------------------------------------


def _say(options: argparse.Namespace, text: str) -> None:
    if not options.json:
        Console(soft_wrap=True, highlight=False).print(text, markup=False)


def _show(options: argparse.Namespace, result: Result, function: Subject) -> None:
    if options.json:
        return
    console = Console(soft_wrap=True, highlight=False)
    if not getattr(result, "failure", None):
        # A failure has a place of its own.
        console.print(f"{position_of(function)}: ", end="", markup=False)
    console.print(result)


# --- the command line --------------------------------------------------------------------------


def add_query_options(parser: argparse.ArgumentParser, *, function_needed: bool = True) -> None:
    """The options of the commands about functions of Python files."""
    what = "FILE.py::FUNCTION" if function_needed else "FILE.py[::FUNCTION]"
    parser.add_argument("target", metavar=what, help="the function that the question is about")
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
    parser = commands.add_parser("verify", help="find inputs with which a Python function fails")
    add_query_options(parser, function_needed=False)
    add_solver_options(parser)
    parser.set_defaults(run=verify)

    parser = commands.add_parser("synthesize", help="find values for the holes of a sketch")
    add_query_options(parser)
    parser.add_argument(
        "--forall", action="append", metavar="NAMES", help="parameters that are inputs, not holes"
    )
    parser.add_argument(
        "--method", choices=("cegis", "quantifiers", "sygus"), default="cegis", help="how to search"
    )
    add_solver_options(parser)
    parser.set_defaults(run=synthesize)

    parser = commands.add_parser("debug", help="find the expressions responsible for a failure")
    add_query_options(parser)
    parser.add_argument(
        "--cores", type=_count, default=1, metavar="N", help="how many explanations to look for (1)"
    )
    parser.add_argument("--html", metavar="FILE", help="write a page with the source highlighted")
    add_solver_options(parser)
    parser.set_defaults(run=debug)
