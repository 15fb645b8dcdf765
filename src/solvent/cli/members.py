"""The functions of a module that can be asked about: at its top, and in its classes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any

from solvent.cli.common import InputError
from solvent.cli.loading import Inputs, Subject, functions, subjects
from solvent.contracts.invariants import INVARIANT
from solvent.contracts.making import by_instance, constructor, has_contract
from solvent.contracts.of_deal import is_inherited, is_invarianted
from solvent.contracts.sources import innermost
from solvent.errors import InputSpaceError
from solvent.queries.owners import owner_of, taking_instances
from solvent.queries.replay import plain
from solvent.queries.spaces.annotations import of_annotation
from solvent.strategies.known import is_given, is_state_machine

# Methods that make the instances with which the others are called.
_MAKING = ("__init__", "__new__", "__post_init__")
# Why a test that is a method is not checked here.
_OF_PYTEST = "its object is made by pytest: run pytest --solvent"


@dataclass(frozen=True, slots=True)
class Member:
    """A function that is asked about."""

    function: Subject
    # Whether the user named it, so that it must be possible to ask about it.
    named: bool = False
    # Of which class an instance is taken, if not of the one in which the function stands.
    owner: type | None = None
    # Why it is not checked, if that is known from the start.
    reason: str = ""


def members(module: ModuleType) -> list[Member]:
    """The functions of a module and of its classes, in the order of their lines."""
    found = [Member(function) for function in subjects(module)]
    for value in list(vars(module).values()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            found += methods(value)
        elif is_invarianted(value):
            found += _of_invarianted(value, module.__name__)
    return _in_order(found)


def _of_invarianted(cls: type, module: str) -> list[Member]:
    """The methods of a class around which `deal.inv` has put another one."""
    found: list[Member] = []
    for base in cls.__mro__:
        for name, value in list(vars(base).items()) if base.__module__ == module else ():
            if name.startswith("_"):
                continue
            if not isinstance(value, FunctionType):
                is_known = isinstance(value, (staticmethod, classmethod, property))
                inside = _functions(base, name, value) if is_known else ()
                owner = cls if isinstance(value, property) else None
                found += [Member(one, owner=owner) for one in inside]
            elif isinstance(innermost(value), FunctionType):
                found.append(Member(by_instance(cls, name), owner=cls))
            else:
                found.append(Member(value, reason="its contract is not put around a function"))
    return found


def methods(cls: type) -> list[Member]:
    """The functions that stand in a class, and in classes inside of it."""
    found: list[Member] = []
    for name, value in list(vars(cls).items()):
        if isinstance(value, type):
            if value.__qualname__ == f"{cls.__qualname__}.{name}":
                found += methods(value)
            continue
        if is_given(value):
            found.append(Member(value, reason=_OF_PYTEST))
            continue
        for function in _functions(cls, name, value):
            if name == "__init__" and has_contract(cls):
                found.append(Member(constructor(cls)))
                continue
            reason = "it makes the objects that methods are called with" if name in _MAKING else ""
            if is_state_machine(cls):
                reason = "it belongs to a state machine, whose rules Hypothesis runs"
            if name != INVARIANT and _stands_in(function, cls):
                owner = cls if is_inherited(value) else None
                found.append(Member(function, reason=reason, owner=owner))
    return _in_order(found)


def _functions(cls: type, name: str, value: object) -> Iterator[Any]:
    if isinstance(value, staticmethod):
        yield value.__func__
    elif isinstance(value, classmethod):
        yield getattr(cls, name)
    elif is_inherited(value):
        yield value.__wrapped__  # type: ignore[attr-defined]
    else:
        yield from (one for _, one in taking_instances(value))


def _stands_in(function: object, cls: type) -> bool:
    """Whether a function is written in a class: not generated, not borrowed from elsewhere."""
    code = code_of(function)
    written = plain(function)
    return (
        code is not None
        and not code.co_filename.startswith("<")
        and getattr(written, "__module__", None) == cls.__module__
        and getattr(written, "__qualname__", "").rpartition(".")[0] == cls.__qualname__
    )


def _in_order(found: list[Member]) -> list[Member]:
    """Each function once, by line; a second name for one does not count."""
    once: dict[int, Member] = {}
    for member in found:
        once.setdefault(id(code_of(member.function) or member.function), member)
    return sorted(once.values(), key=lambda member: lines_of(member.function).start)


def code_of(function: object) -> CodeType | None:
    """The code of a function, of one with a cache around it, or of a method."""
    found = plain(innermost(plain(function)))
    code = getattr(found, "__code__", None)
    return code if isinstance(code, CodeType) else None


def lines_of(function: object) -> range:
    """The lines of a function, from its first decorator on."""
    code = code_of(function)
    return range(0) if code is None else range(code.co_firstlineno, _last_line(code) + 1)


def _last_line(code: CodeType) -> int:
    own = [line for *_, line in code.co_lines() if line is not None]
    inner = [_last_line(one) for one in code.co_consts if isinstance(one, CodeType)]
    return max([code.co_firstlineno, *own, *inner])


def at_line(module: ModuleType, line: int, file: str) -> list[Member]:
    """The innermost function around a line."""
    found = [one for one in members(module) if line in lines_of(one.function)]
    if not found:
        raise InputError(f"{file}:{line}: there is no function at this line")
    best = min(found, key=lambda one: len(lines_of(one.function)))
    return [Member(best.function, named=True)]


def by_name(module: ModuleType, name: str, file: str) -> list[Member]:
    """What has a name in a module: a function, a method or property, or all methods of a class."""
    found: Any = module
    owner: type | None = None
    for part in name.split("."):
        owner = found if isinstance(found, type) else None
        try:
            found = inspect.getattr_static(found, _mangled(part, owner))
        except AttributeError:
            known = ", ".join(function.__name__ for function in functions(module)) or "none"
            raise InputError(f"{file}: there is no function {name!r}; it has: {known}") from None
    if isinstance(found, type):
        inside = methods(found)
        if is_invarianted(found):
            inside = _in_order(_of_invarianted(found, module.__name__))
        if not inside:
            raise InputError(f"{file}: the class `{found.__qualname__}` has no methods to check")
        return inside
    if owner is None:
        chosen = [found]
    else:
        chosen = list(_functions(owner, name.rpartition(".")[2], found))
    if not chosen or not callable(chosen[0]):
        raise InputError(f"{file}: {name!r} is not a function")
    return [Member(one, named=True, owner=_other_owner(one, owner)) for one in chosen]


def _mangled(name: str, owner: type | None) -> str:
    """The name that a class has for a private member."""
    if owner is None or not name.startswith("__") or name.endswith("__"):
        return name
    return f"_{owner.__name__.lstrip('_')}{name}"


def _other_owner(function: object, owner: type | None) -> type | None:
    """The class by which a method was named, if it inherits the method."""
    stands_in = owner_of(function)
    return owner if owner is not None and stands_in not in (None, owner) else None


def inputs_for(member: Member, inputs: Inputs, max_len: int) -> Inputs:
    """Those of the given inputs that a function takes, and an instance of the class it is of."""
    parameters = _parameters(member.function)
    given = {name: value for name, value in inputs.items() if member.named or name in parameters}
    if member.owner is not None:
        given.setdefault(next(iter(parameters)), of_annotation(member.owner, max_len))
    return given


def unsaid(member: Member, given: Inputs) -> str:
    """Why a function that nobody named is left out: nothing says what its inputs are."""
    if member.reason:
        return member.reason
    owner = owner_of(member.function)
    for place, (name, parameter) in enumerate(_parameters(member.function).items()):
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
            return f"its parameter `{stars}{name}` may be anything"
        if name in given or parameter.default is not parameter.empty:
            continue
        if place == 0 and owner is not None:
            try:
                of_annotation(owner)
            except InputSpaceError as error:
                return f"its parameter `{name}`: {error}"
        elif parameter.annotation is parameter.empty:
            return f"its parameter `{name}` has no annotation"
    return ""


def _parameters(function: Subject) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return {}
