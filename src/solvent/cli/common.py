"""What the commands share: options, input files, and the JSON object."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, TypeAlias

from solvent.errors import NotLiftedError, SolventError
from solvent.queries.replay import cut, described, shown
from solvent.solvers import Solver, portfolio
from solvent.verdicts import BAD_INPUT, Answer, Verdict, as_json

# What `add_subparsers` gives: where commands, or the actions of one, are added.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

# What there is to say if a command has no question to answer, but something to do.
JOB_DONE = Answer(verdict=Verdict.HOLDS)


class InputError(SolventError):
    """An input file that cannot be read."""


def positive(text: str) -> float:
    """The argument of an option that must be a positive number."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"a positive number is needed, not {text!r}")
    return number


def natural(text: str) -> int:
    """The argument of an option that must be a positive integer."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a positive integer is needed, not {text!r}")
    return int(text)


def usage(parser: argparse.ArgumentParser) -> int:
    """What a command does that is nothing without an action: say which there are."""
    parser.print_help(sys.stderr)
    return BAD_INPUT


def add_solver_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that asks a solver."""
    parser.add_argument(
        "--solver",
        metavar="NAME",
        help="z3, bitwuzla, cvc5, a mode such as z3:QF_BV, smtlib:COMMAND, auto (the default), "
        "or several separated by commas, which then race",
    )
    parser.add_argument(
        "--timeout", type=positive, metavar="SECONDS", help="time limit of each check"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def make_solver(options: argparse.Namespace) -> Solver:
    """The solver that the options ask for."""
    name = options.solver
    if name and "," in name and not name.startswith("smtlib:"):
        return portfolio([part.strip() for part in name.split(",")], timeout=options.timeout)
    return Solver(name, timeout=options.timeout)


def read_text(path: str) -> str:
    """The text of an input file, `-` being standard input, or an error that names it."""
    try:
        if path == "-":
            return sys.stdin.read()
        return Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: this is a directory, a file is needed") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def write_page(path: str | None, text: str) -> None:
    """Write a page, if a file for it is named."""
    if path is None:
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def printable(text: str) -> str:
    """Text that standard output can take: other characters are written as SMT-LIB escapes them."""
    encoding = sys.stdout.encoding or "utf-8"

    def escaped(character: str) -> str:
        try:
            character.encode(encoding)
        except UnicodeEncodeError:
            return f"\\u{{{ord(character):x}}}"
        return character

    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(map(escaped, text))
    return text


@contextmanager
def _any_digits() -> Iterator[None]:
    """Convert numbers of any length meanwhile."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


class _Output:
    """What the running command has printed."""

    has_json = False


def print_json(fields: Mapping[str, object], answer: Answer = JOB_DONE) -> None:
    """Print the one JSON object of a command: its answer, and fields of its own."""
    core = as_json(answer)
    result = {**core, **fields, **core}
    with _any_digits():
        text = json.dumps(result, indent=2, ensure_ascii=False, default=shown)
        if printable(text) != text:
            text = json.dumps(result, indent=2, default=shown)
    _Output.has_json = True
    print(text)


# How much of a message is printed: some quote what they are about.
LONGEST = 2_000


def report_error(options: argparse.Namespace, message: str, code: int) -> int:
    """Say in one sentence why a command has no answer, also in its JSON object; give the code."""
    message = cut(message, LONGEST)
    print(f"solvent: {message}", file=sys.stderr)
    if getattr(options, "json", False) and not _Output.has_json:
        print_json({"command": options.command, "error": message}, Answer(reason=message))
    return code


def start_output() -> None:
    """A command starts: nothing is printed yet, and whatever it prints can be."""
    _Output.has_json = False
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Values of programs may be text that is not text, such as half of a surrogate pair.
            stream.reconfigure(errors="backslashreplace")
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = tell_ignored


def tell_ignored(problem: sys.UnraisableHookArgs) -> None:
    """Say in one sentence that Python ignores an exception, such as that of a `__del__`."""
    name = getattr(problem.object, "__qualname__", "an object that was given up")
    print(f"solvent: ignored in {name}: {described(problem.exc_value)}", file=sys.stderr)


def own_failure(error: BaseException) -> str:
    """What to say of an exception that nobody expected: a mistake in Solvent itself."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""
    return (
        f"{where}Solvent itself failed here, not the program that it runs ({described(error)}); "
        "please report this"
    )


@contextmanager
def contained() -> Iterator[None]:
    """Run the program under test so that it does not end the process as if all were well."""
    leave, process = os._exit, os.getpid()

    def refuse(status: int) -> NoReturn:
        if os.getpid() != process:
            leave(status)
        raise NotLiftedError("`os._exit` would end Solvent too; raise SystemExit instead")

    os._exit = refuse
    try:
        yield
    finally:
        os._exit = leave
