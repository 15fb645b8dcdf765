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

from typing import TYPE_CHECKING as _TYPE_CHECKING

from solvent import moved as _moved
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
    verify,
    verify_all,
)
from solvent.sketch import choose, complete, grammar, hole
from solvent.solvers import Solver
from solvent.terms import BitVec, Bool, Float, Int, Real, Str
from solvent.terms import rules as _rules

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

# Type checkers would otherwise believe that every name is here.
if not _TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        raise AttributeError(_moved.sentence(name) or f"module 'solvent' has no attribute {name!r}")


_moved.explain_imports()

if _rules.CHECK_REWRITES:
    from solvent.solvers.rewriting import check_rewrites as _check_rewrites

    _check_rewrites()
