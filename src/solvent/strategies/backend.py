"""A backend for Hypothesis: `settings(backend="solvent")`.

The test is explored path by path, and each path has an example.  Hypothesis is led to these first,
choice by choice, so that it sees every path; then it goes on as usual.  A test that cannot be
explored, and an example whose choices are not known, are left to Hypothesis.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any, cast

from hypothesis.control import current_build_context
from hypothesis.internal.conjecture.choice import choice_permitted
from hypothesis.internal.conjecture.providers import HypothesisProvider

from solvent.errors import SolventError
from solvent.explore import explore
from solvent.queries.options import Options
from solvent.strategies.examples import NoChoicesError, choices
from solvent.strategies.given import given_of
from solvent.strategies.known import is_given

# How long a test is explored before it runs, and how many paths are followed.
SECONDS = 5.0
PATHS = 200
# What Hypothesis takes for no limit of a length.
LONGEST = 10**10


class SolventProvider(HypothesisProvider):
    """Leads Hypothesis along the paths of a test."""

    lifetime = "test_function"  # type: ignore[assignment]

    def __init__(self, conjecturedata: Any, /) -> None:
        super().__init__(conjecturedata)
        # The choices of examples that were not tried yet, and those of the one that is.
        self.waiting: list[list[Any]] | None = None
        self.current: list[Any] = []

    @contextlib.contextmanager
    def per_test_case_context_manager(self) -> Iterator[None]:
        """Take the next example."""
        self.current = self.waiting.pop(0) if self.waiting else []
        yield

    def _next(self, kind: type, limits: Mapping[str, Any]) -> Any:
        """The next choice of the example, `None` if Hypothesis must choose."""
        data = current_build_context().data
        if self.waiting is None:
            self.waiting = list(_examples())
            self.current = self.waiting.pop(0) if self.waiting else []
        # Choices that can be made in one way only are not asked for, but they are counted.
        place = len(data.nodes)
        value = self.current[place] if place < len(self.current) else None
        if type(value) is kind and choice_permitted(cast("Any", value), cast("Any", limits)):
            return value
        # The example is over, or leads elsewhere: Hypothesis goes on with its own chance.
        self.current = []
        self._cd, self._random = data, getattr(data, "_random", None)
        return None

    def draw_boolean(self, p: float = 0.5) -> bool:
        """A choice between two."""
        found = self._next(bool, {"p": p})
        return super().draw_boolean(p) if found is None else bool(found)

    def draw_integer(
        self, min_value: int | None = None, max_value: int | None = None, **more: Any
    ) -> int:
        """A choice of an int."""
        found = self._next(int, {"min_value": min_value, "max_value": max_value})
        return super().draw_integer(min_value, max_value, **more) if found is None else int(found)

    def draw_float(self, **limits: Any) -> float:
        """A choice of a float."""
        found = self._next(float, limits)
        return super().draw_float(**limits) if found is None else float(found)

    def draw_string(self, intervals: Any, **sizes: Any) -> str:
        """A choice of a text."""
        found = self._next(str, {"intervals": intervals, **sizes})
        return super().draw_string(intervals, **sizes) if found is None else str(found)

    def draw_bytes(self, min_size: int = 0, max_size: int = LONGEST) -> bytes:
        """A choice of bytes."""
        found = self._next(bytes, {"min_size": min_size, "max_size": max_size})
        return super().draw_bytes(min_size, max_size) if found is None else bytes(found)


def _examples() -> Iterator[list[Any]]:
    """The choices of one example for each path of the test that runs."""
    test = current_build_context().wrapped_test
    if not is_given(test):
        return
    options = Options(paths=PATHS, seconds=SECONDS, confirm=False, order="breadth")
    try:
        found = given_of(test)
        if found.data or found.open_parameters:
            return
        spaces: dict[str, Any] = dict(found.spaces)
        explored = explore(found.subject(), options=options, **spaces)
    except SolventError:
        return
    for path in explored.paths:
        with contextlib.suppress(NoChoicesError, TypeError, ValueError, AttributeError, KeyError):
            values = dict(path.named)
            row: list[Any] = []
            for name, strategy in found.strategies.items():
                row += choices(strategy, values[name])
            yield row
