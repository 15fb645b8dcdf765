"""Table 4 and figure 10: what is measured, and how it is shown."""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from solvent import BitVec, Solver
from solvent.cli import bench, benchmarked, main
from solvent.languages import figure10, measuring, tables
from solvent.languages.benchmark import (
    ROSETTE,
    Benchmark,
    Clock,
    Figures,
    Kind,
    Outcome,
    PaperRow,
)
from solvent.languages.figure10 import PAPER, Quadratic, fit, r_squared
from solvent.languages.ifcl.benchmarks import figure10_benchmarks
from solvent.languages.measuring import Measured, least, measure, measure_all
from solvent.languages.peers import PeerCommand, PeerError, read_figures
from solvent.solvers import Status
from solvent.units.journal import Journal
from tests.cli.objects import VALIDATOR
from tests.patience import FOREVER, patient

OUTCOME = Outcome("verified", True, 10, 2, 5, 3, 100, 0.5, 0.75, "nothing to see")
FIGURES = Figures(2.0, None, 300, 20)
PAPER_ROW = PaperRow(11, 3, 6, 4, 7, 8)


def quick(seconds: float) -> Outcome:
    return OUTCOME


def slow(seconds: float) -> Outcome:
    time.sleep(FOREVER)
    return OUTCOME


def broken(seconds: float) -> Outcome:
    raise measuring.SolventError("it does not work")


def wrong(seconds: float) -> Outcome:
    return Outcome("counterexample", False, 10, 2, 5, 3, 100, 0.5, 0.75)


def made(name: str, kind: Kind = Kind.SAME) -> Benchmark:
    runs = {"quick": quick, "slow": slow, "broken": broken, "wrong": wrong}
    return Benchmark("fake", name, "n = 1", runs[name], kind, PAPER_ROW, FIGURES, "it is fake")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "GRACE", 0.5)


def dead(seconds: float) -> Outcome:
    os._exit(1)


def benchmarks() -> list[Benchmark]:
    return [made(name) for name in ("quick", "slow", "broken", "wrong")]


def row(
    outcome: Outcome | None = OUTCOME,
    problem: str = "",
    late: bool = False,
    kind: Kind = Kind.SAME,
    peer: Figures | None = FIGURES,
) -> Measured:
    return Measured(made("quick", kind), outcome, 1.0, problem, late, peer)


# --- table 4 -----------------------------------------------------------------------------------


def test_cells() -> None:
    assert tables.cells(row()) == [
        *("fake", "quick", "n = 1", "verified"),
        *("10", "2", "5", "3", "100", "0.500", "0.750"),
        *("11", "3", "6", "4", "7", "8"),
        *("20", "300", "2.0", "-", "4.0", "-"),
    ]
    late = tables.cells(row(None, "time limit", late=True))
    assert late[3:5] == ["time limit", "-"]
    assert late[-1] == "-"


def test_kinds_have_means_of_their_own() -> None:
    rows = [
        row(peer=Figures(2.0, 3.0)),
        row(peer=Figures(8.0)),
        row(None, "time limit", late=True),
        row(kind=Kind.OWN, peer=Figures(50.0, 75.0)),
    ]
    same, own = (tables.means(rows, kind)["all"] for kind in Kind)
    assert (same.evaluation, same.evaluations) == (pytest.approx(8.0), 2)
    assert (same.total, same.totals) == (pytest.approx(4.0), 1)
    assert (own.evaluation, own.total) == (pytest.approx(100.0), pytest.approx(100.0))
    assert tables.summary(rows) == [
        "4 benchmarks: 3 with the expected answer, 1 ended by the time limit",
        "same program, beside Rosette 4: evaluation 8.0 times faster (2 rows), total 4.0 times "
        "(1 row) (geometric means)",
        "our own formulation, beside Rosette 4: evaluation 100.0 times faster (1 row), total 100.0 "
        "times (1 row) (geometric means)",
    ]


def test_the_text_says_what_figures_are() -> None:
    text = tables.as_text([row(), row(kind=Kind.OWN)])
    assert text.index("[same program]") < text.index("[our own formulation]")
    assert "Rosette 4: recorded, by November 2026: Racket 8.7 and Z3 4.8.8" in text
    assert "quick: it is fake" in text


def test_of_several_runs_the_least_counts() -> None:
    slower = Outcome("verified", True, 10, 2, 5, 3, 100, 0.4, 0.9)
    found = least([row(), row(slower)])
    assert found.outcome is not None
    assert (found.outcome.evaluation, found.outcome.total, found.seconds) == (0.4, 0.75, 2.0)
    assert least([row(), row(None, "it does not work")]).problem == "it does not work"
    doubtful = least([row(), row(wrong(1))])
    assert doubtful.outcome is not None
    assert not doubtful.outcome.expected


def test_the_clock_counts_solvers_and_their_start() -> None:
    clock = Clock()
    with Solver("bitwuzla") as solver:
        solver.add(BitVec("x", 8) * BitVec("y", 8) == 7)
        assert solver.check() is Status.SAT
        before = time.process_time()
    # Starting Python alone takes more than the answer.
    assert clock.total() > 0.01
    assert time.process_time() - before < clock.total()


def test_text_has_groups_over_their_columns() -> None:
    lines = tables.as_text([row()]).splitlines()
    for title, start, _ in tables._spans(ROSETTE)[1:]:
        place = lines[0].index(title)
        # The rule below the headings shows where columns start.
        assert lines[2][place] == "-"
        assert lines[2][place - 1] == " "
        assert lines[2][:place].count(" ") == 2 * start


def test_an_answer_that_is_not_expected_is_shown() -> None:
    found = wrong(1)
    assert "counterexample: NOT EXPECTED" in tables.as_text([row(found)])
    assert bench._code([row(found)]) == 1
    assert bench._code([row(), row(None, "time limit")]) == 3
    assert bench._code([row()]) == 0


def test_json_and_html() -> None:
    data = json.loads(json.dumps(tables.as_json([row()])))
    assert data["means"]["same program"]["all"]["evaluation"] == pytest.approx(4.0)
    assert data["means"]["our own formulation"]["all"]["evaluation"] is None
    assert data["benchmarks"][0]["kind"] == "same program"
    assert data["peer"]["name"] == "Rosette 4"
    assert data["benchmarks"][0]["outcome"]["joins"] == 10
    text = tables.as_html([row()])
    assert "nothing to see" in text
    assert text.count("<rect") == 1


# --- processes ---------------------------------------------------------------------------------


@pytest.mark.usefixtures("impatient")
def test_other_processes() -> None:
    chosen = benchmarks()
    begun: list[str] = []
    found = measure_all(chosen, patient(2.0), 2, lambda benchmark: begun.append(benchmark.name))
    assert sorted(begun) == ["broken", "quick", "slow", "wrong"]
    assert [one.benchmark.name for one in found] == ["quick", "slow", "broken", "wrong"]
    assert found[0].outcome == OUTCOME
    assert (found[1].outcome, found[1].late, found[1].problem) == (None, True, "time limit")
    assert found[2].problem == "SolventError: it does not work"
    assert found[3].outcome == wrong(1)


def test_all_benchmarks_can_go_to_other_processes() -> None:
    found = measuring.all_benchmarks()
    assert {one.language for one in found} == set(measuring.LANGUAGES)
    for one in found:
        there = pickle.loads(pickle.dumps(one.run))
        assert getattr(there, "args", there) == getattr(one.run, "args", one.run)


def test_rows_that_a_peer_is_asked_about_have_names_of_their_own() -> None:
    for kind in Kind:
        keys = [one.key for one in measuring.all_benchmarks() if one.kind is kind]
        assert len(set(keys)) == len(keys)
    figures: dict[str, Figures | None] = {}
    for one in measuring.all_benchmarks():
        assert figures.setdefault(one.key, one.peer) == one.peer


def test_a_process_that_dies() -> None:
    gone = Benchmark("fake", "dead", "", dead)
    assert measure(gone, 1.0).problem == "the process ended without an answer"


# --- peers ---------------------------------------------------------------------------------------

PEER = """\
import sys
known = {"ifcl B1": '{"evaluation": 1.5, "total": 2, "joins": 7}', "ifcl B2": "{}", "ifcl B3": "[]"}
if sys.argv[1] not in known:
    sys.exit("no such row")
print(known[sys.argv[1]])
"""


@pytest.fixture
def peer(tmp_path: Path) -> str:
    """The command of a peer that knows three rows."""
    path = tmp_path / "peer.py"
    path.write_text(PEER)
    return f"{sys.executable} {path}"


def test_a_peer(peer: str) -> None:
    command = PeerCommand(peer)
    assert command.ask("ifcl B1", FOREVER) == Figures(1.5, 2, None, 7)
    assert command.ask("ifcl B2", FOREVER) is None
    with pytest.raises(PeerError, match=r"printed no JSON object for `ifcl B3` but '\[\]'"):
        command.ask("ifcl B3", FOREVER)
    with pytest.raises(PeerError, match="the peer ended with 1 for `ifcl B4`: no such row"):
        command.ask("ifcl B4", FOREVER)


def test_a_peer_that_does_not_end() -> None:
    with pytest.raises(PeerError, match=r"did not end within 0.1 s for `100`"):
        PeerCommand("sleep").ask("100", 0.1)


@pytest.mark.parametrize("command", ["", "no-such-command-here x", "'unclosed"])
def test_a_peer_that_is_not_there(command: str) -> None:
    with pytest.raises(PeerError):
        PeerCommand(command)


@pytest.mark.parametrize(
    "text",
    ['{"total": 1}', '{"evaluation": "1"}', '{"evaluation": true}', '{"evaluation": -1}',
     '{"evaluation": Infinity}', '{"evaluation": 1, "terms": []}', "1", ""],
)  # fmt: skip
def test_figures_that_are_none(text: str) -> None:
    with pytest.raises(PeerError):
        read_figures("ifcl B1", text)


def test_rows_beside_a_peer(peer: str, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["--only", "B1", "--only", "B3"]
    assert main(["bench", "table4", *names, "--kind", "same", "--peer", peer, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [found["name"] for found in data["benchmarks"]] == ["B1", "B3"]
    first, third = data["benchmarks"]
    assert first["peer"]["evaluation"] == 1.5
    assert first["ratio"] == pytest.approx(1.5 / first["outcome"]["evaluation"])
    assert first["total_ratio"] == pytest.approx(2 / first["outcome"]["total"])
    assert (third["peer"], third["ratio"]) == (None, None)
    assert third["peer_problem"].startswith("the peer printed no JSON object")
    assert data["peer"]["about"] == "measured now, on this machine"


def test_a_peer_that_is_not_there_is_said_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "table4", "--only", "B1", "--peer", "no-such-command-here"]) == 2
    assert "there is no command 'no-such-command-here' to run" in capsys.readouterr().err


# --- figure 10 ---------------------------------------------------------------------------------


def test_fit_finds_the_curve_again() -> None:
    curve = Quadratic(0.5, -3.0, 7.0)
    found = fit([(x, curve(x)) for x in (1, 2, 5, 10, 100)])
    assert (found.a, found.b, found.c) == pytest.approx((0.5, -3.0, 7.0))


def test_fit_has_the_least_squares() -> None:
    points = [(0, 1.0), (1, 2.0), (2, 7.0), (3, 8.0), (4, 30.0)]
    best = fit(points)

    def error(curve: Quadratic) -> float:
        return sum((y - curve(x)) ** 2 for x, y in points)

    for change in (0.01, -0.01):
        assert error(best) < error(Quadratic(best.a + change, best.b, best.c))
        assert error(best) < error(Quadratic(best.a, best.b + change, best.c))
        assert error(best) < error(Quadratic(best.a, best.b, best.c + change))
    assert 0.8 < r_squared(points, best) < 1


def test_fit_needs_three_places() -> None:
    with pytest.raises(ValueError, match="three different places"):
        fit([(1, 2), (1, 3), (2, 5)])


def test_plot() -> None:
    points = [(1000.0 * n, PAPER(1000.0 * n) + 40 * (n % 3)) for n in range(1, 16)]
    tree = ElementTree.fromstring(figure10.as_svg(points))
    kinds = [found.tag.rpartition("}")[2] for found in tree.iter()]
    # One more circle says what they are.
    assert (kinds.count("circle"), kinds.count("polyline")) == (15 + 1, 2)
    width, height = (float(part) for part in tree.attrib["viewBox"].split()[2:])
    for circle in tree.iter("{http://www.w3.org/2000/svg}circle"):
        assert 0 < float(circle.attrib["cx"]) < width
        assert 0 < float(circle.attrib["cy"]) < height
    assert "R² = 0.9" in figure10.as_text(points)
    assert figure10.as_json(points)["points"][0]["bound"] == 1
    assert "<svg" in figure10.as_html(points)


# --- the command -------------------------------------------------------------------------------


def test_unknown_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "table4", "--only", "B9"]) == 2
    assert "there is no benchmark 'B9'; there are B1" in capsys.readouterr().err


def test_a_page_that_cannot_be_written_is_said_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "table4", "--only", "B1", "--html", "/nonexistent/x.html"]) == 2
    assert "/nonexistent/x.html" in capsys.readouterr().err


def test_one_benchmark(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.html"
    assert (
        main(["bench", "table4", "--only", "B1", "--kind", "own", "--json", "--html", str(path)])
        == 0
    )
    data = json.loads(capsys.readouterr().out)
    VALIDATOR.validate(data)
    assert data["benchmarks"][0]["outcome"]["answer"] == "counterexample"
    assert "B1" in path.read_text()


def test_figure_10_as_an_object(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a few of its bounds; and if there is no time for one of them, no figure."""
    few = figure10_benchmarks()[:3]
    monkeypatch.setattr(bench, "figure10_benchmarks", lambda: few)
    assert main(["bench", "figure10", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    VALIDATOR.validate(found)
    assert len(found["points"]) == 3
    late = [measuring.Measured(few[0], None, 1.0, problem="no time")]
    monkeypatch.setattr(bench, "measured", lambda *_: late)
    assert main(["bench", "figure10", "--json"]) == 3
    found = json.loads(capsys.readouterr().out)
    VALIDATOR.validate(found)
    assert "no time" in found["error"]


def test_a_benchmark_that_dies_loses_no_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """And with --resume only it is measured again."""
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").touch()
    asked = tmp_path / "asked"
    deadly = True

    def measured(benchmark: Benchmark, limit: float) -> measuring.Measured:
        with asked.open("a") as file:
            file.write(f"{benchmark.name} ")
        if benchmark.name == "B1" and deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return measuring.Measured(benchmark, OUTCOME, 1.0)

    monkeypatch.setattr(benchmarked, "measure", measured)
    monkeypatch.setattr(Journal, "close", lambda self, complete: None)
    names = ["--only", "B1", "--only", "B2", "--kind", "same"]
    command = ["bench", "table4", *names, "--jobs", "2", "--json"]
    assert main(command) == 3
    first, second = json.loads(capsys.readouterr().out)["benchmarks"]
    assert "SIGKILL" in first["problem"]
    assert second["outcome"]["answer"] == OUTCOME.answer
    deadly = False
    assert main([*command, "--resume"]) == 0
    assert sorted(asked.read_text().split()) == ["B1", "B1", "B2"]


def test_a_benchmark_elsewhere() -> None:
    """A worker starts a process from scratch, and its answer is data."""
    names = ["ifcl", "B1", "3 steps", "SAME"]
    asked = {"benchmark": names, "limit": FOREVER, "runs": 1}
    found: Any = benchmarked.perform(asked, lambda text: None)
    assert found["benchmark"] == names
    assert found["outcome"]["answer"] == "counterexample"
