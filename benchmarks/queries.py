"""How fast whole queries are answered: the symbolic run, the solvers, and the replay."""

from __future__ import annotations

from typing import Any

from benchmarks.figure import Figure
from benchmarks.vm import best

# A machine with four registers; an instruction is (opcode, destination, first, second).
ADD, SUB, AND, OR, XOR, SHIFT, NEGATE, MOVE = range(8)
Instruction = tuple[Any, Any, Any, Any]


def compute(opcode: Any, a: Any, b: Any) -> Any:
    """What an instruction computes."""
    if opcode == ADD:
        return a + b
    if opcode == SUB:
        return a - b
    if opcode == AND:
        return a & b
    if opcode == OR:
        return a | b
    if opcode == XOR:
        return a ^ b
    if opcode == SHIFT:
        return a << 1
    if opcode == NEGATE:
        return -a
    assert opcode == MOVE
    return a


def run_program(program: list[Instruction], registers: list[Any]) -> Any:
    """Run a straight-line program; the result is in the first register."""
    for opcode, target, first, second in program:
        registers[target] = compute(opcode, registers[first], registers[second])
    return registers[0]


def doubles_and_adds(program: list[Instruction], x: Any, y: Any) -> None:
    """The specification of the program to be found."""
    zero = x - x
    assert run_program(program, [x, y, zero, zero]) == 2 * x + y


def straight_line_figure() -> Figure:
    """Five instructions that compute `2 * x + y`, for all inputs of 32 bits."""
    from solvent import BitVec, synthesize
    from solvent.terms import bv

    x, y = BitVec("x", 32), BitVec("y", 32)

    def find(round_: int) -> None:
        program = [
            (
                BitVec(f"op{round_}_{place}", 3),
                BitVec(f"to{round_}_{place}", 2),
                BitVec(f"a{round_}_{place}", 2),
                BitVec(f"b{round_}_{place}", 2),
            )
            for place in range(5)
        ]
        found = synthesize(doubles_and_adds, program, x, y, forall=[x, y])
        assert found.confirmed
        doubles_and_adds(found.filled["program"], bv(12345, 32), bv(2**32 - 678, 32))

    taken = best(find)
    name = "synthesis of 5 instructions for 2*x + y, 32 bits"
    return Figure(name, taken, "s", "< 2 s", taken < 2)


def bubble_sort(items: list[Any]) -> list[Any]:
    """Sort by swapping neighbours."""
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        for place in range(last):
            if items[place] > items[place + 1]:
                items[place], items[place + 1] = items[place + 1], items[place]
    return items


def is_sorted(items: list[Any]) -> None:
    """The specification of sorting that the peers were measured with."""
    result = bubble_sort(items)
    for place in range(len(result) - 1):
        assert result[place] <= result[place + 1]


def sorting_figures() -> list[Figure]:
    """Sorting verified for all integers."""
    from solvent import Int, verify

    figures = []
    for count, limit in ((6, 1.0), (8, 5.0)):

        def check(round_: int, count: int = count) -> None:
            items = [Int(f"i{round_}_{count}_{place}") for place in range(count)]
            assert verify(is_sorted, items).holds

        taken = best(check)
        name = f"sorting {count} symbolic integers verified"
        figures.append(Figure(name, taken, "s", f"< {limit} s", taken < limit))
    return figures


def automata_figures() -> list[Figure]:
    """The automaton of the paper against `re`, and its sketch completed."""
    from solvent import synthesize, verify
    from solvent.languages import cadr
    from solvent.languages.automata import spec, word_up_to

    figures = []
    for bound, limit in ((6, 0.6), (8, 10.0)):
        evaluation = []

        def check(round_: int, bound: int = bound, evaluation: list[float] = evaluation) -> None:
            word = word_up_to(bound, cadr.ALPHABET)

            def correct() -> None:
                assert cadr.M(word) == spec("^c[ad]*r$", word)

            result = verify(correct)
            assert result.holds
            evaluation.append(result.stats.run.seconds)

        # Up to 6 letters the whole query counts, up to 8 the symbolic evaluation.
        taken = best(check)
        if bound == 8:
            taken = min(evaluation)
        what = "verified" if bound == 6 else "evaluated"
        name = f"automaton {what}, words up to {bound}"
        figures.append(Figure(name, taken, "s", f"< {limit} s", taken < limit))

    def complete(round_: int) -> None:
        word = word_up_to(4, cadr.ALPHABET)
        sketch = cadr.sketch()

        def correct() -> None:
            assert sketch(word) == spec("^c[ad]+r$", word)

        assert synthesize(correct, forall=[word]).confirmed

    taken = best(complete)
    figures.append(Figure("automaton synthesized, words up to 4", taken, "s", "< 3 s", taken < 3))
    return figures


def run() -> list[Figure]:
    """All figures of this suite."""
    return [*sorting_figures(), *automata_figures(), straight_line_figure()]
