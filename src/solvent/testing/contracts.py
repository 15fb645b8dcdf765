"""The functions with contracts that a module defines or imports from the program."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from solvent.contracts.making import by_instance, constructor, has_contract
from solvent.contracts.of_deal import is_inherited, is_invarianted
from solvent.contracts.reading import contract_of
from solvent.contracts.sources import innermost, place_of
from solvent.errors import SolventError
from solvent.lift.function import is_lifted
from solvent.lift.origins import is_library_file
from solvent.queries.owners import taking_instances
from solvent.queries.spaces.annotations import of_annotation


@dataclass(frozen=True, slots=True)
class Contracted:
    """A function with a contract."""

    name: str
    function: Any
    # Of which class an instance is taken, if the function does not tell.
    owner: type | None = None

    @property
    def path(self) -> Path:
        """The file that it is in."""
        return Path(place_of(self.function)[0])

    @property
    def line(self) -> int:
        """The line where it begins."""
        return place_of(self.function)[1]

    def given(self, options: dict[str, Any]) -> dict[str, Any]:
        """The inputs that its annotations do not tell."""
        if self.owner is None:
            return {}
        first = innermost(self.function).__code__.co_varnames[0]
        return {first: of_annotation(self.owner, options.get("max_len", 3))}


def contracted_members(module: ModuleType) -> list[Contracted]:
    """The functions and methods with contracts that a module refers to, each once.

    >>> import types
    >>> found = types.ModuleType("found")
    >>> exec('def f(x: int) -> int:\\n    "post: _ > x"\\n    return x', vars(found))
    >>> [one.name for one in contracted_members(found)]
    ['f']
    """
    found: dict[int, Contracted] = {}
    for value in list(vars(module).values()):
        for one in _of(value):
            found.setdefault(id(innermost(one.function)), one)
    return list(found.values())


def _of(value: Any) -> Iterator[Contracted]:
    if is_invarianted(value):
        for base in value.__mro__:
            for name, member in vars(base).items():
                if name.startswith("_"):
                    continue
                full = f"{base.__qualname__}.{name}"
                if _is_users(member):
                    yield Contracted(full, by_instance(value, name), value)
                for text, function, owner in _others(base, name, member):
                    yield Contracted(f"{full}{text}", function, value if owner else None)
    elif isinstance(value, type):
        if any(is_inherited(one) or _is_users(_inside(one)) for one in vars(value).values()):
            yield from _of_class(value)
    elif _is_users(value) and not getattr(value, "is_hypothesis_test", False) and _has(value):
        yield Contracted(value.__qualname__, value)


def _inside(member: Any) -> Any:
    """The function in a member of a class."""
    for name in ("fget", "__func__", "func"):
        member = getattr(member, name, member)
    return member


def _of_class(cls: type) -> Iterator[Contracted]:
    for name, value in list(vars(cls).items()):
        if name == "__init__":
            if has_contract(cls):
                yield Contracted(cls.__qualname__, constructor(cls))
            continue
        full = f"{cls.__qualname__}.{name}"
        if not isinstance(value, property):
            for text, function in taking_instances(value):
                if _is_users(function) and _has(function, cls):
                    yield Contracted(f"{full}{text}", function)
        for text, function, _ in _others(cls, name, value):
            yield Contracted(f"{full}{text}", function, cls if is_inherited(value) else None)


def _others(cls: type, name: str, value: Any) -> Iterator[tuple[str, Any, bool]]:
    """Parts of properties, static and class methods with contracts; whether they take instances."""
    if isinstance(value, property):
        for text, function in taking_instances(value):
            if _is_users(function) and _has(function, cls):
                yield text, function, True
    elif isinstance(value, (staticmethod, classmethod)):
        inner = value.__func__
        if _is_users(inner) and _has(inner):
            yield "", inner if isinstance(value, staticmethod) else getattr(cls, name), False
    elif is_inherited(value):
        yield "", value.__wrapped__, True


def _is_users(value: Any) -> bool:
    """Whether a value is a function that the user wrote, perhaps with a wrapper around it."""
    is_function = isinstance(value, (FunctionType, functools._lru_cache_wrapper))
    inner = innermost(value) if is_function else None
    return isinstance(inner, FunctionType) and not is_library_file(inner.__code__.co_filename)


def _has(function: Any, cls: type | None = None) -> bool:
    """Whether a function has a contract, also one that is not understood."""
    while isinstance(function, functools._lru_cache_wrapper) or is_lifted(function):
        function = function.__wrapped__
    try:
        return contract_of(function, cls) is not None
    except SolventError:
        return True
