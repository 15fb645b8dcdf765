"""Invariants of intervals: a solver proves all that are inferred, of random programs and others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solvent.boogie import check_program, parse_program
from solvent.boogie.lowering import lower
from solvent.reach.intervals import with_intervals
from solvent.reach.loops import MAINTAINED, ON_ENTRY
from solvent.reach.modular import verify
from solvent.reach.program import Program
from tests.patience import patient
from tests.reach.random_programs import Shape, random_program


def inferred(text: str) -> Program:
    """A program with inferred invariants, which are checked."""
    program = lower(check_program(parse_program(text=text), infer_modifies=True))
    found = with_intervals(program)
    procedures = {}
    for name, procedure in found.procedures.items():
        blocks = {
            label: replace(
                block, invariants=tuple(replace(one, free=False) for one in block.invariants)
            )
            for label, block in procedure.blocks.items()
        }
        procedures[name] = replace(procedure, blocks=blocks)
    return replace(found, procedures=procedures)


def invariants(program: Program, name: str = "p") -> list[str]:
    """The invariants of a procedure, as text; the order of their parts says nothing."""
    blocks = program.procedures[name].blocks.values()
    found = [str(one.condition) for block in blocks for one in block.invariants]
    return [" and ".join(sorted(text.split(" and "))) for text in found]


def check(program: Program) -> int:
    """Check that no inferred invariant is wrong; how many there are."""
    count = 0
    for name, procedure in program.procedures.items():
        if procedure.blocks:
            found = verify(program, name, errors=None, timeout=patient(30))
            wrong = [one for one in found.violations if one.message in (ON_ENTRY, MAINTAINED)]
            assert not wrong, (name, wrong[0].where, invariants(program, name))
            count += len(invariants(program, name))
    return count


def test_random_programs() -> None:
    found = [
        check(inferred(random_program(seed, Shape(2, contracts=seed % 2 == 0))))
        for seed in range(24)
    ]
    assert sum(found) > 10


HARD = {
    # What a callee says of the value before is about its own call.
    "old values": (
        """
        var g: int;
        procedure q(); modifies g; ensures old(g) >= 5 && g == old(g) + 1;
        procedure p() modifies g; {
          g := 0;
          while (*) { call q(); assume old(g) < 3; g := 0; }
        }
        """,
        ["g <= 0 and g > -1"],
    ),
    # A result that is an argument too is another value after the call.
    "results": (
        """
        procedure q(n: int) returns (r: int); ensures r > n && n > 7;
        procedure p(n: int) { var i: int; i := 0; while (i < 3) { call i := q(i); } }
        """,
        [],
    ),
    "nested": (
        """
        procedure p(n: int) {
          var i, j: int; i := 0;
          while (i < 10) {
            j := i;
            while (j > 0) { j := j - 1; }
            i := i + 1;
          }
        }
        """,
        ["i <= 10 and i > -1", "j <= 9 and j > -1"],
    ),
    "never reached": ("procedure p() { assume false; while (*) { } }", ["False"]),
    "conditions": (
        """
        procedure p(c: bool) {
          var a, b: bool; a, b := true, true;
          while (*) { if (c) { b := a; } else { havoc b; } }
        }
        """,
        [],
    ),
}


@pytest.mark.parametrize("name", HARD)
def test_hard_programs(name: str) -> None:
    text, expected = HARD[name]
    program = inferred(text)
    check(program)
    assert sorted(one for one in invariants(program) if one != "True") == sorted(expected)
