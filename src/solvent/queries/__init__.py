"""Questions about programs: angelic execution, verification, optimisation.

>>> from solvent import Int
>>> from solvent.queries import verify
>>> def absolute(x):
...     return x if x > 0 else -x
>>> def positive(x):
...     assert absolute(x) > 0
>>> verify(positive, Int("x")).inputs
{'x': 0}
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from solvent.vm.own import own

if _TYPE_CHECKING:
    from solvent.queries.optimizing import Optimum
    from solvent.queries.options import Options
    from solvent.queries.parallel import Question, ask_all, question
    from solvent.queries.rendering import Localisation, Suspect
    from solvent.queries.results import QueryStats, Result, Solution, Verification
    from solvent.queries.sessions import (
        Session,
        debug,
        optimize,
        session,
        solve,
        solve_all,
        synthesize,
        verify,
        verify_all,
    )
    from solvent.queries.spaces.making import (
        dicts,
        integers,
        lists,
        objects,
        one_of,
        sets,
        space,
        texts,
        tuples,
    )
    from solvent.queries.synthesizing import Synthesis

__all__ = [
    "Localisation",
    "Optimum",
    "Options",
    "QueryStats",
    "Question",
    "Result",
    "Session",
    "Solution",
    "Suspect",
    "Synthesis",
    "Verification",
    "ask_all",
    "debug",
    "dicts",
    "integers",
    "lists",
    "objects",
    "one_of",
    "optimize",
    "question",
    "session",
    "sets",
    "solve",
    "solve_all",
    "space",
    "synthesize",
    "texts",
    "tuples",
    "verify",
    "verify_all",
]

# Imported when they are asked for: a check with a budget needs few of them.
_FROM = {
    "optimizing": ("Optimum",),
    "options": ("Options",),
    "parallel": ("Question", "ask_all", "question"),
    "rendering": ("Localisation", "Suspect"),
    "results": ("QueryStats", "Result", "Solution", "Verification"),
    "sessions": (
        *("Session", "session"),
        *("debug", "optimize", "solve", "solve_all", "synthesize", "verify", "verify_all"),
    ),
    "spaces.making": (
        *("dicts", "integers", "lists", "objects", "one_of", "sets", "space", "texts", "tuples"),
    ),
    "synthesizing": ("Synthesis",),
}
_PART_OF = {name: part for part, names in _FROM.items() for name in names}

# Type checkers would otherwise believe that every name is here.
if not _TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _PART_OF:
            raise AttributeError(f"module 'solvent.queries' has no attribute {name!r}")
        found = getattr(_import_module(f"solvent.queries.{_PART_OF[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


own(__file__)
