"""Time limits that mean the same on a busy machine.

A limit of some seconds is a limit of a solver's work.  Where other processes want the processors as
well, that work takes longer, so the limit is stretched by as much as they are in demand.  Limits
that only guard against hanging are `FOREVER`.
"""

from __future__ import annotations

import os
from pathlib import Path

# No test waits for this; it ends one that would never end.
FOREVER = 3600


def demand() -> float:
    """How many processes want a processor for each that there is, one at least."""
    load = os.getloadavg()[0]
    try:
        # How many are running at this moment, where the system tells.
        running = int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0])
    except (OSError, ValueError, IndexError):
        running = 0
    return max(1.0, max(load, running) / (os.cpu_count() or 1))


def patient(seconds: float) -> float:
    """A limit that lets as much be done as `seconds` do on an idle machine, and some more."""
    factor = demand()
    return seconds if factor == 1 else 2 * seconds * factor
