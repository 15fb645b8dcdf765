"""The manual: every page is in it, every example is listed, and it is built without a warning."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_every_page_has_its_place() -> None:
    listed = re.findall(r"[\w-]+\.md", (ROOT / "mkdocs.yml").read_text())
    assert sorted(listed) == sorted(page.name for page in (ROOT / "docs").glob("*.md"))


def test_every_example_is_told() -> None:
    programs = [*(ROOT / "examples").glob("*.py"), *(ROOT / "examples").glob("*.ipynb")]
    told = re.findall(r"^\| `(.*?)` \|", (ROOT / "docs/examples.md").read_text(), re.MULTILINE)
    assert sorted(told) == sorted(program.name for program in programs)
    assert len(told) == 20


def test_the_picture_of_the_readme_is_there() -> None:
    (picture,) = re.findall(r"!\[.*?\]\((.*?)\)", (ROOT / "README.md").read_text())
    assert (ROOT / picture).read_bytes().startswith(b"\x89PNG")


@pytest.mark.mass
def test_the_site_is_built_and_needs_no_network(tmp_path: Path) -> None:
    mkdocs = shutil.which("mkdocs", path=str(Path(sys.executable).parent))
    if mkdocs is None:
        pytest.skip("mkdocs is not installed: make docs installs it")
    site = tmp_path / "site"
    command = [mkdocs, "build", "--strict", "--quiet", "--site-dir", str(site)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    text = (site / "api.html").read_text()
    assert "solvent.race.verify" in text
    loaded = re.findall(r"<(?:script|link|img)[^>]+(?:src|href)=\"?(https?://[^\" >]+)", text)
    assert loaded == []
