"""Ints as bytes and back: `int.to_bytes` and `int.from_bytes`."""

from __future__ import annotations

from collections.abc import Sequence

from solvent.errors import NotLiftedError
from solvent.lift.facts import bounds
from solvent.lift.messages import raised
from solvent.lift.registry import lifts, lifts_method
from solvent.lift.unlifted import Direct, is_concrete
from solvent.lift.values import sequences
from solvent.lift.values.byte_items import NOT_CONVERTED, converted, is_plain
from solvent.terms.booleans import BoolTerm, ite, or_
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.terms.texts import BytesTerm, octets
from solvent.vm.kinds import python_type
from solvent.vm.machine import current
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Value


@lifts(int.from_bytes)
def from_bytes(bytes: Value, byteorder: Value = "big", *, signed: Value = False) -> Value:
    """`int.from_bytes(bytes, byteorder, signed=...)`."""
    for name, value in (("bytes", bytes), ("byteorder", byteorder), ("signed", signed)):
        if type(value) is Union:
            given = {"bytes": bytes, "byteorder": byteorder, "signed": signed}
            return over(value, lambda member: from_bytes(**{**given, name: member}))  # noqa: B023
    if type(bytes) is not BytesTerm and (is_plain(bytes) or is_concrete(bytes)):
        return Direct(int.from_bytes)(bytes, byteorder, signed=signed)
    if not is_concrete((byteorder, signed)):
        raise NotLiftedError("`int.from_bytes` with a symbolic order or sign is not lifted")
    if byteorder not in ("big", "little"):
        raise raised(int.from_bytes, b"", byteorder)
    if python_type(bytes) is str:
        raise raised(int.from_bytes, "", "big")
    items = converted(bytes, NOT_CONVERTED.replace("bytearray", "bytes"), "bytes")
    return sequences.by_alternative(items, lambda found: number_of(found, byteorder, signed))


def number_of(items: Sequence[Integer], order: str, signed: Value) -> Integer:
    """The number that some bytes are in an order."""
    result: Integer = 0
    for item in items if order == "big" else reversed(items):
        result = result * 256 + item
    if not signed or not items:
        return result
    high = 1 << (8 * len(items))
    return ite(result >= high // 2, result - high, result)


def bytes_of(value: Integer, size: int, order: str) -> list[Integer]:
    """So many bytes of a number, of a negative one its two's complement."""
    found = [value // 256**place % 256 for place in range(size)]
    return found if order == "little" else found[::-1]


@lifts_method(IntTerm, BoolTerm)
def to_bytes(
    value: IntTerm | BoolTerm,
    /,
    length: Value = 1,
    byteorder: Value = "big",
    *,
    signed: Value = False,
) -> Value:
    """`value.to_bytes(length, byteorder, signed=...)`."""
    given = {"length": length, "byteorder": byteorder, "signed": signed}
    for name, argument in given.items():
        if type(argument) is Union:
            return over(argument, lambda member: to_bytes(value, **{**given, name: member}))  # noqa: B023
        if isinstance(argument, Term):
            raise NotLiftedError(f"`to_bytes` with a symbolic {name} is not lifted")
    # Python says what is wrong with the other arguments.
    zero = (0).to_bytes(length, byteorder, signed=signed)
    size = len(zero)
    whole = value.as_int() if isinstance(value, BoolTerm) else value
    bits = 8 * size
    low, high = (-(1 << bits >> 1), (1 << bits >> 1) - 1) if signed else (0, (1 << bits) - 1)
    if signed and not size:
        # No bytes at all are 0, in some versions also -1.
        low, high = -1 if _holds_minus_one() else 0, 0
    least, most = bounds(whole)
    if not signed and (least is None or least < 0):
        current().fail_if(whole < 0, raised((-1).to_bytes, length, byteorder))
    if least is None or most is None or least < low or most > high:
        too_big = raised((1 << bits).to_bytes, length, byteorder)
        current().fail_if(or_(whole < low, whole > high), too_big)
    return octets(bytes_of(whole, size, byteorder))


def _holds_minus_one() -> bool:
    try:
        (-1).to_bytes(0, "big", signed=True)
    except OverflowError:
        return False
    return True
