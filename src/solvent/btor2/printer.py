"""A model as BTOR2 text."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.btor2.digits import is_long
from solvent.btor2.syntax import LITERALS, PROPERTIES, Model, Node
from solvent.terms.sorts import BitVecSort


def print_model(model: Model) -> str:
    """The text of a model, one line for each node, with its symbols and comments.

    >>> from solvent.btor2 import parse
    >>> print(print_model(parse("1  sort bitvec 4\\n; a counter\\n9 state 1 n ; counts")), end="")
    1 sort bitvec 4
    ; a counter
    9 state 1 n ; counts
    """
    return "".join(f"{line}\n" for line in lines(model))


def lines(model: Model) -> Iterator[str]:
    """The lines of a model."""
    comments = model.comments
    position = 0
    for position, node in enumerate(model.nodes.values()):
        if position in comments:
            yield from (f";{text}" for text in comments[position])
        yield line(node)
    if model.nodes:
        position += 1
    yield from (f";{text}" for text in comments.get(position, ()))


def line(node: Node) -> str:
    """One node."""
    op = node.op
    if op == "constd" and is_long(node.numbers[0]):
        op = "consth"
    text = f"{node.id} {op}{_rest(node, op)}"
    if node.symbol:
        text += f" {node.symbol}"
    return f"{text} ;{node.comment}" if node.comment else text


def _rest(node: Node, op: str) -> str:
    if op == "sort":
        if isinstance(node.sort, BitVecSort):
            return f" bitvec {node.sort.width}"
        return f" array {node.args[0]} {node.args[1]}"
    if op in LITERALS:
        return f" {node.sid}{_digits(node, op)}"
    if op in PROPERTIES:
        return f" {node.args[0]}"
    if op == "justice":
        return " ".join(["", str(len(node.args)), *map(str, node.args)])
    parts = "".join([f" {part}" for part in (*node.args, *node.numbers)])
    return f" {node.sid}{parts}"


def _digits(node: Node, op: str) -> str:
    match op:
        case "const":
            return f" {node.numbers[0]:0{node.width}b}"
        case "constd":
            return f" {node.numbers[0]}"
        case "consth":
            return f" {node.numbers[0]:x}"
    return ""
