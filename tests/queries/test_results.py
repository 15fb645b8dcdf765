"""How answers look: text, rich console, notebook, JSON."""

from __future__ import annotations

import json
import pickle

from rich.console import Console

from solvent import Int, solve, verify
from solvent.queries.replay import shown


def halve(x: int) -> int:
    assert x != 3, "three"
    return x // 2


def text_of(value: object) -> str:
    console = Console(width=200, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(value)
    return console.export_text()


def test_a_counterexample() -> None:
    result = verify(halve)
    lines = str(result).splitlines()
    assert lines[0].endswith(": AssertionError: three when calling halve(x=3)")
    assert lines[0].startswith("tests/queries/test_results.py:") or ":" in lines[0]
    assert lines[1:3] == ["  inputs tried: x: any int", "  call: halve(x=3)"]
    assert lines[3].startswith("  confirmed: CPython raised AssertionError: three")
    assert repr(result) == str(result)
    assert lines[0] in text_of(result)
    assert "checks by" in text_of(result)
    page = result._repr_html_()
    assert "halve(x=3)" in page
    assert "color:red" in page


def test_json() -> None:
    data = json.loads(json.dumps(verify(halve).as_dict()))
    assert data["status"] == "sat"
    assert data["inputs"] == {"x": "3"}
    assert data["failure"]["message"] == "three"
    assert data["stats"]["checks"] == 1
    assert set(data["stats"]["run"]) >= {"joins", "unions", "terms", "seconds"}
    proved = verify(lambda x: None, Int("x")).as_dict()
    assert proved["status"] == "unsat"
    assert "inputs" not in proved


def test_html_is_escaped() -> None:
    def tags(x: str) -> None:
        assert x != "<b>"

    assert "<b>'" not in verify(tags)._repr_html_()
    assert "&lt;b&gt;" in verify(tags)._repr_html_()


def test_results_can_be_stored() -> None:
    result = verify(halve)
    again = pickle.loads(pickle.dumps(result))
    assert str(again) == str(result)
    solution = solve(halve)
    assert pickle.loads(pickle.dumps(solution)).value == solution.value


def test_long_and_broken_values() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise ValueError

    assert shown(Broken()) == "<Broken whose repr raises ValueError>"
    assert len(shown("x" * 1000)) == 200
