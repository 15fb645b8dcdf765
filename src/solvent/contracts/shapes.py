"""Whether a value is as an annotation says, with constraints inside of containers and classes.

>>> from typing import Annotated
>>> import annotated_types as at
>>> check = checker(dict[str, Annotated[int, at.Gt(0)]], "program.py", 1)
>>> check({"a": 1}), check({"a": 0})
(True, False)
"""

from __future__ import annotations

import collections
import dataclasses
import inspect
import sys
import types
import typing
import weakref
from collections import abc
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from solvent.contracts.constraints import constraints_of
from solvent.contracts.sources import for_checkers
from solvent.errors import NotLiftedError
from solvent.lift.api import lifted
from solvent.vm.values import Value

Check = Callable[[Value], Value]

_ITEMS = (list, set, frozenset, tuple, collections.deque, abc.Sequence, abc.Collection, abc.Set,
          abc.MutableSequence, abc.MutableSet)  # fmt: skip
_ENTRIES = (dict, abc.Mapping, abc.MutableMapping)
# What may stand around the annotation of a field, and says nothing of its value.
_AROUND = tuple(
    found
    for name in ("Required", "NotRequired", "Final", "ClassVar", "ReadOnly")
    if (found := getattr(typing, name, None)) is not None
)


def hints_of(owner: Any, around: dict[str, Any], file: str, line: int) -> dict[str, Any]:
    """The annotations of a function or class; those that are texts are evaluated one by one."""
    try:
        return typing.get_type_hints(owner, include_extras=True)
    except Exception:
        return dict(_each_hint(owner, around, file, line))


def _each_hint(
    owner: Any, around: dict[str, Any], file: str, line: int
) -> Iterator[tuple[str, Any]]:
    for name, hint in owner.__annotations__.items():
        # A class may say `Final` of what it has; functions that say it are no less clear.
        one = type("_", (), {"__annotations__": {name: hint}})
        try:
            known = {**for_checkers(around), **around}
            yield name, typing.get_type_hints(one, known, include_extras=True)[name]
        except Exception as error:
            # Names for type checkers alone mean nothing here, unless a constraint is among them.
            if "Annotated" in str(hint) or not isinstance(error, NameError):
                raise NotLiftedError(
                    f"{file}:{line}: the annotation `{hint}` of `{name}` cannot be read: {error}"
                ) from None


def of_parameter(kind: object, check: Check) -> Check:
    """A check of a parameter; one with a star has many values."""
    if kind is inspect.Parameter.VAR_POSITIONAL:
        return partial(_items_hold, check)
    if kind is inspect.Parameter.VAR_KEYWORD:
        return partial(_entries_hold, _anything, check)
    return check


def checker(hint: object, file: str, line: int) -> Check | None:
    """A lifted function for whether a value is as an annotation says; `None` if that is nothing."""
    return _Reading(file, line).check(hint)


# Classes without any constraint in their fields, and in the fields of those.
_FREE: weakref.WeakSet[type] = weakref.WeakSet()


class _Reading:
    """Reads one annotation."""

    def __init__(self, file: str, line: int) -> None:
        self.place = f"{file}:{line}"
        self.file, self.line = file, line
        # The classes whose fields are being read, which may be in themselves.
        self.inside: list[type] = []
        self.repeated: set[type] = set()
        # What was found of classes: one that is in many others is read once.
        self.known: dict[type, Check | None] = {}

    def check(self, hint: Any) -> Check | None:
        """The check for an annotation."""
        own, base = self._peeled(hint)
        within = self._within(base)
        if not own and within is None:
            return None
        return partial(_all_hold, own if within is None else [*own, within])

    def _peeled(self, hint: Any) -> tuple[list[Check], Any]:
        """The constraints around a type, and the type."""
        own: list[Check] = []
        while True:
            try:
                own += [one.holds for one in constraints_of(hint)]
            except NotLiftedError as error:
                raise NotLiftedError(f"{self.place}: {error}") from None
            origin = typing.get_origin(hint)
            if origin is typing.Annotated or origin in _AROUND:
                hint = typing.get_args(hint)[0]
            elif isinstance(hint, typing.NewType):
                hint = hint.__supertype__
            elif isinstance(hint, typing.TypeVar) and hint.__bound__ is not None:
                hint = hint.__bound__
            elif type(hint).__name__ == "TypeAliasType":
                hint = hint.__value__
            else:
                return own, hint

    def _within(self, base: Any) -> Check | None:
        """What the parts of a value must satisfy."""
        if isinstance(base, type) and not typing.get_args(base):
            return self._of_class(base)
        origin, arguments = typing.get_origin(base), typing.get_args(base)
        flat = [one for part in arguments for one in (part if isinstance(part, list) else [part])]
        parts = [self.check(part) for part in flat]
        if not any(parts):
            return None
        found = _of_parts(origin, parts, arguments)
        if found is None:
            raise NotLiftedError(
                f"{self.place}: a constraint inside of the annotation `{base}` cannot be checked; "
                "state it of a list, a tuple, a set or a dict"
            )
        return found

    def _of_class(self, cls: type) -> Check | None:
        """What the fields of a dataclass, a named tuple or a typed dictionary must satisfy."""
        is_typed = typing.is_typeddict(cls)
        is_tuple = issubclass(cls, tuple) and hasattr(cls, "_fields")
        if not (is_typed or is_tuple or dataclasses.is_dataclass(cls)):
            return None
        if cls in self.inside:
            # If it has constraints, all of this is refused below.
            self.repeated.add(cls)
            return None
        if cls in _FREE:
            return None
        if cls not in self.known:
            self.known[cls] = self._of_fields(cls, is_typed)
            if not self.inside and not any(self.known.values()):
                _FREE.update(self.known)
        return self.known[cls]

    def _of_fields(self, cls: type, is_typed: bool) -> Check | None:
        self.inside.append(cls)
        try:
            around = vars(sys.modules.get(cls.__module__, types))
            hints = hints_of(cls, around, self.file, self.line)
            found = {name: check for name, hint in hints.items() if (check := self.check(hint))}
        finally:
            self.inside.pop()
        if found and cls in self.repeated:
            raise NotLiftedError(
                f"{self.place}: `{cls.__qualname__}` has constraints, and contains itself"
            )
        if not found:
            return None
        return partial(_keys_hold if is_typed else _fields_hold, list(found.items()))


def _of_parts(origin: Any, parts: list[Any], arguments: tuple[Any, ...]) -> Check | None:
    """What the parts of a container must satisfy."""
    if origin in (typing.Union, types.UnionType):
        others = [
            part for part, kind in zip(parts, arguments, strict=True) if kind is not type(None)
        ]
        return partial(_is_none_or, others[0]) if len(others) == 1 else None
    if origin in _ENTRIES and len(parts) == 2:
        return partial(_entries_hold, parts[0] or _anything, parts[1] or _anything)
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is ...):
        return partial(_places_hold, [part or _anything for part in parts])
    return partial(_items_hold, parts[0]) if origin in _ITEMS else None


@lifted
def _anything(value: Value) -> bool:
    return True


@lifted
def _all_hold(checks: list[Check], value: Value) -> bool:
    return all(check(value) for check in checks)


@lifted
def _is_none_or(check: Check, value: Value) -> bool:
    return value is None or bool(check(value))


@lifted
def _items_hold(check: Check, value: Value) -> bool:
    return all(check(item) for item in value)


@lifted
def _places_hold(checks: list[Check], value: Value) -> bool:
    return len(checks) == len(value) and all(
        check(item) for check, item in zip(checks, value, strict=True)
    )


@lifted
def _entries_hold(keys: Check, values: Check, value: Mapping[Value, Value]) -> bool:
    return all(keys(key) and values(item) for key, item in value.items())


@lifted
def _fields_hold(checks: list[tuple[str, Check]], value: Value) -> bool:
    return all(check(getattr(value, name)) for name, check in checks)


@lifted
def _keys_hold(checks: list[tuple[str, Check]], value: Mapping[str, Value]) -> bool:
    return all(name not in value or check(value[name]) for name, check in checks)
