"""What is imported when: counted, since times depend on the machine."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import solvent
from solvent.cli import COMMANDS, main
from solvent.solvers import ahead
from solvent.solvers.process import pool

ROOT = Path(__file__).parents[1]

# What takes long to import, and is needed by few.
HEAVY = {
    *("asyncio", "bitwuzla", "cvc5", "dd", "http", "lxml", "multiprocessing", "numpy", "z3"),
    *("solvent.boogie", "solvent.btor2", "solvent.explore", "solvent.languages", "solvent.logic"),
    *("solvent.reach", "solvent.reference", "solvent.riscu", "solvent.terms.smtlib"),
    *("solvent.lift.twins.datetime", "solvent.lift.twins.decimal", "solvent.lift.twins.json"),
}
# What is not needed either by one who only asks for the version.
PARTS = {f"solvent.{part}" for part in ("terms", "solvers", "vm", "lift", "queries", "sketch")}

PROGRAM = """\
import json, sys
before = set(sys.modules)
try:
    {statement}
except SystemExit:
    pass
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def modules_of(statement: str, **environment: str) -> set[str]:
    """The modules that a statement imports in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(statement=statement)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment},
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def own(modules: set[str]) -> set[str]:
    return {name for name in modules if name.partition(".")[0] == "solvent"}


def test_the_package_alone_imports_next_to_nothing() -> None:
    found = modules_of("import solvent")
    assert own(found) == {"solvent", "solvent.moved"}
    assert len(found) <= 40


def test_special_names_are_not_looked_for() -> None:
    found = modules_of("import solvent; hasattr(solvent, '__wrapped__')")
    assert own(found) == {"solvent", "solvent.moved"}


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_what_there_is_can_be_told_without_it(argument: str) -> None:
    found = modules_of(f"from solvent.cli import main; main(['{argument}'])")
    assert not found & {*HEAVY, *PARTS, "rich"}
    assert len(own(found)) <= 15
    assert len(found) <= 90


def test_a_check_imports_what_it_needs(tmp_path: Path) -> None:
    file = tmp_path / "halves.py"
    file.write_text("def half(n: int) -> int:\n    return 1 // n\n")
    found = modules_of(f"from solvent.cli import main; main(['verify', {str(file)!r}])")
    assert "solvent.queries.verifying" in found
    assert not found & {*HEAVY, "solvent.sketch", "solvent.strategies.given", "hypothesis"}
    assert not found & {f"solvent.queries.{part}" for part in ("sessions", "synthesizing")}
    assert len(own(found)) <= 416
    assert len(found) <= 540


def test_a_model_is_checked_without_what_is_for_python(tmp_path: Path) -> None:
    file = tmp_path / "n.btor2"
    file.write_text("1 sort bitvec 1\n2 input 1 x\n3 bad 2 set\n")
    found = modules_of(f"from solvent.cli import main; main(['btor2', 'check', {str(file)!r}])")
    assert "solvent.btor2.engines" in found
    assert not found & (HEAVY - {"solvent.btor2"})
    assert not found & {f"solvent.{part}" for part in ("vm", "lift", "queries", "sketch")}
    assert len(own(found)) <= 132
    assert len(found) <= 260


def test_the_second_start_rewrites_nothing(tmp_path: Path) -> None:
    places = {"PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""}
    # The syntax trees of the files with functions that had to be rewritten.
    statement = "from solvent.lift import source, runtime; sys.modules.update(source._FILES)"
    first, second = (modules_of(statement, **places) for _ in range(2))
    assert any(name.endswith("itertools.py") for name in first)
    assert not any(name.endswith(".py") for name in second)


def test_every_part_is_in_the_table() -> None:
    folder = ROOT / "src" / "solvent"
    files = {path.stem for path in folder.glob("*.py")} - {"__init__", "__main__"}
    folders = {path.parent.name for path in folder.glob("*/__init__.py")}
    assert set(solvent._PARTS) == files | folders
    assert set(solvent._PART_OF) == set(solvent.__all__)


def test_names_are_shown_before_they_are_imported() -> None:
    assert set(solvent.__all__) <= set(dir(solvent))
    assert set(solvent.solvers.__all__) <= set(dir(solvent.solvers))


def test_the_table_of_commands_says_what_they_say_themselves() -> None:
    commands = argparse.ArgumentParser().add_subparsers()
    for module in dict.fromkeys(known.module for known in COMMANDS.values()):
        import_module(f"solvent.cli.{module}").add_parser(commands)
    told = {action.dest: action.help for action in commands._choices_actions}
    assert told == {name: known.help for name, known in COMMANDS.items()}


@pytest.mark.parametrize(
    ("arguments", "starts"),
    [
        # Probes come first, and the race starts its own.
        (["verify", "no-such-file.py"], False),
        (["debug", "no-such-file.py::f"], True),
        (["debug", "no-such-file.py::f", "--solver=bitwuzla"], False),
        (["debug", "no-such-file.py::f", "--solver", "bitwuzla"], False),
        (["debug", "--help"], False),
        (["debug"], False),
        (["solve", "no-such-file.smt2"], False),
        (["nonsense", "no-such-file.py"], False),
    ],
)
def test_a_solver_starts_before_all_else_if_it_will_be_asked(
    arguments: list[str], starts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[bool] = []
    monkeypatch.setattr(ahead, "start", lambda: started.append(True))
    with contextlib.suppress(SystemExit):
        main(arguments)
    assert started == [True] * starts


@pytest.mark.parametrize(
    ("solver", "memory", "prepared"),
    [
        ("", "", [("z3", 0)]),
        ("auto", "100", [("z3", 100 << 20)]),
        ("bitwuzla", "", [("bitwuzla", 0)]),
        ("smtlib:some-solver", "", []),
        ("nonsense", "", []),
        ("", "nonsense", []),
    ],
)
def test_the_solver_of_the_settings_is_started(
    solver: str, memory: str, prepared: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOLVENT_SOLVER", solver)
    monkeypatch.setenv("SOLVENT_MEMORY_LIMIT", memory)
    found: list[tuple[str, int]] = []
    monkeypatch.setattr(pool, "prepare", lambda name, limit: found.append((name, limit)))
    ahead.start()
    assert found == prepared
