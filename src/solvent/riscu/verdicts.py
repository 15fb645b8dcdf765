"""What engines answer about a program, and the confirmation on the emulator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from solvent.riscu.emulator import Run, emulate
from solvent.riscu.faults import EXIT_PROPERTY, PROPERTIES
from solvent.riscu.program import Program

# Told how many steps are looked at.
Progress = Callable[[int], None]

# A run that does what was predicted ends long before.
_MOST_STEPS = 10_000_000


class Verdict(Enum):
    """What is known: it fails, it cannot within a bound, it cannot at all, or nothing."""

    FAILS = "fails"
    BOUNDED = "cannot fail within the bound"
    HOLDS = "cannot fail"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine found.

    If the program fails, `bad_state` is the one of figure 17, `input` makes it fail, and `run` is
    what the emulator did with it.  `memory` are words that free memory must hold.  Up to `bound`
    steps no other error is possible.
    """

    verdict: Verdict
    bound: int
    bad_state: int | None = None
    input: bytes = b""
    memory: dict[int, int] = field(default_factory=dict)
    run: Run | None = None
    reason: str = ""
    seconds: float = 0.0
    bad_exit: int | None = None

    @property
    def confirmed(self) -> bool:
        """Whether the emulator failed as predicted."""
        if self.run is None:
            return False
        if self.run.exit_code is not None:
            is_bad = is_bad_exit(self.run.exit_code, self.bad_exit)
            return is_bad and self.bad_state == EXIT_PROPERTY
        return self.run.bad_state == self.bad_state

    def __str__(self) -> str:
        if self.verdict is Verdict.FAILS:
            assert self.bad_state is not None
            text = f"b{self.bad_state} ({PROPERTIES[self.bad_state]}) with input {self.input!r}"
            return f"{text}, {'confirmed' if self.confirmed else 'not confirmed'}: {self.run}"
        if self.verdict is Verdict.BOUNDED:
            return f"cannot fail within {self.bound} steps"
        if self.verdict is Verdict.HOLDS:
            return "cannot fail"
        return f"unknown: {self.reason}; cannot fail within {self.bound} steps"


def confirm(program: Program, given: bytes) -> Run:
    """Run a program on an input that is said to make it fail."""
    return emulate(program, given, most_steps=_MOST_STEPS)


def is_bad_exit(code: int, bad_exit: int | None) -> bool:
    """Whether an exit code is the bad state number one."""
    return code != 0 if bad_exit is None else code == bad_exit
