"""Circuits of gates for a solver of clauses, in which equal gates are one.

A literal is a number, its complement the negative one; 1 is true and -1 is false, so that literals
are those of the clauses.  A gate that is constant, or that another one computes already, is not
made.  Besides the conjunction there are gates for the exclusive or, for a choice and for a
majority: a sum takes two gates for each bit with them, and their clauses propagate more than those
of the conjunctions that they stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

TRUE, FALSE = 1, -1

Clause = list[int]
_Gate = tuple[int, ...]


class Gates:
    """Gates by the number of their literal.

    >>> gates = Gates()
    >>> a, b = gates.variable(), gates.variable()
    >>> gates.both(a, b) == gates.both(b, a), gates.both(a, -a) == FALSE
    (True, True)
    """

    def __init__(self) -> None:
        # The arguments of each gate; two are a conjunction, none a variable.
        self._gates: list[_Gate] = [(), ()]
        self._known: dict[_Gate, int] = {}

    def __len__(self) -> int:
        return len(self._gates)

    def variable(self) -> int:
        """A new literal that may be anything."""
        self._gates.append(())
        return len(self._gates) - 1

    def _made(self, key: _Gate) -> int:
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self._gates)
            self._gates.append(key)
        return found

    def both(self, a: int, b: int) -> int:
        """The conjunction."""
        if a > b:
            a, b = b, a
        if a == b or b == TRUE:
            return a
        if a == TRUE:
            return b
        if a == FALSE or b == FALSE or a == -b:
            return FALSE
        return self._made((a, b))

    def either(self, a: int, b: int) -> int:
        """The disjunction."""
        return -self.both(-a, -b)

    def differ(self, a: int, b: int) -> int:
        """The exclusive or."""
        sign = 1
        if a < 0:
            a, sign = -a, -sign
        if b < 0:
            b, sign = -b, -sign
        if a > b:
            a, b = b, a
        if a == b:
            return -sign
        if a == TRUE:
            return -sign * b
        return sign * self._made((XOR, a, b))

    def choice(self, test: int, a: int, b: int) -> int:
        """`a` where a literal is true, else `b`."""
        if a == b or test == TRUE:
            return a
        if test == FALSE:
            return b
        if test < 0:
            test, a, b = -test, b, a
        if a in (TRUE, test):
            return -self.both(-test, -b)
        if a in (FALSE, -test):
            return self.both(-test, b)
        if b in (TRUE, -test):
            return -self.both(test, -a)
        if b in (FALSE, test):
            return self.both(test, a)
        if a == -b:
            return self.differ(test, b)
        if a < 0:
            return -self._made((CHOICE, test, -a, -b))
        return self._made((CHOICE, test, a, b))

    def majority(self, a: int, b: int, c: int) -> int:
        """Whether two of three are true at least: the carry of a sum."""
        if a == b or b == c:
            return b
        if a == c:
            return a
        if a == -b:
            return c
        if a == -c:
            return b
        if b == -c:
            return a
        a, b, c = sorted((a, b, c), key=abs)
        if a == TRUE:
            return -self.both(-b, -c)
        if a == FALSE:
            return self.both(b, c)
        if a < 0:
            return -self._made((MAJORITY, -a, -b, -c))
        return self._made((MAJORITY, a, b, c))

    def all_of(self, literals: Iterable[int]) -> int:
        """The conjunction of many, as a tree."""
        row = [one for one in literals if one != TRUE]
        if not row:
            return TRUE
        while len(row) > 1:
            pairs = [self.both(a, b) for a, b in zip(row[::2], row[1::2], strict=False)]
            row = pairs + row[len(row) // 2 * 2 :]
        return row[0]

    def any_of(self, literals: Iterable[int]) -> int:
        """The disjunction of many."""
        return -self.all_of([-one for one in literals])

    # --- clauses -----------------------------------------------------------------------------

    def clauses(self, literal: int, said: bytearray) -> list[Clause]:
        """What defines a literal, without what was said before, which is kept.

        >>> gates, said = Gates(), bytearray()
        >>> both = gates.both(gates.variable(), gates.variable())
        >>> gates.clauses(both, said), gates.clauses(-both, said)
        ([[-4, 2], [-4, 3], [4, -2, -3]], [])
        """
        gates = self._gates
        said.extend(bytes(len(gates) - len(said)))
        found: list[Clause] = []
        stack = [abs(literal)]
        while stack:
            n = stack.pop()
            if said[n]:
                continue
            said[n] = 1
            gate = gates[n]
            if len(gate) == 2:
                a, b = gate
                found += ([-n, a], [-n, b], [n, -a, -b])
                stack += (abs(a), abs(b))
            elif gate:
                found += _DEFINED[gate[0]](n, *gate[1:])
                stack += map(abs, gate[1:])
        return found

    def evaluated(self, is_true: Callable[[int], bool]) -> Callable[[int], bool]:
        """The values of literals, also of later ones, when those of the variables are known.

        >>> gates = Gates()
        >>> a, b = gates.variable(), gates.variable()
        >>> gates.evaluated(lambda variable: variable == a)(gates.differ(a, b))
        True
        """
        values = bytearray((0, 1))

        def known(literal: int) -> bool:
            return bool(values[literal]) if literal > 0 else not values[-literal]

        def value(literal: int) -> bool:
            # The arguments of a gate have smaller numbers.
            for n in range(len(values), abs(literal) + 1):
                gate = self._gates[n]
                if not gate:
                    values.append(is_true(n))
                elif len(gate) == 2:
                    values.append(known(gate[0]) and known(gate[1]))
                else:
                    values.append(_COMPUTED[gate[0]](*map(known, gate[1:])))
            return known(literal)

        return value


XOR, CHOICE, MAJORITY = range(3)


def _differ(n: int, a: int, b: int) -> Iterable[Clause]:
    return [-n, a, b], [-n, -a, -b], [n, -a, b], [n, a, -b]


def _choice(n: int, test: int, a: int, b: int) -> Iterable[Clause]:
    # The last two follow from the others, but a solver sees them sooner.
    return (
        [-test, -a, n],
        [-test, a, -n],
        [test, -b, n],
        [test, b, -n],
        [-a, -b, n],
        [a, b, -n],
    )


def _majority(n: int, a: int, b: int, c: int) -> Iterable[Clause]:
    return [-a, -b, n], [-a, -c, n], [-b, -c, n], [a, b, -n], [a, c, -n], [b, c, -n]


_DEFINED: dict[int, Callable[..., Iterable[Clause]]] = {
    XOR: _differ,
    CHOICE: _choice,
    MAJORITY: _majority,
}
_COMPUTED: dict[int, Callable[..., bool]] = {
    XOR: lambda a, b: a != b,
    CHOICE: lambda test, a, b: a if test else b,
    MAJORITY: lambda a, b, c: a + b + c >= 2,
}
