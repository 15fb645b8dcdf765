"""What every program may call: the five builtins, as RISC-U code around system calls.

The numbers of the system calls are those of Linux on RISC-V, as in Selfie.  `malloc` moves a
pointer through the heap, which `brk` extends; what it cannot get is the null pointer.
"""

from __future__ import annotations

from solvent.riscu.cstar.assembly import Assembly
from solvent.riscu.cstar.data import DataSegment
from solvent.riscu.instructions import NUMBER
from solvent.riscu.program import SIZE
from solvent.riscu.syscalls import BRK, EXIT, OPENAT, READ, WRITE

# `openat` starts from the current directory.
AT_CURRENT_DIRECTORY = -100

ZERO, RA, SP, GP, FP = (NUMBER[name] for name in ("zero", "ra", "sp", "gp", "fp"))
A0, A1, A2, A3, A7 = (NUMBER[name] for name in ("a0", "a1", "a2", "a3", "a7"))
T0, T1, T2 = (NUMBER[name] for name in ("t0", "t1", "t2"))

# The name of the pointer that `malloc` moves; no C* name starts so.
BUMP = "_bump"


def syscall(code: Assembly, number: int) -> None:
    """Emit a system call."""
    code.emit("addi", A7, ZERO, imm=number)
    code.emit("ecall")


def back(code: Assembly) -> None:
    """Emit the return from a procedure."""
    code.emit("jalr", ZERO, RA)


def start(code: Assembly, parameters: int, allocates: bool, bump: int) -> None:
    """Emit what runs before and after `main`; the first two instructions are filled in later."""
    code.label("_start")
    code.emit("lui", GP)
    code.emit("addi", GP, GP)
    if allocates:
        code.emit("addi", A0, ZERO)
        syscall(code, BRK)
        code.emit("sd", 0, GP, A0, bump)
    if parameters:
        code.emit("ld", T0, SP)
        code.emit("addi", T1, SP, imm=SIZE)
        code.emit("addi", SP, SP, imm=-SIZE * parameters)
        code.emit("sd", 0, SP, T0)
    if parameters > 1:
        code.emit("sd", 0, SP, T1, SIZE)
    code.emit("jal", RA, target="main")
    syscall(code, EXIT)


def _exit(code: Assembly, data: DataSegment) -> None:
    code.emit("ld", A0, SP)
    syscall(code, EXIT)


def _read(code: Assembly, data: DataSegment) -> None:
    _transfer(code, READ)


def _write(code: Assembly, data: DataSegment) -> None:
    _transfer(code, WRITE)


def _transfer(code: Assembly, number: int) -> None:
    for place, register in enumerate((A0, A1, A2)):
        code.emit("ld", register, SP, imm=place * SIZE)
    syscall(code, number)
    back(code)


def _open(code: Assembly, data: DataSegment) -> None:
    code.emit("addi", A0, ZERO, imm=AT_CURRENT_DIRECTORY)
    for place, register in enumerate((A1, A2, A3)):
        code.emit("ld", register, SP, imm=place * SIZE)
    syscall(code, OPENAT)
    back(code)


def _malloc(code: Assembly, data: DataSegment) -> None:
    bump = data.variables[BUMP]
    granted = code.fresh()
    code.emit("ld", T0, SP)
    # Round up to whole words.
    code.emit("addi", T0, T0, imm=SIZE - 1)
    code.emit("addi", T1, ZERO, imm=SIZE)
    code.emit("remu", T1, T0, T1)
    code.emit("sub", T0, T0, T1)
    code.emit("ld", T1, GP, imm=bump)
    code.emit("add", T0, T1, T0)
    code.emit("addi", A0, T0)
    syscall(code, BRK)
    code.emit("beq", 0, A0, T0, target=granted)
    code.emit("addi", A0, ZERO)
    back(code)
    code.label(granted)
    code.emit("sd", 0, GP, T0, bump)
    code.emit("addi", A0, T1)
    back(code)


EMITTERS = {"exit": _exit, "read": _read, "write": _write, "open": _open, "malloc": _malloc}
