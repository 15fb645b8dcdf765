"""Witnesses (figure 10): an execution that reaches a property, frame by frame.

A frame lists the states that are free to choose at its time (all that start without a value at
time 0, later those without `next`) and the inputs, each by its position in the model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Assignment:
    """The bits of an input or state, or of the element of an array at an index."""

    position: int
    bits: str
    index: str | None = None
    symbol: str = ""

    @property
    def value(self) -> int:
        """The bits as a number."""
        return int(self.bits, 2)

    def __str__(self) -> str:
        index = "" if self.index is None else f"[{self.index}] "
        symbol = f" {self.symbol}" if self.symbol else ""
        return f"{self.position} {index}{self.bits}{symbol}"


@dataclass(slots=True)
class Frame:
    """What is chosen at one time."""

    time: int
    states: list[Assignment] = field(default_factory=list)
    inputs: list[Assignment] = field(default_factory=list)


@dataclass(slots=True)
class Witness:
    """The properties that an execution reaches (`b0`, `j1`, ...), and its frames."""

    properties: list[str] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in self.lines())

    def lines(self) -> Iterator[str]:
        """The text of the witness.

        >>> print(Witness(["b0"], [Frame(0, [], [Assignment(0, "0101", None, "x@0")])]), end="")
        sat
        b0
        #0
        @0
        0 0101 x@0
        .
        """
        yield from (f";{text}" for text in self.comments)
        yield "sat"
        yield " ".join(self.properties)
        for frame in self.frames:
            # The state part may be left out after the first frame.
            if frame.states or frame.time == 0:
                yield f"#{frame.time}"
                yield from map(str, frame.states)
            yield f"@{frame.time}"
            yield from map(str, frame.inputs)
        yield "."


# --- what a witness of a machine's model tells -------------------------------------------------


@dataclass(frozen=True, slots=True)
class Read:
    """A value that was read at a time, and its bytes in the order in which they are read."""

    time: int
    value: int
    bytes: bytes


@dataclass(frozen=True, slots=True)
class Constraint:
    """An element of a memory that must have a value at the start."""

    address: int
    value: int


def reads(witness: Witness) -> list[Read]:
    """The inputs that are not zero (section 7.3); at most one in each frame may be.

    A value's lowest byte is read first.

    >>> one = Assignment(1, "0011001000110100")
    >>> reads(Witness(["b1"], [Frame(90, [], [Assignment(0, "00000000"), one])]))
    [Read(time=90, value=12852, bytes=b'42')]
    """
    from solvent.btor2.errors import ModelError

    found = []
    for frame in witness.frames:
        chosen = [one for one in frame.inputs if one.index is None and one.value]
        if len(chosen) > 1:
            names = ", ".join(one.symbol or str(one.position) for one in chosen)
            raise ModelError(
                f"only one input may be non-zero at time {frame.time}, but these are: {names}"
            )
        for one in chosen:
            size = (len(one.bits) + 7) // 8
            found.append(Read(frame.time, one.value, one.value.to_bytes(size, "little")))
    return found


def input_string(witness: Witness) -> bytes:
    """All bytes that are read, in the order of time.

    >>> input_string(Witness(["b2"], [Frame(67, [], [Assignment(0, "00110100")])]))
    b'4'
    """
    return b"".join(one.bytes for one in reads(witness))


def memory_constraints(witness: Witness) -> list[Constraint]:
    """What memory must hold at the start for the execution to be possible.

    >>> memory_constraints(Witness(["b1"], [Frame(0, [Assignment(35, "10", "1000")])]))
    [Constraint(address=8, value=2)]
    """
    return [
        Constraint(int(one.index, 2), one.value)
        for frame in witness.frames
        for one in frame.states
        if one.index is not None
    ]
