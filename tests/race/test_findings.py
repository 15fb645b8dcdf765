"""Findings: seen in CPython by other processes, told as CPython fails, written to be pasted."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from solvent import Int, verify
from solvent.queries import one_of
from solvent.queries.options import Options
from solvent.race.levels import Subject
from solvent.race.messages import Found
from solvent.race.racing import Race
from solvent.terms.model import Model
from solvent.verdicts import Verdict
from tests.patience import patient
from tests.race.test_racing import PLENTY

RAN: list[int] = []


def leaves_traces(n: int) -> None:
    """Changes what is around it."""
    RAN.append(n)
    assert n != 5


def test_nothing_of_the_program_runs_in_this_process() -> None:
    for probes in (True, False):
        found = verify(leaves_traces, budget=PLENTY, probes=probes)
        assert (found.call, found.confirmed, RAN) == ("leaves_traces(n=5)", True, [])


def looked_up(text: str) -> object:
    if text == "":
        return None
    return json.loads(text)


def own(text: str) -> object:
    return json.loads(text, parse_constant=refused)


def refused(name: str) -> None:
    raise KeyError(name)


@pytest.mark.parametrize(("function", "depth"), [(looked_up, 3), (own, 1)])
def test_what_a_library_raises_is_told_where_the_program_calls_it(
    function: Callable[[str], object], depth: int
) -> None:
    space = one_of("[", "") if function is looked_up else one_of("NaN")
    found = verify(function, space, budget=PLENTY)
    assert found.confirmed
    assert found.replay is not None
    (finding,) = found.findings
    named = refused if function is own else looked_up
    assert (finding.file, finding.line) == (
        str(Path(__file__).relative_to(Path.cwd())),
        named.__code__.co_firstlineno + depth,
    )
    assert found.headline().startswith(f"{finding.file}:{finding.line}: ")
    # Where it was raised is said, too.
    assert ("decoder.py" in str(found.replay)) == (function is looked_up)


class TooLarge(Exception):
    """An exception that cannot be sent, as its constructor does not take what it has."""

    def __init__(self, number: int) -> None:
        super().__init__(f"{number} is too large")


def refuses(n: int) -> None:
    """Raises what cannot be sent."""
    if n > 12_345:
        raise TooLarge(n)


def test_an_exception_that_cannot_be_sent_is_made_here() -> None:
    found = verify(refuses, budget=PLENTY)
    assert found.confirmed
    assert found.failure is not None
    assert type(found.failure.exception) is TooLarge
    assert str(found.failure.exception) == "12346 is too large"


def halves(part: Fraction, rounding: float) -> None:
    """Fails for NaN."""
    assert part + part != 1 or rounding == rounding


def test_the_call_comes_with_its_imports() -> None:
    renamed = verify(halves, Fraction(1, 2), one_of(float("nan")), budget=PLENTY)
    assert renamed.call == "halves(part=Fraction(1, 2), rounding=float('nan'))"
    space: dict[str, object] = {"halves": halves}
    exec(renamed.setup or "from fractions import Fraction", space)
    try:
        exec(renamed.call, space)
    except AssertionError:
        return
    raise RuntimeError("the call that was printed does not fail")


def test_imports_that_the_module_lacks_are_told() -> None:
    space: dict[str, object] = {}
    source = "import decimal\ndef f(p: decimal.Decimal) -> None:\n    assert p != p\n"
    exec(source, space)
    found = verify(space["f"], budget=PLENTY)  # type: ignore[arg-type]
    assert "Decimal" in found.call
    assert found.setup == "from decimal import Decimal"


def not_five(n: int) -> int:
    """Fails for five, in its own way."""
    if n == 5:
        raise ValueError(n)
    return n


def raced() -> Race:
    return Race(Subject(not_five, (), {}, Options(probes=False)), PLENTY)


def test_what_cpython_does_not_show_does_not_end_the_race() -> None:
    race = raced()
    race._take(Found(Model({Int("n"): 4}), "ValueError", "somewhere:1"))
    assert (race.is_over, race.found) == (False, {})
    (answer,) = race.answers()
    assert (answer.verdict, answer.confirmed) == (Verdict.VIOLATED, False)
    (answer,) = race.run()
    assert (answer.inputs, answer.confirmed) == ({"n": 5}, True)


def test_what_was_predicted_and_not_seen_is_no_proof() -> None:
    race = raced()
    race._take(Found(Model({Int("n"): 4}), "ValueError", "somewhere:1"))
    race.subject = Subject(lambda n: n, (Int("n"),), {}, Options(probes=False))
    (answer,) = race.run()
    assert race.coverage().proved == ""
    assert answer.verdict is not Verdict.HOLDS


def test_cpython_fails_as_it_does() -> None:
    race = raced()
    race._take(Found(Model({Int("n"): 5}), "KeyError", "somewhere:1"))
    (answer,) = race.answers()
    assert answer.confirmed
    assert answer.failure is not None
    assert type(answer.failure.exception) is ValueError
    assert Path(__file__).name in answer.failure.position


THREAD = """\
import threading, time
from solvent import verify

def waits(n: int) -> None:
    threading.Thread(target=lambda: time.sleep(1000)).start()
    assert n != 5

print(verify(waits, budget=100).call, flush=True)
"""


def test_threads_of_the_program_do_not_keep_this_process(tmp_path: Path) -> None:
    file = tmp_path / "waiting.py"
    file.write_text(THREAD)
    done = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, timeout=patient(60)
    )
    assert done.stdout == "waits(n=5)\n"
