"""Contracts of the library deal, read from what its decorators leave at a function.

`pre`, `post`, `ensure`, `raises`, `safe` and `reason` are checked.  What `has` and `pure` say of
side effects is not understood, and a function with it is refused with its line.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from types import FunctionType
from typing import Any

from solvent.contracts.model import Condition, Contract, Raises, Reason, Run
from solvent.contracts.sources import decorator_line, place_of, raised_in, text_of
from solvent.errors import NotLiftedError
from solvent.lift.api import lifted
from solvent.lift.function import lift_function
from solvent.vm.values import Value

LIBRARY = "deal"
_MARK, _INVARIANTS = "__deal_contract", "_deal_invariants"


def contract_of(function: Value) -> Contract | None:
    """What one wrapper of deal's checks, if a function is one."""
    library: Any = sys.modules.get(LIBRARY)
    if library is None or type(function) is not FunctionType:
        return None
    found: Any = vars(function).get(_MARK)
    # What wraps the wrapper has its attributes, too.
    if found is None or found.wrapped is not function:
        return None
    _without_colors()
    file, line = place_of(function)
    if inspect.iscoroutinefunction(found.func):
        raise NotLiftedError(f"{file}:{line}: a contract of an `async` function is not supported")
    if found.patcher is not None:
        line = decorator_line(function, ("has", "pure"))
        raise NotLiftedError(
            f"{file}:{line}: what `deal.has` or `deal.pure` says of side effects cannot be checked "
            "here; leave it out, or let `deal lint` check it"
        )
    contract = Contract(
        function,
        found.func,
        LIBRARY,
        True,
        each_item=inspect.isgeneratorfunction(found.func),
        own_errors=(library.ContractError,),
    )
    make = partial(_condition, function)
    contract.groups = [[make("precondition", one, ("pre", "chain")) for one in found.pres]]
    contract.posts = [make("postcondition", one, ("post", "chain")) for one in found.posts]
    contract.posts += [make("postcondition", one, ("ensure", "chain")) for one in found.ensures]
    contract.raises = [_raises(function, one) for one in found.raises]
    contract.reasons = [
        Reason(one.event, make("postcondition", one, ("reason", "chain"))) for one in found.reasons
    ]
    return contract


def _without_colors() -> None:
    """Messages are shown as they are."""
    state: Any = getattr(sys.modules.get("deal._state"), "state", None)
    if getattr(state, "color", False):
        state.color = False


def is_invarianted(value: object) -> bool:
    """Whether `deal.inv` has made a class of another one."""
    return isinstance(value, type) and _INVARIANTS in value.__dict__


def is_inherited(value: object) -> bool:
    """Whether a member of a class is one that `deal.inherit` has put there."""
    cls = getattr(sys.modules.get("deal._runtime._inherit"), "Inherit", None)
    return cls is not None and type(value) is cls


def refuse_inherited(function: Value, cls: type) -> None:
    """Refuse a method whose contracts deal looks for when it is called."""
    if is_inherited(vars(cls).get(getattr(function, "__name__", ""))):
        file, line = place_of(function)
        raise NotLiftedError(
            f"{file}:{line}: what `deal.inherit` takes from the classes above is not supported; "
            "write the contracts out"
        )


_IN_USE = (
    ("_runtime._invariant", "InvariantedClass"),
    ("_runtime._validators", "InvariantValidator"),
    ("_exceptions", "InvContractError"),
)


def _lift_ahead() -> None:
    """Lift what runs at each use of an instance before probes are forbidden to open files."""
    for name, cls in _IN_USE:
        found = getattr(sys.modules.get(f"deal.{name}"), cls, None)
        for base in getattr(found, "__mro__", ()):
            for function in vars(base).values():
                if isinstance(function, FunctionType):
                    with suppress(NotLiftedError):
                        lift_function(function)


def invariants_of(cls: type) -> list[Condition]:
    """The invariants that a class of deal's checks itself, in its lifted version too."""
    _without_colors()
    _lift_ahead()
    found: list[Condition] = []
    for validator in cls.__dict__.get(_INVARIANTS, ()):
        raw = validator.raw_validator
        # Otherwise done when it is used first, perhaps on some paths only.
        validator.init()
        file, line = place_of(raw)
        is_raised = partial(_is_raised, validator)
        text = validator.message or text_of(raw)
        found.append(Condition("invariant", text, file, line, raw, is_raised=is_raised))
    return found


def _condition(function: Value, kind: str, validator: Any, names: tuple[str, ...]) -> Condition:
    raw = validator.raw_validator
    file, _ = place_of(function)
    line = decorator_line(function, names, raw)
    if not isinstance(raw, FunctionType):
        raise NotLiftedError(
            f"{file}:{line}: the validator {text_of(raw)} is no function written in Python"
        )
    parameters = set(inspect.signature(raw).parameters)
    bundled = parameters == {"_"}
    takes_result = names[0] == "post"
    if takes_result:
        # It takes the result alone, whatever it calls it.
        raw = partial(_of_result, raw)
    return Condition(
        kind,
        validator.message or text_of(validator.raw_validator),
        file,
        line,
        raw,
        error=partial(_error, validator),
        wanted=("result",) if takes_result else tuple(parameters),
        bundled=bundled and not takes_result,
        explicit=not bundled and not takes_result,
        judge=_is_valid,
        is_vague=not issubclass(validator.exception_type, AssertionError),
        is_raised=partial(_is_raised, validator),
    )


@lifted
def _of_result(function: Value, result: Value) -> Value:
    return function(result)


@lifted
def _is_valid(found: Value) -> bool:
    # A text says what is wrong.
    if type(found) is str:
        return False
    return bool(found)


def _error(validator: Any, values: Mapping[str, Any], run: Run) -> BaseException:
    cls = validator.exception_type
    library: Any = sys.modules[LIBRARY]
    text = validator.message or f"expected {text_of(validator.raw_validator)}"
    if issubclass(cls, library.ContractError):
        found: BaseException = cls(
            message=text, validator=validator.raw_validator, origin=validator.function
        )
        return found
    made: BaseException = cls(validator.message) if validator.message else cls()
    return made


def _is_raised(validator: Any, error: BaseException) -> bool:
    library: Any = sys.modules[LIBRARY]
    if isinstance(error, library.ContractError):
        return (
            type(error) is validator.exception_type
            and error.validator is validator.raw_validator
            and error.origin is validator.function
        )
    return type(error) is validator.exception_type and raised_in(error, LIBRARY)


def _raises(function: Value, validator: Any) -> Raises:
    file, _ = place_of(function)
    line = decorator_line(function, ("raises", "safe", "chain"))
    return Raises(
        tuple(validator.exceptions),
        file,
        line,
        exact=True,
        error=partial(_error_of_raises, validator),
        is_raised=partial(_is_raised, validator),
        who="the contract `deal.raises`",
    )


def _error_of_raises(validator: Any) -> BaseException:
    cls = validator.exception_type
    return cls(validator.message) if validator.message else cls()  # type: ignore[no-any-return]
