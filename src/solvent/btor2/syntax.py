"""A BTOR2 model as its lines say it (figure 7): nodes by their numbers, in the order of the file.

Numbers may be as far apart as they like: nodes live in a dictionary.  A negative argument `-5`
stands for the bitwise complement of node 5.  Sorts are those of `solvent.terms`, so that two sort
lines that say the same are one sort.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from solvent.terms.sorts import ArraySort, BitVecSort, Sort
from solvent.terms.term import Term

# The lines that are neither sorts nor values: they have no sort of their own.
PROPERTIES = ("bad", "constraint", "fair", "output")
# The constants: their value is the node's first number.
LITERALS = ("const", "constd", "consth", "zero", "one", "ones")

AnySort: TypeAlias = Sort[Term]


@dataclass(slots=True)
class Node:
    """One line: its number, what it is, the sort it names, its arguments, numbers and symbol.

    `numbers` are the widths of `uext`, `sext` and `slice`, and the value of a constant.  Of a line
    that defines a sort, `sort` is that sort.
    """

    id: int
    op: str
    sid: int = 0
    sort: AnySort | None = None
    args: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    symbol: str = ""
    comment: str = ""
    line: int = 0

    @property
    def width(self) -> int:
        """The number of bits of a bitvector."""
        assert isinstance(self.sort, BitVecSort)
        return self.sort.width


@dataclass(slots=True)
class Model:
    """A whole model: all nodes, and those that play a part in it.

    >>> from solvent.btor2 import parse
    >>> model = parse("1 sort bitvec 8\\n2 state 1 count\\n3 inc 1 2\\n4 next 1 2 3")
    >>> [node.op for node in model.nodes.values()], model.states[0].symbol, model.nexts[2]
    (['sort', 'state', 'inc', 'next'], 'count', 3)
    """

    name: str = "<btor2>"
    nodes: dict[int, Node] = field(default_factory=dict)
    # Comments that have a line of their own, by how many nodes stand before them.
    comments: dict[int, list[str]] = field(default_factory=dict)
    inputs: list[Node] = field(default_factory=list)
    states: list[Node] = field(default_factory=list)
    # What a state starts with and becomes: arguments, by the number of the state.
    inits: dict[int, int] = field(default_factory=dict)
    nexts: dict[int, int] = field(default_factory=dict)
    bads: list[Node] = field(default_factory=list)
    constraints: list[Node] = field(default_factory=list)
    fairs: list[Node] = field(default_factory=list)
    outputs: list[Node] = field(default_factory=list)
    justices: list[Node] = field(default_factory=list)

    def append(self, node: Node) -> None:
        """Add a line at the end."""
        self.nodes[node.id] = node
        match node.op:
            case "input":
                self.inputs.append(node)
            case "state":
                self.states.append(node)
            case "init":
                self.inits[node.args[0]] = node.args[1]
            case "next":
                self.nexts[node.args[0]] = node.args[1]
            case "bad":
                self.bads.append(node)
            case "constraint":
                self.constraints.append(node)
            case "fair":
                self.fairs.append(node)
            case "output":
                self.outputs.append(node)
            case "justice":
                self.justices.append(node)

    def sort_of(self, argument: int) -> AnySort:
        """The sort of an argument, which may be negated."""
        sort = self.nodes[abs(argument)].sort
        assert sort is not None
        return sort

    @property
    def has_arrays(self) -> bool:
        """Whether any input or state is an array."""
        return any(isinstance(node.sort, ArraySort) for node in (*self.inputs, *self.states))


def describe(sort: AnySort | None) -> str:
    """A sort in BTOR2's words.

    >>> from solvent.terms import Array, BitVec
    >>> describe(Array(BitVec(4), BitVec(8)))
    'array of bitvec 8 by bitvec 4'
    """
    if isinstance(sort, BitVecSort):
        return f"bitvec {sort.width}"
    if isinstance(sort, ArraySort):
        return f"array of {describe(sort.element)} by {describe(sort.index)}"
    return "no sort"


def label(node: Node, kind: str, position: int) -> str:
    """What witnesses and reports call an input or a state: its symbol, or its kind and position."""
    return node.symbol or f"{kind}{position}"
