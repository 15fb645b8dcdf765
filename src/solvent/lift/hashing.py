"""Keys that hold symbolic values, and hashes that users define.

Equality decides which entry of a dict or set a symbolic key means; the hash that Python's own dict
needs to keep it is only a place.  So an object with symbolic attributes, whose own `__hash__` would
be symbolic too, is kept by its identity, and stays there: its attributes may differ between paths,
and on some of them it may have none.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Sequence
from functools import wraps
from types import FunctionType
from weakref import ref

from solvent.errors import NotLiftedError
from solvent.lift.facts import bounds
from solvent.lift.registry import FUNCTIONS
from solvent.lift.words import fits
from solvent.terms.bitvectors import bv_to_int, int_to_bv, lshr
from solvent.terms.booleans import BoolTerm, eq, ite
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Bits, Integer
from solvent.terms.term import Term
from solvent.terms.values import bv
from solvent.vm.kinds import STANDS_FOR
from solvent.vm.machine import current
from solvent.vm.owned import VARYING
from solvent.vm.shapes import record_fields
from solvent.vm.slotted import slot_names
from solvent.vm.spread import over, over_members_of
from solvent.vm.twins import NATIVE
from solvent.vm.union import Union
from solvent.vm.values import Value

CONCRETE_KEYS = frozenset((int, str, bool, float, bytes, complex, type(None)))

# The `__hash__` that Python calls for objects of the user's, and the lifted one of the program.
_OWN_HASHES: dict[Value, FunctionType] = {}


def is_symbolic_key(key: object) -> bool:
    """Whether a key may be equal to keys that hash differently."""
    cls = type(key)
    if cls in CONCRETE_KEYS:
        return False
    if isinstance(key, Term) or cls in NATIVE:
        return True
    if isinstance(key, (tuple, frozenset)):
        return any(isinstance(part, VARYING) or is_symbolic_key(part) for part in key)
    fields = record_fields(cls)
    if fields is not None:
        return any(_is_symbolic_part(getattr(key, name)) for name in fields)
    if type(cls.__hash__) is not FunctionType:
        return False
    return _is_kept_by_identity(key) or _has_symbolic_attribute(key, set())


def _is_symbolic_part(part: object) -> bool:
    return isinstance(part, VARYING) or is_symbolic_key(part)


def _has_symbolic_attribute(key: object, seen: set[int]) -> bool:
    """Whether an attribute is symbolic, or something symbolic is inside of it."""
    if id(key) in seen:
        return False
    seen.add(id(key))
    found = [getattr(key, name, None) for name in slot_names(type(key))]
    found += getattr(key, "__dict__", {}).values()
    return any(_holds_symbolic(part, seen) for part in found)


def _holds_symbolic(part: object, seen: set[int]) -> bool:
    cls = type(part)
    if cls in CONCRETE_KEYS:
        return False
    if isinstance(part, VARYING):
        return True
    if isinstance(part, dict):
        return any(_holds_symbolic(item, seen) for row in part.items() for item in row)
    if isinstance(part, (list, tuple, set, frozenset, deque)):
        return any(_holds_symbolic(item, seen) for item in part)
    if type(cls.__hash__) is FunctionType:
        return _has_symbolic_attribute(part, seen)
    return is_symbolic_key(part)


# The last number by which Python has kept an object, by the identity of the object.
_KEPT: dict[int, tuple[Callable[[], object], int]] = {}


def _kept(key: object) -> int | None:
    found = _KEPT.get(id(key))
    return None if found is None or found[0]() is not key else found[1]


def _is_kept_by_identity(key: object) -> bool:
    return _kept(key) == object.__hash__(key)


def _keep(key: object, number: int) -> int:
    if _kept(key) != number:
        place = id(key)
        try:
            reference: Callable[[], object] = ref(key, lambda _: _KEPT.pop(place, None))
        except TypeError:
            reference = lambda: key  # noqa: E731
        _KEPT[place] = (reference, number)
    return number


def own_hash(lifted: FunctionType) -> FunctionType:
    """The `__hash__` that Python calls for objects of a class, given the lifted one."""

    @wraps(lifted)
    def __hash__(self: object) -> int:
        known = _kept(self)
        if is_symbolic_key(self):
            return _keep(self, object.__hash__(self)) if known is None else known
        try:
            result: Value = lifted(self)
        except AttributeError:
            # On this path the object was not made, but a dict of another one is looked at.
            if known is None:
                raise
            return known
        if isinstance(result, (Term, Union)):
            raise NotLiftedError(
                f"the hash of a `{type(self).__name__}` depends on symbolic values other than its "
                "attributes, which is not lifted; use a tuple of what it depends on as the key"
            )
        number: int = hash_from_method(result)
        if known is not None and known != number and current().is_divided:
            raise NotLiftedError(
                f"a `{type(self).__name__}` has another hash than on other paths, which is not "
                "lifted; do not change the attributes of keys"
            )
        return _keep(self, number)

    FUNCTIONS[__hash__] = lifted
    _OWN_HASHES[__hash__] = lifted
    return __hash__  # type: ignore[return-value]


def has_own_hash(key: object) -> bool:
    """Whether the program defines the hash of an object."""
    return type(key).__hash__ in _OWN_HASHES


# While a machine has this note, nobody looks at the number that a hash is.
_ANY_NUMBER = object()


def check_own_hash(key: object) -> None:
    """Let the program's own hash raise what it raises; which number it gives does not matter."""
    notes = current().notes
    before = notes.get(_ANY_NUMBER, False)
    notes[_ANY_NUMBER] = True
    try:
        _OWN_HASHES[type(key).__hash__](key)
    finally:
        notes[_ANY_NUMBER] = before


def any_number_will_do() -> bool:
    """Whether a hash is computed only for what it may raise."""
    return bool(current().notes.get(_ANY_NUMBER, False))


def behind(function: Value) -> Value:
    """What the program has defined as a hash, for what Python calls; anything else as it is."""
    return _OWN_HASHES.get(function, function) if type(function) is FunctionType else function


# --- the hashes of numbers and tuples -------------------------------------------------------------

_MODULUS = sys.hash_info.modulus
_ERROR, _INSTEAD = -1, hash(-1)

# The constants of the hash of a tuple, those of xxHash on words of 64 bits.
_FIRST, _SECOND, _FIFTH = 11400714785074694791, 14029467366897019727, 2870177450012600261
_ENDING, _NO_ERROR = 3527539, 1546275796


def hash_of_int(number: IntTerm) -> Integer:
    """`hash(number)`: the rest of a division by a prime, with the sign of the number."""
    low, high = bounds(number)
    if low is None or high is None or low <= -_MODULUS or high >= _MODULUS:
        rest: Integer = ite(number < 0, -(-number % _MODULUS), number % _MODULUS)
    else:
        rest = number
    return ite(eq(rest, _ERROR), _INSTEAD, rest)


@over_members_of("result")
def hash_from_method(result: Value) -> Value:
    """What `hash` makes of the result of a `__hash__`."""
    if isinstance(result, BoolTerm):
        return result.as_int()
    if type(result) is IntTerm:
        own = ite(eq(result, _ERROR), _INSTEAD, result)
        fitting = fits(result)
        return own if fitting is True else ite(fitting, own, hash_of_int(result))
    shown: Value = STANDS_FOR[type(result)]() if isinstance(result, Term) else result
    return hash(_Hashed(shown))


class _Hashed:
    """Something whose hash is computed from a known number."""

    def __init__(self, number: Value) -> None:
        self.number = number

    def __hash__(self) -> int:
        return self.number  # type: ignore[no-any-return]


def hashed_fields(value: Value) -> Sequence[Value] | None:
    """The values of which the hash is that of a tuple."""
    if type(value) is tuple:
        return value
    described = getattr(type(value), "__dataclass_fields__", None)
    if described is None or type(type(value).__hash__) is not FunctionType:
        return None
    fields = [f for f in described.values() if (f.compare if f.hash is None else f.hash)]
    return [getattr(value, field.name) for field in fields]


def hash_of_tuple(hashes: Sequence[Value]) -> Value:
    """The hash of a tuple of which the hashes are given, step by step as CPython computes it."""
    for place, found in enumerate(hashes):
        if type(found) is Union:
            before, after = hashes[:place], hashes[place + 1 :]
            return over(found, lambda member: hash_of_tuple([*before, member, *after]))  # noqa: B023
    _check_method()
    result: Bits = bv(_FIFTH, 64)
    for found in hashes:
        result = result + int_to_bv(found, 64) * bv(_SECOND, 64)
        result = (result << 31) | lshr(result, 33)
        result = result * bv(_FIRST, 64)
    result = result + bv(len(hashes) ^ (_FIFTH ^ _ENDING), 64)
    number = bv_to_int(result ^ (1 << 63)) - (1 << 63)
    return ite(eq(number, _ERROR), _NO_ERROR, number)


def _check_method() -> None:
    """Refuse where the running Python computes the hash of a tuple in another way."""
    numbers = (5, -3)
    result = _FIFTH
    for number in numbers:
        result = (result + number * _SECOND) % 2**64
        result = (result << 31 | result >> 33) % 2**64 * _FIRST % 2**64
    result = (result + (len(numbers) ^ (_FIFTH ^ _ENDING))) % 2**64
    if sys.hash_info.width != 64 or hash(numbers) % 2**64 != result:
        raise NotLiftedError(
            "the hash of a symbolic tuple is only lifted for CPython on machines of 64 bits; use "
            "the tuple itself as a key of a dict"
        )
