"""Iterators and generators as values: taking their items runs code, or changes their state."""

from __future__ import annotations

from collections.abc import Iterable
from types import GeneratorType

from solvent.lift.values.generators import check_ended
from solvent.lift.values.iterators import Checked, Stateful, steps
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import behaves
from solvent.vm.values import Value


class Iterators(Objects):
    """What the iterators do whose state is journaled."""

    def iterate(self, value: Stateful) -> Iterable[Value]:
        return steps(value)

    def iterator(self, value: Stateful) -> Value:
        return value

    def items(self, value: Stateful) -> Iterable[Value]:
        return value.listed()

    def is_lazy(self, cls: type) -> bool:
        return True

    def lent(self, value: Stateful) -> Value:
        return Checked(value)


class Generators(Objects):
    """What generators do."""

    def iterate(self, value: Value) -> Iterable[Value]:
        check_ended(value)
        return value  # type: ignore[no-any-return]

    def iterator(self, value: Value) -> Value:
        return value

    def items(self, value: Value) -> Iterable[Value]:
        return self.iterate(value)

    def is_lazy(self, cls: type) -> bool:
        return True

    def lent(self, value: Value) -> Value:
        return Checked(value)


behaves(Iterators(), Stateful)
behaves(Generators(), GeneratorType)
