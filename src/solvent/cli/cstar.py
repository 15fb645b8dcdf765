"""`solvent cstar`: compile, run, model and check C* programs, or binaries for RISC-U."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from solvent.btor2.printer import print_model
from solvent.cli.common import (
    Commands,
    InputError,
    natural,
    positive,
    print_json,
    usage,
    write_page,
)
from solvent.riscu.answers import ProgramAnswer
from solvent.riscu.checking import ENGINES
from solvent.riscu.cstar.diagnostics import CStarError
from solvent.riscu.elf import write_elf
from solvent.riscu.emulator import Emulator, Run
from solvent.riscu.listing import disassemble
from solvent.riscu.loading import load
from solvent.riscu.model import generate_model
from solvent.riscu.program import Program
from solvent.verdicts import (
    BAD_INPUT,
    DONE,
    Finding,
    Stated,
    Verdict,
    exit_code,
    lines,
)

FILE = "a C* file, or an ELF file with RISC-U code"

# The megabytes of a program that is run: endless recursion ends in some seconds.
DEFAULT_MEMORY = 16


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("cstar", help="compile, run, model and check C* programs")
    parser.set_defaults(run=lambda options: usage(parser))
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    _add_compile(actions)
    _add_disassemble(actions)
    _add_run(actions)
    _add_model(actions)
    _add_check(actions)


def _add_compile(actions: Commands) -> None:
    parser = actions.add_parser("compile", help="compile a C* file to an ELF file")
    parser.add_argument("file", metavar="FILE", help="a C* file")
    parser.add_argument("-o", "--output", metavar="FILE", help="the ELF file to write")
    parser.add_argument("-S", "--assembly", metavar="FILE", help="write the assembly code here")
    parser.set_defaults(run=_with_diagnostics(run_compile))


def _add_disassemble(actions: Commands) -> None:
    parser = actions.add_parser("disassemble", help="print the instructions of a program")
    parser.add_argument("file", metavar="FILE", help=FILE)
    parser.set_defaults(run=_with_diagnostics(run_disassemble))


def _add_run(actions: Commands) -> None:
    parser = actions.add_parser("run", help="run a program on the emulator")
    parser.add_argument(
        "--memory",
        type=natural,
        default=DEFAULT_MEMORY,
        metavar="MB",
        help=f"limit of the memory in use (default: {DEFAULT_MEMORY})",
    )
    parser.add_argument("--steps", type=natural, metavar="N", help="limit of instructions")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("file", metavar="FILE", help=FILE)
    parser.add_argument(
        "arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="arguments of the program"
    )
    parser.set_defaults(run=_with_diagnostics(run_program))


def _exit_code(text: str) -> int:
    if not text.isdecimal() or len(text) > 20 or int(text) >= 2**64:
        raise argparse.ArgumentTypeError(f"an exit code is needed, not {text!r}")
    return int(text)


def _add_modelling(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=FILE)
    parser.add_argument(
        "-e",
        "--exitcode",
        type=_exit_code,
        metavar="N",
        help="the exit code that is bad (default: all but zero)",
    )
    parser.add_argument(
        "--free-memory",
        action="store_true",
        help="memory that is not initialised may hold anything (default: it is zero)",
    )


def _add_model(actions: Commands) -> None:
    parser = actions.add_parser("model", help="print the BTOR2 model of a program")
    _add_modelling(parser)
    parser.add_argument(
        "--input-ends",
        action="store_true",
        help="the standard input may end anywhere (default: it never ends, as with Selfie)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write it here instead")
    parser.set_defaults(run=_with_diagnostics(run_model))


def _add_check(actions: Commands) -> None:
    parser = actions.add_parser(
        "check", help="find an input that makes a program fail, or show that there is none"
    )
    _add_modelling(parser)
    parser.add_argument(
        "--engine",
        choices=list(ENGINES),
        default="direct",
        help="symbolic execution (direct, the default) or bounded model checking of the model",
    )
    bounds = ", ".join(f"{bound} with {name}" for name, (_, bound) in ENGINES.items())
    parser.add_argument(
        "--bound",
        type=natural,
        metavar="N",
        help=f"how many instructions to look at (default: {bounds})",
    )
    parser.add_argument(
        "--endless-input",
        action="store_true",
        help="the standard input never ends, as in models (default: it may end anywhere)",
    )
    parser.add_argument("--solver", metavar="NAME", help="z3, bitwuzla (the default) or cvc5")
    parser.add_argument("--timeout", type=positive, metavar="SECONDS", help="time limit")
    parser.add_argument("--input", metavar="FILE", help="write an input that fails here")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=_with_diagnostics(run_check))


# --- actions -----------------------------------------------------------------------------------

Action = Callable[[argparse.Namespace], int]


def _with_diagnostics(action: Action) -> Action:
    """An action that shows the mistakes of a program as compilers do."""

    def act(options: argparse.Namespace) -> int:
        try:
            return action(options)
        except CStarError as error:
            print(error, file=sys.stderr)
            return BAD_INPUT

    return act


def _load(path: str) -> Program:
    program, warnings = load(path)
    for warning in warnings:
        print(warning, file=sys.stderr)
    return program


def _write(path: str, content: bytes) -> None:
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def run_compile(options: argparse.Namespace) -> int:
    """Compile a file."""
    program = _load(options.file)
    if options.output is not None:
        _write(options.output, write_elf(program))
    write_page(options.assembly, disassemble(program))
    if options.output is None and options.assembly is None:
        size = 4 * len(program.words)
        print(f"{options.file}: {size} bytes of code, {len(program.data)} bytes of data")
    return DONE


def run_disassemble(options: argparse.Namespace) -> int:
    """Print the instructions of a program."""
    print(disassemble(_load(options.file)), end="")
    return DONE


def run_program(options: argparse.Namespace) -> int:
    """Run a program; 1 if it fails or exits with another code than zero, 3 if a limit stops it."""
    program = _load(options.file)
    output = None if options.json else sys.stdout.buffer
    # The standard input may be closed.
    source = b"" if sys.stdin is None else sys.stdin.buffer
    emulator = Emulator(program, source, output, options.arguments, options.memory, files=True)
    run = emulator.run(options.steps)
    answer = _answer(run)
    if options.json:
        print_json(_run_as_json(run), answer)
    else:
        print(f"{options.file}: {run}" if run.exit_code is not None else run, file=sys.stderr)
    return exit_code(answer.verdict)


def _answer(run: Run) -> Stated:
    """Whether a run ended well."""
    if run.stopped:
        return Stated(reason=run.stopped)
    if run.fault or run.exit_code:
        return Stated((Finding(str(run), confirmed=True),), verdict=Verdict.VIOLATED)
    return Stated(verdict=Verdict.HOLDS)


def _run_as_json(run: Run) -> dict[str, object]:
    return {
        "exit_code": run.exit_code,
        "error": str(run.fault) if run.fault else None,
        "stopped": run.stopped or None,
        "where": run.where,
        "pc": run.pc,
        "steps": run.steps,
        "output": run.output.decode("latin-1"),
    }


def run_model(options: argparse.Namespace) -> int:
    """Print or write the model of a program."""
    program = _load(options.file)
    model = generate_model(program, options.exitcode, options.free_memory, options.input_ends)
    text = print_model(model)
    if options.output is None:
        print(text, end="")
    write_page(options.output, text)
    return DONE


def run_check(options: argparse.Namespace) -> int:
    """Check a program; 1 if an input makes it fail, 3 if a limit or the bound was reached."""
    program = _load(options.file)
    engine, bound = ENGINES[options.engine]
    answer = engine(
        program,
        options.bound or bound,
        options.exitcode,
        options.free_memory,
        options.timeout,
        options.solver,
        _show if sys.stderr.isatty() else None,
        options.endless_input,
    )
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    if options.input is not None and answer.verdict is Verdict.VIOLATED:
        _write(options.input, answer.input)
    if options.json:
        print_json(_fields(options.file, answer), answer)
    else:
        print(*lines(answer, options.file), sep="\n")
    return exit_code(answer.verdict)


def _show(steps: int) -> None:
    """How far the search is, on one line that is written again and again."""
    print(f"\r\033[Klooking at {steps} steps", end="", file=sys.stderr, flush=True)


def _fields(file: str, answer: ProgramAnswer) -> dict[str, object]:
    return {
        "file": file,
        "bad_state": answer.bad_state,
        "error": answer.error,
        "input": answer.input.decode("latin-1"),
        "memory": {str(address): value for address, value in answer.memory.items()},
        "confirmed": answer.confirmed,
        "run": None if answer.run is None else str(answer.run),
        "seconds": round(answer.seconds, 3),
    }
