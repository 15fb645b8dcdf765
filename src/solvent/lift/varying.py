"""What differs from run to run, of which a symbolic run sees one case only.

What it shows is true of that case, so the run remembers where it met the first one, and queries do
not call the rest a proof.  The order in which sets are walked differs, too; a run that is to prove
something takes any order there, see `lift.values.walks`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from solvent.vm.own import position
from solvent.vm.values import Guard, Value


@dataclass(slots=True)
class Record:
    """What a run has met, with all runs inside of it."""

    # Whether sets are walked in any order, and not in that of insertion.
    any_order: bool = False
    # Where something was used that differs from run to run, and where a set was walked.
    varying: str = ""
    walked: str = ""
    # The sets that were walked, what was in them then, and how they were walked: a set that has not
    # changed is walked in the same order again.
    walks: list[tuple[Value, list[tuple[Value, Guard]], list[tuple[Value, Guard]]]] = field(
        default_factory=list
    )


_RECORD: ContextVar[Record | None] = ContextVar("solvent_varying", default=None)


@contextmanager
def recording(record: Record) -> Iterator[None]:
    """What differs from run to run is told to a record."""
    token = _RECORD.set(record)
    try:
        yield
    finally:
        _RECORD.reset(token)


def record_of_run() -> Record | None:
    """Where the present run remembers it, if somebody wants to know."""
    return _RECORD.get()


def note_varying(what: str) -> None:
    """Something that differs from run to run is used here."""
    record = _RECORD.get()
    if record is not None and not record.varying:
        record.varying = f"{position()}: {what}"
