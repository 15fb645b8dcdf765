"""What stands for a value of Python's has the attributes that this value has."""

from __future__ import annotations

from types import ClassMethodDescriptorType, MethodType

from solvent.errors import NotLiftedError
from solvent.lift.registry import METHODS
from solvent.terms.booleans import BoolTerm
from solvent.terms.reals import RealTerm
from solvent.vm.kinds import StandIn, python_type, type_name
from solvent.vm.values import Value


def attribute_of(owner: Value, name: str) -> Value:
    """`owner.name` for a term or another stand-in."""
    kind = python_type(owner)
    if name == "__class__":
        return kind
    if not hasattr(kind, name):
        raise AttributeError(f"'{type_name(owner)}' object has no attribute '{name}'")
    found = METHODS.get(type(owner), {}).get(name)
    if found is not None:
        return MethodType(found, owner)
    if isinstance(owner, StandIn):
        if hasattr(owner, name):
            return getattr(owner, name)
    elif type(owner) is RealTerm and name in ("numerator", "denominator"):
        raise NotLiftedError(f"`{name}` of a symbolic Fraction is not lifted; compare its value")
    elif type(owner) is RealTerm and name == "imag":
        return 0
    elif name in ("real", "numerator"):
        return owner.as_int() if type(owner) is BoolTerm else owner
    elif name in ("imag", "denominator"):
        return kind(name == "denominator") if kind is not bool else int(name == "denominator")
    elif name == "__doc__" or type(vars(kind).get(name)) in (
        ClassMethodDescriptorType,
        staticmethod,
    ):
        return getattr(kind, name)
    raise NotLiftedError(f"`{name}` of a symbolic {kind.__name__} is not lifted")
