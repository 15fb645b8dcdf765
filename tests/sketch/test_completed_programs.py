"""Whole programs completed from sketches; the completed source is run on every input of a domain.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from solvent import BitVec, Bool, Int, Real, assume, synthesize
from solvent.sketch import choose, complete, grammar, hole
from solvent.terms import bv


def completed(result: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function that the completed source defines."""
    assert result.found
    assert result.confirmed
    source = complete(result, function)
    for word in ("choose(", "hole(", "expression("):
        assert word not in source
    namespace: dict[str, Any] = dict(function.__globals__)
    exec(source, namespace)
    return namespace[function.__name__]  # type: ignore[no-any-return]


# --- a bitvector trick -------------------------------------------------------------------------


@grammar(depth=2)
def expression(x: Any) -> Any:
    return choose(x, -x, ~x, expression(x) & expression(x), expression(x) | expression(x))


def rightmost(x: Any) -> Any:
    return expression(x)


def test_isolate_the_rightmost_set_bit() -> None:
    def isolates(x: Any) -> None:
        assume(x != 0)
        found = rightmost(x)
        assert found & x == found
        assert found & (found - 1) == 0
        assert found != 0

    function = completed(synthesize(isolates, BitVec("x", 32)), rightmost)
    for x in range(1, 256):
        assert int(function(bv(x, 8))) == x & -x


# --- a sorting network -------------------------------------------------------------------------


def compare(items: list[Any], low: Any, high: Any) -> None:
    """Exchange two items if they are in the wrong order."""
    if items[low] > items[high]:
        items[low], items[high] = items[high], items[low]


def network(items: list[Any]) -> list[Any]:
    items = list(items)
    compare(items, 0, choose(1, 2, 3))
    compare(items, choose(1, 2), 3)
    compare(items, 0, choose(1, 2, 3))
    compare(items, choose(0, 1, 2), choose(1, 2, 3))
    compare(items, 1, choose(2, 3))
    return items


def test_a_sorting_network_of_four() -> None:
    def sorts(flags: list[Any]) -> None:
        # A network that sorts zeros and ones sorts everything.
        found = network([1 if flag else 0 for flag in flags])
        for a, b in itertools.pairwise(found):
            assert a <= b

    flags = [Bool(f"flag{place}") for place in range(4)]
    function = completed(synthesize(sorts, flags), network)
    for items in itertools.product(range(4), repeat=4):
        assert function(list(items)) == sorted(items)


# --- a polynomial identity ---------------------------------------------------------------------


def factored(x: Any) -> Any:
    return (x + hole(Int)) * (x - hole(Int))


def factored_real(x: Any) -> Any:
    return (hole(Real) * x + 1) * (x + hole(Real))


def test_a_polynomial_identity() -> None:
    def same(x: Any) -> None:
        assert factored(x) == x * x + 3 * x - 10

    function = completed(synthesize(same, Int("x")), factored)
    for x in range(-20, 20):
        assert function(x) == x * x + 3 * x - 10

    def same_real(x: Any) -> None:
        assert 2 * factored_real(x) == x * x + 5 * x + 6

    function = completed(synthesize(same_real, Real("x")), factored_real)
    for x in range(-20, 20):
        assert 2 * function(x) == x * x + 5 * x + 6


# --- a program for a stack machine -------------------------------------------------------------


def machine(program: list[Any], x: Any) -> Any:
    """Run a program; the result is on top of the stack."""
    stack = [x]
    for opcode in program:
        if opcode == "dup":
            stack.append(stack[-1])
        elif opcode == "add":
            stack.append(stack.pop() + stack.pop())
        elif opcode == "mul":
            stack.append(stack.pop() * stack.pop())
        elif opcode == "inc":
            stack.append(stack.pop() + 1)
        else:
            raise ValueError(opcode)
    return stack[-1]


def stack_program() -> list[Any]:
    return [
        choose("dup", "add", "mul", "inc"),
        choose("dup", "add", "mul", "inc"),
        choose("dup", "add", "mul", "inc"),
        choose("dup", "add", "mul", "inc"),
    ]


def test_a_stack_machine_program() -> None:
    def doubles_the_successor_squared(x: Any) -> None:
        assert machine(stack_program(), x) == (x + 1) * (x + 1) + 1

    function = completed(synthesize(doubles_the_successor_squared, BitVec("x", 16)), stack_program)
    for x in range(-20, 20):
        assert machine(function(), x) == (x + 1) ** 2 + 1
