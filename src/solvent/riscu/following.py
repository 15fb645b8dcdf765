"""Going along a witness with the emulator.

A witness of a program's model says, for each step, what a `read` of 1 to 8 bytes gets.  Model and
emulator go in lockstep, so the emulator, which knows when it reads and how much, picks the bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from solvent.btor2.witness import Witness, memory_constraints
from solvent.riscu.effects import LENGTH
from solvent.riscu.emulator import Emulator
from solvent.riscu.faults import EXIT_PROPERTY, Exited, Fault
from solvent.riscu.program import Program


@dataclass(frozen=True, slots=True)
class Taken:
    """Bytes that were read at a step."""

    time: int
    bytes: bytes


@dataclass(frozen=True, slots=True)
class Followed:
    """What a program does along a witness, and the free memory that it needs."""

    taken: tuple[Taken, ...]
    end: Exited | Fault | None
    memory: dict[int, int]

    @property
    def input(self) -> bytes:
        """All bytes that were read."""
        return b"".join(one.bytes for one in self.taken)

    @property
    def bad_state(self) -> int | None:
        """The number of the bad state at the end."""
        if isinstance(self.end, Fault):
            return self.end.number
        return EXIT_PROPERTY if self.end is not None else None


class _Source:
    """A standard input that holds what a witness says at the time of a read."""

    def __init__(self, witness: Witness) -> None:
        self.frames = {frame.time: frame for frame in witness.frames}
        self.length = _length(witness)
        self.requested = 0
        self.time = 0
        self.taken: list[Taken] = []

    def read(self, count: int) -> bytes:
        """So many bytes, or as many as there are: the input of that size."""
        if self.length is not None:
            self.requested += count
            count = max(0, min(count, self.length - (self.requested - count)))
        frame = self.frames.get(self.time)
        inputs = [] if frame is None else frame.inputs
        values = [one.value for one in inputs if one.position == count - 1]
        found = (values[0] if values else 0).to_bytes(count, "little")
        self.taken.append(Taken(self.time, found))
        return found


def _length(witness: Witness) -> int | None:
    """How long the input is; `None` if it does not end."""
    states = witness.frames[0].states if witness.frames else []
    for one in states:
        # Witnesses put the time behind the name of a state.
        if re.split("[@#]", one.symbol)[0] == LENGTH.name:
            return one.value
    return None


def follow(program: Program, witness: Witness) -> Followed:
    """Run a program along a witness, with as little of its free memory as possible."""
    memory = {one.address: one.value for one in memory_constraints(witness) if one.value}
    found = _follow(program, witness, memory)
    for address in list(memory):
        fewer = {other: value for other, value in memory.items() if other != address}
        without = _follow(program, witness, fewer)
        if type(without.end) is type(found.end) and str(without.end) == str(found.end):
            memory, found = fewer, without
    return found


def _follow(program: Program, witness: Witness, memory: dict[int, int]) -> Followed:
    source = _Source(witness)
    emulator = Emulator(program, source)  # type: ignore[arg-type]
    for address, value in memory.items():
        emulator.memory.words.setdefault(address, value)
    end: Exited | Fault | None = None
    try:
        for time in range(len(witness.frames)):
            source.time = time
            emulator.step()
    except (Exited, Fault) as stop:
        end = stop
    return Followed(tuple(source.taken), end, memory)
