"""Every row of the table of what works of the standard library does what CPython does."""

from __future__ import annotations

import inspect
import re

import pytest

from solvent.lift.twins.table import TWINS
from tests.lift.differential import agree
from tests.lift.twins.page import PAGE, text
from tests.lift.twins.supported import ROWS, Row


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.program.__name__)
def test_a_row(row: Row) -> None:
    agree(row.program, *row.domains)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.program.__name__)
def test_what_a_row_names_is_in_its_program(row: Row) -> None:
    promised, _, _ = row.names.partition(" but ")
    names = {name for part in re.findall("`([^`]+)`", promised) for name in _NAME.findall(part)}
    source = inspect.getsource(row.program).partition("def ")[2]
    assert names <= {*_NAME.findall(source), *_ELSEWHERE.get(row.program.__name__, ())}


# A word that is no part of a keyword argument, and what is used by classes beside a program.
_NAME = re.compile(r"[A-Za-z_]\w*")
_ELSEWHERE = {
    "members": ("Enum", "IntEnum"),
    "flags": ("Flag", "IntFlag"),
    "managed": ("contextmanager",),
    "records": ("dataclass",),
    "computed_once": ("cached_property", "singledispatchmethod"),
}


def test_every_twin_has_a_row() -> None:
    public = {twin.module for twin in TWINS if not twin.module.startswith("_")}
    assert public <= {row.module for row in ROWS}


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == text(), "run `python -m tests.lift.twins.page`"
