"""What Hypothesis says of a run of a test, beyond that it raises: nothing is given back, skips.

A test that gives something back fails its health check, so that a generator, whose body nobody
runs, does not pass; an input with which a test skips itself is none.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

from solvent.contracts.places import raiser
from solvent.contracts.sources import place_of
from solvent.lift.api import lifted
from solvent.lift.reflection import assume
from solvent.vm.values import Value

Skips = tuple[type[BaseException], ...]

# By these names an object runs the examples of its tests itself.
_EXECUTORS = ("execute_example", "setup_example", "teardown_example")


def skips() -> Skips:
    """The exceptions by which tests skip themselves, of libraries that are in use.

    >>> import unittest
    >>> unittest.SkipTest in skips()
    True
    """
    names = (("unittest", "SkipTest"), ("_pytest.outcomes", "Skipped"))
    found = [getattr(sys.modules.get(module), name, None) for module, name in names]
    return tuple(one for one in found if isinstance(one, type))


@lifted
def without_skips(run: Callable[..., Value], named: Mapping[str, Value], skipping: Skips) -> Value:
    """The result of a test; an input with which it skips itself is none."""
    try:
        return run(**named)
    except skipping:
        assume(False)


# What a test mentions that skips itself.
_SKIPPING = frozenset(("skip", "skipTest", "SkipTest", "Skipped", "importorskip"))


def may_skip(code: CodeType) -> bool:
    """Whether a test mentions a way to skip itself.

    Only then are skips caught: an exception that passes by is told at the place of its catcher.
    """
    inside = (one for one in code.co_consts if isinstance(one, CodeType))
    return not _SKIPPING.isdisjoint(code.co_names) or any(map(may_skip, inside))


@lifted
def _is_none(value: Value) -> bool:
    return value is None


def must_be_none(test: Any, result: Value, run: Callable[..., Any]) -> None:
    """Fail where a test gives something back, as Hypothesis does; `run` calls lifted functions."""
    from hypothesis.errors import FailedHealthCheck

    if result is None:
        return

    def error() -> BaseException:
        return FailedHealthCheck(f"a test must return None; {test.__name__} returns something")

    file, line = place_of(test.hypothesis.inner_test)
    run(raiser(file, line))(run(_is_none)(result), error)


def why_left(test: Any, instance: object = None) -> str:
    """Why a test must be left to Hypothesis, whatever its strategies are; empty if it need not."""
    handle = test.hypothesis
    if handle._get_fuzz_target is test:
        # Hypothesis puts a function that only raises in the place of a test that it refuses.
        try:
            test()
        except Exception as error:
            return f"Hypothesis refuses it: {error}"
    if getattr(handle.inner_test, "is_hypothesis_test", False):
        return "`@given` is applied more than once"
    if inspect.iscoroutinefunction(handle.inner_test):
        return "an `async` test needs somebody who runs it"
    for name in _EXECUTORS:
        if hasattr(instance, name):
            return f"its class runs examples by its own `{name}`"
    return ""
