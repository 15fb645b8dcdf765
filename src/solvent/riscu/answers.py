"""What engines answer about a program, and the confirmation on the emulator."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from solvent.riscu.emulator import Run, emulate
from solvent.riscu.faults import EXIT_PROPERTY, PROPERTIES
from solvent.riscu.program import Program
from solvent.verdicts import Answer, Finding, Verdict

# Told how many steps are looked at.
Progress = Callable[[int], None]

# A run that does what was predicted ends long before.
_MOST_STEPS = 10_000_000


@dataclass(frozen=True, slots=True)
class ProgramAnswer(Answer):
    """What an engine found out about a program; up to `bound` steps no other error is possible.

    If the program fails, `bad_state` is the one of figure 17, `input` makes it fail, and `run` is
    what the emulator did with it, up to a line of a file.  `memory` are words that free memory must
    hold.
    """

    WORDS: ClassVar[Mapping[Verdict, str]] = {
        Verdict.VIOLATED: "fails",
        Verdict.BOUNDED: "cannot fail within the bound",
        Verdict.HOLDS: "cannot fail",
        Verdict.UNKNOWN: "unknown",
    }

    bad_state: int | None = None
    input: bytes = b""
    memory: dict[int, int] = field(default_factory=dict)
    run: Run | None = None
    bad_exit: int | None = None
    file: str = ""
    line: int = 0

    @property
    def confirmed(self) -> bool:
        """Whether the emulator failed as predicted."""
        if self.run is None:
            return False
        if self.run.exit_code is not None:
            is_bad = is_bad_exit(self.run.exit_code, self.bad_exit)
            return is_bad and self.bad_state == EXIT_PROPERTY
        return self.run.bad_state == self.bad_state

    @property
    def error(self) -> str | None:
        """The bad state in words."""
        return None if self.bad_state is None else PROPERTIES[self.bad_state]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The error, with the input that makes the program fail."""
        if self.error is None:
            return ()
        inputs = {"input": repr(self.input)}
        inputs |= {f"memory[{address}]": str(value) for address, value in self.memory.items()}
        trace = () if self.run is None else (str(self.run),)
        return (Finding(self.error, self.file, self.line, inputs, trace, self.confirmed),)

    def headline(self) -> str:
        match self.verdict:
            case Verdict.VIOLATED:
                return f"b{self.bad_state}: {self.error}"
            case Verdict.BOUNDED:
                return f"cannot fail within {self.bound} steps"
            case Verdict.HOLDS:
                return "cannot fail"
        return f"unknown: {self.reason}; cannot fail within {self.bound} steps"

    def details(self) -> Iterator[str]:
        if self.verdict is Verdict.VIOLATED:
            yield f"input: {self.input!r}"
            for address, value in self.memory.items():
                yield f"needs memory: {value} at address {address}"
            yield f"{self._certainty()}: {self.run}"

    def _certainty(self) -> str:
        return "confirmed" if self.confirmed else "not confirmed"

    def __str__(self) -> str:
        if self.verdict is not Verdict.VIOLATED:
            return self.headline()
        text = f"b{self.bad_state} ({self.error}) with input {self.input!r}"
        return f"{text}, {self._certainty()}: {self.run}"


def failing(
    program: Program,
    bound: int,
    bad_state: int,
    given: bytes,
    memory: dict[int, int],
    bad_exit: int | None,
    seconds: float,
) -> ProgramAnswer:
    """The answer that a program fails, after it has been run on the input that is said to do it."""
    run = emulate(program, given, most_steps=_MOST_STEPS)
    place = program.lines.get(run.pc)
    return ProgramAnswer(
        bad_state,
        given,
        memory,
        run,
        bad_exit,
        program.source,
        0 if place is None else place.line,
        verdict=Verdict.VIOLATED,
        bound=bound,
        seconds=seconds,
    )


def is_bad_exit(code: int, bad_exit: int | None) -> bool:
    """Whether an exit code is the bad state number one."""
    return code != 0 if bad_exit is None else code == bad_exit
