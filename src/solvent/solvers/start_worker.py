"""The program of a solver's process: `python start_worker.py NAME MEMORY OWNER`.

A process of a solver needs its engine and nothing else of Solvent.  The packages on the way to the
engine import everything else, so they are replaced by empty ones with the same folders.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType

# The packages whose modules an engine may import.
PACKAGES = ("solvent", "solvent.solvers", "solvent.terms")


def without_contents(name: str, root: str) -> ModuleType:
    """A package that finds its modules and that imports none of them by itself."""
    package = ModuleType(name)
    package.__path__ = [os.path.join(root, *name.split("."))]
    return package


if __name__ == "__main__":
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.modules.update((name, without_contents(name, source)) for name in PACKAGES)
    from solvent.solvers.worker import main

    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
