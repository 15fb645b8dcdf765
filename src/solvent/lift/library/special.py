"""Special methods of symbolic numbers and strings that a program calls by their names."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from solvent.lift import operators
from solvent.lift.library import math
from solvent.lift.library.builtins import conversions, functions
from solvent.lift.messages import raised
from solvent.lift.registry import METHODS, lifts_method
from solvent.lift.values.protocol import contained, get_item, iter_of, length, truth
from solvent.terms.booleans import BoolTerm
from solvent.terms.floats import FloatTerm
from solvent.terms.integers import IntTerm
from solvent.terms.reals import RealTerm
from solvent.terms.strings import StringTerm
from solvent.terms.texts import BytesTerm, TextTerm
from solvent.vm.kinds import STANDS_FOR, python_type
from solvent.vm.spread import over
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Guard, Value

_INTS = (IntTerm, BoolTerm)
_FLOATS = (RealTerm, FloatTerm)
_TEXTS = (StringTerm, TextTerm, BytesTerm)

# The types of the other operand on which an operator of a type works.
_OPERANDS: dict[type, tuple[type, ...]] = {
    IntTerm: (int,), BoolTerm: (int,), RealTerm: (int, float, Fraction), FloatTerm: (int, float),
    StringTerm: (str,), TextTerm: (str,), BytesTerm: (bytes,),
}  # fmt: skip


def _binary(classes: tuple[type, ...], name: str, function: operators.Operator) -> None:
    """Register an operator, which gives `NotImplemented` for operands that it does not know."""

    def method(value: Value, other: Value, /) -> Value:
        if type(value) is Union:
            return over(value, lambda member: method(member, other))
        if type(other) is Union:
            return over(other, lambda member: method(value, member))
        known = issubclass(python_type(other), _OPERANDS[type(value)])
        return function(value, other) if known else NotImplemented

    for cls in classes:
        if hasattr(STANDS_FOR[cls], name):
            lifts_method(cls, name=name)(method)


def _swapped(function: operators.Operator) -> operators.Operator:
    return lambda value, other: function(other, value)


for _name, _operator in {
    "add": operators.add, "sub": operators.sub, "mul": operators.mul,
    "truediv": operators.truediv, "floordiv": operators.floordiv, "mod": operators.mod,
    "divmod": functions.divmod_, "lshift": operators.lshift, "rshift": operators.rshift,
    "and": operators.and_, "or": operators.or_, "xor": operators.xor, "pow": operators.power,
}.items():  # fmt: skip
    _binary((*_INTS, *_FLOATS), f"__{_name}__", _operator)
    _binary((*_INTS, *_FLOATS), f"__r{_name}__", _swapped(_operator))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _binary((*_INTS, *_FLOATS, *_TEXTS), f"__{_name}__", getattr(operators, _name))


# How many arguments special methods take besides their owner, if any.
_TAKES = {
    "__round__": (0, 1), "__format__": (1, 1), "__getitem__": (1, 1), "__add__": (1, 1),
    "__mul__": (1, 1), "__rmul__": (1, 1),
}  # fmt: skip


def _plain(classes: tuple[type, ...], name: str, function: Callable[..., Value]) -> None:
    """Register a method that is the same as a lifted function."""

    fewest, most = _TAKES.get(name, (0, 0))

    def method(value: Value, *arguments: Value) -> Value:
        if not fewest <= len(arguments) <= most:
            sample = python_type(choices_of(value)[0][1])()
            raise raised(getattr(sample, name), *[None] * len(arguments))
        return function(value, *arguments)

    for cls in classes:
        if hasattr(STANDS_FOR[cls], name) and name not in METHODS.get(cls, {}):
            lifts_method(cls, name=name)(method)


_NUMERIC: dict[str, Callable[..., Value]] = {
    "neg": operators.neg, "pos": operators.pos, "invert": operators.invert,
    "abs": functions.abs_, "bool": truth, "int": conversions.int_, "index": conversions.int_,
    "float": conversions.float_, "round": functions.round_, "trunc": math.trunc,
    "floor": math.floor, "ceil": math.ceil,
}  # fmt: skip
_COMMON: dict[str, Callable[..., Value]] = {
    "str": conversions.str_, "repr": conversions.repr_, "format": conversions.format_,
    "hash": functions.hash_,
}  # fmt: skip
_OF_STRINGS: dict[str, Callable[..., Value]] = {
    "len": length, "iter": iter_of, "getitem": get_item, "add": operators.add,
    "mul": operators.mul, "rmul": operators.mul,
}  # fmt: skip

for _name, _function in _NUMERIC.items():
    _plain((*_INTS, *_FLOATS), f"__{_name}__", _function)
for _name, _function in _COMMON.items():
    _plain((*_INTS, *_FLOATS, *_TEXTS), f"__{_name}__", _function)
for _name, _function in _OF_STRINGS.items():
    _plain(_TEXTS, f"__{_name}__", _function)


@lifts_method(*_TEXTS, name="__contains__")
def contains(text: Value, part: Value, /) -> Guard:
    """`text.__contains__(part)`."""
    return contained(part, text)
