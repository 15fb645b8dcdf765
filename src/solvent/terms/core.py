"""Which core is in use: the compiled one, or the one in Python that is its reference.

The compiled core (`compiled.c`) holds terms and decides in the common cases; for all others
it calls the functions and rules in Python.  Without it everything works the same, only slower.
`SOLVENT_PURE=1` in the environment keeps it away.
"""

from __future__ import annotations

import os
from importlib import import_module

# What a compiled core must say of itself to fit to these sources.
REVISION = 12

PURE = os.environ.get("SOLVENT_PURE", "") not in ("", "0")


def _state() -> tuple[bool, str]:
    """Whether the compiled core is used, and why or why not."""
    if PURE:
        return False, "SOLVENT_PURE is set"
    try:
        found = import_module("solvent.terms.compiled")
    except ImportError:
        return False, "it was not built when Solvent was installed"
    if found.REVISION != REVISION:
        return False, "it was built from other sources; install Solvent again"
    if not found.claim():
        return False, "another copy of Solvent in this process uses it"
    return True, ""


COMPILED, WHY_NOT = _state()
