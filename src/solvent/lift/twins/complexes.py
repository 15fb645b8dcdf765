"""Complex numbers of which a part is symbolic: two floats, with the steps that CPython computes.

C takes every int and float for a complex number with the imaginary part 0.0 first, which shows in
the signs of zeros and where parts are infinite.  Whether the running Python does these very steps
is asked when this is loaded: another one, or a compiler that joins a product and a sum into one
rounding, computes something else, and then the operators are not lifted.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"
from __future__ import annotations

from builtins import complex as _native

from solvent.lift.twins.refusing import refuse as _refuse
from solvent.lift.twins.refusing import unknown as _unknown
from solvent.lift.twins.remembering import divided as _divided
from solvent.lift.twins.remembering import is_small_int as _is_small

_INFINITE = float("inf")


# --- the steps, on pairs of floats ----------------------------------------------------------------


def _sum(a, b):
    return a[0] + b[0], a[1] + b[1]


def _difference(a, b):
    return a[0] - b[0], a[1] - b[1]


def _product(a, b):
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _quotient(a, b):
    """The quotient by a number that is not 0; parts that are NaN are in no order."""
    real, imag = abs(b[0]), abs(b[1])
    if real >= imag:
        ratio = _divided(b[1], b[0])
        below = b[0] + b[1] * ratio
        return _divided(a[0] + a[1] * ratio, below), _divided(a[1] - a[0] * ratio, below)
    if imag >= real:
        ratio = _divided(b[0], b[1])
        below = b[0] * ratio + b[1]
        return _divided(a[0] * ratio + a[1], below), _divided(a[1] * ratio - a[0], below)
    return _INFINITE - _INFINITE, _INFINITE - _INFINITE


def _power(a, exponent):
    """A power by an int from 0 to 100, by squaring."""
    result, mask = (1.0, 0.0), 1
    while exponent >= mask:
        if exponent & mask:
            result = _product(result, a)
        mask <<= 1
        a = _product(a, a)
    return result


# --- whether the running Python takes them --------------------------------------------------------

_SAMPLES = [
    (0.1, 0.1), (0.0, -0.0), (-0.0, 1.0), (_INFINITE, 1.0), (-2.0, _INFINITE), (3e200, -0.3),
    (_INFINITE - _INFINITE, 0.0),
]  # fmt: skip


def _is_as_computed(computed, found):
    return repr(_native(*computed)) == repr(found)


def _agrees():
    """Whether samples of all operators are computed in these steps."""
    for a in _SAMPLES:
        left, real = _native(*a), (a[0], 0.0)
        if not _is_as_computed(_power((0.1, a[0] % 2.0), 3), _native(0.1, a[0] % 2.0) ** 3):
            return False
        for b in _SAMPLES:
            right = _native(*b)
            if not (
                _is_as_computed(_sum(a, b), left + right)
                and _is_as_computed(_difference(real, b), a[0] - right)
                and _is_as_computed(_product(a, b), left * right)
                and _is_as_computed(_product(real, b), a[0] * right)
                and (right == 0 or _is_as_computed(_quotient(a, b), left / right))
            ):
                return False
    return True


_AGREES = _agrees()


# --- the class ------------------------------------------------------------------------------------


def _made(parts):
    result = object.__new__(complex)
    result._real, result._imag = parts
    return result


def _parts(value):
    """The parts of a number, or None for what C does not take for one."""
    if isinstance(value, complex):
        return value._real, value._imag
    return (float(value), 0.0) if isinstance(value, (int, float)) else None


def _computed(steps, a, b):
    """What an operator gives for two numbers, or `NotImplemented`."""
    first, second = _parts(a), _parts(b)
    if first is None or second is None:
        return NotImplemented
    if not _AGREES:
        _refuse(
            "arithmetic of symbolic complex numbers is not lifted for this Python, which computes "
            "it in other steps; compute with the parts"
        )
    if steps is _quotient and second[0] == 0 and second[1] == 0:
        raise ZeroDivisionError("complex division by zero")
    return _made(steps(first, second))


_MISSING = object()


class complex:
    """A complex number."""

    __slots__ = ("_imag", "_real")

    def __new__(cls, real=0, imag=_MISSING):
        first = _parts(real)
        second = (0.0, 0.0) if imag is _MISSING else _parts(imag)
        if first is None or second is None:
            _refuse(
                "`complex` of something symbolic together with what is no int, float or complex is "
                "not lifted; convert it first"
            )
        # What is no complex number leaves the other part as it is, also the sign of its zero.
        whole, rest = first[0], second[0]
        if isinstance(imag, complex):
            whole -= second[1]
        if imag is _MISSING:
            rest = first[1]
        elif isinstance(real, complex):
            rest += first[1]
        return _made((whole, rest))

    @property
    def real(self):
        return self._real

    @real.setter
    def real(self, value):
        raise AttributeError("readonly attribute")

    @property
    def imag(self):
        return self._imag

    @imag.setter
    def imag(self, value):
        raise AttributeError("readonly attribute")

    def conjugate(self):
        return _made((self._real, -self._imag))

    def __complex__(self):
        return self

    def __getnewargs__(self):
        return self._real, self._imag

    def __reduce_ex__(self, protocol):
        return complex, (self._real, self._imag)

    def __bool__(self):
        return self._real != 0 or self._imag != 0

    def __eq__(self, other):
        if isinstance(other, complex):
            return self._real == other._real and self._imag == other._imag
        if isinstance(other, (int, float)):
            return self._imag == 0 and self._real == other
        return NotImplemented

    def __neg__(self):
        return _made((-self._real, -self._imag))

    def __pos__(self):
        return self

    def __abs__(self):
        """What the C library computes is known where it does not round."""
        real, imag = abs(self._real), abs(self._imag)
        if real == _INFINITE or imag == _INFINITE:
            return _INFINITE
        if real == 0 or imag == 0 or real != real or imag != imag:
            return real + imag
        _unknown(
            "`abs` of a symbolic complex number neither of whose parts is 0 is not lifted; compare "
            "the sum of the squares of its parts"
        )

    def __add__(self, other):
        return _computed(_sum, self, other)

    def __radd__(self, other):
        return _computed(_sum, other, self)

    def __sub__(self, other):
        return _computed(_difference, self, other)

    def __rsub__(self, other):
        return _computed(_difference, other, self)

    def __mul__(self, other):
        return _computed(_product, self, other)

    def __rmul__(self, other):
        return _computed(_product, other, self)

    def __truediv__(self, other):
        return _computed(_quotient, self, other)

    def __rtruediv__(self, other):
        return _computed(_quotient, other, self)

    def __pow__(self, other, modulus=None):
        if modulus is not None:
            raise ValueError("complex modulo")
        if _parts(other) is None:
            return NotImplemented
        if not _AGREES or not _is_small(other):
            _refuse(
                "`**` of a symbolic complex number is only lifted for known exponents, ints "
                "from 0 to 100; multiply instead"
            )
        parts = _power((self._real, self._imag), other)
        if abs(parts[0]) == _INFINITE or abs(parts[1]) == _INFINITE:
            raise OverflowError("complex exponentiation")
        return _made(parts)

    def __rpow__(self, other):
        if _parts(other) is None:
            return NotImplemented
        _refuse("`**` with a symbolic complex exponent is not lifted; multiply instead")

    def __repr__(self):
        _refuse("the text of a symbolic complex number is not lifted; show its parts")

    def __format__(self, specification):
        _refuse("the text of a symbolic complex number is not lifted; show its parts")
