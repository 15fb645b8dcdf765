"""`solvent boogie verify` as users meet it: Boogie's options and messages, and hostile input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from solvent.cli import main
from tests.patience import FOREVER, patient

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file, and tell its name."""

    def write(text: str | bytes, name: str = "t.bpl") -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


class Run:
    """What a command line came to."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.code = main(["boogie", "verify", f"--timeout={FOREVER}", *arguments])
        self.out, self.err = capsys.readouterr()
        assert "Traceback" not in self.err

    @property
    def last(self) -> str:
        """The last line, after what Boogie always says."""
        return self.out.splitlines()[-1].removeprefix("Boogie program verifier finished with ")


# --- messages ------------------------------------------------------------------------------------

PLACES = """var g: int;
procedure p(x: int)
  requires x > 0;
  modifies g;
  ensures g > 0;
{
  g := 1;
  if (x > 5) {
    g := 0;
    return;
  } else if (x > 4) {
  }
  while (g < 9)
    invariant g < 3;
  {
    g := g + 1;
  }
  here:
  assert g > 9;
}
procedure q() modifies g; { call p(0); }
"""


def test_places_are_those_of_boogie(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """Columns count from one; an assignment is where `:=` is, the end of a body at its brace."""
    path = write(PLACES)
    found = Run(capsys, path)
    assert found.code == 1
    lines = [line.replace(path, "") for line in found.out.splitlines()]
    errors = {
        "(10,5): Error BP5003: A postcondition might not hold on this return path.": [
            "(5,3): Related location: This is the postcondition that might not hold.",
            "Execution trace:",
            "    (7,5): anon0",
            "    (9,7): anon2_Then",
        ],
        "(14,5): Error BP5005: This loop invariant might not be maintained by the loop.": [
            "(13,3): Related location: This is the loop.",
            "Execution trace:",
            "    (7,5): anon0",
        ],
        "(21,29): Error BP5002: A precondition for this call might not hold.": [
            "(3,3): Related location: This is the precondition that might not hold.",
            "Execution trace:",
            "    (21,29): anon0",
        ],
    }
    for first, rest in errors.items():
        at = lines.index(first)
        assert lines[at + 1 : at + 1 + len(rest)] == rest
    assert "    (13,3): anon5_LoopHead" in lines
    assert "    (16,7): anon5_LoopBody" in lines
    assert found.last == "0 verified, 3 errors"


def test_the_end_of_a_body(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("procedure p() returns (x: int)\n  ensures x > 0;\n{\n}\n")
    assert Run(capsys, path).out.splitlines()[0].startswith(f"{path}(4,1): Error BP5003")


def test_json_has_the_same_places(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(PLACES)
    data = json.loads(Run(capsys, path, "--json").out)
    places = [error["position"] for one in data["procedures"] for error in one["errors"]]
    assert sorted(places) == [f"{path}(10,5)", f"{path}(14,5)", f"{path}(21,29)"]


# --- options -------------------------------------------------------------------------------------

MANY = "procedure p(x: int) {" + "".join(f" assert x != {k};" for k in range(9)) + " }"


def test_error_limit(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(MANY)
    assert Run(capsys, path).last == "0 verified, 5 errors"
    assert Run(capsys, path, "/errorLimit:1").last == "0 verified, 1 error"
    assert Run(capsys, path, "/errorLimit:0").last == "0 verified, 9 errors"
    assert Run(capsys, path, "--error-limit", "7").last == "0 verified, 7 errors"


def test_procedures_by_name(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["first", "second", "third.1", "third.2"]
    path = write("".join(f"procedure {name}() {{ }}" for name in names))
    assert Run(capsys, path, "/proc:first").last == "1 verified, 0 errors"
    assert Run(capsys, path, "/proc:first", "/proc:second").last == "2 verified, 0 errors"
    assert Run(capsys, path, "/proc:third.*").last == "2 verified, 0 errors"
    assert Run(capsys, path, "/proc:*ir*").last == "3 verified, 0 errors"
    assert Run(capsys, path, "--proc", "*").last == "4 verified, 0 errors"
    # A point is no pattern.
    assert Run(capsys, path, "/proc:third?1").code == 2


LOOP = "procedure p() { var i: int; i := 0; while (i < 9) { i := i + 1; assert i != 3; } }"


@pytest.mark.parametrize(("times", "code"), [("0", 0), ("2", 0), ("3", 1)])
def test_unrolling(times: str, code: int, write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys, write(LOOP), f"/loopUnroll:{times}").code == code
    assert Run(capsys, write(LOOP), "--loop-unroll", times).code == code


def test_unrolling_of_nested_loops(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    text = """procedure p() {
      var i, j, n: int;
      i := 0; n := 0;
      while (i < 2) {
        j := 0;
        while (j < 2) { j := j + 1; n := n + 1; }
        i := i + 1;
      }
      assert n == 4;
      assert n == 5;
    }"""
    path = write(text)
    found = Run(capsys, path, "/loopUnroll:2")
    assert f"{path}(10,7): Error" in found.out
    assert found.last == "0 verified, 1 error"
    found = Run(capsys, path, "/loopUnroll:1")
    assert found.last == "1 verified, 0 errors"
    assert "p: executions with more than 1 iteration of a loop were left out" in found.out


INLINED = """procedure main(n: int) requires n <= 5; {
  var s: int;
  call s := down(n);
  assert s <= 0;
}
procedure {:inline 2} down(n: int) returns (s: int) {
  s := n;
  if (n > 0) { call s := down(n - 1); }
}
"""


@pytest.mark.parametrize(
    ("how", "last", "line"),
    [
        ("assume", "1 verified, 0 errors", 0),
        ("assert", "0 verified, 1 error", 8),
        ("spec", "1 verified, 1 error", 4),
        ("none", "1 verified, 1 error", 4),
    ],
)
def test_inlining(
    how: str, last: str, line: int, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """With assume and assert the inlined procedures are not verified by themselves."""
    path = write(INLINED)
    for option in ([f"/inline:{how}"], ["--inline", how]):
        found = Run(capsys, path, *option)
        assert found.last == last
        assert bool(line) is (f"{path}({line}," in found.out)
        assert ("left out" in found.out) is (how == "assume")


def test_inlining_by_default(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(INLINED)
    found = Run(capsys, path)
    assert found.last == "1 verified, 0 errors"
    assert "main: calls of down deeper than {:inline} says were left out\n" in found.out
    assert json.loads(Run(capsys, path, "--json").out)["left_out"] == {"main": ["down"]}
    # Who asks for a procedure gets it.
    assert Run(capsys, path, "/proc:down").last == "1 verified, 0 errors"


def test_traces_of_inlined_calls(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(INLINED)
    out = Run(capsys, path, "/inline:assert").out
    assert f"    {path}(6,23): inline$down$0$Entry\n" in out
    assert f"    {path}(7,5): inline$down$0$anon0\n" in out
    assert f"    {path}(8,16): inline$down$1$anon2_Then\n" in out


def test_procedures_that_are_not_verified(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    text = "procedure {:verify false} p() { assert false; } procedure q() { call p(); }"
    path = write(text)
    assert Run(capsys, path).last == "1 verified, 0 errors"
    assert Run(capsys, path, "/proc:p").last == "0 verified, 1 error"


def test_time_limits(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    text = """procedure p(a, b, c: int) {
      assume a > 2 && b > 2 && c > 2;
      assert a * a * a + b * b * b != c * c * c;
    }"""
    for option in ("/timeLimit:1", "--timeout=1"):
        found = Run(capsys, write(text), option)
        assert found.code == 3
        assert found.last == "0 verified, 0 errors, 1 time out"
        assert found.out.startswith("p: no answer (")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("/proc:zz", "there is no procedure 'zz' with a body; there are: p"),
        ("/proc:", "/proc:: its value is missing; write it after a colon"),
        ("/loopUnroll:-1", "/loopUnroll:-1: a number from 0 to 999,999,999 is needed, not '-1'"),
        ("/loopUnroll", "/loopUnroll: its value is missing; write it after a colon"),
        ("/errorLimit:3.5", "/errorLimit:3.5: a number from 0 to 999,999,999 is needed, not '3.5'"),
        ("/errorLimit:9999999999", "a number from 0 to 999,999,999 is needed, not '9999999999'"),
        ("/timeLimit:0", "/timeLimit:0: a positive number is needed, not '0'"),
        (
            "/inline:deep",
            "/inline:deep: one of none, assume, assert, spec is needed, not 'deep'",
        ),
        (
            "/nothingOfThisKind:4",
            "/nothingOfThisKind:4: there is no such file or option; options are /proc, "
            "/loopUnroll, /inline, /errorLimit, /timeLimit, /subsumption, /infer, "
            "/stratifiedInline, /recursionBound, /inlineDepth, /errorTrace, /rlimit, /proverOpt, "
            "/contractInfer, /inferModifies, /doModSetAnalysis, /extractLoops, "
            "/deterministicExtractLoops, /alwaysAssumeFreeLoopInvariants",
        ),
    ],
)
def test_options_that_are_wrong(
    option: str, message: str, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    found = Run(capsys, write("procedure p() { }"), option)
    assert found.code == 2
    assert found.err.startswith("solvent: ")
    assert found.err.endswith(f"{message}\n")
    assert found.err.count("\n") == 1
    assert found.out == ""


@pytest.mark.parametrize("option", ["--nothing", "--loop-unroll=-1", "--inline=deep"])
def test_options_that_argparse_refuses(option: str, write: Write) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["boogie", "verify", write("procedure p() { }"), option])
    assert caught.value.code == 2


# --- files ---------------------------------------------------------------------------------------


def test_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys, "/proc:p").err == "solvent: there is no file to verify\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x7fELF\0\1", "Error: this is a binary file, not a Boogie program"),
        (b"// \xe9\xff", "Error: the file is not UTF-8 text (byte 3 is not)"),
        ("procedure p( {", "(1,14): Error: expected an identifier, but found '{'"),
        ("procedure p() { x := 1; }", "(1,17): Error: undeclared identifier: x"),
        (
            "procedure p(x: regex) { assert x == x; }",
            "(1,13): Error: values of the type regex cannot be reasoned about",
        ),
        (
            "procedure p(x: real) { assert 1e999999999 > x; }",
            "(1,31): Error: numbers with exponents over 10,000 cannot be reasoned about",
        ),
        (
            "procedure p(x: real) { assert x ** 0.5 > x; }",
            "(1,33): Error: only whole numbers up to 1000 that are known can be exponents",
        ),
    ],
)
def test_files_that_are_wrong(
    content: str | bytes, message: str, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(content)
    found = Run(capsys, path)
    assert found.code == 2
    first, second = found.err.splitlines()
    assert first.removeprefix(path).removeprefix(": ") == message
    assert second.startswith("1 ")
    assert second.endswith(f" error detected in {path}")
    assert found.out == ""


def test_files_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = str(tmp_path / "missing.bpl")
    found = Run(capsys, missing, str(tmp_path))
    assert found.code == 2
    assert found.err.splitlines()[:2] == [
        f"{missing}: Error: cannot read the file: No such file or directory",
        f"{tmp_path}: Error: cannot read the file: Is a directory",
    ]


def test_a_file_without_procedures(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("", "// nothing", "const c: int;", "procedure p();"):
        found = Run(capsys, write(text))
        assert (found.code, found.last) == (0, "0 verified, 0 errors")


def test_an_irreducible_procedure(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("procedure p() {\n  goto A, B;\nA: goto B;\nB: goto A;\n}")
    found = Run(capsys, path)
    assert (found.code, found.last) == (0, "1 verified, 0 errors")


def test_several_files(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    shared = write(
        "var g: int;\nprocedure inc() modifies g; ensures g == old(g) + 1; { g := g + 1; }", "a.bpl"
    )
    used = write("procedure main() modifies g; { g := 0; call inc(); assert g == 1; }", "b.bpl")
    assert Run(capsys, shared, used).last == "2 verified, 0 errors"
    assert Run(capsys, used, shared).last == "2 verified, 0 errors"
    assert Run(capsys, used).code == 2


def test_a_file_that_is_given_twice(
    write: Write, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = write("procedure p() { }")
    other = os.path.join(tmp_path, ".", "t.bpl")
    found = Run(capsys, path, other)
    assert (found.code, found.err) == (2, f"solvent: {other}: this file is given twice\n")


def test_declarations_in_several_files(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    one = write("type T;\nvar g: int;\nprocedure p();", "a.bpl")
    two = write("var g: bool;\nfunction p(): int;\ntype T;", "b.bpl")
    found = Run(capsys, one, two)
    assert found.code == 2
    assert found.err.splitlines() == [
        f"{two}(1,5): Error: more than one declaration of variable name: g",
        f"{two}(2,10): Error: more than one declaration of function/procedure name: p",
        f"{two}(3,6): Error: more than one declaration of type name: T",
        f"3 name resolution or type checking errors detected in {two}",
    ]


def test_external_declarations_may_be_repeated(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    one = write("var g: int; procedure p() modifies g; ensures g == 1; { g := 1; }", "a.bpl")
    external = (
        "var {:extern} g: int; procedure {:extern} p(); modifies g; type {:extern} T;"
        "procedure q() modifies g; { call p(); assert g == 1; }"
    )
    two = write(external, "b.bpl")
    assert Run(capsys, one, two).last == "2 verified, 0 errors"
    assert Run(capsys, two, one).last == "2 verified, 0 errors"
    assert Run(capsys, two).last == "0 verified, 1 error"


# --- size ----------------------------------------------------------------------------------------


def test_deep_expressions(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    depth = 300
    text = "procedure p(x: int) {" + "".join(
        f" assert {one};"
        for one in (
            "(" * depth + "x == x" + ")" * depth,
            "!" * depth + "(x == x)",
            "if x > 0 then (" * depth + "true" + ") else true" * depth,
            "(x - " * depth + "0" + ")" * depth + " == 0",
            "(forall y: int :: y == x ==> " * depth + "x == y" + ")" * depth,
        )
    )
    found = Run(capsys, write(text + " }"))
    assert found.last == "1 verified, 0 errors"


@pytest.mark.mass
def test_a_procedure_of_20_000_lines(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["procedure p(x: int) returns (y: int) {", "  y := x;"]
    for number in range(6_660):
        lines += [f"  y := y + {number % 7};", "  assume y < x + 100000;", f"L{number}:"]
    lines += ["  assert y >= x;", "  assert y == x;", "}"]
    path = write("\n".join(lines))
    found = Run(capsys, path)
    assert found.last == "0 verified, 1 error"
    assert f"{path}({len(lines) - 1},3): Error BP5001" in found.out


def test_interrupted(write: Write) -> None:
    """Ctrl-C ends a check that would take for ever, with one sentence."""
    text = """procedure p(a, b, c: int) {
      assume a > 2 && b > 2 && c > 2;
      assert a * a * a + b * b * b != c * c * c;
    }"""
    command = [sys.executable, "-m", "solvent.cli", "boogie", "verify", write(text)]
    process = subprocess.Popen(
        [*command, "/timeLimit:300"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    time.sleep(patient(2))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=FOREVER)
    assert (process.returncode, err) == (130, "")
    assert out.startswith("unknown: stopped by Ctrl-C; 0 of 1 procedures verified; ")


def test_what_an_assertion_says_of_itself(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write('procedure p(x: int) { assert {:msg "x is small"} x > 7; }')
    assert main(["boogie", "verify", path, "/nologo", "/trace"]) == 1
    assert "Error BP5001: x is small" in capsys.readouterr().out


def test_the_name_that_z3_has_for_a_function(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """
    function {:bvbuiltin "bv2int"} number(x: bv8) returns (int);
    procedure p(x: bv8) { assert number(x) >= 0 && number(x) < 256; assert number(5bv8) == 5; }
    """
    assert main(["boogie", "verify", write(text)]) == 0
    assert "1 verified, 0 errors" in capsys.readouterr().out


def test_parameters_of_types_that_nothing_names(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """
    type Pair _ _;
    function first<a, b>(p: Pair a b) returns (a);
    procedure p(x, y: Pair int bool) { assume x == y; assert first(x) == first(y); }
    """
    assert main(["boogie", "verify", write(text)]) == 0
    assert "1 verified, 0 errors" in capsys.readouterr().out


def test_a_link_to_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = tmp_path / "loop.bpl"
    link.symlink_to(link)
    found = Run(capsys, str(link))
    assert found.code == 2
    assert "cannot read the file: Too many levels of symbolic links" in found.err


def test_long_names_are_cut_in_reports(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    name = "n" * 1_000_000
    found = Run(capsys, write(f"procedure p({name}: int) {{ assert {name} > 0; }}"))
    assert found.code == 1
    assert len(found.out) < 10_000
    found = Run(capsys, write(f"procedure {name}() {{ }}"), "/proc:q")
    assert found.code == 2
    assert len(found.err) < 1_000
