"""The manual: every page is in it, every example is listed, and it is built without a warning."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import solvent
from tests.chromium import opened

ROOT = Path(__file__).parents[1]


def test_every_page_has_its_place() -> None:
    listed = re.findall(r"[\w-]+\.md", (ROOT / "mkdocs.yml").read_text())
    assert sorted(listed) == sorted(page.name for page in (ROOT / "docs").glob("*.md"))


def test_every_example_is_told() -> None:
    programs = [*(ROOT / "examples").glob("*.py"), *(ROOT / "examples").glob("*.ipynb")]
    told = re.findall(r"^\| `(.*?)` \|", (ROOT / "docs/examples.md").read_text(), re.MULTILINE)
    assert sorted(told) == sorted(program.name for program in programs)
    assert len(told) == 20


def test_every_public_name_is_in_the_interface() -> None:
    pages = [ROOT / "docs" / name for name in ("api.md", "api-packages.md")]
    told = re.findall(r"^::: (\S+)", "".join(page.read_text() for page in pages), re.MULTILINE)
    assert len(told) == len(set(told))
    names = {told_name.rpartition(".")[2] for told_name in told}
    errors = {name for name in solvent.__all__ if name.endswith("Error")}
    assert set(solvent.__all__) - errors <= names
    assert "solvent.errors" in told
    packages = {told_name.split(".")[1] for told_name in told} - {"race", "errors"}
    for package in packages:
        offered = importlib.import_module(f"solvent.{package}").__all__
        assert set(offered) <= {name.rpartition(".")[2] for name in told if f".{package}." in name}


def test_the_picture_of_the_readme_is_there() -> None:
    (picture,) = re.findall(r"!\[.*?\]\((.*?)\)", (ROOT / "README.md").read_text())
    assert (ROOT / picture).read_bytes().startswith(b"\x89PNG")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    mkdocs = shutil.which("mkdocs", path=str(Path(sys.executable).parent))
    if mkdocs is None:
        pytest.skip("mkdocs is not installed: make docs installs it")
    site = tmp_path_factory.mktemp("manual") / "site"
    command = [mkdocs, "build", "--strict", "--quiet", "--site-dir", str(site)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return site


@pytest.mark.mass
def test_the_site_is_built_and_needs_no_network(site: Path) -> None:
    text = (site / "api.html").read_text()
    assert "solvent.race.verify" in text
    loaded = re.findall(r"<(?:script|link|img)[^>]+(?:src|href)=\"?(https?://[^\" >]+)", text)
    assert loaded == []


@pytest.mark.mass
def test_the_site_is_searched_without_a_server(site: Path) -> None:
    with opened(site / "index.html") as page:
        for scheme in ("light", "dark"):
            for width in (400, 1400):
                page.seen_as(scheme, width)
                page.run("localStorage.clear(); location.reload()")
                until(lambda: page.run("return document.readyState") == "complete")
                assert page.fits(), (scheme, width)
                shade = page.run("return document.body.dataset.mdColorScheme")
                assert shade == {"light": "default", "dark": "slate"}[scheme]
        page.type(".md-search__input", "waveform")
        until(lambda: "Pages" in page.texts(".md-search-result__item h1"))
        assert page.errors() == []


def until(happens: Callable[[], bool]) -> None:
    """Wait for what a page does by itself."""
    end = time.monotonic() + 60
    while not happens():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.1)
