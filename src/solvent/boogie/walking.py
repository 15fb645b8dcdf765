"""Walking over syntax without recursion, since a chain of operators may be 100,000 long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

from solvent.boogie import syntax as s


def _none(_: s.Expr) -> tuple[s.Expr, ...]:
    return ()


def _quantifier(e: s.Quantifier) -> tuple[s.Expr, ...]:
    patterns = (each for trigger in e.triggers for each in trigger.expressions)
    return (*attribute_arguments(e.attributes), *patterns, e.body)


# The direct subexpressions of each class; a code expression keeps its statements to itself.
_CHILDREN: dict[type[s.Expr], Callable[[Any], tuple[s.Expr, ...]]] = {
    s.BoolLiteral: _none,
    s.IntLiteral: _none,
    s.RealLiteral: _none,
    s.BitVecLiteral: _none,
    s.FloatLiteral: _none,
    s.RoundingLiteral: _none,
    s.StringLiteral: _none,
    s.Identifier: _none,
    s.CodeExpr: _none,
    s.Old: lambda e: (e.operand,),
    s.Unary: lambda e: (e.operand,),
    s.Binary: lambda e: (e.left, e.right),
    s.Apply: lambda e: e.arguments,
    s.Convert: lambda e: (e.operand,),
    s.Coerce: lambda e: (e.operand,),
    s.Select: lambda e: (e.map, *e.indices),
    s.Update: lambda e: (e.map, *e.indices, e.value),
    s.Extract: lambda e: (e.operand,),
    s.IfThenElse: lambda e: (e.condition, e.then, e.otherwise),
    s.Quantifier: _quantifier,
    s.Lambda: lambda e: (*attribute_arguments(e.attributes), e.body),
    # Whoever walks from the end of this order backwards meets the values before their uses.
    s.Let: lambda e: (*e.values, *attribute_arguments(e.attributes), e.body),
}


def attribute_arguments(attributes: tuple[s.Attribute, ...]) -> tuple[s.Expr, ...]:
    """The arguments of all attributes, in order."""
    return tuple(each for attribute in attributes for each in attribute.arguments)


def children(expression: s.Expr) -> tuple[s.Expr, ...]:
    """The direct subexpressions, attributes and triggers included.

    >>> [child.name for child in children(s.Binary("+", s.Identifier("x"), s.Identifier("y")))]
    ['x', 'y']
    """
    return _CHILDREN[type(expression)](expression)


def parents_first(root: s.Expr) -> list[s.Expr]:
    """Every subexpression, each after the one that contains it; reversed: before it."""
    order: list[s.Expr] = []
    pending = [root]
    while pending:
        expression = pending.pop()
        order.append(expression)
        pending.extend(_CHILDREN[type(expression)](expression))
    return order


_FIELDS: dict[type[s.Node], tuple[str, ...]] = {}


def _compared(kind: type[s.Node]) -> tuple[str, ...]:
    """The names of the fields of a class that make up its structure."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(
            each.name for each in fields(kind) if each.name not in ("position", "end")
        )
    return _FIELDS[kind]


def same(left: object, right: object) -> bool:
    """Whether two nodes, or tuples of nodes, have the same structure; positions do not count.

    >>> same(s.Old(s.Identifier("x")), s.Old(s.Identifier("x")))
    True
    >>> same(s.IntLiteral(1), s.BoolLiteral(True))
    False
    """
    pending: list[tuple[object, object]] = [(left, right)]
    while pending:
        a, b = pending.pop()
        if a is b:
            continue
        if type(a) is not type(b):
            return False
        if isinstance(a, s.Node):
            pending.extend((getattr(a, name), getattr(b, name)) for name in _compared(type(a)))
        elif isinstance(a, tuple) and isinstance(b, tuple):
            if len(a) != len(b):
                return False
            pending.extend(zip(a, b, strict=True))
        elif a != b:
            return False
    return True


def nodes_of(root: s.Node) -> Iterator[s.Node]:
    """Every node below and including `root`, of any class, parents first.

    >>> [type(node).__name__ for node in nodes_of(s.Old(s.Identifier("x")))]
    ['Old', 'Identifier']
    """
    pending: list[object] = [root]
    while pending:
        found = pending.pop()
        if isinstance(found, s.Node):
            yield found
            values = [getattr(found, name) for name in _compared(type(found))]
            pending.extend(reversed(values))
        elif isinstance(found, tuple):
            pending.extend(reversed(found))
