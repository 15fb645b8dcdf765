"""What operators need to know about containers."""

from __future__ import annotations

from solvent.lift.equality import compare_records, equal, is_generated, ordered
from solvent.lift.mappings import merged_dict
from solvent.lift.mappings import update_in_place as update
from solvent.lift.sequences import SEQUENCES, concatenate, extend, repeat, repeat_in_place
from solvent.lift.sets import SET_LIKE as SETS
from solvent.lift.sets import set_in_place, set_operator

__all__ = [
    "SEQUENCES",
    "SETS",
    "compare_records",
    "concatenate",
    "equal",
    "extend",
    "is_generated",
    "merged_dict",
    "ordered",
    "repeat",
    "repeat_in_place",
    "set_in_place",
    "set_operator",
    "update",
]
