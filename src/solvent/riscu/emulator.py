"""The emulator: the step function, run on numbers.

It ends with the exit code, with one of the errors of figure 17, or when a limit is reached; errors
name the line of the source.

>>> from solvent.riscu.cstar import compile_text
>>> run = emulate(compile_text("uint64_t main() { return 6 * 7; }"))
>>> run.exit_code, run.steps
(42, 16)
"""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from solvent.riscu.faults import (
    AddressAbove,
    AddressBelow,
    AddressUnaligned,
    Exited,
    Fault,
    OutOfMemory,
)
from solvent.riscu.instructions import NUMBER, Instruction
from solvent.riscu.memory import Memory
from solvent.riscu.program import SIZE, Program, ProgramError
from solvent.riscu.state import REGISTER_COUNT, SP, Machine, initial_stack
from solvent.riscu.step import EXECUTE, Execute
from solvent.riscu.system import MOST_KEPT, System
from solvent.verdicts import Deadline

RA = NUMBER["ra"]
MEGABYTE = 2**20
# How many steps are done before the limits are looked at again.
_ROUND = 1 << 16


@dataclass(frozen=True, slots=True)
class Run:
    """How a run ended.

    Exactly one of these is the case: it exited with `exit_code`; it failed with `fault`; or a limit
    stopped it, and `stopped` says which.
    """

    exit_code: int | None
    fault: Fault | None
    stopped: str
    steps: int
    pc: int
    where: str
    output: bytes
    consumed: int

    @property
    def bad_state(self) -> int | None:
        """The number of the bad state of figure 17 that this run ends in, if it does."""
        if self.fault is not None:
            return self.fault.number
        return 1 if self.exit_code else None

    def __str__(self) -> str:
        if self.exit_code is not None:
            return f"exit code {self.exit_code}"
        return f"{self.where}: {self.fault or self.stopped}"


class Emulator:
    """A program in a machine.  `step` and `run` go on from where it is."""

    def __init__(
        self,
        program: Program,
        source: BinaryIO | bytes = b"",
        output: BinaryIO | None = None,
        arguments: Sequence[str] = (),
        memory: int | None = None,
        files: bool = False,
    ) -> None:
        self.program = program
        source = io.BytesIO(source) if isinstance(source, bytes) else source
        kept = MOST_KEPT if memory is None else min(MOST_KEPT, memory * MEGABYTE)
        self.system = System(source, output, files, kept)
        names = [program.source or "program", *arguments]
        pointer, stack = initial_stack([os.fsencode(name) for name in names])
        self.memory = Memory(program.initial_words() | stack)
        registers = [0] * REGISTER_COUNT
        registers[SP] = pointer
        self.machine = Machine(program, registers, self.memory, self.system, program.heap_start)
        self.most_words = None if memory is None else memory * MEGABYTE // SIZE
        self.steps = 0
        self._code: dict[int, tuple[Execute, Instruction]] = {
            address: (EXECUTE[instruction.name], instruction)
            for address, instruction in program.instructions.items()
        }

    def fetch(self) -> tuple[Execute, Instruction]:
        """The instruction at the program counter, or why there is none."""
        pc = self.machine.pc
        found = self._code.get(pc)
        if found is not None:
            return found
        program = self.program
        if pc < program.code_start:
            raise AddressBelow(pc)
        if pc >= program.code_end:
            raise AddressAbove(pc)
        if pc % 4:
            raise AddressUnaligned(pc)
        raise ProgramError(
            f"{program.source}: {program.word_at(pc):#010x} at {pc:#x} is no instruction of RISC-U"
        )

    def step(self) -> None:
        """Execute one instruction; how the run ends is raised."""
        perform, instruction = self.fetch()
        perform(self.machine, instruction)
        self.steps += 1

    def run(self, most_steps: int | None = None, seconds: float | None = None) -> Run:
        """Run to the end, or for so many steps in all, or so many seconds."""
        deadline = Deadline(seconds)
        try:
            while most_steps is None or self.steps < most_steps:
                left = _ROUND if most_steps is None else min(_ROUND, most_steps - self.steps)
                self._steps(left)
                if self.most_words is not None and len(self.memory.words) > self.most_words:
                    return self._ended(stopped="out of memory")
                if deadline.is_over:
                    return self._ended(stopped="out of time")
        except Exited as end:
            return self._ended(exit_code=end.code)
        except OutOfMemory:
            return self._ended(stopped="out of memory")
        except Fault as fault:
            return self._ended(fault=fault)
        finally:
            self.system.close()
        return self._ended(stopped=f"not at its end after {self.steps} steps")

    def _steps(self, count: int) -> None:
        """The loop that must be fast."""
        code, machine = self._code, self.machine
        done = 0
        try:
            for done in range(count):  # noqa: B007
                perform, instruction = code[machine.pc]
                perform(machine, instruction)
            done = count
        except KeyError:
            self.fetch()
            raise
        finally:
            self.steps += done

    def _ended(
        self, exit_code: int | None = None, fault: Fault | None = None, stopped: str = ""
    ) -> Run:
        machine = self.machine
        pc = machine.pc
        where = self.program.where(pc)
        caller = machine.registers[RA] - 4
        if pc not in self.program.lines and caller in self.program.lines:
            # The builtins have no lines; who called them does.
            where = self.program.where(caller)
        return Run(
            exit_code,
            fault,
            stopped,
            self.steps,
            pc,
            where,
            bytes(self.system.written),
            self.system.consumed,
        )


def emulate(
    program: Program,
    source: BinaryIO | bytes = b"",
    arguments: Sequence[str] = (),
    most_steps: int | None = None,
) -> Run:
    """Run a program on an input, without files; its output is kept."""
    return Emulator(program, source, arguments=arguments).run(most_steps)
