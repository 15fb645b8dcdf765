"""How growth is measured and drawn."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import growth
from benchmarks.growth import PROGRAMS, Program, exponent, measured, pictures
from solvent.vm.report import Stats


def test_exponent() -> None:
    assert exponent([(n, 7 * n**3) for n in (2, 5, 11, 40)]) == pytest.approx(3)
    assert exponent([(1, 4.0), (10, 4.0)]) == pytest.approx(0)


def test_points_and_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "FOLDER", tmp_path / "pictures")
    sizes: list[int] = []

    def evaluate(size: int) -> Stats:
        sizes.append(size)
        return Stats(terms=size**2, cpu_seconds=size / 100 / len(sizes))

    peer = {"a peer": {2: 1.0, 3: 2.0, 4: 5.0}}
    program = Program("a program", "size", (2, 4), evaluate, 2.5, peer, peer)
    terms, seconds = measured(program)
    assert sizes == [2, *[2] * growth.ROUNDS, *[4] * growth.ROUNDS]
    assert terms == [(2, 4), (4, 16)]
    # Of several rounds the least counts.
    assert seconds[0] == (2, pytest.approx(2 / 100 / (1 + growth.ROUNDS)))
    pictures(program, terms, seconds)
    for name in ("a-program-terms.svg", "a-program-seconds.svg"):
        text = (tmp_path / "pictures" / name).read_text()
        kinds = [found.tag.rpartition("}")[2] for found in ElementTree.fromstring(text).iter()]
        assert kinds.count("polyline") == 2
        assert "a peer, size^" in text


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_programs_of_the_smallest_size(program: Program) -> None:
    stats = program.evaluate(program.sizes[0])
    assert stats.terms > 0
    assert stats.cpu_seconds > 0
