"""All methods agree: on the Boogie corpus, and on generated programs.

By default a part of the corpus and 40 programs; `SOLVENT_LOGIC_PROGRAMS=500` takes all and 500.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from solvent.boogie import check_program, parse_program
from solvent.boogie.lowering import entry_points, existentials, lower
from solvent.logic.method import Limits, Report, Statistics
from solvent.logic.methods import METHODS, Contradiction, agreed
from solvent.reach.program import Program
from solvent.reach.search import search
from solvent.terms import not_
from solvent.verdicts import Verdict
from tests.logic.programs import read
from tests.patience import patient
from tests.reach.random_programs import Shape, random_program

COUNT = int(os.environ.get("SOLVENT_LOGIC_PROGRAMS", "40"))
# Testing has no end where there are loops, so it gets less time.
SECONDS = {"vc": 1.0, "smc": 0.6, "bmc": 0.5, "dse": 0.2} if COUNT < 500 else {}
_FOLDER = Path(__file__).parents[1] / "boogie" / "corpus"
# Threads are for the search alone.
CORPUS = sorted(set(_FOLDER.rglob("*.bpl")) - set(_FOLDER.glob("threads/*")))
CLAIM = re.compile(r"^// reach(.*?): (.*)$", re.MULTILINE)
SEARCHED = [path for path in CORPUS if CLAIM.search(path.read_text(encoding="utf-8"))]
# These methods take the contracts of procedures with bodies for hints, which a search checks.
HINTS = ("broken_promises",)
CHOSEN = [path for path in SEARCHED[:: 24 if COUNT < 500 else 1] if path.stem not in HINTS]
SHARES = 4


def check(program: Program, main: str) -> Verdict:
    reports = [
        METHODS[name]().analyse(program, main, Limits(patient(SECONDS.get(name, 5.0)), 8))
        for name in METHODS
    ]
    for report in reports:
        assert (report.failure is not None) == (report.verdict is Verdict.VIOLATED)
    return agreed(reports)


@pytest.mark.parametrize("path", CHOSEN, ids=lambda path: path.stem)
def test_corpus(path: Path) -> None:
    expected = CLAIM.search(path.read_text(encoding="utf-8"))
    assert expected is not None
    checked = check_program(parse_program(path))
    program = lower(checked)
    unchosen = [not_(guard) for guard in existentials(checked)]
    program = replace(program, axioms=(*program.axioms, *unchosen))
    named = re.search(r"--main (\S+)", expected[1])
    main = named[1] if named else entry_points(checked)[0]
    verdict = check(program, main)
    if expected[2] == "no bug":
        assert verdict is not Verdict.VIOLATED
    elif expected[2].startswith("bug at"):
        assert verdict is not Verdict.HOLDS


def verdict_of(seed: int) -> Verdict:
    shape = Shape(procedures=2 + seed % 2, loops=seed % 3 == 0, recursion=seed % 5 == 0)
    text = random_program(seed, shape)
    program = read(text)
    try:
        verdict = check(program, "main")
    except Contradiction as error:
        raise AssertionError(f"{error}\n{text}") from None
    searched = search(program, "main", 3, timeout=patient(0.5)).verdict
    assert {verdict, searched} != {Verdict.HOLDS, Verdict.VIOLATED}, text
    assert {verdict, searched} != {Verdict.VIOLATED, Verdict.HOLDS}, text
    return verdict


@pytest.mark.parametrize("share", range(SHARES))
def test_generated_programs(share: int) -> None:
    found = [verdict_of(seed) for seed in range(share, COUNT, SHARES)]
    assert found.count(Verdict.UNKNOWN) < len(found) * 0.7
    assert {Verdict.HOLDS, Verdict.VIOLATED} <= set(found)


def test_a_contradiction_is_told() -> None:
    reports = [
        Report(name, (), Statistics(), verdict=verdict)
        for name, verdict in (("vc", Verdict.HOLDS), ("bmc", Verdict.VIOLATED))
    ]
    with pytest.raises(Contradiction, match="vc proved the program safe, but bmc found"):
        agreed(reports)


def test_all_four_are_there() -> None:
    assert list(METHODS) == ["vc", "smc", "bmc", "dse"]
