"""How objects are made whose class has no `__init__` of its own: dataclasses and named tuples.

Nobody wrote the function that stores the fields, and it has no lifted version.  Their constraints
are preconditions of it all the same, and the invariants of the class hold when it is done.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from solvent.contracts import of_annotations
from solvent.contracts.guards import guarded_call
from solvent.contracts.invariants import initialised_by, invariants_of, of_instance
from solvent.contracts.model import Condition, Contract
from solvent.contracts.sources import class_definition
from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.classes import make_ready
from solvent.lift.origins import is_generated
from solvent.vm.values import Value


def contract_of(cls: type) -> Contract | None:
    """The contract of what was generated to make instances of a class; `None` if it has none.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Positive:
    ...     "inv: self.n > 0"
    ...     n: int
    >>> contract_of(Positive).is_init
    True
    """
    is_tuple = issubclass(cls, tuple) and hasattr(cls, "_fields")
    function: Any = getattr(cls, "__new__" if is_tuple else "__init__", None)
    if type(function) is not FunctionType or not is_generated(function.__code__.co_filename):
        return None
    contract = Contract(
        function, function, "generated", False, groups=[[]], is_generated=True, is_init=True
    )
    contract.groups = [of_annotations.of_fields(cls, function, partial(field_place, cls))]
    found = invariants_of(cls)
    if is_tuple:
        contract.posts = [_of_result(one) for one in found]
    else:
        contract.posts = of_annotations.of_made_fields(cls, function, partial(field_place, cls))
        # All classes that are made by it share this, whichever is seen first.
        contract.invariants = partial(of_instance, initialised_by(cls), True)
    return contract if found or contract.groups[0] else None


def making(cls: Any, contract: Contract) -> Callable[..., Value]:
    """What makes an instance in the symbolic run."""
    is_tuple = contract.invariants is None

    def make(*args: Value, **named: Value) -> Value:
        make_ready(cls)
        if is_tuple:
            return guarded_call(contract, call, (cls, *args), named)
        if cls.__new__ is not object.__new__:
            raise NotLiftedError(
                f"`{cls.__qualname__}` has constraints and a `__new__` of its own; give it an "
                "`__init__` with a contract"
            )
        instance: Value = object.__new__(cls)
        guarded_call(contract, call, (instance, *args), named)
        return instance

    return make


def _of_result(invariant: Condition) -> Condition:
    def holds(result: Value) -> Value:
        return call(invariant.function)(result)

    return Condition(
        "invariant", invariant.text, invariant.file, invariant.line, holds, wanted=("result",)
    )


def field_place(cls: type, name: str) -> tuple[str, int]:
    """File and line of the annotation of a field, in the class or one that it derives from."""
    for base in cls.__mro__:
        file, node = class_definition(base)
        for one in node.body if node is not None else ():
            if (
                isinstance(one, ast.AnnAssign)
                and isinstance(one.target, ast.Name)
                and one.target.id == name
            ):
                return file, one.annotation.lineno
    file, node = class_definition(cls)
    return file, node.lineno if node is not None else 1
