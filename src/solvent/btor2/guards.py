"""Values as choices between plain ones, under conditions in a canonical form.

In a model of a processor a register is a choice between what the executions so far have left in it,
and an instruction computes with it where its own condition holds.  Here conditions are decision
diagrams over the comparisons that decide them, so that equal ones are one and impossible ones are
gone; a choice is a list of plain values with exclusive conditions; and what is computed from
choices is computed for each combination that is possible.  So an unrolled model stays about as
small as the executions that it stands for.  Whatever grows too large is left as a term as it is.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.terms import BoolTerm, ite
from solvent.terms.booleans import AND, EQ, ITE, NOT, OR
from solvent.terms.kinds import Bits, Guard, Operand
from solvent.terms.sorts import Bool
from solvent.terms.term import Term

# How many plain values a choice may have, how many of them may be symbolic, and how many
# combinations are computed.
MOST_VALUES = 24
MOST_SYMBOLIC = 12
MOST_COMBINATIONS = 32
# How many nodes an operation on diagrams may make, and how many are kept before all is forgotten.
MOST_NODES = 400
MOST_KEPT = 200_000
# Diagrams deeper than this are not made: operations on them recur.
DEEPEST = 400

FALSE, TRUE = 0, 1
# What comes after all variables.
_LAST = 1 << 60

# Diagrams of conditions, and the values that there are under them.
Rows = list[tuple[int, Operand]]


class _TooLarge(Exception):
    """A diagram that would have too many nodes."""


class Guards:
    """Decision diagrams over Boolean terms, numbered; 0 is false and 1 is true.

    >>> from solvent.terms import Bool, and_, not_, or_
    >>> p, q = Bool("p"), Bool("q")
    >>> guards = Guards()
    >>> guards.of(or_(and_(p, q), and_(p, not_(q)))) == guards.of(p)
    True
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everything; terms mean what they meant before."""
        self.atoms: list[BoolTerm] = []
        self.variables = [_LAST, _LAST]
        self.low = [FALSE, TRUE]
        self.high = [FALSE, TRUE]
        self._unique: dict[tuple[int, int, int], int] = {}
        self._conjunctions: dict[tuple[int, int], int] = {}
        self._complements: dict[int, int] = {FALSE: TRUE, TRUE: FALSE}
        self._diagrams: dict[BoolTerm, int] = {}
        self._terms: dict[int, Guard] = {FALSE: False, TRUE: True}
        self._rows: dict[Term, Rows] = {}
        self._budget = MOST_NODES

    # --- diagrams ----------------------------------------------------------------------------

    def _node(self, variable: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (variable, low, high)
        found = self._unique.get(key)
        if found is None:
            self._budget -= 1
            if self._budget < 0:
                raise _TooLarge
            found = self._unique[key] = len(self.variables)
            self.variables.append(variable)
            self.low.append(low)
            self.high.append(high)
        return found

    def both(self, f: int, g: int) -> int:
        """The conjunction."""
        if f == g or g == TRUE:
            return f
        if f == TRUE:
            return g
        if f == FALSE or g == FALSE:
            return FALSE
        if f > g:
            f, g = g, f
        found = self._conjunctions.get((f, g))
        if found is None:
            a, b = self.variables[f], self.variables[g]
            top = min(a, b)
            f0, f1 = (self.low[f], self.high[f]) if a == top else (f, f)
            g0, g1 = (self.low[g], self.high[g]) if b == top else (g, g)
            # Most sides are false: no call for those.
            low = self.both(f0, g0) if f0 and g0 else FALSE
            high = self.both(f1, g1) if f1 and g1 else FALSE
            found = self._conjunctions[f, g] = self._node(top, low, high)
        return found

    def negation(self, f: int) -> int:
        """The complement."""
        found = self._complements.get(f)
        if found is None:
            low, high = self.negation(self.low[f]), self.negation(self.high[f])
            found = self._node(self.variables[f], low, high)
            self._complements[f] = found
            self._complements[found] = f
        return found

    def either(self, f: int, g: int) -> int:
        """The disjunction."""
        return self.negation(self.both(self.negation(f), self.negation(g)))

    # --- terms -------------------------------------------------------------------------------

    def of(self, condition: Guard) -> int:
        """The diagram of a condition."""
        if condition.__class__ is not BoolTerm:
            return TRUE if condition else FALSE
        known = self._diagrams
        found = known.get(condition)
        if found is not None:
            return found
        stack = [condition]
        while stack:
            term = stack[-1]
            if term in known:
                stack.pop()
                continue
            parts = _parts(term)
            missing = [part for part in parts if isinstance(part, BoolTerm) and part not in known]
            if missing:
                stack += missing
                continue
            known[term] = self._combined(term, parts)
            stack.pop()
        return known[condition]

    def _combined(self, term: BoolTerm, parts: tuple[Guard, ...]) -> int:
        diagrams = [self._diagrams[p] if isinstance(p, BoolTerm) else int(p) for p in parts]
        self._budget = MOST_NODES
        try:
            if not parts or len(self.atoms) > DEEPEST:
                return self._atom(term)
            if term.op is NOT:
                return self.negation(diagrams[0])
            if term.op is AND:
                return self.both(*diagrams)
            if term.op is OR:
                return self.either(*diagrams)
            if term.op is EQ:
                return self._chosen(diagrams[0], diagrams[1], self.negation(diagrams[1]))
            return self._chosen(*diagrams)
        except _TooLarge:
            return self._atom(term)

    def _chosen(self, test: int, f: int, g: int) -> int:
        return self.either(self.both(test, f), self.both(self.negation(test), g))

    def _atom(self, term: BoolTerm) -> int:
        """The diagram of a condition that is not looked into."""
        self._budget = MOST_NODES
        self.atoms.append(term)
        return self._node(len(self.atoms) - 1, FALSE, TRUE)

    def term(self, diagram: int) -> Guard:
        """The condition that a diagram stands for, always the same one."""
        known = self._terms
        stack = [diagram]
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            missing = [n for n in (self.low[top], self.high[top]) if n not in known]
            if missing:
                stack += missing
                continue
            stack.pop()
            atom = self.atoms[self.variables[top]]
            found = ite(atom, known[self.high[top]], known[self.low[top]])
            known[top] = found
            if found.__class__ is BoolTerm:
                self._diagrams.setdefault(found, top)
        return known[diagram]

    # --- choices -----------------------------------------------------------------------------

    def rows(self, value: Operand) -> Rows:
        """The plain values of a choice with their conditions; what is no choice is one row."""
        if not isinstance(value, Term) or value.op.base is not ITE:
            return [(TRUE, value)]
        known = self._rows
        stack = [value]
        while stack:
            term = stack[-1]
            if term in known:
                stack.pop()
                continue
            _, test, a, b = term.key
            missing = [
                side
                for side in (a, b)
                if isinstance(side, Term) and side.op.base is ITE and side not in known
            ]
            if missing:
                stack += missing
                continue
            stack.pop()
            known[term] = self._merged(self.of(test), self.rows(a), self.rows(b)) or [(TRUE, term)]
        return known[value]

    def _merged(self, test: int, a: Rows, b: Rows) -> Rows | None:
        """The rows of a choice between choices; None if they are too many."""
        self._budget = MOST_NODES
        result: dict[Operand, int] = {}
        try:
            for side, rows in ((test, a), (self.negation(test), b)):
                for guard, value in rows:
                    joint = side if guard == TRUE else self.both(side, guard)
                    if joint != FALSE:
                        known = result.get(value)
                        result[value] = joint if known is None else self.either(known, joint)
        except _TooLarge:
            return None
        if len(result) > MOST_VALUES:
            return None
        if sum(isinstance(value, Term) for value in result) > MOST_SYMBOLIC:
            return None
        return [(guard, value) for value, guard in result.items()]

    def choice(self, test: Guard, a: Operand, b: Operand) -> Operand:
        """`a` where a condition holds, else `b`: values of one sort other than Bool."""
        self._tidy()
        found = self.of(test)
        if found == TRUE:
            return a
        if found == FALSE:
            return b
        rows = self._merged(found, self.rows(a), self.rows(b))
        return ite(test, a, b) if rows is None else self._built(rows)

    def _built(self, rows: Rows, keep: bool = True) -> Operand:
        *others, (_, result) = rows
        for guard, value in reversed(others):
            result = ite(self.term(guard), value, result)
        if keep and isinstance(result, Term) and len(rows) > 1:
            self._rows.setdefault(result, rows)
        return result

    def condition(self, function: Callable[..., Guard], *parts: Guard) -> Guard:
        """A connective of conditions, in its canonical form."""
        self._tidy()
        return self.term(self.of(function(*parts)))

    def apply(self, function: Callable[..., Operand], *args: Operand) -> Operand:
        """A function of choices: of each possible combination of their values."""
        self._tidy()
        combinations: list[tuple[int, tuple[Operand, ...]]] = [(TRUE, ())]
        self._budget = MOST_NODES
        most = 0
        try:
            for arg in args:
                rows = self.rows(arg)
                most = max(most, len(rows))
                if len(combinations) * len(rows) > MOST_COMBINATIONS * 8:
                    return function(*args)
                combinations = [
                    (joint, (*values, value))
                    for guard, values in combinations
                    for other, value in rows
                    if (joint := other if guard == TRUE else self.both(guard, other)) != FALSE
                ]
            if not 1 < len(combinations) <= MOST_COMBINATIONS:
                return function(*args)
            # Choices that do not hang together would only multiply the work.
            symbolic = 0
            for _, values in combinations:
                for value in values:
                    if isinstance(value, Term):
                        symbolic += 1
                        break
            if symbolic > min(most, MOST_SYMBOLIC):
                return function(*args)
            results: dict[Operand, int] = {}
            for guard, values in combinations:
                result = function(*values)
                known = results.get(result)
                results[result] = guard if known is None else self.either(known, guard)
            return self._joined(results)
        except _TooLarge:
            return function(*args)

    def _joined(self, results: dict[Operand, int]) -> Operand:
        """The one value that results under conditions are."""
        if all(result.__class__ in (bool, BoolTerm) for result in results):
            total = FALSE
            for result, guard in results.items():
                part = self.of(result)  # type: ignore[arg-type]
                self._budget = MOST_NODES
                total = self.either(total, self.both(guard, part))
            return self.term(total)
        if len(results) > MOST_VALUES:
            raise _TooLarge
        return self._built([(guard, result) for result, guard in results.items()])

    def restricted(self, test: Guard, value: Operand) -> Operand:
        """A value that is equal where a condition holds: the choice without what is impossible."""
        if not isinstance(value, Term) or value.op.base is not ITE:
            return value
        rows = self._merged(self.of(test), self.rows(value), [])
        if not rows:
            return value
        # These rows say nothing about where the condition does not hold: they are not kept.
        return self._built(rows, keep=False)

    def choices(self, value: Operand) -> list[tuple[Guard, Operand]]:
        """The plain values of a choice with their conditions."""
        return [(self.term(guard), plain) for guard, plain in self.rows(value)]

    def cases(self, value: Bits) -> list[tuple[Guard, int]] | None:
        """The numbers that a bitvector can be, with their conditions; None if it can be others."""
        rows = self.rows(value)
        if any(isinstance(plain, Term) for _, plain in rows):
            return None
        return [(self.term(guard), int(plain)) for guard, plain in rows]  # type: ignore[arg-type]

    def _tidy(self) -> None:
        if len(self.variables) > MOST_KEPT or len(self.atoms) > DEEPEST:
            self.clear()


def _parts(term: BoolTerm) -> tuple[Guard, ...]:
    """The conditions that a condition is made of; none if it is plain."""
    op = term.op
    if op is AND or op is OR or op is NOT:
        return tuple(term.key[1:])
    if op is EQ and getattr(term.key[1], "sort", None) is Bool:
        return tuple(term.key[1:])
    if op.base is ITE:
        return tuple(term.key[1:])
    return ()


class AsBuilt(Guards):
    """For models in which few conditions are decided: values are built as they come.

    Only where a memory is read or written is it looked into, as far as `choices` and `cases` do.
    """

    def choice(self, test: Guard, a: Operand, b: Operand) -> Operand:
        """`a` where a condition holds, else `b`, as a term."""
        return ite(test, a, b)  # type: ignore[no-any-return]

    def condition(self, function: Callable[..., Guard], *parts: Guard) -> Guard:
        """A connective of conditions."""
        return function(*parts)

    def apply(self, function: Callable[..., Operand], *args: Operand) -> Operand:
        """A function of values, which are not looked into."""
        return function(*args)

    def restricted(self, test: Guard, value: Operand) -> Operand:
        """The value itself."""
        return value
