"""Table 4 and figure 10: what is measured, and how it is shown."""

from __future__ import annotations

import json
import os
import pickle
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from solvent.cli import bench, main
from solvent.languages import figure10, measuring, tables
from solvent.languages.benchmark import Benchmark, Outcome, PaperRow, Rosette
from solvent.languages.figure10 import PAPER, Quadratic, fit, r_squared
from solvent.languages.measuring import Measured, measure, measure_all
from tests.patience import FOREVER, patient

OUTCOME = Outcome("verified", True, 10, 2, 5, 3, 100, 0.5, 0.25, "nothing to see")
ROSETTE = Rosette(2.0, None, 300)
PAPER_ROW = PaperRow(11, 3, 6, 4, 7, 8)


def quick(seconds: float) -> Outcome:
    return OUTCOME


def slow(seconds: float) -> Outcome:
    time.sleep(FOREVER)
    return OUTCOME


def broken(seconds: float) -> Outcome:
    raise measuring.SolventError("it does not work")


def wrong(seconds: float) -> Outcome:
    return Outcome("counterexample", False, 10, 2, 5, 3, 100, 0.5, 0.25)


def made(name: str) -> Benchmark:
    runs = {"quick": quick, "slow": slow, "broken": broken, "wrong": wrong}
    return Benchmark("fake", name, "n = 1", runs[name], PAPER_ROW, ROSETTE)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "GRACE", 0.5)


def dead(seconds: float) -> Outcome:
    os._exit(1)


def benchmarks() -> list[Benchmark]:
    return [made(name) for name in ("quick", "slow", "broken", "wrong")]


def row(outcome: Outcome | None = OUTCOME, problem: str = "", late: bool = False) -> Measured:
    return Measured(made("quick"), outcome, 1.0, problem, late)


# --- table 4 -----------------------------------------------------------------------------------


def test_cells() -> None:
    assert tables.cells(row()) == [
        *("fake", "quick", "n = 1", "verified"),
        *("10", "2", "5", "3", "0.500", "0.250", "100"),
        *("11", "3", "6", "4", "7", "8"),
        *("2.0", "no answer", "4.0"),
    ]
    late = tables.cells(row(None, "time limit", late=True))
    assert late[3:5] == ["time limit", "-"]
    assert late[-1] == "-"


def test_summary() -> None:
    text = tables.summary([row(), row(None, "time limit", late=True)])
    assert text == (
        "2 benchmarks: 1 with the expected answer, 1 ended by the time limit; "
        "evaluation 4.0 times faster than Rosette 4 (geometric mean)"
    )


def test_text_has_groups_over_their_columns() -> None:
    lines = tables.as_text([row()]).splitlines()
    for title, start, _ in tables._spans()[1:]:
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
    assert data["mean_ratio"] == pytest.approx(4.0)
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
        assert pickle.loads(pickle.dumps(one.run)).args == one.run.args  # type: ignore[attr-defined]


def test_a_process_that_dies() -> None:
    gone = Benchmark("fake", "dead", "", dead)
    assert measure(gone, 1.0).problem == "the process ended without an answer"


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
    assert (kinds.count("circle"), kinds.count("polyline")) == (15, 2)
    for circle in tree.iter("{http://www.w3.org/2000/svg}circle"):
        assert 0 < float(circle.attrib["cx"]) < figure10.WIDTH
        assert 0 < float(circle.attrib["cy"]) < figure10.HEIGHT
    assert "R^2 = 0.9" in figure10.as_text(points)
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
    assert main(["bench", "table4", "--only", "B1", "--json", "--html", str(path)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["benchmarks"][0]["outcome"]["answer"] == "counterexample"
    assert "B1" in path.read_text()
