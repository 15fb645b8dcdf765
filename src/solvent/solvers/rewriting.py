"""The debug mode that proves every rewriting as it happens: `SOLVENT_CHECK_REWRITES=1`.

Each time a rule rewrites a term, a solver is asked whether the term as it was and the result can
differ.  This makes building terms some thousand times slower.
"""

from __future__ import annotations

from solvent.errors import SolventError
from solvent.solvers.solver import Solver
from solvent.solvers.status import Status
from solvent.terms.booleans import EQ, NOT, BoolTerm
from solvent.terms.rules import Rule, set_checker
from solvent.terms.term import raw

# A proof that takes longer than this is given up and counted.
SECONDS = 10.0


class UnsoundRewriteError(SolventError, AssertionError):
    """A rewriting rule changed the meaning of a term."""


class RewriteChecker:
    """Proves applications of rules, and counts them."""

    def __init__(self) -> None:
        self.checked = 0
        self.undecided = 0
        self._busy = False
        self._known: set[tuple[object, ...]] = set()

    def __call__(self, rule: Rule, operands: tuple[object, ...], result: object) -> None:
        """Complain if the rule's result can differ from the term that it replaces."""
        op, args = rule.application(operands)
        key = (op, tuple((type(arg), arg) for arg in args))
        # Terms that are built for a proof are not proved themselves.
        if self._busy or result is NotImplemented or key in self._known:
            return
        self._busy = True
        try:
            before = raw(op, *args)
            difference = raw(NOT, raw(EQ, before, before.sort.require(result)))
            assert isinstance(difference, BoolTerm)
            with Solver("auto", timeout=SECONDS) as solver:
                solver.add(difference)
                status = solver.check()
                if status == Status.SAT:
                    raise UnsoundRewriteError(
                        f"the rule {rule.name} ({rule.statement}) rewrote {before!r} to "
                        f"{result!r}, which differs when {solver.model()!r}"
                    )
            self.checked += 1
            self.undecided += status == Status.UNKNOWN
            self._known.add(key)
        finally:
            self._busy = False


def check_rewrites() -> RewriteChecker:
    """Switch the checking on; takes effect only if the variable was set before the import."""
    checker = RewriteChecker()
    set_checker(checker)
    return checker
