"""What `from solvent import ...` offers, and what it says about names that live elsewhere."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import solvent
from solvent import moved

ROOT = Path(__file__).parents[1]

OFFERED = {
    *("verify", "verify_all", "solve", "solve_all", "optimize", "synthesize", "debug"),
    *("Options", "session"),
    *("integers", "lists", "texts", "tuples", "sets", "dicts", "objects", "one_of"),
    *("choose", "hole", "grammar", "complete"),
    *("Bool", "Int", "Real", "BitVec", "Float", "Str"),
    *("lifted", "assume", "evaluate"),
    "Solver",
    *("SolventError", "NotLiftedError", "UnboundedError", "UnwindingError"),
}

# What would hide a builtin, a module or a variable of the user.
NOT_POURED_OUT = (
    "repeat",
    "floor",
    "sqrt",
    "select",
    "state",
    "size",
    "contains",
    "length",
    "lift",
)


def test_the_list_is_exact() -> None:
    assert set(solvent.__all__) == OFFERED
    assert len(solvent.__all__) == len(OFFERED)


def test_a_star_gives_these_names_only() -> None:
    names: dict[str, object] = {}
    exec("from solvent import *", names)
    del names["__builtins__"]
    assert set(names) == OFFERED
    assert not OFFERED.intersection(NOT_POURED_OUT)


def test_each_group_of_the_list_has_a_comment() -> None:
    text = Path(solvent.__file__).read_text()
    listed = text.partition("__all__ = [")[2].partition("\n]")[0].splitlines()[1:]
    assert listed[0].lstrip().startswith("# ")
    groups = [line for line in listed if line.lstrip().startswith("# ")]
    assert all(line.endswith((".", ";")) for line in groups)
    assert len(groups) == 8


@pytest.mark.parametrize("part", moved.PARTS)
def test_every_name_of_a_part_is_there(part: str) -> None:
    module = importlib.import_module(f"solvent.{part}")
    for name in getattr(module, "__all__", ()):
        names: dict[str, object] = {}
        exec(f"from solvent.{part} import {name}", names)
        assert names[name] is getattr(module, name)


def _fails(statement: str, error: type[Exception]) -> str:
    with pytest.raises(error) as caught:
        exec(statement, {"solvent": solvent})
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("ite", "terms"),
        ("distinct", "terms"),
        ("sqrt", "terms"),
        ("execute", "lift"),
        ("symbolics", "lift"),
        ("ask_all", "queries"),
        ("choose_each", "sketch"),
        ("Status", "solvers"),
        ("SortError", "errors"),
    ],
)
def test_old_spellings_are_told_the_new_one(name: str, part: str) -> None:
    told = f"`{name}` is in solvent.{part}: from solvent.{part} import {name}"
    assert _fails(f"from solvent import {name}", ImportError) == told
    assert _fails(f"solvent.{name}", AttributeError) == told
    assert not hasattr(solvent, name)
    exec(told.partition(": ")[2], {})


@pytest.mark.parametrize("name", solvent.terms.__all__)
def test_every_function_on_terms_is_found_or_offered(name: str) -> None:
    assert name in OFFERED or moved.sentence(name) is not None


@pytest.mark.parametrize(
    "statement",
    ["import solvent.machine", "from solvent import machine", "from solvent.machine import check"],
)
def test_a_package_that_was_renamed(statement: str) -> None:
    told = "`solvent.machine` is now `solvent.riscu`: import solvent.riscu"
    assert _fails(statement, ImportError) == told
    exec(told.partition(": ")[2], {})


def test_what_nobody_has_fails_as_usual() -> None:
    assert "cannot import name 'nonsense'" in _fails("from solvent import nonsense", ImportError)
    assert "No module named" in _fails("import solvent.nonsense", ModuleNotFoundError)
    assert "no attribute 'nonsense'" in _fails("solvent.nonsense", AttributeError)
    # A module below a part is nobody's old spelling.
    assert "No module named" in _fails("import solvent.terms.ite", ModuleNotFoundError)


def test_the_sentence_is_what_a_user_sees() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from solvent import ite"],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(ROOT / "src")},
    )
    last = done.stderr.strip().splitlines()[-1]
    assert last == "ImportError: `ite` is in solvent.terms: from solvent.terms import ite"


def test_nothing_here_imports_a_star() -> None:
    # At the start of a line, also behind a prompt; strings with other text in front do not count.
    star = re.compile(r"^\s*(>>> |\.\.\. )?from solvent\S* import \*", re.MULTILINE)
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    files = [
        path for part in ("src", "tests", "benchmarks") for path in (ROOT / part).rglob("*.py")
    ]
    assert [str(path) for path in [*pages, *files] if star.search(path.read_text())] == []
