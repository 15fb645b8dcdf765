"""Ints that do not fit in a machine word or a float: as in the running CPython, or refused.

Every operation runs once on a symbolic int without a bound, and once for each value on an int that
is assumed to be that value; what it gives and what it raises, with the message, is CPython's.  What
would allocate is only tried with values for which CPython fails at once.

PYTEST_DONT_REWRITE: the operations are programs.
"""

from __future__ import annotations

import contextlib
import datetime
import heapq
import itertools
import linecache
import math
import operator
from array import array
from bisect import bisect
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

import pytest

from solvent import verify
from solvent.errors import SolventError
from tests.lift.differential import agree

WORDS = [
    0, 1, -1, 2, -2, 5, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**32, 2**63 - 1, 2**63,
    -(2**63), -(2**63) - 1, 2**64, -(2**64), 10**30, -(10**30),
]  # fmt: skip
# Lengths that no machine has.
HUGE = [number for number in WORDS if number <= 5 or number >= 2**63 - 1]
LIMIT = 2**1024 - 2**970
FLOATS = [0, 1, -1, 3, LIMIT - 1, LIMIT, 1 - LIMIT, -LIMIT, 2 * LIMIT - 1, 2 * LIMIT, 10**400]

NAMES: dict[str, Any] = {
    "array": array, "bisect": bisect, "Counter": Counter, "datetime": datetime, "deque": deque,
    "heapq": heapq, "itertools": itertools, "math": math, "operator": operator,
}  # fmt: skip

# Exact for every int.
EXACT = """
d = deque([1, 2, 3]); d.rotate(n); return d
d = deque(); d.rotate(n); return d
d = deque([1]); d.rotate(n); return d
d = deque([1, 2]); d.insert(n, 7); return d
d = deque([1, 2], 5); d.insert(n, 7); return d
d = deque([1, 2]); d[n] = 5; return d
d = deque([1, 2]); del d[n]; return d
return deque([1, 2])[n]
return deque([1, 2]).index(2, n)
return deque([1, 2]).index(1, 0, n)
x = [1, 2]; x.insert(n, 7); return x
x = [1, 2]; return x.pop(n), x
x = []; return x.pop(n)
x = [1, 2]; x[n] = 3; return x
x = [1, 2]; del x[n]; return x
x = [1, 2]; x[n:] = [9]; return x
return [1, 2][n]
return (1, 2)[n]
return "ab"[n]
return b"ab"[n]
return bytearray(b"ab")[n]
return range(5)[n]
return range(n)[n]
return range(n)[-1]
return range(10**20)[n]
return [1, 2].__getitem__(n)
return operator.getitem([1, 2], n)
return operator.itemgetter(n)((1, 2))
return [1, 2, 3][n:], [1, 2, 3][:n], [1, 2, 3][n::-1], (1, 2)[:n], "abc"[n:], range(5)[n:]
return range(n)[1:], range(n)[:3], range(n)[:n], range(n).stop
return [1, 2].index(2, n)
return (1, 2).index(1, 0, n)
return [] * n
return () * n
return "aXbX".split("X", n)
return "ab".find("b", n), "ab".find("b", 0, n), "ab".count("", n), "ab".startswith("b", n)
return len(range(n))
return len(range(-3, n))
return len(range(n, 0, -1))
return len(range(0, n, 3))
return bool(range(n)), range(n) == range(n), range(n) == range(3), str(range(n)), repr(range(1, n))
return n in range(5), n in range(n), 5 in range(n), n in range(0, 10**30, 7)
return range(n).index(3)
return range(7).index(n)
return range(n).count(3), range(5).count(n)
range(0, 5, n); return 1
return list(itertools.islice([1, 2, 3], n))
return list(itertools.islice([1, 2, 3], n, None))
return list(itertools.islice([1, 2, 3], 0, n))
return list(itertools.islice([1, 2, 3], 0, None, n))
i = itertools.repeat(3, n); return next(i, 0), next(i, 0)
i = itertools.count(n); return next(i), next(i)
return list(enumerate("ab", n))
return math.comb(5, n)
return math.perm(5, n)
return chr(n) if n < 97 or n > 0x2FFFF else 0
return round(n, -2), round(n), n >> 3, n << 3
b = bytearray(b"ab"); b[0] = n; return b
b = bytearray(b"ab"); b[n] = 1; return b
b = bytearray(b"ab"); b.insert(n, 1); return b
b = bytearray(b"ab"); b.insert(0, n); return b
b = bytearray(b"ab"); b.append(n); return b
b = bytearray(b"ab"); return b.pop(n), b
return bytearray(b"ab").find(n)
return n in b"ab"
return n in bytearray(b"ab")
return heapq.nlargest(n, [1, 2, 3]), heapq.nsmallest(n, [1, 2, 3])
return Counter("aab").most_common(n)
return n.as_integer_ratio(), n.real, n.imag, n.__class__, n.__index__()
"""

# Refused, or as in CPython where the int is known.
OTHERS = """
return [0, 1] * n
return n * (0, 1)
return "ab" * n
return b"ab" * n
return deque([1]) * n
x = [1]; x *= n; return x
return bytearray(b"ab") * n
return bytes(n)
return bytearray(n)
return "ab".ljust(n)
return "ab".rjust(n, "-")
return "ab".center(n)
return "ab".zfill(n)
return "ab".expandtabs(n)
return f"{5:{n}}"
return "%*d" % (n, 5)
return 1 << n
return n << n
d = deque([1, 2], maxlen=n); d.append(3); return d, d.maxlen
return list(itertools.product([1], repeat=n))
return 0 << n
return (5).to_bytes(n, "big")
return itertools.tee([1, 2], n) and 1
return list(itertools.permutations([1, 2], n))
return list(itertools.combinations([1, 2], n))
"""
MORE = """
return "aXbX".replace("X", "-", n)
return "aXbX".rsplit("X", n)
return "a b".split(None, n)
return n.to_bytes(8, "big")
return int.from_bytes([n], "big")
return 1 >> n
return n >> 2**63
return n << 2**63
return n ** 0.5
return n ** (1 / 3)
return 2.0 ** n
return pow(2, n, 7)
return math.factorial(min(n, 0) if n < 2**63 else n)
return math.isqrt(n)
return math.ldexp(1.0, n)
return round(1.5, n)
return hash(n)
return datetime.date(n, 1, 1)
return datetime.time(n)
return datetime.timedelta(n)
return datetime.date.fromordinal(n)
return memoryview(b"ab")[n]
return array("b", [n])
return array("b", [1, 2])[n]
return bisect([1, 2, 3], 2, n)
return slice(n).indices(5)
return "%c" % n
return f"{n:c}"
i = iter([1, 2]); i.__setstate__(n); return list(i)
"""

# With ints around the largest float.
OF_FLOATS = """
return float(n)
return n / 2
return n / -1
return n / True
return 1 / n
return n / n
return 10**400 / n
return n / 2**60
return n * 1.5
return n + 0.5
return 0.5 - n
return n // 2.0
return n % 2.0
return divmod(n, 2.0)
return 2.0 / n
return n < 0.5, n == 1e308, n >= float("inf")
return math.isnan(n), math.isinf(n), math.isfinite(n)
return math.copysign(1.0, n)
return math.fabs(n)
return sum([0.5, n])
x = n; x /= 2; return x
return n.__truediv__(2), n.__add__("a")
"""


def program(line: str) -> Callable[[Any], Any]:
    """A function of `n` with these statements."""
    filename = f"<stdin words {line}>"
    source = "def program(n):\n" + "".join(f"    {part}\n" for part in line.split("; "))
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace = dict(NAMES)
    exec(compile(source, filename, "exec"), namespace)
    found: Callable[[Any], Any] = namespace["program"]
    return found


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


@pytest.mark.parametrize("line", lines(EXACT))
def test_every_int(line: str) -> None:
    agree(program(line), WORDS)


@pytest.mark.parametrize("line", lines(OF_FLOATS))
def test_every_int_that_becomes_a_float(line: str) -> None:
    agree(program(line), FLOATS)


def check_known(line: str, values: list[int]) -> None:
    """One value after the other: refused, or as in CPython."""
    function = program(line)
    for number in values:
        with contextlib.suppress(SolventError):
            agree(function, [number])


@pytest.mark.parametrize("line", lines(OTHERS))
def test_a_known_int_that_sizes_something(line: str) -> None:
    check_known(line, HUGE)


@pytest.mark.parametrize("line", lines(MORE))
def test_a_known_int(line: str) -> None:
    check_known(line, WORDS)


def test_a_bounded_maxlen() -> None:
    def queue(n: Any, x: Any) -> Any:
        d = deque([1, 2, 3], maxlen=n)
        d.append(x)
        if x > 1:
            d.appendleft(7)
        return d, d.maxlen, len(d)

    agree(queue, range(-2, 6), range(4))


def test_rotation_is_not_verified_for_any_int() -> None:
    def rotated(k: int) -> None:
        d = deque([1, 2, 3])
        d.rotate(k)
        assert len(d) == 3

    found = verify(rotated)
    assert found.failure is not None
    assert type(found.failure.exception) is OverflowError
