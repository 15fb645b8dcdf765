"""What the repository offers to pre-commit and to GitHub is what these expect, and works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from solvent.cli import build_parser, main
from tests.cli.test_reports import stored_schema

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
PROGRAM = """def good(x: int) -> None:
    assert x == x

def hidden(x: int) -> None:
    assert locals()["x"] == x
"""


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_the_action_is_one() -> None:
    content = read("action.yml")
    schema = stored_schema("https://json.schemastore.org/github-action.json")
    validator = Draft7Validator(schema)
    validator.validate(content)
    assert not validator.is_valid({**content, "runs": {"using": "nothing"}})


def test_pre_commit_reads_the_hooks(tmp_path: Path) -> None:
    pytest.importorskip("pre_commit")
    broken = tmp_path / "hooks.yaml"
    broken.write_text("- id: 3\n")
    for path, code in ((ROOT / ".pre-commit-hooks.yaml", 0), (broken, 1)):
        command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout


def test_hooks_are_commands() -> None:
    for hook in read(".pre-commit-hooks.yaml"):
        name, *words = hook["entry"].split()
        assert name == "solvent"
        files = ["program.py"] if hook.get("pass_filenames", True) else []
        options = build_parser(words[0]).parse_args([*words, *files])
        assert options.allow_unknown


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "p.py").write_text(PROGRAM)
    (tmp_path / "empty.py").write_text("x = 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_not_known_is_allowed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "p.py", "empty.py"]) == 3
    assert main(["verify", "p.py", "empty.py", "--allow-unknown"]) == 0
    assert "hidden: unknown" in capsys.readouterr().out
    assert main(["verify", "empty.py"]) == 2
    assert main(["verify", "empty.py", "--allow-unknown"]) == 0
    assert capsys.readouterr().out == "nothing to check\n"
    (folder / "p.py").write_text("def bad(x: int) -> None:\n    assert x != 7\n")
    assert main(["verify", "p.py", "--allow-unknown"]) == 1
    assert main(["verify", "missing.py", "--allow-unknown"]) == 2


@pytest.mark.parametrize(("strict", "code"), [("false", 0), ("true", 3)])
def test_the_script_of_the_action(strict: str, code: int, folder: Path) -> None:
    action = read("action.yml")
    step = action["runs"]["steps"][-1]
    # Each variable is one of the inputs, and no input is anywhere else in the script.
    names = {text.strip("${} ").removeprefix("inputs.") for text in step["env"].values()}
    assert names <= set(action["inputs"])
    assert "${{" not in step["run"]
    defaults = {name: given["default"] for name, given in action["inputs"].items()}
    given = {**defaults, "targets": "p.py empty.py", "options": "--no-cache --budget 5"}
    values = {
        variable: given[text.strip("${} ").removeprefix("inputs.")]
        for variable, text in step["env"].items()
    }
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        env={
            **os.environ,
            **values,
            "FAIL_ON_UNKNOWN": strict,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.startswith("::warning file=p.py,line=4,title=unknown::hidden: unknown: ")
    assert (folder / "solvent.sarif").exists()
    assert (folder / "solvent.xml").exists()
