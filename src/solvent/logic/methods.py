"""The four methods side by side; they may know more or less, but never contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from solvent.errors import SolventError
from solvent.logic.bmc import BoundedModelChecking
from solvent.logic.dse import DynamicSymbolicExecution
from solvent.logic.method import SAFE_OR_ERROR, Limits, Method, Report
from solvent.logic.smc import SymbolicModelChecking
from solvent.logic.vc import VerificationConditions
from solvent.reach.program import Program
from solvent.verdicts import Together, Verdict

METHODS: dict[str, Callable[[], Method]] = {
    "vc": VerificationConditions,
    "smc": SymbolicModelChecking,
    "bmc": BoundedModelChecking,
    "dse": DynamicSymbolicExecution,
}
TITLES = {
    "vc": "Verification conditions (section 2)",
    "smc": "Symbolic model checking (section 3)",
    "bmc": "Bounded model checking (section 4)",
    "dse": "Dynamic symbolic execution (section 5)",
}


class Contradiction(SolventError):
    """Two methods disagree about a program: one of them is wrong."""


def analyse(
    program: Program, main: str, names: Iterable[str] = tuple(METHODS), limits: Limits | None = None
) -> list[Report]:
    """What some methods say about a program.

    >>> from solvent.reach.program import Assert, Assume, Block, Procedure
    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> body = {"a": Block("a", (Assume(x > 3), Assert(x > 4)), ())}
    >>> program = Program((), {"p": Procedure("p", (x,), blocks=body)})
    >>> [(report.method, report.words) for report in analyse(program, "p", ["vc", "bmc"])]
    [('vc', 'error'), ('bmc', 'error')]
    """
    reports = [METHODS[name]().analyse(program, main, limits or Limits()) for name in names]
    agreed(reports)
    return reports


def agreed(reports: Sequence[Report]) -> Verdict:
    """The verdict of all methods together; two that contradict each other are refused, loudly."""
    safe = [report.method for report in reports if report.verdict is Verdict.HOLDS]
    error = [report.method for report in reports if report.verdict is Verdict.VIOLATED]
    if safe and error:
        raise Contradiction(
            f"INTERNAL ERROR: {', '.join(safe)} proved the program safe, but {', '.join(error)} "
            "found an execution that fails; one of them is wrong, please report this program"
        )
    return Verdict.VIOLATED if error else Verdict.HOLDS if safe else Verdict.UNKNOWN


@dataclass(frozen=True, slots=True)
class Comparison(Together[Report]):
    """What some methods say together: what one of them knows is known."""

    WORDS: ClassVar[Mapping[Verdict, str]] = SAFE_OR_ERROR

    @classmethod
    def between(cls, reports: Sequence[Report]) -> Comparison:
        """Put reports of methods together."""
        verdict = agreed(reports)
        reasons = [f"{one.method}: {one.reason}" for one in reports if one.verdict is verdict]
        return cls(tuple(reports), verdict=verdict, reason="; ".join(reasons))
