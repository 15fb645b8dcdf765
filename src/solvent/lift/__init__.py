"""Lifting: ordinary Python functions that run on symbolic values."""

from solvent.lift import runtime
from solvent.lift.api import lift, lifted

__all__ = ["lift", "lifted", "runtime"]
