"""A unit that sleeps, to measure what units cost and to see what becomes of them."""

from __future__ import annotations

import time

from solvent.units.unit import Tell
from solvent.verdicts.rendering import Json


def perform(data: Json, tell: Tell) -> Json:
    """Sleep, or compute, for so many seconds, and use so many megabytes.

    >>> perform({"seconds": 0, "number": 3}, lambda text: None)
    {'slept': 0, 'number': 3}
    """
    held = bytearray(int(str(data.get("megabytes", 0))) << 20)
    seconds = float(str(data["seconds"]))
    tell(f"{seconds:g} s")
    if data.get("busy"):
        end = time.process_time() + seconds
        while time.process_time() < end:
            sum(range(1_000))
    else:
        time.sleep(seconds)
    found: Json = {"slept": data["seconds"]}
    if "number" in data:
        found["number"] = data["number"]
    if held:
        found["megabytes"] = len(held) >> 20
    return found
