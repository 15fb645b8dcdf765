"""Messages are short, however long the input is that they quote."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from solvent.boogie import parse_program
from solvent.btor2 import parse as parse_model
from solvent.btor2 import parse_witness
from solvent.errors import LONGEST_MESSAGE, SolventError, shortened
from solvent.riscu.cstar import compile_text
from solvent.terms.smtlib import read_script

LONG = "x" * 1_000_000


def parse_boogie(text: str) -> Any:
    return parse_program(text=text)


def test_the_beginning_and_the_end_of_a_message_are_kept() -> None:
    assert shortened("short") == "short"
    assert shortened("two\nlines") == "two lines"
    cut = shortened(f"the name {LONG} is not known")
    assert len(cut) == LONGEST_MESSAGE
    assert cut.startswith("the name xxx")
    assert cut.endswith("xxx is not known")
    assert shortened(cut) == cut


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_script, f"(assert {LONG})"),
        (read_script, f"({LONG})"),
        (read_script, f'(echo "{LONG}'),
        (parse_model, f"1 sort bitvec {LONG}"),
        (parse_model, f"1 {LONG} 2"),
        (parse_witness, f"sat\nb0\n#0\n0 {LONG}\n."),
        (parse_witness, LONG),
        (parse_boogie, f"procedure p() {{ assert {LONG} {LONG}; }}"),
        (parse_boogie, f'type "{LONG}";'),
        (compile_text, f"uint64_t main() {{ return {LONG}; }}"),
        (compile_text, f"uint64_t main() {{ return {LONG} {LONG}; }}"),
    ],
    ids=lambda value: value.__name__ if callable(value) else value[:30],
)
def test_a_message_does_not_repeat_a_long_input(read: Callable[[str], Any], text: str) -> None:
    with pytest.raises(SolventError) as caught:
        read(text)
    assert len(str(caught.value)) < 2 * LONGEST_MESSAGE
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
