"""Each option of Boogie and Corral is done, left out with a note, or refused; none silently."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from solvent.cli import main
from solvent.cli.boogie_options import BOOGIE
from solvent.cli.reach import CORRAL
from solvent.cli.slashed import Slashed
from tests.patience import FOREVER

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command on a text: the exit code, the last line without its frame, the messages."""

    def run(text: str, *options: str, command: str = "boogie verify") -> tuple[int, str, str]:
        path = tmp_path / "t.bpl"
        path.write_text(text, encoding="utf-8")
        code = main([*command.split(), str(path), *options, f"--timeout={FOREVER}"])
        out, err = capsys.readouterr()
        last = out.splitlines()[-1] if out else ""
        return code, last.removeprefix("Boogie program verifier finished with "), err

    return run


TRIVIAL = "procedure {:entrypoint} main() { assert true; }"


@pytest.mark.parametrize(
    ("command", "table"), [("boogie verify", BOOGIE), ("reach", CORRAL)], ids=["verify", "reach"]
)
def test_what_is_left_out_is_told(command: str, table: Slashed, run: Run) -> None:
    options = [f"/{name}" for name in table.noted]
    code, _, err = run(TRIVIAL, *options, command=command)
    assert code == 0
    assert [line.split()[1] for line in err.splitlines()] == options


@pytest.mark.parametrize(
    "name", [*BOOGIE.refused, "infer:xyz", "subsumption:3", "recursionBound:3"]
)
def test_what_is_refused(name: str, run: Run) -> None:
    code, out, err = run(TRIVIAL, f"/{name}")
    assert (code, out) == (2, "")
    assert err.startswith(f"solvent: /{name.partition(':')[0]}")


@pytest.mark.parametrize("command", ["boogie verify", "reach"])
def test_the_base_library_is_refused_with_what_to_do_instead(command: str, run: Run) -> None:
    code, _, err = run(TRIVIAL, "/lib:base", command=command)
    assert code == 2
    assert "declare the types that are needed with functions and axioms" in err
    text = """
    function {:builtin "MapConst"} MapConst<T, U>(u: U): [T]U;
    function {:builtin "MapOr"} MapOr<T>(a: [T]bool, b: [T]bool): [T]bool;
    procedure {:entrypoint} main(a: [int]bool) { assert MapOr(a, MapConst(true))[3]; }
    """
    assert run(text, command=command)[0] == 0


def test_no_option_is_in_two_tables() -> None:
    for table in (BOOGIE, CORRAL):
        names = [*table.values, *table.switches, *table.always, *table.noted, *table.refused]
        assert len(names) == len(set(names))


LOOP = """
procedure p(n: int) {
  var i, j: int; var b: bool;
  i, j, b := 0, 5, true;
  while (i < 10) { i := i + 2; j := j - 1; if (n > 3) { b := true; } }
  assert i >= 10 && i <= 11 && j <= 5 && b;
}
"""


def test_intervals_are_inferred(run: Run) -> None:
    assert run(LOOP, "/infer:t")[:2] == (1, "0 verified, 1 error")
    assert run(LOOP, "/infer:j")[:2] == (0, "1 verified, 0 errors")
    assert run(LOOP.replace("<= 11", "<= 10"), "/infer:j")[:2] == (1, "0 verified, 1 error")


def test_what_is_asserted_is_assumed_or_not(run: Run) -> None:
    text = "procedure p(x: int) { assert x > 0; assert x > -1; }"
    assert run(text)[1] == "0 verified, 1 error"
    assert run(text, "/subsumption:0")[1] == "0 verified, 2 errors"


SEARCHED = """
var g: int;
procedure inc() { g := g + 1; }
procedure {:entrypoint} main() {
  g := 0;
  while (*) { call inc(); }
  assert g != 5;
}
"""
STRATIFIED = ("/stratifiedInline:1", "/extractLoops", "/doModSetAnalysis")


def test_entry_points_are_searched(run: Run) -> None:
    code, last, _ = run(SEARCHED, *STRATIFIED, "/recursionBound:4")
    assert (code, last) == (1, "0 verified, 1 error")
    code, last, _ = run(SEARCHED, *STRATIFIED, "/recursionBound:2")
    assert (code, last) == (3, "0 verified, 0 errors, 1 time out")
    assert "/extractLoops" in run(SEARCHED, STRATIFIED[0], STRATIFIED[2])[2]
    assert "{:entrypoint}" in run("procedure p() { }", *STRATIFIED)[2]
    assert "do not go together" in run(SEARCHED, *STRATIFIED, "/loopUnroll:3")[2]


CALLS = """
const {:existential true} b: bool;
procedure q(x: int) returns (y: int) { y := x + 1; }
procedure r(x: int) returns (y: int) { call y := q(x); }
procedure m(x: int) returns (z: int) ensures b ==> z > x; { call z := r(x); }
"""


@pytest.mark.parametrize(("depth", "found"), [(0, False), (1, False), (2, True)])
def test_contracts_are_inferred_with_calls_inlined(
    depth: int, found: bool, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "t.bpl"
    path.write_text(CALLS)
    assert main(["boogie", "verify", str(path), "/contractInfer", f"/inlineDepth:{depth}"]) == 0
    assert f"b = {found}" in capsys.readouterr().out


def test_a_trace_is_left_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "t.bpl"
    path.write_text("procedure p(x: int) { assert x > 0; }")
    assert main(["boogie", "verify", str(path), "/errorTrace:0"]) == 1
    first, *rest = capsys.readouterr().out.splitlines()
    assert "Error BP5001" in first
    assert rest == ["", "Boogie program verifier finished with 0 verified, 1 error"]


def test_free_invariants_are_assumed_where_others_are_checked(run: Run) -> None:
    text = """
    procedure p(n: int) {
      var i: int;
      i := 0;
      while (i < n) free invariant i < 7; invariant i < 8; { i := i + 2; }
    }
    """
    assert run(text)[1] == "0 verified, 1 error"
    assert run(text, "/alwaysAssumeFreeLoopInvariants")[1] == "1 verified, 0 errors"


# --- what Z3 is told ---------------------------------------------------------------------------

HARD = """function f(int): int;
axiom (forall x: int :: {f(x)} f(x) == f(x + 1) + 1);
procedure p(x: int) { assert f(x) == f(x + 1) + 1; }
procedure q(x: int) { assert f(x) == f(x + 2) + 3; }
"""


def test_steps_of_the_solver_are_limited(run: Run) -> None:
    assert run(HARD, "/rlimit:10000000", "/proc:p")[:2] == (0, "1 verified, 0 errors")
    for option in ("/rlimit:1", "/proverOpt:RESOURCE_LIMIT=1", "/proverOpt:O:rlimit=1"):
        code, last, _ = run(HARD, option, "/proc:q")
        assert (code, last) == (3, "0 verified, 0 errors, 1 time out"), option


def test_settings_of_the_solver(run: Run) -> None:
    settings = ("O:smt.random_seed=7", "O:smt.qi.eager_threshold=9.5", "O:smt.arith.nl=FALSE")
    options = [f"/proverOpt:{one}" for one in settings]
    assert run(HARD, *options, "/proc:p") == (0, "1 verified, 0 errors", "")
    code, _, err = run(
        HARD, "/proverOpt:PROVER_PATH=/usr/bin/z3", "/proverOpt:SOLVER=z3", "/proc:p"
    )
    assert (code, len(err.splitlines())) == (0, 2)
    for wrong in ("O:smt.none=3", "O:smt.random_seed=x", "O:smt.arith.nl=maybe"):
        code, _, err = run(HARD, f"/proverOpt:{wrong}")
        assert (code, "z3 has no parameter" in err) == (2, True), wrong
    for wrong in ("C:x", "SOLVER=yices", "O:x", "", "RESOURCE_LIMIT=x"):
        assert run(HARD, f"/proverOpt:{wrong}")[0] == 2, wrong
    assert run(TRIVIAL, "/rlimit:5", "/stratifiedInline:1")[0] == 2
    assert run(TRIVIAL, "/rlimit:5", "/contractInfer")[0] == 2
