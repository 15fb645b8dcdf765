"""Loops with several entries: after copying blocks there are none, and the same executions."""

from __future__ import annotations

import random

from solvent.boogie import check_program, parse_program
from solvent.boogie.lowering import lower
from solvent.reach.graphs import IrreducibleError, loops
from solvent.reach.modular import verify
from solvent.reach.program import Block
from solvent.reach.splitting import with_single_entries


def traces(blocks: dict[str, Block], length: int) -> set[tuple[str, ...]]:
    """What is gone through in so many steps, by the labels of the program."""
    found: set[tuple[str, ...]] = set()
    stack = [(next(iter(blocks)), ())]
    while stack:
        label, before = stack.pop()
        trace = (*before, label.split(" ")[0])
        targets = blocks[label].targets
        if len(trace) == length or not targets:
            found.add(trace)
        else:
            stack += [(target, trace) for target in targets]
    return found


def test_random_graphs() -> None:
    """All executions stay, there are no others, and every loop has one entry."""
    rng = random.Random(5)
    split = 0
    for _ in range(300):
        labels = [f"b{number}" for number in range(rng.randrange(3, 8))]
        blocks = {
            label: Block(label, (), tuple(rng.sample(labels, rng.randrange(4)))) for label in labels
        }
        made = dict(with_single_entries(blocks))
        graph = {label: block.targets for label, block in made.items()}
        loops(graph, labels[0])
        assert traces(made, 7) == traces(blocks, 7)
        try:
            loops({label: block.targets for label, block in blocks.items()}, labels[0])
            assert made == blocks
        except IrreducibleError:
            split += 1
    assert split > 20


def test_an_invariant_where_no_loop_begins_is_checked() -> None:
    for text in (
        "procedure P(x: int) { while (true) invariant x == 7; { break; } }",
        "procedure P(x: int) { while (true) invariant x == 7; { return; } }",
        "procedure P(x: int) { while (x > 0) invariant x == 7; { assume x > 9; goto L; } L: }",
    ):
        program = lower(check_program(parse_program(text=text, file="t.bpl")))
        assert len(verify(program, "P").violations) == 1, text
