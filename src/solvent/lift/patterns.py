"""What `match` statements ask about values."""

from __future__ import annotations

from collections.abc import Mapping

from solvent.lift.library.builtins.attributes import get_attribute
from solvent.lift.values import mappings
from solvent.lift.values.ranges import SymbolicRange
from solvent.vm.spread import over_members_of
from solvent.vm.values import Guard, Value

# How CPython marks the classes that sequence and mapping patterns match, and those that a class
# pattern with one positional pattern captures as a whole.
_SEQUENCE = 1 << 5
_MAPPING = 1 << 6
_MATCHES_SELF = 1 << 22


@over_members_of("value")
def is_sequence(value: Value) -> Guard:
    """Whether a sequence pattern may match."""
    return bool(type(value).__flags__ & _SEQUENCE) or type(value) is SymbolicRange


@over_members_of("value")
def is_mapping(value: Value) -> Guard:
    """Whether a mapping pattern may match."""
    return bool(type(value).__flags__ & _MAPPING)


@over_members_of("value")
def without(value: Value, keys: tuple[Value, ...]) -> Value:
    """What `**rest` captures in a mapping pattern: a dict without some keys."""
    result: dict[Value, Value] = {}
    if isinstance(value, dict):
        dict.update(result, dict.items(value))
    else:
        assert isinstance(value, Mapping)
        mappings.update(result, value)
    for key in keys:
        mappings.pop(result, key, None)
    return result


@over_members_of("subject")
def positional(subject: Value, cls: type, index: int) -> Value:
    """What the positional pattern number `index` of a class pattern is matched against."""
    names = getattr(cls, "__match_args__", None)
    if names is None:
        names = ()
        if cls.__flags__ & _MATCHES_SELF:
            if index == 0:
                return subject
            names = (None,)
    if index >= len(names):
        plural = "" if len(names) == 1 else "s"
        raise TypeError(
            f"{cls.__name__}() accepts {len(names)} positional sub-pattern{plural} "
            f"({index + 1} given)"
        )
    return get_attribute(subject, names[index])
