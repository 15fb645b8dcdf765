"""Where a block leads: conditions, or choices that are inputs.

In a control-flow graph a branch is a `goto` to blocks that begin with assumptions.  Two assumptions
that are complements of each other are the condition of an `if`.  Any other `goto` to several blocks
is a free choice, which an input makes; the assumptions then exclude what is impossible.  Likewise
what `havoc` gives is an input, with a name that says where.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solvent.logic.flat import FlatBlock
from solvent.reach.graphs import predecessors
from solvent.reach.program import Assume, Variable
from solvent.terms import Bool, and_, not_
from solvent.terms.kinds import Guard


@dataclass(frozen=True, slots=True)
class Edge:
    """A way to the next block, under a condition; without choices it is over the variables."""

    target: str
    condition: Guard
    # Whether the condition is a choice of its own, which no variable decides.
    chosen: bool = False


class Branches:
    """The edges of some blocks, whose labels may be copies of others."""

    def __init__(self, blocks: Mapping[str, FlatBlock]) -> None:
        self.blocks = blocks
        self.before = predecessors({label: block.targets for label, block in blocks.items()})

    def edges(self, label: str) -> list[Edge]:
        """The ways out of a block."""
        targets = self.blocks[label].targets
        if len(targets) < 2:
            return [Edge(target, True) for target in targets]
        tests = [test for test in map(self.test, targets) if test is not None]
        if len(targets) == len(tests) == 2 and not_(tests[0]) is tests[1]:
            return [
                Edge(target, condition) for target, condition in zip(targets, tests, strict=True)
            ]
        return [
            Edge(target, condition, True)
            for target, condition in zip(targets, choices(label, targets), strict=True)
        ]

    def test(self, target: str) -> Guard | None:
        """The condition with which a block begins that only one other leads to."""
        first = next(iter(self.blocks[target].commands), None)
        alone = len(self.before[target]) == 1
        return first.condition if isinstance(first, Assume) and alone else None

    def is_test(self, target: str) -> bool:
        """Whether the first assumption of a block is the condition of the edge to it."""
        before = self.before[target]
        return len(before) == 1 and any(
            edge.target == target and not edge.chosen and edge.condition is not True
            for edge in self.edges(before[0])
        )


def choices(label: str, targets: Sequence[str]) -> list[Guard]:
    """For each target of a free choice the condition under which it is taken.

    >>> choices("a", ["b", "c", "d"])
    [a to b, not a to b and a to c, not a to b and not a to c]
    """
    found: list[Guard] = []
    others: Guard = True
    for target in targets[:-1]:
        here = Bool(f"{label} to {target}")
        found.append(and_(others, here))
        others = and_(others, not_(here))
    return [*found, others]


def given_input(variable: Variable, label: str, place: int, visit: int = 0) -> Variable:
    """The input that a `havoc` gives to a variable: the place of the step, the visit of the block.

    >>> from solvent.terms import Int
    >>> given_input(Int("x"), "a", 0), given_input(Int("x"), "a", 2, 1)
    (x at a, x at a#1.2)
    """
    copy = f"{label}#{visit}" if visit else label
    return variable.sort(f"{variable.name} at {copy}{f'.{place}' if place else ''}")
