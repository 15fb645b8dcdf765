"""The page about the inside says what is there: every package, and files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_layers import EVERYTHING, MAY_IMPORT

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "solvent"
PAGE = (ROOT / "docs" / "internals.md").read_text()

# Parts of the front door, which is no floor of the house.
NOT_SHOWN = {"__init__", "__main__", "__pycache__"}


def section(title: str) -> str:
    """The text of a section, without its title."""
    found = PAGE.partition(f"## {title}\n")[2]
    assert found, title
    return found.partition("\n## ")[0]


def floors() -> list[list[str]]:
    """The packages of each floor of the picture, from the top."""
    picture = section("The house").partition("```\n")[2].partition("```")[0]
    rows = [row for row in picture.splitlines() if row.strip() != "↓"]
    # The names are in three columns of twelve, and what they are for comes after.
    return [row[:36].split() for row in rows]


def test_the_picture_has_every_package_once() -> None:
    shown = [name for floor in floors() for name in floor]
    real = {path.stem for path in SOURCE.iterdir() if path.is_dir() or path.suffix == ".py"}
    assert sorted(shown) == sorted(real - NOT_SHOWN)


def test_arrows_point_downwards() -> None:
    height = {name: -number for number, floor in enumerate(floors()) for name in floor}
    for name, imported in MAY_IMPORT.items():
        if name not in NOT_SHOWN and imported != EVERYTHING:
            for other in imported:
                assert height[other] < height[name], f"{name} imports {other}"


def test_the_walk_has_ten_steps() -> None:
    steps = re.findall(
        r"^(\d+)\. `\S+\.py`", section("A walk from source to a confirmed answer"), re.M
    )
    assert steps == [str(number) for number in range(1, 11)]


@pytest.mark.parametrize(
    "title",
    [
        "A walk from source to a confirmed answer",
        "Where do I add ...?",
        "Three engines that merge",
        "State that outlives a call",
    ],
)
def test_the_files_exist(title: str) -> None:
    names = re.findall(r"`([\w/]+(?:\.py|/))`", section(title))
    assert names
    for name in names:
        there = ROOT / name if name.startswith("tests/") else SOURCE / name
        assert there.exists(), name


def test_the_names_of_global_state_exist() -> None:
    rows = re.findall(r"`([\w/]+\.py)`: ((?:`\w+`(?:, )?)+)", section("State that outlives a call"))
    assert len(rows) > 10
    for file, names in rows:
        text = (SOURCE / file).read_text()
        for name in re.findall(r"`(\w+)`", names):
            assert re.search(rf"^{name}\b", text, re.MULTILINE), f"{file}: {name}"
