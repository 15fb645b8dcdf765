"""Budgets, progress and Ctrl-C of the commands that search.

The inputs take much longer than any budget here, and budgets are longer on a busy machine, so that
what is covered in them is the same everywhere.
"""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from solvent.cli import main
from solvent.cli.progress import Work
from solvent.languages.benchmark import Benchmark, Outcome
from solvent.languages.measuring import Measured
from solvent.languages.tables import total
from tests.patience import FOREVER, patient

PYTHON = """
from solvent import choose

def easy(x: int):
    assert x * 2 == 84

def endless(n: int):
    total = 0
    for i in range(10**9):
        total = (total * 3 + n) % 1000003
    assert total == 7

def repeated(n: int):
    k = choose(0, 1)
    for i in range(10**9):
        n = (n * 3 + k) % 1000003
    assert n != 7

def branches(xs: list[bool]) -> int:
    found = 0
    for x in xs:
        if x:
            found += 1
    return found
"""

CUBES = "assume a > 2 && b > 2 && c > 2; assert a * a * a + b * b * b != c * c * c;"
BOOGIE = f"""procedure first(x: int) {{ assert x == x; }}
procedure {{:entrypoint}} second(a, b, c: int) {{ {CUBES} }}
"""

SCRIPT = """(declare-const a Int) (declare-const b Int) (declare-const c Int)
(check-sat)
(assert (and (> a 2) (> b 2) (> c 2) (= (+ (* a a a) (* b b b)) (* c c c))))
(check-sat)
(get-value (a))
"""

# The two prime factors of a number, wanted in the third step.
FACTORS = (10**18 + 3) * (10**18 + 9)
BTOR2 = f"""1 sort bitvec 1
2 sort bitvec 128
3 sort bitvec 62
4 zero 2
5 state 2 time
6 init 2 5 4
7 one 2
8 add 2 5 7
9 next 2 5 8
10 input 3 x
11 input 3 y
12 uext 2 10 66
13 uext 2 11 66
14 mul 2 12 13
15 constd 2 {FACTORS}
16 eq 1 14 15
17 constd 2 3
18 eq 1 5 17
19 and 1 16 18
20 bad 19 factored
"""

C = """uint64_t main() { uint64_t a; uint64_t b; uint64_t* x; x = malloc(8); read(0, x, 8); a = *x;
  b = 0; while (b < 100000) { a = a * a + 12345; b = b + 1; }
  if (a == 9876543210123) return 1; return 0; }
"""

FILES = {"p.py": PYTHON, "p.bpl": BOOGIE, "s.smt2": SCRIPT, "m.btor2": BTOR2, "c.c": C}

# Commands that take for ever, the module and the function that does the work, what is covered.
LONG = {
    "solve": ("solve p.py::endless", "solvent.solve", "endless: running it"),
    "script": ("solve s.smt2", "solvent.cli.solve.ScriptRunner", "1 of 2 checks decided"),
    "synthesize": ("synthesize p.py::repeated", "solvent.synthesize", "repeated: running it"),
    "debug": ("debug p.py::endless", "solvent.debug", "endless: running it"),
    "test": (
        "test p.py::branches --max-len 30 --paths 1000000 -o new.py",
        "solvent.cli.test.explore",
        " explored; ",
    ),
    "reach": ("reach p.bpl", "solvent.cli.reach.search", "no failing execution so far"),
    # In one process: what is interrupted here is no other one.
    "boogie": (
        "boogie verify p.bpl --jobs 1",
        "solvent.cli.boogie.verify",
        "1 of 2 procedures verified",
    ),
    "btor2": (
        "btor2 check m.btor2 --engine bmc",
        "solvent.cli.btor2.check",
        "no open property is violated before time 3",
    ),
    "validate": ("validate c.c -kmax 900000", "solvent.cli.validate.validate", "no error within "),
    "logic": ("logic p.bpl", "solvent.cli.logic.analyse", "vc: unknown"),
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", LONG)
def test_a_spent_budget(files: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """The answer is unknown, says what was covered and what to try."""
    command, _, covered = LONG[name]
    # What only runs a program covers nothing, however long it takes.
    budget = f"{0.5 if covered.endswith('running it') else patient(0.6):.1f}"
    code = main([*command.split(), "--budget", budget])
    captured = capsys.readouterr()
    said = captured.out.splitlines()[-1]
    # The exit codes of this command are not those of the others.
    assert code == (4 if name == "validate" else 3)
    assert f"the budget of {float(budget):g} s is spent; " in said
    # On a busy machine an engine may not have come so far.
    assert covered in said or "it was busy with this: " in said
    assert f", or --budget {2 * float(budget):g}" in said
    assert captured.err == ""


def test_json_of_a_spent_budget(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of work that was ended, and of an engine that stopped by itself."""
    assert main(["solve", "p.py::endless", "--budget", "0.5", "--json"]) == 3
    ended = json.loads(capsys.readouterr().out)
    assert ended["verdict"] == "unknown"
    assert ended["reason"].startswith("the budget of 0.5 s is spent; ")
    budget = str(patient(0.6))
    assert main(["boogie", "verify", "p.bpl", "--budget", budget, "--json"]) == 3
    stopped = json.loads(capsys.readouterr().out)
    assert stopped["verdict"] == "unknown"
    assert stopped["coverage"]["covered"] == "1 of 2 procedures verified"
    assert [row["verified"] for row in stopped["procedures"]] == [True, False]


def test_a_budget_that_is_enough(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The answer is the same, and errors are told as ever."""
    assert main(["solve", "p.py::easy", "--budget", str(FOREVER)]) == 0
    assert "call: easy(x=42)" in capsys.readouterr().out
    assert main(["solve", "p.py::nothing", "--budget", str(FOREVER), "--json"]) == 2
    captured = capsys.readouterr()
    assert "there is no function 'nothing'" in json.loads(captured.out)["error"]
    assert captured.err.startswith("solvent: p.py: there is no function")


def test_tests_are_printed_without_remarks(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is printed can be written to a file."""
    command = "test p.py::branches --max-len 30 --paths 1000000 --budget"
    assert main([*command.split(), str(patient(0.6))]) == 3
    captured = capsys.readouterr()
    compile(captured.out, "new.py", "exec")
    assert " s is spent; " in captured.err


def test_a_process_that_dies(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solvent.cli.reach.search", lambda *_, **__: os.kill(os.getpid(), 9))
    assert main(["reach", "p.bpl", "--budget", str(FOREVER)]) == 3
    assert "has no answer: it was ended by SIGKILL" in capsys.readouterr().err


@pytest.mark.parametrize("name", LONG)
def test_interrupted(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Ctrl-C in the middle of the work: one line, and the exit code of shells."""
    command, target, _ = LONG[name]

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(target, interrupt)
    assert main(command.split()) == 130
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.startswith("unknown: stopped by Ctrl-C; ")
    assert ("0 of 2 checks decided" in captured.out) == (name == "script")
    if name != "validate":
        assert main([*command.split(), "--json"]) == 130
        found = json.loads(capsys.readouterr().out)
        assert found["verdict"] == "unknown"
        assert found["reason"].startswith("stopped by Ctrl-C; ")


# --- on a terminal -----------------------------------------------------------------------------


class Terminal:
    """A command whose standard error is a terminal."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "solvent.cli", *arguments],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=slave,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        os.close(slave)
        self.shown = ""

    def read(self, enough: Callable[[str], bool] = lambda shown: False) -> None:
        """Read until there is enough, or all."""
        end = time.monotonic() + FOREVER
        while not enough(self.shown) and time.monotonic() < end:
            select.select([self._master], [], [], 1)
            try:
                self.shown += os.read(self._master, 1 << 16).decode()
            except OSError:
                # Nobody has the other end any more.
                return

    def output(self) -> str:
        """All that is on standard output."""
        return self.process.communicate(timeout=FOREVER)[0]


CHECK = ("btor2", "check", "m.btor2", "--engine", "bmc")


def test_progress_and_interrupt_on_a_terminal(files: Path) -> None:
    """One line shows how far the search is; it is gone after Ctrl-C, which tells what is known."""
    terminal = Terminal(files, *CHECK)
    terminal.read(lambda shown: "k = 3, 1 property open" in shown)
    terminal.process.send_signal(signal.SIGINT)
    terminal.read()
    output = terminal.output()
    assert terminal.process.returncode == 130
    assert terminal.shown.endswith("\r\x1b[2K")
    assert "\n" not in terminal.shown
    assert output.startswith("unknown: stopped by Ctrl-C; no open property is violated before time")


def test_quiet_on_a_terminal(files: Path) -> None:
    terminal = Terminal(files, *CHECK, "--quiet", "--budget", str(patient(0.6)))
    terminal.read()
    assert "before time 3" in terminal.output()
    assert (terminal.process.returncode, terminal.shown) == (3, "")


# --- the parts ---------------------------------------------------------------------------------


def test_a_total_of_benchmarks() -> None:
    def run(_: float) -> Outcome:
        raise NotImplementedError

    benchmark = Benchmark("ifcl", "B1", "5", run)
    rows = [Measured(benchmark, None, 2.0, "time limit", late=True)]
    assert total(rows) == (
        "measured in 2.0 s; 0.0 s of the processor in all, of them 0.0 s evaluation"
    )


def test_time_that_is_over_is_still_some_time() -> None:
    work = Work(1e-9)
    assert work.deadline.is_over
    assert 0 < (work.within(5) or 0) < 1
