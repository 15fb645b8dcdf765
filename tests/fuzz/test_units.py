"""A long run in units: each input once, and one that fails or is lost is told."""

from __future__ import annotations

import dataclasses

import pytest

from solvent.units.unit import Reply
from tests.fuzz.__main__ import main
from tests.fuzz.formats import FORMATS
from tests.fuzz.test_formats import changed
from tests.fuzz.units import WORK, perform, tally_of, units


def test_each_number_is_in_one_unit() -> None:
    seen: dict[tuple[object, object], list[int]] = {}
    for unit in units(20_000, "1", [], None, sent=False):
        first, last = int(str(unit.data["first"])), int(str(unit.data["last"]))
        seen.setdefault((unit.data["what"], unit.data["name"]), []).extend(range(first, last))
    assert set(seen) == {(what, name) for what, work in WORK.items() for name in work.names}
    for (what, _), numbers in seen.items():
        assert numbers == list(range(20 * WORK[str(what)].per_thousand))


def test_a_run_tells_what_became_of_all(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    form = FORMATS["html"]

    def read(text: str) -> object:
        if len(text) % 5 == 0:
            raise ZeroDivisionError("a mistake of ours")
        return form.read(text)

    command = ["--inputs", "24", "--only", "html", "--seed", "1"]
    assert main(command) == 0
    expected = changed("html", range(12)).counts
    out = capsys.readouterr().out
    assert f"html, changed: {dict(sorted(expected.items()))}" in out
    monkeypatch.setitem(FORMATS, "html", dataclasses.replace(form, read=read))
    assert main(command) == 1
    assert "ZeroDivisionError: a mistake of ours" in capsys.readouterr().out


def test_a_unit_that_is_lost_is_a_failure() -> None:
    unit = next(iter(units(10, "1", ["html"], None, sent=False)))
    assert list(tally_of(unit, Reply(problem="it died")).failures) == ["lost"]
    right = tally_of(unit, Reply(perform(unit.data, lambda text: None)))
    assert right.counts.total() == 5
    assert not right.failures
