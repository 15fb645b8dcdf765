"""Spaces of instances of classes, made by calling the class with arguments from spaces."""

from __future__ import annotations

from dataclasses import dataclass

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

    def make(self, name: str, making: Making) -> Value:
        fields = {field: space.make(f"{name}.{field}", making) for field, space in self.fields}
        result = constructed(making, self.cls, (), fields)
        assume_invariant(making, self.cls, result)
        if record_fields(self.cls) is not None:
            return result
        return making.new(self, name, result)

    def __str__(self) -> str:
        fields = ", ".join(f"{name}: {space.one()}" for name, space in self.fields)
        limited = ", where its invariant holds" if has_invariants(self.cls) else ""
        return f"{self.cls.__name__}({fields}){limited}"
