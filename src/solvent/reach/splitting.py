"""Loops with several entries: blocks are copied until each loop has one.

One entry stays the head of the loop.  Whoever jumps to another one from outside gets copies of the
blocks of the loop but for the head: these go on among themselves until they reach the head, or
leave.  Every execution stays what it was, and so do commands and invariants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from solvent.reach.graphs import components, loops, postorder, predecessors
from solvent.reach.program import ASSERTION, Block, ProgramError

# More blocks than this are no program that somebody wrote.
MOST_BLOCKS = 20_000


def with_single_entries(blocks: Mapping[str, Block]) -> Mapping[str, Block]:
    """The blocks in which no loop has several entries; the same ones if none has.

    >>> graph = {"a": ("b", "c"), "b": ("c",), "c": ("b", "d"), "d": ()}
    >>> blocks = {label: Block(label, (), targets) for label, targets in graph.items()}
    >>> for block in with_single_entries(blocks).values():
    ...     print(block.label, "->", ", ".join(block.targets) or "none")
    a -> b, c split 1
    b -> c
    c -> b, d
    d -> none
    c split 1 -> b, d
    """
    if not blocks:
        return blocks
    entry = next(iter(blocks))
    made = dict(blocks)
    # The blocks of a loop without its head may be loops themselves.
    pending = [set(postorder(_graph(made), entry))]
    while pending:
        inside = pending.pop()
        graph = {label: [t for t in made[label].targets if t in inside] for label in inside}
        for component in components(graph):
            if len(component) == 1 and component[0] not in graph[component[0]]:
                continue
            loop = set(component)
            entries = _entries(made, loop, entry)
            if entries:
                copies = _split(made, loop, entries)
                pending += [loop - {entries[0]}, copies]
    reached = set(postorder(_graph(made), entry))
    return {label: found for label, found in made.items() if label in reached or label in blocks}


def with_checked_invariants(blocks: Mapping[str, Block]) -> dict[str, Block]:
    """The blocks in which invariants where no loop begins are assertions.

    There may be none although there is a `while`: its body may never come to its end, or a jump
    into the body makes another block the head of the loop.

    >>> from solvent.reach.program import Clause
    >>> found = with_checked_invariants({"a": Block("a", (), (), invariants=(Clause(False),))})
    >>> print(found["a"])
    a:
      assert False;
      return;
    """
    if not any(block.invariants for block in blocks.values()):
        return dict(blocks)
    heads = {loop.head for loop in loops(_graph(blocks), next(iter(blocks)))}

    def checked(block: Block) -> Block:
        if not block.invariants or block.label in heads:
            return block
        checks = (clause.command(ASSERTION) for clause in block.invariants)
        return replace(block, commands=(*checks, *block.commands), invariants=())

    return {label: checked(block) for label, block in blocks.items()}


def _graph(blocks: Mapping[str, Block]) -> dict[str, tuple[str, ...]]:
    return {label: block.targets for label, block in blocks.items()}


def _entries(made: Mapping[str, Block], loop: set[str], entry: str) -> list[str]:
    """The blocks of a loop that can be reached from outside; a copy may have none."""
    reached = set(postorder(_graph(made), entry))
    before = predecessors(_graph(made))
    return [
        label
        for label in made
        if label in loop
        and (label == entry or any(p in reached and p not in loop for p in before[label]))
    ]


def _split(made: dict[str, Block], loop: set[str], entries: list[str]) -> set[str]:
    """Leave the first entry to a loop; say what was added."""
    head, others = entries[0], set(entries[1:])
    if not others:
        return set()
    number = sum(" split " in label for label in made) + 1
    copies = {label: f"{label} split {number}" for label in made if label in loop - {head}}
    if len(made) + len(copies) > MOST_BLOCKS:
        where = made[head].where
        raise ProgramError(f"{where}: loops with several entries make more blocks than can be kept")
    for label in [one for one in made if one not in loop]:
        targets = tuple(copies[t] if t in others else t for t in made[label].targets)
        made[label] = replace(made[label], targets=targets)
    for label, copy in copies.items():
        targets = tuple(copies.get(target, target) for target in made[label].targets)
        made[copy] = replace(made[label], label=copy, targets=targets)
    return set(copies.values())
