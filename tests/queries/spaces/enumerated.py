"""What the tests of spaces have in common: all values of a small space, and calls as printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from solvent import solve_all, verify
from solvent.queries.results import Verification
from solvent.queries.spaces.base import Space


def values(space: Space) -> list[Any]:
    """All values of a finite space, by asking for them."""

    def keep(value: Any) -> None:
        return None

    return [found.inputs["value"] for found in solve_all(keep, space)]


def fails(function: Callable[..., Any], **options: Any) -> Verification:
    """A function fails; CPython confirms it, and so does the call as it is printed."""
    result = verify(function, **options)
    assert result.status.name == "SAT", result.reason
    assert result.confirmed, str(result)
    assert result.failure is not None
    with pytest.raises(type(result.failure.exception)):
        eval(result.call, dict(function.__globals__))
    return result


def holds(function: Callable[..., Any], **options: Any) -> Verification:
    """A function holds for all its inputs."""
    result = verify(function, **options)
    assert result.holds, str(result)
    return result
