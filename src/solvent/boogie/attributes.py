"""Questions about attributes such as `{:inline 1}` and `{:bvbuiltin "bvadd"}`."""

from __future__ import annotations

from collections.abc import Iterable

from solvent.boogie.syntax import Attribute, BoolLiteral, Expr, IntLiteral, StringLiteral


def find(attributes: Iterable[Attribute], name: str) -> Attribute | None:
    """The last attribute with a name, or None: as in Boogie, the last one counts."""
    found = None
    for attribute in attributes:
        if attribute.name == name:
            found = attribute
    return found


def _argument(attributes: Iterable[Attribute], name: str) -> Expr | None:
    attribute = find(attributes, name)
    return attribute.arguments[0] if attribute is not None and attribute.arguments else None


def string(attributes: Iterable[Attribute], name: str) -> str | None:
    """The string that an attribute gives, or None.

    >>> string([Attribute("bvbuiltin", (StringLiteral("bvadd"),))], "bvbuiltin")
    'bvadd'
    """
    argument = _argument(attributes, name)
    return argument.value if isinstance(argument, StringLiteral) else None


def number(attributes: Iterable[Attribute], name: str) -> int | None:
    """The number that an attribute gives, or None.

    >>> number([Attribute("inline", (IntLiteral(2),))], "inline")
    2
    """
    argument = _argument(attributes, name)
    return argument.value if isinstance(argument, IntLiteral) else None


def flag(attributes: Iterable[Attribute], name: str, default: bool = False) -> bool:
    """Whether an attribute is set: alone it means true, an argument may say false.

    >>> flag([Attribute("inline")], "inline"), flag([], "inline")
    (True, False)
    """
    attribute = find(attributes, name)
    if attribute is None:
        return default
    argument = attribute.arguments[0] if attribute.arguments else None
    return argument.value if isinstance(argument, BoolLiteral) else True
