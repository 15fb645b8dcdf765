"""`[tool.solvent]` in `pyproject.toml`: what the command line leaves open."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

import pytest

from solvent.cli import COMMANDS, build_parser, main, settings

PROGRAM = """
class Refused(Exception): pass

def short(xs: list[int]) -> None:
    assert len(xs) < 3

def refusing(x: int) -> None:
    if x < 0:
        raise Refused
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder inside of a project."""
    inner = tmp_path / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (inner / "p.py").write_text(PROGRAM)
    return tmp_path


def verified(capsys: pytest.CaptureFixture[str], *more: str) -> set[str]:
    main(["verify", "p.py", "--json", *more])
    captured = capsys.readouterr()
    assert captured.err == ""
    rows = json.loads(captured.out)["results"]
    return {row["function"] for row in rows if row["status"] == "unsat"}


def test_settings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verified(capsys) == set()
    path = folder / "pyproject.toml"
    path.write_text("[tool.solvent]\nmax-len = 2\n")
    assert verified(capsys) == {"short"}
    # What is given counts, also if it is the default.
    assert verified(capsys, "--max-len", "3") == set()
    path.write_text('[tool.solvent]\nmax_len = 2\nraises = ["Refused"]\ntimeout = 60.5\n')
    assert verified(capsys) == {"short", "refusing"}
    assert verified(capsys, "--raises", "KeyError") == {"short"}
    shutil.rmtree(folder / ".solvent_cache", ignore_errors=True)
    path.write_text('[tool.solvent]\nassertions-only = true\nsolver = "z3"\ncache = false\n')
    assert verified(capsys) == {"refusing"}
    assert not (folder / ".solvent_cache").exists()
    path.write_text("[project]\nname = 'a'\n")
    assert verified(capsys) == set()


def test_commands_with_tables_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("pyproject.toml")
    path.write_text(
        "[tool.solvent]\nmax-len = 2\n[tool.solvent.solve]\nbudget = 7.5\nquiet = true\n"
        "[tool.solvent.boogie.verify]\nbudget = 8\n"
    )
    assert verified(capsys) == {"short"}
    for command, budget, quiet in (
        ("solve p.py::short", 7.5, True),
        ("boogie verify p.bpl", 8, False),
        # What is given counts.
        ("solve p.py::short --budget 9", 9, True),
        ("debug p.py::short", None, False),
    ):
        words = command.split()
        found = build_parser(words[0]).parse_args(words)
        assert (found.budget, found.quiet) == (budget, quiet)
    path.write_text("[tool.solvent.solve]\nbudgte = 3\n[tool.solvent.debug]\nbudget = 0\n")
    assert main(["solve", "p.py::short", "--json"]) == 2
    captured = capsys.readouterr()
    assert "[tool.solvent.solve] has no key 'budgte'; it has: alias, bound, budget" in captured.err
    assert json.loads(captured.out)["error"] in captured.err
    assert main(["debug", "p.py::short"]) == 2
    assert "[tool.solvent.debug] budget: a positive number is needed" in capsys.readouterr().err
    assert verified(capsys) == set()


def test_which_commands_have_tables() -> None:
    """Those that have a budget of their own; `verify` has what is not in a table inside."""
    found = set()
    for name in COMMANDS:
        parsers = [build_parser(name)]
        for parser in parsers:
            if parser.get_default("supervised"):
                found.add(parser.prog.split()[1])
            for action in parser._actions:
                if isinstance(action, argparse._SubParsersAction):
                    parsers += action.choices.values()
    assert found == settings.COMMANDS


def test_the_nearest_file_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "pyproject.toml").write_text("[tool.solvent]\nmax-len = 2\n")
    Path("pyproject.toml").write_text("[tool.other]\n")
    assert verified(capsys) == set()


def test_excluded_files(capsys: pytest.CaptureFixture[str]) -> None:
    Path("other.py").write_text("1 // 0\n")
    Path("pyproject.toml").write_text('[tool.solvent]\nexclude = ["oth*.py"]\n')
    assert main(["verify", "."]) == 1
    assert capsys.readouterr().err == ""
    assert main(["verify", ".", "--exclude", "p.py"]) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.solvent]\nmaxlen = 3", "pyproject.toml: [tool.solvent] has no key 'maxlen'"),
        ("[tool.solvent]\nmax-len = '3'", "[tool.solvent] max-len: a number is needed, not '3'"),
        ("[tool.solvent]\nmax-len = true", "max-len: a number is needed, not True"),
        ("[tool.solvent]\nmax-len = -1", "max-len: a number is needed, not '-1'"),
        ("[tool.solvent]\nbound = 1.5", "bound: a number is needed, not '1.5'"),
        ("[tool.solvent]\ntimeout = 0", "timeout: a positive number is needed, not '0'"),
        ("[tool.solvent]\ncache = 1", "cache: true or false is needed, not 1"),
        ("[tool.solvent]\nalias = 'no'", "alias: true or false is needed, not 'no'"),
        ("[tool.solvent]\nraises = [1]", "raises: a list of texts is needed, not [1]"),
        ("[tool.solvent]\nexclude = {a = 1}", "exclude: a list of texts is needed"),
        ("[tool.solvent]\nsolver = 3", "solver: a text is needed, not 3"),
        ("[tool.solvent]\njson = true", "has no key 'json'"),
        ("[tool.solvent]\ntarget = 'p.py'", "has no key 'target'"),
        ("[tool]\nsolvent = 3", "[tool.solvent] must be a table, not 3"),
        ("tool = 3", ""),
        ("[tool.solvent\n", "pyproject.toml: "),
        ("[tool.solvent]\nraises = 'Nope'", "--raises Nope: there is no exception"),
        (b"\xff", "pyproject.toml: not UTF-8 text (byte 0)"),
    ],
)
def test_mistakes(text: str | bytes, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("pyproject.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    code = main(["verify", "p.py"])
    captured = capsys.readouterr()
    if message:
        assert code == 2
        assert captured.err.startswith("solvent: ")
        assert message in captured.err
        assert captured.err.count("\n") == 1
    else:
        assert code == 1


def test_a_library_can_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    for names in ("json.JSONDecodeError,Refused", "p.Refused", "Refused , ValueError"):
        assert "refusing" in verified(capsys, "--raises", names)
    assert main(["verify", "p.py", "--raises", "json.nope"]) == 2
    assert "--raises json.nope: there is no exception with this name" in capsys.readouterr().err
