"""Lifted execution against CPython: every input of a small domain must agree.

`agree(function, [0, 1, 2], [False, True])` runs the function once on symbolic inputs, and then in
plain Python on every combination of the given values.  Under each, the result, the exception and
what became of the arguments must be the same.  The lifted function must also do the same on the
concrete values themselves.  Legality is checked as well.
"""

from __future__ import annotations

import contextlib
import io
import itertools
from collections import deque
from collections.abc import Callable, Sequence
from fractions import Fraction
from types import FunctionType, GeneratorType
from typing import Any

from solvent import Bool, Float, Int, Real, Str
from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.execution import execute
from solvent.lift.reflection import assume
from solvent.lift.registry import TRUSTED
from solvent.lift.under_model import evaluate
from solvent.terms import and_
from solvent.vm.machine import Outcome
from solvent.vm.shapes import record_fields
from solvent.vm.slotted import slot_names
from solvent.vm.twins import twin_of_values


def constant(place: int, values: Sequence[Any]) -> Any:
    """A symbolic constant that stands for one of the values."""
    kind = type(values[0])
    return {int: Int, bool: Bool, str: Str, float: Float, Fraction: Real}[kind](f"in{place}")


def snapshot(value: Any, seen: dict[int, int] | None = None) -> Any:
    """A value as nested tuples that show types, contents and aliasing."""
    seen = {} if seen is None else seen
    if value is None or isinstance(value, (int, float, str, bytes, complex, type)):
        return (type(value).__name__, repr(value))
    if isinstance(value, FunctionType):
        return ("function", value.__name__)
    if isinstance(value, GeneratorType):
        return ("generator",)
    if isinstance(value, tuple):
        return (type(value).__name__, *(snapshot(item, seen) for item in value))
    if twin_of_values(type(value)) is not None:
        return (type(value).__name__, repr(value))
    if record_fields(type(value)) is not None:
        # Immutable records have no identity, like tuples.
        return (type(value).__name__, *((k, snapshot(v, seen)) for k, v in vars(value).items()))
    if id(value) in seen:
        return ("again", seen[id(value)])
    seen[id(value)] = len(seen)
    name = type(value).__name__
    if isinstance(value, (list, deque)):
        return (name, *(snapshot(item, seen) for item in value))
    if isinstance(value, dict):
        return (name, *((snapshot(k, seen), snapshot(v, seen)) for k, v in value.items()))
    if isinstance(value, (set, frozenset)):
        return (name, *sorted(repr(snapshot(item, seen)) for item in value))
    if isinstance(value, BaseException):
        return (name, *(snapshot(item, seen) for item in value.args))
    if hasattr(value, "__dict__"):
        return (name, *((k, snapshot(v, seen)) for k, v in sorted(vars(value).items())))
    if hasattr(type(value), "__slots__"):
        slots = [(k, getattr(value, k)) for k in slot_names(type(value)) if hasattr(value, k)]
        return (name, *((k, snapshot(v, seen)) for k, v in slots))
    return (name, repr(value))


def run(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, Any]:
    """What a function returns and what it raises."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            return function(*arguments), None
        except Exception as caught:
            return None, caught


def check_concrete(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    expected: tuple[Any, Any, Any],
    shown: str,
    messages: bool,
) -> None:
    """The lifted function on concrete values is the plain one."""
    result, error = run(call(function), arguments)
    if error is not None and not messages:
        assert type(error) is type(expected[1]), f"{shown} on concrete values: {error!r}"
        return
    actual = snapshot((result, error, arguments))
    assert actual == snapshot(expected), f"{shown} on concrete values:\n  {actual}"


def agree(
    function: Callable[..., Any],
    *domains: Sequence[Any],
    make: Callable[..., tuple[Any, ...]] | None = None,
    messages: bool = True,
    only: Callable[..., bool] | None = None,
) -> Outcome:
    """Check one function; `make` turns the inputs into arguments, the inputs by default.

    Of the inputs only those are tried that pass the test `only`, all by default.
    """
    plain = getattr(function, "__wrapped__", function)
    make = make or (lambda *inputs: inputs)
    inputs = [constant(place, values) for place, values in enumerate(domains)]
    symbolic = make(*inputs)

    def bounded(*arguments: Any) -> Any:
        for found, values in zip(inputs, domains, strict=True):
            if isinstance(values[0], int) and not isinstance(values[0], bool):
                assume(and_(found >= min(values), found <= max(values)))
        return call(function)(*arguments)

    TRUSTED.add(bounded)
    outcome = execute(bounded, *symbolic)
    for values in itertools.product(*domains):
        if only is not None and not only(*values):
            continue
        model = dict(zip(inputs, values, strict=True))
        arguments = make(*values)
        shown = f"{function.__name__}{arguments!r}"
        result, error = run(plain, arguments)
        check_concrete(function, make(*values), (result, error, arguments), shown, messages)
        assumes, asserts = evaluate(outcome.assumes, model), evaluate(outcome.asserts, model)
        assert assumes or asserts, f"{shown}: illegal state"
        for failure in outcome.failures:
            # What is refused on some paths only ends them.
            if isinstance(failure.exception, NotLiftedError) and evaluate(failure.condition, model):
                raise failure.exception
        if error is not None:
            assert not asserts, f"{shown}: CPython raises {error!r}, the lifted function does not"
            found = [f for f in outcome.failures if evaluate(f.condition, model)]
            assert len(found) == 1, f"{shown}: {len(found)} failures hold at once: {found}"
            lifted = evaluate(found[0].exception, model)
            assert type(lifted) is type(error), f"{shown}: {lifted!r} instead of {error!r}"
            if messages:
                assert snapshot(lifted) == snapshot(error), f"{shown}: {lifted!r}, not {error!r}"
            continue
        failing = [f for f in outcome.failures if evaluate(f.condition, model)]
        assert asserts, f"{shown}: fails only when lifted: {failing}"
        assert assumes, f"{shown}: not of interest only when lifted"
        assert not outcome.halted, f"{shown}: halted"
        lifted_heap = evaluate((outcome.value, symbolic), model)
        expected, actual = snapshot((result, arguments)), snapshot(lifted_heap)
        assert actual == expected, f"{shown}:\n  lifted {actual}\n  plain  {expected}"
    return outcome
