"""Contracts in annotations: `Annotated[int, Gt(0)]` of a parameter or a result.

>>> from typing import Annotated
>>> import annotated_types as at
>>> def half(n: Annotated[int, at.Gt(1)]) -> int:
...     return n // 2
>>> [str(one) for one in contract_of(half).conditions()]
['precondition `n is > 1`']
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from types import FunctionType
from typing import Any

from solvent.contracts.constraints import described, is_used
from solvent.contracts.model import Condition, Contract
from solvent.contracts.shapes import checker, hints_of, of_parameter
from solvent.contracts.sources import definition, place_of
from solvent.errors import SolventError
from solvent.lift.calls import call
from solvent.vm.values import Value

LIBRARY = "annotated-types"
# How a condition calls the result; no parameter is called so.
RESULT = "__return__"


def contract_of(function: Value) -> Contract | None:
    """What the annotations of a function say of its arguments and its result."""
    if not is_used() or type(function) is not FunctionType:
        return None
    # A wrapper has the annotations of what it wraps, and may be called with other arguments.
    inside = getattr(getattr(function, "__wrapped__", None), "__annotations__", None)
    if not function.__annotations__ or inside == function.__annotations__:
        return None
    file, line = place_of(function)
    contract = Contract(function, function, LIBRARY, False, groups=[[]], result_names=(RESULT,))
    kinds = {one.name: one.kind for one in inspect.signature(function).parameters.values()}
    for name, hint in hints_of(function, function.__globals__, file, line).items():
        # Its source is parsed only if there is something to tell, which is rare.
        with suppress(SolventError):
            if checker(hint, file, line) is None:
                continue
        where = _line_of(definition(function), name) or line
        check = checker(hint, file, where)
        if check is None:
            continue
        if name == "return":
            text = f"the result is {described(hint)}"
            contract.posts.append(_about(RESULT, check, "postcondition", text, file, where))
        elif name in kinds:
            text = f"{name} is {described(hint)}"
            check = of_parameter(kinds[name], check)
            contract.groups[0].append(_about(name, check, "precondition", text, file, where))
    return contract if contract.posts or contract.groups[0] else None


def of_fields(
    cls: type, function: FunctionType, place: Callable[[str], tuple[str, int]]
) -> list[Condition]:
    """What the fields of a class say of the parameters of the function that stores them."""
    return [
        _about(name, check, "precondition", text, file, line)
        for name, check, text, file, line in _fields(cls, function, place)
    ]


def of_made_fields(
    cls: type, function: FunctionType, place: Callable[[str], tuple[str, int]]
) -> list[Condition]:
    """What the fields of a dataclass say of defaults that are made for each object."""
    made = [one.name for one in dataclasses.fields(cls) if callable(one.default_factory)]
    return [
        Condition(
            "precondition", text, file, line, partial(_of_made, name, check), wanted=(name, "self")
        )
        for name, check, text, file, line in _fields(cls, function, place)
        if name in made
    ]


def _fields(
    cls: type, function: FunctionType, place: Callable[[str], tuple[str, int]]
) -> Iterator[tuple[str, Any, str, str, int]]:
    """The fields with constraints: name and check; text, file and line."""
    if not is_used() or not function.__annotations__:
        return
    around = vars(sys.modules.get(cls.__module__, types))
    for name, hint in hints_of(cls, around, *place("")).items():
        file, line = place(name)
        check = checker(hint, file, line)
        if name in function.__annotations__ and check is not None:
            yield name, check, f"{name} is {described(hint)}", file, line


# What a parameter has whose default a factory makes.
_MADE: object = vars(dataclasses)["_HAS_DEFAULT_FACTORY"]


def _of_made(name: str, check: Callable[[Value], Value], **values: Value) -> Value:
    if values[name] is not _MADE:
        return True
    return call(check)(call(getattr)(values["self"], name))


def _about(name: str, check: Any, kind: str, text: str, file: str, line: int) -> Condition:
    return Condition(kind, text, file, line, partial(_named, name, check), wanted=(name,))


def _named(name: str, check: Callable[[Value], Value], **values: Value) -> Value:
    # What is made for an object is looked at when it is there.
    return values[name] is _MADE or call(check)(values[name])


def _line_of(node: Any, name: str) -> int:
    """The line of the annotation of a parameter, or of the result."""
    if node is None:
        return 0
    if name == "return":
        return getattr(node.returns, "lineno", 0)
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    arguments += [one for one in (node.args.vararg, node.args.kwarg) if one is not None]
    return next((found.lineno for found in arguments if found.arg == name), 0)
