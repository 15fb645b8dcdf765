"""How inputs are made: by calling something, such as a class with some arguments.

The symbolic run uses what the lifted call gave.  An answer is printed as the call, which can be
pasted and run, and CPython makes the call itself when it replays the answer.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from solvent.vm.values import Value


@dataclass(frozen=True)
class Recipe:
    """What is called to make an input, with which arguments."""

    function: Callable[..., Value]
    args: tuple[Value, ...] = ()
    named: Mapping[str, Value] = field(default_factory=dict)


class _Made(dict[int, Value]):
    """The memory of `deepcopy`, with which objects that have a recipe are made, not copied."""

    def __init__(self, made: Iterable[tuple[Value, Recipe]]) -> None:
        super().__init__()
        self.recipes = {id(value): (value, recipe) for value, recipe in made}

    def get(self, key: int, default: Value = None) -> Value:
        """What stands for the object with an identity."""
        if key in self:
            return self[key]
        found = self.recipes.pop(key, None)
        if found is not None:
            recipe = found[1]
            # A call that fails here, unlike its lifted version, leaves the copy of what that gave.
            with suppress(Exception):
                args, named = copy.deepcopy((recipe.args, dict(recipe.named)), self)
                self[key] = recipe.function(*args, **named)
                return self[key]
        return default


def remade(value: Value, made: Iterable[tuple[Value, Recipe]]) -> Value:
    """A copy of concrete data, in which all that has a recipe is made anew by it.

    >>> numbers = iter([1, 2])
    >>> copied = remade([numbers], [(numbers, Recipe(iter, ([3, 4],)))])
    >>> list(copied[0]), list(numbers)
    ([3, 4], [1, 2])
    """
    return copy.deepcopy(value, _Made(made))
