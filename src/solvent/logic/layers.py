"""Unrolled programs: copies of the blocks in layers, so that no cycle is left (section 4).

An edge that leads back, into a loop again, leads from one layer into the next.  From the last layer
it leads to an *unwinding*: if no execution gets there, the bound was large enough.  For induction
the layers begin at the heads of loops, with any values for the variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from solvent.logic.flat import Flat, FlatBlock, Step, Unwind
from solvent.reach.graphs import postorder, topological
from solvent.reach.program import Assert, Assume


@dataclass(frozen=True, slots=True)
class Unrolled:
    """Blocks without cycles, in topological order, and the blocks that they are copies of."""

    flat: Flat
    blocks: Mapping[str, FlatBlock]
    originals: Mapping[str, str]

    @property
    def entry(self) -> str:
        """The label of the first block."""
        return next(iter(self.blocks))


def heads(flat: Flat) -> dict[str, list[str]]:
    """The blocks that edges lead back to, with those from which they come."""
    graph = flat.graph
    order = postorder(graph, flat.entry)
    number = {label: place for place, label in enumerate(order)}
    found: dict[str, list[str]] = {}
    for label in order:
        for target in graph[label]:
            if number[target] >= number[label]:
                found.setdefault(target, []).append(label)
    return found


def unroll(flat: Flat, rounds: int) -> Unrolled:
    """The program in which edges lead back at most so often, in all.

    >>> from solvent.reach.program import Block, Procedure, Program
    >>> from solvent.logic.flat import flatten
    >>> blocks = [Block("a", (), ("h",)), Block("h", (), ("h", "e")), Block("e", (), ())]
    >>> p = Procedure("p", blocks={block.label: block for block in blocks})
    >>> list(unroll(flatten(Program((), {"p": p}), "p"), 1).blocks)
    ['a', 'h', 'h#1', 'unwinding', 'e#1', 'e']
    """
    return _Copies(flat, rounds).run({flat.entry: 0})


def inductive_step(flat: Flat, rounds: int) -> Unrolled | None:
    """So many rounds of loops without a failure, from anywhere, and one more; None without loops.

    The first block has all heads of loops as targets, and all variables may have any values there.
    """
    starts = heads(flat)
    if not starts:
        return None
    copies = _Copies(flat, rounds, assumed=True)
    return copies.run(dict.fromkeys(starts, 0), entry="anywhere")


class _Copies:
    def __init__(self, flat: Flat, rounds: int, assumed: bool = False) -> None:
        self.flat = flat
        self.rounds = rounds
        # Whether assertions are assumed but in the last layer.
        self.assumed = assumed
        self.back = {(label, head) for head, found in heads(flat).items() for label in found}
        self.blocks: dict[str, FlatBlock] = {}
        self.originals: dict[str, str] = {}

    def run(self, starts: Mapping[str, int], entry: str = "") -> Unrolled:
        waiting = list(starts.items())
        if entry:
            first = tuple(_copy(label, layer) for label, layer in starts.items())
            self.blocks[entry] = FlatBlock(entry, (), first)
        while waiting:
            label, layer = waiting.pop(0)
            name = _copy(label, layer)
            if name in self.blocks:
                continue
            found = self.flat.blocks[label]
            targets: list[str] = []
            for target in found.targets:
                after = layer + ((label, target) in self.back)
                if after > self.rounds:
                    targets.append("unwinding")
                    self.blocks["unwinding"] = FlatBlock("unwinding", (Unwind(),), ())
                else:
                    targets.append(_copy(target, after))
                    waiting.append((target, after))
            steps = found.steps if layer == self.rounds or not self.assumed else _assumed(found)
            self.blocks[name] = replace(
                found, label=name, steps=steps, targets=tuple(dict.fromkeys(targets))
            )
            self.originals[name] = label
        graph = {one: block.targets for one, block in self.blocks.items()}
        order = topological(graph, entry or next(iter(self.blocks)))
        return Unrolled(self.flat, {one: self.blocks[one] for one in order}, self.originals)


def _copy(label: str, layer: int) -> str:
    return f"{label}#{layer}" if layer else label


def _assumed(block: FlatBlock) -> tuple[Step, ...]:
    return tuple(
        Assume(step.condition, step.where) if isinstance(step, Assert) else step
        for step in block.steps
    )
