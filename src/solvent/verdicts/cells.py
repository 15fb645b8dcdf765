"""Positions in notebooks: a cell is called `In [3]`, not by the temporary file that it is in.

>>> in_cells("program.py:7: a sentence")
'program.py:7: a sentence'
"""

from __future__ import annotations

import re
import sys
from typing import Any

# How IPython and its kernel call the file of a cell, with the line if there is one.
_CELL = re.compile(
    r"(?P<file>[^\s:'\"]*ipykernel_\d+[/\\]\d+\.py|<ipython-input-[^>]*>)(:(?P<line>\d+))?"
)


def shell() -> Any:
    """The running shell of IPython, or None."""
    found = sys.modules.get("IPython")
    return None if found is None else found.get_ipython()


def in_kernel() -> bool:
    """Whether a notebook is looking."""
    return "ipykernel" in sys.modules and shell() is not None


def in_cells(text: str) -> str:
    """A text in which cells have their names: `In [3], line 2`."""
    if "ipykernel_" not in text and "<ipython-input-" not in text:
        return text
    running = shell()
    return text if running is None else _CELL.sub(lambda found: _named(found, running), text)


def _named(found: re.Match[str], running: Any) -> str:
    name = running.compile.format_code_name(found["file"])
    if name is None:
        return found[0]
    cell = str(name[1]).replace("In[", "In [")
    return f"{cell}, line {found['line']}" if found["line"] else cell
