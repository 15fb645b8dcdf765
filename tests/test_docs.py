"""Every example in the documentation and in the docstrings is run.

Each file has a process of its own: terms are ordered by their age, so what an example prints could
else depend on the examples before it.  The processes are forks of one that has imported Solvent.
"""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from solvent.cli import main

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
MODULES = sorted(path for path in (ROOT / "src").rglob("*.py") if ">>>" in path.read_text())

# For each line with a target it answers with one: whether all examples are right, and the output.
SERVER = """
import doctest, importlib, json, os, sys, tempfile
import solvent

def run(target, kind):
    options = {"optionflags": doctest.ELLIPSIS}
    if kind == "module":
        failures, tried = doctest.testmod(importlib.import_module(target), **options)
    else:
        failures, tried = doctest.testfile(
            target, module_relative=False, encoding="utf-8", **options
        )
    return 1 if failures or not tried else 0

for line in sys.stdin:
    with tempfile.TemporaryFile("w+") as output:
        child = os.fork()
        if child == 0:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            code = 1
            try:
                code = run(*json.loads(line))
            except BaseException:
                sys.excepthook(*sys.exc_info())
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        _, status = os.waitpid(child, 0)
        output.seek(0)
        print(json.dumps([os.waitstatus_to_exitcode(status), output.read()]), flush=True)
"""

Run = Callable[[str, str], None]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Runs the examples of a module or a page."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        told, answers = server.stdin, server.stdout

        def examples(target: str, kind: str) -> None:
            told.write(json.dumps([target, kind]) + "\n")
            told.flush()
            code, output = json.loads(answers.readline())
            assert code == 0, output

        yield examples
        told.close()


def name_of(module: Path) -> str:
    parts = module.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_docstrings(module: Path, run: Run) -> None:
    run(name_of(module), "module")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page: Path, run: Run) -> None:
    if ">>>" in page.read_text():
        run(str(page), "page")


def test_an_example_that_is_wrong(tmp_path: Path, run: Run) -> None:
    page = tmp_path / "page.md"
    page.write_text(">>> 1 + 1\n3\n")
    with pytest.raises(AssertionError, match="Expected:"):
        run(str(page), "page")
    page.write_text("no example")
    with pytest.raises(AssertionError):
        run(str(page), "page")


def test_the_example_of_the_readme(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len(blocks) == 1
    script = tmp_path / "example.py"
    script.write_text(blocks[0])
    runpy.run_path(str(script))
    out = capsys.readouterr().out
    assert "confirmed: CPython raised AssertionError" in out
    items, item = re.findall(r"stays_sorted\(items=\[(.*?)\], item=(-?\d+)\)", out)[0]
    numbers = sorted(int(found) for found in items.split(","))
    # The mistake: what is smaller than all others does not become the first.
    assert int(item) < numbers[0]


def blocks_of(page: str) -> list[str]:
    return re.findall(r"```\w*\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)


def test_the_program_of_the_guide_from_boogie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = blocks_of("from-boogie.md")
    shown, program, command = re.fullmatch(
        r"\$ cat (\S+)\n(.*)\$ solvent (.*)\n", block, re.S
    ).groups()
    monkeypatch.chdir(tmp_path)
    Path(shown).write_text(program)
    assert main(command.split()) == 1
    assert "confirmed by running the program" in capsys.readouterr().out
    assert Path("trace.html").exists()


def test_the_program_of_the_guide_from_selfie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program, session = blocks_of("from-selfie.md")
    command, _, printed = session.removeprefix("$ solvent ").partition("\n")
    monkeypatch.chdir(tmp_path)
    Path("division.c").write_text(program)
    assert main(command.split()) == 1
    assert capsys.readouterr().out == printed
    assert Path("run.html").exists()


def test_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
