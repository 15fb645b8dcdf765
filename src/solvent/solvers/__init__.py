"""Solvers behind one interface: Z3, Bitwuzla, cvc5, and any other that speaks SMT-LIB.

>>> from solvent.solvers import Solver
>>> from solvent.terms import BitVec
>>> x = BitVec("x", 32)
>>> with Solver() as solver:
...     solver.add(x * 3 == 1)
...     print(solver.check(), solver.model()[x] * 3)
sat bv(1, 32)
"""

from solvent.solvers.choose import Settings, config, settings
from solvent.solvers.solver import Solver, portfolio
from solvent.solvers.status import Checked, Status

__all__ = ["Checked", "Settings", "Solver", "Status", "config", "portfolio", "settings"]
