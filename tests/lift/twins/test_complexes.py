"""Complex numbers with symbolic parts, against CPython on floats of all kinds."""

from __future__ import annotations

import cmath
import numbers
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Float, Int, verify
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.twins.loading import made_twin, with_fields
from solvent.queries.spelling import spelled
from solvent.terms.term import Term
from tests.lift.differential import agree

INFINITE = float("inf")
PARTS = [0.0, -0.0, 1.5, INFINITE, float("nan")]
FEWER = [-0.0, 0.1, -INFINITE]


def number(real: Any, imag: Any) -> Any:
    """A complex number of given parts, symbolic ones too."""
    is_known = not isinstance(real, Term) and not isinstance(imag, Term)
    return complex(real, imag) if is_known else with_fields(0j, real=real, imag=imag)


def one(real: Any, imag: Any) -> tuple[Any, ...]:
    return (number(real, imag),)


def two(a: Any, b: Any, c: Any, d: Any) -> tuple[Any, ...]:
    return number(a, b), number(c, d)


def arithmetic(z: complex, w: complex) -> Any:
    return z + w, z - w, z * w, z == w, z != w


def quotient(z: complex, w: complex) -> Any:
    return z / w


@pytest.mark.parametrize("function", [arithmetic, quotient])
def test_two_numbers(function: Callable[..., Any]) -> None:
    agree(function, PARTS, PARTS, FEWER, PARTS, make=two)


def test_one_number() -> None:
    def unary(z: complex) -> Any:
        return -z, +z, bool(z), z.real, z.imag, z.conjugate(), z.__complex__(), type(z)

    def with_known(z: complex) -> Any:
        return (
            z + 2j, 2j - z, z * (1 - 2j), (0.5 + 1j) * z, z + 1, 1 - z, z * 2.0, True + z, -0.0 - z,
            z == 1.5, 0 == z, z != 1.5 + 0j, z in (1, 2), z == "a", z is None, 1j / (2 + z.real**0),
        )  # fmt: skip

    def powers(z: complex) -> Any:
        return z**0, z**1, z**2, z**3, pow(z, 2)

    for function in (unary, with_known, powers):
        agree(function, [*PARTS, -3.0, 1e200, 0.1], [*PARTS, 0.3], make=one)


def test_mixed_with_symbolic_reals() -> None:
    def mixed(z: complex, x: float, n: int, p: bool) -> Any:
        return z + x, x - z, z * n, n * z, p + z, z == x, z == n, n != z

    agree(mixed, PARTS, FEWER, FEWER, [-1, 2], [False, True],
          make=lambda a, b, x, n, p: (number(a, b), x, n, p))  # fmt: skip


def test_an_int_that_is_too_large() -> None:
    def large(z: complex, n: int) -> Any:
        return z == n, z + n

    assert agree(large, [1.0, 2.0**60], [0.0], [2**60, 2**60 + 1, 2**1024],
                 make=lambda a, b, n: (number(a, b), n)).failures  # fmt: skip


def test_with_builtins() -> None:
    def used(z: complex) -> Any:
        total = 1j
        total += z
        return sum([z, 1, 2j]), total, [w * 2 for w in (z, 1)], isinstance(z, numbers.Complex)

    agree(used, PARTS, FEWER, make=one)


def test_making_one() -> None:
    def made(x: float, n: int) -> Any:
        z = complex(x, 1)
        return (
            complex(x), complex(x, x), complex(n, x), complex(imag=x), complex(real=n, imag=1.5),
            complex(z), complex(z, x), complex(x, z), complex(z, 2j), complex(1j, x),
            isinstance(z, complex), type(z) is complex,
        )  # fmt: skip

    agree(made, PARTS, [-1, 3])


def test_paths_merge_part_by_part() -> None:
    def merged(p: bool, x: float) -> Any:
        z = 1 - 0j if p else complex(x, 2)
        w = 1j if p else -1j
        return z, w, z * w, {w: 1, z: 2}.get(1j)

    outcome = agree(merged, [False, True], PARTS)
    assert type(outcome.value[1]) is type(made_twin(0j))


def test_what_complex_numbers_cannot() -> None:
    def fails(z: complex, which: int) -> Any:
        if which == 0:
            return z < 1
        if which == 1:
            return 1.5 >= z
        if which == 2:
            return z // 2
        if which == 3:
            return 2 % z
        if which == 4:
            z.real = 2.0  # type: ignore[misc]
        if which == 5:
            return z + "a"  # type: ignore[operator]
        if which == 6:
            return pow(z, 2, 3)  # type: ignore[call-overload]
        if which == 7:
            return sorted([z, z])  # type: ignore[type-var]
        if which == 8:
            return int(z)  # type: ignore[call-overload]
        if which == 9:
            return float(z)  # type: ignore[arg-type]
        if which == 10:
            return z[0]  # type: ignore[index]
        return len(z)  # type: ignore[arg-type]

    agree(fails, [1.0, 2.0], [0.0], range(12), make=lambda a, b, n: (number(a, b), n))


def test_abs_where_it_does_not_round() -> None:
    def size(z: complex) -> Any:
        return abs(z)

    agree(size, [*PARTS, -3.0], [0.0, -0.0, INFINITE, float("nan")], make=one)
    agree(size, [0.0, -0.0, INFINITE], [*PARTS, -3.0], make=one)

    def has_size(z: complex) -> None:
        assert abs(z) != 5

    assert eval(str(verify(has_size).call), {"has_size": lambda z: abs(z)}) == 5
    with pytest.raises(NotLiftedError, match="neither of whose parts is 0"):
        agree(size, [1.5], [2.0], make=one)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (hash, "the hash of a symbolic complex"),
        (str, "the text of a symbolic complex"),
        (lambda z: f"{z:.2f}", "the text of a symbolic complex"),
        (lambda z: z**2.5, "only lifted for known exponents"),
        (lambda z: z ** Int("n"), "only lifted for known exponents"),
        (lambda z: 2**z, "with a symbolic complex exponent"),
        (lambda z: cmath.exp(z), "`cmath.exp` is not lifted"),
        (lambda z: complex(z, None), "what is no int, float or complex"),
    ],
)
def test_what_is_refused(function: Callable[[Any], Any], reason: str) -> None:
    with pytest.raises(NotLiftedError, match=reason):
        execute(function, number(Float("x"), Float("y")))


def test_as_an_input() -> None:
    def root(z: complex) -> None:
        assert z * z != -4

    def twice(z: complex) -> None:
        assert z.conjugate().conjugate() == z or z != z

    found = verify(root)
    assert eval(str(found.call), {"root": lambda z: z * z}) == -4
    assert found.derived == {"z": "any complex"}
    assert verify(twice).holds


def test_calls_show_the_sign_of_a_zero() -> None:
    assert spelled([complex(1.0, -0.0)]) == "[complex(1.0, -0.0)]"
