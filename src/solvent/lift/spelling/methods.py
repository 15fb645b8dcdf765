"""The methods of `str` and `bytes`, on code points of which some are symbolic.

Each function takes the kind of text, its code points, and the arguments of the method, none of
which is a union.  What an argument of a wrong type leads to is asked of the running Python.  The
modules here put their functions into one table when they are imported.
"""

from __future__ import annotations

from solvent.lift.spelling import (
    cases,
    classifying,
    dividing,
    padding,
    replacing,
    searches,
    stripping,
    translating,
)
from solvent.lift.spelling.kinds import METHODS

__all__ = [
    "METHODS",
    "cases",
    "classifying",
    "dividing",
    "padding",
    "replacing",
    "searches",
    "stripping",
    "translating",
]
