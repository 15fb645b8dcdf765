"""Collecting functions that must run symbolically as they do in CPython."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tests.lift.differential import agree

SMALL = range(-2, 4)


class Case:
    """A function, the values of its inputs, and how its arguments are made of them."""

    def __init__(
        self,
        function: Callable[..., Any],
        domains: Sequence[Sequence[Any]],
        options: dict[str, Any],
    ) -> None:
        self.function = function
        self.domains = domains
        self.options = options

    def check(self) -> None:
        """Run the function symbolically and on every input."""
        agree(self.function, *self.domains, **self.options)

    def __str__(self) -> str:
        return self.function.__name__


class Cases(list[Case]):
    """The cases of one file; pytest reads them when the whole file is there.

    `@cases` takes a function whose parameters are small ints, `@cases.on(...)` one with other
    domains or with arguments that `make` makes of the inputs.
    """

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        count = len(inspect.signature(function).parameters)
        self.append(Case(function, [SMALL] * count, {}))
        return function

    def on(self, *domains: Sequence[Any], **options: Any) -> Callable[..., Any]:
        """A case with these domains."""

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self.append(Case(function, domains, options))
            return function

        return register
