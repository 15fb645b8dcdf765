"""Instances of twins: what the program sees is an instance of the C class."""

from __future__ import annotations

from collections.abc import Iterable

from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.twins.loading import ON_NEW_CLASS, made_native
from solvent.lift.unlifted import is_concrete
from solvent.lift.values.objects import Objects, with_attributes
from solvent.lift.values.protocol import Copying, Evaluation, Texts, behaves
from solvent.vm.slotted import slot_names
from solvent.vm.twins import twin_of_values
from solvent.vm.values import Value


class Twins(Objects):
    """What instances of twins do."""

    def copied(self, value: Value, copying: Copying) -> Value:
        if twin_of_values(type(value)) is not None:
            return value
        return super().copied(value, copying)

    def parts(self, value: Value) -> Iterable[Value]:
        attributes: dict[str, Value] = getattr(value, "__dict__", {})
        slots = [getattr(value, name, None) for name in slot_names(type(value))]
        return [*attributes.values(), *slots]

    def shown(self, value: Value, texts: Texts) -> Value:
        return call(_TEXTS[type(value)])(value)

    def under(self, value: Value, evaluate: Evaluation) -> Value:
        result = made_native(with_attributes(value, evaluate))
        evaluate.started(value, result)
        return result


_TEXTS: dict[type, Value] = {}


def _text(value: Value) -> str:
    """What Python itself shows: fields that are symbolic as they are."""
    cls = type(value)
    if is_concrete(value):
        return repr(made_native(value))
    fields = [f"{name.strip('_')}={getattr(value, name)!r}" for name in cls.__slots__
              if not name.startswith("_hash")]  # fmt: skip
    return f"{cls.__module__}.{cls.__qualname__}({', '.join(fields)})"


def _hash(value: Value) -> int:
    """Of what is concrete the one that it has for the program; otherwise one for each object."""
    return hash(made_native(value)) if is_concrete(value) else object.__hash__(value)


def settled(value: Value) -> Value:
    """The value of C that an instance of a twin is, which must be concrete to have a hash."""
    if is_concrete(value):
        return made_native(value)
    name = type(value).__qualname__
    raise NotLiftedError(
        f"the hash of a symbolic {name} is not lifted; use the value itself as a key of a dict"
    )


def _adopt(cls: Value) -> None:
    _TEXTS[cls] = cls.__repr__
    cls.__repr__ = _text
    if twin_of_values(cls) is not None:
        cls.__hash__ = _hash
    behaves(TWINS, cls)


TWINS = Twins()
ON_NEW_CLASS.append(_adopt)
