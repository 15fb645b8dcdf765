"""Random programs run symbolically as they do in CPython.

SOLVENT_PROGRAMS=N runs N of them, and SOLVENT_SEED=S draws others.
"""

from __future__ import annotations

import ast
import itertools
import os
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from tests.lift import programs
from tests.lift.programs import Program, explore

PROGRAMS = int(os.environ.get("SOLVENT_PROGRAMS", "2000"))
SEED = os.environ.get("SOLVENT_SEED", "")
BATCHES = 40
SHARE = -(-PROGRAMS // BATCHES)


def run_batch(batch: int, passes: Callable[[Program], bool]) -> dict[str, Program]:
    """Draw programs until enough different ones passed, or too many did not."""
    passed: dict[str, Program] = {}

    def check(program: Program) -> None:
        if program.source not in passed and passes(program):
            passed[program.source] = program

    for number in range(2 + SHARE // 6):
        explore(f"{SEED}:{batch}:{number}", check)
        if len(passed) >= SHARE:
            break
    return passed


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_programs(batch: int) -> None:
    assert len(run_batch(batch, lambda p: programs.refusal(p) is None)) >= SHARE


# --- what the programs are like -------------------------------------------------------------------

_NAMES = """
If For While Try With Match FunctionDef ClassDef Return Raise Assert Break Continue Delete AugAssign
Nonlocal Assign BoolOp NamedExpr BinOp UnaryOp Lambda IfExp Dict Set ListComp SetComp DictComp
GeneratorExp Yield JoinedStr Starred Slice Compare Call Attribute Subscript Tuple List Is IsNot In
NotIn MatchValue MatchSequence MatchMapping MatchClass MatchStar MatchAs MatchOr MatchSingleton
If.orelse For.orelse While.orelse Try.orelse Try.finalbody Raise.cause ExceptHandler.name
match_case.guard Store.Subscript Store.Attribute Store.Slice Del.Name Del.Subscript Del.Attribute
Del.Slice AugAssign.Name AugAssign.Subscript AugAssign.Attribute Store.Starred Call.Starred
Call.keywords alias leaves.finally
append pop insert remove extend reverse sort clear get setdefault update add discard bump
Box Crate Quiet put pick say count some both gather sum len sorted zip enumerate range max min abs
divmod any all map reversed next isinstance getattr hasattr fs out arr rnd digest
it jt dq act stop iter filter chain islice deque rotate appendleft popleft __contains__
"""
CONSTRUCTS = _NAMES.split()


def constructs(program: Program) -> set[str]:
    """What a program has in it, apart from its first and last lines."""
    (main,) = ast.parse(program.main).body
    assert isinstance(main, ast.FunctionDef)
    body = main.body[len(programs.START.splitlines()) : -1]
    return {name for statement in body for node in ast.walk(statement) for name in _names(node)}


def _names(node: ast.AST) -> Iterator[str]:
    """What a node of a syntax tree shows."""
    kind = type(node).__name__
    yield kind
    for field in ("orelse", "finalbody", "cause", "name", "guard", "keywords"):
        if getattr(node, field, None):
            yield f"{kind}.{field}"
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.AugAssign(target=target):
            yield f"AugAssign.{type(target).__name__}"
        case ast.Assign(value=ast.Name(id="p" | "q" | "r" | "d" | "e" | "o" | "w" | "g" | "h")):
            yield "alias"
        case ast.Try(finalbody=lines):
            inner = {type(found) for line in lines for found in ast.walk(line)}
            if inner & {ast.Return, ast.Break, ast.Continue}:
                yield "leaves.finally"
        case ast.Call(args=args) if any(isinstance(arg, ast.Starred) for arg in args):
            yield "Call.Starred"
    if context := getattr(node, "ctx", None):
        yield f"{type(context).__name__}.{kind}"
        if isinstance(getattr(node, "slice", None), ast.Slice):
            yield f"{type(context).__name__}.Slice"


def same_programs() -> list[Program]:
    """The programs that the batches run."""
    return [p for batch in range(BATCHES) for p in run_batch(batch, lambda p: True).values()]


@pytest.mark.slow
@pytest.mark.skipif(PROGRAMS < 2000, reason="fewer programs were asked for")
@pytest.mark.mass
def test_programs_are_many_and_have_everything_in_them() -> None:
    found = {program.source: program for program in same_programs()}
    assert len(found) >= PROGRAMS
    counts = Counter(name for program in found.values() for name in constructs(program))
    rare = {name: counts[name] for name in CONSTRUCTS if counts[name] < len(found) / 100}
    assert not rare


def test_programs_are_the_same_each_time() -> None:
    drawn: list[list[str]] = [[], []]
    for row in drawn:
        explore("again", lambda program, row=row: row.append(repr(program)))
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == programs.FRESH


def test_programs_mostly_end_normally() -> None:
    outcomes = {"normal": 0, "failed": 0}

    def check(program: Program) -> None:
        main = programs.load(program.source)
        for row in itertools.product(*program.domains):
            try:
                main(*row)
                outcomes["normal"] += 1
            except Exception:
                outcomes["failed"] += 1
        programs.forget(main)

    for number in range(15):
        explore(f"normal:{number}", check)
    assert outcomes["normal"] > outcomes["failed"] > 0


def test_a_failing_program_is_made_small() -> None:
    def check(program: Program) -> None:
        if {"While", "AugAssign"} <= constructs(program):
            raise AssertionError(program)

    with pytest.raises(AssertionError) as caught:
        explore("small", check, examples=500)
    shown = str(caught.value).split("log = []\n")[1].split("    return a, b, c")[0]
    assert "while" in shown
    assert len(shown.splitlines()) <= 12, shown
