"""Random inputs as units of work: some numbers of one kind of input, here or on a cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solvent.btor2 import ENGINES
from solvent.units.bundle import Bundle
from solvent.units.unit import Limits, Reply, Tell, Unit
from solvent.verdicts.rendering import Json
from tests.fuzz import harness, test_formats, test_formulas, test_models
from tests.fuzz.formats import FORMATS, TESTS
from tests.fuzz.grammars.formulas import THEORIES
from tests.fuzz.harness import Tally

KIND = "tests.fuzz.units:perform"
# What tests are made of; it is sent to workers.
SUFFIXES = (".py", ".c", ".bpl")


@dataclass(frozen=True, slots=True)
class Work:
    """A kind of input: what there are some of, how many in a run of 1,000, and how many a unit."""

    names: Sequence[str]
    try_: Callable[[str, Iterable[int]], Tally]
    per_thousand: int
    # So many are tried in one unit, which takes a minute at most.
    chunk: int


WORK = {
    "changed": Work([*FORMATS], test_formats.changed, 500, 500),
    "grammar": Work([*FORMATS], test_formats.of_a_grammar, 500, 500),
    "formula": Work([*THEORIES], test_formulas.compared, 150, 100),
    "model": Work([*ENGINES], test_models.searched, 20, 20),
    "justice": Work(test_models.FAIR, test_models.fair, 7, 20),
}


def units(
    inputs: int, seed: str, only: Sequence[str], memory: int | None, *, sent: bool
) -> Iterator[Unit]:
    """A run of so many inputs of each format, and what belongs to it; some are sent elsewhere."""
    bundle = Bundle.of(_files(), TESTS.parent) if sent else None
    for what, work in WORK.items():
        for name in work.names:
            if only and name not in only and what not in only:
                continue
            most = max(1, inputs * work.per_thousand // 1_000)
            for first in range(0, most, work.chunk):
                last = min(first + work.chunk, most)
                data: Json = {
                    "what": what,
                    "name": name,
                    "first": first,
                    "last": last,
                    "seed": seed,
                }
                label = f"{name}, {what} {first} to {last - 1}"
                yield Unit(KIND, label, data, bundle, Limits(memory=memory))


def _files() -> Iterator[Path]:
    for path in TESTS.rglob("*"):
        if path.suffix in SUFFIXES and path.is_file():
            yield path


def perform(data: Json, tell: Tell) -> Json:
    """Try inputs with some numbers."""
    given: Any = data
    harness.SEED = given["seed"]
    tell(given["name"])
    found = WORK[given["what"]].try_(given["name"], range(given["first"], given["last"]))
    return {"counts": dict(found.counts), "failures": list(found.failures.values())}


def tally_of(unit: Unit, reply: Reply) -> Tally:
    """What a reply says; a unit without an answer is a failure of its own."""
    found = Tally(f"{unit.data['name']}, {unit.data['what']}")
    answer: Any = reply.answer
    if answer is None:
        found.fail("lost", f"{unit.name}: {reply.problem}")
        return found
    found.counts = Counter({str(name): int(count) for name, count in answer["counts"].items()})
    for text in answer["failures"]:
        found.fail(str(text), f"{unit.name}: {text}")
    return found
