"""Contracts of functions that are put away: in tables, objects, descriptors, defaults, closures."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import annotated_types as at

from solvent import lifted

if TYPE_CHECKING:
    from tests.contracts.sample_annotated import Positive as AtLeastOne

Positive = Annotated[int, at.Gt(0)]


def _grown(k: int) -> int:
    """post: _ > k"""
    return k


TABLE: dict[str, Callable[[int], int]] = {"f": _grown}
NESTED = {"inner": [(_grown,)]}
del _grown
REGISTRY: dict[str, Any] = {}


def register(function: Any) -> None:
    REGISTRY[function.__name__] = function


@register
def registered(k: int) -> int:
    """post: _ > k"""
    return k


class Wrapper:
    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)


@Wrapper
def wrapped(k: int) -> int:
    """post: _ > k"""
    return k


def in_a_list(function: Any) -> Any:
    kept = [function]

    def inner(n: int) -> Any:
        return kept[0](n)

    return inner


@in_a_list
def listed(k: int) -> int:
    """post: _ > k"""
    return k


@functools.lru_cache
def cached(n: int) -> int:
    """post: _ > n"""
    return n


@lifted
def lifted_before(n: int) -> int:
    """post: _ > n"""
    return n


@functools.singledispatch
def dispatched(n: object) -> int:
    return 0


@dispatched.register
def _(n: int) -> int:
    """post: _ > n"""
    return n


@dispatched.register
def _(n: str) -> int:
    return 0


class Described:
    def __init__(self, n: int) -> None:
        self.n = n

    @property
    def half(self) -> int:
        """post: _ > 0"""
        return self.n // 2

    @functools.cached_property
    def kept(self) -> int:
        """post: _ > 0"""
        return self.n // 2 if self.n > 0 else 0

    @functools.lru_cache  # noqa: B019
    def remembered(self) -> int:
        """post: _ > 0"""
        return self.n // 2

    @staticmethod
    def static(n: int) -> int:
        """post: _ > n"""
        return n

    @classmethod
    def of_class(cls, n: int) -> int:
        """post: _ > n"""
        return n

    def default(self, k: int, function: Any = TABLE["f"]) -> Any:
        return function(k)


@dataclass
class Sized:
    """inv: self.size > 0"""

    size: int


class Smaller(Sized):
    """inv: self.size < 9"""


@dataclass
class Constrained:
    size: Positive


class Named(NamedTuple):
    """inv: self.size > 0"""

    size: int

    def doubled(self) -> int:
        """post: _ > self.size"""
        return self.size * 2


class ConstrainedTuple(NamedTuple):
    size: Positive


class Plain:
    def __init__(self, size: int) -> None:
        self.size = size

    def shrink(self) -> None:
        self.size -= 1


class Derived(Plain):
    """inv: self.size > 0"""


def bad_from_table(n: int) -> int:
    return TABLE["f"](n)


def bad_from_nested(n: int) -> int:
    return NESTED["inner"][0][0](n)


def bad_from_registry(n: int) -> Any:
    return REGISTRY["registered"](n)


def bad_wrapped(n: int) -> Any:
    return wrapped(n)


def bad_listed(n: int) -> Any:
    return listed(n)


def bad_cached(n: int) -> int:
    return cached(n)


def bad_lifted_before(n: int) -> int:
    return lifted_before(n)


def bad_dispatched(n: int) -> int:
    return dispatched(n)


def bad_property(n: int) -> int:
    return Described(n).half


def bad_cached_property(n: int) -> int:
    return Described(n).kept


def bad_remembered(n: int) -> int:
    return Described(n).remembered()


def bad_static(n: int) -> int:
    return Described.static(n)


def bad_of_class(n: int) -> int:
    return Described(n).of_class(n)


def bad_default(n: int) -> Any:
    return Described(n).default(n)


def bad_dataclass(n: int) -> Sized:
    return Sized(n)


def bad_derived_dataclass(n: int) -> Smaller:
    return Smaller(n)


def bad_field(n: int) -> int:
    return Constrained(n).size


def bad_named(n: int) -> int:
    return Named(n).size


def bad_named_field(n: int) -> int:
    return ConstrainedTuple(n).size


def bad_inherited_init(n: int) -> Derived:
    return Derived(n)


def bad_inherited_method(n: Positive) -> None:
    Derived(n).shrink()


def good_dataclass(n: Positive) -> Sized:
    return Sized(n + 1)


def good_named(n: Positive) -> int:
    return Named(n).doubled()


def good_instance(found: Smaller) -> Smaller:
    return Smaller(found.size)


def wrapping(function: Any) -> Any:
    @functools.wraps(function)
    def inner(*args: Any, **named: Any) -> Any:
        return function(*args, **named)

    return inner


@wrapping
def good_wrapped_annotated(n: Positive) -> Positive:
    return n


def good_calls_wrapped(n: Positive) -> Any:
    return good_wrapped_annotated(n)


def bad_calls_wrapped(n: int) -> Any:
    return good_wrapped_annotated(n)


@wrapping
def bad_wrapped_annotated(n: Positive) -> Positive:
    return n - 1


def bad_for_checkers(n: int) -> AtLeastOne:
    return n


def helper(n: int) -> int:
    def inner(k: int) -> int:
        """post: _ > k"""
        return k

    return inner(n)


def annotated_helper(n: int) -> int:
    def inner(k: Annotated[int, at.Gt(0)]) -> int:
        return k

    return inner(n)


def class_helper(n: int) -> int:
    class Inner:
        """inv: self.n > 0"""

        def __init__(self, n: int) -> None:
            self.n = n

    return Inner(n).n


def refused_helper(n: int) -> int:
    return helper(n)


def refused_annotated_helper(n: int) -> int:
    return annotated_helper(n)


def refused_class_helper(n: int) -> int:
    return class_helper(n)


async def refused_async(n: int) -> int:
    """post: _ > n"""
    return n
