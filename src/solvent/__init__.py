"""Solvent: a solver-aided language inside ordinary Python.

>>> from solvent import Int, Solver
>>> x = Int("x")
>>> with Solver() as solver:
...     solver.add(x * x == 49, x < 0)
...     print(solver.check(), solver.model())
sat x = -7
"""

__version__ = "0.1.0"

from solvent.errors import NotLiftedError, SolventError, UnboundedError, UnwindingError
from solvent.solvers import Answer, Solver, Status, config, portfolio, settings
from solvent.terms import *  # noqa: F403
from solvent.terms import __all__ as _terms
from solvent.terms import rules as _rules

# isort: split
# After the terms: `evaluate` is the one for any value.
from solvent.lift import *  # noqa: F403
from solvent.lift import __all__ as _lift
from solvent.queries import *  # noqa: F403
from solvent.queries import __all__ as _queries
from solvent.sketch import *  # noqa: F403
from solvent.sketch import __all__ as _sketch

__all__ = [
    "Answer",
    "NotLiftedError",
    "SolventError",
    "Solver",
    "Status",
    "UnboundedError",
    "UnwindingError",
    "config",
    "portfolio",
    "settings",
]
__all__ += _terms
__all__ += [name for name in _lift if name not in _terms]
__all__ += _queries
__all__ += _sketch

if _rules.CHECK_REWRITES:
    from solvent.solvers.rewriting import check_rewrites as _check_rewrites

    _check_rewrites()
