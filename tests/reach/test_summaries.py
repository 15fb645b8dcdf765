"""Summaries: which candidates hold, and what they are good for in a search."""

from __future__ import annotations

import pytest

from solvent.reach import stratified
from solvent.reach.candidates import candidates
from solvent.reach.errors import ERROR, with_error_flag
from solvent.reach.loops import extract
from solvent.reach.program import POSTCONDITION, Program, old_value
from solvent.reach.search import search, with_bodies
from solvent.reach.summaries import Summaries, summarize
from solvent.terms import Bool, Int, not_
from solvent.verdicts import Deadline, Verdict
from tests.reach.programs import read


def summaries(text: str, guards: dict[object, bool] | None = None) -> dict[str, list[str]]:
    """All summaries of a program, as text."""
    source = with_bodies(read(text))
    program = with_error_flag(extract(source))
    wanted = candidates(source, program, list(program.procedures), guards or {})
    found: Summaries = summarize(program, wanted, not_(ERROR))
    return {name: [str(one) for one in known] for name, known in found.known.items()}


LOCKS = """
var lock: bool;
procedure acquire() modifies lock; { assert !lock; lock := true; }
procedure release() modifies lock; { assert lock; lock := false; }
procedure work(n: int) modifies lock; {
  call acquire();
  if (n > 0) { call release(); call work(n - 1); call acquire(); }
  call release();
}
procedure main(n: int) modifies lock; { assume !lock; call work(n); call work(n + 1); }
"""


def test_templates_for_locks() -> None:
    found = summaries(LOCKS)
    lock, old = Bool("lock"), old_value(Bool("lock"))
    assert str(lock) in found["acquire"]
    assert str(not_(lock)) in found["release"]
    # Recursive: taken and given back, and no failure from an open lock.
    assert str(not_(ERROR) | old) in found["work"]
    assert str(not_(lock) | old) in found["work"]
    assert not any(one == str(not_(ERROR)) for one in found["acquire"])


def test_summaries_prove_recursion_whatever_the_bound() -> None:
    program = read(LOCKS)
    assert search(program, "main", 2, summaries=False).verdict is Verdict.BOUNDED
    found = search(program, "main", 2)
    assert found.verdict is Verdict.HOLDS
    assert found.summaries.count > 0
    wrong = read(LOCKS.replace("call acquire(); }\n  call release", "}\n  call release"))
    bug = search(wrong, "main", 2)
    assert bug.verdict is Verdict.VIOLATED
    assert bug.confirmation is not None
    assert bug.confirmation.confirmed


def test_contracts_are_candidates() -> None:
    text = """
    procedure inc(n: int) returns (r: int)
      requires n > 5;
      ensures r == n + 1;
      ensures r == n + 2;
    { r := n + 1; }
    procedure main() { var r: int; call r := inc(7); assert r == 8; }
    """
    n, r = Int("n"), Int("r")
    found = summaries(text)["inc"]
    assert any(str(n) in one and str(r == n + 1) in one for one in found)
    assert not any(str(r == n + 2) in one for one in found)
    # Where executions are searched, the wrong one is a bug.
    wrong = search(read(text), "main")
    assert wrong.failed is not None
    assert (wrong.failed.message, wrong.failed.where.line) == (POSTCONDITION, 6)
    right = text.replace("ensures r == n + 2;", "")
    assert search(read(right), "main").verdict is Verdict.HOLDS
    assert search(read(right.replace("r == 8", "r == 9")), "main").verdict is Verdict.VIOLATED


LOOP = """
procedure main(n: int) {
  var i: int;
  var s: int;
  assume n >= 0;
  i := 0; s := 0;
  while (i < n) INVARIANT { i := i + 1; s := s + 3; }
  assert s == TOTAL;
}
"""


@pytest.mark.parametrize(
    ("invariant", "total", "verdict"),
    [
        ("", "3 * n", Verdict.BOUNDED),
        ("invariant s == 3 * i && i <= n;", "3 * n", Verdict.HOLDS),
        # An invariant that holds, but does not help.
        ("invariant s >= 0 && i >= 0;", "3 * n", Verdict.BOUNDED),
        # One that does not hold is a failing assertion.
        ("invariant s == 2 * i;", "3 * n", Verdict.VIOLATED),
        ("invariant s == 3 * i && i <= n;", "2 * n", Verdict.VIOLATED),
    ],
)
def test_invariants_of_the_file_are_used(invariant: str, total: str, verdict: Verdict) -> None:
    program = read(LOOP.replace("INVARIANT", invariant).replace("TOTAL", total))
    found = search(program, "main", 3)
    assert found.verdict is verdict
    if verdict is Verdict.VIOLATED:
        assert found.confirmation is not None
        assert found.confirmation.confirmed


def test_candidates_that_the_user_guards() -> None:
    text = """
    const {:existential true} a: bool;
    const {:existential true} b: bool;
    procedure p(n: int) returns (r: int) ensures a ==> r == n * n; ensures b ==> r > n;
    { if (n == 0) { r := 0; } else { call r := p(n - 1); r := r + 2 * n - 1; } }
    procedure main(n: int) { var r: int; call r := p(n); assert r == n * n; }
    """
    program = read(text)
    guards = [Bool("a"), Bool("b")]
    assert search(program, "main", 3, guards=guards).verdict is Verdict.HOLDS
    # Without the guards they are promises of the program, and one is not kept.
    assert search(program, "main", 3).verdict is Verdict.VIOLATED
    assert search(program, "main", 3, guards=guards, summaries=False).verdict is Verdict.BOUNDED


def test_nothing_is_learnt_after_the_deadline() -> None:
    program = with_error_flag(read(LOCKS))
    wanted = candidates(read(LOCKS), program, list(program.procedures), {})
    assert summarize(program, wanted, not_(ERROR), deadline=Deadline(0)).known == {}


def test_mutual_recursion_drops_candidates_together() -> None:
    text = """
    var g: int;
    procedure even(n: int) modifies g; { if (n > 0) { call odd(n - 1); } }
    procedure odd(n: int) modifies g; { if (n > 0) { g := g + 1; call even(n - 1); } }
    """
    g = Int("g")
    for known in summaries(text).values():
        assert str(old_value(g) <= g) in known
        assert not any(one in known for one in (str(g <= old_value(g)), str(g == old_value(g))))


def test_summaries_help_to_find_a_bug_in_a_large_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """With them, procedures without the bug are not inlined."""
    levels = "".join(
        f"procedure p{k}(n: int) modifies lock; {{ call p{k + 1}(n); call p{k + 1}(n + 1); }}\n"
        for k in range(6)
    )
    text = (
        "var lock: bool;\n"
        "procedure acquire() modifies lock; { assert !lock; lock := true; }\n"
        "procedure release() modifies lock; { assert lock; lock := false; }\n"
        "procedure p6(n: int) modifies lock; { call acquire(); call release(); }\n"
        f"{levels}"
        "procedure main(n: int) modifies lock;\n"
        "{ assume !lock; call p0(n); call acquire(); call p6(n); }\n"
    )
    program: Program = read(text)
    monkeypatch.setattr(stratified, "PATIENCE", (0, 500))
    helped = search(program, "main")
    plain = search(program, "main", summaries=False)
    assert helped.verdict is plain.verdict is Verdict.VIOLATED
    # The execution goes through all calls of the tree, so both inline them all in the end; but
    # without summaries there are false traces as well.
    assert helped.inlining.statistics.over_queries <= plain.inlining.statistics.over_queries
    safe = search(read(text.replace("call acquire(); call p6(n); }\n", "}\n")), "main")
    assert safe.verdict is Verdict.HOLDS
    assert safe.inlining.statistics.inlined < 10
