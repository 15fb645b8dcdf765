"""Lifted functions and classes of the standard library, under the names of its modules."""

from solvent.lift.library import (
    binascii,
    bisect,
    builtins,
    chance,
    collections,
    copy,
    functools,
    heapq,
    itertools,
    logging,
    math,
    operator,
    os,
    re,
    special,
    struct,
)

__all__ = [
    "binascii",
    "bisect",
    "builtins",
    "chance",
    "collections",
    "copy",
    "functools",
    "heapq",
    "itertools",
    "logging",
    "math",
    "operator",
    "os",
    "re",
    "special",
    "struct",
]
