"""`solvent validate`: predict an error of a C* program, and see it happen (section 7.5).

The options are those of figure 19, and so are the exit codes: 0 the error was verified, 1 it was
not, 2 a file is missing, 3 something cannot be parsed, 4 time ran out, 5 internal error.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from solvent.cli.common import (
    Commands,
    add_budget_options,
    add_json_option,
    add_page_option,
    natural,
    write_page,
)
from solvent.cli.envelope import told, wants_json
from solvent.cli.measuring import add_profile_option, profiled
from solvent.riscu.loading import load
from solvent.riscu.validator import INPUT, INTERNAL_ERROR, TIMEOUT, VERIFIED, Settings, validate
from solvent.verdicts import Finding, Stated, Verdict

# Where files are kept in debug mode.
FOLDER = "temp"
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def duration(text: str) -> float:
    """A time as the command `timeout` takes it, in seconds.

    >>> duration("9m"), duration("1.5h"), duration("10")
    (540.0, 5400.0, 10.0)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd]?)", text)
    if found is None or float(found[1]) == 0:
        raise argparse.ArgumentTypeError(f"a time such as 10s, 5m or 1h is needed, not {text!r}")
    return float(found[1]) * _UNITS[found[2]]


def _exit_code(text: str) -> int:
    if not text.isdecimal() or len(text) > 20 or int(text) >= 2**64:
        raise argparse.ArgumentTypeError(f"an exit code is needed, not {text!r}")
    return int(text)


def add_parser(commands: Commands) -> None:
    """Add the command."""
    sentence = "predict an error of a C* program and see it happen"
    parser = commands.add_parser("validate", help=sentence)
    _add_options(parser)
    add_page_option(parser)
    add_profile_option(parser)
    add_budget_options(parser, "a smaller -kmax", spent_code=TIMEOUT)
    add_json_option(parser)
    parser.set_defaults(run=run_validate)


def _add_options(parser: argparse.ArgumentParser) -> None:
    """Those of figure 19."""
    add = parser.add_argument
    add("in_file", help="input C* file")
    add("-d", "--debug", action="store_true", help="debug mode (generated files are kept)")
    add(
        "-e",
        "--exitcode",
        type=_exit_code,
        metavar="BAD_EXIT_CODE",
        help="value for the non-zero exit code bad state (default: all but zero)",
    )
    add("-s", "--selfie", metavar="SELFIE_PATH", help="run programs with this selfie")
    add("-m", "--modeler", metavar="MODELER_PATH", help="make models with this modeler.selfie")
    add("-b", "--btormc", metavar="BTORMC_PATH", help="look for witnesses with this btormc")
    add(
        "-ts",
        "--timeout_selfie",
        type=duration,
        default=10.0,
        metavar="SELFIE_TIMEOUT",
        help="time limit of running the program (example: 10s, 5m, 1h; default: 10s)",
    )
    add(
        "-tb",
        "--timeout_btormc",
        type=duration,
        default=540.0,
        metavar="BTORMC_TIMEOUT",
        help="time limit of looking for a witness (default: 9m)",
    )
    add("-kmax", type=natural, default=10_000, metavar="KMAX", help="steps (default: 10000)")
    add(
        "-mem",
        "--memory",
        type=natural,
        default=2,
        metavar="MEMORY",
        help="memory [MB] of the machine (default: 2)",
    )
    add(
        "--free-memory",
        action="store_true",
        help="memory that is not initialised may hold anything, as with Selfie's modeler",
    )


def run_validate(options: argparse.Namespace) -> int:
    """Validate a program."""
    settings = Settings(
        options.in_file,
        options.debug,
        options.exitcode,
        options.selfie,
        options.modeler,
        options.btormc,
        options.work.within(options.timeout_selfie),
        options.work.within(options.timeout_btormc),
        options.kmax,
        options.memory,
        options.free_memory,
    )
    options.work.update("reading the program")
    said: list[str] = []

    def say(text: str) -> None:
        said.append(text)
        if not wants_json(options):
            print(text)

    # Said now, and not after nine minutes.
    write_page(options.html, "")
    with profiled(options, f"validate {options.in_file}"):
        code = _validated(settings, options, said, say)
    told(options, {"file": options.in_file, "code": code, "said": said}, _answer(code, said))
    return code


def _validated(
    settings: Settings, options: argparse.Namespace, said: list[str], say: Callable[[str], None]
) -> int:
    """One of the exit codes of the validator, which says what it does; a page of it if wanted."""

    def within(folder: Path) -> int:
        code = validate(settings, folder, say, options.work.update)
        if options.html:
            _write_page(settings, options, folder, said)
        return code

    if not settings.debug:
        with tempfile.TemporaryDirectory(prefix="solvent-") as folder:
            return within(Path(folder))
    try:
        Path(FOLDER).mkdir(exist_ok=True)
    except OSError as error:
        say(f"Internal error: {FOLDER}: {error.strerror}")
        return INTERNAL_ERROR
    return within(Path(FOLDER))


def _write_page(
    settings: Settings, options: argparse.Namespace, folder: Path, said: list[str]
) -> None:
    """The run on the input that was found, line by line, and what the validator said."""
    # Few ask for one.
    from solvent.cli.tracing import machine_story, write_stories

    stories = []
    # In debug mode there may be an input of an earlier run.
    found = folder / INPUT
    if any(line.endswith("error state found!") for line in said) and found.is_file():
        program, _ = load(settings.in_file)
        # "... error verified!", or that it could not be.
        headline = next(line for line in reversed(said) if " error " in line)
        stories = [machine_story(program, headline, found.read_bytes())]
    write_stories(options, f"solvent validate {settings.in_file}", stories, said)


def _answer(code: int, said: list[str]) -> Stated:
    """What an exit code of the validator means to everybody else.

    That no error was seen to happen is no proof that there is none.
    """
    last = said[-1] if said else ""
    if code == VERIFIED:
        return Stated((Finding(last, confirmed=True),), verdict=Verdict.VIOLATED)
    return Stated(reason=last)
