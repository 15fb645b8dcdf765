"""What was asked of solvers: who is told of it, and what there is to say about a hard question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass

from solvent.solvers.status import Checked
from solvent.terms.arithmetic import MUL
from solvent.terms.graph import reachable
from solvent.terms.integers import DIV, MOD
from solvent.terms.kinds import Guard
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.sorts import ArraySort, Bool, Sort
from solvent.terms.term import CONSTANT, Term

# How many kinds of operations are told.
_MOST = 6


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one solver did with a question, in which form it was asked."""

    solver: str
    status: str
    reason: str = ""
    seconds: float = 0.0
    form: str = ""

    def __str__(self) -> str:
        form = f", {self.form}," if self.form else ""
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.solver}{form} said {self.status}{reason} after {self.seconds:.2f} s"


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its answer, its size, its theories, and what each solver did."""

    checked: Checked
    terms: int
    constants: int
    theories: tuple[str, ...]
    # The most frequent operations with how often they occur.
    operations: tuple[tuple[str, int], ...]
    attempts: tuple[Attempt, ...] = ()

    @classmethod
    def of(
        cls, formulas: Sequence[Guard], checked: Checked, attempts: Sequence[Attempt] = ()
    ) -> Question:
        """What there is to say about formulas that were asked about together.

        >>> from solvent.solvers import Solver
        >>> from solvent.terms import Int
        >>> x, y = Int("x"), Int("y")
        >>> with Solver() as solver:
        ...     solver.add(x * y == 6)
        ...     status = solver.check()
        ...     question = solver.question()
        >>> question.terms, question.constants, question.theories
        (4, 2, ('Int', 'products of unknowns'))
        """
        terms = reachable(formulas)
        operations = Counter(term.op.name for term in terms if term.op is not CONSTANT)
        return cls(
            checked,
            len(terms),
            sum(term.op is CONSTANT for term in terms),
            tuple(theories(terms)),
            tuple(operations.most_common(_MOST)),
            tuple(attempts),
        )

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "status": str(self.checked.status),
            "reason": self.checked.reason,
            "seconds": self.checked.seconds,
            "terms": self.terms,
            "constants": self.constants,
            "theories": list(self.theories),
            "operations": dict(self.operations),
            "attempts": [str(attempt) for attempt in self.attempts],
        }


def theories(terms: Sequence[Term]) -> list[str]:
    """The theories of some terms, by the names of their sorts, and what makes them hard.

    >>> from solvent.terms import BitVec
    >>> theories(reachable([BitVec("x", 8) * BitVec("y", 8) == 3]))
    ['BitVec(8)', 'products of unknowns']
    """
    sorts: dict[str, None] = {}
    hard: dict[str, None] = {}
    for term in terms:
        for sort in _parts(term.sort):
            sorts[str(sort)] = None
        base = term.op.base
        if base in QUANTIFIERS:
            hard["quantifiers"] = None
        symbolic = [arg for arg in term.key[1:] if isinstance(arg, Term)]
        if len(symbolic) > 1 and (base is MUL or term.op.name.endswith("mul")):
            hard["products of unknowns"] = None
        divides = base in (DIV, MOD) or "div" in term.op.name
        if divides and term.op is not CONSTANT and isinstance(term.key[-1], Term):
            hard["division by unknowns"] = None
    return [*(sorted(sorts) or [str(Bool)]), *hard]


def _parts(sort: Sort[Term]) -> list[Sort[Term]]:
    if isinstance(sort, ArraySort):
        return [sort, *_parts(sort.index), *_parts(sort.element)]
    return [] if sort is Bool else [sort]


# Who is told of the formulas of each question and how it was answered, in this thread or task.
Watcher = Callable[[Sequence[Guard], Checked], None]
QUESTION_WATCHER: ContextVar[Watcher | None] = ContextVar("solvent_question_watcher", default=None)
