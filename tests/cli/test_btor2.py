"""`solvent btor2`: reports, JSON, witnesses, exit codes, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solvent.cli import main
from tests.btor2.test_witness import COUNTER, EXAMPLE

HOLDS = """\
1 sort bitvec 1
2 zero 1
3 state 1
4 init 1 3 2
5 next 1 3 3
6 bad 3 never
"""


@pytest.fixture
def counter(tmp_path: Path) -> str:
    path = tmp_path / "counter.btor2"
    path.write_text(COUNTER)
    return str(path)


def test_a_violation(counter: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    witness = str(tmp_path / "w.wit")
    assert main(["btor2", "check", counter, "-kmax", "5", "--witness", witness]) == 1
    assert capsys.readouterr().out == "b0 (nine) is violated at time 1\n"
    assert main(["btor2", "replay", counter, witness]) == 0
    assert capsys.readouterr().out == "b0 holds: at time 1\n"
    Path(witness).write_text("sat\nb0\n@0\n0 0001\n@1\n.\n")
    assert main(["btor2", "replay", counter, witness]) == 1
    assert "b0 does not hold: it does not hold at any time" in capsys.readouterr().out


def test_holds_and_bounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "holds.btor2"
    path.write_text(HOLDS)
    assert main(["btor2", "check", str(path)]) == 0
    assert "b0 (never) holds" in capsys.readouterr().out
    path.write_text(COUNTER.replace("constraint 13", "constraint 13\n15 ugt 1 4 4\n16 bad 15"))
    arguments = ["btor2", "check", str(path), "--engine", "bmc", "-kmax", "3", "-kmin", "2"]
    assert main([*arguments, "--all"]) == 1
    assert capsys.readouterr().out.splitlines()[1] == "b1 holds up to time 3"
    path.write_text("1 sort bitvec 1\n")
    assert main(["btor2", "check", str(path)]) == 0
    assert "there is no property to check" in capsys.readouterr().out
    path.write_text(COUNTER)
    assert main(["btor2", "check", str(path), "--engine", "bmc", "-kmax", "0"]) == 3


def test_json(counter: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["btor2", "check", counter, "--json", "--engine", "kind"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "violated"
    assert found["properties"][0]["time"] == 1
    assert found["properties"][0]["engine"] == "k-induction"
    assert found["witnesses"][0].startswith("sat\nb0\n#0\n@0\n0 1001 by@0\n")
    assert main(["btor2", "simulate", counter, "--steps", "3", "--json"]) == 0
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert steps[0]["states"] == {"n": 0}
    assert steps[1]["states"]["n"] == steps[0]["inputs"]["by"]


def test_simulation(counter: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["btor2", "simulate", counter, "--steps", "40", "--seed", "3"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("0: n = 0, by = ")
    assert "b0 holds" in text
    assert "constraint 0 does not hold" in text


def test_inputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, output = tmp_path / "e.wit", tmp_path / "input.txt"
    path.write_text(EXAMPLE)
    assert main(["btor2", "inputs", str(path), "-o", str(output)]) == 0
    assert capsys.readouterr().out == (
        "properties: b1\nvalue 12852 at frame 1: b'42'\ninput: b'42'\n"
        "memory: value 2 at address 66096\n"
    )
    assert output.read_bytes() == b"42"
    assert main(["btor2", "inputs", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["input"] == "42"
    assert found["memory"] == [{"address": 66096, "value": 2}]


def test_bad_input(counter: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.btor2"
    bad.write_text("1 sort bitvec 0\n")
    assert main(["btor2", "check", str(bad)]) == 2
    assert "bad.btor2(1,15): Error: a width is expected" in capsys.readouterr().err
    wit = tmp_path / "bad.wit"
    wit.write_text("unsat\n")
    assert main(["btor2", "replay", counter, str(wit)]) == 2
    assert 'Parser Error: "sat" expected but "unsat" found!' in capsys.readouterr().err
    assert main(["btor2", "check", str(tmp_path / "none")]) == 2
    assert main(["btor2", "check", counter, "--witness", str(tmp_path)]) == 2
    assert main(["btor2", "inputs", str(wit)]) == 2
    assert main(["btor2"]) == 2
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["btor2", "check", counter, "-kmax", "many"])
    assert "a positive integer is needed, not 'many'" in capsys.readouterr().err


def test_progress_on_a_terminal(
    counter: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["btor2", "check", counter, "--engine", "bmc"])
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    main(["btor2", "check", counter, "--engine", "bmc"])
    captured = capsys.readouterr()
    assert "\r\x1b[2K0 s  " in captured.err
    assert captured.out == "b0 (nine) is violated at time 1\n"


# --- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["check", "simulate", "inputs", "replay"])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("loop", "Too many levels of symbolic links"),
        ("nothing", "there is no such file"),
        ("folder", "this is a directory, a file is needed"),
        ("garbage", "not UTF-8 text (byte 0)"),
    ],
)
def test_files_that_are_none(
    action: str,
    name: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    Path("folder").mkdir()
    Path("garbage").write_bytes(b"\xff\xfe\x00")
    Path("good").write_text(HOLDS)
    arguments = ["good", name] if action == "replay" else [name]
    assert main(["btor2", action, *arguments]) == 2
    assert capsys.readouterr().err == f"solvent: {name}: {message}\n"


def test_long_numbers_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wide.btor2"
    path.write_text("1 sort bitvec 20000\n2 ones 1\n3 state 1 s\n4 init 1 3 2\n5 next 1 3 3\n")
    assert main(["btor2", "simulate", str(path), "--steps", "1"]) == 0
    assert capsys.readouterr().out == f"0: s = 0x{'f' * 5000}\n"
    assert main(["btor2", "simulate", str(path), "--steps", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["steps"][0]["states"] == {"s": f"0x{'f' * 5000}"}
    witness = tmp_path / "wide.wit"
    witness.write_text(f"sat\nb0\n#0\n0 [1] {'1' * 20000}\n@0\n0 {'1' * 20000}\n.\n")
    assert main(["btor2", "inputs", str(witness)]) == 0
    assert f"memory: value 0x{'f' * 5000} at address 1\n" in capsys.readouterr().out
    assert main(["btor2", "inputs", str(witness), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["memory"][0]["address"] == 1
