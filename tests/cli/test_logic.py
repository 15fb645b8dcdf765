"""`solvent logic`: encodings, verdicts, exit codes, JSON and the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solvent.cli import main
from tests.logic.programs import FIGURE_2, SECTION_7, WITH_PARAMETERS, section_6
from tests.patience import patient


def write(folder: Path, text: str) -> str:
    path = folder / "program.bpl"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_all_methods_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["logic", write(tmp_path, FIGURE_2)]) == 0
    out = capsys.readouterr().out
    assert "BE_Then2 : OK_Then2 = (z ==> ((x@2 == x@1 + 1) ==> OK_B))" in out
    assert "x@3 == ((x@1 != 1 && z) ? x@2 + 1 : x@2)" in out
    assert "((pc = 0) ∧ (pc' = 1) ∧ (x' = a + b))" in out
    assert "∨ ((x ≠ 1) ∧ (z = true) ∧ (x' = 3))" in out
    assert out.endswith("together: safe\n")


def test_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, WITH_PARAMETERS.replace("x <= 3", "x <= 2"))
    assert main(["logic", path, "--method", "dse"]) == 1
    out = capsys.readouterr().out
    assert "dse: error, confirmed by running the program" in out
    assert "z = True" in out


def test_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, section_6())
    assert main(["logic", path, "--method", "vc"]) == 3
    assert "may be too weak" in capsys.readouterr().out
    assert main(["logic", path, "--method", "smc"]) == 0


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, SECTION_7)
    assert main(["logic", path, "--json", "--timeout", str(patient(5))]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["main"] == "main"
    assert found["verdict"] == "violated"
    assert [one["method"] for one in found["methods"]] == ["vc", "smc", "bmc", "dse"]
    bmc = found["methods"][2]
    assert bmc["failure"]["where"].endswith("program.bpl(4,23)")
    assert bmc["statistics"]["calls"] >= 1


def test_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert main(["logic", write(tmp_path, FIGURE_2), "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    for part in ("solver calls", "Block equations", "Transition relation TR", "SSA form", "Run 1"):
        assert part in text
    assert "x@0 == a + b" in text
    assert "&amp;&amp;" in text
    assert main(["logic", write(tmp_path, FIGURE_2), "--html", str(tmp_path / "no" / "x")]) == 2
    assert "No such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("procedure p() {} procedure q() {}", [], "name the one to start from with --main"),
        ("procedure p() {}", ["--main", "q"], "there is no procedure 'q' with a body"),
        ("procedure p();", [], "there is no procedure with a body"),
        ("procedure p( {}", [], "error"),
    ],
)
def test_bad_input(
    text: str,
    options: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["logic", write(tmp_path, text), *options]) == 2
    assert message in "".join(capsys.readouterr())


def test_candidates_of_contracts_do_not_count(tmp_path: Path) -> None:
    text = """
    const {:existential true} wrong: bool;
    procedure main(n: int) {
      var i: int;
      i := 0;
      while (i < 2) invariant wrong ==> i == 0; { i := i + 1; }
    }
    """
    assert main(["logic", write(tmp_path, text), "--method", "bmc"]) == 0
