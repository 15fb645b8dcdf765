"""Lifted functions and classes of the standard library, under the names of its modules."""

from solvent.lift.library import (
    bisect,
    builtins,
    chance,
    collections,
    copy,
    functools,
    heapq,
    itertools,
    math,
    operator,
    special,
)

__all__ = [
    "bisect",
    "builtins",
    "chance",
    "collections",
    "copy",
    "functools",
    "heapq",
    "itertools",
    "math",
    "operator",
    "special",
]
