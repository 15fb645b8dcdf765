"""Modules without contracts, remembered: a program is looked through at each check.

A module is the same as before while its names and the members of its classes are the same objects,
and no library of contracts was imported since.
"""

from __future__ import annotations

import operator
import sys
from dataclasses import dataclass

from solvent.vm.values import Value

# What would let functions have contracts that had none before.
_LIBRARIES = ("icontract", "deal", "annotated_types", "pydantic")


@dataclass(frozen=True, slots=True)
class _Look:
    """What a module and its classes consisted of when no contract was found in them."""

    libraries: tuple[bool, ...]
    values: list[Value]
    members: list[list[Value]]


class Bare:
    """The modules in which no contract was found, by name.

    >>> bare, module = Bare(), {"f": len}
    >>> bare.remember("m", module)
    >>> bare.knows("m", module), bare.knows("m", {"f": print})
    (True, False)
    """

    def __init__(self) -> None:
        self._looks: dict[str, _Look] = {}

    def knows(self, name: str, namespace: dict[str, Value]) -> bool:
        """Whether a module is as it was when no contract was found in it."""
        look = self._looks.get(name)
        return (
            look is not None
            and look.libraries == _loaded()
            and _are_same(look.values, list(namespace.values()))
            and all(map(_are_same, look.members, _members(look.values, name)))
        )

    def remember(self, name: str, namespace: dict[str, Value]) -> None:
        """There is no contract in a module."""
        values = list(namespace.values())
        self._looks[name] = _Look(_loaded(), values, _members(values, name))


def _loaded() -> tuple[bool, ...]:
    return tuple(name in sys.modules for name in _LIBRARIES)


def _members(values: list[Value], name: str) -> list[list[Value]]:
    return [list(vars(v).values()) for v in values if isinstance(v, type) and v.__module__ == name]


def _are_same(a: list[Value], b: list[Value]) -> bool:
    return len(a) == len(b) and all(map(operator.is_, a, b))
