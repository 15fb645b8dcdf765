"""The validator of section 7.5: from a C* file to an error that was seen to happen.

A model is made, a witness for one of its bad states is looked for and parsed, the input in it is
given to the program, and the output of the run must contain the text of the error.  Each of the
three tools can be replaced by an external one: Selfie, its modeler, BtorMC.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from solvent.btor2.engines import check
from solvent.btor2.errors import WitnessError
from solvent.btor2.parser import parse_file
from solvent.btor2.printer import print_model
from solvent.btor2.witness import Witness, memory_constraints, reads
from solvent.btor2.witness_parser import parse_witness
from solvent.errors import SolventError
from solvent.riscu.cstar.diagnostics import CStarError
from solvent.riscu.emulator import Emulator
from solvent.riscu.faults import EXIT_PROPERTY, PROPERTIES, Exited
from solvent.riscu.following import Followed, Taken, follow
from solvent.riscu.loading import load
from solvent.riscu.model import generate_model
from solvent.riscu.program import Program, ProgramError
from solvent.verdicts import Verdict

# The exit codes of section 7.5.
VERIFIED, NOT_VERIFIED, FILE_NOT_FOUND, PARSER_ERROR, TIMEOUT, INTERNAL_ERROR = range(6)

MODEL, WITNESS = "model.btor2", "witness.wit"
INPUT, OUTPUT = "error_input.txt", "selfie_out.txt"

# What the modeler takes for the bad exit code if nobody says.
DEFAULT_EXIT_CODE = 1
# What stands in the output of a run that fails (section 7.4).
_TEXTS = {0: "invalid syscall", 2: "division by zero", 3: "division by zero"}
_INVALID_ADDRESS = "uncaught invalid address"


# What is done now, and what is known.
Progress = Callable[[str, str], object]


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of figure 19; an external tool that is not named is our own."""

    in_file: str
    debug: bool = False
    exit_code: int | None = None
    selfie: str | None = None
    modeler: str | None = None
    btormc: str | None = None
    selfie_timeout: float = 10.0
    btormc_timeout: float = 540.0
    kmax: int = 10_000
    memory: int = 2
    free_memory: bool = False


class _Stop(Exception):
    """The validation ends with an exit code and a message."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def validate(
    settings: Settings,
    folder: Path,
    say: Callable[[str], None] = print,
    progress: Progress = lambda doing, covered: None,
) -> int:
    """Validate a program with files in a folder; one of the six exit codes.

    `progress` is told what is done now, and what is known by now if that is more than before.
    """
    try:
        return _Validation(settings, folder, say, progress).run()
    except _Stop as stop:
        say(str(stop))
        return stop.code
    except CStarError as error:
        say(str(error))
        return PARSER_ERROR
    except (WitnessError, ProgramError) as error:
        say(str(error))
        return PARSER_ERROR
    except SolventError as error:
        say(f"Internal error: {error}")
        return INTERNAL_ERROR


class _Validation:
    def __init__(
        self, settings: Settings, folder: Path, say: Callable[[str], None], progress: Progress
    ) -> None:
        self.settings = settings
        self.folder = folder
        self.say = say
        self.progress = progress

    def debug(self, text: str) -> None:
        if self.settings.debug:
            self.say(text)

    def file(self, name: str) -> Path:
        return self.folder / name

    def run(self) -> int:
        """From the C* file to the verdict."""
        settings = self.settings
        if not Path(settings.in_file).is_file():
            raise _Stop(FILE_NOT_FOUND, f"{settings.in_file}: there is no such file")
        program = None
        self.progress("making the model", "")
        if settings.modeler is None or settings.selfie is None:
            program, _ = load(settings.in_file)
        self.make_model(program)
        if not self.find_witness():
            self.say("no error state found")
            self.clean_up()
            return NOT_VERIFIED
        self.say("parsing witness...")
        path = self.file(WITNESS)
        witness = parse_witness(path.read_text(encoding="utf-8"), str(path))
        return self.validate(program, witness)

    # --- from C* to witness (7.2) --------------------------------------------------------------

    def make_model(self, program: Program | None) -> None:
        settings, path = self.settings, self.file(MODEL)
        if settings.modeler is None:
            assert program is not None
            model = generate_model(program, settings.exit_code, settings.free_memory)
            path.write_text(print_model(model), encoding="utf-8")
        else:
            code = DEFAULT_EXIT_CODE if settings.exit_code is None else settings.exit_code
            command = [settings.modeler, "-c", settings.in_file, "-", str(code)]
            self.debug(self.external(command, settings.btormc_timeout, "modeler"))
            made = Path(settings.in_file).with_suffix(".btor2")
            if not made.is_file():
                raise _Stop(FILE_NOT_FOUND, f"{made}: the modeler did not write this file")
            made.replace(path)
        self.debug(f"Model written to {path}")

    def find_witness(self) -> bool:
        """Write a witness; whether there is one."""
        settings, path = self.settings, self.file(WITNESS)
        self.progress("looking for a witness", "the model is made")
        if settings.btormc is not None:
            command = [settings.btormc, "-kmax", str(settings.kmax), str(self.file(MODEL))]
            text = self.external(command, settings.btormc_timeout, "btormc")
        else:
            model = parse_file(self.file(MODEL))
            result = check(
                model,
                kmax=settings.kmax,
                engine="bmc",
                timeout=settings.btormc_timeout,
                progress=self.examines,
            )
            if result.verdict is Verdict.UNKNOWN:
                raise _Stop(TIMEOUT, "model checking timed out")
            text = "".join(map(str, result.witnesses[:1]))
        path.write_text(text, encoding="utf-8")
        self.debug(f"Witness written to {path}")
        return text.strip() not in ("", "unsat")

    def examines(self, time: int, _: int) -> None:
        """The search for a witness begins with a time."""
        known = f"no error within {time} steps" if time else ""
        self.progress(f"looking for a witness: k = {time}", known)

    def external(self, command: list[str], seconds: float, name: str) -> str:
        """The output of an external tool."""
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=seconds, check=False
            )
        except (FileNotFoundError, PermissionError):
            raise _Stop(FILE_NOT_FOUND, f"{command[0]}: there is no such program") from None
        except subprocess.TimeoutExpired:
            raise _Stop(TIMEOUT, f"{name} timed out") from None
        return done.stdout

    # --- from the witness to the verdict (7.3, 7.4) --------------------------------------------

    def validate(self, program: Program | None, witness: Witness) -> int:
        self.debug(f"Properties: {witness.properties}")
        bads = [int(name[1:]) for name in witness.properties if name.startswith("b")]
        if not bads or bads[0] >= len(PROPERTIES):
            raise _Stop(INTERNAL_ERROR, f"unknown properties: {' '.join(witness.properties)}")
        followed = self.follow(program, witness)
        for one in followed.taken:
            self.show(one)
        self.debug("Parsing Witness finished")
        self.debug(f"Number of Frames parsed: {len(witness.frames)}")
        error = PROPERTIES[bads[0]]
        self.say(f"{error} error state found!")
        if followed.memory:
            self.say("Memory constraints:")
            for address, value in followed.memory.items():
                self.say(f"Value: {value} at address {address}")
        self.file(INPUT).write_bytes(followed.input)
        self.debug(f"Error causing input written to {self.file(INPUT)}")
        text = self.error_text(bads[0], followed)
        where = "Mipster" if self.settings.selfie else "the emulator"
        self.say(f"Executing {self.settings.in_file} on {where} with calculated input")
        self.progress("running the program", f"{error} error state found")
        output = self.execute(program, followed.input)
        self.debug(f'Error text: "{text}"')
        verified = text in output
        if verified:
            self.say(f"{error} error verified!")
        else:
            self.say(f"{error} error could not be verified.")
            self.say("consider memory constraints and make sure the C* file is reading from stdin!")
        self.clean_up()
        return VERIFIED if verified else NOT_VERIFIED

    def follow(self, program: Program | None, witness: Witness) -> Followed:
        """What the witness says; of an external model only what section 7.3 reads from it."""
        if program is not None and self.settings.modeler is None:
            return follow(program, witness)
        taken = tuple(Taken(one.time, one.bytes) for one in reads(witness))
        memory = {one.address: one.value for one in memory_constraints(witness)}
        return Followed(taken, None, memory)

    def show(self, one: Taken) -> None:
        """A value and how it is divided into bytes, as in section 8."""
        value = int.from_bytes(one.bytes, "little")
        self.debug(f"Value: {value} at frame {one.time}")
        for number in range(len(one.bytes), 0, -1):
            # The last byte of the value is the first of the input.
            self.debug(f"Byte#{number} = {one.bytes[len(one.bytes) - number]:08b}")

    def error_text(self, number: int, followed: Followed) -> str:
        """What the output of a run that fails as predicted contains."""
        if number != EXIT_PROPERTY:
            return _TEXTS.get(number, _INVALID_ADDRESS)
        if isinstance(followed.end, Exited):
            return f"exit code {followed.end.code}"
        code = self.settings.exit_code
        return f"exit code {DEFAULT_EXIT_CODE if code is None else code}"

    def execute(self, program: Program | None, given: bytes) -> str:
        """Run the program on the input; what it and the machine say."""
        settings, path = self.settings, self.file(OUTPUT)
        if settings.selfie is None:
            assert program is not None
            emulator = Emulator(program, given, memory=settings.memory)
            run = emulator.run(seconds=settings.selfie_timeout)
            if run.stopped == "out of time":
                raise _Stop(TIMEOUT, "the emulator timed out")
            text = f"{run.output.decode('latin-1')}\n{run}\n"
        else:
            text = self.selfie(settings.selfie, given)
        path.write_text(text, encoding="utf-8")
        return text

    def selfie(self, executable: str, given: bytes) -> str:
        settings = self.settings
        command = [executable, "-c", settings.in_file, "-m", str(settings.memory)]
        limit = settings.selfie_timeout
        try:
            done = subprocess.run(
                command, input=given, capture_output=True, timeout=limit, check=False
            )
        except (FileNotFoundError, PermissionError):
            raise _Stop(FILE_NOT_FOUND, f"{executable}: there is no such program") from None
        except subprocess.TimeoutExpired:
            raise _Stop(TIMEOUT, "selfie timed out") from None
        return done.stdout.decode("latin-1")

    def clean_up(self) -> None:
        if self.settings.debug:
            self.say("All generated files in temp directory!")
