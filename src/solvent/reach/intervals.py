"""Invariants that are found out: between which numbers variables lie whenever a loop begins again.

Each block is run on intervals instead of numbers.  Where paths meet, an interval holds the values
of all of them.  At the head of a loop a bound that still moves goes on to the next number that
occurs in the procedure, and is given up at last; two more rounds give back what conditions allow.
What is found holds for every execution that has not failed before, so it is assumed, not checked.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from solvent.reach.graphs import postorder, predecessors
from solvent.reach.loops import loops_of
from solvent.reach.passive import renamed
from solvent.reach.program import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Clause,
    Command,
    Expression,
    Havoc,
    Procedure,
    Program,
    Variable,
    assigned,
    old_value,
    read_by,
)
from solvent.terms import BoolTerm, Int, and_, constants, not_
from solvent.terms.booleans import NOT
from solvent.terms.graph import reachable
from solvent.terms.kinds import Guard
from solvent.terms.ranges import Range, Ranges, conjuncts
from solvent.terms.sorts import Bool
from solvent.terms.term import CONSTANT, Term

# How often the head of a loop is reached before a bound that moves jumps, and then is given up.
PATIENCE = 2
MOST_JUMPS = 30
# How many rounds give bounds back.
NARROWING = 2


def with_intervals(program: Program) -> Program:
    """The program in which loops have invariants about the numbers and conditions they change.

    >>> i = Int("i")
    >>> blocks = [
    ...     Block("a", (Assign((i,), (0,)),), ("h",)),
    ...     Block("h", (), ("b", "e")),
    ...     Block("b", (Assume(i < 10), Assign((i,), (i + 2,))), ("h",)),
    ...     Block("e", (Assume(i >= 10),), ()),
    ... ]
    >>> p = Procedure("p", (), (), (i,), {block.label: block for block in blocks})
    >>> found = with_intervals(Program((), {"p": p})).procedures["p"]
    >>> found.blocks["h"].invariants[0].condition is and_(0 <= i, i <= 11)
    True
    """
    procedures = {name: _with_bounds(one, program) for name, one in program.procedures.items()}
    return replace(program, procedures=procedures)


def _with_bounds(procedure: Procedure, program: Program) -> Procedure:
    loops = loops_of(procedure)
    if not loops:
        return procedure
    states = _Analysis(procedure, program).run()
    blocks = dict(procedure.blocks)
    for loop in loops:
        commands = [one for label in loop.body for one in procedure.blocks[label].commands]
        state = states.get(loop.head)
        known = [False] if state is None else list(state.facts(assigned(commands, program)))
        if known:
            head = blocks[loop.head]
            clause = Clause(and_(known), True, head.where, always=True)
            blocks[loop.head] = replace(head, invariants=(*head.invariants, clause))
    return replace(procedure, blocks=blocks)


@dataclass(frozen=True, slots=True)
class _State:
    """What is known where some paths have come: bounds of numbers, and values of conditions."""

    bounds: Mapping[Term, Range]
    values: Mapping[Term, bool]

    def ranges(self) -> Ranges:
        """The bounds, to compute others with."""
        found = Ranges()
        for term, (low, high) in self.bounds.items():
            found.narrow(term, low, high)
        return found

    def facts(self, variables: Iterable[Variable]) -> Iterable[Guard]:
        """What is known about some variables, as conditions."""
        for variable in variables:
            low, high = self.bounds.get(variable, (None, None))
            if low is not None:
                yield variable >= low  # type: ignore[operator]
            if high is not None:
                yield variable <= high  # type: ignore[operator]
            if variable in self.values:
                assert isinstance(variable, BoolTerm)
                yield variable if self.values[variable] else not_(variable)

    def without(self, variables: Iterable[Variable]) -> _State:
        """What is left when variables get any value."""
        lost = set(variables)
        return _State(
            {term: known for term, known in self.bounds.items() if term not in lost},
            {term: known for term, known in self.values.items() if term not in lost},
        )

    def with_condition(self, condition: Guard) -> _State | None:
        """What is known where a condition holds too; None if it cannot."""
        if condition is False:
            return None
        values = dict(self.values)
        for found in conjuncts(condition):
            inner, value = (found.key[1], False) if found.op is NOT else (found, True)
            if inner.op is CONSTANT and values.setdefault(inner, value) is not value:
                return None
        ranges = self.ranges()
        ranges.learn_common(condition)
        ranges.learn(condition)
        bounds = ranges.bounds()
        if any(
            low is not None and high is not None and low > high for low, high in bounds.values()
        ):
            return None
        return _State(bounds, values)

    def assigned(self, targets: Iterable[Variable], values: Iterable[Expression]) -> _State:
        """What is known after an assignment."""
        ranges = self.ranges()
        bounds: dict[Term, Range] = {}
        known: dict[Term, bool] = {}
        pairs = list(zip(targets, values, strict=True))
        for target, value in pairs:
            if target.sort is Int:
                bounds[target] = ranges.of(value)  # type: ignore[arg-type]
            elif target.sort is Bool:
                found = value if isinstance(value, bool) else self.values.get(value)  # type: ignore[arg-type]
                if found is not None:
                    known[target] = found
        rest = self.without(target for target, _ in pairs)
        return _State(_bounded({**rest.bounds, **bounds}), {**rest.values, **known})

    def joined(self, other: _State) -> _State:
        """What both know."""
        bounds = {
            term: (
                _outer(low, other.bounds[term][0], min),
                _outer(high, other.bounds[term][1], max),
            )
            for term, (low, high) in self.bounds.items()
            if term in other.bounds
        }
        values = {t: v for t, v in self.values.items() if other.values.get(t) is v}
        return _State(_bounded(bounds), values)

    def widened(self, before: _State, stops: Sequence[int]) -> _State:
        """The state in which bounds that are not what they were go on to one of some stops."""
        bounds = {}
        for term, (low, high) in self.bounds.items():
            was_low, was_high = before.bounds.get(term, (None, None))
            if low is not None and low != was_low:
                place = bisect_right(stops, low)
                low = stops[place - 1] if place else None
            if high is not None and high != was_high:
                place = bisect_left(stops, high)
                high = stops[place] if place < len(stops) else None
            bounds[term] = (low, high)
        return replace(self, bounds=_bounded(bounds))


def _bounded(bounds: Mapping[Term, Range]) -> dict[Term, Range]:
    return {term: known for term, known in bounds.items() if known != (None, None)}


def _outer(a: int | None, b: int | None, choose: Callable[[int, int], int]) -> int | None:
    return None if a is None or b is None else choose(a, b)


def _stops(procedure: Procedure) -> list[int]:
    """The numbers that occur in a procedure, and those beside them."""
    expressions = [*read_by(procedure.commands)]
    found = {
        part
        for term in reachable([one for one in expressions if isinstance(one, Term)])
        for part in term.args
        if type(part) is int
    }
    found.update(one for one in expressions if type(one) is int)
    return sorted({near for one in found for near in (one - 1, one, one + 1)})


class _Analysis:
    """The states in which the blocks of a procedure begin."""

    def __init__(self, procedure: Procedure, program: Program) -> None:
        self.procedure = procedure
        self.program = program
        graph = {label: block.targets for label, block in procedure.blocks.items()}
        self.before = predecessors(graph)
        self.order = [*reversed(postorder(graph, procedure.entry))]
        self.heads = {loop.head for loop in loops_of(procedure)}
        self.ends: dict[str, _State | None] = {}
        self.starts: dict[str, _State | None] = {}
        self.visits: dict[str, int] = {}
        self.stops = _stops(procedure)

    def run(self) -> dict[str, _State | None]:
        """Rounds until nothing changes, and some that give bounds back."""
        while self.round(widening=True):
            pass
        for _ in range(NARROWING):
            self.round(widening=False)
        return self.starts

    def round(self, widening: bool) -> bool:
        """Run each block once; whether a state at the start of one has changed."""
        changed = False
        for label in self.order:
            state = self.met(label)
            old = self.starts.get(label)
            if widening and label in self.heads and old is not None and state is not None:
                self.visits[label] = self.visits.get(label, 0) + 1
                state = state.joined(old)
                if self.visits[label] > PATIENCE:
                    jumps = self.visits[label] <= PATIENCE + MOST_JUMPS
                    state = state.widened(old, self.stops if jumps else ())
            if label not in self.starts or state != old:
                changed = True
                self.starts[label] = state
                self.ends[label] = self.after(self.procedure.blocks[label], state)
        return changed

    def met(self, label: str) -> _State | None:
        """What is known where a block begins; None if nothing has come there yet."""
        states = [self.ends.get(one) for one in self.before[label]]
        if label == self.procedure.entry:
            states.append(self.entry())
        found: _State | None = None
        for state in states:
            if state is not None:
                found = state if found is None else found.joined(state)
        return found

    def entry(self) -> _State | None:
        """What is known where the procedure begins."""
        state: _State | None = _State({}, {})
        for condition in (
            *self.program.axioms,
            *(clause.assumption for clause in self.procedure.requires),
        ):
            state = None if state is None else state.with_condition(condition)
        return state

    def after(self, block: Block, state: _State | None) -> _State | None:
        """What is known where a block ends."""
        for clause in block.invariants:
            state = None if state is None else state.with_condition(clause.assumption)
        for command in block.commands:
            if state is None:
                return None
            state = self.command(command, state)
        return state

    def command(self, command: Command, state: _State) -> _State | None:
        """What is known after a command."""
        match command:
            case Assume(condition) | Assert(condition):
                return state.with_condition(condition)
            case Assign(targets, values):
                return state.assigned(targets, values)
            case Havoc(variables):
                return state.without(variables)
            case Call():
                return self.call(command, state)

    def call(self, call: Call, state: _State) -> _State | None:
        """What is known after a call: what its contract says, unless that is about lost values."""
        callee = self.program.procedure(call.procedure)
        changed = assigned((call,), self.program)
        found: _State | None = state.without(changed)
        if any(one in changed for one in constants(*call.inputs)):
            return found
        # What global variables were before the call; only those that it does not change still are.
        lost = {g: g.sort(f"{g.name} before the call") for g in changed}
        given = {
            **{old_value(g): lost.get(g, g) for g in self.program.globals},
            **dict(zip(callee.inputs, call.inputs, strict=True)),
            **dict(zip(callee.outputs, call.outputs, strict=True)),
        }
        for clause in callee.ensures:
            if found is not None:
                found = found.with_condition(renamed(clause.assumption, given))
        return None if found is None else found.without(lost.values())
