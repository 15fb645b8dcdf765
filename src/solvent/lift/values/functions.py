"""Functions and methods as values: other code that calls them is given what is lifted."""

from __future__ import annotations

from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

from solvent.lift.calls import call
from solvent.lift.foreign import Callback
from solvent.lift.values.objects import Opaque
from solvent.lift.values.protocol import Copying, Evaluation, behaves
from solvent.vm.values import Value


class Functions(Opaque):
    """What functions do."""

    def lent(self, value: Value) -> Value:
        # Lifted, so that its writes are known.
        return Callback(call(value))


class Methods(Functions):
    """What methods do, which hold their owner."""

    def copied(self, value: Value, copying: Copying) -> Value:
        return MethodType(value.__func__, copying.part(value.__self__))

    def under(self, value: Value, evaluate: Evaluation) -> Value:
        owner = evaluate.value(value.__self__)
        return value if owner is value.__self__ else MethodType(value.__func__, owner)


class Slices(Opaque):
    """What the parts of a subscript do."""

    def parts(self, value: slice) -> Iterable[Value]:
        return (value.start, value.stop, value.step)

    def under(self, value: slice, evaluate: Evaluation) -> Value:
        return slice(*map(evaluate.value, self.parts(value)))


behaves(Functions(), FunctionType)
behaves(Methods(), MethodType)
behaves(Slices(), slice)
behaves(Opaque(), type, ModuleType, BuiltinFunctionType)
