"""What is claimed of a function: that it never fails, or that some input makes it fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., None])

# Characters at which text goes wrong: separators, digits, case, and what grows in upper case.
CHARACTERS = " ,-a0ß"


def all_texts(characters: str = CHARACTERS, longest: int = 3) -> list[str]:
    """All texts of some characters, up to a length."""
    return [
        "".join(found) for size in range(longest + 1) for found in product(characters, repeat=size)
    ]


def all_lists(items: Iterable[Any], longest: int = 3) -> list[list[Any]]:
    """All lists of some items, up to a length."""
    known = list(items)
    return [list(found) for size in range(longest + 1) for found in product(known, repeat=size)]


@dataclass(frozen=True)
class Claim:
    """A function, whether it holds for all inputs, and inputs on which that can be tried."""

    function: Callable[..., None]
    holds: bool
    domains: dict[str, Iterable[Any]] = field(default_factory=dict)

    def inputs(self) -> Iterator[dict[str, Any]]:
        """The inputs of the brute force."""
        for values in product(*self.domains.values()):
            yield dict(zip(self.domains, values, strict=True))

    def is_true(self) -> bool:
        """Whether brute force agrees with the claim."""
        return self.holds == all(map(self._passes, self.inputs()))

    def _passes(self, inputs: dict[str, Any]) -> bool:
        try:
            self.function(**inputs)
        except Exception:
            return False
        return True


CLAIMS: list[Claim] = []


def holds(**domains: Iterable[Any]) -> Callable[[Function], Function]:
    """No input makes the function fail; the brute force tries these."""
    return _claimed(True, domains)


def fails(**domains: Iterable[Any]) -> Callable[[Function], Function]:
    """Some input makes the function fail; one of these does."""
    return _claimed(False, domains)


def _claimed(right: bool, domains: dict[str, Iterable[Any]]) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        CLAIMS.append(Claim(function, right, domains))
        return function

    return register
