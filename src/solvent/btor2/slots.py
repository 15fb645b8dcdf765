"""Cells of memories as IC3 follows them: a few slots, each of which is any address.

A slot is an address, with what each memory that has addresses of that width holds there.  A cube
says of slots that there are such addresses; what is excluded holds, so, whatever the addresses are.
In a step it is said of all addresses at which the step looks: those that are read, and those of the
slots in the next state.  So what is read is not just anything, although no address was guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from solvent.btor2.cells import Base, Cells
from solvent.solvers.gates import Gates
from solvent.solvers.words import Word, equal

# A row of literals: an address, what each memory holds there, and which registers are that address.
Row = Word


class CellBit(NamedTuple):
    """That a bit of a row has a value: of which slots, in which row, at which place of it."""

    group: int
    row: int
    place: int
    value: bool


@dataclass
class Followed:
    """A memory that is followed: what it holds now, and next."""

    base: Base
    following: Cells

    def after(self, address: Word, gates: Gates) -> Word:
        """What is at an address in the next state."""
        return self.following.word_at(address, gates)


class Slots:
    """The slots of memories whose addresses have one width.

    `slots` are rows of their own, about which nothing else is said; `nexts` are the rows that they
    become; `rows` are those of all addresses at which the step looks.  Registers of that width are
    often addresses: rows tell which of them is theirs, now and next.
    """

    def __init__(
        self,
        memories: Sequence[Followed],
        registers: Sequence[tuple[Word, Word]],
        count: int,
        gates: Gates,
    ) -> None:
        self.width = memories[0].base.index_width
        self.bases = [one.base for one in memories]
        self._registers = [now for now, _ in registers]
        following = [after for _, after in registers]
        addresses = [self._address(gates) for _ in range(count)]
        self.nexts = [
            _row(one, (m.after(one, gates) for m in memories), following, gates)
            for one in addresses
        ]
        looked_at = dict.fromkeys((*addresses, *(at for base in self.bases for at in base.asked)))
        self.rows = [self._now(address, gates) for address in looked_at]
        self.slots = [self._now(self._address(gates), gates) for _ in range(count)]
        # Where a row tells whose address it is.
        self.marks = range(len(self.slots[0]) - len(registers), len(self.slots[0]))

    def _address(self, gates: Gates) -> Word:
        return tuple([gates.variable() for _ in range(self.width)])

    def _now(self, address: Word, gates: Gates) -> Row:
        values = (base.read(address, gates) for base in self.bases)
        return _row(address, values, self._registers, gates)

    def addresses(self) -> list[Word]:
        """The addresses of all rows of this state."""
        return [row[: self.width] for row in (*self.rows, *self.slots)]


def _row(address: Word, values: Iterable[Word], registers: Sequence[Word], gates: Gates) -> Row:
    marks = [equal(gates, one, address) for one in registers]
    return (*address, *(literal for word in values for literal in word), *marks)
