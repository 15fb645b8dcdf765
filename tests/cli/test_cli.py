"""The command line as a user meets it: output, exit codes, errors of one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import solvent
from solvent.cli import main
from solvent.terms.core import COMPILED
from tests.patience import FOREVER, patient

SCRIPT = """
(set-option :produce-unsat-cores true)
(declare-const x Int)
(declare-fun f (Int) Int)
(assert (! (> x 3) :named big))
(assert (! (= (f x) (+ x 1)) :named successor))
(check-sat)
(get-value (x (f x)))
(push 1)
(assert (! (< x 2) :named small))
(check-sat)
(get-unsat-core)
(pop 1)
(echo "done")
"""
HARD = """
(declare-const x Int) (declare-const y Int) (declare-const z Int)
(assert (= (+ (* x x x) (* y y y) (* z z z)) 42))
(assert (> x 1000)) (assert (< y (- 1000)))
(check-sat)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "a.smt2"
    path.write_text(SCRIPT)
    return path


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("solver", [None, "z3", "cvc5", "z3,cvc5"])
def test_solve(script: Path, solver: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["solve", str(script)] + (["--solver", solver] if solver else [])
    assert main(arguments) == 0
    output = lines(capsys)
    assert output[0] == "sat"
    assert output[1].startswith("((x ")
    assert output[2:4] == ["unsat", "(big small)"]
    assert output[4] == "done"


def test_solve_as_json(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(script), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [check["status"] for check in result["checks"]] == ["sat", "unsat"]
    assert result["status"] == "unsat"
    values = result["responses"][0]
    assert values["(f x)"] == values["x"] + 1
    assert result["responses"][1]["core"] == ["big", "small"]


def test_model_output_can_be_read_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.smt2"
    path.write_text(
        "(declare-const a (_ BitVec 8)) (declare-fun g (Bool) (_ BitVec 8))"
        "(assert (= (g true) (bvadd a #x01))) (assert (= (g false) #x07)) (check-sat) (get-model)"
    )
    assert main(["solve", str(path)]) == 0
    output = capsys.readouterr().out
    status, _, model = output.partition("\n")
    assert status == "sat"
    import z3

    definitions = model.strip()[1:-1]
    check = z3.Solver()
    text = path.read_text().partition("(check-sat)")[0]
    asserts = text[text.index("(assert") :]
    check.from_string(definitions + asserts)
    assert check.check() == z3.sat


def test_unknown_gives_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hard.smt2"
    path.write_text(HARD)
    assert main(["solve", str(path), "--timeout", "0.3"]) == 3
    assert lines(capsys) == ["unknown"]
    assert main(["solve", str(path), "--timeout", "0.3", "--json"]) == 3
    result = json.loads(capsys.readouterr().out)
    assert result["checks"][0]["reason"] == "timeout"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(assert (> x 3))", "{}:1:12: "),
        ("(declare-const x Int)\n(assert (and x true))", "{}:2:"),
        ("(declare-const x Int", "{}:1:1: "),
        ("(check-sat)\n(get-unsat-core)", "{}:2:1: a core exists only after the answer unsat"),
        ("(get-model)", "{}:1:1: a model exists only after the answer sat: no check was made"),
        ("(pop 1)", "{}:1:"),
        ("(declare-datatypes ((A 0)) (((a))))", "{}:1:"),
    ],
)
def test_bad_scripts(
    tmp_path: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.smt2"
    path.write_text(text)
    assert main(["solve", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("solvent: " + message.format(path))
    assert error.count("\n") == 1


def test_bad_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    binary = tmp_path / "binary.smt2"
    binary.write_bytes(b"\xff\xfe\x00")
    empty = tmp_path / "empty.smt2"
    empty.write_text("")
    for path, message in (
        (tmp_path / "none.smt2", "there is no such file"),
        (tmp_path, "this is a directory"),
        (binary, "not UTF-8 text"),
    ):
        assert main(["solve", str(path)]) == 2
        assert message in capsys.readouterr().err
    assert main(["solve", str(empty)]) == 0
    assert capsys.readouterr().out == ""


def test_bad_options(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(script), "--solver", "minisat"]) == 2
    assert "there is no solver 'minisat'" in capsys.readouterr().err
    assert main(["solve", str(script), "--solver", "bitwuzla"]) == 2
    assert "a.smt2:7:1: bitwuzla has no theory of Int" in capsys.readouterr().err
    for arguments in (["--timeout", "0"], ["--timeout", "soon"], ["--nonsense"]):
        with pytest.raises(SystemExit) as stopped:
            main(["solve", str(script), *arguments])
        assert stopped.value.code == 2
    assert main([]) == 2


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"solvent {solvent.__version__}\n"


def test_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["healthy"] is True
    found = {entry["solver"]: entry for entry in result["solvers"]}
    assert set(found) == {"z3", "bitwuzla", "cvc5"}
    assert len(found["z3"]["theories"]) == 9
    assert "integers" in found["bitwuzla"]["missing"]
    assert result["core"] == ("compiled" if COMPILED else "python")
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert "everything answers correctly" in shown
    assert ("the core is compiled" in shown) == COMPILED


def test_doctor_notices_a_wrong_solver(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from solvent.cli import doctor
    from solvent.solvers import Solver, Status
    from solvent.terms import Model

    monkeypatch.setattr(Solver, "check", lambda self, *_, **__: Status.SAT)
    monkeypatch.setattr(Solver, "model", lambda self: Model())
    assert main(["doctor", "--json"]) == 1
    result = json.loads(capsys.readouterr().out)
    assert result["healthy"] is False
    assert len(doctor.diagnose("z3").problems) == 9


def test_demo(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    output = capsys.readouterr().out
    assert "9567 + 1085 = 10652" in output
    assert "Every answer was checked" in output


@pytest.mark.parametrize("module", ["solvent.terms.arrays", "solvent.lift", "solvent.cli.solve"])
def test_ctrl_c_while_solvent_is_imported(module: str) -> None:
    program = (
        "import os, signal, sys\n"
        "class Ctrl:\n"
        "    def find_spec(self, name, path, target=None):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.meta_path.insert(0, Ctrl())\n"
        "from solvent_command import main\n"
        "sys.argv = ['solvent', 'solve', 'none.smt2']\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=dict(os.environ),
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "solvent: interrupted\n")


def test_the_command_runs_what_it_imports() -> None:
    program = "import sys; from solvent_command import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, "solve", "none.smt2"],
        capture_output=True,
        text=True,
        env=dict(os.environ),
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "solvent: none.smt2: there is no such file\n")


@pytest.mark.parametrize("limit", ["-5", "0", "abc"])
def test_a_limit_of_the_environment_that_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], limit: str, tmp_path: Path
) -> None:
    path = tmp_path / "small.smt2"
    path.write_text("(check-sat)")
    monkeypatch.setenv("SOLVENT_MEMORY_LIMIT", limit)
    assert main(["solve", str(path)]) == 2
    assert f"must be a positive number, not '{limit}'" in capsys.readouterr().err


def test_a_command_of_a_solver_that_is_none(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "small.smt2"
    path.write_text("(check-sat)")
    assert main(["solve", "--solver", "smtlib:z3 'x", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_ctrl_c(tmp_path: Path) -> None:
    path = tmp_path / "hard.smt2"
    path.write_text(HARD)
    program = (
        "import os, signal, sys, threading\n"
        "from solvent.cli import main, solve\n"
        f"threading.Timer({patient(1.5)}, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        f"sys.exit(main(['solve', {str(path)!r}]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=FOREVER,
        env=dict(os.environ),
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "")
    # A machine that is very busy has not read the script by then.
    covered = ("0 of 1 checks decided; it was busy with this: check 1 of 1", "nothing is decided; ")
    stopped = "unknown: stopped by Ctrl-C; "
    assert done.stdout.startswith(tuple(stopped + one for one in covered))
