"""Probes that Hypothesis draws: inputs of all kinds, and failures that small ones do not show."""

from __future__ import annotations

import ctypes
import difflib
import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings

from solvent import assume, verify
from solvent.queries.inputs import bind
from solvent.queries.options import Options
from solvent.queries.spaces.making import integers, lists, texts
from solvent.race import generating
from solvent.race.concrete import Program
from solvent.race.generating import MOST_TERMS, generated, wider
from solvent.race.hints import hints_of
from solvent.race.leaves import several, terms_in
from solvent.race.levels import Subject
from solvent.race.probing import Probes
from solvent.race.shapes import assignments
from solvent.terms import BitVec, Bool, Float32, Float64, Function, Int, Real, Str
from solvent.terms.graph import reachable
from solvent.terms.model import Model, evaluate
from solvent.verdicts import Verdict
from solvent.vm.values import Value

PLENTY = 120


@dataclass
class User:
    """A record whose constructor refuses some values."""

    name: str
    tags: list[str]

    def __post_init__(self) -> None:
        assert self.name != "root"


def drawn(function: Callable[..., Any], *args: Value, most: int = 300) -> list[tuple[Any, ...]]:
    """Arguments that were drawn, each of which fulfils what is assumed of a single constant."""
    program = Program(function, bind(function, args, {}))
    found: list[tuple[Any, ...]] = []

    @settings(max_examples=most, database=None, suppress_health_check=list(HealthCheck))
    @seed(0)
    @given(assignments(program, hints_of(function)))
    def draw(assignment: dict[Any, Any]) -> None:
        model = Model(assignment)
        joint = several(program)
        assert all(evaluate(one, model) is True for one in program.assumptions if one not in joint)
        if all(evaluate(one, model) is True for one in joint):
            found.append(program.call(model)[0])

    draw()
    return found


# --- what is drawn --------------------------------------------------------------------------------


def test_containers_have_all_their_lengths_and_items_of_all_kinds() -> None:
    def f(rows: list[list[int]], words: dict[str, bool], few: set[int], octets: bytes) -> None: ...

    calls = drawn(f)
    assert {len(rows) for rows, *_ in calls} == {0, 1, 2, 3}
    assert {len(row) for rows, *_ in calls for row in rows} == {0, 1, 2, 3}
    assert {len(words) for _, words, _, _ in calls} == {0, 1, 2, 3}
    assert {value for _, words, _, _ in calls for value in words.values()} == {False, True}
    assert {len(few) for _, _, few, _ in calls} == {0, 1, 2, 3}
    assert max(octet for *_, octets in calls for octet in octets) > 200


def test_one_option_is_drawn_at_a_time() -> None:
    def f(found: tuple[int, str] | bool | None, user: User) -> None: ...

    calls = drawn(f)
    assert {type(found) for found, _ in calls} == {tuple, bool, type(None)}
    assert {len(user.tags) for _, user in calls} == {0, 1, 2, 3}
    assert all(user.name != "root" for _, user in calls)


def test_limits_of_spaces_are_kept() -> None:
    def f(xs: list[int], word: str) -> None: ...

    calls = drawn(
        f, lists(integers(3, 900), min_len=2, max_len=5), texts(alphabet="xyz", min_len=1)
    )
    assert {len(xs) for xs, _ in calls} == {2, 3, 4, 5}
    assert all(3 <= x <= 900 for xs, _ in calls for x in xs)
    assert any(x > 500 for xs, _ in calls for x in xs)
    assert all(word and set(word) <= set("xyz") for _, word in calls)


def test_symbolic_values_of_all_sorts() -> None:
    symbols = [Int("i"), Bool("b"), Real("r"), Float64("d"), Float32("s"), Str("t")]
    function = Function("g", [Int], Int)
    calls = drawn(lambda *values: None, *symbols, BitVec(8)("v"), function(Int("k")))
    for place in range(len(symbols) + 1):
        assert len({repr(call[place]) for call in calls}) > 1


# --- what is found --------------------------------------------------------------------------------


def probed(function: Callable[..., Any], *args: Any, **options: Any) -> Probes:
    """The probing of a function on longer inputs, once it has ended."""
    subject = wider(Subject(function, args, {}, Options()))
    with generated(function, subject.inputs(), **options) as probes:
        probes.wait(PLENTY)
    return probes


def failing_calls(probes: Probes) -> list[tuple[str, str]]:
    """The kinds of failures with the inputs that are left of them."""
    return [(found.failure.kind, probes.program.text(found.model)) for found in probes.failures]


def crowded(rows: list[list[int]]) -> None:
    """Fails for many rows, and for a long one."""
    assert len(rows) < 5
    if any(len(row) > 4 for row in rows):
        raise KeyError(rows)


def test_failures_are_found_once_made_small_and_the_same_each_time() -> None:
    first = failing_calls(probed(crowded, most=300))
    assert sorted(first) == [
        ("AssertionError", "([[], [], [], [], []])"), ("KeyError", "([[0, 0, 0, 0, 0]])"),
    ]  # fmt: skip
    assert failing_calls(probed(crowded, most=300)) == first


def test_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    probes = probed(lambda text: print(text), Str("text"), most=50)
    assert (probes.tried, probes.reached, probes.problem, probes.complete) == (50, None, "", True)
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


def test_what_reaches_files_ends_the_probing(tmp_path: Path) -> None:
    def reaches(n: int) -> None:
        if n > 1000:
            os.mkdir(tmp_path / "made")

    probes = probed(reaches)
    assert probes.reached is not None
    assert probes.reached.event == "os.mkdir"
    assert probes.reached.position.startswith(__file__)
    assert list(tmp_path.iterdir()) == []


def test_inputs_that_end_the_process_are_told() -> None:
    def crashes(n: int, items: list[int]) -> None:
        if n > 50 and items:
            ctypes.string_at(0)

    probes = probed(crashes)
    assert probes.deadly
    for model, death in probes.deadly:
        (n, items), _, _ = probes.program.call(model)
        assert (n > 50, bool(items), "SIGSEGV" in death) == (True, True, True)


def test_inputs_that_take_too_long_are_told() -> None:
    def loops(n: int) -> None:
        while n > 2000:
            pass

    probes = probed(loops, most=200)
    assert probes.endless
    assert all(probes.program.call(model)[0][0] > 2000 for model in probes.endless)


def test_what_is_assumed_and_what_is_meant() -> None:
    def picky(n: int) -> None:
        assume(n % 2 == 0)
        if n > 600:
            raise ValueError(n)
        assert n < 300

    probes = probed(picky, is_failure=lambda error: not isinstance(error, ValueError))
    assert failing_calls(probes) == [("AssertionError", "(300)")]


# --- in a check -----------------------------------------------------------------------------------


def ratio(items: list[int]) -> None:
    """No list of up to three items fails, and merging is refused."""
    assert difflib.SequenceMatcher(None, items, sorted(items)).ratio() > 0.35 or len(items) < 4


def digest(values: dict[str, int]) -> None:
    """Fails for some dicts that are not small."""
    text = repr(sorted(values.items())).encode("utf-8", "replace")
    assert len(values) < 2 or hashlib.blake2b(text).digest()[1] > 3


@pytest.mark.parametrize("function", [ratio, digest])
def test_longer_inputs_are_found_behind_code_in_c(
    function: Callable[..., Value],
) -> None:
    found = verify(function, budget=PLENTY)
    assert found.verdict is Verdict.VIOLATED
    assert found.confirmed
    assert found.coverage is not None
    assert 0 < found.coverage.drawn < found.coverage.probes
    with pytest.raises(AssertionError):
        function(*found.inputs.values())
    if function is ratio:
        assert "up to 3" not in str(found.derived)


def test_without_hypothesis_or_probes_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verify(ratio, budget=PLENTY, probes=False).verdict is Verdict.HOLDS
    monkeypatch.setattr(generating, "is_installed", lambda: False)
    found = verify(ratio, budget=PLENTY)
    assert found.verdict is Verdict.HOLDS
    assert found.coverage is not None
    assert (found.coverage.drawn, found.coverage.probes > 100) == (0, True)


def test_lengths_that_were_asked_for_are_kept() -> None:
    subject = Subject(ratio, (), {}, Options(max_len=2))
    assert wider(subject) is subject
    longer = wider(Subject(ratio, (), {}, Options()))
    assert longer.options.max_len > 3

    def nested(rows: list[list[list[str]]]) -> None: ...

    inputs = wider(Subject(nested, (), {}, Options())).inputs()
    terms = reachable(terms_in((inputs.args, inputs.assumptions)))
    assert bind(nested, (), {}).derived == inputs.derived or len(terms) <= MOST_TERMS
    of_three = lists(integers(), max_len=3)
    given_space = wider(Subject(ratio, (of_three,), {}, Options())).inputs()
    assert given_space.derived == bind(ratio, (of_three,), {}).derived
