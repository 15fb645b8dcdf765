"""What ties `decimal` in Python to `decimal` in C: the context of the program, and its exceptions.

This is run in the module that has run the Python code of the standard library already.  The flags
of the program's context are not set by computations with symbolic numbers.
"""

# ruff: noqa: F821
# mypy: disable-error-code="name-defined, no-untyped-def, no-untyped-call"
from __future__ import annotations

import decimal as _native
from typing import Any

from solvent.lift.messages import raised as _raised
from solvent.lift.twins import scaled as _scaled
from solvent.lift.twins.remembering import decimal_context as _decimal_context
from solvent.lift.twins.remembering import for_known as _each
from solvent.lift.twins.remembering import plainly as _plainly

# What the code of the standard library has defined.
Context: Any
Decimal: Any
ROUND_FLOOR: Any
_WorkRep: Any
_condition_map: Any
_convert_other: Any
_signals: Any

# Exceptions here say what a result is; those that are raised are the program's.
__keep__ = (
    "DecimalException", "Clamped", "InvalidOperation", "DivisionByZero", "Inexact", "Rounded",
    "Subnormal", "Overflow", "Underflow", "FloatOperation", "ConversionSyntax",
    "DivisionImpossible", "DivisionUndefined", "InvalidContext",
)  # fmt: skip


def getcontext():
    """The context of the program, as one of this module."""
    settings, traps = _decimal_context()
    known = [signal for signal in _signals if signal.__name__ in traps]
    return _plainly(Context, **settings, flags=[], traps=known)


_make_by_python = Context.__init__


def _known(signals):
    """Signals of this module that have the names of some, which may be the program's."""
    if signals is None or isinstance(signals, dict):
        return signals
    names = [signal.__name__ for signal in signals]
    return [signal for signal in _signals if signal.__name__ in names]


def _make_context(
    self, prec=None, rounding=None, Emin=None, Emax=None, capitals=None, clamp=None, flags=None,
    traps=None, _ignored_flags=None,
):  # fmt: skip
    _make_by_python(
        self, prec, rounding, Emin, Emax, capitals, clamp, _known(flags), _known(traps),
        _ignored_flags,
    )  # fmt: skip


def _reason(operation, *arguments):
    """What C gives as the reason where an operation fails."""
    with _native.localcontext(_native.Context()):
        return _raised(operation, *arguments).args


_REASONS = {
    "ConversionSyntax": _reason(_native.Decimal, "x"),
    "DivisionByZero": _reason(lambda: _native.Decimal(1) / 0),
    "DivisionImpossible": _reason(lambda: _native.Decimal("1e999") // 1),
    "DivisionUndefined": _reason(lambda: _native.Decimal(0) / 0),
    "InvalidOperation": _reason(lambda: _native.Decimal("sNaN") + 1),
}


def _raise_error(self, condition, explanation=None, *args):
    error = _condition_map.get(condition, condition)
    if error in self._ignored_flags:
        return error().handle(self, *args)
    self.flags[error] = 1
    if not self.traps[error]:
        return condition().handle(self, *args)
    native = getattr(_native, error.__name__)
    raise native(*_REASONS.get(condition.__name__, ([native],)))


def _dec_from_triple(sign, coefficient, exponent, special=False):
    """A number for each length of its digits and each exponent, which are known then."""
    return _each(
        exponent,
        lambda known: _each(coefficient, lambda digits: _made(sign, digits, known, special)),
    )


def _made(sign, coefficient, exponent, special):
    return _scaled.made(Decimal, sign, coefficient, exponent, special)


_new_by_python = Decimal.__new__


def _new_decimal(cls, value="0", context=None):
    if isinstance(value, int):
        if value < 0:
            return _dec_from_triple(1, str(-value), 0)
        return _dec_from_triple(0, str(value), 0)
    if type(value) is Decimal:
        return value
    if isinstance(value, _WorkRep):
        return _dec_from_triple(value.sign, str(value.int), value.exp)
    return _new_by_python(cls, value, context)


# --- sums, products and order of numbers whose exponents are known --------------------------------

_add_by_python = Decimal.__add__
_subtract_by_python = Decimal.__sub__
_multiply_by_python = Decimal.__mul__
_compare_by_python = Decimal._cmp
_fix_by_python = Decimal._fix

# Exponents that differ by more than this are compared by the digits.
_FAR = 64


# Numbers merge that have the same exponent and as many digits.
__apart__ = {"Decimal": _scaled.shape}


def _are_settled(a, b):
    return b is not NotImplemented and _scaled.is_settled(a) and _scaled.is_settled(b)


def _is_in_range(exponent, size, context):
    """Whether numbers of so many digits with an exponent are what they are in a context."""
    return size <= context.prec and context.Emin <= exponent <= context.Etop()


def _is_quiet(context):
    """Whether nobody wants to know that a result was rounded."""
    traps = [signal.__name__ for signal, trapped in context.traps.items() if trapped]
    return "Inexact" not in traps and "Rounded" not in traps


def _fix(self, context):
    if not _scaled.is_settled(self):
        return _fix_by_python(self, context)
    size, precision = len(self._int), context.prec
    if _is_in_range(self._exp, size, context):
        return self
    exponent = self._exp + size - precision
    # One more, if it is rounded up to a power of ten.
    fits = context.Emin <= exponent < context.Etop()
    if size > precision and fits and _is_quiet(context):
        return _scaled.rounded(self, size - precision, precision, context.rounding)
    return _fix_by_python(self, context)


# Exact results of more digits are left to the code of the standard library.
_LONGEST = 40


def _may_be_rounded(exponent, size, context):
    """Whether an exact result of so many digits can be computed, and rounded where it is long."""
    return size <= _LONGEST and context.Emin <= exponent <= context.Etop()


def _rounded(number, context):
    return _each(number, lambda known: _fix(known, context))


def _add(self, other, context=None):
    return _each(_convert_other(other), lambda known: _sum(self, known, context))


def _sum(self, other, context):
    if not _are_settled(self, other):
        return _add_by_python(self, other, context)
    context = getcontext() if context is None else context
    exponent = min(self._exp, other._exp)
    places, others = self._exp - exponent, other._exp - exponent
    size = max(len(self._int) + places, len(other._int) + others) + 1
    if not _may_be_rounded(exponent, size, context):
        return _add_by_python(self, other, context)
    number = _scaled.scaled(self, places) + _scaled.scaled(other, others)
    signs = _scaled.either_sign if context.rounding == ROUND_FLOOR else _scaled.both_signs
    sign = _scaled.sign_of(number, signs(self._sign, other._sign))
    return _rounded(_scaled.spelled(Decimal, number, sign, exponent, size), context)


def _subtract(self, other, context=None):
    return _each(_convert_other(other), lambda known: _difference(self, known, context))


def _difference(self, other, context):
    if not _are_settled(self, other):
        return _subtract_by_python(self, other, context)
    return _sum(self, _scaled.negated(other), context)


def _multiply(self, other, context=None):
    return _each(_convert_other(other), lambda known: _product(self, known, context))


def _product(self, other, context):
    if not _are_settled(self, other):
        return _multiply_by_python(self, other, context)
    context = getcontext() if context is None else context
    exponent, size = self._exp + other._exp, len(self._int) + len(other._int)
    if not _may_be_rounded(exponent, size, context):
        return _multiply_by_python(self, other, context)
    number = _scaled.scaled(self, 0) * _scaled.scaled(other, 0)
    sign = _scaled.different_signs(self._sign, other._sign)
    return _rounded(_scaled.spelled(Decimal, number, sign, exponent, size), context)


def _cmp(self, other):
    if not _are_settled(self, other) or abs(self._exp - other._exp) > _FAR:
        return _compare_by_python(self, other)
    exponent = min(self._exp, other._exp)
    return _scaled.order(
        _scaled.scaled(self, self._exp - exponent), _scaled.scaled(other, other._exp - exponent)
    )


_work_by_python = _WorkRep.__init__


def _work(self, value=None):
    """The int of a settled number is known, and need not be read from its digits."""
    if type(value) is Decimal and _scaled.is_settled(value):
        self.sign, self.int, self.exp = value._sign, abs(_scaled.scaled(value, 0)), value._exp
    else:
        _work_by_python(self, value)


_WorkRep.__init__ = _work
Context.__init__ = _make_context
Context._raise_error = _raise_error
Decimal.__new__ = _new_decimal
Decimal.__add__ = Decimal.__radd__ = _add
Decimal.__sub__ = _subtract
Decimal.__mul__ = Decimal.__rmul__ = _multiply
Decimal._cmp = _cmp
Decimal._fix = _fix
