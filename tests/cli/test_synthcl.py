"""The command `solvent synthcl`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from solvent.cli import main, synthcl
from solvent.languages.synthcl.programs import walsh

Output = pytest.CaptureFixture[str]


def test_list(capsys: Output) -> None:
    assert main(["synthcl", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(synthcl.programs())
    assert len(lines) == 11


def test_show(capsys: Output) -> None:
    assert main(["synthcl", "show", "mm2"]) == 0
    assert "__kernel void mm2(" in capsys.readouterr().out
    assert main(["synthcl", "show", "FWT2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["opencl"].count("__kernel") == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "MM3"], "there is no program MM3; there are MM1, MM2,"),
        (["run", "MM2", "--size", "5"], "MM2 is for sizes that are multiples of 4"),
        (["run", "SF1", "--size", "5x5x5"], "the size of SF1 is wxh, not 5x5x5"),
        (["run", "SF6", "--size", "2"], "SF6 is for images of at least 3 by 3 pixels"),
        (["run", "FWT1", "--size", "6"], "FWT1 is for lengths that are powers of 2"),
        (["run", "FWT1", "--size", "x"], "--size needs positive integers between `x`, not 'x'"),
        (["verify", "FWT1", "--bounds", "0"], "--bounds needs positive integers"),
        (["synthesize", "SF1"], "SF1 has no sketch; there are those of MM2, SF3, SF7,"),
    ],
)
def test_bad_input(arguments: list[str], sentence: str, capsys: Output) -> None:
    assert main(["synthcl", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"solvent: {sentence}")


def test_no_runtime(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    assert main(["synthcl", "run", "FWT1", "--size", "4"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("solvent: no OpenCL runtime is here; `pip install 'solvent[opencl]'`")
    assert said.count("\n") == 1


def with_reference(reference: Callable[..., Any]) -> Callable[[], dict[str, synthcl.Program]]:
    """FWT1 with another reference."""
    known = synthcl.programs()["FWT1"]
    family = replace(known.family, reference=reference)
    return lambda: {"FWT1": replace(known, family=family)}


def wrong(numbers: list[Any]) -> list[Any]:
    """The last number is wrong."""
    found = walsh.transform(numbers)
    return [*found[:-1], found[-1] + 1]


def test_run(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    pytest.importorskip("pyopencl")
    assert main(["synthcl", "run", "FWT1", "--size", "8"]) == 0
    assert "all 8 cells are those of the reference" in capsys.readouterr().out
    monkeypatch.setattr(synthcl, "programs", with_reference(wrong))
    assert main(["synthcl", "run", "FWT1", "--size", "8", "--seed", "3"]) == 1
    assert "cell 7 differs: " in capsys.readouterr().out
    assert main(["synthcl", "run", "FWT1", "--size", "8", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["difference"]["cell"] == 7
    assert found["difference"]["opencl"] + 1 == found["difference"]["reference"]


def test_verify(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    assert main(["synthcl", "verify", "FWT1", "--bounds", "1,2,4"]) == 0
    assert "verified for 3 cases" in capsys.readouterr().out
    monkeypatch.setattr(synthcl, "programs", with_reference(wrong))
    assert main(["synthcl", "verify", "FWT1", "--bounds", "2", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["holds"]
    assert found["confirmed"]
    assert len(found["inputs"][0]) == 2


def test_synthesize(capsys: Output) -> None:
    assert main(["synthcl", "synthesize", "FWT2", "--opencl"]) == 0
    out, err = capsys.readouterr()
    assert out.count("__kernel void fwt2") == 2
    assert "completed, right for all of 1 cases" in err
