"""Plots are honest: round marks, proportional bars, nothing outside, nothing moved."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvent.pages.graphs import Edge, graph
from solvent.pages.plots import Series, axis, bars, chart, powers, ticks
from solvent.pages.waves import Signal, vcd, waveform

SVG = "{http://www.w3.org/2000/svg}"
NUMBERS = st.floats(-1e9, 1e9, allow_nan=False).map(lambda x: round(x, 6))


@settings(deadline=None, max_examples=200)
@given(st.lists(NUMBERS, min_size=1, max_size=5))
def test_an_axis_holds_its_values_between_its_marks(values: list[float]) -> None:
    found = axis(values, zero=False)
    assert all(-1e-9 <= found.place(value) <= 1 + 1e-9 for value in values)
    assert found.marks[0] == found.low
    assert found.marks[-1] == found.high
    gaps = [b - a for a, b in pairwise(found.marks)]
    assert max(gaps) == pytest.approx(min(gaps), rel=1e-6)
    # One, two or five times a power of ten.
    assert f"{gaps[0]:.6e}"[0] in "125" or f"{gaps[0]:.6e}".startswith("9.99")


def test_counts_start_at_zero() -> None:
    assert axis([90, 100]).low == 0
    assert ticks(0, 10) == [0, 2, 4, 6, 8, 10]


def test_a_logarithmic_axis_has_no_zero() -> None:
    assert powers(0.02, 30) == pytest.approx([0.01, 0.1, 1, 10, 100])
    with pytest.raises(ValueError, match="no place for 0"):
        chart("t", "x", "y", [Series("s", [(1, 0.0)])], log=True)
    with pytest.raises(ValueError, match="needs points"):
        chart("t", "x", "y", [])


def rects(picture: str) -> list[tuple[float, float]]:
    found = ElementTree.fromstring(picture).iter(f"{SVG}rect")
    return [(float(rect.attrib["x"]), float(rect.attrib["width"])) for rect in found]


def test_bars_are_in_proportion() -> None:
    (_, one), (_, three) = rects(bars("t", [("a", 1.0), ("b", 3.0)]))
    assert three == pytest.approx(3 * one, rel=0.01)


def test_ratios_grow_from_one_in_both_directions() -> None:
    (left, twice), (start, half), (_, same) = rects(
        bars("t", [("a", 2.0), ("b", 0.5), ("c", 1.0)], even="as fast")
    )
    assert twice == pytest.approx(half, abs=0.2)
    assert start + half == pytest.approx(left, abs=0.2)
    assert same == 0


def test_points_are_where_the_marks_say() -> None:
    picture = chart("t", "n", "s", [Series("a<b", [(0, 0), (5, 50), (10, 100)], "points")])
    tree = ElementTree.fromstring(picture)
    dots = [d for d in tree.iter(f"{SVG}circle") if d.find(f"{SVG}title") is not None]
    xs = [float(dot.attrib["cx"]) for dot in dots]
    ys = [float(dot.attrib["cy"]) for dot in dots]
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.2)
    assert ys[0] - ys[1] == pytest.approx(ys[1] - ys[2], abs=0.2)
    marks = {text.text: text for text in tree.iter(f"{SVG}text")}
    assert float(marks["10"].attrib["x"]) == pytest.approx(xs[2], abs=0.2)
    assert float(marks["100"].attrib["y"]) - 4 == pytest.approx(ys[2], abs=0.2)
    assert "a<b" in marks


def test_a_graph_has_each_state_once() -> None:
    edges = [Edge("a", "b", "0"), Edge("a", "b", "1"), Edge("b", "a", "<"), Edge("x", "y", "no")]
    tree = ElementTree.fromstring(graph("a", edges, frozenset("b")))
    texts = [text.text for text in tree.iter(f"{SVG}text")]
    assert sorted(filter(None, texts)) == ["0, 1", "<", "a", "b"]


SIGNALS = [Signal("go on", 1, [0, 1, 1, 0]), Signal("n", 8, [0, 200, 200, 7])]


def read_vcd(text: str) -> dict[str, list[str]]:
    """A reader of the format, written from the standard: the value of each name at each time."""
    names: dict[str, str] = {}
    now: dict[str, str] = {}
    rows: dict[str, list[str]] = {}
    header, _, body = text.partition("$enddefinitions $end\n")
    for code, name in re.findall(r"\$var wire \d+ (\S+) (\S+) \$end", header):
        names[code], rows[name] = name, []
    times = re.split(r"^#", body, flags=re.MULTILINE)[1:]
    for part in times[:-1]:
        for line in part.splitlines()[1:]:
            value, _, code = line.partition(" ") if line[0] == "b" else (line[0], "", line[1:])
            now[names[code]] = str(int(value.removeprefix("b"), 2))
        for name in rows:
            rows[name].append(now[name])
    return rows


def test_arrows_and_their_labels_stand_in_no_state() -> None:
    """The label of the arrow back was behind the state that it led through."""
    row = [Edge(str(n), str(n + 1), "") for n in range(4)]
    backs = [Edge(str(n), str(m), f"{n} to {m}") for n in range(5) for m in range(n - 1)]
    for back in backs:
        picture = ElementTree.fromstring(graph("0", [*row, back]))
        states = [
            tuple(float(circle.attrib[name]) for name in ("cx", "cy", "r"))
            for circle in picture.iter(f"{SVG}circle")
        ]
        (label,) = (text for text in picture.iter(f"{SVG}text") if text.text == back.label)
        *_, curve = (
            arrow.attrib["d"] for arrow in picture.iter(f"{SVG}path") if "Q" in arrow.attrib["d"]
        )
        path = [float(number) for number in re.findall(r"-?\d+", curve)]
        points = [
            tuple(
                (1 - t) ** 2 * path[axis] + 2 * t * (1 - t) * path[2 + axis] + t**2 * path[4 + axis]
                for axis in (0, 1)
            )
            for t in (step / 20 for step in range(1, 20))
        ]
        points.append((float(label.attrib["x"]), float(label.attrib["y"])))
        for x, y in points:
            assert all((x - at) ** 2 + (y - down) ** 2 > r**2 for at, down, r in states), back
        assert 0 < float(label.attrib["y"]) < float(picture.attrib["viewBox"].split()[3])


def test_a_dump_says_what_the_signals_do() -> None:
    text = vcd(SIGNALS)
    assert read_vcd(text) == {
        "go_on": ["0", "1", "1", "0"],
        "n": ["0", "200", "200", "7"],
    }
    # Only changes are written.
    assert text.count("b11001000") == 1
    many = vcd([Signal(f"s{n}", 1, [n % 2]) for n in range(300)])
    assert len(read_vcd(many)) == 300


def test_a_waveform_has_levels_and_boxes() -> None:
    tree = ElementTree.fromstring(waveform(SIGNALS))
    paths = [path.attrib["class"] for path in tree.iter(f"{SVG}path")]
    assert paths.count("level") == 1
    assert paths.count("box") == 3  # 0, 200, 7


def test_titles_and_names_begin_at_the_left_where_a_narrow_screen_starts() -> None:
    rows = [Series("here", [(1, 2.0), (2, 3.0)]), Series("there", [(1, 1.0), (2, 1.5)], "dashes")]
    for picture, words in (
        (chart("Growth", "n", "seconds", rows), ["Growth", "here", "there"]),
        (bars("Times faster", [("sorting", 4.0)], even="as fast"), ["Times faster"]),
    ):
        texts = {text.text: text for text in ElementTree.fromstring(picture).iter(f"{SVG}text")}
        for word in words:
            assert texts[word].attrib["text-anchor"] == "start"
            assert float(texts[word].attrib["x"]) < 60
