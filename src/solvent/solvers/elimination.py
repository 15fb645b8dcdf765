"""Quantifier elimination: a formula without some of its constants, by Z3's tactic.

Terms go to Z3 as SMT-LIB text and come back the same way, so that what comes back is simplified by
the factory like any other term.
"""

from __future__ import annotations

from collections.abc import Iterable

from solvent.errors import SolventError
from solvent.terms import and_, applied_functions, constants, exists
from solvent.terms.graph import reachable
from solvent.terms.kinds import Guard
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.smtlib import Writer, read_term
from solvent.terms.term import Term


def eliminate(variables: Iterable[Term], formula: Guard, seconds: float = 5.0) -> Guard | None:
    """What is left of `exists variables. formula`, without quantifiers; None if Z3 gives up.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> eliminate([x], and_(x > 3, y == x + 2))
    y > 5
    """
    used = dict.fromkeys(constants(formula)) if isinstance(formula, Term) else {}
    wanted = [variable for variable in variables if variable in used]
    if not wanted:
        return formula
    texts = _asked(exists(wanted, formula), seconds)
    if texts is None:
        return None
    known = [one for one in used if one not in dict.fromkeys(wanted)]
    try:
        found = and_([read_term(text, [*known, *applied_functions(formula)]) for text in texts])
    except SolventError:
        # Z3 has answered with an operator of its own.
        return None
    if any(term.op.base in QUANTIFIERS for term in reachable([found])):
        return None
    return found


def _asked(formula: Guard, seconds: float) -> list[str] | None:
    """The conjuncts that Z3's tactic makes of a formula, as texts."""
    import z3

    writer = Writer()
    lines = writer.declarations_for(formula)
    lines.append(f"(assert {writer.reference(formula)})")
    context = z3.Context()
    try:
        goal = z3.Goal(ctx=context)
        goal.add(z3.parse_smt2_string("\n".join(lines), ctx=context))
        steps = [z3.Tactic(name, context) for name in ("simplify", "qe", "simplify")]
        tactic = z3.TryFor(z3.Then(*steps), max(1, int(seconds * 1000)))
        (result,) = tactic(goal)
        return [one.sexpr() for one in result]
    except (z3.Z3Exception, ValueError):
        return None
