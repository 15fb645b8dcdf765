"""`solvent ifcl`."""

from __future__ import annotations

import json

import pytest

from solvent.cli import main


def test_a_leak_is_a_violation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ifcl", "verify", "b1"]) == 1
    out = capsys.readouterr().out
    assert "B1: 3 steps: a secret leaks (confirmed by running both)" in out
    assert "first program" in out
    assert "≠" in out


def test_no_leak(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ifcl", "verify", "basic", "--steps", "3"]) == 0
    assert capsys.readouterr().out == "basic: 3 steps: verified, no program leaks a secret\n"


def test_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ifcl", "verify", "call", "--steps", "9", "--timeout", "0.2"]) == 3
    assert "unknown: timeout" in capsys.readouterr().out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ifcl", "verify", "J2", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["machine"] == "J2"
    assert found["holds"] is False
    assert found["counterexample"]["confirmed"] is True
    assert [len(lines) for lines in found["counterexample"]["programs"]] == [4, 4]
    assert found["counterexample"]["runs"][0][0] == {
        "pc": "0@L",
        "stack": [],
        "memory": ["0@L", "0@L"],
    }
    assert found["stats"]["run"]["joins"] > 0


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ifcl", "list"]) == 0
    assert "Pop removes return addresses" in capsys.readouterr().out
    assert main(["ifcl", "list", "--json"]) == 0
    machines = json.loads(capsys.readouterr().out)["machines"]
    assert [row["name"] for row in machines if row["correct"]] == ["basic", "jump", "call"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "nothing"], "there is no machine 'nothing'; there are B1"),
        (["verify", "B1", "--steps", "0"], "must be from 1 to 31, not 0"),
        (["verify", "B1", "--steps", "99"], "must be from 1 to 31, not 99"),
        (["verify", "B1", "--solver", "nosolver"], "there is no solver 'nosolver'"),
    ],
)
def test_bad_input(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ifcl", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


@pytest.mark.parametrize("arguments", [[], ["verify"], ["verify", "B1", "--steps", "x"]])
def test_bad_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["ifcl", *arguments])
    assert stopped.value.code == 2
    assert "Traceback" not in capsys.readouterr().err
