"""Models of pydantic are inputs as their constraints say, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from solvent import verify
from solvent.errors import InputSpaceError, NotLiftedError

pytest.importorskip("pydantic")

from tests.contracts import sample_pydantic as sample

FUNCTIONS = {name: value for name, value in vars(sample).items() if name.split("_")[0] in
             ("good", "bad", "refused")}  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_models(function: Callable[..., Any]) -> None:
    if function.__name__.startswith("refused"):
        with pytest.raises((InputSpaceError, NotLiftedError)):
            verify(function)
    elif function.__name__.startswith("good"):
        assert verify(function).holds
    else:
        assert verify(function).confirmed


def test_a_space_is_told_with_its_bounds() -> None:
    assert verify(sample.bad_change).derived["item"] == (
        "Item(n: Int from 1, name: a text of up to 3 characters, "
        "xs: a list of up to 2 items, each any int)"
    )
