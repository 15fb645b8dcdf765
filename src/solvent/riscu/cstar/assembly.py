"""Instructions with labels, and how they get their addresses.

A conditional branch reaches 4 KB.  One that must go further becomes a branch over a jump; as there
is only a branch on equality, that takes three instructions.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from solvent.riscu.cstar.diagnostics import CStarError, Diagnostic, Position
from solvent.riscu.instructions import Instruction
from solvent.riscu.program import Place

_BRANCH_REACH = 4096
_JUMP_REACH = 2**20


@dataclass(slots=True)
class Line:
    """An instruction whose target may still be a label."""

    instruction: Instruction
    target: str | None
    position: Position | None
    far: bool = False


@dataclass(slots=True)
class Assembly:
    """Code under construction."""

    lines: list[Line] = field(default_factory=list)
    # The number of the line that a label stands before.
    labels: dict[str, int] = field(default_factory=dict)
    position: Position | None = None
    _fresh: int = 0

    def emit(
        self,
        name: str,
        rd: int = 0,
        rs1: int = 0,
        rs2: int = 0,
        imm: int = 0,
        target: str | None = None,
    ) -> None:
        """Add an instruction."""
        self.lines.append(Line(Instruction(name, rd, rs1, rs2, imm), target, self.position))

    def label(self, name: str) -> None:
        """The next instruction is called so."""
        self.labels[name] = len(self.lines)

    def fresh(self) -> str:
        """A new name for a place."""
        self._fresh += 1
        return f".{self._fresh}"

    def resolve(self, start: int) -> tuple[list[Instruction], dict[str, int], dict[int, Place]]:
        """The instructions from an address on, the addresses of labels, and the source lines."""
        addresses = self._addresses(start)
        while self._lengthen(addresses):
            addresses = self._addresses(start)
        labels = {name: addresses[number] for name, number in self.labels.items()}
        code: list[Instruction] = []
        lines: dict[int, Place] = {}
        for line, address in zip(self.lines, addresses, strict=False):
            if line.position is not None:
                for at in range(address, address + _size(line), 4):
                    lines[at] = Place(line.position.line, line.position.column)
            distance = 0 if line.target is None else labels[line.target] - address
            code += _instructions(line, distance)
        return code, labels, lines

    def _addresses(self, start: int) -> list[int]:
        addresses = [start]
        for line in self.lines:
            addresses.append(addresses[-1] + _size(line))
        return addresses

    def _lengthen(self, addresses: list[int]) -> bool:
        """Make branches far that do not reach; whether there are any."""
        changed = False
        for line, address in zip(self.lines, addresses, strict=False):
            if line.target is None or line.far:
                continue
            distance = addresses[self.labels[line.target]] - address
            name = line.instruction.name
            if name == "beq" and not -_BRANCH_REACH <= distance < _BRANCH_REACH:
                line.far = changed = True
            elif name == "jal" and not -_JUMP_REACH <= distance < _JUMP_REACH:
                position = line.position or Position("<code>", 1, 1)
                message = "the program is too large: a jump reaches 1 MB of code"
                raise CStarError([Diagnostic(position, message)])
        return changed


def _size(line: Line) -> int:
    return 12 if line.far else 4


def _instructions(line: Line, distance: int) -> list[Instruction]:
    given = line.instruction
    if line.target is None:
        return [given]
    if not line.far:
        return [Instruction(given.name, given.rd, given.rs1, given.rs2, distance)]
    return [
        Instruction("beq", 0, given.rs1, given.rs2, 8),
        Instruction("jal", imm=8),
        Instruction("jal", imm=distance - 8),
    ]
