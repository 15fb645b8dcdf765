"""Making an object as something to check: the constructor keeps the invariants of its class.

>>> class Positive:
...     "inv: self.n > 0"
...     def __init__(self, n: int) -> None:
...         self.n = n
>>> constructor(Positive).__qualname__, constructor(Positive)(3).n
('Positive', 3)
"""

from __future__ import annotations

import inspect
from functools import lru_cache
from types import FunctionType
from typing import Any

from solvent.contracts.guards import as_lifted
from solvent.contracts.invariants import has_invariants
from solvent.contracts.reading import contract_of
from solvent.contracts.sources import innermost
from solvent.errors import NotLiftedError
from solvent.lift.calls import call, method
from solvent.lift.origins import is_generated
from solvent.vm.values import Value

# Which class a function makes instances of.
MAKES = "__solvent_makes__"


def has_contract(cls: type) -> bool:
    """Whether there is something to check where an instance of a class is made."""
    initialise = vars(cls).get("__init__")
    inner = innermost(initialise)
    if type(inner) is not FunctionType or is_generated(inner.__code__.co_filename):
        return False
    return has_invariants(cls) or contract_of(initialise, cls) is not None


@lru_cache(maxsize=256)
def constructor(cls: type) -> FunctionType:
    """A function that makes an instance of a class, with the parameters of its `__init__`."""
    initialise: Any = vars(cls)["__init__"]
    inner = innermost(initialise)
    _, *parameters = inspect.signature(initialise).parameters.values()

    def make(*args: Value, **named: Value) -> Value:
        return call(cls)(*args, **named)

    def plainly(*args: Value, **named: Value) -> Value:
        return cls(*args, **named)

    found = _standing_for(inner, plainly, make)
    found.__name__, found.__qualname__ = cls.__name__, cls.__qualname__
    found.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    setattr(found, MAKES, cls)
    return found


@lru_cache(maxsize=256)
def by_instance(cls: type, name: str) -> FunctionType:
    """A function that calls a method by an instance, as a class that checks such calls needs it."""
    inner = innermost(inspect.getattr_static(cls, name))

    def called(*args: Value, **named: Value) -> Value:
        return method(args[0], name)(*args[1:], **named)

    def plainly(*args: Value, **named: Value) -> Value:
        return getattr(args[0], name)(*args[1:], **named)

    return _standing_for(inner, plainly, called)


def _standing_for(inner: Any, plainly: Any, lifted: Any) -> FunctionType:
    """A plain function that passes for another one of the program, and its lifted version."""
    if type(inner) is not FunctionType:
        raise NotLiftedError(f"{inner!r} is no function that a contract can be put around")
    code, closure = plainly.__code__, plainly.__closure__
    found = FunctionType(code, inner.__globals__, inner.__name__, None, closure)
    found.__qualname__, found.__module__ = inner.__qualname__, inner.__module__
    found.__annotations__, found.__doc__ = dict(inner.__annotations__), inner.__doc__
    found.__wrapped__ = inner  # type: ignore[attr-defined]
    vars(found)["__solvent_call__"] = as_lifted(lifted, found)
    return found
