"""Down to the machine: C*, RISC-U, its emulator, models of programs, and engines that check them.

>>> program = compile_text("uint64_t main() { return 1 / 0; }", "a.c")
>>> print(emulate(program))
a.c(1,28): division by zero
"""

from solvent.riscu.answers import ProgramAnswer
from solvent.riscu.cstar import check_text, compile_text
from solvent.riscu.cstar.diagnostics import CStarError
from solvent.riscu.cstar.parser import parse
from solvent.riscu.direct import check_program
from solvent.riscu.elf import read_elf, write_elf
from solvent.riscu.emulator import Emulator, Run, emulate
from solvent.riscu.faults import PROPERTIES, Exited, Fault
from solvent.riscu.listing import disassemble
from solvent.riscu.loading import load
from solvent.riscu.model import generate_model
from solvent.riscu.program import Program, ProgramError

__all__ = [
    "PROPERTIES",
    "CStarError",
    "Emulator",
    "Exited",
    "Fault",
    "Program",
    "ProgramAnswer",
    "ProgramError",
    "Run",
    "check_program",
    "check_text",
    "compile_text",
    "disassemble",
    "emulate",
    "generate_model",
    "load",
    "parse",
    "read_elf",
    "write_elf",
]
