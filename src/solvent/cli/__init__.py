"""The command `solvent`.

All commands share their exit codes: 0 the job is done or the property holds, 1 a violation was
found, 2 bad input or usage, 3 unknown because a limit was reached or something is not supported.
With `--json` a command prints one JSON object on standard output, also if it fails.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import ClassVar, NamedTuple, NoReturn

import solvent
from solvent.cli.output import lost, open_output
from solvent.cli.progress import Work, is_supervised
from solvent.errors import InternalError, NotLiftedError, SolventError, UnboundedError
from solvent.verdicts import BAD_INPUT, UNKNOWN, stopped_by, stopped_code, terminable


class Command(NamedTuple):
    """A command: the module that has it, what it is for, and whether it always asks a solver."""

    module: str
    help: str
    asks: bool = False


# Only the module of the command in use is imported: some take long.
COMMANDS = {
    "verify": Command("programs", "find inputs with which a Python function fails"),
    "synthesize": Command("programs", "find values for the holes of a sketch", asks=True),
    "debug": Command("programs", "find the expressions responsible for a failure", asks=True),
    "optimize": Command("programs", "find the best inputs of a Python function", asks=True),
    "solve": Command(
        "solve",
        "run an SMT-LIB 2 script, or find inputs with which a Python function succeeds",
    ),
    "profile": Command("profiles", "show where paths and terms come from"),
    "trace": Command("profiles", "show the exceptions that became `no such path`"),
    "test": Command("test", "write a test for each path of Python functions"),
    "watch": Command("watch", "check again whatever changes, until Ctrl-C"),
    "lsp": Command("lsp", "the language server, for editors"),
    "boogie": Command("boogie", "verify Boogie programs modularly"),
    "reach": Command("reach", "search a Boogie program for failing assertions"),
    "logic": Command("logic", "turn a Boogie program into logic, by four methods side by side"),
    "btor2": Command("btor2", "check, simulate and replay BTOR2 models"),
    "cstar": Command("cstar", "compile, run, model and check C* programs"),
    "validate": Command("validate", "predict an error of a C* program and see it happen"),
    "reference": Command("reference", "test the virtual machine against the reference semantics"),
    "ifcl": Command("ifcl", "do machines that track secrets keep them?"),
    "synthcl": Command("synthcl", "OpenCL kernels: verify, synthesise, print, run"),
    "websynth": Command("websynth", "find an XPath from examples of what to scrape"),
    "bench": Command("bench", "measure the solver-aided languages: table 4 and figure 10"),
    "tour": Command("tour", "verify, debug and synthesize automata, and more"),
    "console": Command(
        "console", "Python's prompt, which keeps the source of functions typed there"
    ),
    "demo": Command("demo", "solve and prove a few formulas"),
    "explain": Command("explain", "explain a limitation, and the way around it"),
    "completion": Command("completion", "print a script for completion in a shell"),
    "doctor": Command("doctor", "show which solvers work here"),
}


def imported(name: str) -> ModuleType:
    """A module, imported without a search for garbage among what it makes, which stays for good."""
    if name in sys.modules or not gc.isenabled():
        return import_module(name)
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.enable()
        gc.freeze()


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of one command, or what there is to say about all of them."""
    parser = Parser(prog="solvent", description="A solver-aided language inside ordinary Python.")
    parser.add_argument("--version", action="version", version=f"solvent {solvent.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    if command in COMMANDS:
        imported(f"solvent.cli.{COMMANDS[command].module}").add_parser(commands)
    else:
        for name, known in COMMANDS.items():
            commands.add_parser(name, help=known.help)
    return parser


_HELP = {"-h", "--help"}


class Parser(argparse.ArgumentParser):
    """A parser whose help has examples, and whose complaints are in the JSON object, too."""

    # Whether one is asked for: what cannot be parsed does not say so.
    json: ClassVar[bool] = False

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        if self.get_default("supervised") and not _HELP & set(args or ()):
            # Few commands have a limit of time, and few projects a file that sets it.
            from solvent.cli.settings import preset

            preset(self)
        return super().parse_known_args(args, namespace)

    def format_help(self) -> str:
        # Nobody needs the examples unless they are shown.
        from solvent.cli.examples import epilog

        self.epilog = epilog(self.prog.removeprefix("solvent").strip())
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        if Parser.json:
            from solvent.cli.envelope import begin, envelope, write
            from solvent.verdicts import Answer

            begin(self.prog.removeprefix("solvent").strip(), (), Work())
            write(envelope({"error": message}, Answer(reason=message)))
        super().error(message)


def about(
    parser: argparse.ArgumentParser, options: argparse.Namespace
) -> tuple[str, tuple[str, ...]]:
    """The full name of the command that was parsed, and what its positional arguments name."""
    names: list[str] = []
    targets: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            name = getattr(options, action.dest)
            if name is not None:
                inner, more = about(action.choices[name], options)
                names += [name, inner]
                targets += more
        elif not action.option_strings and action.nargs != argparse.REMAINDER:
            value = getattr(options, action.dest, None)
            targets += value if isinstance(value, list) else [] if value is None else [str(value)]
    return " ".join(filter(None, names)), tuple(targets)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code.

    >>> main(["solve", "no-such-file.smt2"])
    2
    """
    given = sys.argv[1:] if arguments is None else arguments
    open_output()
    with terminable():
        return guarded(argparse.Namespace(work=Work()), lambda options: _start(options, given))


def _parse(
    parser: argparse.ArgumentParser, given: Sequence[str], options: argparse.Namespace
) -> None:
    """Read the command line; an option that a command does not have is told by that command."""
    _, unknown = parser.parse_known_args(given, options)
    if not unknown:
        return
    inner: argparse.ArgumentParser | None = parser
    while inner is not None:
        parser = inner
        known = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
        inner = known[0].choices.get(getattr(options, known[0].dest)) if known else None
    parser.error(f"unrecognized arguments: {' '.join(unknown)}")


def _start(options: argparse.Namespace, given: Sequence[str]) -> int:
    """Read the command line, and run the command here or in a fork that is watched."""
    command = next((one for one in given if not one.startswith("-")), None)
    _start_solver(command, given)
    parser = build_parser(command)
    Parser.json = any(len(one) > 3 and "--json".startswith(one) for one in given)
    try:
        _parse(parser, given, options)
    except SolventError:
        # What the project sets is no option.
        _begin_early(options, command or "")
        raise
    if options.command is None:
        parser.print_help(sys.stderr)
        return BAD_INPUT
    if getattr(options, "supervised", False):
        options.work = Work(options.budget)
    # What all commands share takes long to import, for one who only asks which there are.
    from solvent.cli.common import start_output
    from solvent.cli.envelope import begin

    if getattr(options, "format", "") == "json":
        options.json = True
    start_output()
    begin(*about(parser, options), options.work)
    if is_supervised(options):
        supervising = import_module("solvent.cli.supervising")
        return int(supervising.supervised(options, guarded))
    return _run(options)


def _begin_early(options: argparse.Namespace, command: str) -> None:
    """What a report needs, where the command line was not read to its end."""
    from solvent.cli.envelope import begin

    options.json = Parser.json
    begin(command, (), options.work)


def _run(options: argparse.Namespace) -> int:
    """Run the command, and say what was covered if it ran out of time."""
    from solvent.cli.common import tell_spent

    code = int(options.run(options))
    tell_spent(options, code)
    return code


def guarded(options: argparse.Namespace, run: Callable[[argparse.Namespace], int] = _run) -> int:
    """Run a command; whatever goes wrong is one sentence and an exit code."""
    try:
        return run(options)
    except (Exception, KeyboardInterrupt) as error:
        code = lost(error) if isinstance(error, OSError) else None
        return _failed(options, error) if code is None else code


def _start_solver(command: str | None, given: Sequence[str]) -> None:
    """Let the solver start while the command is imported, if it will be asked."""
    known = COMMANDS.get(command or "")
    if known is None or not known.asks or len(given) < 2:
        return
    if any(one in ("-h", "--help") or one.startswith("--solver") for one in given):
        return
    from solvent.solvers import ahead

    ahead.start()


def _failed(options: argparse.Namespace, error: BaseException) -> int:
    """Say why a command has no answer; the exit code."""
    from solvent.cli.common import own_failure, report_error, report_stopped
    from solvent.cli.limits import marked

    if isinstance(error, KeyboardInterrupt):
        if options.work.doing:
            return report_stopped(options, stopped_by(error), stopped_code(error))
        return report_error(options, "interrupted", stopped_code(error))
    for kinds, message, code in _REASONS:
        if isinstance(error, kinds):
            text = message.format(error)
            return report_error(options, marked(text) if code == UNKNOWN else text, code)
    return report_error(options, own_failure(error), UNKNOWN)


# What is said of errors, and the exit codes; the first row that fits counts.
_REASONS: tuple[tuple[tuple[type[BaseException], ...], str, int], ...] = (
    ((NotLiftedError,), "not supported: {}", UNKNOWN),
    ((InternalError, UnboundedError), "{}", UNKNOWN),
    ((SolventError,), "{}", BAD_INPUT),
    ((RecursionError,), "this input is nested too deeply", BAD_INPUT),
    ((MemoryError,), "this needs more memory than there is", UNKNOWN),
)
