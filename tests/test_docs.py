"""Every example in the documentation and in the docstrings is run.

Each file has a process of its own: terms are ordered by their age, so what an example prints could
else depend on the examples before it.
"""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
MODULES = sorted(path for path in (ROOT / "src").rglob("*.py") if ">>>" in path.read_text())

RUN = """
import doctest, importlib, sys
target, is_module = sys.argv[1], sys.argv[2] == "module"
options = {"optionflags": doctest.ELLIPSIS}
if is_module:
    failures, tried = doctest.testmod(importlib.import_module(target), **options)
else:
    failures, tried = doctest.testfile(target, module_relative=False, encoding="utf-8", **options)
sys.exit(1 if failures or not tried else 0)
"""


def run(target: str, kind: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN, target, kind],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def name_of(module: Path) -> str:
    parts = module.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_docstrings(module: Path) -> None:
    run(name_of(module), "module")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page: Path) -> None:
    if ">>>" in page.read_text():
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


def test_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
