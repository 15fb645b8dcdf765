"""The command `solvent`.

All commands share their exit codes: 0 the job is done or the property holds, 1 a violation was
found, 2 bad input or usage, 3 unknown because a limit was reached.  With `--json` a command
prints one JSON object on standard output.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import solvent
from solvent.cli import (
    bench,
    boogie,
    btor2,
    demo,
    doctor,
    ifcl,
    programs,
    reference,
    solve,
    synthcl,
    tour,
    websynth,
)
from solvent.cli.common import BAD_INPUT, INTERRUPTED
from solvent.errors import SolventError

COMMANDS = (
    solve,
    programs,
    reference,
    boogie,
    btor2,
    tour,
    ifcl,
    synthcl,
    websynth,
    bench,
    demo,
    doctor,
)


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands; each command's module adds its own."""
    parser = argparse.ArgumentParser(
        prog="solvent", description="A solver-aided language inside ordinary Python."
    )
    parser.add_argument("--version", action="version", version=f"solvent {solvent.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for command in COMMANDS:
        command.add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code.

    >>> main(["solve", "no-such-file.smt2"])
    2
    """
    parser = build_parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help(sys.stderr)
        return BAD_INPUT
    try:
        return int(options.run(options))
    except SolventError as error:
        print(f"solvent: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("solvent: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe went away; nobody is left to be told.
        sys.stderr.close()
        return 0
