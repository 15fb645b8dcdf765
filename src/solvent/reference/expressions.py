"""Symbolic Booleans and integers as plain trees: what the toy and the naive factory share.

They are those of figure 5, with the operators of section 6.1 and with Boolean variables:

    b ::= #t | #f | x | (!b) | (b && b) | (d < d) | (d = d)
    d ::= an integer | x | (-d) | (d + d) | (d * d)

Operations on constants give constants, and nothing else is simplified.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from solvent.depth import deep_recursion
from solvent.reference.concrete import Closure, Value, is_int
from solvent.reference.factory import Model, SymBool, SymClosure, SymValue
from solvent.reference.syntax import OPERATORS
from solvent.terms.booleans import and_, eq, not_
from solvent.terms.kinds import Guard, Integer
from solvent.terms.model import Model as TermModel
from solvent.terms.sorts import Bool, Int

_BOOLEAN = frozenset(("!", "&&", "<", "="))


class Symbol:
    """A symbolic variable."""

    __slots__ = ("name", "sort")

    size = 1

    def __init__(self, name: str, sort: str) -> None:
        self.name = name
        self.sort = sort

    def __repr__(self) -> str:
        return self.name


class Node:
    """An operator with its operands; `size` is the number of nodes of the tree."""

    __slots__ = ("operands", "operator", "size", "sort", "term")

    def __init__(self, operator: str, *operands: Tree) -> None:
        self.operator = operator
        self.operands = operands
        self.sort = "bool" if operator in _BOOLEAN else "int"
        self.size: int = 1 + sum(map(size_of, operands))
        # The same as a term of Solvent, once somebody has asked for it.
        self.term: Any = None

    def __repr__(self) -> str:
        return text(self) if self.size <= LONGEST_TEXT else f"<{self.size} nodes>"


LONGEST_TEXT = 1000

# The leaves of trees, and trees.
Constant = bool | int
Leaf = Constant | Symbol
Tree = Leaf | Node

# What the parts of a tree become.
Folded = TypeVar("Folded")


def size_of(tree: Tree) -> int:
    """The number of nodes of a tree; a constant is one.

    >>> size_of(Node("!", Symbol("p", "bool")))
    2
    """
    size: int = tree.size if isinstance(tree, (Node, Symbol)) else 1
    return size


def fold(
    root: Tree,
    leaf: Callable[[Leaf], Folded],
    combine: Callable[[str, list[Folded]], Folded],
    known: dict[int, Folded],
) -> Folded:
    """The value of a tree from those of its leaves; `known` has what was found already, by id."""
    stack = [root]
    while stack:
        tree = stack[-1]
        if id(tree) in known:
            stack.pop()
        elif not isinstance(tree, Node):
            known[id(stack.pop())] = leaf(tree)
        else:
            missing = [operand for operand in tree.operands if id(operand) not in known]
            if missing:
                stack += missing
            else:
                values = [known[id(operand)] for operand in tree.operands]
                known[id(stack.pop())] = combine(tree.operator, values)
    return known[id(root)]


def text(tree: Tree) -> str:
    """A tree in the notation of figure 5.

    >>> text(Node("!", Node("<", Symbol("z", "int"), 0)))
    '(!(z < 0))'
    """

    def leaf(value: Leaf) -> str:
        return ("#t" if value else "#f") if isinstance(value, bool) else str(value)

    def combine(operator: str, operands: list[str]) -> str:
        if len(operands) == 1:
            return f"({operator}{operands[0]})"
        return f"({operands[0]} {operator} {operands[1]})"

    shown: str = fold(tree, leaf, combine, {})
    return shown


def show(value: SymValue) -> str:
    """A symbolic value, for a reader.

    >>> show(True), show(3)
    ('#t', '3')
    """
    return text(value) if isinstance(value, bool) else repr(value)


def meaning(operator: str, values: list[Constant]) -> Constant:
    """The value of an operator on concrete values."""
    match operator:
        case "!":
            return not values[0]
        case "&&":
            return values[0] and values[1]
        case "=":
            return values[0] == values[1]
        case _:
            number: Constant = _number_meaning(operator, values)
            return number


def term_meaning(operator: str, values: list[Any]) -> Guard | Integer:
    """The value of an operator on terms of Solvent."""
    match operator:
        case "!":
            return not_(values[0])
        case "&&":
            return and_(values[0], values[1])
        case "=":
            return eq(values[0], values[1])
        case _:
            number: Guard | Integer = _number_meaning(operator, values)
            return number


def _number_meaning(operator: str, values: list[Any]) -> Any:
    match operator:
        case "<":
            return values[0] < values[1]
        case "+":
            return values[0] + values[1]
        case "*":
            return values[0] * values[1]
        case _:
            return -values[0]


def term_of(tree: Tree) -> Guard | Integer:
    """A tree as a term or constant of Solvent.

    >>> term_of(Node("<", Symbol("z", "int"), 0))
    z <= -1
    """
    if not isinstance(tree, Node):
        return _leaf_term(tree)
    if tree.term is None:
        stack = [tree]
        while stack:
            node = stack[-1]
            missing = [o for o in node.operands if type(o) is Node and o.term is None]
            if missing:
                stack += missing
            else:
                node.term = term_meaning(node.operator, [_known_term(o) for o in node.operands])
                stack.pop()
    found: Guard | Integer = tree.term
    return found


def _known_term(tree: Tree) -> Guard | Integer:
    found: Guard | Integer = tree.term if isinstance(tree, Node) else _leaf_term(tree)
    return found


def _leaf_term(leaf: Leaf) -> Guard | Integer:
    if isinstance(leaf, Symbol):
        return Int(leaf.name) if leaf.sort == "int" else Bool(leaf.name)
    return leaf


def is_boolean(value: object) -> bool:
    """Whether a value that is no choice is a symbolic Boolean."""
    return type(value) is bool or (isinstance(value, (Node, Symbol)) and value.sort == "bool")


def is_integer(value: object) -> bool:
    """Whether a value that is no choice is a symbolic integer."""
    return is_int(value) or (isinstance(value, (Node, Symbol)) and value.sort == "int")


def values_by_name(model: Model) -> Mapping[str, bool | int]:
    """A model as a mapping from names; what it does not list has the value 0 or `#f`."""
    return model.to_dict() if isinstance(model, TermModel) else model


class Interpretation:
    """What trees and values are under one model; what is shared is interpreted once."""

    def __init__(
        self, model: Model, selected: Callable[[Interpretation, SymValue], SymValue]
    ) -> None:
        self.names = values_by_name(model)
        # How a factory selects from a choice, like a union.
        self.selected = selected
        self.trees: dict[int, Constant] = {}
        self.values: dict[int, Value] = {}

    def leaf(self, leaf: Leaf) -> Constant:
        """A constant or variable."""
        if isinstance(leaf, Symbol):
            return self.names.get(leaf.name, 0 if leaf.sort == "int" else False)
        return leaf

    def tree(self, tree: Tree) -> Constant:
        """A symbolic Boolean or integer."""
        return fold(tree, self.leaf, meaning, self.trees)

    def value(self, v: SymValue) -> Value:
        """A symbolic value."""
        if id(v) not in self.values:
            self.values[id(v)] = self.new_value(v)
        return self.values[id(v)]

    def new_value(self, v: SymValue) -> Value:
        """A symbolic value that was not met before."""
        if isinstance(v, (Node, Symbol, bool, int)):
            found: Value = self.tree(v)
            return found
        if isinstance(v, tuple):
            return tuple([self.value(item) for item in v])
        if isinstance(v, SymClosure):
            environment = {name: self.value(inner) for name, inner in v.environment.items()}
            return Closure(v.variable, v.body, environment)
        return self.value(self.selected(self, v))


# The result of an operator on operands of a wrong type or number.
WRONG = object()


class TreeFactory:
    """The operations on symbolic Booleans of figure 5, and those on values that are no choices."""

    tt: SymBool = True
    ff: SymBool = False

    # --- symbolic Booleans ---

    def not_(self, b: SymBool) -> SymBool:
        """Negation."""
        return not b if isinstance(b, bool) else Node("!", b)

    def and_(self, a: SymBool, b: SymBool) -> SymBool:
        """Conjunction."""
        if isinstance(a, bool):
            return b if a else False
        if isinstance(b, bool):
            return a if b else False
        return Node("&&", a, b)

    def or_(self, a: SymBool, b: SymBool) -> SymBool:
        """Disjunction, by de Morgan's law."""
        return self.not_(self.and_(self.not_(a), self.not_(b)))

    def imp(self, a: SymBool, b: SymBool) -> SymBool:
        """Implication: not a without b."""
        return self.not_(self.and_(a, self.not_(b)))

    def is_tt(self, b: SymBool) -> bool:
        """Whether a symbolic Boolean is the constant tt itself."""
        return b is True

    def is_ff(self, b: SymBool) -> bool:
        """Whether a symbolic Boolean is the constant ff itself."""
        return b is False

    def bool_under(self, model: Model, b: SymBool) -> bool:
        """The interpretation of a symbolic Boolean."""
        return bool(Interpretation(model, type(self).selected).tree(b))

    def term(self, b: SymBool) -> Guard:
        """A symbolic Boolean as a term or constant of Solvent."""
        return term_of(b)  # type: ignore[return-value]

    def size(self, *booleans: SymBool) -> int:
        """The number of nodes of trees, as table 1 counts them."""
        return sum(map(size_of, booleans))

    # --- symbolic values ---

    def symbolic(self, name: str, sort: str) -> SymValue:
        """The symbolic variable of a name."""
        return Symbol(name, sort)

    def lift(self, value: bool | int | tuple[()] | SymClosure) -> SymValue:
        """A constant or closure, which is a symbolic value itself."""
        return value

    def value_under(self, model: Model, v: SymValue) -> Value:
        """The interpretation of a symbolic value."""
        with deep_recursion():
            return Interpretation(model, type(self).selected).value(v)

    @staticmethod
    def selected(interpretation: Interpretation, choice: SymValue) -> SymValue:
        """What a choice is under a model."""
        raise NotImplementedError

    def plain(self, v: SymValue) -> SymValue:
        """A value that is no choice, with terms of Solvent for trees."""
        return term_of(v) if isinstance(v, (Node, Symbol)) else v

    def plain_truth(self, v: SymValue) -> SymBool:
        """Where a value that is no choice is not `#f`."""
        return v if is_boolean(v) else self.tt

    # --- operators on values that are no choices ---

    def arithmetic(self, operator: str, *operands: Tree) -> Tree:
        """An operator on integers; constants give a constant."""
        constants = [operand for operand in operands if isinstance(operand, int)]
        if len(constants) == len(operands):
            return meaning(operator, constants)
        return Node(operator, *operands)

    def plain_op(self, operator: str, values: Sequence[SymValue]) -> SymValue:
        """An operator on values that are no choices; `WRONG` if it is an error."""
        match operator, list(values):
            case "cons", [a, tuple(rest)]:
                return (a, *rest)
            case "car", [tuple(items)] if items:
                return items[0]
            case "cdr", [tuple(items)] if items:
                return items[1:]
            case "null?", [tuple(items)]:
                return not items
            case (("+" | "*" | "=" | "<"), [a, b]) if is_integer(a) and is_integer(b):
                return self.arithmetic(operator, a, b)
            case "-", [a] if is_integer(a):
                return self.arithmetic(operator, a)
            case _:
                return WRONG


def looked_at(operator: str, values: Sequence[SymValue]) -> list[int]:
    """The places of the operands that an operator looks at: `cons` takes any first one.

    >>> looked_at("cons", [1, ()]), looked_at("+", [1])
    ([1], [])
    """
    if len(values) != OPERATORS.get(operator):
        return []
    return list(range(1 if operator == "cons" else 0, len(values)))
