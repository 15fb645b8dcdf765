"""The functions of a file that commands are about, and what options say about their inputs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import solvent
from solvent import queries, terms
from solvent.cli.common import InputError
from solvent.cli.importing import Importer, place_of
from solvent.queries.replay import described, shown

# A function of a program, perhaps with a cache around it.
Subject = Callable[..., object]
# What options say about its inputs, by name.
Inputs = dict[str, Any]


def load(file: str) -> ModuleType:
    """Run a Python file as a module: it is the code that the user asked to check."""
    return Importer().module(place_of(file))


def functions(module: ModuleType) -> list[FunctionType]:
    """The functions that a module defines, in the order of their lines."""
    return [found for found in subjects(module) if isinstance(found, FunctionType)]


def subjects(module: ModuleType) -> list[Subject]:
    """The functions that a module defines, and those among them that are cached."""
    found = {
        id(value): value
        for value in vars(module).values()
        if (isinstance(value, FunctionType) or is_cached(value))
        and value.__module__ == module.__name__
        # What `@composite` makes is no function of the program.
        and not getattr(value, "is_hypothesis_strategy_function", False)
    }
    return sorted(found.values(), key=lambda function: unwrapped(function).__code__.co_firstlineno)


def is_cached(value: object) -> bool:
    """Whether a value is a function with a cache around it."""
    return type(value) is functools._lru_cache_wrapper and type(value.__wrapped__) is FunctionType


def unwrapped(function: Any) -> FunctionType:
    """The function inside of its cache."""
    return function.__wrapped__ if is_cached(function) else function  # type: ignore[no-any-return]


def _offered() -> dict[str, object]:
    """The names that packages offer, which import them when they are asked for."""
    parts = (queries, solvent)
    return {name: getattr(part, name) for part in parts for name in part.__all__}


def parse_inputs(given: list[str]) -> Inputs:
    """Inputs from the command line: `name=EXPRESSION`, with names of Solvent in it."""
    result: Inputs = {}
    for text in given:
        name, equals, expression = text.partition("=")
        if not equals or not name.strip().isidentifier():
            raise InputError(f"--input {text!r}: write it as name=expression")
        try:
            value = eval(expression, {**vars(terms), **_offered()})
        except (Exception, SystemExit) as error:
            raise InputError(f"--input {shown(text)}: {described(error)}") from None
        if isinstance(value, (terms.Sort, type)):
            value = queries.space(value)
        result[name.strip()] = value
    return result
