"""Types and values of SynthCL: numbers, and vectors of 2, 4, 8 or 16 of them.

A scalar is a Python number, a bitvector or a symbolic term.  A vector is an object with as many
components.  Operators work component by component; a scalar beside a vector stands for a vector of
equal components.  Components are selected by name as in OpenCL, also several at once:

>>> v = int4(1, 2, 3, 4)
>>> v.x, v.wzyx, v.lo, v.s13
(1, int4(4, 3, 2, 1), int2(1, 2), int2(2, 4))
>>> v.yw = v.xy * 10
>>> v, v + 1, v < 4
(int4(1, 10, 3, 20), int4(2, 11, 4, 21), bool4(True, False, True, False))
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import TYPE_CHECKING

from solvent import lifted
from solvent.errors import SolventError
from solvent.lift import lift_with_for_all
from solvent.terms import BV, BitVecTerm, BoolTerm, IntTerm, and_, bv, ite, not_, or_, sdiv, srem
from solvent.vm.values import Guard, Value

WIDTHS = (2, 4, 8, 16)


class SynthCLError(SolventError, TypeError):
    """A program that means nothing in SynthCL."""


# --- scalar types --------------------------------------------------------------------------------


class Scalar:
    """The type of a number or truth value; calling it converts a value.

    >>> int_(True), bool_(3), float_
    (1, True, float_)
    """

    width = 1

    def __init__(self, name: str) -> None:
        # The name in OpenCL.
        self.name = name

    @property
    def base(self) -> Scalar:
        """The type of the components."""
        return self

    def __call__(self, value: Value = 0) -> Value:
        return convert(self, value)

    def __repr__(self) -> str:
        return f"{self.name}_"


def _to_bool(value: Value) -> Guard:
    return value if value.__class__ in _TRUTH else value != 0


def _to_int(value: Value) -> Value:
    if value.__class__ in _TRUTH:
        return ite(value, 1, 0)
    return int(value) if value.__class__ is float else value


def _to_float(value: Value) -> Value:
    return ite(value, 1, 0) if value.__class__ in _TRUTH else value


_TRUTH = (bool, BoolTerm)
_CONVERSIONS: dict[str, Callable[[Value], Value]] = {
    "bool": _to_bool, "int": _to_int, "float": _to_float,
}  # fmt: skip


@lift_with_for_all
def convert(to: Scalar, value: Value) -> Value:
    """A scalar as a value of another type.

    >>> convert(int_, 2.5), convert(bool_, 0)
    (2, False)
    """
    if isinstance(value, Vector):
        raise SynthCLError(f"{value} is a vector, but {to} has one component; select one, as in .x")
    return _CONVERSIONS[to.name](value)


if TYPE_CHECKING:
    # To a type checker the values in kernels may be anything.
    bool_ = Value
    int_ = Value
    float_ = Value
else:
    bool_ = Scalar("bool")
    int_ = Scalar("int")
    float_ = Scalar("float")


# The width of the numbers in memory and in vectors while a query runs; else ints are what they are.
WIDTH: ContextVar[int | None] = ContextVar("synthcl_width", default=None)


def stored(to: Scalar, items: Iterable[Value]) -> tuple[Value, ...]:
    """Scalars as cells of memory and components of vectors hold them.

    >>> stored(int_, [True, 7])
    (1, 7)
    """
    found = tuple(map(_CONVERSIONS[to.name], items))
    width = WIDTH.get()
    if width is None or int not in map(type, found):
        return found
    return tuple([bv(item, width) if item.__class__ is int else item for item in found])


# --- vector types --------------------------------------------------------------------------------


class VectorType:
    """The type of a vector; calling it makes one.

    >>> int4(1, int2(2, 3), 4), int4(7), float2(int4(1, 2, 3, 4).hi)
    (int4(1, 2, 3, 4), int4(7, 7, 7, 7), float2(3, 4))
    """

    def __init__(self, base: Scalar, width: int) -> None:
        self.base = base
        self.width = width
        self.name = f"{base.name}{width}"

    def __call__(self, *parts: Value) -> Value:
        return make_vector(self, *parts)

    def __repr__(self) -> str:
        return self.name


# The type of a value that is no pointer; programs name types as values, which may be anything.
Type = Scalar | VectorType


@lift_with_for_all
def make_vector(to: VectorType, *parts: Value) -> Value:
    """A vector from scalars and vectors that have as many components together.

    >>> make_vector(bool2, 1, 0)
    bool2(True, False)
    """
    items: list[Value] = []
    for part in parts:
        if part.__class__ is Vector:
            items.extend(part.items)
        else:
            items.append(part)
    if len(items) == 1:
        items *= to.width
    if len(items) != to.width:
        raise SynthCLError(f"{to} needs 1 or {to.width} components, not {len(items)}")
    return new_vector(to, stored(to.base, items))


class Vector:
    """A vector.  It is a value: it is never shared where its components are assigned."""

    type: VectorType
    items: tuple[Value, ...]

    def __getattr__(self, name: str) -> Value:
        attributes = self.__dict__
        of, items = attributes["type"], attributes["items"]
        places = _SELECTIONS.get((name, of.width)) or selection(name, of)
        if len(places) == 1:
            return items[places[0]]
        found = vector_type(of.base, len(places))
        return new_vector(found, tuple([items[place] for place in places]))

    def __setattr__(self, name: str, value: Value) -> None:
        object.__setattr__(self, "items", with_selected(self, name, value))

    def __len__(self) -> int:
        return self.type.width

    def __repr__(self) -> str:
        return f"{self.type}({', '.join(map(repr, self.items))})"

    __hash__ = None  # type: ignore[assignment]


def new_vector(of: VectorType, items: tuple[Value, ...]) -> Vector:
    """A vector with components that have the right type already.

    >>> new_vector(int2, (1, 2))
    int2(1, 2)
    """
    result = object.__new__(Vector)
    attributes = result.__dict__
    attributes["type"] = of
    attributes["items"] = items
    return result


VECTORS = {
    (base.name, width): VectorType(base, width)
    for base in (bool_, int_, float_)
    for width in WIDTHS
}


def vector_type(base: Scalar, width: int) -> VectorType:
    """The vector type with these components.

    >>> vector_type(int_, 4)
    int4
    """
    found = VECTORS.get((base.name, width))
    if found is None:
        raise SynthCLError(f"there are no vectors of {width} components; there are of 2, 4, 8, 16")
    return found


if TYPE_CHECKING:
    bool2 = Value
    bool4 = Value
    bool8 = Value
    bool16 = Value
    int2 = Value
    int4 = Value
    int8 = Value
    int16 = Value
    float2 = Value
    float4 = Value
    float8 = Value
    float16 = Value
else:
    bool2, bool4, bool8, bool16 = (vector_type(bool_, width) for width in WIDTHS)
    int2, int4, int8, int16 = (vector_type(int_, width) for width in WIDTHS)
    float2, float4, float8, float16 = (vector_type(float_, width) for width in WIDTHS)


# --- selecting components ------------------------------------------------------------------------

_SELECTIONS: dict[tuple[str, int], tuple[int, ...]] = {}
_HALVES: dict[str, Callable[[int], range]] = {
    "lo": lambda width: range(width // 2),
    "hi": lambda width: range(width // 2, width),
    "even": lambda width: range(0, width, 2),
    "odd": lambda width: range(1, width, 2),
}


def selection(name: str, of: VectorType) -> tuple[int, ...]:
    """Which components a name selects.

    >>> selection("zx", int4), selection("sF0", int16), selection("hi", int4)
    ((2, 0), (15, 0), (2, 3))
    """
    found = _SELECTIONS.get((name, of.width))
    if found is None:
        found = _SELECTIONS[name, of.width] = _selection(name, of)
    return found


def _selection(name: str, of: VectorType) -> tuple[int, ...]:
    if name in _HALVES:
        return tuple(_HALVES[name](of.width))
    if name[:1] in ("s", "S") and len(name) > 1:
        digits = "0123456789abcdef"
        places = [digits.find(letter) for letter in name[1:].lower()]
    else:
        places = ["xyzw".find(letter) for letter in name]
    if name.startswith("__") or not places or not all(0 <= place < of.width for place in places):
        raise AttributeError(f"{of} has no component {name!r}")
    if len(places) not in (1, *WIDTHS):
        raise AttributeError(f"{name!r} selects {len(places)} components, which is no vector")
    return tuple(places)


@lift_with_for_all
def with_selected(vector: Vector, name: str, value: Value) -> tuple[Value, ...]:
    """The components of a vector after some were assigned.

    >>> with_selected(int4(1, 2, 3, 4), "zx", int2(8, 9))
    (9, 2, 8, 4)
    """
    of = vector.type
    places = selection(name, of)
    if len(set(places)) != len(places):
        raise SynthCLError(f"{name!r} assigns a component of {of} twice")
    given = value.items if value.__class__ is Vector else (value,) * len(places)
    if len(given) != len(places):
        raise SynthCLError(f"{name!r} are {len(places)} components of {of}, but {value} was given")
    items = list(vector.items)
    for place, item in zip(places, stored(of.base, given), strict=True):
        items[place] = item
    return tuple(items)


# --- operators -----------------------------------------------------------------------------------


def _result_type(a: Vector, b: Value) -> VectorType:
    """The type of a result: float beside int is float, and truth values count as ints."""
    left = a.type
    if b.__class__ is Vector:
        right = b.type
        if right is left and left.base is not bool_:
            return left
        if right.width != left.width:
            raise SynthCLError(f"{a} and {b} have different numbers of components")
        is_float = float_ in (left.base, right.base)
    else:
        is_float = left.base is float_ or b.__class__ is float
    return vector_type(float_ if is_float else int_, left.width)


def _items(vector: Vector) -> tuple[Value, ...]:
    """The components as numbers."""
    items = vector.items
    return tuple(map(_to_int, items)) if vector.type.base is bool_ else items


def _others(a: Vector, b: Value) -> tuple[Value, ...]:
    """The components of the other operand."""
    if b.__class__ is Vector:
        return _items(b)
    if b.__class__ is IntTerm:
        # A choice between ints becomes one between bitvectors, once for all components.
        sorts = [item.sort for item in a.items if item.__class__ is BitVecTerm]
        found = sorts[0].coerce(b) if sorts else NotImplemented
        b = b if found is NotImplemented else found
    return (_to_float(b),) * len(a.items)


def _arithmetic(
    native: Callable[[Value, Value], Value], swapped: bool
) -> Callable[[Vector, Value], Value]:
    @lift_with_for_all
    def apply(self: Vector, other: Value) -> Value:
        if isinstance(other, (list, tuple, str)):
            return NotImplemented
        of = _result_type(self, other)
        a, b = _items(self), _others(self, other)
        if swapped:
            a, b = b, a
        return new_vector(of, tuple(map(native, a, b)))

    return apply


def _comparison(native: Callable[[Value, Value], Value]) -> Callable[[Vector, Value], Value]:
    @lift_with_for_all
    def apply(self: Vector, other: Value) -> Value:
        of = _result_type(self, other)
        items = tuple(map(native, _items(self), _others(self, other)))
        return new_vector(vector_type(bool_, of.width), items)

    return apply


def _logical(
    numbers: Callable[[Value, Value], Value], truths: Callable[[Value, Value], Value]
) -> Callable[[Vector, Value], Value]:
    """`&` and `|`, which are logical between truth values and bitwise between ints."""
    bitwise = _arithmetic(numbers, False)

    @lift_with_for_all
    def apply(self: Vector, other: Value) -> Value:
        is_truth = other.type.base is bool_ if other.__class__ is Vector else (
            other.__class__ in _TRUTH
        )  # fmt: skip
        if self.type.base is not bool_ or not is_truth:
            return bitwise(self, other)
        others = other.items if other.__class__ is Vector else (other,) * len(self)
        return new_vector(self.type, tuple(map(truths, self.items, others)))

    return apply


@lift_with_for_all
def _inverted(self: Vector) -> Value:
    if self.type.base is bool_:
        return new_vector(self.type, tuple(map(not_, self.items)))
    return new_vector(self.type, tuple([~item for item in self.items]))


def _unary(native: Callable[[Value], Value]) -> Callable[[Vector], Value]:
    @lift_with_for_all
    def apply(self: Vector) -> Value:
        of = self.type if self.type.base is not bool_ else vector_type(int_, len(self))
        return new_vector(of, tuple(map(native, _items(self))))

    return apply


def _no_truth(self: Vector) -> bool:
    raise SynthCLError(f"{self} is neither true nor false; use all_(...) or any_(...)")


def _give_operators() -> None:
    for name in ("add", "sub", "mul", "lshift", "rshift", "xor"):
        native = getattr(operator, name)
        setattr(Vector, f"__{name}__", _arithmetic(native, False))
        setattr(Vector, f"__r{name}__", _arithmetic(native, True))
    for name, truths in (("and", and_), ("or", or_)):
        native = getattr(operator, f"{name}_")
        setattr(Vector, f"__{name}__", _logical(native, truths))
        setattr(Vector, f"__r{name}__", _logical(native, truths))
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        setattr(Vector, f"__{name}__", _comparison(getattr(operator, name)))
    for name, method in (("neg", operator.neg), ("pos", operator.pos), ("abs", abs)):
        setattr(Vector, f"__{name}__", _unary(method))
    for name, other in (("invert", _inverted), ("bool", _no_truth)):
        setattr(Vector, f"__{name}__", other)


_give_operators()


# --- functions -----------------------------------------------------------------------------------


@lift_with_for_all
def all_(vector: Vector) -> Guard:
    """Whether all components are true (not zero).

    >>> all_(int2(1, 2) > 0), all_(int2(1, 0))
    (True, False)
    """
    return and_([_to_bool(item) for item in vector.items])


@lift_with_for_all
def any_(vector: Vector) -> Guard:
    """Whether some component is true (not zero).

    >>> any_(int2(1, 2) > 1), any_(int2(0, 0))
    (True, False)
    """
    return or_([_to_bool(item) for item in vector.items])


@lift_with_for_all
def select(a: Value, b: Value, c: Value) -> Value:
    """`b` where `c` is true, else `a`: component by component if `c` is a vector (as OpenCL's).

    >>> select(int2(1, 2), int2(8, 9), bool2(True, False)), select(3, 4, False)
    (int2(8, 2), 3)
    """
    if c.__class__ is not Vector:
        return _pick(_to_bool(c), b, a)
    of = next(v.type for v in (a, b, c) if v.__class__ is Vector)
    x, y = (v.items if v.__class__ is Vector else (v,) * len(c) for v in (a, b))
    rows = zip(c.items, x, y, strict=True)
    return new_vector(of, tuple([_pick(_to_bool(test), q, p) for test, p, q in rows]))


def _pick(test: Guard, a: Value, b: Value) -> Value:
    if a.__class__ is Vector:
        return new_vector(a.type, tuple(map(_pick, (test,) * len(a), a.items, b.items)))
    if test.__class__ is bool:
        return a if test else b
    return ite(test, a, b)


@lift_with_for_all
def minimum(a: Value, b: Value) -> Value:
    """The smaller one of two scalars or vectors (OpenCL's `min`).

    >>> minimum(int2(1, 5), 3)
    int2(1, 3)
    """
    return select(b, a, a < b) if a.__class__ is Vector else select(a, b, b < a)


@lift_with_for_all
def maximum(a: Value, b: Value) -> Value:
    """The larger one of two scalars or vectors (OpenCL's `max`).

    >>> maximum(2, 3)
    3
    """
    return select(a, b, a < b) if a.__class__ is Vector else select(b, a, b < a)


@lift_with_for_all
def dot(a: Value, b: Value) -> Value:
    """The sum of the products of components.

    >>> dot(int4(1, 2, 3, 4), int4(1, 1, 1, 2))
    14
    """
    products = (a * b).items
    total = products[0]
    for product in products[1:]:
        total = total + product
    return total


@lift_with_for_all
def _is_divisor(b: Value) -> Guard:
    return all_(b) if b.__class__ is Vector else b != 0


@lifted
def div(a: Value, b: Value) -> Value:
    """The quotient rounded towards zero, which is what `/` is in OpenCL.

    >>> div(-7, 2), div(int2(9, 4), 2)
    (-3, int2(4, 2))
    """
    assert _is_divisor(b), "division by zero"
    return _divided(a, b, _quotient)


@lifted
def rem(a: Value, b: Value) -> Value:
    """The remainder with the sign of the dividend, which is what `%` is in OpenCL.

    >>> rem(-7, 2), rem(int2(9, 4), 2)
    (-1, int2(1, 0))
    """
    assert _is_divisor(b), "division by zero"
    return _divided(a, b, _remainder)


@lift_with_for_all
def _divided(a: Value, b: Value, action: Callable[[Value, Value], Value]) -> Value:
    if a.__class__ is Vector or b.__class__ is Vector:
        vector = a if a.__class__ is Vector else b
        x, y = (v.items if v.__class__ is Vector else (v,) * len(vector) for v in (a, b))
        return new_vector(vector.type, tuple(map(action, x, y)))
    return action(a, b)


def _quotient(a: Value, b: Value) -> Value:
    if isinstance(a, (BV, BitVecTerm)) or isinstance(b, (BV, BitVecTerm)):
        return sdiv(a, b)
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    return ite((a < 0) == (b < 0), abs(a) // abs(b), -(abs(a) // abs(b)))


def _remainder(a: Value, b: Value) -> Value:
    if isinstance(a, (BV, BitVecTerm)) or isinstance(b, (BV, BitVecTerm)):
        return srem(a, b)
    if isinstance(a, float) or isinstance(b, float):
        raise SynthCLError("OpenCL has no remainder of floats; use ints")
    return a - b * _quotient(a, b)
