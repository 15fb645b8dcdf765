"""The module `operator`."""

from __future__ import annotations

import operator
from collections.abc import Callable

from solvent.lift import identity, operators
from solvent.lift.api import lifted
from solvent.lift.attributes import each_name
from solvent.lift.calls import method
from solvent.lift.library.builtins.attributes import get_attribute
from solvent.lift.library.builtins.functions import abs_, special
from solvent.lift.registry import FUNCTIONS, OBJECTS, lifts
from solvent.lift.truth import negation
from solvent.lift.values.protocol import contained, delete_item, get_item, set_item, truth
from solvent.terms.booleans import BoolTerm
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.vm.kinds import python_type
from solvent.vm.spread import over
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Guard, Value

_SAME: dict[object, Callable[..., Value]] = {
    operator.add: operators.add, operator.sub: operators.sub, operator.mul: operators.mul,
    operator.truediv: operators.truediv, operator.floordiv: operators.floordiv,
    operator.mod: operators.mod, operator.pow: operators.power, operator.lshift: operators.lshift,
    operator.rshift: operators.rshift, operator.and_: operators.and_, operator.or_: operators.or_,
    operator.xor: operators.xor, operator.matmul: operators.matmul, operator.neg: operators.neg,
    operator.pos: operators.pos, operator.invert: operators.invert, operator.eq: operators.eq,
    operator.ne: operators.ne, operator.lt: operators.lt, operator.le: operators.le,
    operator.gt: operators.gt, operator.ge: operators.ge, operator.is_: identity.is_,
    operator.is_not: identity.is_not, operator.not_: negation, operator.truth: truth,
    operator.abs: abs_, operator.getitem: get_item, operator.setitem: set_item,
    operator.delitem: delete_item, operator.concat: operators.add,
}  # fmt: skip
FUNCTIONS.update(_SAME)

for _name in (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or",
    "xor", "matmul",
):  # fmt: skip
    _ordinary = getattr(operators, {"and": "and_", "or": "or_", "pow": "power"}.get(_name, _name))
    FUNCTIONS[getattr(operator, f"i{_name}")] = operators.in_place(_name, _ordinary)
FUNCTIONS[operator.iconcat] = FUNCTIONS[operator.iadd]


@lifts(operator.contains)
def contains(container: Value, item: Value, /) -> Guard:
    """`operator.contains(container, item)`."""
    return contained(item, container)


@lifts(operator.index)
def index(value: Value, /) -> Value:
    """`operator.index(value)`."""
    if type(value) is BoolTerm:
        return value.as_int()
    if type(value) is IntTerm:
        return value
    result = special(value, "__index__")
    return operator.index(value) if result is NotImplemented else result


@lifts(operator.countOf)
@lifted
def count_of(source: Value, value: Value, /) -> Integer:
    """`operator.countOf(source, value)`."""
    count = 0
    for item in source:
        if item is value or item == value:
            count += 1
    return count


@lifts(operator.indexOf)
@lifted
def index_of(source: Value, value: Value, /) -> Integer:
    """`operator.indexOf(source, value)`."""
    for place, item in enumerate(source):
        if item is value or item == value:
            return place
    raise ValueError("sequence.index(x): x not in sequence")


@lifts(operator.itemgetter)
class ItemGetter:
    """`operator.itemgetter(...)`."""

    __slots__ = ("keys",)

    def __init__(self, key: Value, /, *keys: Value) -> None:
        self.keys = (key, *keys)

    def __call__(self, owner: Value, /) -> Value:
        found = tuple([get_item(owner, key) for key in self.keys])
        return found[0] if len(found) == 1 else found


@lifts(operator.attrgetter)
class AttributeGetter:
    """`operator.attrgetter(...)`."""

    __slots__ = ("names",)

    def __init__(self, name: str, /, *names: str) -> None:
        self.names = (name, *names)
        if not all(issubclass(kind, str) for found in self.names for kind in _kinds(found)):
            raise TypeError("attribute name must be a string")

    def __call__(self, owner: Value, /) -> Value:
        found = tuple([self.read(owner, name) for name in self.names])
        return found[0] if len(found) == 1 else found

    @staticmethod
    def read(owner: Value, path: Value) -> Value:
        """The value of a dotted name."""
        if type(path) is Union:
            return over(path, lambda member: AttributeGetter.read(owner, member))
        if isinstance(path, Term):
            return AttributeGetter.read(owner, each_name(path, "operator.attrgetter"))
        for name in path.split("."):
            owner = get_attribute(owner, name)
        return owner


def _kinds(value: Value) -> list[type]:
    return [python_type(member) for _, member in choices_of(value)]


@lifts(operator.methodcaller)
class MethodCaller:
    """`operator.methodcaller(...)`."""

    __slots__ = ("args", "name", "named")

    def __init__(self, name: str, /, *args: Value, **named: Value) -> None:
        self.name = name
        self.args = args
        self.named = named

    def __call__(self, owner: Value, /) -> Value:
        return method(owner, self.name)(*self.args, **self.named)


def _of_native(native: Value) -> Value:
    """The lifted counterpart of an `itemgetter` or the like that plain code made."""
    made, arguments = native.__reduce__()[:2]
    named: dict[str, Value] = {}
    if made is not type(native):
        # A `methodcaller` with keywords is saved as a partial one.
        arguments, named = (*made.args, *arguments), made.keywords
    return FUNCTIONS[type(native)](*arguments, **named)


for _kind in (operator.itemgetter, operator.attrgetter, operator.methodcaller):
    OBJECTS[_kind] = _of_native
