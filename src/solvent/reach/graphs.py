"""Graphs of blocks: order, dominators, loops, and whether they are reducible.

>>> graph = {"a": ("b",), "b": ("c", "d"), "c": ("b",), "d": ()}
>>> found = loops(graph, "a")
>>> [(loop.head, sorted(loop.body), loop.back) for loop in found]
[('b', ['b', 'c'], ('c',))]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Graph = Mapping[str, Sequence[str]]


def predecessors(graph: Graph) -> dict[str, list[str]]:
    """For each node the nodes before it, in the order of the graph.

    >>> predecessors({"a": ("b", "c"), "b": ("c",), "c": ()})
    {'a': [], 'b': ['a'], 'c': ['a', 'b']}
    """
    found: dict[str, list[str]] = {node: [] for node in graph}
    for node, targets in graph.items():
        for target in dict.fromkeys(targets):
            found[target].append(node)
    return found


def postorder(graph: Graph, entry: str) -> list[str]:
    """The nodes that can be reached, each after all that it leads to, but for back edges."""
    order: list[str] = []
    seen = {entry}
    # Later targets come first, so that the reversed order has the order of the source.
    stack = [(entry, reversed(graph[entry]))]
    while stack:
        node, rest = stack[-1]
        for target in rest:
            if target not in seen:
                seen.add(target)
                stack.append((target, reversed(graph[target])))
                break
        else:
            order.append(node)
            stack.pop()
    return order


def topological(graph: Graph, entry: str) -> list[str]:
    """The nodes that can be reached, each before all that it leads to; the graph has no cycles."""
    return postorder(graph, entry)[::-1]


def dominators(graph: Graph, entry: str) -> dict[str, str]:
    """The immediate dominator of each node that can be reached; that of the entry is itself.

    >>> dominators({"a": ("b", "c"), "b": ("d",), "c": ("d",), "d": ()}, "a")["d"]
    'a'
    """
    order = postorder(graph, entry)
    number = {node: place for place, node in enumerate(order)}
    before = predecessors({node: graph[node] for node in order})
    found = {entry: entry}

    def common(a: str, b: str) -> str:
        while a != b:
            while number[a] < number[b]:
                a = found[a]
            while number[b] < number[a]:
                b = found[b]
        return a

    changed = True
    while changed:
        changed = False
        for node in reversed(order):
            if node == entry:
                continue
            known = [parent for parent in before[node] if parent in found]
            new = known[0]
            for parent in known[1:]:
                new = common(new, parent)
            if found.get(node) != new:
                found[node] = new
                changed = True
    return found


NodeT = TypeVar("NodeT")


@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop: its head, all of its nodes, and those from which edges lead back."""

    head: str
    body: frozenset[str]
    back: tuple[str, ...]


class IrreducibleError(ValueError):
    """A cycle that can be entered at several places; `edge` leads back into it."""

    def __init__(self, edge: tuple[str, str]) -> None:
        super().__init__(f"the loop with the edge from {edge[0]} to {edge[1]} has several entries")
        self.edge = edge


def loops(graph: Graph, entry: str) -> list[Loop]:
    """The loops, inner ones before those around them; a graph that is not reducible is refused."""
    order = postorder(graph, entry)
    number = {node: place for place, node in enumerate(order)}
    above = dominators(graph, entry)
    before = predecessors({node: graph[node] for node in order})
    back: dict[str, list[str]] = {}
    for node in order:
        for target in dict.fromkeys(graph[node]):
            if number[target] >= number[node]:
                if not _dominates(above, target, node):
                    raise IrreducibleError((node, target))
                back.setdefault(target, []).append(node)
    found = [Loop(head, _body(head, tails, before), tuple(tails)) for head, tails in back.items()]
    return sorted(found, key=lambda loop: (len(loop.body), number[loop.head]))


def _dominates(above: Mapping[str, str], node: str, other: str) -> bool:
    while other != node:
        if above[other] == other:
            return False
        other = above[other]
    return True


def _body(head: str, tails: Iterable[str], before: Mapping[str, list[str]]) -> frozenset[str]:
    """All nodes from which a tail can be reached without passing the head, and the head."""
    found = {head}
    stack = [tail for tail in tails if tail != head]
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            stack += before[node]
    return frozenset(found)


def components(graph: Mapping[NodeT, Iterable[NodeT]]) -> list[list[NodeT]]:
    """The strongly connected components, each after all that it leads to (Tarjan).

    >>> components({"main": ["f"], "f": ["g"], "g": ["f"]})
    [['g', 'f'], ['main']]
    """
    finder = _Components(graph)
    for node in graph:
        if node not in finder.index:
            finder.visit(node)
    return finder.found


class _Components(Generic[NodeT]):
    def __init__(self, graph: Mapping[NodeT, Iterable[NodeT]]) -> None:
        self.graph = graph
        self.index: dict[NodeT, int] = {}
        self.low: dict[NodeT, int] = {}
        self.stack: list[NodeT] = []
        self.open: set[NodeT] = set()
        self.found: list[list[NodeT]] = []

    def visit(self, root: NodeT) -> None:
        work = [(root, iter(self.graph[root]))]
        self.enter(root)
        while work:
            node, rest = work[-1]
            for target in rest:
                if target not in self.index:
                    self.enter(target)
                    work.append((target, iter(self.graph[target])))
                    break
                if target in self.open:
                    self.low[node] = min(self.low[node], self.index[target])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    self.low[parent] = min(self.low[parent], self.low[node])
                self.leave(node)

    def enter(self, node: NodeT) -> None:
        self.index[node] = self.low[node] = len(self.index)
        self.stack.append(node)
        self.open.add(node)

    def leave(self, node: NodeT) -> None:
        if self.low[node] != self.index[node]:
            return
        component = []
        while True:
            member = self.stack.pop()
            self.open.discard(member)
            component.append(member)
            if member == node:
                break
        self.found.append(component)
