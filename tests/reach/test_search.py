"""Stratified and static inlining on the examples of the paper, and on programs with loops."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from solvent.reach.counting import counts
from solvent.reach.errors import with_error_flag
from solvent.reach.loops import extract
from solvent.reach.program import Call, ProgramError
from solvent.reach.search import _goal, search, with_bodies
from solvent.reach.stratified import Node, StratifiedInlining
from solvent.reach.templates import template
from solvent.solvers.status import Status
from solvent.terms import Bool, constants
from solvent.verdicts import Deadline, Verdict
from tests.reach.programs import FIGURE_3, FIGURE_5, FIGURE_6, read

BOTH = pytest.mark.parametrize("static", [False, True], ids=["stratified", "static"])


@BOTH
@pytest.mark.parametrize(("bound", "verdict"), [(10, Verdict.BOUNDED), (11, Verdict.VIOLATED)])
def test_figure_3_with_a_smaller_number(static: bool, bound: int, verdict: Verdict) -> None:
    found = search(read(FIGURE_3.replace("100", "10")), "main", bound, static=static)
    assert found.verdict is verdict
    assert found.inlining.blocked == (("bar",) if verdict is Verdict.BOUNDED else ())


def test_figure_3_needs_101_instances() -> None:
    """The paper says 100 there, but counts from 1 at the first instance in figures 2 and 10."""
    program = read(FIGURE_3)
    assert search(program, "main", 100).verdict is Verdict.BOUNDED
    found = search(program, "main", 101)
    assert found.verdict is Verdict.VIOLATED
    assert found.confirmation is not None
    assert found.confirmation.confirmed
    # main and 101 instances of bar.
    assert found.inlining.statistics.inlined == 102


@BOTH
def test_figure_5_has_no_bug(static: bool) -> None:
    found = search(read(FIGURE_5), "main", static=static)
    assert found.verdict is Verdict.HOLDS
    if not static:
        # The calls of malloc do not matter.
        assert found.inlining.statistics.inlined == 1


@BOTH
def test_figure_5_with_one_map_has_a_bug(static: bool) -> None:
    text = FIGURE_5.replace("Mem.g_S[y + 4]", "Mem.f_S[y - 9]")
    found = search(read(text), "main", static=static)
    assert found.verdict is Verdict.VIOLATED
    assert found.confirmation is not None
    assert found.confirmation.confirmed
    assert found.failed is not None
    assert found.failed.where.line == 21


def running_example() -> StratifiedInlining:
    """Figure 6, with the assertion for the assumption of the paper."""
    flagged = with_error_flag(extract(with_bodies(read(FIGURE_6))))
    return StratifiedInlining(flagged, "main", 3, _goal)


def test_figure_7() -> None:
    """Calls are replaced by fresh constants, which stand for the procedures and their values."""
    program = with_error_flag(extract(with_bodies(read(FIGURE_6))))
    passive = template(program, "main").passive
    (foo, bar) = passive.calls
    assert (foo.procedure, bar.procedure) == ("foo", "bar")
    # Both get the same value, which is 0, and give back different ones.
    assert foo.inputs[0] is bar.inputs[0]
    assert foo.outputs[0] is not bar.outputs[0]
    conditions = [s.condition for block in passive.blocks.values() for s in block.statements]
    kept = set(map(str, conditions))
    assert {str(foo.taken), str(bar.taken), f"{foo.inputs[0]} == 0"} <= kept
    joined = [one for one in conditions if {foo.outputs[0], bar.outputs[0]} & set(constants(one))]
    assert joined, "where the branches meet, the results become one value"
    assert not any(isinstance(one, Call) for one in conditions)


def test_figure_10() -> None:
    """The call tree after initialization, and after instantiating foo."""
    engine = running_example()
    try:
        assert str(engine.root) == "main(foo, bar)"
        foo, bar = engine.root.children
        # RB of the leaves: how many instances of the procedure there are, with this one.
        assert (foo.depth, bar.depth) == (1, 1)
        engine.instantiate(foo)
        assert str(engine.root) == "main(foo(foo, bar), bar)"
        assert [leaf.depth for leaf in foo.children] == [2, 1]
    finally:
        engine.close()


# A procedure, and what it calls once it is inlined.
Shape = tuple[str, tuple["Shape", ...]]

CALLS = {"foo": ("foo", "bar"), "bar": ("bar",)}


def shape(node: Node) -> Shape:
    return (node.procedure, tuple(map(shape, node.children)))


def has_grown(before: Shape, after: Shape) -> bool:
    """Whether a tree has become another one by inlining some of its leaves."""
    if before[1]:
        pairs = zip(before[1], after[1], strict=True)
        return before[0] == after[0] and all(has_grown(*pair) for pair in pairs)
    made = (before[0], tuple((name, ()) for name in CALLS[before[0]]))
    return after in (before, made)


def test_the_call_tree_of_the_running_example_grows_at_its_leaves() -> None:
    """After each step, some leaves on a trace have become what they call."""
    engine = running_example()
    trees: list[Shape] = []
    try:
        answer = engine.run(lambda found: trees.append(shape(found.root)))
    finally:
        engine.close()
    assert trees[0] == ("main", (("foo", ()), ("bar", ())))
    for before, after in pairwise(trees):
        assert before != after
        assert has_grown(before, after), (before, after)
    assert answer.verdict is Verdict.VIOLATED
    # One underapproximating query after each step.
    assert answer.statistics.under_queries == len(trees)


@BOTH
@pytest.mark.parametrize(
    ("bound", "verdict"),
    [(1, Verdict.BOUNDED), (2, Verdict.BOUNDED), (3, Verdict.VIOLATED), (4, Verdict.VIOLATED)],
)
def test_figure_6(static: bool, bound: int, verdict: Verdict) -> None:
    found = search(read(FIGURE_6), "main", bound, static=static)
    assert found.verdict is verdict
    if verdict is Verdict.VIOLATED:
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
@pytest.mark.parametrize(("bound", "verdict"), [(4, Verdict.BOUNDED), (5, Verdict.VIOLATED)])
def test_loops_are_bounded_by_the_recursion_bound(
    static: bool, bound: int, verdict: Verdict
) -> None:
    found = search(read(LOOP), "main", bound, static=static)
    assert found.verdict is verdict
    if verdict is Verdict.VIOLATED:
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
    found = search(read(NESTED), "main", 5, static=static)
    assert found.verdict is Verdict.VIOLATED
    assert found.confirmation is not None
    assert (found.confirmation.confirmed, found.confirmation.reason) == (True, "")


def test_procedures_without_a_body_do_what_their_contract_says() -> None:
    text = """
    var g: int;
    procedure ext(x: int) returns (y: int); modifies g; ensures y > x && g == old(g) + 1;
    procedure main() modifies g;
    { var y: int; g := 1; call y := ext(5); assert y > 5; assert g == BOUND; }
    """
    assert search(read(text.replace("BOUND", "2")), "main").verdict is Verdict.HOLDS
    found = search(read(text.replace("BOUND", "3")), "main")
    assert found.verdict is Verdict.VIOLATED
    assert found.confirmation is not None
    assert found.confirmation.confirmed


def test_nothing_to_search() -> None:
    assert search(read("procedure main() { }"), "main").verdict is Verdict.HOLDS
    with pytest.raises(ProgramError, match="has no body"):
        search(read("procedure main();"), "main")
    with pytest.raises(ProgramError, match="there is no procedure 'p'; there are: main"):
        search(read("procedure main() { }"), "p")


def test_time_limit() -> None:
    text = FIGURE_3.replace("100", "100000")
    found = search(read(text), "main", 100_000, timeout=1.0)
    assert found.verdict is Verdict.UNKNOWN
    assert found.inlining.reason == "time limit"


@BOTH
def test_an_axiom_that_nothing_satisfies_is_no_bug(static: bool) -> None:
    # No integer is above all, but no trigger says so; only Z3 on its own finds out.
    text = """
    function g(x: int): bool;
    const c: int;
    axiom (forall x: int :: {g(x)} x < c);
    procedure main() { assert false; }
    """
    answer = search(read(text), "main", static=static).inlining
    assert answer.verdict in (Verdict.HOLDS, Verdict.UNKNOWN)
    assert answer.model is None
    assert "has a model" not in answer.reason


@BOTH
def test_constants_mean_the_same_in_all_procedures(static: bool) -> None:
    text = """
    const c: int;
    axiom c > 4;
    procedure get() returns (r: int) { r := c; }
    procedure main() { var x: int; call x := get(); assert x == c; assert x > BOUND; }
    """
    assert search(read(text.replace("BOUND", "4")), "main", static=static).verdict is Verdict.HOLDS
    found = search(read(text.replace("BOUND", "5")), "main", static=static)
    assert found.verdict is Verdict.VIOLATED
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
    assert search(read(text.replace("BOUND", "0")), "main", static=static).verdict is Verdict.HOLDS
    # Z3 finds a model of the axiom in which the assertion fails.
    found = search(read(text.replace("BOUND", "1")), "main", static=static)
    assert found.verdict is Verdict.VIOLATED
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
    assert search(read(text), "main", static=static).verdict is Verdict.HOLDS


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
    found = search(read(text), "main", 2, static=static)
    assert found.verdict is Verdict.VIOLATED
    assert found.confirmation is not None
    assert found.confirmation.confirmed
    # Without the bug everything is explored, and nothing is left.
    text = text.replace(f"s != {end}", f"s == {end}")
    assert search(read(text), "main", 2, static=static).verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    "change", ["i := i + s", "havoc i", "if (s > 3) { i := i + 1; } i := i + 1"]
)
def test_loops_that_do_not_just_count(change: str) -> None:
    text = COUNTING.replace("i := i + STEP", change).replace("START", "0").replace("END", "54")
    assert counts(read(text)) == {}


def test_deep_recursion_is_confirmed() -> None:
    found = search(read(FIGURE_3.replace("100", "500")), "main", 501, static=True)
    assert found.verdict is Verdict.VIOLATED
    assert found.confirmation is not None
    assert found.confirmation.confirmed


@BOTH
def test_old_values_in_a_loop_are_those_of_the_procedure(static: bool) -> None:
    text = """
    var g: int;
    procedure main() modifies g; {
      var i: int;
      i := 0;
      while (i < 3) { g := g + 1; assert g <= old(g) + 3; i := i + 1; }
      assert g == old(g) + LAST;
    }
    """
    assert search(read(text.replace("LAST", "3")), "main", static=static).verdict is Verdict.HOLDS
    found = search(read(text.replace("LAST", "2")), "main", static=static)
    assert found.confirmation is not None
    assert found.confirmation.confirmed
    assert found.failed is not None
    assert found.failed.where.line == 7


@BOTH
def test_variables_that_only_an_invariant_reads(static: bool) -> None:
    text = """
    procedure main(n: int) {
      var i: int;
      var limit: int;
      limit := n;
      havoc limit;
      assume limit == 2;
      i := 0;
      while (i < 5) invariant i < limit; { i := i + 1; }
    }
    """
    found = search(read(text), "main", static=static)
    assert found.confirmation is not None
    assert found.confirmation.confirmed
    assert found.failed is not None
    assert found.failed.where.line == 9


@BOTH
@pytest.mark.parametrize(
    "text",
    [
        "procedure main(b_done: bool) { goto done; done: assert b_done; }",
        """
        var n#1: int;
        procedure main() { var r: int; call r := q(); assert r == n#1; }
        procedure q() returns (r: int) { var n: int; r := n; }
        """,
    ],
)
def test_names_of_a_program_are_no_names_of_the_encoding(static: bool, text: str) -> None:
    found = search(read(text), "main", static=static)
    assert found.confirmation is not None
    assert found.confirmation.confirmed


@BOTH
def test_division_is_confirmed(static: bool) -> None:
    text = """
    procedure divide(a: int, b: int) returns (q: int) { q := a div b; }
    procedure main(a: int) { var q: int; call q := divide(a, 7); assert q != 3; }
    """
    found = search(read(text), "main", static=static)
    assert found.execution is not None
    (a,) = found.execution.inputs.values()
    assert a // 7 == 3
    assert found.confirmation is not None
    assert found.confirmation.confirmed


def test_a_counter_of_two_loops() -> None:
    text = """
    procedure main() {
      var i: int; var s: int;
      s := 0;
      i := 0; while (i < 10) { i := i + 1; }
      i := 0; while (i < 12) { s := s + 1; i := i + 1; }
      assert s == 12;
    }
    """
    program = read(text)
    assert sorted(counts(program).values()) == [10, 12]
    assert search(program, "main", 2).verdict is Verdict.HOLDS


def test_candidates_among_the_invariants_are_no_assertions() -> None:
    text = """
    const {:existential true} b: bool;
    procedure main(n: int) {
      var i: int;
      i := 0;
      while (i < n) invariant b ==> i < n; { i := i + 1; }
      assert i >= 0;
    }
    """
    program = read(text)
    assert search(program, "main", guards=[Bool("b")]).verdict is Verdict.HOLDS
    assert search(program, "main").verdict is Verdict.VIOLATED


def test_a_model_that_is_no_table_is_no_crash() -> None:
    text = """
    function base(p: int) returns (int);
    var next: int;
    procedure alloc(n: int) returns (p: int) modifies next; {
      p := next;
      assume (forall q: int :: {base(q)} p <= q && q < p + n ==> base(q) == p);
      next := next + n + 1;
    }
    procedure main() modifies next; {
      var p, q: int;
      next := 4096;
      call p := alloc(2); call q := alloc(2);
      assert base(q) == base(p);
    }
    """
    assert search(read(text), "main").verdict in (Verdict.VIOLATED, Verdict.UNKNOWN)


# --- bounds ------------------------------------------------------------------------------------

# The bound is how many instances of a procedure, or of a loop, are inside of each other.
COUNTED = {
    "after a loop": ("while (i < n) { i := i + 1; } assert i != 3;", 4),
    "in an iteration that does not end": ("while (i < n) { i := i + 1; assert i != 3; }", 3),
    "in one block": ("h: i := i + 1; assert i != 3; goto h, e; e: return;", 3),
    "recursion": ("call again(n, 0);", 4),
}
AGAIN = """
procedure again(n: int, depth: int) {
  assert depth != 3;
  if (n > 0) { call again(n - 1, depth + 1); }
}
"""


@pytest.mark.parametrize(("statements", "needed"), COUNTED.values(), ids=COUNTED)
@pytest.mark.parametrize("static", [False, True])
def test_bounds_are_exact(statements: str, needed: int, static: bool) -> None:
    text = f"procedure main(n: int) {{ var i: int; i := 0; {statements} }} {AGAIN}"
    for bound in range(1, 6):
        found = search(read(text), "main", bound, static=static)
        expected = Verdict.VIOLATED if bound >= needed else Verdict.BOUNDED
        assert found.verdict is expected, bound


def test_time_that_is_over_before_an_execution_is_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The answer is that nothing is known, and no error about a limit of no seconds."""
    text = """
    var g: int;
    var h: int;
    procedure main() modifies g, h; { h := 1; g := h; assert g == 1; }
    """
    monkeypatch.setattr(Deadline, "left", lambda self: 0.0)
    monkeypatch.setattr(StratifiedInlining, "check", _without_limit)
    found = search(read(text), "main", timeout=60)
    assert found.verdict is Verdict.UNKNOWN
    assert found.inlining.reason == "time limit"


def _without_limit(self: StratifiedInlining, assumptions: list[Any]) -> Status:
    return self.solver.check(*assumptions)
