"""Random programs about text run symbolically as they do in CPython.

SOLVENT_PROGRAMS=N runs N of them, and SOLVENT_SEED=S draws others.
"""

from __future__ import annotations

import ast
import os
from collections import Counter

import pytest

from tests.lift import text_programs
from tests.lift.text_programs import GRAMMAR, Refused, TextProgram, difference, drawn, smallest

PROGRAMS = int(os.environ.get("SOLVENT_PROGRAMS", "2000"))
SEED = os.environ.get("SOLVENT_SEED", "")
BATCHES = 20
SHARE = -(-PROGRAMS // BATCHES)


def seeds(batch: int) -> list[str]:
    return [f"{SEED}:{batch}:{number}" for number in range(SHARE)]


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_programs(batch: int) -> None:
    refused = []
    for seed in seeds(batch):
        program = drawn(seed)
        try:
            found = difference(program)
        except Refused as error:
            refused.append(str(error))
            continue
        if found is not None:
            small = smallest(program)
            pytest.fail(f"{seed}: {difference(small)}\n\n{small.source}\non {small.inputs}")
    assert len(refused) <= SHARE // 20, Counter(refused)


def test_programs_have_everything_in_them() -> None:
    found: Counter[str] = Counter()
    for batch in range(BATCHES):
        for seed in seeds(batch):
            for node in ast.walk(ast.parse(drawn(seed).source)):
                found[type(node).__name__] += 1
                found[getattr(node, "attr", "")] += 1
    methods = {
        node.attr
        for phrases in GRAMMAR.values()
        for phrase in phrases
        for node in _expressions(phrase)
        if isinstance(node, ast.Attribute)
    }
    assert len(methods) > 50
    rare = {name for name in methods if found[name] < 3}
    assert not rare
    for name in ("For", "While", "If", "Try", "Match", "JoinedStr", "Slice", "IfExp", "In", "Lt"):
        assert found[name] > 20, name


def _expressions(phrase: str) -> list[ast.AST]:
    filled = text_programs.PLACEHOLDER.sub("name", phrase)
    try:
        return list(ast.walk(ast.parse(filled)))
    except SyntaxError:
        return []


def test_programs_are_the_same_each_time() -> None:
    assert drawn("again") == drawn("again") != drawn("other")


def test_a_failing_program_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "t = s.upper()\nif t == 'A':\n    n = 1\n    u = 'b'\nlog.append(n)"
    program = TextProgram(body, (("a", 0), ("", 1)))
    assert difference(program) is None
    # Lifted code is taken to be wrong wherever it calls `upper`.
    monkeypatch.setattr(
        text_programs, "difference", lambda p: "wrong" if ".upper" in p.source else None
    )
    assert smallest(program) == TextProgram("t = s.upper()", (("a", 0),))
