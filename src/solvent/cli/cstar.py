"""`solvent cstar`: compile, run, model and check C* programs, or binaries for RISC-U."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from solvent.btor2.printer import print_model
from solvent.cli.cases import Case
from solvent.cli.common import (
    Commands,
    InputError,
    add_json_option,
    add_page_option,
    add_report_options,
    natural,
    positive,
    usage,
    write_page,
)
from solvent.cli.envelope import is_for_people, told
from solvent.cli.measuring import add_profile_option, profiled
from solvent.cli.reported import Reported, from_data
from solvent.cli.spreading import add_spread_options, is_spread, limits_of, only_units, spread
from solvent.errors import SolventError
from solvent.riscu.answers import ProgramAnswer
from solvent.riscu.checking import ENGINES
from solvent.riscu.cstar.diagnostics import CStarError
from solvent.riscu.elf import write_elf
from solvent.riscu.emulator import Emulator, Run
from solvent.riscu.listing import disassemble
from solvent.riscu.loading import load
from solvent.riscu.model import generate_model
from solvent.riscu.program import Program
from solvent.units.bundle import Bundle
from solvent.units.unit import Reply, Tell, Unit
from solvent.verdicts import (
    BAD_INPUT,
    DONE,
    Answer,
    Finding,
    Stated,
    Together,
    Verdict,
    as_json,
    exit_code,
    lines,
    worst,
)
from solvent.verdicts.rendering import Json

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
    add_json_option(parser)
    parser.set_defaults(run=_with_diagnostics(run_compile))


def _add_disassemble(actions: Commands) -> None:
    parser = actions.add_parser("disassemble", help="print the instructions of a program")
    parser.add_argument("file", metavar="FILE", help=FILE)
    add_json_option(parser)
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
    add_json_option(parser)
    parser.add_argument("file", metavar="FILE", help=FILE)
    parser.add_argument(
        "arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="arguments of the program"
    )
    parser.set_defaults(run=_with_diagnostics(run_program))


def _exit_code(text: str) -> int:
    if not text.isdecimal() or len(text) > 20 or int(text) >= 2**64:
        raise argparse.ArgumentTypeError(f"an exit code is needed, not {text!r}")
    return int(text)


def _add_modelling(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    if several:
        parser.add_argument("files", nargs="+", metavar="FILE", help=FILE)
    else:
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
    add_profile_option(parser)
    add_json_option(parser)
    parser.set_defaults(run=_with_diagnostics(run_model))


def _add_check(actions: Commands) -> None:
    parser = actions.add_parser(
        "check", help="find an input that makes a program fail, or show that there is none"
    )
    _add_modelling(parser, several=True)
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
    add_page_option(parser)
    add_profile_option(parser)
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    add_spread_options(parser)
    add_report_options(parser)
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
            told(options, {"error": str(error)}, Answer(reason=str(error)))
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
    code, data = 4 * len(program.words), len(program.data)
    fields = {"file": options.file, "code": code, "data": data, "output": options.output}
    if told(options, fields):
        return DONE
    if options.output is None and options.assembly is None:
        print(f"{options.file}: {code} bytes of code, {data} bytes of data")
    return DONE


def run_disassemble(options: argparse.Namespace) -> int:
    """Print the instructions of a program."""
    text = disassemble(_load(options.file))
    if not told(options, {"file": options.file, "text": text}):
        print(text, end="")
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
    if not told(options, _run_as_json(run), answer):
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
        "fault": str(run.fault) if run.fault else None,
        "stopped": run.stopped or None,
        "where": run.where,
        "pc": run.pc,
        "steps": run.steps,
        "output": run.output.decode("latin-1"),
    }


def run_model(options: argparse.Namespace) -> int:
    """Print or write the model of a program."""
    program = _load(options.file)
    with profiled(options, f"cstar model {options.file}"):
        model = generate_model(program, options.exitcode, options.free_memory, options.input_ends)
    text = print_model(model)
    write_page(options.output, text)
    fields = {"file": options.file, "output": options.output}
    if told(options, fields if options.output else {**fields, "text": text}):
        return DONE
    if options.output is None:
        print(text, end="")
    return DONE


def run_check(options: argparse.Namespace) -> int:
    """Check programs; 1 if an input makes one fail, 3 if a limit or the bound was reached."""
    if is_spread(options, len(options.files)):
        return _check_all(options)
    file = options.files[0]
    with profiled(options, f"cstar check {file}"):
        answer = _checked(file, options, _show if sys.stderr.isatty() else None)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    if options.input is not None and answer.verdict is Verdict.VIOLATED:
        _write(options.input, answer.input)
    if options.html:
        _write_page(options, file, answer)
    if not told(options, _fields(file, answer), answer):
        print(*lines(answer, file), sep="\n")
    return exit_code(answer.verdict)


def _checked(
    file: str, options: argparse.Namespace, show: Callable[[int], None] | None
) -> ProgramAnswer:
    engine, bound = ENGINES[options.engine]
    return engine(
        _load(file),
        options.bound or bound,
        options.exitcode,
        options.free_memory,
        options.timeout,
        options.solver,
        show,
        options.endless_input,
    )


# --- several programs ----------------------------------------------------------------------------

# The options that an answer about a program depends on.
_MATTER = ("engine", "bound", "exitcode", "free_memory", "timeout", "solver", "endless_input")


def _check_all(options: argparse.Namespace) -> int:
    """Check programs as units of work; one that cannot be read is no reason to stop."""
    for name in ("input", "html", "profile"):
        if getattr(options, name) is not None and len(options.files) > 1:
            raise InputError(f"--{name} is for one program; check them one by one")
        if getattr(options, name) is not None:
            only_units(options, f"with --{name}")
    matter: Json = {name: getattr(options, name) for name in _MATTER}

    def unit(file: str) -> Unit:
        bundle = Bundle.of([Path(file)]) if Path(file).is_file() else None
        data: Json = {"file": file, "options": matter}
        return Unit("cstar", file, data, bundle, limits_of(options, None))

    known: dict[int, Reported] = {}
    with spread(options, ["cstar check", *options.files]) as doing:
        for index, found, reply in doing(map(unit, options.files)):
            known[index] = _reported(found.name, reply)
            if is_for_people(options) and sys.stdout.isatty():
                print(*lines(known[index], found.name), sep="\n")
    answers = [known[index] for index in range(len(options.files))]
    together: Answer = Together.of(answers)
    cases = [
        Case(file, one, is_bad="error" in one.row)
        for file, one in zip(options.files, answers, strict=True)
    ]
    fields: Json = {"file": None, "programs": [one.as_dict() for one in answers]}
    if len(answers) == 1:
        fields, together = answers[0].as_dict(), answers[0]
    if not told(options, fields, together, cases=cases) and not sys.stdout.isatty():
        for file, one in zip(options.files, answers, strict=True):
            print(*lines(one, file), sep="\n")
    codes = [BAD_INPUT if one.row.get("error") else exit_code(one.verdict) for one in answers]
    return worst(codes)


def _reported(file: str, reply: Reply) -> Reported:
    """The answer about a program, unknown unless it says otherwise in so many words."""
    problem = reply.problem
    if reply.answer is not None:
        try:
            return from_data(reply.answer)
        except (LookupError, TypeError, ValueError) as error:
            problem = f"its answer cannot be read: {error}"
    row: Json = {"file": file, **as_json(Answer(reason=problem))}
    return Reported(reason=problem, texts=(f"unknown: {problem}",), row=row)


def perform(data: Json, tell: Tell) -> Json:
    """Check a program whose file is here."""
    file, given = str(data["file"]), data["options"]
    assert isinstance(given, dict)
    tell(file)
    try:
        answer = _checked(file, argparse.Namespace(**given), None)
    except SolventError as error:
        message = str(error)
        row: Json = {"file": file, "error": message, **as_json(Answer(reason=message))}
        return {"verdict": Verdict.UNKNOWN.value, "reason": message, "texts": [message], "row": row}
    return {
        "verdict": answer.verdict.value,
        "reason": answer.reason,
        "bound": answer.bound,
        "seconds": answer.seconds,
        "texts": [answer.headline(), *answer.details()],
        "row": {**as_json(answer), **_fields(file, answer)},
    }


def _write_page(options: argparse.Namespace, file: str, answer: ProgramAnswer) -> None:
    """A page with the failing run, or with the answer if there is none."""
    # Few ask for one.
    from solvent.cli.tracing import machine_story, write_stories

    fails = answer.verdict is Verdict.VIOLATED
    stories = [machine_story(_load(file), answer.headline(), answer.input)] if fails else []
    write_stories(options, file, stories, [] if fails else [answer.headline()])


def _show(steps: int) -> None:
    """How far the search is, on one line that is written again and again."""
    print(f"\r\033[Klooking at {steps} steps", end="", file=sys.stderr, flush=True)


def _fields(file: str, answer: ProgramAnswer) -> dict[str, object]:
    return {
        "file": file,
        "bad_state": answer.bad_state,
        "fault": answer.error,
        "input": answer.input.decode("latin-1"),
        "memory": {str(address): value for address, value in answer.memory.items()},
        "confirmed": answer.confirmed,
        "run": None if answer.run is None else str(answer.run),
        "engine_seconds": round(answer.seconds, 3),
    }
