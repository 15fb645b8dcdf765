"""Type checkers accept the examples of the documentation, as a user's editor would check them.

The examples of a page are one module.  Those that end in a traceback are meant to be wrong and left
out.  The checkers run once each, on all pages and on one module that has a mistake.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

# Pages whose language has types that are values, and annotations that are calls.
FIRST_LINES = {
    "synthcl": '# mypy: disable-error-code="valid-type,misc"\n'
    "# pyright: reportInvalidTypeForm=false, reportCallIssue=false\n",
    "opencl": '# mypy: disable-error-code="valid-type"\n# pyright: reportInvalidTypeForm=false\n',
}

# Examples use names again, and show by what they print that an answer is not None.
MYPY = """
[mypy]
check_untyped_defs = True
allow_redefinition_new = True
local_partial_types = True
disable_error_code = no-redef, union-attr
"""
OFF = ("Redeclaration", "UnusedExpression", "OptionalMemberAccess", "OptionalSubscript")
PYRIGHT = {
    "typeCheckingMode": "standard",
    "extraPaths": [str(ROOT / "src")],
    **{f"report{rule}": "none" for rule in (*OFF, "OptionalIterable", "OptionalCall")},
}

WRONG = """from solvent import Int, Options, lifted, verify

@lifted
def absolute(x: int) -> int:
    return x if x > 0 else -x

absolute(Int("x")) + (Int("y") + 1 > 3)
verify(absolute, Int("x"), bound=8)
Options(bound="eight")
"""
LINE_OF_MISTAKE = 9


def module_of(page: Path) -> str:
    """The examples of a page, one after the other."""
    parser = doctest.DocTestParser()
    parts = [FIRST_LINES.get(page.stem, "")]
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        examples = parser.get_examples(block)
        parts += [one.source for one in examples if one.exc_msg is None] if examples else [block]
    return "".join(parts)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A module for each page, one with a mistake, and the settings of the checkers."""
    result = tmp_path_factory.mktemp("examples")
    for page in PAGES:
        (result / f"page_{page.stem}.py").write_text(module_of(page))
    (result / "wrong.py").write_text(WRONG)
    (result / "mypy.ini").write_text(MYPY)
    (result / "pyrightconfig.json").write_text(json.dumps(PYRIGHT))
    return result


def test_there_are_examples() -> None:
    lengths = [len(module_of(page).splitlines()) for page in PAGES]
    assert sum(lengths) > 400
    assert sum(length > 0 for length in lengths) > 15


def check_output(errors: list[str]) -> None:
    """The one mistake was found, and nothing else."""
    assert [error for error in errors if not error.startswith("wrong.py")] == []
    assert len(errors) == 1
    assert errors[0].startswith(f"wrong.py:{LINE_OF_MISTAKE}:")


def test_mypy(folder: Path) -> None:
    # Found on the path of Python, Solvent is a package like any other that is installed.
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "MYPYPATH": ""}
    cache = ROOT / ".mypy_cache" / "examples"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", cache, "."],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    check_output([line for line in done.stdout.splitlines() if ": error: " in line])


def pyright() -> str | None:
    """The command, if it is installed: the one that brings its own node is taken first."""
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = (shutil.which(name, path=places) for name in ("basedpyright", "pyright"))
    return next((command for command in found if command is not None), None)


def test_pyright(folder: Path) -> None:
    command = pyright()
    if command is None:
        pytest.skip("neither basedpyright nor pyright is installed (pip install basedpyright)")
    done = subprocess.run(
        [command, "--project", str(folder), "--outputjson"],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        told = json.loads(done.stdout)["generalDiagnostics"]
    except ValueError:
        # The package `pyright` fetches its program when it runs for the first time.
        pytest.skip(f"{command} does not run here: {(done.stderr or done.stdout)[-200:]}")
    check_output(
        [
            f"{Path(one['file']).name}:{one['range']['start']['line'] + 1}: {one['message']}"
            for one in told
            if one["severity"] == "error"
        ]
    )
