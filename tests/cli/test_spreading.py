"""`--jobs`, `--resume`, `--split` and `--memory`: the same answers, whoever finds them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from solvent.btor2 import parse
from solvent.cli import depths, main
from solvent.cli.depths import check_depths, perform
from solvent.units.unit import Reply, Unit
from solvent.verdicts import Verdict
from tests.patience import FOREVER
from tests.units.harness import eventually

PROGRAM = """
import os

def first(x: int) -> None:
    assert x != 3

def second(x: int) -> None:
    assert x + x == 2 * x

def dies(x: int) -> None:
    os.kill(os.getpid(), 9)

def third(xs: list[int]) -> int:
    return xs[0]

def untold(x):
    return x
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("pyproject.toml").touch()
    return tmp_path


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    main([*arguments, "--json"])
    said = json.loads(capsys.readouterr().out)
    found = said["programs" if arguments[0] == "cstar" else "results"]
    for row in found:
        for name in ("stats", "coverage", "engine_seconds"):
            row.pop(name, None)
    return list(found)


def test_the_answers_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """In order, whatever comes first, and in the same words."""
    text = PROGRAM.replace("os.kill(os.getpid(), 9)", "assert x < 5")
    Path("p.py").write_text(text)
    Path("q.py").write_text(text)
    one = rows(capsys, "verify", ".", "--no-cache", "--jobs", "1")
    assert [row["function"] for row in one] == ["first", "second", "dies", "third"] * 2
    assert rows(capsys, "verify", ".", "--no-cache", "--jobs", "3") == one
    lines = []
    for jobs in ("1", "3"):
        assert main(["verify", ".", "--no-cache", "--jobs", jobs]) == 1
        out = capsys.readouterr().out
        lines.append([line for line in out.splitlines() if " terms and " not in line])
    assert [line for line in lines[0] if "covered" not in line] == [
        line for line in lines[1] if "covered" not in line
    ]


def test_one_that_dies_loses_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.py").write_text(PROGRAM.replace("def dies(x: int) -> None:\n", DYING))
    found = {row["function"]: row for row in rows(capsys, "verify", "p.py", "--no-cache")}
    assert {name: row["status"] for name, row in found.items()} == {
        "first": "sat",
        "second": "unsat",
        "dies": "unknown",
        "third": "sat",
    }


# It ends the process that checks it, whichever that is, but for that of the test.
DYING = """
MAIN = os.getpid()

def dies(x: int) -> None:
    assert x != 5
    for process in (os.getpid(), os.getppid()):
        if process != MAIN:
            os.kill(process, 9)

def untyped(x):
"""


def units_done(path: Path) -> int:
    return sum(one.read_bytes().count(b'"key"') for one in path.rglob("*.jsonl"))


def test_a_run_that_was_killed_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it has finished is not done again, and what has changed is."""
    log = folder / "log"
    program = (
        "import time\n"
        f"LOG = {str(log)!r}\n"
        "def quick(x: int) -> None:\n"
        "    assert x != 3\n"
        "def also(x: int) -> None:\n"
        "    assert x != 4\n"
        "def slow(x: int) -> None:\n"
        "    time.sleep({})\n"
        "    assert x != 5\n"
    )
    Path("p.py").write_text(program.format("600 if x == 0 else 0"))
    command = [sys.executable, "-m", "solvent", "verify", "p.py", "--no-cache", "--jobs", "1"]
    running = subprocess.Popen(
        [*command[:-1], "2", "--budget", "500"], stdout=subprocess.DEVNULL, start_new_session=True
    )
    try:
        assert eventually(lambda: units_done(folder) >= 2, FOREVER)
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    journal = next(folder.rglob("*.jsonl"))
    before = journal.read_text()
    # The answers are told from the journal: one that only it can have shows it.
    lines = [json.loads(line) for line in before.splitlines() if line]
    assert len(lines) == 2
    options = ["verify", "p.py", "--no-cache", "--jobs", "2", "--budget", "500"]
    Path("p.py").write_text(program.format("0"))
    found = rows(capsys, *options, "--resume")
    assert [(row["function"], row["status"]) for row in found] == [
        ("quick", "sat"),
        ("also", "sat"),
        ("slow", "sat"),
    ]
    assert not journal.exists()


def test_what_a_journal_says_is_not_asked_again(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("p.py").write_text("def f(x: int) -> None:\n    assert x != 3\n" + SECOND)
    options = ["verify", "p.py", "--no-cache", "--jobs", "2"]
    done: list[str] = []
    monkeypatch.setattr("solvent.units.journal.Journal.close", lambda self, complete: None)
    first = rows(capsys, *options)
    assert units_done(folder) == 2
    real = Unit.key.fget
    assert real is not None

    def replies(self: object, units: Any, show: object) -> Any:
        for index, unit in enumerate(units):
            done.append(unit.name)
            yield index, unit, Reply(problem="it was asked again")

    monkeypatch.setattr("solvent.units.local.Local.run", replies)
    assert rows(capsys, *options, "--resume") == first
    assert done == []
    # Another file, another option: all of it is asked again.
    assert {row["status"] for row in rows(capsys, *options, "--max-len", "2", "--resume")} == {
        "unknown"
    }
    rows(capsys, *options)
    Path("p.py").write_text("def f(x: int) -> None:\n    assert x != 4\n" + SECOND)
    done.clear()
    rows(capsys, *options, "--resume")
    assert done == ["f", "g"]


SECOND = "def g(x: int) -> None:\n    assert x == x\n"


def test_procedures_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.bpl").write_text(
        "procedure a(x: int) { assert x + 1 > x; }\n"
        "procedure b(x: int) { assert x > 0; }\n"
        "procedure c(x: int) requires x > 0; { assert x > 0; }\n"
    )
    outputs = []
    for jobs in ("1", "3"):
        assert main(["boogie", "verify", "p.bpl", "--jobs", jobs]) == 1
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert "2 verified, 1 error" in outputs[0]
    Path("good.c").write_text("uint64_t main() { return 0; }")
    Path("bad.c").write_text("uint64_t main() { return 1; }")
    Path("wrong.c").write_text("uint64_t main( { return 1; }")
    found = rows(capsys, "cstar", "check", "good.c", "bad.c", "wrong.c", "none.c", "--jobs", "2")
    assert [row["verdict"] for row in found] == ["holds", "violated", "unknown", "unknown"]
    assert "error" in found[2]
    assert "there is no such file" in found[3]["error"]


COUNTER = """1 sort bitvec 8
2 zero 1
3 state 1 n
4 init 1 3 2
5 sort bitvec 1
6 input 5 up
7 one 1
8 add 1 3 7
9 ite 1 6 8 3
10 next 1 3 9
11 constd 1 4
12 eq 5 3 11
13 bad 12 four
14 constd 1 200
15 eq 5 3 14
16 bad 15 never
"""


def test_depths_are_pieces(capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.btor2").write_text(COUNTER)
    for kmax in ("3", "8"):
        outputs = []
        for more in ([], ["--split", "--jobs", "2"]):
            check = ["btor2", "check", "m.btor2", "--engine", "bmc", "-kmax", kmax, "--all", *more]
            outputs.append((main(check), capsys.readouterr().out))
        assert outputs[0] == outputs[1]
    assert main(["btor2", "check", "m.btor2", "--split"]) == 2
    assert "--engine bmc" in capsys.readouterr().err


@pytest.mark.parametrize("spoiled", ["lost", "other depth", "empty", "false witness"])
def test_a_depth_without_an_answer_is_open(spoiled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing holds up to a time that nobody has looked at."""
    model = parse(COUNTER)

    class Spread:
        def __enter__(self) -> Any:
            return self.replies

        def __exit__(self, *_: object) -> None:
            pass

        def replies(self, units: Any) -> Any:
            for index, unit in enumerate(units):
                answer: Any = perform(unit.data, lambda text: None)
                if unit.data["depth"] == 2:
                    claim = {"verdict": "violated", "witness": "sat\nb0\n@0\n0 1\n.\n"}
                    answer = {
                        "lost": None,
                        "other depth": {**answer, "depth": 1},
                        "empty": {},
                        "false witness": {"depth": 2, "b0": claim, "b1": claim},
                    }[spoiled]
                yield index, unit, Reply(answer)

    monkeypatch.setattr(depths, "spread", lambda *_: Spread())
    from argparse import Namespace

    from solvent.cli.progress import Work

    options = Namespace(
        **{"file": "m", "engine": "bmc", "kmin": 0, "kmax": 3, "all": False, "memory": None},
        **{"solver": None, "timeout": None, "work": Work()},
    )
    found = check_depths(model, COUNTER, options)
    assert [one.verdict for one in found.answers] == [Verdict.UNKNOWN] * 2
    assert [one.bound for one in found.answers] == [1, 1]


HARD = """
def multiplied(a: int, b: int) -> None:
    if 0 <= a < 128 and 0 <= b < 128:
        total = 0
        for bit in range(7):
            if b >> bit & 1:
                total += a << bit
        assert total == a * b
"""


def test_what_is_hard_is_asked_in_pieces(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a race that comes to nothing, and with the tree of pieces."""
    Path("p.py").write_text(HARD)
    monkeypatch.setattr("solvent.cli.functions.SHARE", 0.0001)
    options = ["verify", "p.py", "--no-cache", "--split", "--split-tree", "--budget", "300"]
    assert main([*options, "--jobs", "2"]) == 0
    out = capsys.readouterr().out
    assert "pieces: all pieces are closed\n  the question: divided by " in out
    assert "multiplied: verified, no inputs fail" in out
