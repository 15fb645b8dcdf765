"""The operators of BTOR2 once more, on strings of bits and with school arithmetic."""

from __future__ import annotations

from collections.abc import Callable


def bits(value: int, width: int) -> str:
    return format(value % (1 << width), f"0{width}b")


def number(text: str) -> int:
    return int(text, 2)


def signed(text: str) -> int:
    """The first bit counts negatively."""
    return int(text, 2) - (int(text[0]) << len(text))


def _per_bit(rule: Callable[[int, int], int]) -> Callable[[str, str], str]:
    return lambda a, b: "".join(str(rule(int(x), int(y))) for x, y in zip(a, b, strict=True))


def _shift(fill: Callable[[str], str], left: bool) -> Callable[[str, str], str]:
    def shifted(a: str, b: str) -> str:
        for _ in range(min(number(b), len(a))):
            a = a[1:] + "0" if left else fill(a) + a[:-1]
        return a

    return shifted


def _rotate(left: bool) -> Callable[[str, str], str]:
    def rotated(a: str, b: str) -> str:
        for _ in range(number(b)):
            a = a[1:] + a[0] if left else a[-1] + a[:-1]
        return a

    return rotated


def _long_division(a: int, b: int) -> tuple[int, int]:
    """Quotient and rest of numbers that are not negative, by subtracting."""
    count = 0
    while a >= b:
        a, count = a - b, count + 1
    return count, a


def _udiv(a: str, b: str) -> str:
    width = len(a)
    return bits(_long_division(number(a), number(b))[0], width) if number(b) else "1" * width


def _urem(a: str, b: str) -> str:
    return bits(_long_division(number(a), number(b))[1], len(a)) if number(b) else a


def _negated(a: str) -> str:
    return bits(-signed(a), len(a))


def _sdiv(a: str, b: str) -> str:
    """As SMT-LIB defines it: by the unsigned division of the absolute values."""
    match a[0], b[0]:
        case "0", "0":
            return _udiv(a, b)
        case "1", "0":
            return _negated(_udiv(_negated(a), b))
        case "0", "1":
            return _negated(_udiv(a, _negated(b)))
    return _udiv(_negated(a), _negated(b))


def _srem(a: str, b: str) -> str:
    match a[0], b[0]:
        case "0", "0":
            return _urem(a, b)
        case "1", "0":
            return _negated(_urem(_negated(a), b))
        case "0", "1":
            return _urem(a, _negated(b))
    return _negated(_urem(_negated(a), _negated(b)))


def _smod(a: str, b: str) -> str:
    x = a if a[0] == "0" else _negated(a)
    y = b if b[0] == "0" else _negated(b)
    rest = _urem(x, y)
    if number(rest) == 0 or (a[0], b[0]) == ("0", "0"):
        return rest
    if (a[0], b[0]) == ("1", "0"):
        return bits(number(_negated(rest)) + number(b), len(a))
    if (a[0], b[0]) == ("0", "1"):
        return bits(number(rest) + number(b), len(a))
    return _negated(rest)


def _truth(rule: Callable[[str, str], bool]) -> Callable[[str, str], str]:
    return lambda a, b: "1" if rule(a, b) else "0"


def _overflow(rule: Callable[[int, int], int], of_signed: bool) -> Callable[[str, str], str]:
    def overflows(a: str, b: str) -> str:
        read = signed if of_signed else number
        exact = rule(read(a), read(b))
        return "0" if read(bits(exact, len(a))) == exact else "1"

    return overflows


def _sdivo(a: str, b: str) -> str:
    if number(b) == 0:
        return "0"
    return (
        "1"
        if abs(signed(a)) // abs(signed(b)) > signed("0" + "1" * (len(a) - 1)) and (a[0] == b[0])
        else "0"
    )


BINARY: dict[str, Callable[[str, str], str]] = {
    "iff": _truth(lambda a, b: a == b),
    "implies": _truth(lambda a, b: a <= b),
    "eq": _truth(lambda a, b: a == b),
    "neq": _truth(lambda a, b: a != b),
    "sgt": _truth(lambda a, b: signed(a) > signed(b)),
    "ugt": _truth(lambda a, b: a > b),
    "sgte": _truth(lambda a, b: signed(a) >= signed(b)),
    "ugte": _truth(lambda a, b: a >= b),
    "slt": _truth(lambda a, b: signed(a) < signed(b)),
    "ult": _truth(lambda a, b: a < b),
    "slte": _truth(lambda a, b: signed(a) <= signed(b)),
    "ulte": _truth(lambda a, b: a <= b),
    "and": _per_bit(lambda x, y: x * y),
    "nand": _per_bit(lambda x, y: 1 - x * y),
    "nor": _per_bit(lambda x, y: int(x + y == 0)),
    "or": _per_bit(max),
    "xnor": _per_bit(lambda x, y: int(x == y)),
    "xor": _per_bit(lambda x, y: int(x != y)),
    "rol": _rotate(left=True),
    "ror": _rotate(left=False),
    "sll": _shift(lambda a: "0", left=True),
    "srl": _shift(lambda a: "0", left=False),
    "sra": _shift(lambda a: a[0], left=False),
    "add": lambda a, b: bits(signed(a) + signed(b), len(a)),
    "mul": lambda a, b: bits(signed(a) * signed(b), len(a)),
    "sub": lambda a, b: bits(signed(a) - signed(b), len(a)),
    "udiv": _udiv,
    "urem": _urem,
    "sdiv": _sdiv,
    "srem": _srem,
    "smod": _smod,
    "saddo": _overflow(lambda x, y: x + y, of_signed=True),
    "uaddo": _overflow(lambda x, y: x + y, of_signed=False),
    "smulo": _overflow(lambda x, y: x * y, of_signed=True),
    "umulo": _overflow(lambda x, y: x * y, of_signed=False),
    "ssubo": _overflow(lambda x, y: x - y, of_signed=True),
    "usubo": _overflow(lambda x, y: x - y, of_signed=False),
    "sdivo": _sdivo,
    "udivo": lambda a, b: "0",
    "concat": lambda a, b: a + b,
}
UNARY: dict[str, Callable[[str], str]] = {
    "not": lambda a: a.translate({48: 49, 49: 48}),
    "inc": lambda a: bits(number(a) + 1, len(a)),
    "dec": lambda a: bits(number(a) - 1, len(a)),
    "neg": _negated,
    "redand": lambda a: "0" if "0" in a else "1",
    "redor": lambda a: "1" if "1" in a else "0",
    "redxor": lambda a: str(a.count("1") % 2),
}
