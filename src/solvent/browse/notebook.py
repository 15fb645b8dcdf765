"""Values in notebooks: terms, unions and outcomes are shown as views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from solvent.browse.view import browse
from solvent.terms.term import Term
from solvent.vm.machine import Outcome
from solvent.vm.state import Failure
from solvent.vm.union import Union
from solvent.vm.values import Value

# What is shown so; containers of them are shown by `browse` only.
SHOWN = (Term, Union, Outcome, Failure)


class Formatter(Protocol):
    """What IPython has for HTML."""

    def for_type(self, cls: type, function: Callable[[Value], str]) -> object:
        """Let a function show the values of a class."""


def register(formatter: Formatter) -> None:
    """Let a notebook show symbolic values as views, two levels deep.

    >>> class Names(list[str]):
    ...     def for_type(self, cls: type, function: Callable[[Value], str]) -> None:
    ...         self.append(cls.__name__)
    >>> names = Names()
    >>> register(names)
    >>> names
    ['Term', 'Union', 'Outcome', 'Failure']
    """
    for cls in SHOWN:
        formatter.for_type(cls, lambda value: browse(value, depth=2)._repr_html_())
