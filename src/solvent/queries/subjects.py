"""What a query can be about: functions written in Python, and what stands for one."""

from __future__ import annotations

import functools
from types import FunctionType, MethodType, ModuleType

from solvent.errors import QueryError
from solvent.lift.registry import OBJECTS
from solvent.queries.replay import plain, shown
from solvent.terms.sorts import Sort
from solvent.terms.term import Term
from solvent.vm.union import Union, choices_of


def name_of(function: object) -> str:
    """How a function is called, in a few words."""
    found = plain(function)
    name = getattr(found, "__qualname__", None)
    if not isinstance(name, str):
        name = type(found).__qualname__
    return name.rpartition("<locals>.")[2]


def check_subject(query: str, value: object) -> None:
    """Raise an error that says what to do if a query is about something that is no function."""
    problem = _problem(value)
    if problem:
        raise QueryError(f"{query}() asks about a function written in Python, not about {problem}")


def _problem(value: object) -> str:
    """What something is instead of a function, in words; empty if it is one."""
    if isinstance(value, (Term, bool)):
        return (
            f"the formula {shown(value, 60)}; ask a `Solver` about it, or put it into an assertion "
            "of a function"
            if isinstance(value, bool) or value.sort.name == "Bool"
            else f"the term {shown(value, 60)}; ask a `Solver` about terms"
        )
    if type(value) is Union:
        return next(filter(None, (_problem(member) for _, member in choices_of(value))), "")
    if isinstance(value, (FunctionType, MethodType)):
        return _problem(value.__func__) if isinstance(value, MethodType) else ""
    if isinstance(value, functools.partial):
        return _problem(value.func)
    if isinstance(value, type):
        return (
            f"the class `{value.__qualname__}`; ask about one of its methods, or about a function"
        )
    if isinstance(value, ModuleType):
        return f"the module `{value.__name__}`; ask about one of its functions"
    if isinstance(value, Sort) or not callable(value):
        return shown(value, 60)
    if type(value) in OBJECTS and hasattr(value, "__wrapped__"):
        return _problem(value.__wrapped__)
    if isinstance(getattr(type(value), "__call__", None), FunctionType):  # noqa: B004
        return ""
    name = getattr(value, "__qualname__", None) or shown(value, 60)
    return f"the builtin `{name}`; ask about a function that calls it"
