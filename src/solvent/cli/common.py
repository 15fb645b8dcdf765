"""What the commands share: options, input files, and the JSON object."""

from __future__ import annotations

import argparse
import io
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, TextIO, TypeAlias

from solvent.cli.envelope import covered, has_json, is_for_people, told
from solvent.cli.progress import Work
from solvent.errors import CommandError, NotLiftedError
from solvent.solvers import Solver, portfolio
from solvent.verdicts import BAD_INPUT, UNKNOWN, Answer
from solvent.verdicts.texts import cut, described

# What `add_subparsers` gives: where commands, or the actions of one, are added.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class InputError(CommandError):
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


def add_solver_options(parser: argparse.ArgumentParser, *, reports: bool = False) -> None:
    """The options of every command that asks a solver, and whether it writes reports."""
    parser.add_argument(
        "--solver",
        metavar="NAME",
        help="z3, bitwuzla, cvc5, a mode such as z3:QF_BV, smtlib:COMMAND, auto (the default), "
        "or several separated by commas, which then race",
    )
    parser.add_argument(
        "--timeout", type=positive, metavar="SECONDS", help="time limit of each check"
    )
    if reports:
        add_report_options(parser)
    else:
        add_json_option(parser)


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """The option of every command that answers."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_report_options(parser: argparse.ArgumentParser) -> None:
    """The options of a command with findings: in which form they are given, and to whom."""
    add_json_option(parser)
    parser.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="lines to read, one JSON object, or what GitHub shows beside the code (text)",
    )
    parser.add_argument("--sarif", metavar="FILE", help="write the findings as SARIF 2.1.0, too")
    parser.add_argument("--junit", metavar="FILE", help="write the answers as JUnit XML, too")


def add_page_option(parser: argparse.ArgumentParser) -> None:
    """The option of a command whose counterexamples have steps."""
    parser.add_argument(
        "--html", metavar="FILE", help="write a page with the failing run, step by step"
    )


def add_budget_options(
    parser: argparse.ArgumentParser, advice: str, *, spent_code: int = UNKNOWN
) -> None:
    """The options of a command whose work has a limit, and which shows how far it is.

    `advice` is what to try when the time is over, with which the command ends with `spent_code`.
    """
    add_budget(parser, "how long all the work of this command may take (no limit)")
    parser.set_defaults(supervised=True, advice=advice, spent_code=spent_code)


def add_budget(parser: argparse.ArgumentParser, meaning: str, default: float | None = None) -> None:
    """The two options themselves."""
    parser.add_argument("--budget", type=positive, default=default, metavar="SECONDS", help=meaning)
    parser.add_argument("--quiet", action="store_true", help="show no progress")


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


# How much of a message is printed: some quote what they are about.
LONGEST = 2_000


def report_error(options: argparse.Namespace, message: str, code: int) -> int:
    """Say in one sentence why a command has no answer, also in its JSON object; give the code."""
    message = cut(message, LONGEST)
    print(f"solvent: {message}", file=sys.stderr)
    if not has_json():
        told(options, {"error": message}, Answer(reason=message))
    return code


def report_stopped(options: argparse.Namespace, why: str, code: int) -> int:
    """Say what was covered when a command had to stop, also in its JSON object; give the code."""
    work: Work = options.work
    reason = f"{why}; {work.covered or 'nothing is decided'}"
    if work.doing:
        reason += f"; it was busy with this: {work.doing}"
    if work.deadline.is_over:
        reason += f"; {_advice(options)}"
    reason = cut(reason, LONGEST)
    known = covered(work.covered, [work.doing] if work.doing else [])
    if not has_json() and not told(options, {}, Answer(reason=reason), coverage=known):
        print(f"unknown: {reason}", flush=True, file=_remarks(options))
    return code


def _advice(options: argparse.Namespace) -> str:
    """What to try when the budget is spent."""
    return f"try {options.advice}, or --budget {2 * options.budget:g}"


def _remarks(options: argparse.Namespace) -> TextIO:
    """Where a remark goes: standard output has the tests if there is no other file for them."""
    return sys.stderr if getattr(options, "output", "") is None else sys.stdout


def tell_spent(options: argparse.Namespace, code: int) -> None:
    """Say what was covered, after an engine that has stopped in time has answered."""
    work: Work = options.work
    if not work.deadline.is_over or code != options.spent_code or not is_for_people(options):
        return
    known = f"{work.covered}; " if work.covered else ""
    text = f"{work.deadline.message}; {known}{_advice(options)}"
    print(text, flush=True, file=_remarks(options))


def start_output() -> None:
    """A command starts: whatever it prints can be printed."""
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
