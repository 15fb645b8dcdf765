"""Numbers, concrete and symbolic: truth, what they cannot do, and the methods of symbolic ones."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Generic, NoReturn, TypeVar

from solvent.errors import NotLiftedError
from solvent.lift.facts import WORD, asked_bounds
from solvent.lift.messages import raised
from solvent.lift.registry import METHODS, lifts_method
from solvent.lift.spelling import numerals
from solvent.lift.spelling.formats import PLAIN, spelled_float
from solvent.lift.spelling.read_back import remember
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import Evaluation, Texts, behaves
from solvent.terms import int_to_str, is_finite, is_int, round_to_integral
from solvent.terms.arrays import ArrayTerm
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import BoolTerm, and_, ite
from solvent.terms.floats import FloatTerm
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Integer
from solvent.terms.reals import RealTerm
from solvent.terms.strings import str_concat
from solvent.terms.term import Term
from solvent.terms.values import ArrayValue
from solvent.vm.kinds import STANDS_FOR, type_name
from solvent.vm.machine import current
from solvent.vm.merge import merge
from solvent.vm.spread import over_members_of
from solvent.vm.values import Guard, Value

Number = IntTerm | BoolTerm | RealTerm | FloatTerm | BitVecTerm

TermT = TypeVar("TermT", bound=Term)
NumberT = TypeVar("NumberT", bound=Number)


class Terms(Objects, Generic[TermT]):
    """What symbolic values do that are no numbers."""

    def truth(self, value: TermT) -> Guard:
        raise NotLiftedError(f"a value of sort {value.sort} has no truth value")

    def length(self, value: TermT) -> Integer:
        raise TypeError(f"object of type '{type_name(value)}' has no len()")

    def contains(self, container: TermT, item: Value) -> Guard:
        if type(container) not in STANDS_FOR:
            return super().contains(container, item)
        raise raised(operator.contains, STANDS_FOR[type(container)](), None)

    def iterate(self, value: TermT) -> Iterable[Value]:
        raise TypeError(f"'{type_name(value)}' object is not iterable")

    def iterator(self, value: TermT) -> Value:
        raise TypeError(f"'{type_name(value)}' object is not iterable")

    def items(self, value: TermT) -> Iterable[Value]:
        raise TypeError(f"'{type_name(value)}' object is not iterable")

    def is_lazy(self, cls: type) -> bool:
        return False

    def parts(self, value: TermT) -> Iterable[Value]:
        return ()

    def shown(self, value: TermT, texts: Texts) -> Value:
        raise NotLiftedError(
            f"the text of a symbolic value of sort {value.sort} is not lifted; format it after the "
            "run"
        )

    def under(self, value: TermT, evaluate: Evaluation) -> Value:
        return evaluate.term(value)


class Numbers(Terms[NumberT]):
    """What symbolic numbers do."""

    def truth(self, value: Number) -> Guard:
        return value != 0


class Integers(Numbers[IntTerm]):
    """What symbolic ints do."""

    def shown(self, value: IntTerm, texts: Texts) -> Value:
        found = numerals.decimal(value)
        if found is not None:
            return found
        return ite(value >= 0, int_to_str(value), str_concat("-", int_to_str(-value)))


class Floats(Numbers[FloatTerm]):
    """What symbolic floats do."""

    def shown(self, value: FloatTerm, texts: Texts) -> Value:
        written = spelled_float(value, PLAIN)
        remember(value, written)
        return written


class Booleans(Numbers[BoolTerm]):
    """What symbolic truth values do."""

    def shown(self, value: BoolTerm, texts: Texts) -> Value:
        return merge(value, "True", "False")


class Arrays(Terms[ArrayTerm]):
    """What arrays do, symbolic and concrete ones."""

    @over_members_of("key")
    def get_item(self, owner: ArrayTerm | ArrayValue, key: Value) -> Value:
        return owner[key]


class Atoms(Objects):
    """What plain data does that holds nothing."""

    def contains(self, container: Value, item: Value) -> Guard:
        if hasattr(type(container), "__contains__"):
            return super().contains(container, item)
        raise raised(operator.contains, container, None)

    def parts(self, value: Value) -> Iterable[Value]:
        return ()

    def under(self, value: Value, evaluate: Evaluation) -> Value:
        return value


behaves(Terms(), Term)
behaves(Numbers(), RealTerm, BitVecTerm)
behaves(Floats(), FloatTerm)
behaves(Integers(), IntTerm)
behaves(Booleans(), BoolTerm)
behaves(Arrays(), ArrayTerm, ArrayValue)
behaves(Atoms(), int, float, complex, bool, type(None))


# --- methods --------------------------------------------------------------------------------------


def whole(value: IntTerm | BoolTerm) -> IntTerm:
    """A symbolic int for a symbolic int or bool."""
    return value.as_int() if isinstance(value, BoolTerm) else value


def width_of(value: IntTerm | BoolTerm, what: str) -> int:
    """A number of bits that the absolute value fits in; a solver is asked if need be."""
    if isinstance(value, BoolTerm):
        return 1
    low, high = asked_bounds(value)
    if low is not None and high is not None:
        return max(1, low.bit_length(), high.bit_length())
    error = NotLiftedError(
        f"{what} of a symbolic int without a bound is only lifted up to {WORD} bits; "
        "assume a bound on it, or use `x % 2**n`"
    )
    current().end_unknown(abs(value) >= 1 << WORD, error)
    return WORD


@lifts_method(IntTerm, BoolTerm)
def bit_length(value: IntTerm | BoolTerm, /) -> Integer:
    """`value.bit_length()`."""
    width = width_of(value, "`bit_length`")
    size = abs(whole(value))
    result: Integer = 0
    for bit in range(width):
        result = ite(size >= 1 << bit, bit + 1, result)
    return result


@lifts_method(IntTerm, BoolTerm)
def bit_count(value: IntTerm | BoolTerm, /) -> Integer:
    """`value.bit_count()`."""
    width = width_of(value, "`bit_count`")
    size = abs(whole(value))
    result: Integer = 0
    for bit in range(width):
        result = result + (size // (1 << bit)) % 2
    return result


@lifts_method(IntTerm, BoolTerm)
def as_integer_ratio(value: IntTerm | BoolTerm, /) -> tuple[IntTerm, int]:
    """`value.as_integer_ratio()` of an int."""
    return whole(value), 1


@lifts_method(IntTerm, BoolTerm, RealTerm, FloatTerm)
def conjugate(value: Value, /) -> Value:
    """`value.conjugate()`."""
    return whole(value)


@lifts_method(*(cls for cls in (RealTerm, FloatTerm) if hasattr(STANDS_FOR[cls], "is_integer")))
def is_integer(value: RealTerm | FloatTerm, /) -> Guard:
    """`value.is_integer()`, which a `Fraction` has since Python 3.12."""
    if type(value) is RealTerm:
        return is_int(value)
    return and_(is_finite(value), round_to_integral(value) == value)


def _refused(cls: type[Term], name: str, instead: str) -> None:
    def method(value: Value, *arguments: Value, **named: Value) -> NoReturn:
        raise NotLiftedError(f"`{name}` of a symbolic number is not lifted; {instead}")

    if name not in METHODS.setdefault(cls, {}):
        lifts_method(cls, name=name)(method)


_refused(RealTerm, "as_integer_ratio", "compare its value")
_refused(FloatTerm, "as_integer_ratio", "use a Real")
_refused(FloatTerm, "hex", "format it after the run")
