"""Variable abstraction: fewer variables, more executions, and refinement until the bug is real."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solvent.reach.abstraction import abstract, asserted
from solvent.reach.answers import SearchAnswer
from solvent.reach.program import Assume, Call, Havoc
from solvent.reach.search import confirm, search
from solvent.terms import Int
from solvent.terms.model import Model
from solvent.verdicts import Verdict
from tests.reach.programs import read

# The lock is taken twice only if x is 1, which only y decides; z never matters.
CHAIN = """
var lock: bool;
var x: int;
var y: int;
var z: [int]int;
procedure acquire() modifies lock; { assert !lock; lock := true; }
procedure choose() modifies x; { x := y + 1; }
procedure main() modifies lock, x, y, z; {
  assume !lock;
  y := START;
  z[0] := 3;
  call choose();
  call acquire();
  z[1] := z[0] + 1;
  if (x == 1) { call acquire(); }
}
"""


def names(found: SearchAnswer) -> set[str]:
    return {str(variable) for variable in found.tracked}


def test_tracking_starts_with_what_is_asserted() -> None:
    program = read(CHAIN.replace("START", "0"))
    assert set(map(str, asserted(program))) == {"lock"}


def test_old_values_and_invariants_count_as_asserted() -> None:
    program = read(
        """
        var a: int; var b: int; var c: int;
        procedure main() modifies a, b, c; {
          while (*) invariant b > 0; { c := c + 1; }
          assert old(a) > 0;
        }
        """
    )
    assert set(map(str, asserted(program))) == {"a", "b"}


@pytest.mark.parametrize("start", [0, 5])
def test_refinement_adds_what_excludes_an_execution(start: int) -> None:
    found = search(read(CHAIN.replace("START", str(start))), "main")
    if start == 0:
        # The first path that the abstract program offers is real.
        assert found.verdict is Verdict.VIOLATED
        assert found.confirmation is not None
        assert found.confirmation.confirmed
        assert names(found) == {"lock"}
    else:
        assert found.verdict is Verdict.HOLDS
        assert names(found) == {"lock", "x", "y"}
        assert found.refinements > 0


def test_everything_is_tracked_on_demand() -> None:
    found = search(read(CHAIN.replace("START", "5")), "main", track_all=True)
    assert found.verdict is Verdict.HOLDS
    assert names(found) == {"lock", "x", "y", "z"}
    assert found.refinements == 0


def test_values_of_a_bug_are_those_of_the_program() -> None:
    """Variables that the search did not track have values in the trace all the same."""
    found = search(read(CHAIN.replace("START", "0")), "main")
    assert found.execution is not None
    given = {
        str(variable): value
        for visit in found.execution.visits
        for step in visit.steps
        for variable, value in step.values.items()
    }
    assert given["y"] == 0
    assert given["x"] == 1
    assert given["z"][1] == 4


def test_calls_through_variables_that_are_not_tracked() -> None:
    text = """
    var a: int;
    var b: int;
    procedure twice(n: int) returns (r: int) { r := n + n; }
    procedure main() modifies a, b; {
      var r: int;
      b := 3;
      call b := twice(b);
      call r := twice(b);
      assert r == LIMIT;
    }
    """
    right = search(read(text.replace("LIMIT", "12")), "main")
    assert right.verdict is Verdict.HOLDS
    assert names(right) == {"b"}
    wrong = search(read(text.replace("LIMIT", "6")), "main")
    assert wrong.verdict is Verdict.VIOLATED
    assert wrong.confirmation is not None
    assert wrong.confirmation.confirmed


def test_the_abstract_program_keeps_blocks_and_calls() -> None:
    program = read(CHAIN.replace("START", "0"))
    (lock,) = asserted(program)
    less = abstract(program, [lock])
    assert [str(variable) for variable in less.globals] == ["lock"]
    for name, procedure in program.procedures.items():
        other = less.procedures[name]
        assert [*procedure.blocks] == [*other.blocks]
        assert [c.procedure for c in procedure.calls] == [c.procedure for c in other.calls]
    commands = list(less.procedures["main"].commands)
    assert not any(isinstance(command, Havoc) for command in commands)
    assert [str(c.condition) for c in commands if isinstance(c, Assume)] == ["not lock"]
    assert [c.procedure for c in commands if isinstance(c, Call)] == [
        "choose", "acquire", "acquire",
    ]  # fmt: skip
    assert abstract(program, program.globals) is program


def test_preconditions_of_the_first_procedure_are_not_forgotten() -> None:
    text = """
    var g: int; var h: int;
    procedure main() requires h == 0 && g == h; modifies g; { assert g == 0; }
    """
    found = search(read(text), "main")
    assert found.verdict is Verdict.HOLDS
    assert names(found) == {"g", "h"}


def test_preconditions_about_the_parameters_of_the_first_procedure() -> None:
    text = """
    var done, pending: [int]bool;
    procedure main(irp: int) requires !done[irp] && !pending[irp]; { assert !done[irp]; }
    """
    assert search(read(text), "main").verdict is Verdict.HOLDS


def test_what_is_required_is_checked_when_a_bug_is_confirmed() -> None:
    program = read("var g: int; procedure main(n: int) requires n > g; { assert n > 7; }")
    found = search(program, "main")
    assert found.execution is not None
    start = {str(variable): value for variable, value in found.execution.start.items()}
    assert start["n"] > start["g"]
    outside = replace(found.execution, start={**found.execution.start, Int("g"): start["n"] + 1})
    confirmation = confirm(program, "main", outside, Model({}))
    assert not confirmation.confirmed
    assert "assumption" in confirmation.reason
