"""`solvent boogie verify` and `solvent reach`: reports, traces, exit codes, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solvent.cli import main

GOOD = "procedure p(x: int) returns (y: int) ensures y > x; { y := x + 1; }"
BAD = """procedure p(x: int) returns (y: int)
  requires x > 0;
  ensures y > x;
{
  if (x > 5) { y := x; } else { y := x + 1; }
}
"""
LOOP = """var g: int;
procedure inc(n: int) modifies g; { g := g + n; }
procedure {:entrypoint} start(n: int) modifies g;
{
  var i: int;
  g := 0;
  i := 0;
  while (i < n) { call inc(2); i := i + 1; }
  assert g != 6;
}
"""
GUARDS = """const {:existential true} b1: bool;
const {:existential true} b2: bool;
procedure loop(n: int) requires n >= 0; {
  var i: int;
  i := 0;
  while (i < n) invariant b1 ==> i <= n; invariant b2 ==> i < n; { i := i + 1; }
  assert i == n;
}
"""


@pytest.fixture
def write(tmp_path: Path) -> object:
    def write(text: str) -> str:
        path = tmp_path / "t.bpl"
        path.write_text(text)
        return str(path)

    return write


Write = object


def test_verified(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boogie", "verify", write(GOOD)]) == 0  # type: ignore[operator]
    assert capsys.readouterr().out.endswith(
        "Boogie program verifier finished with 1 verified, 0 errors\n"
    )


def test_an_error(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(BAD)  # type: ignore[operator]
    assert main(["boogie", "verify", path]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        f"{path}(6,1): Error BP5003: A postcondition might not hold on this return path."
    )
    assert lines[1] == (
        f"{path}(3,3): Related location: This is the postcondition that might not hold."
    )
    assert lines[2] == "Execution trace:"
    assert lines[-1] == "Boogie program verifier finished with 0 verified, 1 error"


def test_json(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boogie", "verify", write(BAD), "--json"]) == 1  # type: ignore[operator]
    data = json.loads(capsys.readouterr().out)
    (error,) = data["procedures"][0]["errors"]
    assert int(error["inputs"]["x"]) > 5


def test_houdini(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boogie", "verify", write(GUARDS), "/contractInfer"]) == 0  # type: ignore[operator]
    out = capsys.readouterr().out
    assert "Assignment computed by Houdini:\nb1 = True\nb2 = False\n" in out


def test_options_of_boogie(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(BAD + GOOD.replace("p(", "q("))  # type: ignore[operator]
    assert main(["boogie", "verify", path, "/proc:q", "/errorLimit:2", "/loopUnroll:3"]) == 0
    assert main(["boogie", "verify", path, "/proc:r"]) == 2
    assert "there is no procedure 'r' with a body; there are: p, q" in capsys.readouterr().err
    assert main(["boogie", "verify", path, "/errorLimit:x"]) == 2
    assert "/errorLimit:x: a number from 0 to 999,999,999 is needed" in capsys.readouterr().err
    assert main(["boogie", "verify", "/proc:p"]) == 2


def test_reach(write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(LOOP)  # type: ignore[operator]
    trace = tmp_path / "trace.txt"
    assert main(["reach", path, "--trace", str(trace)]) == 1
    out = capsys.readouterr().out
    assert "start(n = 3)\n" in out
    assert out.count("  inc(n = 2)\n") == 3
    assert f"{path}(9,3): This assertion might not hold.\n" in out
    assert "confirmed by running the program" in out
    assert trace.read_text().count("inc(n = 2)") == 3
    # Nothing of the encoding is seen.
    assert "error flag" not in out
    assert "$" not in out


def test_reach_within_a_bound(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(LOOP)  # type: ignore[operator]
    assert main(["reach", path, "--recursion-bound", "3"]) == 3
    assert "no bug within the recursion bound" in capsys.readouterr().out
    assert main(["reach", path, "--recursion-bound", "3", "--static", "--json"]) == 3
    data = json.loads(capsys.readouterr().out)
    assert data["verdict"] == "holds up to the bound"
    assert data["bound_reached_by"]


def test_reach_without_a_bug(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("procedure main(x: int) { assert x == x; }")  # type: ignore[operator]
    assert main(["reach", path]) == 0
    assert "no bug: no assertion can fail from main" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("procedure p( {", "Error:"),
        ("procedure p() { x := 1; }", "Error: undeclared identifier: x"),
        ("procedure p() { } procedure q() { }", "no procedure has {:entrypoint}"),
    ],
)
def test_bad_input(
    write: Write, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(text)  # type: ignore[operator]
    assert main(["reach", path]) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert "Traceback" not in err
    assert out == ""


def test_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boogie", "verify", "nowhere.bpl"]) == 2
    assert "nowhere.bpl" in capsys.readouterr().err


CORPUS = Path(__file__).parents[1] / "boogie" / "corpus"


@pytest.mark.parametrize(
    ("name", "procedures"),
    [
        ("algorithms/binary_search", 2),
        ("numbers/bitvectors", 2),
        ("algorithms/bubble_sort", 2),
        ("translated/object_heap", 1),
        ("recursion/recursion", 3),
        ("language/separate_bodies", 2),
        ("structures/sequences", 2),
    ],
)
def test_programs_that_are_correct(
    name: str, procedures: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["boogie", "verify", str(CORPUS / f"{name}.bpl")]) == 0
    last = f"Boogie program verifier finished with {procedures} verified, 0 errors\n"
    assert capsys.readouterr().out.endswith(last)


def test_floats(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    text = """function {:builtin "fp.add"} add(rmode, float24e8, float24e8) returns (float24e8);
    procedure p() { assert add(RNE, 0x1.0e0f24e8, 0x1.8e0f24e8) == 0x2.8e0f24e8; }
    procedure q(x: float24e8) { assert add(RTZ, x, 0x0.0e0f24e8) == x; }
    """
    assert main(["boogie", "verify", write(text)]) == 1  # type: ignore[operator]
    out = capsys.readouterr().out
    assert "finished with 1 verified, 1 error\n" in out
    assert "(3,33): Error BP5001" in out


def test_modifies_clauses_are_inferred(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """By a search always, as Corral does; by the verifier if that is asked for, as Boogie does."""
    path = write(
        "var g: int; procedure inc() ensures g == old(g) + 1; { g := g + 1; }"
        "procedure {:entrypoint} main() { g := 0; call inc(); assert g == 1; }"
    )
    assert main(["reach", path]) == 0
    assert main(["boogie", "verify", path]) == 2
    assert "modifies clause: g" in capsys.readouterr().err
    assert main(["boogie", "verify", path, "/inferModifies"]) == 0
    assert main(["boogie", "verify", path, "--infer-modifies"]) == 0
