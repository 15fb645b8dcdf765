"""`getattr` and its relatives, `vars`, `dir`, `super`, and what looks at variables by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from solvent.errors import NotLiftedError
from solvent.lift import attributes
from solvent.lift.api import lifted
from solvent.lift.registry import lifts
from solvent.lift.unlifted import Direct
from solvent.vm.slots import is_partial
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value


@lifted
def _read_or(owner: Value, name: Value, default: Value) -> Value:
    try:
        return attributes.read_attribute(owner, name)
    except AttributeError:
        return default


@lifted
def _can_read(owner: Value, name: Value) -> Guard:
    try:
        attributes.read_attribute(owner, name)
    except AttributeError:
        return False
    return True


@lifts(getattr)
def get_attribute(owner: Value, name: Value, *default: Value) -> Value:
    """`getattr(owner, name)` or `getattr(owner, name, default)`."""
    if not default:
        return attributes.read_attribute(owner, name)
    (otherwise,) = default
    return _read_or(owner, name, otherwise)


@lifts(hasattr)
def has_attribute(owner: Value, name: Value) -> Guard:
    """`hasattr(owner, name)`."""
    return _can_read(owner, name)


@lifts(setattr)
def set_attribute(owner: Value, name: Value, value: Value) -> None:
    """`setattr(owner, name, value)`."""
    name = attributes.each_name(name, "setattr")
    if type(name) is Union:
        over(name, lambda member: set_attribute(owner, member, value))
        return
    attributes.set_attribute(owner, name, value)


@lifts(delattr)
def delete_attribute(owner: Value, name: Value) -> None:
    """`delattr(owner, name)`."""
    name = attributes.each_name(name, "delattr")
    if type(name) is Union:
        over(name, lambda member: delete_attribute(owner, member))
        return
    attributes.delete_attribute(owner, name)


@lifts(vars)
def variables(*owner: Value) -> Value:
    """`vars(owner)`."""
    if not owner:
        raise NotLiftedError("`vars()` without an argument is not lifted; use a dict")
    (found,) = owner
    return over(found, vars) if type(found) is Union else vars(found)


@lifts(locals)
def local_variables() -> NoReturn:
    """`locals()`: rewritten code has other variables, and versions of Python differ."""
    raise NotLiftedError("`locals()` is not lifted; use a dict")


def _evaluation(native: Callable[..., Value]) -> None:
    name = native.__name__
    direct = Direct(native)

    @lifts(native)
    def evaluate(text: Value, *namespaces: Value, **named: Value) -> Value:
        if not namespaces and named.get("globals") is None:
            raise NotLiftedError(
                f"`{name}` without a namespace is not lifted; give it a dict of what the text names"
            )
        return direct(text, *namespaces, **named)


_evaluation(eval)
_evaluation(exec)


@lifts(dir)
def names(*owner: Value) -> Value:
    """`dir(owner)`."""
    if not owner:
        raise NotLiftedError("`dir()` without an argument is not lifted; name an object")
    (found,) = owner
    if type(found) is Union:
        return over(found, names)
    if any(map(is_partial, getattr(found, "__dict__", {}).values())):
        raise NotLiftedError(
            "`dir` of an object whose attributes differ between paths is not lifted; set them on "
            "every path"
        )
    return dir(found)


@lifts(super)
def parent(cls: Value, owner: Value) -> Value:
    """`super(cls, owner)`."""
    return (
        over(owner, lambda member: super(cls, member))
        if type(owner) is Union
        else super(cls, owner)
    )
