"""The commands about functions of Python files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from solvent.cli import main
from tests.patience import FOREVER

PROGRAM = '''
"""Functions to check."""


def average(xs: list[int]) -> int:
    total = 0
    for x in xs:
        total += x
    return total // len(xs)


def swap_sum(a: int, b: int) -> int:
    assert a + b == b + a
    return a + b


def count(n: int) -> None:
    i = 0
    while i != n:
        i += 1


def root(x: int) -> int:
    assert x * x == 49
    assert x < 0
    return x


def impossible(x: int) -> None:
    assert x * x == 3


def untyped(x):
    assert x != 7
'''


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in the working directory."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return path


def run(*arguments: str) -> int:
    return main(list(arguments))


def test_a_finding(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", "program.py::average") == 1
    out = capsys.readouterr().out
    assert out.startswith(
        "program.py:9: ZeroDivisionError: integer division or modulo by zero when calling "
        "average(xs=[])\n"
    )
    assert "confirmed: CPython raised ZeroDivisionError" in out


def test_a_proof(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", "program.py::swap_sum") == 0
    assert "swap_sum: verified, no inputs fail" in capsys.readouterr().out


def test_unknown(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", "program.py::count", "--bound", "3") == 3
    assert "the bound of 3 is too small" in capsys.readouterr().out
    assert run("verify", "program.py::count", "--budget", "2") == 3
    out = capsys.readouterr().out
    assert "count: unknown" in out
    assert "the budget of 2 s is spent" in out
    assert "covered: " in out
    assert "--budget 4" in out


def test_the_whole_file(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", "program.py", "--bound", "2", "--json") == 1
    result = json.loads(capsys.readouterr().out)
    statuses = {row["function"]: row["status"] for row in result["results"]}
    assert statuses == {
        "average": "sat",
        "swap_sum": "unsat",
        "count": "unknown",
        "root": "sat",
        "impossible": "sat",
    }


def test_json(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", "program.py::average", "--json") == 1
    (row,) = json.loads(capsys.readouterr().out)["results"]
    assert row["inputs"] == {"xs": "[]"}
    assert row["confirmed"] is True
    assert row["failure"] == {
        "position": "program.py:9",
        "exception": "ZeroDivisionError",
        "message": "integer division or modulo by zero",
    }
    assert run("solve", "program.py::root", "--json") == 0
    assert json.loads(capsys.readouterr().out)["inputs"] == {"x": "-7"}


def test_solve(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("solve", "program.py::root") == 0
    assert "call: root(x=-7)" in capsys.readouterr().out
    assert run("solve", "program.py::impossible") == 1
    assert "no inputs succeed" in capsys.readouterr().out


def test_inputs(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", "program.py::untyped", "--input", "x=integers(0, 6)") == 0
    assert run("verify", "program.py::untyped", "--input", "x=int") == 1
    given = "xs=lists(Int, min_len=1, max_len=2)"
    assert run("verify", "program.py::average", "--input", given) == 0
    assert run("solve", "program.py::average", "--max-len", "0") == 1
    capsys.readouterr()


SHARING = """
def extend(xs: list[int], ys: list[int]) -> None:
    before = len(ys)
    xs.append(0)
    assert len(ys) == before
"""


def test_inputs_that_are_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sharing.py"
    path.write_text(SHARING)
    assert run("verify", f"{path}::extend") == 0
    assert "the same object twice: not tried" in capsys.readouterr().out
    assert run("verify", f"{path}::extend", "--alias") == 1
    assert "call: extend(xs=(shared := []), ys=shared)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "missing.py::f"], "missing.py: there is no such file"),
        (["verify", "program.py::nope"], "there is no function 'nope'; it has: average, swap_sum"),
        (["verify", "program.py::untyped"], "the parameter `x` has no value and no annotation"),
        (["solve", "program.py"], "name a function: program.py::NAME"),
        (["verify", "syntax.py"], "syntax.py:2: "),
        (["verify", "raising.py"], "raising.py:3: KeyError: 'x'"),
        (["verify", "leaving.py"], "the file ends the program when it is imported"),
        (["verify", "empty.py"], "no function has annotated parameters"),
        (["solve", ".::f"], "this is a directory"),
        (["verify", "nowhere"], "nowhere: there is no such file, folder or module"),
        (["verify", "program.py::PI"], "'PI' is not a function"),
        (["verify", "program.py::root", "--input", "x"], "write it as name=expression"),
        (["verify", "program.py::root", "--input", "x=1 +"], "SyntaxError"),
        (["verify", "program.py::root", "--input", "y=1"], "unexpected keyword argument 'y'"),
        (["verify", "program.py::root", "--solver", "minisat"], "there is no solver 'minisat'"),
    ],
)
def test_bad_input(
    arguments: list[str], message: str, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text(PROGRAM + "\nPI = 3\n")
    Path("syntax.py").write_text("x = 1\ndef f(:\n")
    Path("raising.py").write_text("def f():\n    pass\n{}['x']\n")
    Path("leaving.py").write_text("raise SystemExit\n")
    Path("empty.py").write_text("")
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("solvent: ")
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_a_fresh_process(program: Path) -> None:
    command = [sys.executable, "-m", "solvent.cli", "verify", "program.py::average"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=FOREVER, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert "when calling average(xs=[])" in done.stdout


SKETCH = """
from solvent import Int
from solvent.sketch import choose, hole


def program(x: int) -> int:
    y = x * hole(Int)  # a comment that stays
    return choose(y - x, y + hole(Int))


def correct(x: int) -> None:
    assert program(x) == 3 * x + 7


def hopeless(x: int) -> None:
    assert program(x) == x * x
"""


def test_synthesize(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text(SKETCH)
    assert run("synthesize", "program.py::correct") == 0
    out = capsys.readouterr().out
    assert "confirmed" in out
    assert "    y = x * 3  # a comment that stays\n    return y + 7\n" in out
    assert run("synthesize", "program.py::correct", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result["completed"]) == ["program"]
    namespace: dict[str, object] = {}
    exec(result["completed"]["program"], namespace)
    assert namespace["program"](5) == 22  # type: ignore[operator]


def test_synthesize_without_an_answer(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text(SKETCH)
    assert run("synthesize", "program.py::hopeless") == 1
    assert "confirmed" not in capsys.readouterr().out


def test_debug(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text(
        "def largest(a: int, b: int) -> int:\n"
        "    result = a if a < b else b\n"
        "    assert result >= a\n"
        "    assert result >= b\n"
        "    return result\n"
    )
    assert run("debug", "program.py::largest", "--html", "page.html") == 0
    out = capsys.readouterr().out
    assert "a if a < b else b" in out
    assert "^" in out
    page = Path("page.html").read_text()
    assert "a &lt; b" in page
    assert run("debug", "program.py::largest", "--json", "--cores", "2") == 0
    data = json.loads(capsys.readouterr().out)
    assert [core["text"] for core in data["cores"][0]] != []
    assert run("debug", "program.py::largest", "--html", "no/such/folder/page.html") == 2
    assert "no/such/folder" in capsys.readouterr().err


def test_what_the_program_prints_is_no_answer(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text("print('loading')\ndef f(x: int):\n    print('x')\n    assert x != 2\n")
    assert run("verify", "program.py::f", "--json") == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out)["results"][0]["inputs"] == {"x": "2"}
    assert "loading" in captured.err


OPTIMIZE = """\
def load(first: bool, second: bool, third: bool) -> int:
    weight = 7 * first + 4 * second + 6 * third
    assert weight <= 11
    return 9 * first + 3 * second + 8 * third


def pair(x: int, y: int) -> tuple[int, int]:
    assert 0 <= x <= 3 and 0 <= y <= 3 and x + y <= 5
    return x, y


def total(found: tuple[int, int]) -> int:
    return found[0] + found[1]


def first(found: tuple[int, int]) -> int:
    return found[0]


def never(x: int) -> int:
    assert x != x
    return x
"""


def test_optimize(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text(OPTIMIZE)
    assert run("optimize", "program.py::load", "--maximize") == 0
    assert "load: best 12" in capsys.readouterr().out
    objectives = ("--objective", "total", "--objective", "first")
    assert run("optimize", "program.py::pair", "--maximize", *objectives, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["objectives"], found["call"]) == (["5", "3"], "pair(x=3, y=2)")
    assert found["confirmed"] is True
    assert run("optimize", "program.py::pair", "--minimize", *objectives, "--json") == 0
    assert json.loads(capsys.readouterr().out)["objectives"] == ["0", "0"]
    assert run("optimize", "program.py::never", "--minimize") == 1
    assert run("optimize", "program.py::load", "--minimize", "--objective", "nothing") == 2
    assert "--objective nothing" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        run("optimize", "program.py::load")
