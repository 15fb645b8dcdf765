"""`solvent verify`, `solve`, `synthesize` and `debug` on functions of Python files."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from rich.console import Console

import solvent
from solvent.cli.common import (
    DONE,
    UNKNOWN,
    VIOLATION,
    InputError,
    add_solver_options,
    print_json,
)
from solvent.cli.loading import find, functions, load, parse_inputs, split
from solvent.errors import InputSpaceError, UnboundedError
from solvent.queries.inputs import DEFAULT_LENGTH, bind
from solvent.queries.results import Result
from solvent.sketch import complete
from solvent.solvers.status import Status


def _options(options: argparse.Namespace) -> dict[str, Any]:
    """The options that all queries take, and the inputs that were given."""
    return {
        "solver": options.solver,
        "timeout": options.timeout,
        "bound": options.bound,
        "max_len": options.max_len,
        **parse_inputs(options.input),
    }


def verify(options: argparse.Namespace) -> int:
    """Findings as compilers print them, one for each place that can fail."""
    file, name = split(options.target)
    module = load(file)
    chosen = [find(module, name, file)] if name else _checkable(functions(module))
    if not chosen:
        raise InputError(f"{file}: no function has annotated parameters; name one: {file}::NAME")
    results: list[dict[str, Any]] = []
    codes = [DONE]
    for function in chosen:
        try:
            with redirect_stdout(sys.stderr):
                found = solvent.verify_all(function, **_options(options))
        except UnboundedError as error:
            codes.append(UNKNOWN)
            results.append(_unanswered(function, error))
            _say(options, f"{function.__qualname__}: unknown: {_bound_needed(error)}")
            continue
        for result in found:
            codes.append(_code(result.status, VIOLATION, DONE))
            results.append(result.as_dict())
            _show(options, result)
    if options.json:
        print_json({"command": "verify", "file": file, "results": results})
    # A violation weighs more than what is not known.
    return VIOLATION if VIOLATION in codes else max(codes)


def _checkable(found: list[FunctionType]) -> list[FunctionType]:
    """The functions whose inputs can be made from their annotations."""
    result = []
    for function in found:
        try:
            bind(function, (), {})
        except InputSpaceError:
            continue
        result.append(function)
    return result


def one_query(
    query: Callable[..., Result],
    options: argparse.Namespace,
    sat: int,
    unsat: int,
    more: dict[str, Any] | None = None,
    data: Callable[[], dict[str, Any]] = dict,
) -> int:
    """A query about one function, and the exit code that its status stands for.

    `more` are options of this query, `data` is what it adds to the JSON object.
    """
    file, name = split(options.target)
    if not name:
        raise InputError(f"{file}: name a function: {file}::NAME")
    function = find(load(file), name, file)
    try:
        # What the program prints is no answer of the command.
        with redirect_stdout(sys.stderr):
            result = query(function, **_options(options), **(more or {}))
    except UnboundedError as error:
        if options.json:
            print_json({"command": options.command, "file": file, **_unanswered(function, error)})
        _say(options, f"{name}: unknown: {_bound_needed(error)}")
        return UNKNOWN
    if options.json:
        print_json({"command": options.command, "file": file, **result.as_dict(), **data()})
    _show(options, result)
    return _code(result.status, sat, unsat)


def solve(options: argparse.Namespace) -> int:
    """Inputs with which the function succeeds."""
    return one_query(solvent.solve, options, DONE, VIOLATION)


def synthesize(options: argparse.Namespace) -> int:
    """Values for the holes of a sketch, and the source of the completed functions."""
    more: dict[str, Any] = {"method": options.method}
    if options.forall:
        more["forall"] = [name for text in options.forall for name in text.split(",")]
    completed: dict[str, str] = {}

    def query(function: Any, **named: Any) -> Result:
        with rounds_shown() as progress:
            result = solvent.synthesize(function, progress=progress, **named)
        if result.model is not None:
            completed.update(_completed(result, sys.modules[function.__module__]))
        return result

    code = one_query(query, options, DONE, VIOLATION, more, lambda: {"completed": completed})
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
    code = one_query(_debug_and_save(options.html), options, DONE, DONE, {"limit": options.cores})
    if options.html:
        _say(options, f"wrote {options.html}")
    return code


def _debug_and_save(page: str | None) -> Callable[..., Result]:
    def query(function: Any, **named: Any) -> Result:
        result = solvent.debug(function, **named)
        if page is not None:
            try:
                result.save(Path(page))
            except OSError as error:
                raise InputError(f"{page}: {error.strerror}") from None
        return result

    return query


# --- showing -----------------------------------------------------------------------------------


def _code(status: Status, sat: int, unsat: int) -> int:
    return {Status.SAT: sat, Status.UNSAT: unsat}.get(status, UNKNOWN)


def _unanswered(function: Any, error: UnboundedError) -> dict[str, Any]:
    name = getattr(function, "__qualname__", repr(function))
    return {"function": name, "status": str(Status.UNKNOWN), "reason": _bound_needed(error)}


def _bound_needed(error: UnboundedError) -> str:
    return f"{error}; here: --bound N"


def _say(options: argparse.Namespace, text: str) -> None:
    if not options.json:
        Console(soft_wrap=True, highlight=False).print(text, markup=False)


def _show(options: argparse.Namespace, result: Result) -> None:
    if not options.json:
        Console(soft_wrap=True, highlight=False).print(result)


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


def add_parser(commands: Any) -> None:
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
