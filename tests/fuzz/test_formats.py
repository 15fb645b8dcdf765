"""Whatever the input, it is read or refused in a sentence."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.fuzz.formats import FORMATS
from tests.fuzz.harness import INPUTS, Tally, source

# The reading of Python, and of what is compiled, takes longer.
SHARE = {"python": 5, "cstar": 2, "boogie": 2}


def changed(name: str, numbers: Iterable[int]) -> Tally:
    """What becomes of well-formed texts with changes."""
    form = FORMATS[name]
    tally = Tally(f"{name}, changed")
    for number in numbers:
        tally.add(form.read, form.mutated(source(name, "changed", number)), number)
    return tally


def of_a_grammar(name: str, numbers: Iterable[int]) -> Tally:
    """What becomes of texts of a grammar."""
    form = FORMATS[name]
    tally = Tally(f"{name}, by grammar")
    for number in numbers:
        tally.add(form.read, form.generated(source(name, "grammar", number)), number)
    return tally


def _part(name: str) -> range:
    """A part of what a long run looks at."""
    return range(INPUTS // 2 // SHARE.get(name, 1))


@pytest.mark.parametrize("name", FORMATS)
def test_changed_inputs(name: str) -> None:
    changed(name, _part(name)).check()


@pytest.mark.parametrize("name", FORMATS)
def test_inputs_of_a_grammar(name: str) -> None:
    of_a_grammar(name, _part(name)).check()


@pytest.mark.parametrize("name", FORMATS)
def test_the_originals_are_accepted(name: str) -> None:
    """Otherwise only the complaints of a parser would be tested."""
    form = FORMATS[name]
    for text in form.texts:
        form.read(text)
