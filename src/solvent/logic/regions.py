"""Branches and where their paths meet again, in graphs of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from solvent.reach.graphs import IrreducibleError, dominators, loops, postorder
from solvent.reach.program import Block

# Where a procedure ends.
EXIT = "~exit"


def joins(blocks: Mapping[str, Block]) -> dict[str, str]:
    """For each branch without a loop inside the block where its paths meet again.

    >>> made = [Block("a", (), ("b", "c")), Block("b", (), ("d",)), Block("c", (), ("d",))]
    >>> joins({one.label: one for one in (*made, Block("d", (), ()))})
    {'a': 'd'}
    """
    graph = {label: tuple(block.targets) or (EXIT,) for label, block in blocks.items()}
    backwards: dict[str, list[str]] = {label: [] for label in (*graph, EXIT)}
    for label, targets in graph.items():
        for target in dict.fromkeys(targets):
            backwards[target].append(label)
    reaching = set(postorder(backwards, EXIT))
    kept = {label: [t for t in found if t in reaching] for label, found in backwards.items()}
    after = dominators({label: kept[label] for label in kept if label in reaching}, EXIT)
    found = {}
    for label, targets in graph.items():
        if len(set(targets)) > 1 and label in after and after[label] != EXIT:
            inside = region(blocks, label, after[label])
            if label not in inside and all(one in reaching for one in inside):
                part = {one: [t for t in graph[one] if t in inside] for one in inside}
                if not _cyclic({label: list(dict.fromkeys(targets)), **part}, label, inside):
                    found[label] = after[label]
    return found


def _cyclic(graph: Mapping[str, Sequence[str]], label: str, inside: Iterable[str]) -> bool:
    known = {label, *inside}
    closed = {one: tuple(t for t in targets if t in known) for one, targets in graph.items()}
    try:
        return bool(loops(closed, label))
    except IrreducibleError:
        return True


def region(blocks: Mapping[str, Block], label: str, end: str) -> dict[str, None]:
    """The blocks after a branch and before another block, in the order of the program."""
    seen: set[str] = set()
    stack = [target for target in blocks[label].targets if target != end]
    while stack:
        here = stack.pop()
        if here not in seen:
            seen.add(here)
            stack += [target for target in blocks[here].targets if target != end]
    return {one: None for one in blocks if one in seen}


def paths(blocks: Mapping[str, Block], label: str, end: str) -> int:
    """How many paths there are from a branch to where it ends."""
    inside = region(blocks, label, end)
    graph = {one: tuple(t for t in blocks[one].targets if t in inside) for one in (label, *inside)}
    counts: dict[str, int] = {end: 1}
    for one in postorder(graph, label):
        counts[one] = sum(counts.get(t, 1) for t in dict.fromkeys(blocks[one].targets)) or 1
    return counts[label]
