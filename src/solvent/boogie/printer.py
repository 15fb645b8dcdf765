"""Writing syntax as Boogie source; what is written parses to the same syntax.

An expression becomes a stack of pieces, strings and subexpressions with the level of their
context, so that a chain of any length is written without recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from solvent.boogie import lexer
from solvent.boogie import syntax as s
from solvent.boogie.literals import float_text, real_text
from solvent.boogie.operators import (
    COERCION_LEVEL,
    GROUPING,
    LEFT,
    LEVELS,
    NONE,
    POSTFIX_LEVEL,
    RIGHT,
    UNARY_LEVEL,
    UNMIXED,
)

Piece = str | tuple[s.Expr, int]


def name_text(name: str) -> str:
    """A name as source text; a keyword needs a backslash.

    >>> name_text("x"), name_text("old")
    ('x', '\\\\old')
    """
    return f"\\{name}" if name in lexer.KEYWORDS or name.startswith("\\") else name


def names_text(names: Iterable[str]) -> str:
    """Names with commas between them."""
    return ", ".join(map(name_text, names))


# Types -------------------------------------------------------------------------------------------


def type_text(type_: s.TypeExpr) -> str:
    """A type as source text.

    >>> type_text(s.NamedTypeExpr("Field", (s.NamedTypeExpr("int"),)))
    'Field int'
    """
    if isinstance(type_, s.NamedTypeExpr):
        # The basic types are keywords, but no names of anything else.
        basic = type_.name in ("int", "bool", "real") and not type_.arguments
        name = type_.name if basic else name_text(type_.name)
        return " ".join((name, *map(_type_argument, type_.arguments)))
    assert isinstance(type_, s.MapTypeExpr)
    arguments = ", ".join(map(type_text, type_.arguments))
    return f"{type_parameters_text(type_.parameters)}[{arguments}]{type_text(type_.result)}"


def _type_argument(type_: s.TypeExpr) -> str:
    text = type_text(type_)
    return text if isinstance(type_, s.NamedTypeExpr) and not type_.arguments else f"({text})"


def type_parameters_text(parameters: tuple[s.TypeParameter, ...]) -> str:
    """`<a, b>`, or nothing."""
    return f"<{names_text(each.name for each in parameters)}>" if parameters else ""


# Expressions -------------------------------------------------------------------------------------


def expression_text(expression: s.Expr) -> str:
    """An expression as source text, with the parentheses that it needs and no others.

    >>> one = s.IntLiteral(1)
    >>> expression_text(s.Binary("*", s.Binary("+", one, one), one))
    '(1 + 1) * 1'
    """
    return written([(expression, 0)])


def written(pieces: list[Piece]) -> str:
    """Pieces as one text."""
    texts: list[str] = []
    pending = pieces[::-1]
    while pending:
        piece = pending.pop()
        if isinstance(piece, str):
            texts.append(piece)
        else:
            pending.extend(reversed(PIECES[type(piece[0])](*piece)))
    return "".join(texts)


def _bracketed(pieces: list[Piece], needed: bool) -> list[Piece]:
    return ["(", *pieces, ")"] if needed else pieces


def _listed(expressions: Iterable[s.Expr]) -> list[Piece]:
    pieces: list[Piece] = []
    for expression in expressions:
        if pieces:
            pieces.append(", ")
        pieces.append((expression, 0))
    return pieces


def _unary(e: s.Unary, level: int) -> list[Piece]:
    operand = e.operand
    if e.operator == "-" and isinstance(operand, s.FloatLiteral):
        # Without parentheses the minus would belong to the literal.
        return _bracketed(["-(", (operand, 0), ")"], level > UNARY_LEVEL)
    return _bracketed([e.operator, (operand, UNARY_LEVEL)], level > UNARY_LEVEL)


def _side(operator: str, operand: s.Expr, side: str) -> int:
    """The level at which an operand of a binary operator stands."""
    level, grouping = LEVELS[operator], GROUPING[operator]
    if grouping == NONE or grouping != side:
        return level + 1
    if isinstance(operand, s.Binary) and LEVELS[operand.operator] == level:
        mixed = operand.operator != operator and level in UNMIXED
        return level + mixed
    return level


def _binary(e: s.Binary, level: int) -> list[Piece]:
    left, right = _side(e.operator, e.left, LEFT), _side(e.operator, e.right, RIGHT)
    pieces: list[Piece] = [(e.left, left), f" {e.operator} ", (e.right, right)]
    return _bracketed(pieces, level > LEVELS[e.operator])


def _coerce(e: s.Coerce, level: int) -> list[Piece]:
    # What follows could be read as an argument of the type, so it is closed off, except by `:`.
    inner = 0 if isinstance(e.operand, s.Coerce) else COERCION_LEVEL
    pieces: list[Piece] = [(e.operand, inner), f": {type_text(e.type)}"]
    return _bracketed(pieces, level > 0)


def _select(e: s.Select, _: int) -> list[Piece]:
    return [(e.map, POSTFIX_LEVEL), "[", *_listed(e.indices), "]"]


def _update(e: s.Update, _: int) -> list[Piece]:
    return [(e.map, POSTFIX_LEVEL), "[", *_listed(e.indices), " := ", (e.value, 0), "]"]


def _if_then_else(e: s.IfThenElse, level: int) -> list[Piece]:
    pieces: list[Piece] = ["if ", (e.condition, 0), " then ", (e.then, 0), " else "]
    return _bracketed([*pieces, (e.otherwise, 0)], level > 0)


def attribute_pieces(attributes: Iterable[s.Attribute], before: str = " ") -> list[Piece]:
    """Attributes, each with a space before it."""
    pieces: list[Piece] = []
    for attribute in attributes:
        # Keywords are fine as names of attributes, but a backslash in front must be doubled.
        name = attribute.name if attribute.name in lexer.KEYWORDS else name_text(attribute.name)
        pieces.append(f"{before}{{:{name}")
        if attribute.arguments:
            pieces += [" ", *_listed(attribute.arguments)]
        pieces.append("}")
    return pieces


def variable_pieces(variable: s.Variable) -> list[Piece]:
    """`{:a} x: T where e`; a variable without a name is its type alone."""
    pieces = attribute_pieces(variable.attributes, "")
    if variable.attributes:
        pieces.append(" ")
    if variable.name:
        pieces.append(f"{name_text(variable.name)}: ")
    pieces.append(type_text(variable.type))
    if variable.where is not None:
        pieces += [" where ", (variable.where, 0)]
    return pieces


def _binder(e: s.Quantifier | s.Lambda, word: str) -> list[Piece]:
    pieces: list[Piece] = [f"({word}{type_parameters_text(e.type_parameters)}"]
    for at, variable in enumerate(e.variables):
        pieces += [", " if at else " ", *variable_pieces(variable)]
    return [*pieces, " ::", *attribute_pieces(e.attributes)]


def _quantifier(e: s.Quantifier, _: int) -> list[Piece]:
    pieces = _binder(e, e.kind)
    for trigger in e.triggers:
        opening = " {:nopats " if trigger.negative else " {"
        pieces += [opening, *_listed(trigger.expressions), "}"]
    return [*pieces, " ", (e.body, 0), ")"]


def _let(e: s.Let, _: int) -> list[Piece]:
    pieces: list[Piece] = ["(var"]
    for at, variable in enumerate(e.variables):
        pieces += ["," if at else "", *attribute_pieces(variable.attributes)]
        pieces.append(f" {name_text(variable.name)}")
    pieces += [" := ", *_listed(e.values), ";", *attribute_pieces(e.attributes)]
    return [*pieces, " ", (e.body, 0), ")"]


# How each kind is written; `program_printer` adds code, in which there are statements.
PIECES: dict[type[s.Expr], Callable[[Any, int], list[Piece]]] = {
    s.BoolLiteral: lambda e, _: ["true" if e.value else "false"],
    s.IntLiteral: lambda e, _: [str(e.value)],
    s.RealLiteral: lambda e, _: [real_text(e)],
    s.BitVecLiteral: lambda e, _: [f"{e.value}bv{e.width}"],
    s.FloatLiteral: lambda e, level: _bracketed(
        [float_text(e)], e.negative and level > UNARY_LEVEL
    ),
    s.RoundingLiteral: lambda e, _: [e.mode],
    s.StringLiteral: lambda e, _: [f'"{e.value}"'],
    s.Identifier: lambda e, _: [name_text(e.name)],
    s.Old: lambda e, _: ["old(", (e.operand, 0), ")"],
    s.Unary: _unary,
    s.Binary: _binary,
    s.Apply: lambda e, _: [f"{name_text(e.function)}(", *_listed(e.arguments), ")"],
    s.Convert: lambda e, _: [f"{e.target}(", (e.operand, 0), ")"],
    s.Coerce: _coerce,
    s.Select: _select,
    s.Update: _update,
    s.Extract: lambda e, _: [(e.operand, POSTFIX_LEVEL), f"[{e.high}:{e.low}]"],
    s.IfThenElse: _if_then_else,
    s.Quantifier: _quantifier,
    s.Lambda: lambda e, _: [*_binder(e, "lambda"), " ", (e.body, 0), ")"],
    s.Let: _let,
}
