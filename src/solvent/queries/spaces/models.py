"""Instances of pydantic's models: each field from its annotation and its constraints.

The validator of a model is compiled code, so an instance is put together here, as validation would
leave it; CPython makes it by calling the class.  Models that do more than check their fields, such
as those with validators of their own, are refused.
"""

from __future__ import annotations

import sys
import typing
from dataclasses import dataclass
from typing import Any

from solvent.contracts.invariants import has_invariants
from solvent.errors import InputSpaceError
from solvent.queries.recipes import Recipe
from solvent.queries.spaces.base import Making, Space
from solvent.queries.spaces.objects import Objects
from solvent.vm.values import Value

# Settings of a model that do not change which values its fields may have.
_HARMLESS = frozenset(("frozen", "title", "arbitrary_types_allowed", "use_attribute_docstrings"))
# What a model may do beside checking its fields, as pydantic has noted it.
_OWN = ("validators", "field_validators", "root_validators", "model_validators")


def is_model(cls: type) -> bool:
    """Whether a class is a model of pydantic's, if the program uses it at all."""
    base = getattr(sys.modules.get("pydantic"), "BaseModel", None)
    return isinstance(base, type) and issubclass(cls, base)


class Reading(typing.Protocol):
    """What reads the annotations of fields."""

    def space(self, annotation: object) -> Space:
        """The space that an annotation describes."""


def of_model(cls: Any, reader: Reading) -> Space:
    """The space of the instances of a model."""
    reason = _why_not(cls)
    if reason:
        raise InputSpaceError(f"the model `{cls.__name__}` {reason}; give values with `one_of`")
    fields: list[tuple[str, Space]] = []
    for name, field in cls.model_fields.items():
        hint = field.annotation
        for extra in field.metadata:
            hint = typing.Annotated[hint, extra]
        fields.append((name, reader.space(hint)))
    return Models(cls, tuple(fields))


def _why_not(cls: Any) -> str:
    """Why instances of a model cannot be put together; empty if they can."""
    base: Any = sys.modules["pydantic"].BaseModel
    noted = cls.__pydantic_decorators__
    if any(getattr(noted, name, None) for name in _OWN):
        return "has validators of its own"
    if cls.__init__ is not base.__init__ or cls.model_post_init is not base.model_post_init:
        return "does something of its own when an instance is made"
    if cls.__private_attributes__ or getattr(cls, "__pydantic_root_model__", False):
        return "has private attributes or a root"
    if any(field.alias or field.validation_alias for field in cls.model_fields.values()):
        return "has fields with other names"
    unknown = sorted(cls.model_config.keys() - _HARMLESS)
    return f"has the setting `{unknown[0]}`" if unknown else ""


@dataclass(frozen=True)
class Models(Objects):
    """Instances of a model, each field from a space."""

    def make(self, name: str, making: Making) -> Value:
        fields = {field: space.make(f"{name}.{field}", making) for field, space in self.fields}
        if has_invariants(self.cls):
            raise InputSpaceError(f"the model `{self.cls.__name__}` has an invariant")
        cls: Any = self.cls
        found = cls.__new__(cls)
        object.__setattr__(found, "__dict__", dict(fields))
        object.__setattr__(found, "__pydantic_fields_set__", set(fields))
        object.__setattr__(found, "__pydantic_extra__", None)
        object.__setattr__(found, "__pydantic_private__", None)
        making.made.append((found, Recipe(self.cls, (), fields)))
        return making.new(self, name, found)
