"""Programs that are compared, and faults that are looked for, as units of work.

A unit of `solvent reference diff` is some programs, one of `solvent reference faults` a fault.
What a unit is lost with is unknown: no program is called validated, and no fault missed, that
nobody has looked at.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from solvent.cli.spreading import limits_of, spread
from solvent.reference.differential import (
    BATCH,
    UNKNOWN,
    Limits,
    Measure,
    Row,
    batches,
    check_all,
)
from solvent.reference.enumeration import Test, number, test
from solvent.reference.faults import FAULTS, Catch, find_one
from solvent.units.unit import Reply, Tell, Unit
from solvent.verdicts.rendering import Json

# What does not end within the time of its programs is ended so much later.
_GRACE_SECONDS = 60.0


def compared(
    tests: Iterable[Test],
    limits: Limits,
    options: argparse.Namespace,
    progress: Callable[[Row], object],
) -> list[Row]:
    """What tests come to, side by side, in their order."""
    sent: list[list[Test]] = []

    def units() -> Iterator[Unit]:
        for batch in batches(tests, BATCH):
            sent.append(batch)
            data: Json = {"numbers": [number(one.program) for one in batch], **asdict(limits)}
            seconds = len(batch) * limits.seconds + _GRACE_SECONDS
            name = f"programs {BATCH * (len(sent) - 1) + 1} and on"
            yield Unit("diff", name, data, limits=limits_of(options, seconds))

    known: dict[int, list[Row]] = {}
    with spread(options, ["reference diff"]) as doing:
        for index, _, reply in doing(units()):
            known[index] = _rows(sent[index], reply)
            for row in known[index]:
                progress(row)
    return [row for index in sorted(known) for row in known[index]]


def perform_tests(data: Json, tell: Tell) -> Json:
    """Compare on the programs with some numbers.

    >>> found = perform_tests({"numbers": [300], **asdict(Limits())}, lambda text: None)
    >>> [(row["number"], row["verdict"]) for row in found["rows"]]
    [(300, 'validated')]
    """
    given: Any = data
    limits = Limits(**{name: given[name] for name in asdict(Limits())})
    rows = check_all([test(one) for one in given["numbers"]], limits)
    pairs = zip(given["numbers"], rows, strict=True)
    return {"rows": [_row_as_data(one, row) for one, row in pairs]}


def _row_as_data(one: int, row: Row) -> Json:
    measures = {name: asdict(found) for name, found in row.measures.items()}
    more: Json = {"detail": row.detail, "measures": measures, "asked": row.asked}
    return {"number": one, "verdict": row.verdict, **more}


def _rows(tests: Sequence[Test], reply: Reply) -> list[Row]:
    """The rows of a reply; where it says nothing the outcome is unknown."""
    answer: Any = reply.answer or {}
    try:
        if reply.answer is not None:
            pairs = zip(tests, answer["rows"], strict=True)
            return [_row_from_data(one, found) for one, found in pairs]
        problem = reply.problem
    except (LookupError, TypeError, ValueError) as error:
        problem = f"the answer cannot be read: {error}"
    return [Row(one, UNKNOWN, problem) for one in tests]


def _row_from_data(one: Test, found: Any) -> Row:
    if found["number"] != number(one.program):
        raise ValueError("it is about another program")
    measures = {name: Measure(**figures) for name, figures in found["measures"].items()}
    return Row(one, str(found["verdict"]), str(found["detail"]), measures, int(found["asked"]))


# --- faults --------------------------------------------------------------------------------------


def looked_for(
    names: Sequence[str], options: argparse.Namespace, progress: Callable[[Catch], object]
) -> list[Catch]:
    """Which faults are caught, side by side, in their order."""

    def unit(name: str) -> Unit:
        data: Json = {"fault": name, "count": options.count, "seed": options.seed}
        return Unit("fault", name, data, limits=limits_of(options, None))

    known: dict[int, Catch] = {}
    with spread(options, ["reference faults"]) as doing:
        for index, found, reply in doing(map(unit, names)):
            known[index] = _catch(found.name, reply)
            progress(known[index])
    return [known[index] for index in sorted(known)]


def perform_fault(data: Json, tell: Tell) -> Json:
    """Look for a program that catches a fault."""
    given: Any = data
    tell(given["fault"])
    return asdict(find_one(given["fault"], given["count"], given["seed"]))


def _catch(name: str, reply: Reply) -> Catch:
    """What a reply says about a fault; if that is nothing it is not known whether it is caught."""
    problem = reply.problem
    if reply.answer is not None:
        given: Any = reply.answer
        try:
            found = Catch(**given)
        except TypeError as error:
            problem = f"the answer cannot be read: {error}"
        else:
            if found.name == name:
                return found
            problem = f"the answer is about {found.name}"
    return Catch(name, FAULTS[name].location, None, problem=problem)
