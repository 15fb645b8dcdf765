"""Whatever the input, it is read or refused in a sentence."""

from __future__ import annotations

import pytest

from tests.fuzz.formats import FORMATS
from tests.fuzz.harness import INPUTS, Tally, source

# The reading of Python, and of what is compiled, takes longer.
SHARE = {"python": 5, "cstar": 2, "boogie": 2}


def _count(name: str) -> int:
    # All of them in a long run, a part of them in the tests of each day.
    return INPUTS // 2 if INPUTS >= 1000 else INPUTS // 2 // SHARE.get(name, 1)


@pytest.mark.parametrize("name", FORMATS)
def test_changed_inputs(name: str) -> None:
    form = FORMATS[name]
    tally = Tally(f"{name}, changed")
    for number in range(_count(name)):
        tally.add(form.read, form.mutated(source(name, "changed", number)), number)
    tally.check()


@pytest.mark.parametrize("name", FORMATS)
def test_inputs_of_a_grammar(name: str) -> None:
    form = FORMATS[name]
    tally = Tally(f"{name}, by grammar")
    for number in range(_count(name)):
        tally.add(form.read, form.generated(source(name, "grammar", number)), number)
    tally.check()


@pytest.mark.parametrize("name", FORMATS)
def test_the_originals_are_accepted(name: str) -> None:
    """Otherwise only the complaints of a parser would be tested."""
    form = FORMATS[name]
    for text in form.texts:
        form.read(text)
