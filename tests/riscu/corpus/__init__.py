"""The corpus: C* programs, each with what is true of it in its first line.

The first line is one of

    // expect: cannot fail
    // expect: cannot fail within N steps
    // expect: bN
    // expect: bN with "INPUT"

where bN is a bad state of figure 17, and the input is given if it is the only one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from solvent.riscu.cstar import compile_text
from solvent.riscu.program import Program

_EXPECT = re.compile(r'// expect: (?:cannot fail(?: within (\d+) steps)?|b(\d)(?: with "(.*)")?)\n')


@dataclass
class Case:
    """A program of the corpus."""

    path: Path
    text: str
    bad_state: int | None
    input: bytes | None
    steps: int | None

    @cached_property
    def program(self) -> Program:
        """The compiled program."""
        return compile_text(self.text, self.path.name)


def _read(path: Path) -> Case:
    text = path.read_text()
    found = _EXPECT.match(text)
    assert found is not None, f"{path.name} does not say what to expect"
    steps, number, given = found.groups()
    return Case(
        path,
        text,
        None if number is None else int(number),
        None if given is None else given.encode(),
        None if steps is None else int(steps),
    )


CORPUS = {path.stem: _read(path) for path in sorted(Path(__file__).parent.glob("*.c"))}
