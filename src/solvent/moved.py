"""What to write instead of a name that `solvent` itself does not have, but one of its parts has.

>>> sentence("ite")
'`ite` is in solvent.terms: from solvent.terms import ite'
>>> sentence("machine")
'`solvent.machine` is now `solvent.riscu`: import solvent.riscu'
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

# Where names are looked for, the first that has one wins.
PARTS = ("terms", "lift", "queries", "sketch", "solvers", "explore", "errors")

# Packages that have another name now.
RENAMED = {"machine": "riscu"}


def sentence(name: str) -> str | None:
    """What to write instead of `solvent.name`, if it can be told."""
    if name in RENAMED:
        now = RENAMED[name]
        return f"`solvent.{name}` is now `solvent.{now}`: import solvent.{now}"
    for part in PARTS:
        module = import_module(f"solvent.{part}")
        if name in _offered(module):
            return f"`{name}` is in solvent.{part}: from solvent.{part} import {name}"
    return None


def _offered(module: ModuleType) -> Sequence[str]:
    public = [name for name in vars(module) if not name.startswith("_")]
    names: Sequence[str] = getattr(module, "__all__", public)
    return names


class Explainer:
    """The last of the finders of modules: nobody has found `solvent.name`.

    `from solvent import name` looks for a module of that name before it gives up, and would not
    show the message of an `AttributeError`.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Find nothing, and say so where there is something to say."""
        package, _, last = name.rpartition(".")
        instead = sentence(last) if package == "solvent" else None
        if instead is not None:
            raise ImportError(instead, name=name)
        return None


def explain_imports() -> None:
    """Let failing imports from `solvent` say what to write instead."""
    if Explainer not in sys.meta_path:
        sys.meta_path.append(Explainer)
