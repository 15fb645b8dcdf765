"""Spaces of instances of classes."""

from __future__ import annotations

from dataclasses import dataclass

from solvent.queries.spaces.base import Making, Space
from solvent.vm.values import Value


@dataclass(frozen=True)
class Objects(Space):
    """Instances of a class, each field from a space."""

    cls: type
    fields: tuple[tuple[str, Space], ...]

    def make(self, name: str, making: Making) -> Value:
        fields = {field: space.make(f"{name}.{field}", making) for field, space in self.fields}
        return self.cls(**fields)

    def __str__(self) -> str:
        fields = ", ".join(f"{name}: {space}" for name, space in self.fields)
        return f"{self.cls.__name__}({fields})"
