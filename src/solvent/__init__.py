"""Solvent: a solver-aided language inside ordinary Python.

What most programs need is here; the rest has a package of its own, named where it is needed:
functions on symbolic values in `solvent.terms`, reflection in `solvent.lift`, and so on.

>>> from solvent import verify
>>> def average(xs: list[int]) -> int:
...     return sum(xs) // len(xs)
>>> verify(average).call
'average(xs=[])'
>>> from solvent import Int, Solver
>>> x = Int("x")
>>> with Solver() as solver:
...     solver.add(x * x == 49, x < 0)
...     print(solver.check(), solver.model())
sat x = -7
"""

import os as _os
from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from solvent import moved as _moved

if _TYPE_CHECKING:
    from solvent.errors import NotLiftedError, SolventError, UnboundedError, UnwindingError
    from solvent.lift import assume, evaluate, lifted
    from solvent.queries import (
        Options,
        debug,
        dicts,
        integers,
        lists,
        objects,
        one_of,
        optimize,
        session,
        sets,
        solve,
        solve_all,
        synthesize,
        texts,
        tuples,
    )
    from solvent.race import verify, verify_all
    from solvent.sketch import choose, complete, grammar, hole
    from solvent.solvers import Solver
    from solvent.terms import BitVec, Bool, Float, Int, Real, Str

__version__ = "0.1.0"

__all__ = [  # noqa: RUF022  (in the order in which one learns them)
    # Ask about a function: what makes it fail, what makes it succeed, what repairs it.
    "verify",
    "verify_all",
    "solve",
    "solve_all",
    "optimize",
    "synthesize",
    "debug",
    # How long, how deep, with which solver; and many questions to one solver.
    "Options",
    "session",
    # Say what the inputs are, where annotations do not say it.
    "integers",
    "lists",
    "texts",
    "tuples",
    "sets",
    "dicts",
    "objects",
    "one_of",
    # Leave parts of a program open, and print it with the parts that were found.
    "choose",
    "hole",
    "grammar",
    "complete",
    # Symbolic values, each of a sort; `solvent.terms` has the functions on them.
    "Bool",
    "Int",
    "Real",
    "BitVec",
    "Float",
    "Str",
    # Run your own functions on symbolic values, and see what the results are in a model.
    "lifted",
    "assume",
    "evaluate",
    # Talk to a solver directly.
    "Solver",
    # What to catch.
    "SolventError",
    "NotLiftedError",
    "UnboundedError",
    "UnwindingError",
]

# Where each name comes from: it is imported when it is asked for, since all of them take long.
_FROM = {
    "errors": ("NotLiftedError", "SolventError", "UnboundedError", "UnwindingError"),
    "lift": ("assume", "evaluate", "lifted"),
    "queries": (
        *("Options", "session"),
        *("debug", "optimize", "solve", "solve_all", "synthesize"),
        *("dicts", "integers", "lists", "objects", "one_of", "sets", "texts", "tuples"),
    ),
    "race": ("verify", "verify_all"),
    "sketch": ("choose", "complete", "grammar", "hole"),
    "solvers": ("Solver",),
    "terms": ("BitVec", "Bool", "Float", "Int", "Real", "Str"),
}
_PART_OF = {name: part for part, names in _FROM.items() for name in names}

# What can be said without an import: `solvent.terms.ite`.
_PARTS = (
    *(
        "boogie",
        "browse",
        "btor2",
        "cli",
        "contracts",
        "depth",
        "errors",
        "explore",
        "languages",
        "lift",
        "logic",
    ),
    *("moved", "notebook", "pages", "profiling"),
    *("queries", "race", "reach", "reference", "riscu", "sketch", "solvers"),
    *("strategies", "terms", "testing", "units", "verdicts", "vm"),
)

# Type checkers would otherwise believe that every name is here.
if not _TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name in _PARTS:
            return _import_module(f"solvent.{name}")
        if name in _PART_OF:
            found = getattr(_import_module(f"solvent.{_PART_OF[name]}"), name)
            globals()[name] = found
            return found
        # Whoever looks at a module asks for many special names, which nobody has moved.
        instead = None if name.startswith("__") else _moved.sentence(name)
        raise AttributeError(instead or f"module 'solvent' has no attribute {name!r}")


def load_ipython_extension(shell: object) -> None:
    """What `%load_ext solvent` calls."""
    _import_module("solvent.notebook").load(shell)


def unload_ipython_extension(shell: object) -> None:
    """What `%unload_ext solvent` calls."""
    _import_module("solvent.notebook").unload(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_moved.explain_imports()

if _os.environ.get("SOLVENT_CHECK_REWRITES"):
    from solvent.terms import rules as _rules

    if _rules.CHECK_REWRITES:
        from solvent.solvers.rewriting import check_rewrites as _check_rewrites

        _check_rewrites()
