"""A test with `@given` as a specification: for all values of its strategies, it does not fail.

The test without Hypothesis around it is asked about.  What `assume` excludes is no input; a value
that the test draws itself, by `data`, is made where it is drawn.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from itertools import islice
from types import FrameType, FunctionType
from typing import Any

from hypothesis.errors import InvalidArgument

from solvent.contracts.guards import as_it_is, as_lifted
from solvent.contracts.sources import innermost
from solvent.errors import AssumptionError, InputSpaceError
from solvent.lift.calls import call
from solvent.lift.reflection import assume, symbolics
from solvent.lift.registry import FUNCTIONS, TRUSTED
from solvent.lift.under_model import evaluate
from solvent.queries.meant import IS_TEST
from solvent.queries.recipes import remade
from solvent.queries.spaces.base import DEFAULT_LENGTH, Making
from solvent.strategies.judging import may_skip, must_be_none, skips, why_left, without_skips
from solvent.strategies.turning import NotTurnedError, drawn, turned, unwrapped
from solvent.terms.model import Model
from solvent.terms.term import Term, constant, constants_are
from solvent.vm.machine import Machine, running
from solvent.vm.own import outside
from solvent.vm.values import Value


@dataclass
class Given:
    """A test, the spaces of its arguments, and the bounds that are ours."""

    # The test with Hypothesis around it, and without.
    test: Callable[..., Any]
    inner: Callable[..., Any]
    strategies: Mapping[str, Any]
    max_len: int = DEFAULT_LENGTH
    # What fixtures and parameters give.
    fixed: Mapping[str, Any] = field(default_factory=dict)
    spaces: dict[str, Any] = field(default_factory=dict)
    bounds: list[str] = field(default_factory=list)
    # The arguments by which the test draws values itself.
    data: list[str] = field(default_factory=list)

    @property
    def open_parameters(self) -> list[str]:
        """The parameters that somebody else must give, such as fixtures."""
        known = {*self.strategies, *self.fixed}
        parameters = inspect.signature(self.inner).parameters.values()
        return [p.name for p in parameters if p.name not in known and p.default is p.empty]

    def subject(self) -> FunctionType:
        """The function to ask about, whose parameters are those with a space."""
        prepare()
        inner: Any = innermost(self.inner)
        this = self

        def plainly(**named: Value) -> None:
            this.run_plainly(inner, named)

        def symbolically(**named: Value) -> None:
            more = {name: Data(name, this.max_len) for name in this.data}
            given = {**this.fixed, **named, **more}
            if may_skip(inner.__code__):
                result = call(without_skips)(call(this.inner), given, skips())
            else:
                result = call(this.inner)(**given)
            must_be_none(this.test, result, call)

        code, closure = plainly.__code__, plainly.__closure__
        face = FunctionType(code, inner.__globals__, inner.__name__, None, closure)
        face.__qualname__, face.__module__ = inner.__qualname__, inner.__module__
        face.__doc__, face.__annotations__ = inner.__doc__, {}
        face.__wrapped__ = inner  # type: ignore[attr-defined]
        kind = inspect.Parameter.KEYWORD_ONLY
        parameters = [inspect.Parameter(name, kind) for name in self.spaces]
        face.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        found = as_lifted(symbolically, face)
        vars(face)["__solvent_call__"] = found
        setattr(found, IS_TEST, True)
        return found

    def run_plainly(self, _: Value, named: Mapping[str, Value]) -> None:
        """What CPython does with the test."""
        from hypothesis.errors import UnsatisfiedAssumption

        more = {name: PlainData(name, self.max_len) for name in self.data}
        try:
            # Constants that the test itself makes are what they are: it may be about Solvent.
            with _inside_of_a_test(self.test), constants_are(None):
                result = self.inner(**self.fixed, **named, **more)
        except UnsatisfiedAssumption:
            raise AssumptionError("an assumption of the test is false") from None
        except skips():
            raise AssumptionError("the test skips itself") from None
        must_be_none(self.test, result, as_it_is)


def given_of(
    test: Any, max_len: int = DEFAULT_LENGTH, fixed: Mapping[str, Any] | None = None
) -> Given:
    """A test with its strategies turned into spaces.

    >>> from hypothesis import given, strategies as st
    >>> @given(st.integers(0, 9))
    ... def test_small(n):
    ...     assert n < 9
    >>> given_of(test_small).spaces["n"]
    Sorted(sort=Int, low=0, high=9)
    """
    handle = test.hypothesis
    left = why_left(test, (fixed or {}).get("self"))
    if left:
        raise NotTurnedError(f"{place(test)}: {left}; Hypothesis runs the test as usual")
    found = Given(test, handle.inner_test, dict(handle._given_kwargs), max_len, dict(fixed or {}))
    for name, strategy in found.strategies.items():
        try:
            if type(unwrapped(strategy)).__name__ == "DataStrategy":
                found.data.append(name)
                found.bounds.append(f"what `{name}` draws of up to {max_len} items")
                continue
            found.spaces[name], bounds = turned(strategy, max_len)
        except (InputSpaceError, InvalidArgument) as error:
            raise NotTurnedError(
                f"{place(test)}: `{name}`: {error}; Hypothesis runs the test as usual"
            ) from None
        found.bounds += [one for one in bounds if one not in found.bounds]
    return found


def place(test: Any) -> str:
    """File and line of a test."""
    code = innermost(test.hypothesis.inner_test).__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


# --- values that the test draws itself ------------------------------------------------------------


def _position(frame: FrameType) -> str:
    """Line and column of what a frame is just doing."""
    positions = islice(frame.f_code.co_positions(), frame.f_lasti // 2, None)
    _, _, column, _ = next(positions, (None, None, None, None))
    return f"{frame.f_lineno}:{column}"


class Data:
    """What stands for `data` in the symbolic run."""

    def __init__(self, name: str, max_len: int) -> None:
        self.name = name
        self.max_len = max_len
        self.counts: dict[str, int] = {}

    def next_name(self) -> str:
        """The name of a value, by the place that draws it: other paths draw at other places."""
        frame = outside(sys._getframe(2))
        where = "" if frame is None else _position(frame)
        count = self.counts[where] = self.counts.get(where, 0) + 1
        return f"{self.name}.draw:{where}{'' if count == 1 else f'#{count}'}"

    def draw(self, strategy: Any, label: object = None) -> Value:
        """A value of a strategy."""
        return drawn(strategy, self.next_name(), self.max_len, Making())


class PlainData(Data):
    """What stands for `data` when CPython runs the test with the values of an answer."""

    def __init__(self, name: str, max_len: int) -> None:
        super().__init__(name, max_len)
        # Where constants have the values of the answer.
        self.context = copy_context()

    def draw(self, strategy: Any, label: object = None) -> Value:
        making = Making()
        name = self.next_name()
        space, _ = turned(strategy, self.max_len)
        with running(Machine()):
            value = space.make(name, making)
            wanted = symbolics((value, making.assumptions, [one for _, one in making.made]))
        found: Any = {
            one: self.context.run(constant, one.sort, one.name)
            for one in wanted
            if isinstance(one, Term)
        }
        model = Model(found)
        if any(evaluate(one, model) is not True for one in making.assumptions):
            raise AssumptionError("a drawn value is none of its strategy")
        concrete, made = evaluate((value, making.made), model)
        return remade(concrete, made)


# --- Hypothesis's own functions -------------------------------------------------------------------


def prepare() -> None:
    """Let lifted code call what Hypothesis offers to tests."""
    import hypothesis
    from hypothesis import strategies

    FUNCTIONS.setdefault(hypothesis.assume, _assume)
    for name in ("note", "event"):
        FUNCTIONS.setdefault(getattr(hypothesis, name), _nothing)
    FUNCTIONS.setdefault(hypothesis.target, _observed)
    FUNCTIONS.setdefault(hypothesis.reject, _reject)
    for name in strategies.__all__:
        with suppress(TypeError):
            TRUSTED.add(getattr(strategies, name))


def _assume(condition: Value) -> bool:
    assume(condition)
    return True


def _reject() -> None:
    assume(False)


def _nothing(*args: Value, **named: Value) -> None:
    """Notes and events are for who reads the report of Hypothesis."""


def _observed(observation: Value, *, label: str = "") -> Value:
    return observation


@contextmanager
def _inside_of_a_test(test: Any) -> Iterator[None]:
    """What Hypothesis offers to tests works only inside of one."""
    try:
        from hypothesis.control import BuildContext
        from hypothesis.internal.conjecture.data import ConjectureData

        context: Any = BuildContext(ConjectureData.for_choices(()), wrapped_test=test)
    except (ImportError, TypeError, AttributeError):
        context = None
    if context is None:
        yield
        return
    with context:
        yield
