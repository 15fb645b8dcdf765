"""How answers look: text, rich console, notebook, JSON."""

from __future__ import annotations

import json
import pickle
import re

from rich.console import Console

from solvent import Int, Options, debug, solve, verify
from solvent.queries.coverage import Coverage
from solvent.queries.replay import shown
from solvent.queries.results import QueryStats
from solvent.vm.report import Stats
from tests.patience import FOREVER


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
    assert re.search(r"\d checks? by \w+ in ", text_of(result))
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


class Account:
    """Has no text of its own, or one that must not be asked for."""

    def __init__(self, balance: int) -> None:
        self.balance = balance

    def __repr__(self) -> str:
        raise AssertionError("what was made by a call is written as the call")


def spent(account: Account, amount: int) -> None:
    account.balance -= amount
    assert account.balance != 3


def test_inputs_are_written_as_they_were_made() -> None:
    for options in Options(), Options(budget=FOREVER):
        result = verify(spent, options=options)
        balance, amount = result.inputs["account"].balance, result.inputs["amount"]
        expected = {"account": f"Account(balance={balance})", "amount": f"{amount}"}
        assert result.as_dict()["inputs"] == expected
        assert result.findings[0].inputs == expected
    assert solve(spent).as_dict()["inputs"]["account"].startswith("Account(balance=")
    assert debug(spent).as_dict()["inputs"]["account"].startswith("Account(balance=")


def test_what_was_not_done_is_not_counted() -> None:
    assert str(QueryStats(Stats(), seconds=0.5)) == "0.50 s"
    asked = QueryStats(Stats(), "z3", 1, 0.25, 0.5)
    assert str(asked) == "0.50 s: 1 check by z3 in 0.25 s"
    run = QueryStats(Stats(terms=1200, joins=3, seconds=0.1), "cvc5", 2, 0.25, 0.5)
    assert str(run) == "0.50 s: 1,200 terms and 3 joins in 0.10 s, 2 checks by cvc5 in 0.25 s"


def test_probes_that_did_not_return_are_told_apart_from_none() -> None:
    late = "the time was over"
    assert list(Coverage(no_probes=late).lines()) == [f"covered: no probes ({late})"]
    stuck = Coverage(no_probes=late, seen=("with (0) it took too long",))
    assert list(stuck.lines()) == [
        f"covered: no probe returned ({late}); with (0) it took too long"
    ]


def test_who_drew_the_probes_is_told() -> None:
    drawn = Coverage(probes=1180, drawn=1000, open=("more",))
    assert list(drawn.lines()) == [
        "covered: 1180 probes, 1000 of them drawn by Hypothesis",
        "open: more",
    ]
    assert drawn.as_dict()["drawn"] == 1000
