"""Down to the machine: C*, RISC-U, its emulator, models of programs, and engines that check them.

>>> program = compile_text("uint64_t main() { return 1 / 0; }", "a.c")
>>> print(emulate(program))
a.c(1,28): division by zero
"""

from solvent.machine.cstar import check_text, compile_text
from solvent.machine.cstar.diagnostics import CStarError
from solvent.machine.cstar.parser import parse
from solvent.machine.direct import check_program
from solvent.machine.elf import read_elf, write_elf
from solvent.machine.emulator import Emulator, Run, emulate
from solvent.machine.faults import PROPERTIES, Exited, Fault
from solvent.machine.listing import disassemble
from solvent.machine.loading import load
from solvent.machine.model import generate_model
from solvent.machine.program import Program, ProgramError
from solvent.machine.verdicts import Answer, Verdict

__all__ = [
    "PROPERTIES",
    "Answer",
    "CStarError",
    "Emulator",
    "Exited",
    "Fault",
    "Program",
    "ProgramError",
    "Run",
    "Verdict",
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
