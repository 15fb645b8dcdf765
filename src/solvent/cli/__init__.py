"""The command `solvent`.

All commands share their exit codes: 0 the job is done or the property holds, 1 a violation was
found, 2 bad input or usage, 3 unknown because a limit was reached or something is not supported.
With `--json` a command prints one JSON object on standard output, also if it fails.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

import solvent
from solvent.cli.common import own_failure, report_error, start_output
from solvent.errors import InternalError, NotLiftedError, SolventError, UnboundedError
from solvent.verdicts import BAD_INPUT, INTERRUPTED, UNKNOWN

# The module of each command.  Only that of the command in use is imported: some take long.
COMMANDS = {
    "verify": "programs",
    "solve": "solve",
    "synthesize": "programs",
    "debug": "programs",
    "test": "test",
    "boogie": "boogie",
    "reach": "reach",
    "logic": "logic",
    "btor2": "btor2",
    "cstar": "cstar",
    "validate": "validate",
    "reference": "reference",
    "ifcl": "ifcl",
    "synthcl": "synthcl",
    "websynth": "websynth",
    "bench": "bench",
    "tour": "tour",
    "console": "console",
    "demo": "demo",
    "doctor": "doctor",
}


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of one command, or of all; each command's module adds its own."""
    parser = argparse.ArgumentParser(
        prog="solvent", description="A solver-aided language inside ordinary Python."
    )
    parser.add_argument("--version", action="version", version=f"solvent {solvent.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    wanted = [command] if command in COMMANDS else COMMANDS
    for module in dict.fromkeys(COMMANDS[name] for name in wanted):
        import_module(f"solvent.cli.{module}").add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code.

    >>> main(["solve", "no-such-file.smt2"])
    2
    """
    given = sys.argv[1:] if arguments is None else arguments
    options = argparse.Namespace()
    try:
        parser = build_parser(next((one for one in given if not one.startswith("-")), None))
        options = parser.parse_args(given)
        if options.command is None:
            parser.print_help(sys.stderr)
            return BAD_INPUT
        start_output()
        return int(options.run(options))
    except NotLiftedError as error:
        return report_error(options, f"not supported: {error}", UNKNOWN)
    except (InternalError, UnboundedError) as error:
        return report_error(options, str(error), UNKNOWN)
    except SolventError as error:
        return report_error(options, str(error), BAD_INPUT)
    except KeyboardInterrupt:
        return report_error(options, "interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader of a pipe went away; nobody is left to be told.
        sys.stderr.close()
        return 0
    except RecursionError:
        return report_error(options, "this input is nested too deeply", BAD_INPUT)
    except MemoryError:
        return report_error(options, "this needs more memory than there is", UNKNOWN)
    except Exception as error:
        return report_error(options, own_failure(error), UNKNOWN)
