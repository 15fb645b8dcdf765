"""What is known about a procedure of a Boogie program, as lines, as a row of JSON, and as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solvent.boogie.values import given, shown
from solvent.cli.reported import finding_from
from solvent.reach.loops import INVARIANT, MAINTAINED, ON_ENTRY
from solvent.reach.modular import ProcedureAnswer, Violation
from solvent.reach.program import ASSERTION, POSTCONDITION, PRECONDITION, Position
from solvent.verdicts import Answer, Finding, Verdict, as_json
from solvent.verdicts.rendering import Json

TRACE = "Execution trace:"

# Boogie's numbers for what may fail.
CODES = {
    ASSERTION: "BP5001",
    PRECONDITION: "BP5002",
    POSTCONDITION: "BP5003",
    ON_ENTRY: "BP5004",
    MAINTAINED: "BP5005",
    INVARIANT: "BP5004",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedProcedure(Answer):
    """What the verification of a procedure came to, wherever that was."""

    procedure: str
    # The violations as people read them, and as a row of the JSON object.
    texts: tuple[str, ...]
    row: Json
    known: tuple[Finding, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The violations."""
        return self.known

    @classmethod
    def of(cls, found: ProcedureAnswer) -> ReportedProcedure:
        """What an answer that was found here says."""
        return cls(
            verdict=found.verdict,
            reason=found.reason,
            seconds=found.seconds,
            procedure=found.procedure,
            texts=tuple(line for one in found.violations for line in _violation(one)),
            row=_row(found),
            known=found.findings,
        )

    def as_data(self) -> Json:
        """The answer as data."""
        return {
            **as_json(self),
            "procedure": self.procedure,
            "texts": list(self.texts),
            "row": self.row,
            "seconds": self.seconds,
        }

    @classmethod
    def from_data(cls, data: Json) -> ReportedProcedure:
        """The answer that data stand for."""
        texts, row, found = data["texts"], data["row"], data["findings"]
        if not isinstance(texts, list) or not isinstance(row, dict) or not isinstance(found, list):
            raise TypeError("an answer about a procedure has texts, a row and findings")
        return cls(
            verdict=Verdict(data["verdict"]),
            reason=str(data["reason"]),
            seconds=float(str(data["seconds"])),
            procedure=str(data["procedure"]),
            texts=tuple(map(str, texts)),
            row=row,
            known=tuple(map(finding_from, found)),
        )

    @classmethod
    def unknown(cls, procedure: str, reason: str) -> ReportedProcedure:
        """There is no answer."""
        return cls.of(ProcedureAnswer.of(procedure, reason=reason))


def _violation(found: Violation) -> Iterator[str]:
    yield f"{found.where}: Error {CODES.get(found.message, 'BP5001')}: {found.message}"
    for where, text in found.related:
        yield f"{where}: Related location: {text}"
    yield TRACE
    values: dict[Position, list[str]] = {}
    for where, label in found.blocks:
        yield f"    {where}: {label}"
    if found.inputs:
        inputs = (given(variable.name, value) for variable, value in found.inputs)
        yield "  with " + ", ".join(inputs)
    for one in found.values:
        values.setdefault(one.where, []).append(given(one.variable.name, one.value))
    yield from (f"    {where}: {', '.join(texts)}" for where, texts in values.items())


def in_trace(text: str) -> bool:
    """Whether a line of a violation belongs to its trace.

    >>> in_trace("    a.bpl(1,2): anon0"), in_trace("a.bpl(1,2): Error BP5001")
    (True, False)
    """
    return text == TRACE or text.startswith("  ")


def _row(found: ProcedureAnswer) -> Json:
    return {
        "procedure": found.procedure,
        "verified": found.holds,
        "reason": found.reason,
        "errors": [
            {
                "position": str(one.where),
                "message": one.message,
                "related": [f"{where}: {text}" for where, text in one.related],
                "trace": [f"{where}: {label}" for where, label in one.blocks],
                "inputs": {str(variable): shown(value) for variable, value in one.inputs},
                "values": [[str(v.where), str(v.variable), shown(v.value)] for v in one.values],
            }
            for one in found.violations
        ],
    }
