"""Names of slots: each reaches its attribute, and all are there."""

from __future__ import annotations

from typing import Any

import pytest

from solvent.vm.slotted import slot_names


class Single:
    __slots__ = "only"


class Base:
    __slots__ = ("__items", "__weakref__", "size")


class _Derived(Base):
    __slots__ = ["__dict__", "__items", "__special__", "_more"]


class ___:
    __slots__ = ("__unmangled",)


class Mapping:
    __slots__ = {"first": "described", "__second": "as well"}  # noqa: RUF023


@pytest.mark.parametrize("cls", [Single, Base, _Derived, ___, Mapping, int, object])
def test_they_are_the_members_that_python_has_made(cls: Any) -> None:
    member = type(Single.only)  # type: ignore[attr-defined]
    made = {
        name
        for base in cls.__mro__
        for name, value in vars(base).items()
        if type(value) is member and base.__module__ == __name__
    }
    assert set(slot_names(cls)) == made
    assert len(slot_names(cls)) == len(made)
