"""Counterexamples as pages: what is in them, whoever ran the program."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from solvent.cli import main
from solvent.cli.tracing import machine_story
from solvent.pages import page, table
from solvent.queries.stepping import stepped
from solvent.riscu.cstar import compile_text
from tests.pages.samples import EVIL, write_page_of, write_texts


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_texts(tmp_path)
    monkeypatch.chdir(tmp_path)


def steps(name: str) -> list[dict[str, Any]]:
    text = write_page_of(name).read_text()
    (found,) = re.findall(r'<script type="application/json">(.*?)</script>', text)
    rows: list[dict[str, Any]] = json.loads(found)
    return rows


def test_python() -> None:
    rows = steps("verify")
    assert rows[-1]["fails"]
    assert rows[-1]["at"] == "program.py:11"
    assert any(row["at"] == "program.py:2" and "place = " in row["values"] for row in rows)
    # What the program says is shown, and does nothing.
    assert EVIL in rows[-1]["text"]
    text = Path("verify.html").read_text()
    assert EVIL not in text
    assert "positive: verified" in text


def test_boogie() -> None:
    rows = steps("reach")
    assert [(row["at"], row["values"]) for row in rows[1:4]] == [
        ("loop.bpl:4", "i = 0"),
        ("loop.bpl:7", "i = 2"),
        ("loop.bpl:7", "i = 4"),
    ]
    assert rows[-1]["at"] == "loop.bpl:9"
    assert rows[-1]["fails"]


def test_cstar() -> None:
    rows = steps("cstar")
    assert [row["at"] for row in rows[-3:]] == ["division.c:8", "division.c:9", "division.c:10"]
    assert rows[-1]["text"] == "division by zero"
    assert rows[2]["values"] == "y = 10 (t0 = 10)"
    assert rows[-2]["values"].startswith("y = 0 ")


RECURSIVE = """\
uint64_t total = 0;
uint64_t add(uint64_t n, uint64_t k) {
  uint64_t r;
  if (n == 0)
    return k;
  r = add(n - 1, k + 2);
  total = total + r;
  return r;
}
uint64_t main() {
  uint64_t y;
  y = add(2, 3);
  return y / (total - 14);
}
"""


def test_variables_of_a_machine_are_those_of_the_frame_that_runs() -> None:
    story = machine_story(compile_text(RECURSIVE, "add.c"), "division by zero", b"")
    rows = [(step.line, re.sub(r" ?\(.*\)$", "", step.values)) for step in story.steps]
    named = [row for row in rows if " = " in row[1] and not re.match(r"(ra|sp|a\d|t\d) =", row[1])]
    assert named == [
        (2, "n = 2, k = 3"),
        (2, "n = 1, k = 5"),
        (2, "n = 0, k = 7"),
        (6, "r = 7"),
        (7, "total = 7"),
        (6, "r = 7"),
        (7, "total = 14"),
        (12, "y = 7"),
    ]
    assert story.steps[-1].text == "division by zero"


def test_btor2() -> None:
    text = write_page_of("btor2").read_text()
    assert "b0 (reached) is violated at time 3" in text
    assert "<td>3</td>" in text
    assert "b11 " in Path("counter.vcd").read_text()


def test_what_holds_has_a_page_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "program.py::positive", "--html", "good.html"]) == 0
    text = Path("good.html").read_text()
    assert "positive: verified" in text
    assert "<script" not in text
    assert main(["verify", "program.py::positive", "--html", "no/such/folder.html"]) == 2
    assert "no/such/folder.html: No such file or directory" in capsys.readouterr().err


def recursive(n: int) -> int:
    if n == 0:
        raise ValueError("the end")
    m = n - 1
    return recursive(m)


def test_each_call_has_its_own_variables() -> None:
    lines = stepped(recursive, "recursive(n=2)")
    assert [line.values for line in lines if line.values] == [{"m": "1"}, {"m": "0"}]
    assert lines[-1].said == "ValueError: the end"
    assert [line.fails for line in lines].count(True) == 1
    assert stepped(recursive, "nobody(n=2)") == []


def test_cells_are_escaped_and_pages_ask_for_nothing() -> None:
    text = page(EVIL, [table([EVIL], [[EVIL]])])
    assert EVIL not in text
    assert not re.search(r"(src|href)=\"(?!data:)", text)
    assert "http" not in text
