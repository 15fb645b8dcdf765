"""Every row of the table of what works of the standard library does what CPython does."""

from __future__ import annotations

import pytest

from solvent.lift.twins.table import TWINS
from tests.lift.differential import agree
from tests.lift.twins.page import PAGE, text
from tests.lift.twins.supported import ROWS, Row


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.program.__name__)
def test_a_row(row: Row) -> None:
    agree(row.program, *row.domains)


def test_every_twin_has_a_row() -> None:
    public = {twin.module for twin in TWINS if not twin.module.startswith("_")}
    assert public <= {row.module for row in ROWS}


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == text(), "run `python -m tests.lift.twins.page`"
