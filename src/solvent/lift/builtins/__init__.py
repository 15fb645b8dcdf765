"""The methods of builtin types, one module per type."""

from solvent.lift.builtins import (
    bytearrays,
    core,
    dicts,
    lists,
    numbers_,
    proxies,
    ranges,
    sets,
    stepping,
    strings,
    tuples,
)

__all__ = [
    "bytearrays",
    "core",
    "dicts",
    "lists",
    "numbers_",
    "proxies",
    "ranges",
    "sets",
    "stepping",
    "strings",
    "tuples",
]
