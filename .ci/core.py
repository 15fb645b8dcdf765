"""Checks that an installed Solvent has its compiled core, and that it works: for releases."""

from __future__ import annotations

import sys

from solvent import Int, verify
from solvent.terms.core import COMPILED, WHY_NOT


def check() -> None:
    """A loop whose paths merge."""
    x = Int("x")
    total = 0
    for place in range(5):
        if x > place:
            total += 1
    assert 0 <= total <= 5


if __name__ == "__main__":
    if not COMPILED:
        sys.exit(f"the compiled core is not in use: {WHY_NOT}")
    if not verify(check).holds:
        sys.exit("a simple function is not verified")
