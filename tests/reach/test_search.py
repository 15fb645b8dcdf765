"""Stratified and static inlining on the examples of the paper, and on programs with loops."""

from __future__ import annotations

from itertools import pairwise

import pytest

from solvent.reach.counting import counts
from solvent.reach.errors import with_error_flag
from solvent.reach.loops import extract
from solvent.reach.program import ProgramError
from solvent.reach.search import _goal, search, with_bodies
from solvent.reach.stratified import StratifiedInlining, Verdict
from tests.reach.programs import FIGURE_3, FIGURE_5, FIGURE_6, read

BOTH = pytest.mark.parametrize("static", [False, True], ids=["stratified", "static"])


@BOTH
@pytest.mark.parametrize(("bound", "verdict"), [(9, Verdict.BOUND_REACHED), (10, Verdict.BUG)])
def test_figure_3_with_a_smaller_number(static: bool, bound: int, verdict: Verdict) -> None:
    found = search(read(FIGURE_3.replace("100", "10")), "main", bound, static=static)
    assert found.verdict is verdict
    assert found.answer.blocked == (("bar",) if verdict is Verdict.BOUND_REACHED else ())


def test_figure_3_needs_a_bound_of_100() -> None:
    program = read(FIGURE_3)
    assert search(program, "main", 99).verdict is Verdict.BOUND_REACHED
    found = search(program, "main", 100)
    assert found.verdict is Verdict.BUG
    assert found.confirmation is not None
    assert found.confirmation.confirmed
    # main and 101 instances of bar.
    assert found.answer.statistics.inlined == 102


@BOTH
def test_figure_5_has_no_bug(static: bool) -> None:
    found = search(read(FIGURE_5), "main", static=static)
    assert found.verdict is Verdict.NO_BUG
    if not static:
        # The calls of malloc do not matter.
        assert found.answer.statistics.inlined == 1


@BOTH
def test_figure_5_with_one_map_has_a_bug(static: bool) -> None:
    text = FIGURE_5.replace("Mem.g_S[y + 4]", "Mem.f_S[y - 9]")
    found = search(read(text), "main", static=static)
    assert found.verdict is Verdict.BUG
    assert found.confirmation is not None
    assert found.confirmation.confirmed
    assert found.failed is not None
    assert found.failed.where.line == 21


def test_figure_10() -> None:
    """The call tree of the running example grows where an execution may go."""
    program = read(FIGURE_6)
    flagged = with_error_flag(extract(with_bodies(program)))
    engine = StratifiedInlining(flagged, "main", 2, _goal(program, "main"))
    trees: list[str] = []
    try:
        answer = engine.run(lambda found: trees.append(str(found.root)))
    finally:
        engine.close()
    assert trees[0] == "main(foo, bar)"
    assert any(tree.startswith("main(foo(foo, bar), ") for tree in trees)
    assert answer.verdict is Verdict.BUG
    # Each round makes the tree grow.
    assert all(len(a) < len(b) for a, b in pairwise(trees))


@BOTH
@pytest.mark.parametrize(
    ("bound", "verdict"),
    [(0, Verdict.BOUND_REACHED), (1, Verdict.BOUND_REACHED), (2, Verdict.BUG), (3, Verdict.BUG)],
)
def test_figure_6(static: bool, bound: int, verdict: Verdict) -> None:
    found = search(read(FIGURE_6), "main", bound, static=static)
    assert found.verdict is verdict
    if verdict is Verdict.BUG:
        assert found.confirmation is not None
        assert found.confirmation.confirmed


LOOP = """
var g: int;
procedure add(n: int) modifies g; { g := g + n; }
procedure main(n: int) modifies g; {
  var i: int;
  g := 0;
  i := 0;
  while (i < n) { call add(i); i := i + 1; }
  assert g != 6;
}
"""


@BOTH
@pytest.mark.parametrize(("bound", "verdict"), [(3, Verdict.BOUND_REACHED), (4, Verdict.BUG)])
def test_loops_are_bounded_by_the_recursion_bound(
    static: bool, bound: int, verdict: Verdict
) -> None:
    found = search(read(LOOP), "main", bound, static=static)
    assert found.verdict is verdict
    if verdict is Verdict.BUG:
        assert found.confirmation is not None
        assert found.confirmation.confirmed
        assert [str(value) for value in found.execution.inputs.values()] == ["4"]  # type: ignore[union-attr]


NESTED = """
procedure main(n: int) {
  var i: int;
  var j: int;
  var s: int;
  s := 0;
  i := 0;
  while (i < n) {
    j := 0;
    while (j < i) { s := s + 1; if (s == 2) { break; } j := j + 1; }
    i := i + 1;
  }
  assert n > 3 ==> s != 5;
}
"""


@BOTH
def test_nested_loops_with_a_break(static: bool) -> None:
    found = search(read(NESTED), "main", 4, static=static)
    assert found.verdict is Verdict.BUG
    assert found.confirmation is not None
    assert (found.confirmation.confirmed, found.confirmation.reason) == (True, "")


def test_procedures_without_a_body_do_what_their_contract_says() -> None:
    text = """
    var g: int;
    procedure ext(x: int) returns (y: int); modifies g; ensures y > x && g == old(g) + 1;
    procedure main() modifies g;
    { var y: int; g := 1; call y := ext(5); assert y > 5; assert g == BOUND; }
    """
    assert search(read(text.replace("BOUND", "2")), "main").verdict is Verdict.NO_BUG
    found = search(read(text.replace("BOUND", "3")), "main")
    assert found.verdict is Verdict.BUG
    assert found.confirmation is not None
    assert found.confirmation.confirmed


def test_nothing_to_search() -> None:
    assert search(read("procedure main() { }"), "main").verdict is Verdict.NO_BUG
    with pytest.raises(ProgramError, match="has no body"):
        search(read("procedure main();"), "main")
    with pytest.raises(ProgramError, match="there is no procedure 'p'; there are: main"):
        search(read("procedure main() { }"), "p")


def test_time_limit() -> None:
    text = FIGURE_3.replace("100", "100000")
    found = search(read(text), "main", 100_000, timeout=1.0)
    assert found.verdict is Verdict.UNKNOWN
    assert found.answer.reason == "time limit"


@BOTH
def test_constants_mean_the_same_in_all_procedures(static: bool) -> None:
    text = """
    const c: int;
    axiom c > 4;
    procedure get() returns (r: int) { r := c; }
    procedure main() { var x: int; call x := get(); assert x == c; assert x > BOUND; }
    """
    assert search(read(text.replace("BOUND", "4")), "main", static=static).verdict is Verdict.NO_BUG
    found = search(read(text.replace("BOUND", "5")), "main", static=static)
    assert found.verdict is Verdict.BUG
    assert found.confirmation is not None
    assert found.confirmation.confirmed


@BOTH
def test_quantified_axioms(static: bool) -> None:
    text = """
    function f(x: int) returns (int);
    axiom (forall x: int :: {f(x)} f(x) >= 0);
    procedure get(n: int) returns (r: int) { r := f(n); }
    procedure main() { var x: int; call x := get(3); assert x >= BOUND; }
    """
    assert search(read(text.replace("BOUND", "0")), "main", static=static).verdict is Verdict.NO_BUG
    # Z3 finds a model of the axiom in which the assertion fails.
    found = search(read(text.replace("BOUND", "1")), "main", static=static)
    assert found.verdict is Verdict.BUG
    assert found.confirmation is not None
    assert found.confirmation.confirmed


@BOTH
def test_maps_made_by_lambdas(static: bool) -> None:
    text = """
    procedure main(k: int) {
      var m: [int]int;
      m := (lambda z: int :: z + k);
      assert m[4] == 4 + k;
      m := (lambda z: int :: 7);
      assert m[k] == 7;
    }
    """
    assert search(read(text), "main", static=static).verdict is Verdict.NO_BUG


COUNTING = """
procedure main() {
  var i: int;
  var s: int;
  s := 0;
  i := START;
  while (i < 27) { s := s + 2; i := i + STEP; }
  assert s != END;
}
"""


@BOTH
@pytest.mark.parametrize(("start", "step", "end"), [("0", "1", "54"), ("3", "4", "12")])
def test_loops_that_count_run_to_their_end(static: bool, start: str, step: str, end: str) -> None:
    text = COUNTING.replace("START", start).replace("STEP", step).replace("END", end)
    found = search(read(text), "main", 1, static=static)
    assert found.verdict is Verdict.BUG
    assert found.confirmation is not None
    assert found.confirmation.confirmed
    # Without the bug everything is explored, and nothing is left.
    text = text.replace(f"s != {end}", f"s == {end}")
    assert search(read(text), "main", 1, static=static).verdict is Verdict.NO_BUG


@pytest.mark.parametrize(
    "change", ["i := i + s", "havoc i", "if (s > 3) { i := i + 1; } i := i + 1"]
)
def test_loops_that_do_not_just_count(change: str) -> None:
    text = COUNTING.replace("i := i + STEP", change).replace("START", "0").replace("END", "54")
    assert counts(read(text)) == {}


def test_deep_recursion_is_confirmed() -> None:
    found = search(read(FIGURE_3.replace("100", "700")), "main", 700, static=True)
    assert found.verdict is Verdict.BUG
    assert found.confirmation is not None
    assert found.confirmation.confirmed
