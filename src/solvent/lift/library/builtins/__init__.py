"""The functions that every program has without importing them."""

from solvent.lift.library.builtins import attributes, conversions, functions, lazy, output, types

__all__ = ["attributes", "conversions", "functions", "lazy", "output", "types"]
