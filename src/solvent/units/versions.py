"""Who answers: Python, Solvent with all its sources, and the solvers.

An answer of another version may be another answer.  So a worker is asked who it is before it is
trusted with a unit, and says so again with each.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from pathlib import Path

SOLVERS = ("z3-solver", "bitwuzla", "cvc5", "dd", "python-sat")


@functools.cache
def versions() -> dict[str, str]:
    """What the answers of this process come from.

    >>> sorted(versions())[:3]
    ['bitwuzla', 'cvc5', 'dd']
    """
    found = {
        "python": sys.version.split()[0],
        "solvent": f"{installed('solvent')} ({source_digest()[:12]})",
    }
    flags = sys.flags
    found["flags"] = f"optimize {flags.optimize}, utf8 {flags.utf8_mode}, dev {flags.dev_mode}"
    for name in SOLVERS:
        found[name] = installed(name)
    return found


def installed(name: str) -> str:
    """The version of a distribution, or that there is none."""
    # It takes a while to import, and most commands need not ask.
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


@functools.cache
def source_digest() -> str:
    """Solvent's sources: the version alone does not tell one working copy from another."""
    folder = Path(__file__).parents[1]
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        found.update(path.relative_to(folder).as_posix().encode() + b"\0")
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def difference(here: dict[str, str], there: dict[str, str]) -> str:
    """How another process differs, in words; empty if it does not.

    >>> difference({"z3-solver": "5.4"}, {"z3-solver": "4.8"})
    'z3-solver 4.8, here 5.4'
    """
    names = [name for name in here if here[name] != there.get(name)]
    return ", ".join(f"{name} {there.get(name, 'unknown')}, here {here[name]}" for name in names)
