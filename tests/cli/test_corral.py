"""`solvent reach` as users of Corral meet it: its options, entry points and recordings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solvent.cli import main
from solvent.cli.boogie import BOOGIE
from solvent.cli.reach import CORRAL

COUNTING = """var g: int;
var h: int;
procedure record_int(x: int);
procedure step(x: int) { g := g + x; call {:cexpr "balance"} record_int(g); }
procedure main();
implementation {:entrypoint} main() {
  var i, n: int;
  g, i := 0, 0;
  while (i < n) {
    assume {:print "round ", i, " has come"} true;
    call step(3);
    i := i + 1;
  }
  assert {:print "the end"} g != 6;
  assert g != 3;
  assert h == h;
}
procedure other() { assert g > 0; }
"""


class Run:
    """What a command line came to."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.code = main(["reach", *arguments])
        self.out, self.err = capsys.readouterr()


@pytest.fixture
def counting(tmp_path: Path) -> str:
    path = tmp_path / "t.bpl"
    path.write_text(COUNTING)
    return str(path)


def test_bounds(counting: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = Run(capsys, counting, "/recursionBound:1", "/nologo")
    assert (found.code, found.err) == (3, "")
    assert "(15,3): This assertion" in Run(capsys, counting, "/recursionBound:2", "/cex:9").out
    assert Run(capsys, counting, "/stackDepthBound:1").code == 3
    assert Run(capsys, counting, "/stackDepthBound:3").code == 1
    assert Run(capsys, counting, "/timeLimit:600", "/staticInlining").code == 1


def test_where_to_start(counting: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An implementation may have the attribute, too; the option counts more."""
    assert "main()" in Run(capsys, counting).out
    found = Run(capsys, counting, "/main:other")
    assert found.code == 1
    assert "other()" in found.out


def test_what_is_tracked(counting: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "tracked: g (1 of 2" in Run(capsys, counting).out
    assert "tracked: g, h (2 of 2" in Run(capsys, counting, "/track:h").out
    assert "tracked: g, h (2 of 2" in Run(capsys, counting, "/trackAllVars").out
    found = Run(capsys, counting, "/track:x")
    assert found.code == 2
    assert found.err == "solvent: there is no global variable 'x'; there are: g, h\n"


def test_several_counterexamples(counting: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is about another assertion, and they end where no other one fails."""
    found = Run(capsys, counting, "/cex:9", "--json")
    data = json.loads(found.out)
    assert found.code == 1
    lines = sorted(one["failed"].rpartition("(")[2] for one in (data, *data["more"][:-1]))
    assert lines == ["14,3)", "15,3)"]
    assert data["more"][0]["confirmed"]
    assert data["more"][-1]["failed"] is None
    # What is left holds by itself.
    assert data["more"][-1]["answer"] == "no bug"
    only = json.loads(Run(capsys, counting, "--json").out)
    assert only["more"] == []


def test_a_skipped_invariant_and_a_skipped_contract(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.bpl"
    path.write_text("""procedure p(n: int) returns (r: int) ensures r > n; { r := n; }
    procedure {:entrypoint} main(n: int) { var i, r: int;
      i := 0;
      while (*)
        invariant i < 1;
      { i := i + 1; }
      if (*) { call r := p(n); }
    }""")
    data = json.loads(Run(capsys, str(path), "/cex:5", "--json").out)
    failed = {one["failed"].rpartition("(")[2].partition(",")[0] for one in (data, data["more"][0])}
    assert failed == {"1", "5"}
    assert data["more"][1]["failed"] is None


def test_recordings(counting: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What a program prints is in the trace with the values that it had then."""
    out = Run(capsys, counting).out
    shown = [line.partition("): ")[2] for line in out.splitlines()]
    wanted = ["round 0", " has come", "balance = 3"]
    assert [text for text in shown if text in wanted][:3] == wanted
    assert "the end" in shown
    assert "recorded" not in out
    assert "said" not in out


@pytest.mark.parametrize("option", ["/noTrace", "/tryCTrace", "/useProverEvaluate"])
def test_what_is_left_out_is_told(
    option: str, counting: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = Run(capsys, counting, option)
    assert found.code == 1
    assert found.err.startswith(f"note: {option} is left out: ")


@pytest.mark.parametrize("option", ["/recursionBound", "/cex:0", "/x"])
def test_what_is_refused(option: str, counting: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = Run(capsys, counting, option)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(f"solvent: {option}: ")


@pytest.mark.parametrize("option", [*BOOGIE.refused, *BOOGIE.noted])
def test_options_of_boogie_are_refused_or_noted(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.bpl"
    path.write_text("procedure p() { }")
    # Of some options only a certain value is refused.
    given = f"/{option}" if ":" in option else f"/{option}:1"
    code = main(["boogie", "verify", str(path), given])
    assert code == (2 if option in BOOGIE.refused else 0)
    assert given in capsys.readouterr().err


def test_no_option_is_in_two_places() -> None:
    for table in (BOOGIE, CORRAL):
        names = [*table.values, *table.switches, *table.always, *table.noted, *table.refused]
        assert len(names) == len(set(names))


# --- threads -----------------------------------------------------------------------------------

THREADS = """var x: int;
procedure {:entrypoint} main() {
  x := 0;
  call {:async} add(2);
  x := x + 1;
  assert x == 1;
}
procedure add(n: int) { x := x + n; }
"""


@pytest.fixture
def threads(tmp_path: Path) -> str:
    path = tmp_path / "threads.bpl"
    path.write_text(THREADS)
    return str(path)


def test_threads(threads: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = Run(capsys, threads, "--contexts", "2")
    assert found.code == 1
    lines = [line.replace(threads, "t") for line in found.out.splitlines()]
    assert "    t(4,3): starts thread 2: add(n = 2)" in lines
    switches = [line for line in lines if line.startswith("context switch")]
    assert len(switches) == 2
    assert switches[1].startswith("context switch: thread 2 is over; x = ")
    assert "confirmed by running the threads in this order" in found.out
    assert Run(capsys, threads, "--contexts", "1").out.startswith("no bug within 1 context switch")
    assert Run(capsys, threads, "--contexts", "0").code == 3
    assert Run(capsys, threads, "/k:1").code == 1
    data = json.loads(Run(capsys, threads, "/k:2", "--json").out)
    assert (data["schedules"], data["failed"]) == ("2 rounds", f"{threads}(6,3)")


def test_threads_by_default(threads: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is searched is said, and a cooperative program has nothing to fear."""
    found = Run(capsys, threads)
    assert (found.code, "over 3 rounds" in found.err) == (1, True)
    assert Run(capsys, threads, "/cooperative", "--contexts", "3").code == 1


def test_switches_are_counted_in_one_way(threads: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = Run(capsys, threads, "/k:2", "--contexts", "2")
    assert (found.code, "give one of them" in found.err) == (2, True)
    assert Run(capsys, threads, "/k:0").code == 2


def test_without_threads(counting: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys, counting, "/k:2").err.startswith("note: the program has no threads")


def test_what_must_not_be_reached(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.bpl"
    path.write_text(
        "procedure corral_assert_not_reachable();\n"
        "procedure main(x: int) { if (x > 3) { call corral_assert_not_reachable(); } }\n"
    )
    found = Run(capsys, str(path))
    assert (found.code, "t.bpl(2,39): This assertion" in found.out) == (1, True)
