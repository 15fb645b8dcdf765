"""Spaces of instances of classes, made by calling the class with arguments from spaces."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass

from solvent.contracts.invariants import has_invariants
from solvent.queries.spaces.base import Making, Space
from solvent.queries.spaces.constructing import assume_invariant, constructed
from solvent.vm.shapes import record_fields
from solvent.vm.values import Value


@dataclass(frozen=True)
class Objects(Space):
    """Instances of a class, each field from a space."""

    cls: type
    fields: tuple[tuple[str, Space], ...]
    # Whether they are in fields of instances of the same class.
    is_inner: bool = False

    def make(self, name: str, making: Making) -> Value:
        given = {field: space.make(f"{name}.{field}", making) for field, space in self.fields}
        result = constructed(making, self.cls, (), given)
        assume_invariant(making, self.cls, result)
        if record_fields(self.cls) is not None:
            return result
        return making.new(self, name, result)

    def __str__(self) -> str:
        if self.is_inner:
            return f"{self.cls.__name__}(...)"
        parts = ", ".join(f"{name}: {space.one()}" for name, space in self.fields)
        limited = ", where its invariant holds" if has_invariants(self.cls) else ""
        depth = _depth(self.fields, self.cls)
        deep = f"; up to {1 + depth} deep" if depth else ""
        return f"{self.cls.__name__}({parts}{deep}){limited}"


def _depth(part: object, cls: type) -> int:
    """How many instances of a class may be in a row, each in a field of the one before."""
    if isinstance(part, tuple):
        return max((_depth(one, cls) for one in part), default=0)
    if not (isinstance(part, Space) and is_dataclass(part)):
        return 0
    here = isinstance(part, Objects) and part.is_inner and part.cls is cls
    return here + max((_depth(getattr(part, one.name), cls) for one in fields(part)), default=0)
