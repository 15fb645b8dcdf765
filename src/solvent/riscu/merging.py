"""Symbolic states of the machine, and how states with equal counters merge.

A word is a number as long as it is known, and a term otherwise.  The path of a state is a row of
conditions; two states of one run differ in what comes after the conditions that they share, and
that difference is what chooses between their words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from solvent.riscu.effects import CHUNK
from solvent.riscu.instructions import NUMBER
from solvent.riscu.symbolic_memory import SymbolicMemory, choose, merge_memories
from solvent.riscu.words import WIDTH, Word, plain
from solvent.terms import BitVec, BitVecTerm, Model, and_, or_
from solvent.terms.kinds import Guard

SP = NUMBER["sp"]

# States merge that agree in stack pointer, counter, and how much of a read is done.
Key = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Taken:
    """A read that has happened where `guard` holds: the first `count` of some bytes."""

    guard: tuple[Guard, ...]
    bytes: tuple[BitVecTerm, ...]
    count: Word


@dataclass(slots=True)
class SymbolicState:
    """A state of the machine, and the path that leads to it.

    `steps` is a lower bound of the steps so far.  `position` is how many bytes were requested from
    the input.  `checked` says that the path is known to be feasible; `model` may show it.
    """

    pc: int
    registers: list[Word]
    memory: SymbolicMemory
    program_break: Word
    done: Word
    path: tuple[Guard, ...] = ()
    reads: tuple[Taken, ...] = ()
    position: Word = 0
    steps: int = 0
    checked: bool = True
    model: Model | None = None

    @property
    def key(self) -> Key:
        """What states that merge agree in; deeper calls and earlier code come first."""
        pointer, done = self.registers[SP], self.done
        # A state whose stack pointer is symbolic comes last and merges with nobody it must not.
        depth = pointer if isinstance(pointer, int) else 2**WIDTH
        return depth, self.pc, done if isinstance(done, int) else -1

    def assume(self, *conditions: Guard) -> bool:
        """Add conditions to the path; whether they can hold as far as one sees."""
        for condition in conditions:
            if condition is False:
                return False
            if condition is not True:
                self.path = (*self.path, condition)
                # What was a model of the path so far may be one of the longer path, too.
                if self.model is None or self.model.evaluate(condition) is not True:
                    self.model, self.checked = None, False
        return True

    def copy(self) -> SymbolicState:
        """The same state, which can go another way."""
        return SymbolicState(
            self.pc,
            self.registers[:],
            self.memory.copy(),
            self.program_break,
            self.done,
            self.path,
            self.reads,
            self.position,
            self.steps,
            self.checked,
            self.model,
        )

    def next_bytes(self, names: Iterable[str]) -> tuple[BitVecTerm, ...]:
        """The unknown bytes that a read may get now.

        They are named by their position, so that states that read equally much read the same.
        """
        if isinstance(self.position, int):
            names = (f"byte{self.position + number}" for number in range(CHUNK))
        return tuple(BitVec(name, 8) for name, _ in zip(names, range(CHUNK), strict=False))

    def takes(self, found: tuple[BitVecTerm, ...], asked: Word, count: Word) -> None:
        """Note a read: how many bytes it asked for, and how many it got."""
        self.reads = (*self.reads, Taken((), found, count))
        self.position = plain(self.position + asked)


def shared(a: tuple[object, ...], b: tuple[object, ...]) -> int:
    """How much two rows have in common at their start."""
    length = min(len(a), len(b))
    for number in range(length):
        if a[number] is not b[number]:
            return number
    return length


def merge_states(a: SymbolicState, b: SymbolicState) -> SymbolicState:
    """The state that is one of two with equal counters.

    >>> from solvent.terms import Bool
    >>> p = Bool("p")
    >>> one = SymbolicState(8, [0, 1], SymbolicMemory({}), 0, 0, (p,))
    >>> two = SymbolicState(8, [0, 2], SymbolicMemory({16: 3}), 0, 0, (~p,))
    >>> both = merge_states(one, two)
    >>> both.registers, both.memory.words, both.path
    ([0, ite(p, bv(1, 64), bv(2, 64))], {16: ite(p, bv(0, 64), bv(3, 64))}, ())
    """
    if len(b.path) < len(a.path):
        a, b = b, a
    common = shared(a.path, b.path)
    # Where either path holds, this says which; the shorter difference is the smaller term.
    mine, other = and_(*a.path[common:]), and_(*b.path[common:])
    either = or_(mine, other)
    path = a.path[:common] if either is True else (*a.path[:common], either)
    result = SymbolicState(
        a.pc,
        [choose(mine, x, y) for x, y in zip(a.registers, b.registers, strict=True)],
        merge_memories(mine, a.memory, other, b.memory),
        choose(mine, a.program_break, b.program_break),
        choose(mine, a.done, b.done),
        path,
        _merge_reads(a, b, common),
        choose(mine, a.position, b.position),
        min(a.steps, b.steps),
        # One feasible path is enough.
        a.checked or b.checked,
        b.model if a.model is None else a.model,
    )
    return result


def _merge_reads(a: SymbolicState, b: SymbolicState, common: int) -> tuple[Taken, ...]:
    """What either state has read, each under its own path."""
    start = shared(a.reads, b.reads)
    result = list(a.reads[:start])
    for state in (a, b):
        guard = state.path[common:]
        result += [Taken(guard + one.guard, one.bytes, one.count) for one in state.reads[start:]]
    return tuple(result)
