"""Solvers behind one interface: Z3, Bitwuzla, cvc5, and any other that speaks SMT-LIB.

>>> from solvent.solvers import Solver
>>> from solvent.terms import BitVec
>>> x = BitVec("x", 32)
>>> with Solver() as solver:
...     solver.add(x * 3 == 1)
...     print(solver.check(), solver.model()[x] * 3)
sat bv(1, 32)
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

if _TYPE_CHECKING:
    from solvent.solvers.choose import Settings, config, settings
    from solvent.solvers.solver import Solver, portfolio
    from solvent.solvers.status import Checked, Status

__all__ = ["Checked", "Settings", "Solver", "Status", "config", "portfolio", "settings"]

# Imported when they are asked for: a process can be started before all the rest is there.
_FROM = {
    "choose": ("Settings", "config", "settings"),
    "solver": ("Solver", "portfolio"),
    "status": ("Checked", "Status"),
}
_PART_OF = {name: part for part, names in _FROM.items() for name in names}

# Type checkers would otherwise believe that every name is here.
if not _TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _PART_OF:
            raise AttributeError(f"module 'solvent.solvers' has no attribute {name!r}")
        found = getattr(_import_module(f"solvent.solvers.{_PART_OF[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
