"""Lifted builtins and library functions, one module per type or library module."""

from solvent.lift.builtins import (
    attributes_,
    bisect_,
    collections_,
    conversions,
    copy_,
    core,
    dicts,
    functions,
    heapq_,
    lazy,
    lists,
    numbers_,
    sets,
    stepping,
    strings,
    tuples,
)

__all__ = [
    "attributes_",
    "bisect_",
    "collections_",
    "conversions",
    "copy_",
    "core",
    "dicts",
    "functions",
    "heapq_",
    "lazy",
    "lists",
    "numbers_",
    "sets",
    "stepping",
    "strings",
    "tuples",
]
