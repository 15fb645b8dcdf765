"""Operators on any values: concrete, symbolic, unions, containers, objects with operator methods.

The fast path is the first line of each: two values that Python or the terms handle by themselves.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import nan
from types import FunctionType
from typing import TYPE_CHECKING, NoReturn

from solvent.errors import NotLiftedError, SolventError
from solvent.lift import bitwise
from solvent.lift.calls import call
from solvent.lift.computed import computed
from solvent.lift.facts import bounds
from solvent.lift.messages import message, raised
from solvent.lift.powers import as_float, float_power, is_machine_number, power_by_values
from solvent.lift.quotients import exact_operands
from solvent.lift.registry import METHODS
from solvent.lift.spelling.choosing import both, is_same_text, same_texts
from solvent.lift.spelling.theory import as_string
from solvent.lift.survey import uses_state
from solvent.lift.templates import filled_in, filled_in_bytes
from solvent.lift.unlifted import Direct, is_concrete
from solvent.lift.values import sequences
from solvent.lift.values.protocol import equal, ordered, truth
from solvent.lift.words import check_float, check_quotient
from solvent.terms.arithmetic import ADD, MUL
from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import EQ, BoolTerm, ite, not_
from solvent.terms.booleans import and_ as and_terms
from solvent.terms.core import COMPILED
from solvent.terms.floats import FloatTerm, to_float
from solvent.terms.integers import IntTerm
from solvent.terms.reals import RealTerm, divide
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.terms.texts import BytesTerm, CodesTerm, TextTerm
from solvent.terms.values import BV
from solvent.vm.hidden import ELSEWHERE
from solvent.vm.kinds import STANDS_FOR, StandIn, python_type, type_name
from solvent.vm.machine import JOURNALING, current
from solvent.vm.spread import either, over, over_pure
from solvent.vm.twins import NATIVE, entered
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Value

Operator = Callable[[Value, Value], Value]

# Values on which arithmetic needs nothing from here.
NUMBERS = frozenset(
    (int, float, bool, Fraction, BV, IntTerm, BoolTerm, RealTerm, FloatTerm, BitVecTerm)
)
TEXTS = frozenset((str, StringTerm, TextTerm))
SPELLED = (frozenset((str, TextTerm)), frozenset((bytes, BytesTerm)))
PRIMITIVES = NUMBERS | TEXTS | {type(None), bytes, BytesTerm}


_TEXTUAL = (CodesTerm, str, bytes)
# Values of these are never equal to those of the others, and have no order with them.
_FAMILIES = {cls: family for family in (NUMBERS, TEXTS, SPELLED[1]) for cls in family}


def _are_unlike(a: Value, b: Value) -> bool:
    """Whether two values are of types that have nothing in common, such as a text and a number."""
    first, second = _FAMILIES.get(type(a)), _FAMILIES.get(type(b))
    return first is not second and first is not None and second is not None


def _spread(function: Operator, a: Value, b: Value) -> Value:
    """Apply an operator of which one operand is a union."""
    if type(a) is Union:
        return over(a, lambda member: function(member, b))
    return over(b, lambda member: function(a, member))


def _is_written(method: object) -> bool:
    """Whether an operator method was written in Python, by somebody else than the terms."""
    if type(method) is not FunctionType:
        return False
    return not (method.__module__ or "").startswith("solvent.terms")


def _stands_for_other(value: Value) -> bool:
    """Whether messages have to speak of another type than that of a value."""
    return isinstance(value, (Term, StandIn)) or type(value) in NATIVE


def natively(native: Operator, a: Value, b: Value) -> Value:
    """Python's own operator; its errors speak of the types that terms stand for."""
    cls = type(a)
    unlike = cls is not type(b) and _are_unlike(a, b)
    if unlike or (native is operator.mul and cls not in NUMBERS):
        _check_samples(native, a, b)
    try:
        return native(a, b)
    except TypeError as error:
        if isinstance(error, SolventError) or not (_stands_for_other(a) or _stands_for_other(b)):
            raise
        if isinstance(a, _TEXTUAL) or isinstance(b, _TEXTUAL):
            samples = [STANDS_FOR[type(v)]() if type(v) in STANDS_FOR else v for v in (a, b)]
            raise raised(native, *samples) from None
        symbol = _ORDER_SYMBOLS.get(native)
        if symbol is not None:
            raise TypeError(
                f"'{symbol}' not supported between instances of '{type_name(a)}' and "
                f"'{type_name(b)}'"
            ) from None
        message = str(error)
        head, found, _ = message.partition(": '")
        if found and head.startswith("unsupported operand"):
            message = f"{head}: '{type_name(a)}' and '{type_name(b)}'"
        for cls, shown in STANDS_FOR.items():
            message = message.replace(cls.__name__, shown.__name__)
        raise TypeError(message) from None


def _check_samples(native: Operator, a: Value, b: Value) -> None:
    """Raise what Python raises for operands of these types, of which some can be multiplied."""
    if isinstance(a, Term) or isinstance(b, Term):
        with suppress(ZeroDivisionError):
            native(*[STANDS_FOR[type(v)]() if type(v) in STANDS_FOR else v for v in (a, b)])


def _unwritten(native: Operator, a: Value, b: Value) -> Value:
    """An operator of C types, which may have a state that differs between paths."""
    stateful = (JOURNALING or ELSEWHERE) and (uses_state(type(a)) or uses_state(type(b)))
    if stateful and not isinstance(a, Term) and not isinstance(b, Term):
        return Direct(native)(a, b)
    return natively(native, a, b)


_ORDER_SYMBOLS = {operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">="}


def registered(cls: type, name: str) -> Callable[..., Value] | None:
    """The lifted operator method of a builtin container; terms have operators of their own."""
    if issubclass(cls, Term):
        return None
    for base in cls.__mro__[:-1]:
        found = METHODS.get(base, {}).get(name)
        if found is not None:
            return found
    return None


# Numbers whose operators know nothing but numbers, and what may be one of them.
_CLOSED = frozenset((int, float, bool, BV, IntTerm, BoolTerm, RealTerm, FloatTerm, BitVecTerm))
_NUMERIC = (int, float, complex, Fraction, BV, Term)


def _met(a: Value, b: Value) -> tuple[Value, Value]:
    """Two operands; where one is symbolic, what is of C becomes its twin."""
    if type(a) in NATIVE or type(b) in NATIVE or isinstance(a, Term) or isinstance(b, Term):
        if isinstance(a, RealTerm) or isinstance(b, RealTerm):
            return _as_real(a), _as_real(b)
        return entered(a), entered(b)
    return a, b


def _as_real(value: Value) -> Value:
    """A fraction with symbolic parts as what it is for a symbolic real number."""
    if NATIVE.get(type(value)) is not Fraction:
        return entered(value)
    return divide(value.numerator, value.denominator)


def by_method(a: Value, b: Value, native: Operator, name: str) -> Value:
    """A binary operator by Python's protocol, with the operator methods lifted."""
    a, b = _met(a, b)
    cls_a, cls_b = type(a), type(b)
    left = getattr(cls_a, f"__{name}__", None)
    right = getattr(cls_b, f"__r{name}__", None)
    if not _is_written(left) and not _is_written(right):
        for found, first, second in (
            (registered(cls_a, f"__{name}__"), a, b),
            (registered(cls_b, f"__r{name}__"), b, a),
        ):
            result = NotImplemented if found is None else found(first, second)
            if result is not NotImplemented:
                return result
        return _unwritten(native, a, b)
    order = [(left, a, b), (right, b, a)]
    if cls_a is cls_b:
        order.pop()
    elif cls_a in _CLOSED and not isinstance(b, _NUMERIC):
        del order[0]
    elif issubclass(cls_b, cls_a) and right is not getattr(cls_a, f"__r{name}__", None):
        order.reverse()
    steps = [
        (call(method) if _is_written(method) else method, first, second)
        for method, first, second in order
        if method is not None
    ]

    def fail() -> NoReturn:
        if {python_type(a), python_type(b)} == {Fraction, complex}:
            raise NotLiftedError("a symbolic Fraction with a complex number is not lifted")
        raise TypeError(
            f"unsupported operand type(s) for {SYMBOLS[name]}: '{type_name(a)}' and "
            f"'{type_name(b)}'"
        )

    return attempt(steps, fail)


def attempt(steps: list[tuple[Operator, Value, Value]], fail: Callable[[], Value]) -> Value:
    """Try operator methods in order, where one gives `NotImplemented` the next."""
    if not steps:
        return fail()
    (method, first, second), *rest = steps
    result = method(first, second)
    if result is NotImplemented:
        return attempt(rest, fail)
    if type(result) is Union and any(m is NotImplemented for _, m in choices_of(result)):
        return over(result, lambda m: attempt(rest, fail) if m is NotImplemented else m)
    return result


SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%",
    "pow": "** or pow()",
    "lshift": "<<", "rshift": ">>", "and": "&", "or": "|", "xor": "^", "matmul": "@",
}  # fmt: skip


_FLOATS = frozenset((float, FloatTerm))


def check_floats(a: Value, b: Value) -> None:
    """Raise `OverflowError` where an int is too large to be combined with a float."""
    if type(a) in _FLOATS and type(b) not in _FLOATS:
        check_float(b)
    elif type(b) in _FLOATS and type(a) not in _FLOATS:
        check_float(a)


def add(a: Value, b: Value) -> Value:
    """`a + b`."""
    cls_a, cls_b = type(a), type(b)
    if cls_a in NUMBERS and cls_b in NUMBERS:
        if cls_a in _FLOATS or cls_b in _FLOATS:
            check_floats(a, b)
            return computed(a + b)
        if cls_a is int and a == 0 and cls_b is IntTerm:
            return b
        if cls_b is int and b == 0 and cls_a is IntTerm:
            return a
        return a + b
    if cls_a is cls_b and (cls_a is tuple or cls_a is str):
        return a + b
    if cls_a is list and cls_b is list:
        return sequences.concatenate(a, b)
    if cls_a is tuple and cls_b is Union and all(type(m) is tuple for _, m in choices_of(b)):
        return over_pure(b, lambda member: a + member)
    if cls_b is tuple and cls_a is Union and all(type(m) is tuple for _, m in choices_of(a)):
        return over_pure(a, lambda member: member + b)
    if (cls_a in _SPELLED_OUT or cls_b in _SPELLED_OUT) and _are_spelled(a, b):
        return both(a, b)
    if cls_a is Union or cls_b is Union:
        return _spread(add, a, b)
    if cls_a in TEXTS and cls_b in TEXTS:
        return as_string(a) + as_string(b)
    return by_method(a, b, operator.add, "add")


if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import fast

    add = fast(add, ADD.construct)


_SPELLED_OUT = frozenset((Union, *(cls for classes in SPELLED for cls in classes)))


def _are_spelled(a: Value, b: Value) -> bool:
    """Whether two values are texts, or both bytes, or unions of such, that are spelled out."""
    found = {type(member) for value in (a, b) for _, member in choices_of(value)}
    return any(found <= classes for classes in SPELLED)


def mul(a: Value, b: Value) -> Value:
    """`a * b`."""
    cls_a, cls_b = type(a), type(b)
    if cls_a in NUMBERS and cls_b in NUMBERS:
        if cls_a in _FLOATS or cls_b in _FLOATS:
            check_floats(a, b)
            return computed(a * b)
        if cls_a is int and cls_b is IntTerm and -1 <= a <= 1:
            # As the rules say; programs with weights have many of these.
            return b if a == 1 else a and -b
        return a * b
    if cls_a is Union or cls_b is Union:
        return _spread(mul, a, b)
    if cls_a in sequences.SEQUENCES and cls_b in (IntTerm, BoolTerm, int, bool):
        return sequences.repeat(a, b)
    if cls_b in sequences.SEQUENCES and cls_a in (IntTerm, BoolTerm, int, bool):
        return sequences.repeat(b, a)
    return by_method(a, b, operator.mul, "mul")


if not TYPE_CHECKING and COMPILED:
    mul = fast(mul, MUL.construct)


def _plain(name: str, native: Operator) -> Operator:
    """An operator that containers do not have."""

    def apply(a: Value, b: Value) -> Value:
        if type(a) in NUMBERS and type(b) in NUMBERS:
            return native(a, b)
        if type(a) is Union or type(b) is Union:
            return _spread(apply, a, b)
        return by_method(a, b, native, name)

    return apply


def _set_operator(name: str, native: Operator, symbolic: Operator) -> Operator:
    """An operator that sets and dicts have too; on two symbolic ints it may need to know more."""

    def apply(a: Value, b: Value) -> Value:
        if type(a) in NUMBERS and type(b) in NUMBERS:
            if type(a) is IntTerm and type(b) is IntTerm:
                return symbolic(a, b)
            # Between truth values these are logical, between a truth value and an int bitwise.
            if type(a) is BoolTerm and type(b) in (int, IntTerm):
                return ite(a, native(1, b), native(0, b))
            if type(b) is BoolTerm and type(a) in (int, IntTerm):
                return ite(b, native(a, 1), native(a, 0))
            if type(a) in _FLOATS or type(b) in _FLOATS:
                check_floats(a, b)
                return computed(natively(native, a, b))
            return natively(native, a, b)
        if type(a) is Union or type(b) is Union:
            return _spread(apply, a, b)
        return by_method(a, b, native, name)

    return apply


matmul = _plain("matmul", operator.matmul)
sub = _set_operator("sub", operator.sub, operator.sub)
if not TYPE_CHECKING and COMPILED:
    sub = fast(sub, ADD.construct, "sub")

and_ = _set_operator("and", operator.and_, bitwise.conjunction)
or_ = _set_operator("or", operator.or_, bitwise.disjunction)
xor = _set_operator("xor", operator.xor, bitwise.difference)

_DIVISIONS: dict[str, Operator] = {
    "truediv": operator.truediv, "floordiv": operator.floordiv, "mod": operator.mod,
}  # fmt: skip
_ZERO = {name: message(native, 1, 0) for name, native in _DIVISIONS.items()}
_FLOAT_ZERO = {name: message(native, 1.0, 0.0) for name, native in _DIVISIONS.items()}
_SYMBOLIC = (IntTerm, BoolTerm, RealTerm, FloatTerm)
_INTS = frozenset((int, bool, IntTerm, BoolTerm))


def check_divisor(a: Value, b: Value, name: str) -> None:
    """Raise `ZeroDivisionError` where `b` is zero, as Python's numbers do."""
    if type(b) in (BV, BitVecTerm) or type(a) in (BV, BitVecTerm):
        return
    is_zero = b == 0
    if isinstance(a, (float, FloatTerm)) or isinstance(b, (float, FloatTerm)):
        text = _FLOAT_ZERO[name]
    elif name == "truediv" and not (type(a) in _INTS and type(b) in _INTS):
        # Which fraction it would be is told.
        over_it = _as_int(a)
        for sign, guard in ((1, over_it > 0), (-1, over_it < 0), (0, over_it == 0)):
            fault = raised(operator.truediv, Fraction(sign), Fraction(0))
            current().fail_if(and_terms(is_zero, guard), fault)
        return
    else:
        text = _ZERO[name]
    current().fail_if(is_zero, ZeroDivisionError(text))


def _as_floats(a: Value, b: Value) -> tuple[Value, Value]:
    """Two operands; a fraction beside a float becomes one, which may be zero where it was not."""
    if type(a) in _FLOATS and type(b) is RealTerm:
        return a, to_float(b)
    if type(b) in _FLOATS and type(a) is RealTerm:
        return to_float(a), b
    return a, b


def _division(name: str, native: Operator) -> Operator:
    def apply(a: Value, b: Value) -> Value:
        if type(a) in NUMBERS and type(b) in NUMBERS:
            if isinstance(a, _SYMBOLIC) or isinstance(b, _SYMBOLIC):
                check_floats(a, b)
                a, b = _as_floats(a, b)
                check_divisor(a, b, name)
                if name == "truediv" and type(a) in _INTS and type(b) in _INTS:
                    check_quotient(a, b)
                return computed(native(a, b))
            return native(a, b)
        if type(a) is Union or type(b) is Union:
            return _spread(apply, a, b)
        if name == "mod" and type(a) in _TEMPLATES:
            return _filled_in(a, b)
        return by_method(a, b, native, name)

    return apply


_TEMPLATES = frozenset((str, bytes, TextTerm, BytesTerm, StringTerm))


def _filled_in(template: Value, values: Value) -> Value:
    """`template % values`."""
    if type(template) is str:
        return filled_in(template, values)
    if type(template) is bytes:
        return filled_in_bytes(template, values)
    if is_concrete((template, values)):
        return template % values
    raise NotLiftedError(
        "`%` formatting with a symbolic template is not lifted; use an f-string, and `encode` for "
        "bytes"
    )


truediv = _division("truediv", operator.truediv)
floordiv = _division("floordiv", operator.floordiv)
mod = _division("mod", operator.mod)


def _as_int(value: Value) -> Value:
    """A truth value as an int."""
    if type(value) is BoolTerm:
        return value.as_int()
    return int(value) if type(value) is bool else value


def _shift(name: str, native: Operator, symbolic: Operator) -> Operator:
    def apply(a: Value, b: Value) -> Value:
        if type(a) in NUMBERS and type(b) in NUMBERS:
            if (type(a) is IntTerm or type(b) is IntTerm) and type(a) in _INTS and type(b) in _INTS:
                return symbolic(_as_int(a), _as_int(b))
            return natively(native, a, b)
        if type(a) is Union or type(b) is Union:
            return _spread(apply, a, b)
        return by_method(a, b, native, name)

    return apply


lshift = _shift("lshift", operator.lshift, bitwise.shifted_left)
rshift = _shift("rshift", operator.rshift, bitwise.shifted_right)


def _is_exact_power(a: Value, b: Value) -> bool:
    """Whether a power of a symbolic number is one that is not rounded."""
    if type(a) in (BV, BitVecTerm) or type(b) in (BV, BitVecTerm):
        return True
    return type(a) in (IntTerm, BoolTerm, RealTerm) and type(b) in (int, bool) and b >= 0


def power(a: Value, b: Value) -> Value:
    """`a ** b`."""
    if type(a) in NUMBERS and type(b) in NUMBERS:
        if isinstance(a, Term) or isinstance(b, Term):
            check_floats(a, b)
            return computed(_symbolic_power(a, b))
        return a**b
    if type(a) is Union or type(b) is Union:
        return _spread(power, a, b)
    return by_method(a, b, operator.pow, "pow")


def _symbolic_power(a: Value, b: Value) -> Value:
    if _is_exact_power(a, b):
        return a**b
    whole = type(a) in _INTS and type(b) in _INTS
    if whole and isinstance(b, Term) and not (isinstance(a, Term) and _may_be_negative(b)):
        return bitwise.power(_as_int(a), _as_int(b))
    if not is_machine_number(a) or not is_machine_number(b):
        raise NotLiftedError(
            f"`**` of a {type_name(a)} and a {type_name(b)}, one of them symbolic, is not lifted; "
            "multiply instead"
        )
    if type(b) in (int, float) and b in (0, 1):
        return 1.0 if b == 0 else as_float(a)
    found = power_by_values(a, b, power)
    if found is not None:
        return found
    if whole and isinstance(b, Term):
        return bitwise.power(_as_int(a), _as_int(b))
    return float_power(a, b)


def _may_be_negative(exponent: Value) -> bool:
    low, _ = bounds(_as_int(exponent))
    return low is None or low < 0


def _unary(name: str, native: Callable[[Value], Value]) -> Callable[[Value], Value]:
    def apply(a: Value) -> Value:
        if type(a) in NUMBERS:
            if type(a) is BoolTerm and name == "invert":
                return ~a.as_int()
            # `+x` is the same object.
            return computed(native(a)) if type(a) is FloatTerm and name == "neg" else native(a)
        if type(a) is Union:
            return over(a, apply)
        method = getattr(type(a), f"__{name}__", None)
        if type(method) is FunctionType:
            return call(method)(a)
        if (JOURNALING or ELSEWHERE) and uses_state(type(a)):
            return Direct(native)(a)
        return native(a)

    return apply


neg = _unary("neg", operator.neg)
pos = _unary("pos", operator.pos)
invert = _unary("invert", operator.invert)


def in_place(name: str, ordinary: Operator) -> Operator:
    """The in-place version of an operator."""
    symbol = SYMBOLS[name].split()[0]

    def otherwise(a: Value, b: Value) -> Value:
        """The ordinary operator, with the in-place one in messages."""
        try:
            return ordinary(a, b)
        except TypeError as error:
            text = str(error)
            if isinstance(error, SolventError) or f" for {symbol}" not in text:
                raise
            head, tail = text.split(": ", 1)
            raise TypeError(f"{head.split(' for ')[0]} for {symbol}=: {tail}") from None

    def apply(a: Value, b: Value) -> Value:
        cls = type(a)
        if type(b) is Union:
            return over(b, lambda member: apply(a, member))
        if cls in PRIMITIVES or cls is tuple:
            return otherwise(a, b)
        if cls is Union:
            return over(a, lambda member: apply(member, b))
        method = getattr(cls, f"__i{name}__", None)
        if method is not None:
            result = call(method)(a, b)
            if result is not NotImplemented:
                return result
        return otherwise(a, b)

    if not TYPE_CHECKING and COMPILED:
        return fast(apply, None, "in_place", ordinary)
    return apply


# --- comparisons ----------------------------------------------------------------------------------


def eq(a: Value, b: Value) -> Value:
    """`a == b`."""
    cls_a, cls_b = type(a), type(b)
    if cls_a is IntTerm and (cls_b is int or cls_b is IntTerm):
        return a == b
    if cls_a in PRIMITIVES and cls_b in PRIMITIVES:
        if cls_a is not cls_b and _are_unlike(a, b):
            return False
        if (cls_a is TextTerm or cls_b is TextTerm) and cls_a in TEXTS and cls_b in TEXTS:
            if cls_a is StringTerm or cls_b is StringTerm:
                return as_string(a) == as_string(b)
            return is_same_text(a, b)
        return a == b
    if (cls_a is Union or cls_b is Union) and _are_spelled(a, b):
        return same_texts(a, b)
    if cls_a is Union:
        return over(a, lambda member: eq(member, b))
    if cls_b is Union:
        return over(b, lambda member: eq(a, member))
    result = equal(a, b)
    if result is not NotImplemented:
        return result
    return compare_by_method(a, b, "eq", "eq", operator.eq)


if not TYPE_CHECKING and COMPILED:
    eq = fast(eq, EQ.construct, "equal")


def ne(a: Value, b: Value) -> Value:
    """`a != b`."""
    cls_a, cls_b = type(a), type(b)
    if cls_a in PRIMITIVES and cls_b in PRIMITIVES:
        if cls_a is not cls_b and _are_unlike(a, b):
            return True
        return not_(eq(a, b)) if TextTerm in (cls_a, cls_b) else a != b
    if (cls_a is Union or cls_b is Union) and _are_spelled(a, b):
        return not_(same_texts(a, b))
    if cls_a is Union:
        return over(a, lambda member: ne(member, b))
    if cls_b is Union:
        return over(b, lambda member: ne(a, member))
    result = equal(a, b)
    if result is not NotImplemented:
        return not_(result)
    if _is_written(getattr(cls_a, "__ne__", None)):
        return compare_by_method(a, b, "ne", "ne", operator.ne)
    return not_(truth(eq(a, b)))


def compare_by_method(a: Value, b: Value, name: str, mirrored: str, native: Operator) -> Value:
    """A comparison by Python's protocol, with the methods lifted."""
    a, b = _met(a, b)
    cls_a, cls_b = type(a), type(b)
    left = getattr(cls_a, f"__{name}__", None)
    right = getattr(cls_b, f"__{mirrored}__", None)
    if not _is_written(left) and not _is_written(right):
        return _unwritten(native, a, b)
    order = [(left, a, b), (right, b, a)]
    if cls_a is not cls_b and issubclass(cls_b, cls_a):
        order.reverse()
    steps = [
        (_comparison(method), first, second)
        for method, first, second in order
        if method is not None
    ]

    def fail() -> Value:
        if name in ("eq", "ne"):
            return (a is b) is (name == "eq")
        symbol = _ORDER_SYMBOLS[native]
        raise TypeError(
            f"'{symbol}' not supported between instances of '{type_name(a)}' and '{type_name(b)}'"
        )

    return attempt(steps, fail)


def _comparison(method: Operator) -> Operator:
    """What to call for a comparison method."""
    if type(method) is FunctionType and _is_generated(method):
        return lambda a, b: _compare_records(method.__name__, a, b)
    return call(method) if _is_written(method) else method


def _order(name: str, mirrored: str, native: Operator) -> Operator:
    def apply(a: Value, b: Value) -> Value:
        cls_a, cls_b = type(a), type(b)
        if cls_a in NUMBERS and cls_b in NUMBERS:
            if cls_a is FloatTerm or cls_b is FloatTerm:
                a, b = exact_operands(a, b)
            return native(a, b)
        if cls_a in PRIMITIVES and cls_b in PRIMITIVES:
            if StringTerm in (cls_a, cls_b):
                a, b = as_string(a), as_string(b)
            return natively(native, a, b)
        if cls_a is Union:
            return over(a, lambda member: apply(member, b))
        if cls_b is Union:
            return over(b, lambda member: apply(a, member))
        result = ordered(a, b, name)
        if result is not NotImplemented:
            return result
        return compare_by_method(a, b, name, mirrored, native)

    return apply


lt = _order("lt", "gt", operator.lt)
le = _order("le", "ge", operator.le)
gt = _order("gt", "lt", operator.gt)
ge = _order("ge", "le", operator.ge)


# --- records --------------------------------------------------------------------------------------


def _is_generated(method: FunctionType) -> bool:
    """Whether a comparison method was written by `dataclasses`."""
    return (
        method.__code__.co_filename == "<string>" and "__create_fn__" in method.__code__.co_qualname
    )


@dataclass
class _Sample:
    field: float


# Whether Python compares the fields of records one by one, and not as tuples: then NaN in a field
# is not equal to itself.
_ONE_BY_ONE = _Sample(nan) != _Sample(nan)


def _compare_records(name: str, a: Value, b: Value) -> Value:
    """What the comparison method that `dataclasses` writes does."""
    name = name.strip("_")
    if type(a) is not type(b):
        return NotImplemented
    fields = [f.name for f in a.__dataclass_fields__.values() if f.compare]
    if name == "eq" and _ONE_BY_ONE:
        return True if a is b else _fields_equal(a, b, fields)
    first = tuple([getattr(a, field) for field in fields])
    second = tuple([getattr(b, field) for field in fields])
    return COMPARISONS[name](first, second)


def _fields_equal(a: Value, b: Value, fields: list[str]) -> Value:
    """`a.first == b.first and ...`: a method of a field is called only if it is reached."""
    if not fields:
        return True
    name, *others = fields
    found = eq(getattr(a, name), getattr(b, name))
    guard = truth(found)
    if guard is False or not others:
        return found
    if all(type(getattr(each, other)) in PRIMITIVES for other in others for each in (a, b)):
        return and_terms(guard, _fields_equal(a, b, others))
    return either(guard, lambda: _fields_equal(a, b, others), lambda: found)


# Comparisons by the names of their methods.
COMPARISONS: dict[str, Operator] = {"eq": eq, "ne": ne, "lt": lt, "le": le, "gt": gt, "ge": ge}
