"""`--jobs`, `--resume`, `--split` and `--memory`: the same answers, whoever finds them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from solvent.btor2 import parse
from solvent.cli import boogie, depths, main
from solvent.cli.conquering import Over
from solvent.cli.depths import check_depths, perform
from solvent.cli.parts import Parts
from solvent.cli.reported import Reported
from solvent.race import merged
from solvent.race.messages import Undecided
from solvent.units.local import Local
from solvent.units.unit import Reply, Unit
from solvent.verdicts import Verdict
from tests.patience import FOREVER
from tests.units.harness import eventually

PROGRAM = """
import hashlib
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


def test_ctrl_c_and_then_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is finished is told, and is not done again."""
    Path("p.py").write_text(STUCK)
    command = ["verify", "p.py", "--no-cache", "--budget", "500", "--jobs", "2", "--json"]
    python = [sys.executable, "-m", "solvent"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    running: Any = subprocess.Popen(  # type: ignore[call-overload]
        [*python, *command], **pipes, env={**os.environ, "STUCK": "1"}, start_new_session=True
    )
    try:
        assert eventually(lambda: units_done(folder) >= 2, FOREVER)
        os.killpg(running.pid, signal.SIGINT)
        out, _ = running.communicate(timeout=FOREVER)
    finally:
        running.kill()
    assert running.returncode == 130
    told = {row["function"]: row["status"] for row in json.loads(out)["results"]}
    assert (told["quick"], told["also"]) == ("sat", "sat")
    assert units_done(folder) == 2
    done: list[str] = []
    original = Local.run

    def run(self: Local, given: Any, show: Any) -> Any:
        for one in original(self, given, show):
            done.append(one[1].name)
            yield one

    monkeypatch.setattr(Local, "run", run)
    assert main([*command, "--resume"]) == 1
    assert (done, units_done(folder)) == (["slow"], 0)


STUCK = """
import os
import time
SECONDS = 600 if os.environ.get("STUCK") else 0
def quick(x: int) -> None:
    assert x != 3
def also(x: int) -> None:
    assert x != 4
def slow(x: int) -> None:
    time.sleep(SECONDS if x == 0 else 0)
    assert x != 5
"""


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
        timed = re.compile(r" terms and |^ +[\d.]+ s$")
        lines.append([line for line in out.splitlines() if not timed.search(line)])
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
            if unit is None:
                return
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


def test_a_proof_that_may_depend_on_more_is_made_again(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file that the program reads has changed meanwhile."""
    Path("p.py").write_text(
        "from pathlib import Path\n"
        "K = int(Path('data').read_text())\n"
        "def f(x: int) -> None:\n    assert x != 3\n"
        "def g(x: int) -> None:\n    assert K > 0\n"
    )
    Path("data").write_text("1")
    options = ["verify", "p.py", "--no-cache", "--jobs", "2"]
    monkeypatch.setattr("solvent.units.journal.Journal.close", lambda self, complete: None)
    assert [row["status"] for row in rows(capsys, *options)] == ["sat", "unsat"]
    assert units_done(folder) == 2
    Path("data").write_text("0")
    assert [row["status"] for row in rows(capsys, *options, "--resume")] == ["sat", "sat"]


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


def test_procedures_are_told_when_they_are_known(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal in the order in which they come, each once; the last line is for all."""
    Path("p.bpl").write_text(
        "procedure a(x: int) { assert x > 7; }\nprocedure b(x: int) { assert x > 0; }\n"
    )
    original = Local.run

    def backwards(self: Local, given: Any, show: Any) -> Any:
        found = sorted(original(self, given, show), key=lambda reply: reply[0])
        yield from reversed(found)

    monkeypatch.setattr(Local, "run", backwards)
    # From the first on, procedures are verified elsewhere.
    monkeypatch.setattr(boogie, "ALONE", 0.0)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["boogie", "verify", "p.bpl", "--jobs", "2"]) == 1
    out = capsys.readouterr().out
    places = [line[:8] for line in out.splitlines() if "Error" in line]
    assert places == ["p.bpl(2,", "p.bpl(1,"]
    assert out.count("Boogie program verifier finished with 0 verified, 2 errors") == 1


@pytest.mark.parametrize(
    "command",
    [
        ["verify", "p.py"],
        ["boogie", "verify", "p.bpl"],
        ["cstar", "check", "p.c"],
        ["btor2", "check", "m.btor2", "--engine", "bmc", "--split", "-kmax", "2"],
        ["reference", "diff", "--count", "1"],
    ],
    ids=lambda command: command[0],
)
def test_one_unit_alone_is_noted_and_limited(command: list[str], folder: Path) -> None:
    """With one process, and with one unit: what is asked for is never left out in silence."""
    Path("p.py").write_text(SECOND)
    Path("p.bpl").write_text("procedure a(x: int) { assert x > 7; }")
    Path("p.c").write_text("uint64_t main() { return 1; }")
    Path("m.btor2").write_text(COUNTER)
    seen: list[Unit] = []
    original = Local.run

    def run(self: Local, given: Any, show: Any) -> Any:
        for one in original(self, given, show):
            seen.append(one[1])
            assert units_done(folder) == len(seen) - 1
            yield one

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Local, "run", run)
        main([*command, "--jobs", "1", "--memory", "8192"])
    assert seen
    assert {unit.limits.memory for unit in seen} == {8192 << 20}


@pytest.mark.parametrize("option", [["--cluster", "tcp://127.0.0.1:1"], ["--resume"]])
@pytest.mark.parametrize(
    "command",
    [
        ["synthesize", "p.py::g"],
        ["test", "p.py::g"],
        ["btor2", "check", "m.btor2"],
        ["boogie", "verify", "p.bpl", "/contractInfer"],
        ["reference", "diff", "--program", "(if a 1 2)"],
    ],
    ids=lambda command: command[0],
)
def test_where_there_are_no_units_options_about_them_are_refused(
    command: list[str], option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("p.py").write_text(SECOND)
    Path("p.bpl").write_text("procedure a(x: int) { assert x > 7; }")
    Path("m.btor2").write_text(COUNTER)
    assert main([*command, *option]) == 2
    assert f"{option[0]} is for units of work" in capsys.readouterr().err


def test_tests_of_all_functions(capsys: pytest.CaptureFixture[str]) -> None:
    """Each has the file that it would have had alone; what has none is told, and why."""
    Path("p.py").write_text(
        PROGRAM.replace(
            "os.kill(os.getpid(), 9)", "assert hashlib.md5(str(x % 3).encode()).hexdigest()"
        )
    )
    assert main(["test", "p.py"]) == 2
    assert "-o FOLDER" in capsys.readouterr().err
    assert main(["test", "p.py", "-o", "tests", "--jobs", "2"]) == 3
    out = capsys.readouterr().out
    assert [line.partition(": ")[2].partition(":")[0] for line in out.splitlines()] == [
        *("first", "second", "dies", "third")
    ]
    for name in ("first", "second", "third"):
        path = Path(f"tests/test_p_{name}.py")
        together = path.read_text()
        assert main(["test", f"p.py::{name}", "-o", str(path)]) == 0
        assert path.read_text() == together
    capsys.readouterr()
    assert main(["test", "p.py", "-o", "tests", "--json"]) == 3
    found = json.loads(capsys.readouterr().out)["functions"]
    assert [row["verdict"] for row in found] == ["holds", "holds", "unknown", "holds"]


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


def pieces_asked(monkeypatch: pytest.MonkeyPatch) -> list[Unit]:
    """The pieces that are solved from now on."""
    found: list[Unit] = []
    original = Local.run

    def run(self: Local, given: Any, show: Any) -> Any:
        for one in original(self, given, show):
            found.extend([one[1]] if one[1].kind == "piece" else [])
            yield one

    monkeypatch.setattr(Local, "run", run)
    return found


def test_pieces_that_are_solved_are_not_solved_again(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor by a run with another budget; one that is not in the journal is, and only that."""
    Path("p.py").write_text(HARD)
    monkeypatch.setattr("solvent.cli.functions.SHARE", 0.0001)
    monkeypatch.setattr("solvent.units.journal.Journal.close", lambda self, complete: None)
    asked = pieces_asked(monkeypatch)
    options = ["verify", "p.py", "--no-cache", "--split", "--split-tree", "--jobs", "2"]
    assert main([*options, "--budget", "300"]) == 0
    tree = capsys.readouterr().out
    closed = len(asked)
    assert closed > 2
    asked.clear()
    assert main([*options, "--budget", "200", "--resume"]) == 0
    assert asked == []
    assert "pieces: all pieces are closed" in capsys.readouterr().out
    assert "pieces: all pieces are closed" in tree
    journal = next(folder.rglob("*.jsonl"))
    lines = journal.read_text().split("\n")
    last = max(number for number, line in enumerate(lines) if '"piece"' in line)
    journal.write_text("\n".join(lines[:last] + lines[last + 1 :]))
    assert main([*options, "--budget", "300", "--resume"]) == 0
    assert len(asked) == 1


def test_pieces_that_are_open_in_the_end_are_told_and_kept(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time is over in the middle of it: the tree is shown, and another run goes on."""
    Path("p.py").write_text(HARD)
    monkeypatch.setattr("solvent.cli.functions.SHARE", 0.0001)
    original = Local.run

    def run(self: Local, given: Any, show: Any) -> Any:
        for index, unit, reply in original(self, given, show):
            yield index, unit, reply
            if unit.kind == "piece":
                raise Over

    options = ["verify", "p.py", "--no-cache", "--split", "--split-tree", "--jobs", "2"]
    with monkeypatch.context() as patch:
        patch.setattr(Local, "run", run)
        assert main([*options, "--budget", "300"]) == 3
    out = capsys.readouterr().out
    assert re.search(r"reason: the budget of 300 s is spent; \d+ of \d+ pieces are open", out)
    assert re.search(r": closed \(\d", out)
    assert out.count("--resume goes on with these") == 1
    known = units_done(folder)
    assert known >= 2
    asked = pieces_asked(monkeypatch)
    assert main([*options, "--budget", "300", "--resume"]) == 0
    tree = capsys.readouterr().out
    closed = len(re.findall(r": closed \(", tree))
    assert 0 < len(asked) < closed
    assert units_done(folder) == 0


SEVERAL = """
def proved(a: int, b: int) -> None:
    if 0 <= a < 32 and 0 <= b < 32:
        total = 0
        for bit in range(5):
            if b >> bit & 1:
                total += a << bit
        assert total == a * b
        assert total * 2 == 2 * b * a
        assert total <= 961

def wrong(a: int, b: int) -> None:
    if 7 < a < 64 and 7 < b < 64:
        assert a * b != 3481 or a == b
        assert a * a * b != 47 * 47 * 53
        assert a * b * b != 17 * 59 * 59
"""


@pytest.fixture
def hesitant(monkeypatch: pytest.MonkeyPatch) -> None:
    """All places are too hard for a check of the whole function, which is divided at once."""
    ask = merged._Merged.ask

    def asking(self: Any, level: Any, problem: Any, places: Any, *more: Any) -> Any:
        if self.subject.places is None:
            self.report(Undecided(tuple(place.kind for place in places), 0))
            time.sleep(FOREVER)
        return ask(self, level, problem, places, *more)

    monkeypatch.setattr(merged._Merged, "ask", asking)
    monkeypatch.setattr("solvent.cli.functions.SHARE", 1e-6)


# No inputs are tried, so that a failure is found by asking.
SLOW = ["verify", "p.py", "--no-cache", "--no-probes", "--budget", "300", "--jobs", "2"]


@pytest.mark.usefixtures("hesitant")
def test_each_assertion_of_what_is_slow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are units of their own, and what they amount to is the same answer."""
    Path("p.py").write_text(SEVERAL)
    units: list[Unit] = []
    original = Local.run

    def run(self: Local, given: Any, show: Any) -> Any:
        for one in original(self, given, show):
            units.append(one[1])
            yield one

    monkeypatch.setattr(Local, "run", run)
    found = {row["function"]: row for row in rows(capsys, *SLOW, "--all")}
    assert found["proved"]["status"] == "unsat"
    asked = [unit.name for unit in units]
    parts = {"proved at p.py:8", "proved at p.py:9", "proved at all other places"}
    assert parts <= set(asked)
    # Two at a time, they take no longer than what is left of the budget.
    options: list[Any] = [unit.data["options"] for unit in units if unit.name in parts]
    assert all(0 < 2 * one["budget"] < 300 for one in options)
    failing = [row["findings"][0]["line"] for row in rows(capsys, *SLOW, "--all")[1:]]
    assert failing == [15, 16]
    first = rows(capsys, *SLOW)[1:]
    assert [row["findings"][0]["line"] in (15, 16) for row in first] == [True]
    assert all(row["confirmed"] for row in first)


@pytest.mark.parametrize(("seconds", "divided"), [(2.5, True), (29.0, False)])
def test_what_has_no_time_left_is_not_divided(seconds: float, divided: bool) -> None:
    rows = [{"position": f"p.py:{line}", "exception": "AssertionError"} for line in range(4)]
    first = Reported(
        verdict=Verdict.UNKNOWN,
        seconds=seconds,
        texts=("p.py:1: f: unknown",),
        row={"coverage": {"undecided": rows}},
    )
    parts = Parts.of([first], 30.0, 7.5, everything=False)
    assert (parts is not None) == divided
    if parts is not None:
        # Three rounds of two, or all of them at once.
        assert parts.seconds_each(2) == pytest.approx(27.5 / 3)
        assert parts.seconds_each(5) == parts.seconds_each(9) == pytest.approx(27.5)


@pytest.mark.usefixtures("hesitant")
@pytest.mark.parametrize("spoiled", ["lost", "not met", "unknown"])
def test_a_part_without_an_answer_proves_nothing(
    spoiled: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever part it is: a place that nobody has looked at may fail."""
    Path("p.py").write_text(SEVERAL.partition("def wrong")[0])
    original = Local.run

    def run(self: Local, given: Any, show: Any) -> Any:
        for index, unit, reply in original(self, given, show):
            answer: Any = reply.answer
            if unit.name == "proved at p.py:8":
                row = answer["answers"][0]["row"]
                if spoiled == "lost":
                    reply = Reply(problem="its machine has burnt down")
                elif spoiled == "not met":
                    row["coverage"]["decided"] = []
                else:
                    answer["answers"][0]["verdict"] = "unknown"
            yield index, unit, reply

    monkeypatch.setattr(Local, "run", run)
    found = rows(capsys, *SLOW)
    assert [row["status"] for row in found] == ["unknown"]
    assert found[0]["reason"].startswith("its machine" if spoiled == "lost" else "the budget of")
