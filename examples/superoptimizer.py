"""A superoptimiser: the shortest straight-line program for a function on words of 16 bits.

The interpreter is an ordinary function; a program whose instructions are unknown stands for all
programs of its length.

Synthesized: two instructions that clear the lowest bit that is set, and three that give the
absolute value without a branch; each is right for all words.
Proved: there is no shorter one with these instructions.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent import BitVec, synthesize
from solvent.queries import Synthesis
from solvent.terms import Term

WIDTH = 16
OPERATIONS = ("add", "subtract", "and", "xor", "sign", "minus one")


def run(program: list[list[Term]], x: Term) -> Term:
    """The last value that the instructions compute: operation, and which values it takes."""
    values = [x]
    for operation, i, j in program:
        a, b = values[i], values[j]
        if operation == 0:
            values.append(a + b)
        elif operation == 1:
            values.append(a - b)
        elif operation == 2:
            values.append(a & b)
        elif operation == 3:
            values.append(a ^ b)
        elif operation == 4:
            values.append(a >> (WIDTH - 1))
        else:
            values.append(a - 1)
    return values[-1]


def without_lowest_bit(x: Term) -> Term:
    """The definition: the lowest bit that is set is found by a loop, and cleared."""
    for place in range(WIDTH):
        if x & (1 << place) != 0:
            return x ^ (1 << place)
    return x


def absolute(x: Term) -> Term:
    return -x if x < 0 else x


def computes(program: list[list[Term]], x: Term, meaning: Callable[[Term], Term]) -> None:
    for n, (operation, i, j) in enumerate(program):
        assert 0 <= operation < len(OPERATIONS)
        assert 0 <= i <= n  # x, or what an instruction before has computed
        assert 0 <= j <= n
    assert run(program, x) == meaning(x)


def shortest(meaning: Callable[[Term], Term], most: int) -> Synthesis:
    """The answers for one instruction, two, ... up to the first that has a program."""
    x = BitVec("x", WIDTH)
    for length in range(1, most + 1):
        program = [[BitVec(f"{part}{n}", 4) for part in ("op", "i", "j")] for n in range(length)]
        found = synthesize(computes, program, x, meaning, forall=[x])
        if found.found:
            break
        # Only a proof that there is none of this length is a reason to look for a longer one.
        assert found.status == "unsat"
    return found


def shown(result: Synthesis) -> str:
    """The program as text."""
    names = "xabcdef"
    lines = []
    for n, (operation, i, j) in enumerate(result.filled["program"]):
        name = OPERATIONS[int(operation)]
        operands = names[int(i)] + ("" if int(operation) > 3 else f", {names[int(j)]}")
        lines.append(f"{names[n + 1]} = {name} {operands}")
    return "\n".join(lines)


if __name__ == "__main__":
    lowest = shortest(without_lowest_bit, 2)
    magnitude = shortest(absolute, 3)
    print(shown(lowest), end="\n\n")
    print(shown(magnitude))
