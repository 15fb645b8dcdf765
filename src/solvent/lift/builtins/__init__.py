"""Lifted builtins and library functions, one module per type or library module."""

from solvent.lift.builtins import attributes_, conversions, core, functions, lazy, lists, numbers_, stepping, strings

__all__ = ["core", "lists"]
