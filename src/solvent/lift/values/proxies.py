"""`MappingProxyType`: a view of a dict, which is asked instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MappingProxyType

from solvent.lift import operators
from solvent.lift.calls import method
from solvent.lift.registry import lifts_method
from solvent.lift.survey import target
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import Texts, behaves, contained, get_item, iter_of, iterate
from solvent.lift.values.protocol import equal as equal_values
from solvent.vm.values import Guard, Value

Proxy = MappingProxyType[Value, Value]


def _asked(name: str) -> Callable[..., Value]:
    """A method that does what the one of the dict does."""

    def apply(proxy: Proxy, *args: Value, **named: Value) -> Value:
        return method(target(proxy), name)(*args, **named)

    return apply


for _name in ("copy", "get", "items", "keys", "values", "__iter__", "__len__", "__reversed__"):
    lifts_method(MappingProxyType, name=_name)(_asked(_name))


@lifts_method(MappingProxyType, name="__getitem__")
def item(proxy: Proxy, key: Value) -> Value:
    """`proxy[key]`."""
    return get_item(target(proxy), key)


@lifts_method(MappingProxyType, name="__contains__")
def contains(proxy: Proxy, key: Value) -> Guard:
    """`key in proxy`."""
    return contained(key, target(proxy))


def _shown(value: Value) -> Value:
    return target(value) if type(value) is MappingProxyType else value


@lifts_method(MappingProxyType, name="__eq__")
def equal(proxy: Proxy, other: Value) -> Value:
    """`proxy == other`."""
    return operators.eq(target(proxy), _shown(other))


@lifts_method(MappingProxyType, name="__or__")
def union(proxy: Proxy, other: Value) -> Value:
    """`proxy | other`."""
    return operators.or_(target(proxy), _shown(other))


@lifts_method(MappingProxyType, name="__ror__")
def union_from_right(proxy: Proxy, other: Value) -> Value:
    """`other | proxy`."""
    return operators.or_(_shown(other), target(proxy))


class Proxies(Objects):
    """What proxies do: the dict is asked."""

    def contains(self, container: Value, item: Value) -> Guard:
        return contained(item, target(container))

    def equal(self, a: Value, b: Value) -> Value:
        return equal_values(target(a), _shown(b))

    def iterate(self, value: Value) -> Iterable[Value]:
        return iterate(target(value))

    def iterator(self, value: Value) -> Value:
        return iter_of(target(value))

    def is_lazy(self, cls: type) -> bool:
        return False

    def shown(self, value: Value, texts: Texts) -> Value:
        return texts.joined("mappingproxy(", texts.of(target(value)), ")")


behaves(Proxies(), MappingProxyType)
