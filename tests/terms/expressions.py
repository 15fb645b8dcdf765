"""Random straight-line programs over symbolic or concrete values, with the same meaning on both.

A program is a list of steps, each of which applies an ordinary Python function to earlier
values.  Running it on constants builds terms, through all the rewriting; running it on concrete
values computes.  Evaluating the terms must give what the computation gave.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3
from hypothesis import strategies as st

from solvent.terms import evaluate, substitute
from solvent.terms.term import Term
from tests.terms.z3_reference import to_z3, z3_value


@dataclass(frozen=True)
class Operator:
    """A function, and the kinds of values that it takes and gives."""

    name: str
    function: Callable[..., Any]
    takes: str
    gives: str

    def __repr__(self) -> str:
        return self.name


Step = tuple[Operator, tuple[int, ...]]
Inputs = Mapping[str, Sequence[Any]]


def programs(operators: Sequence[Operator], longest: int = 14) -> st.SearchStrategy[list[Step]]:
    """Lists of steps; the operands are numbers that are taken modulo the values there are."""
    operand = st.integers(0, 30)
    step = st.tuples(st.sampled_from(operators), st.tuples(operand, operand, operand))
    return st.lists(step, min_size=1, max_size=longest)


def run(program: list[Step], inputs: Inputs) -> list[Any]:
    """The values of all steps.  An operand 0 is the newest value of its kind."""
    values = {kind: list(given) for kind, given in inputs.items()}
    results = []
    for op, operands in program:
        args = []
        for kind, operand in zip(op.takes.split(), operands, strict=False):
            known = values[kind]
            args.append(known[-1 - operand % len(known)])
        result = op.function(*args)
        values.setdefault(op.gives, []).append(result)
        results.append(result)
    return results


def check(
    program: list[Step],
    constants: Inputs,
    concrete: Inputs,
    symbolic: Callable[[int], bool] = lambda _: True,
    second_opinion: bool = False,
) -> None:
    """Compare terms with computed values, after evaluation and after substitution.

    `symbolic` says which of the inputs are constants; the others are concrete from the start.
    """
    count = 0
    mixed: dict[str, list[Any]] = {}
    for kind, given in constants.items():
        mixed[kind] = []
        for position, constant in enumerate(given):
            mixed[kind].append(constant if symbolic(count) else concrete[kind][position])
            count += 1
    assignment = {
        constant: value
        for kind, given in constants.items()
        for constant, value in zip(given, concrete[kind], strict=True)
        if isinstance(constant, Term)
    }
    for term, expected in zip(run(program, mixed), run(program, concrete), strict=True):
        for value in (evaluate(term, assignment), substitute(term, assignment)):
            assert type(value) is type(expected), (term, value, expected)
            assert value == expected, (term, value, expected)
        if second_opinion and isinstance(term, Term):
            assert z3_evaluate(term, assignment, expected), (term, expected)


def z3_evaluate(term: Any, assignment: Mapping[Any, Any], expected: Any) -> bool:
    """Whether Z3 computes the expected value of a term under an assignment."""
    pairs = [(to_z3(constant), z3_value(value)) for constant, value in assignment.items()]
    difference = z3.substitute(to_z3(term) != z3_value(expected), *pairs)
    return z3.is_false(z3.simplify(difference))
