"""Contracts of the library icontract, read from what its decorators leave at functions and classes.

A checker has groups of preconditions of which one must hold (a class that derives from another one
weakens them), snapshots and postconditions.  Another wrapper, around each public method of a class,
checks the invariants.  While a function runs, its own contracts are not checked again, and neither
are the invariants of an instance while one of its methods runs.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import FunctionType, MethodType
from typing import Any

from solvent.contracts.model import Condition, Contract, Run, Snapshot
from solvent.contracts.sources import place_of, raised_in, text_of
from solvent.errors import NotLiftedError
from solvent.vm.values import Value

LIBRARY = "icontract"

_LOCATION = re.compile(r"File (?P<file>.*), line (?P<line>\d+) in ", re.DOTALL)
_INITIAL = ("__init__", "__setstate__")


def contract_of(function: Value) -> Contract | None:
    """What one wrapper of icontract's checks, if a function is one."""
    library = sys.modules.get(LIBRARY)
    if library is None or type(function) is not FunctionType:
        return None
    folder = os.path.dirname(library.__file__ or "") + os.sep
    inner = getattr(function, "__wrapped__", None)
    if not function.__code__.co_filename.startswith(folder) or inner is None:
        return None
    # What wraps a wrapper has its attributes, too.
    own = [name for name in _MARKS if name in vars(function) and name not in _attributes(inner)]
    if _MARKS[0] in own:
        is_init = function.__name__ in _INITIAL
        if function.__name__ == "__new__":
            return None
        return Contract(
            function, inner, LIBRARY, True, invariants=partial(_invariants, is_init),
            is_init=is_init,
        )  # fmt: skip
    if _MARKS[1] not in own:
        return None
    _refuse_async(function)
    marked: Any = function
    return Contract(
        function,
        inner,
        LIBRARY,
        True,
        groups=[[_condition("precondition", c) for c in g] for g in marked.__preconditions__],
        snapshots=[
            Snapshot(one.name, one.capture, tuple(one.args))
            for one in marked.__postcondition_snapshots__
        ],
        posts=[_condition("postcondition", one) for one in marked.__postconditions__],
        skips_recursion=True,
    )


_MARKS = ("__is_invariant_check__", "__preconditions__")


def _attributes(function: Value) -> Mapping[str, object]:
    return getattr(function, "__dict__", {})


def _refuse_async(function: FunctionType) -> None:
    if function.__code__.co_flags & 0x80:
        file, line = place_of(function)
        raise NotLiftedError(f"{file}:{line}: a contract of an `async` function is not supported")


def invariants_of(cls: type) -> list[Condition]:
    """All invariants of a class."""
    return [_condition("invariant", one) for one in getattr(cls, "__invariants__", ())]


def _invariants(is_init: bool, instance: Value) -> list[Condition]:
    name = "__invariants__" if is_init else "__invariants_on_call__"
    return [_condition("invariant", one) for one in getattr(type(instance), name, ())]


@cache
def _condition(kind: str, contract: Any) -> Condition:
    """A contract of icontract's as a condition."""
    match = _LOCATION.match(contract.location or "")
    file, line = place_of(contract.condition)
    if match is not None:
        file, line = match["file"], int(match["line"])
    text = contract.description or text_of(contract.condition)
    return Condition(
        kind,
        text,
        file,
        line,
        contract.condition,
        error=partial(_error, contract, text),
        wanted=tuple(contract.condition_args),
        is_raised=partial(_is_raised, contract),
        is_vague=isinstance(contract.error, (FunctionType, MethodType)),
    )


def _error(contract: Any, text: str, values: Mapping[str, Any], run: Run) -> BaseException:
    """The exception that icontract raises, with the text of the condition alone."""
    given = contract.error
    if given is None:
        library: Any = sys.modules[LIBRARY]
        found: BaseException = library.ViolationError(text)
        return found
    if isinstance(given, type):
        return given(text)  # type: ignore[no-any-return]
    if isinstance(given, BaseException):
        return given
    make: Callable[..., BaseException] = run(given)
    return make(**{name: values[name] for name in contract.error_args if name in values})


def _is_raised(contract: Any, error: BaseException) -> bool:
    given = contract.error
    if isinstance(given, BaseException):
        return error is given
    if given is None or isinstance(given, type):
        library: Any = sys.modules[LIBRARY]
        cls = library.ViolationError if given is None else given
        return type(error) is cls and str(error).startswith(contract.location or "")
    return raised_in(error, LIBRARY)


_KINDS = {
    "_assert_preconditions": "precondition",
    "_assert_postconditions": "postcondition",
    "_assert_invariant": "invariant",
}


def violated(error: BaseException) -> Condition | None:
    """The condition for which icontract has raised an error, if the error itself does not tell.

    It reads the text of a condition from a decorator; of one that was put around a function in
    another way it raises whatever that led to.
    """
    library = sys.modules.get(LIBRARY)
    if library is None:
        return None
    folder = os.path.dirname(library.__file__ or "") + os.sep
    kind, contract = "", None
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename.startswith(folder):
            kind = _KINDS.get(code.co_name, kind)
            if code.co_name == "_create_violation_error":
                contract = traceback.tb_frame.f_locals.get("contract")
        traceback = traceback.tb_next
    return None if contract is None or not kind else _condition(kind, contract)


def place_in(error: BaseException) -> tuple[str, int] | None:
    """File and line of the condition that an error of icontract's tells of."""
    library: Any = sys.modules.get(LIBRARY)
    if library is None or not isinstance(error, library.ViolationError):
        return None
    match = _LOCATION.match(str(error))
    return None if match is None else (match["file"], int(match["line"]))
