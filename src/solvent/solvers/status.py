"""What a check comes to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """The answer to a satisfiability query; it compares equal to its lower-case name.

    >>> Status.SAT == "sat", str(Status.UNKNOWN)
    (True, 'unknown')
    """

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        raise TypeError(f"compare the status with Status.SAT or Status.UNSAT: it is {self.value}")


@dataclass(frozen=True, slots=True)
class Checked:
    """A check that was made: its status, why that is unknown, and what it cost."""

    status: Status
    reason: str = ""
    seconds: float = 0.0
    solver: str = ""
