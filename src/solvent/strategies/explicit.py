"""What is asked about a test: its explicit examples first, then all values of its strategies.

The examples that a test names itself, by `@example`, need not be values of its strategies; each is
asked about like a space of one value.  One that is expected to fail is run by CPython.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

from solvent.errors import AssumptionError, InputSpaceError
from solvent.queries.results import Verification
from solvent.queries.spaces.values import Exactly
from solvent.strategies.given import Given, place

# Under this name an answer tells the bounds that are not those of the strategies.
OUR_BOUNDS = "bounds of ours"
# Asks about a function with spaces for its parameters.
Ask = Callable[[FunctionType, dict[str, Any]], Iterable[Verification]]


def answers(given: Given, ask: Ask) -> list[Verification]:
    """The answers about a test: the failures, what is not known, or that it holds."""
    subject = given.subject()
    unknown: list[Verification] = []
    found: list[Verification] = []
    for spaces in [*explicit_spaces(given), dict(given.spaces)]:
        found = list(_told(given, spaces, ask(subject, spaces)))
        if any(one.failure is not None and one.confirmed for one in found):
            return found
        unknown += [one for one in found if not one.holds]
    return unknown or found


def _told(
    given: Given, spaces: Mapping[str, Any], results: Iterable[Verification]
) -> Iterator[Verification]:
    """Answers about a test, with what its inputs were and which of the bounds are ours."""
    derived = {name: str(space) for name, space in spaces.items()}
    derived |= dict.fromkeys(given.data, "what the test draws")
    if given.bounds and spaces == given.spaces:
        derived[OUR_BOUNDS] = ", ".join(given.bounds)
    for result in results:
        yield replace(result, derived=derived)


def explicit_spaces(given: Given) -> Iterator[dict[str, Any]]:
    """The spaces of the explicit examples of a test, those that must pass.

    >>> from hypothesis import example, given, strategies as st
    >>> from solvent.strategies.given import given_of
    >>> @given(st.integers(0, 9))
    ... @example(99)
    ... def test_small(n):
    ...     assert n < 50
    >>> [spaces["n"].value for spaces in explicit_spaces(given_of(test_small))]
    [99]
    """
    if not _are_run(given):
        return
    for one in reversed(getattr(given.test, "hypothesis_explicit_examples", ())):
        named = _named(given, one)
        if getattr(one, "raises", None) is None:
            yield {name: Exactly(value) for name, value in named.items()}
        else:
            _must_fail(given, one, named)


def _are_run(given: Given) -> bool:
    from hypothesis import Phase

    settings: Any = getattr(given.test, "_hypothesis_internal_use_settings", None)
    return settings is None or Phase.explicit in settings.phases


def _named(given: Given, one: Any) -> dict[str, Any]:
    """The values of an example by the names of parameters, the last ones as Hypothesis has it."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = [p.name for p in inspect.signature(given.inner).parameters.values() if p.kind is kind]
    named = dict(one.kwargs)
    if one.args:
        named = dict(zip(names[-len(one.args) :], one.args, strict=False))
    if given.data or named.keys() != given.strategies.keys():
        _left(given, f"`@example` with values for {', '.join(named)}")
    return named


def _must_fail(given: Given, one: Any, named: dict[str, Any]) -> None:
    try:
        given.run_plainly(given.inner, named)
    except AssumptionError:
        return
    except one.raises:
        return
    except BaseException as error:
        if not isinstance(error, Exception):
            raise
        _left(given, f"`@example(...).xfail()` raises {type(error).__name__}")
    _left(given, "`@example(...).xfail()` does not fail")


def _left(given: Given, reason: str) -> None:
    raise InputSpaceError(f"{place(given.test)}: {reason}; Hypothesis runs the test as usual")
