"""A type checker with a soundness bug, found by asking for a program that it lets through.

The language has numbers, truth values, `+`, `<` and `if`. A checker is sound if a program that it
accepts never gets stuck. The programs are symbolic: `program(2)` stands for all trees of that
depth.

Found: `hasty_type` looks at one branch of an `if` only; the solver makes up a program that is
accepted and adds a number to a truth value.
Proved: `type_of` is sound for all programs of depth two, and what it says is the type of the
value.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent import Bool, Int, solve, verify
from solvent.sketch import choose_each, hole_each

Program = tuple  # ("number", n), ("truth", b), ("+", a, b), ("<", a, b), ("if", test, then, other)


class Stuck(Exception):
    """A program does what its language has no meaning for."""


def program(depth: int) -> Program:
    """Any program of at most this depth."""
    leaf = choose_each(("number", hole_each(Int)), ("truth", hole_each(Bool)))
    if depth == 0:
        return leaf
    first, second, third = program(depth - 1), program(depth - 1), program(depth - 1)
    inner = choose_each(("+", first, second), ("<", first, second), ("if", first, second, third))
    return choose_each(leaf, inner)


def value(p: Program) -> int | bool:
    """What a program comes to."""
    match p:
        case ("number", n) | ("truth", n):
            return n
        case ("if", test, then, other):
            chosen = value(test)
            if not isinstance(chosen, bool):
                raise Stuck("if")
            return value(then) if chosen else value(other)
        case (operator, a, b):
            left, right = value(a), value(b)
            if isinstance(left, bool) or isinstance(right, bool):
                raise Stuck(operator)
            return left + right if operator == "+" else left < right
    raise Stuck("no program")


def type_of(p: Program, both: bool = True) -> str:
    """The type of a program, or "ill"."""
    match p:
        case ("number", _):
            return "number"
        case ("truth", _):
            return "truth"
        case ("if", test, then, other):
            kind = type_of(then, both)
            agree = type_of(other, both) == kind or not both
            return kind if type_of(test, both) == "truth" and agree else "ill"
        case (operator, a, b):
            fits = type_of(a, both) == "number" and type_of(b, both) == "number"
            return "ill" if not fits else "number" if operator == "+" else "truth"
    return "ill"


def hasty_type(p: Program) -> str:
    """The same, but the other branch of an `if` is not looked at."""
    return type_of(p, both=False)


def sound(checker: Callable[[Program], str], depth: int) -> None:
    candidate = program(depth)
    kind = checker(candidate)
    if kind != "ill":
        assert isinstance(value(candidate), bool) == (kind == "truth")


def accepted_and_stuck() -> Program:
    candidate = program(2)
    assert hasty_type(candidate) != "ill"
    try:
        value(candidate)
    except Stuck:
        return candidate
    raise AssertionError("it has a value")


if __name__ == "__main__":
    proof = verify(sound, type_of, 2)
    mistake = verify(sound, hasty_type, 1)
    stuck = solve(accepted_and_stuck)
    print(proof)
    print(mistake)
    print("accepted and stuck:", stuck.value)
