"""Random programs run symbolically as they do in CPython; SOLVENT_PROGRAMS=N runs N of them."""

from __future__ import annotations

import os

import pytest

from tests.lift import programs

PROGRAMS = int(os.environ.get("SOLVENT_PROGRAMS", "2000"))
BATCHES = 40


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_programs(batch: int) -> None:
    programs.REFUSED.clear()
    seeds = [f"{batch}:{number}" for number in range(-(-PROGRAMS // BATCHES))]
    for seed in seeds:
        programs.check(seed)
    assert len(programs.REFUSED) <= len(seeds) // 10, programs.REFUSED


def test_programs_are_deterministic_and_rich() -> None:
    texts = [programs.program(f"rich:{number}")[0] for number in range(200)]
    assert texts == [programs.program(f"rich:{number}")[0] for number in range(200)]
    mains = [text[len(programs.PRELUDE) :] for text in texts]
    for feature in (
        "while", "for", "break", "continue", "else:", "elif", "try:", "except", "finally:", "raise",
        "with", "match", "case", "nonlocal", "lambda", "return", "del ", ".append", ".pop(",
        " is ", " in ", ":=", "Box(", "[1:", "*=", "some(", "Crate(", ".add(", "zip(",
    ):  # fmt: skip
        assert sum(feature in main for main in mains) >= 5, feature


def test_programs_mostly_end_normally() -> None:
    outcomes = {"normal": 0, "failed": 0}
    for number in range(100):
        source, domains = programs.program(f"normal:{number}")
        main = programs.load(source)
        for values in zip(*domains, strict=True):
            try:
                main(*values)
                outcomes["normal"] += 1
            except Exception:
                outcomes["failed"] += 1
        programs.forget(main)
    assert outcomes["normal"] > outcomes["failed"] > 0


def test_shrinking_finds_the_statement_that_matters() -> None:
    source = (
        "def main(x):\n    a = 1\n    if x:\n        for k in range(3):\n"
        "            bad = 1 + 2\n    return a\n"
    )
    smallest = programs.shrink(source, lambda text: "bad" in text)
    assert smallest.split() == ["def", "main(x):", "bad", "=", "1"]
