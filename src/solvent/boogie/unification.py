"""Making two types equal by finding out what their proxies stand for."""

from __future__ import annotations

from solvent.boogie.types import (
    UNKNOWN,
    ConstructorType,
    MapType,
    Proxy,
    Type,
    TypeVariable,
    proxies_in,
    proxy,
    pruned,
    rebuild,
    resolved,
)


def unify(left: Type, right: Type) -> bool:
    """Make two types equal by giving types to proxies; whether that is possible.

    >>> from solvent.boogie.types import BOOL, INT, map_type
    >>> unknown = proxy()
    >>> unify(map_type((INT,), unknown), map_type((INT,), BOOL)), str(resolved(unknown))
    (True, 'bool')
    """
    left, right = pruned(left), pruned(right)
    if left is right or left is UNKNOWN or right is UNKNOWN:
        return True
    if isinstance(left, Proxy):
        return _bind(left, right)
    if isinstance(right, Proxy):
        return _bind(right, left)
    if isinstance(left, ConstructorType) and isinstance(right, ConstructorType):
        return left.name == right.name and _unify_all(left.arguments, right.arguments)
    if isinstance(left, MapType) and isinstance(right, MapType):
        return (
            left.parameters == right.parameters
            and _unify_all(left.arguments, right.arguments)
            and unify(left.result, right.result)
        )
    return False


def _unify_all(left: tuple[Type, ...], right: tuple[Type, ...]) -> bool:
    return len(left) == len(right) and all(map(unify, left, right))


def _bind(unknown: Proxy, type_: Type) -> bool:
    known = resolved(type_)
    # A variable of a map type must not leave it, and no type contains itself.
    if known.loose or (known.has_proxy and unknown in proxies_in(known)):
        return False
    unknown.target = known
    return True


def comparable(left: Type, right: Type) -> bool:
    """Whether values of two types may be compared: some types for their variables make them equal.

    >>> from solvent.boogie.types import INT, constructor_type, type_variable
    >>> a = type_variable("a")
    >>> comparable(constructor_type("Field", (a,)), constructor_type("Field", (INT,)))
    True
    """
    if unify(left, right):
        return True
    fresh: dict[Type, Proxy] = {}

    def loosen(part: Type, _: int) -> Type:
        if isinstance(part, (TypeVariable, Proxy)):
            return fresh.setdefault(part, proxy())
        return part

    return unify(rebuild(resolved(left), loosen), rebuild(resolved(right), loosen))
