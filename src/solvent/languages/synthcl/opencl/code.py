"""Pieces of OpenCL C with their types, and conversions between them.

Three things differ from Python, and are kept track of here:

* OpenCL C does not say what happens when an int overflows, but SynthCL's ints wrap around.  So an
  int that is data is a `uint` in C, where the same operations wrap; it is read as signed where that
  matters.  Counts, such as ids and sizes, are `int`.
* There are no vectors of bool: they are masks, vectors of ints that are 0 or -1.
* In memory a bool is such a mask too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from solvent.languages.synthcl.runtime import ParameterType, PointerType
from solvent.languages.synthcl.types import (
    Scalar,
    SynthCLError,
    Type,
    VectorType,
    bool_,
    float_,
    int_,
    vector_type,
)

# How tightly operators bind in C.
CONDITIONAL, OR, AND, BITWISE, EQUAL, ORDER, SHIFT, SUM, PRODUCT, UNARY, ATOM = range(11)

LEAST, MOST = -(1 << 31), (1 << 31) - 1


class TranslationError(SynthCLError):
    """A kernel that has no translation to OpenCL."""


class UnplacedError(TranslationError):
    """Such an error before it is known where it happens."""


# What can be written down in C.
Number = bool | int | float


@dataclass(frozen=True, slots=True)
class Code:
    """An expression in C."""

    text: str
    # What it is in SynthCL; `None` if it is nothing.
    type: Any
    rank: int = ATOM
    # Whether an int, or a vector of ints, is unsigned in C.
    unsigned: bool = False
    # The value of a literal.
    literal: Number | None = None

    @property
    def is_vector(self) -> bool:
        """Whether it is a vector."""
        return isinstance(self.type, VectorType)

    def inside(self, rank: int) -> str:
        """The text as an operand of an operator that binds so tightly."""
        return self.text if self.rank >= rank else f"({self.text})"


# --- types ---------------------------------------------------------------------------------------


def c_type(of: ParameterType | None, unsigned: bool = False) -> str:
    """The name of a type in C, ending in `*` for pointers.

    >>> c_type(int_), c_type(vector_type(int_, 4), unsigned=True), c_type(vector_type(bool_, 2))
    ('int', 'uint4', 'int2')
    >>> c_type(PointerType(int_, writable=False))
    '__global const uint *'
    """
    if of is None:
        return "void"
    if isinstance(of, PointerType):
        return f"__global {'' if of.writable else 'const '}{in_memory(of.target)} *"
    if isinstance(of, VectorType) and of.base is bool_:
        return f"int{of.width}"
    return f"u{of.name}" if unsigned else str(of.name)


def in_memory(of: Type) -> str:
    """The name of the type with which values of a type are in memory."""
    return "int" if of is bool_ else c_type(of, unsigned=of.base is int_)


def declared(of: ParameterType, name: str, unsigned: bool = False) -> str:
    """The declaration of a variable.

    >>> declared(PointerType(int_), "p"), declared(float_, "x")
    ('__global uint *p', 'float x')
    """
    text = c_type(of, unsigned)
    return f"{text}{name}" if text.endswith("*") else f"{text} {name}"


def shaped(base: Scalar, width: int) -> Type:
    """The type with so many components.

    >>> shaped(int_, 1), shaped(int_, 4)
    (int_, int4)
    """
    return base if width == 1 else vector_type(base, width)


# --- literals ------------------------------------------------------------------------------------


def literal(value: Number) -> Code:
    """A Python number in C.

    >>> literal(3).text, literal(-0.5).text, literal(True).text, literal(-2147483648).text
    ('3', '-0.5f', 'true', 'INT_MIN')
    """
    if isinstance(value, bool):
        return Code("true" if value else "false", bool_, literal=value)
    if isinstance(value, int):
        if not LEAST <= value <= MOST:
            raise UnplacedError(f"{value} is no int of 32 bits")
        text = "INT_MIN" if value == LEAST else str(value)
        return Code(text, int_, UNARY if value < 0 else ATOM, literal=value)
    if value != value or value in (float("inf"), float("-inf")):
        raise UnplacedError(f"{value} is no float that can be written down")
    return Code(f"{value!r}f", float_, UNARY if value < 0 else ATOM, literal=value)


# --- conversions ---------------------------------------------------------------------------------


def cast(to: str, code: Code, of: ParameterType, unsigned: bool = False) -> Code:
    """`(int) x`."""
    return Code(f"({to}){code.inside(UNARY)}", of, UNARY, unsigned)


def signed(code: Code) -> Code:
    """An int, or a vector of ints, read as signed."""
    if not code.unsigned:
        return code
    if code.is_vector:
        return Code(f"as_int{code.type.width}({code.text})", code.type)
    return cast("int", code, code.type)


def unsigned(code: Code) -> Code:
    """An int, or a vector of ints, read as unsigned."""
    if code.unsigned or code.type.base is not int_:
        return code
    if code.is_vector:
        return Code(f"as_uint{code.type.width}({code.text})", code.type, unsigned=True)
    return cast("uint", code, code.type, unsigned=True)


def stored(code: Code, unsigned_target: bool) -> Code:
    """A value as it is assigned to a variable; scalars convert by themselves."""
    if not code.is_vector or code.type.base is not int_:
        return code
    return unsigned(code) if unsigned_target else signed(code)


def number(code: Code) -> Code:
    """Truth values as the ints 0 and 1."""
    if code.type.base is not bool_:
        return code
    if code.literal is not None:
        return literal(int(code.literal))
    if code.is_vector:
        return Code(f"-{_not_negative(code)}", vector_type(int_, code.type.width), UNARY)
    return cast("int", code, int_)


def _not_negative(code: Code) -> str:
    """The operand of a minus, which must not look like `--`."""
    text = code.inside(UNARY)
    return f"({text})" if text.startswith("-") else text


def negated(code: Code) -> Code:
    """`-x`."""
    if code.literal is not None and code.literal != LEAST and not isinstance(code.literal, bool):
        return literal(-code.literal)
    return replace(code, text=f"-{_not_negative(code)}", rank=UNARY, literal=None)


def mask(code: Code) -> str:
    """A truth value as a component of a mask, or in memory."""
    if code.literal is not None:
        return "-1" if code.literal else "0"
    return f"-{_not_negative(code)}"


def convert(code: Code, base: Scalar) -> Code:
    """A value as one whose components have another type, as SynthCL converts it."""
    if code.type.base is base:
        return code
    if base is bool_:
        return _truth(code)
    if base is int_:
        return number(code) if code.type.base is bool_ else _truncated(code)
    return _to_float(number(code) if code.is_vector or code.literal is not None else code)


def _truth(code: Code) -> Code:
    if code.literal is not None:
        return literal(bool(code.literal))
    zero = "0.0f" if code.type.base is float_ else "0"
    return Code(f"{code.inside(ORDER)} != {zero}", shaped(bool_, code.type.width), EQUAL)


def _truncated(code: Code) -> Code:
    if code.is_vector:
        width = code.type.width
        return Code(f"convert_int{width}({code.text})", vector_type(int_, width))
    if code.literal is not None:
        return literal(int(code.literal))
    return cast("int", code, int_)


def _to_float(code: Code) -> Code:
    if code.literal is not None:
        return literal(float(code.literal))
    code = signed(code)
    if code.is_vector:
        width = code.type.width
        return Code(f"convert_float{width}({code.text})", vector_type(float_, width))
    return cast("float", code, float_)


def splat(code: Code, width: int) -> Code:
    """A vector of equal components."""
    base = code.type.base
    of = vector_type(base, width)
    text = mask(code) if base is bool_ else code.text
    return Code(f"({c_type(of, unsigned=base is int_)})({text})", of, unsigned=base is int_)
