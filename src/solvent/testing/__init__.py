"""Solvent in tests: `prove` and `refute` for plain tests, and a plugin for pytest (`plugin`).

Nothing of Solvent's is imported before it is used, since pytest imports the plugin at each start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvent.queries.results import Verification

# How many seconds a proof may take if nobody says how many.
BUDGET = 10.0


def prove(function: Callable[..., Any], /, *args: Any, **named: Any) -> Verification:
    """Fail unless no input makes a function fail; takes what `solvent.verify` takes.

    >>> def doubled(n: int) -> int:
    ...     return n + n
    >>> def is_even(n: int) -> None:
    ...     assert doubled(n) % 2 == 0
    >>> prove(is_even).holds
    True
    """
    __tracebackhide__ = True
    result = _asked(function, args, named)
    if not result.holds:
        told = "" if result.failure is not None else "not proved: "
        raise AssertionError(f"{told}{result}")
    return result


def refute(function: Callable[..., Any], /, *args: Any, **named: Any) -> Verification:
    """Fail unless there is an input, confirmed by CPython, that makes a function fail.

    >>> def positive(n: int) -> None:
    ...     assert n > 0
    >>> refute(positive).inputs
    {'n': 0}
    """
    __tracebackhide__ = True
    result = _asked(function, args, named)
    if not result.confirmed:
        raise AssertionError(f"not refuted: {result}")
    return result


def _asked(
    function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]
) -> Verification:
    from solvent.race import verify
    from solvent.strategies.known import is_given

    if not ({"budget", "options"} & named.keys()):
        named["budget"] = BUDGET
    if is_given(function):
        # These need Hypothesis, which is there then.
        from solvent.strategies.explicit import answers
        from solvent.strategies.given import given_of

        found = given_of(function, named.get("max_len", 3))
        return answers(found, lambda one, spaces: [verify(one, *args, **{**spaces, **named})])[0]
    return verify(function, *args, **named)


__all__ = ["BUDGET", "prove", "refute"]
