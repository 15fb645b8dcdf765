"""Symbolic model checking: section 3 of "From Program to Logic".

The program is a transition relation over an explicit program counter (`transitions`).  Boolean
programs are decided by binary decision diagrams (`bdd`), others by the forward fixpoint with
quantifier elimination as long as it converges (`fixpoint`), and loops by constrained Horn clauses
(`horn`), for which Spacer finds the invariants.  `checking` is the method.
"""

from solvent.logic.smc.checking import SymbolicModelChecking

__all__ = ["SymbolicModelChecking"]
