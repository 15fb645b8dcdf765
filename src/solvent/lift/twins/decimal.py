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
from solvent.lift.twins.remembering import decimal_context as _decimal_context
from solvent.lift.twins.remembering import for_known as _each

# What the code of the standard library has defined.
Context: Any
Decimal: Any
_condition_map: Any
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
    return Context(
        **settings, flags=[], traps=[signal for signal in _signals if signal.__name__ in traps]
    )


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
    self = object.__new__(Decimal)
    self._sign = sign
    self._int = coefficient
    self._exp = exponent
    self._is_special = special
    return self


_new_by_python = Decimal.__new__


def _new_decimal(cls, value="0", context=None):
    if isinstance(value, int):
        if value < 0:
            return _dec_from_triple(1, str(-value), 0)
        return _dec_from_triple(0, str(value), 0)
    return _new_by_python(cls, value, context)


Context._raise_error = _raise_error
Decimal.__new__ = _new_decimal
