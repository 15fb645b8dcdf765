"""Lifted builtins and library functions, one module per type or library module."""

from solvent.lift.builtins import core, lists

__all__ = ["core", "lists"]
