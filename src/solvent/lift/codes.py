"""Codes that were made from the code of functions, the same for all that rewrite functions."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType

# The variables of a closure that decide how a function is rewritten, see `rewrite.macros.variant`.
Variant = tuple[str, ...]

# How many codes are kept: a program has fewer functions, but a session may make new ones for ever.
MOST = 10_000


class Codes:
    """What was made of codes in one way; the oldest are forgotten when there are too many.

    >>> codes = Codes(most=1)
    >>> first, second = (lambda: 1).__code__, (lambda: 2).__code__
    >>> codes.of(first, (), lambda: second) is second
    True
    >>> codes.of(first, (), lambda: first) is second
    True
    >>> codes.of(second, (), lambda: second) is second, len(codes)
    (True, 1)
    """

    __slots__ = ("_made", "_most")

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        # By identity, since equal codes of two places are two; the value keeps the original alive.
        self._made: dict[tuple[int, Variant], tuple[CodeType, CodeType]] = {}

    def of(self, original: CodeType, variant: Variant, make: Callable[[], CodeType]) -> CodeType:
        """What is made of a code, if it was not made before."""
        known = self._made.get((id(original), variant))
        if known is None:
            known = (original, make())
            while len(self._made) >= self._most:
                # Another thread may have taken it meanwhile.
                self._made.pop(next(iter(self._made), (0, ())), None)
            self._made[id(original), variant] = known
        return known[1]

    def forget(self, original: CodeType, variant: Variant) -> None:
        """Give up what was made of a code that nobody will use any more."""
        self._made.pop((id(original), variant), None)

    def __len__(self) -> int:
        return len(self._made)
