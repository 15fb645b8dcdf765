"""The function that a check is about, with its contract.

It has two faces.  The symbolic run sees one in which the preconditions are assumed, and everything
else is asserted by the guards.  CPython sees the function of the program with the decorators of its
libraries; inputs that its preconditions exclude are no inputs, and a violation is raised once more
at the line of the contract, so that it is told there.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import FunctionType, GeneratorType
from typing import Any

from solvent.contracts import of_icontract
from solvent.contracts.enforcing import Enforced, enforced
from solvent.contracts.guards import PROGRESS, Guarded, as_it_is, as_lifted
from solvent.contracts.inner import refuse_inner
from solvent.contracts.making import MAKES
from solvent.contracts.model import Condition, Contract, Raises
from solvent.contracts.pep316 import refuse_module
from solvent.contracts.places import raiser
from solvent.contracts.reading import layers_of
from solvent.contracts.sources import innermost
from solvent.contracts.violations import VIOLATIONS
from solvent.errors import AssumptionError, SolventError
from solvent.lift.calls import call
from solvent.lift.function import is_lifted
from solvent.vm.values import Value

# What a face of a function is of.
FACE_OF = "__solvent_face_of__"


class Checked:
    """A function with contracts, ready to be checked."""

    def __init__(
        self, function: Value, layers: list[Contract], scope: Enforced, is_wrapped: bool = False
    ) -> None:
        self.function = function
        self.layers = layers
        self.scope = scope
        # Whether the contract is that of a function behind a wrapper of the program.
        self.is_wrapped = is_wrapped
        # What the conditions of a constructor see as `self`: nothing is made yet.
        self.first: tuple[Value, ...] = (None,) if hasattr(function, MAKES) else ()

    def raises(self) -> Mapping[type[BaseException], str]:
        """The exceptions that the contract allows, with who says so."""
        allowed = [one for layer in self.layers for one in layer.raises]
        return {cls: one.who for one in allowed for cls in one.classes}

    def subject(self) -> FunctionType:
        """The function to ask about."""
        return as_lifted(self._symbolic(), self._face(self._plain()))

    def _face(self, plain: Callable[..., Value]) -> Value:
        """A plain function that has the name, the parameters and the variables of the other."""
        original: Any = innermost(self.function)
        assert isinstance(plain, FunctionType)
        face = FunctionType(
            plain.__code__, original.__globals__, original.__name__, None, plain.__closure__
        )
        face.__qualname__, face.__module__ = original.__qualname__, original.__module__
        face.__doc__, face.__annotations__ = original.__doc__, original.__annotations__
        face.__wrapped__ = original  # type: ignore[attr-defined]
        face.__signature__ = inspect.signature(self.function)  # type: ignore[attr-defined]
        if self.first:
            face.__name__, face.__qualname__ = self.function.__name__, self.function.__qualname__
        setattr(face, FACE_OF, self.function)
        return face

    def _symbolic(self) -> Callable[..., Value]:
        def symbolic(*args: Value, **named: Value) -> Value:
            with PROGRESS.afresh():
                if self.is_wrapped:
                    # A wrapper may call with other arguments: those are asserted.
                    for layer in self.layers:
                        Guarded(layer, call, (*self.first, *args), named).suppose()
                else:
                    PROGRESS.assumed = list(self.layers)
                return call(self.function)(*args, **named)

        return symbolic

    def _plain(self) -> Callable[..., Value]:
        # Its constants are worth trying.
        original = self.layers[-1].body if self.layers else innermost(self.function)
        this = self

        def plain(*args: Value, **named: Value) -> Value:
            return this.really(original, args, named)

        return plain

    def really(self, original: Value, args: tuple[Value, ...], named: dict[str, Value]) -> Value:
        """What CPython does with the function of the program.

        `original` is the function without wrappers, with values for what is symbolic around it.
        """
        self._check(args, named)
        is_bare = not self.layers and innermost(self.function) is self.function
        function = original if is_bare else self.function
        try:
            violations: list[BaseException] = []
            with PROGRESS.afresh(violations):
                if not self.is_wrapped:
                    PROGRESS.assumed = [one for one in self.layers if not one.is_enforced]
                found = _called(function, args, named, violations)
            if violations:
                raise violations[0]
            return found
        except SolventError:
            raise
        except BaseException as error:
            self._tell(error)
            raise

    def _check(self, args: tuple[Value, ...], named: dict[str, Value]) -> None:
        """Inputs that the preconditions exclude are no inputs."""
        with PROGRESS.afresh():
            for layer in self.layers:
                try:
                    holds = Guarded(layer, as_it_is, (*self.first, *args), named).satisfied()
                except (NameError, SolventError):
                    raise
                except Exception:
                    holds = False
                if not holds:
                    raise AssumptionError("a precondition is false")

    def _tell(self, error: BaseException) -> None:
        """Raise an exception that a library has raised at the line of the contract."""
        for condition in sorted(self._known(), key=lambda one: getattr(one, "is_vague", False)):
            if _is_told_of(condition, error):
                told: BaseException = error
                if not isinstance(error, AssertionError) and self._is_own(condition):
                    kind = getattr(condition, "kind", "postcondition")
                    told = VIOLATIONS[kind](f"{condition} is violated: {error!r}")
                in_one_line(told, condition)
                told.__cause__ = error.__cause__
                told.__traceback__ = None
                raiser(condition.file, condition.line)(False, partial(_same, told))
        self._tell_otherwise(error)

    def _tell_otherwise(self, error: BaseException) -> None:
        """Raise an exception of icontract's that only it knows the condition of at its line."""
        condition = of_icontract.violated(error)
        if condition is not None and not isinstance(error, AssertionError):
            told = VIOLATIONS[condition.kind](f"{condition} is violated")
            raiser(condition.file, condition.line)(False, partial(_same, told))
        place = of_icontract.place_in(error)
        if place is not None:
            in_one_line(error, None)
            error.__traceback__ = None
            raiser(*place)(False, partial(_same, error))

    def _known(self) -> Iterator[Condition | Raises]:
        """The conditions of the program that libraries check, those of the function first."""
        own = [id(layer.function) for layer in self.layers]
        every = [one for one in self.scope.contracts.values() if one.is_enforced]
        for contract in sorted(every, key=lambda one: id(one.function) not in own):
            yield from contract.conditions()
            yield from contract.raises
        for value in self.scope.seen.values():
            if isinstance(value, type):
                yield from of_icontract.invariants_of(value)
        yield from self.scope.invariants

    def _is_own(self, condition: object) -> bool:
        """Whether a condition is one that the function itself must satisfy at its end."""
        return any(condition is one for layer in self.layers for one in layer.posts)


def _called(
    function: Value,
    args: tuple[Value, ...],
    named: dict[str, Value],
    violations: list[BaseException],
) -> Value:
    """The result of a call; violations that the program has met count more than what it raises."""
    try:
        found = function(*args, **named)
        # A generator runs nothing before it is asked for items.
        return list(found) if isinstance(found, GeneratorType) else found
    except SolventError:
        raise
    except BaseException:
        if not violations:
            raise
        return None


def _is_told_of(condition: Condition | Raises, error: BaseException) -> bool:
    """Whether a library has raised an error for a condition; some errors have no message."""
    try:
        return condition.is_raised is not None and condition.is_raised(error)
    except Exception:
        return False


def in_one_line(error: Any, condition: Condition | Raises | None) -> None:
    """Leave out what the message of a library says beside the condition and its values."""
    if getattr(error, "message", None) == "":
        # It would be read from the source only when it is shown.
        cause = f"{type(error.__cause__).__name__} is raised"
        error.message = cause
        if isinstance(condition, Condition):
            error.message = f"expected {condition.text}"
    elif len(error.args) == 1 and isinstance(error.args[0], str) and "\n" in error.args[0]:
        first, *rest = error.args[0].split("\n")
        rest = rest if first.startswith("File ") else [first, *rest]
        head, *values = [line.strip() for line in rest]
        error.args = (" ".join([head, ", ".join(values)]).rstrip(": "),)


def _same(error: BaseException) -> BaseException:
    return error


@contextmanager
def checked(function: Value, cls: type | None = None) -> Iterator[Checked | None]:
    """While its check lasts, a function whose contracts are in force; `None` if it has none."""
    inner = innermost(function)
    if not isinstance(inner, FunctionType):
        yield None
        return
    # What is not understood is told at once.
    layers_of(uncached(function), cls)
    refuse_inner(inner)
    refuse_module(inner)
    with enforced(uncached(function), cls) as scope:
        start = uncached(function)
        if hasattr(function, MAKES):
            start = vars(getattr(function, MAKES))["__init__"]
            # It may have been lifted in place.
            start = start.__wrapped__ if is_lifted(start) else start
        inside = _unwrapped(start, scope)
        found = Checked(function, _layers(inside, scope), scope, inside is not start)
        yield None if scope.is_empty else found


def uncached(function: Value) -> Value:
    """The function behind a cache."""
    is_cached = type(function) is functools._lru_cache_wrapper
    return function.__wrapped__ if is_cached else function


def _unwrapped(function: Value, scope: Enforced) -> Value:
    """A function, or what it wraps if only that has a contract."""
    found = function
    while id(found) not in scope.contracts:
        found = getattr(found, "__wrapped__", None)
        if found is None:
            return function
    return found


def _layers(function: Value, scope: Enforced) -> list[Contract]:
    found: list[Contract] = []
    while id(function) in scope.contracts:
        contract = scope.contracts[id(function)]
        found.append(contract)
        if not contract.is_enforced:
            break
        function = contract.body
    return found
