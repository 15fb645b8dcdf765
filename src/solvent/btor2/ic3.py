"""IC3, or property directed reachability (Bradley; Een, Mishchenko, Brayton), on bitvectors.

Frames F0, F1, ... over-approximate the states that are reachable in so many steps; each is a set of
clauses over the bits of the states.  A bad state in the last frame is traced back: predecessors are
either reachable from the start, which is a counterexample, or excluded by new clauses, as general
as the solver's cores allow.  When two frames agree, their clauses are an inductive invariant, which
a second solver confirms.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from solvent.btor2.answers import PropertyAnswer
from solvent.btor2.bmc import Progress, bmc, first_answer
from solvent.btor2.errors import ModelError
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.solving import DEFAULT, GENERALIST, Questions
from solvent.btor2.syntax import Model
from solvent.btor2.system import to_system
from solvent.btor2.transitions import State
from solvent.errors import InternalError
from solvent.terms import (
    BV,
    BitVecTerm,
    BoolTerm,
    and_,
    constants,
    eq,
    extract,
    implies,
    ite,
    not_,
    or_,
    substitute,
)
from solvent.terms.kinds import Guard, Operand
from solvent.terms.sorts import ArraySort, Bool
from solvent.terms.term import Term, constant
from solvent.verdicts import Deadline, GaveUp, Verdict

ENGINE = "IC3"
# More bits than this are not tried.
MOST_BITS = 4096

# A bit of a state and its value; a cube is a set of states given by some of their bits.
Literal: TypeAlias = tuple[int, bool]
Cube: TypeAlias = frozenset[Literal]


class System:
    """What IC3 needs of a transition system: bits now and next, the start, constraints, the bad."""

    def __init__(self, evaluator: Evaluator, k: int) -> None:
        model = evaluator.model
        system = to_system(model)
        cone = evaluator.cone([evaluator.bads[k], *evaluator.constraints])
        states = [
            state
            for state, place in zip(system.states, evaluator.states, strict=True)
            if place in cone
        ]
        if any(isinstance(state.now.sort, ArraySort) for state in states):
            raise ModelError("IC3 does not work on arrays; use bmc or kind")
        if sum(getattr(state.now.sort, "width", 1) for state in states) > MOST_BITS:
            raise ModelError(f"IC3 is not tried on more than {MOST_BITS} bits of states")
        self.bad = system.bads[k].condition
        self.constraint = and_(*system.constraints)
        self.now: list[Guard] = []
        self.following: list[Guard] = []
        self.transition: dict[Term, Operand] = {}
        start: list[Guard] = []
        first_values = self._free(states, start)
        for state in states:
            if state.next is None:
                continue
            if state.init is not None:
                start.append(eq(state.now, substitute(state.init, first_values)))
            self._keep(state.now, state.next)
        self.start = and_(*start)
        used = constants(self.bad, self.constraint, *self.following)
        self.inputs = [one for one in used if one not in self.transition]

    def _keep(self, now: Term, following: Operand) -> None:
        """Make a constant part of the state."""
        self.now += _bits(now)
        self.following += _bits(following)
        self.transition[now] = following

    def _free(self, states: Sequence[State], start: list[Guard]) -> dict[Term, Operand]:
        """States without `next` are inputs, but not at the start if that says something of them.

        The result is what each of these is at the start, over what is kept as part of the state: a
        start that spoke of inputs would let a cube start with others than those it was found with.
        """
        started = {one for state in states for one in constants(state.init)}
        first = constant(Bool, "first", fresh=True)
        first_values: dict[Term, Operand] = {}
        for state in states:
            if state.next is not None:
                continue
            if state.init is not None:
                first_values[state.now] = substitute(state.init, first_values)
            elif state.now in started:
                chosen = constant(state.now.sort, f"first {state.now.name}", fresh=True)
                self._keep(chosen, chosen)
                first_values[state.now] = chosen
        if not first_values:
            return first_values
        replaced = {
            now: ite(first, value, constant(now.sort, now.name, fresh=True))
            for now, value in first_values.items()
        }
        self.bad = substitute(self.bad, replaced)
        self.constraint = substitute(self.constraint, replaced)
        for state in states:
            if state.next is not None:
                state.next = substitute(state.next, replaced)
        self._keep(first, False)
        start.append(first)
        return first_values

    def cube(self, cube: Iterable[Literal]) -> list[Guard]:
        """The conditions of a cube now."""
        return [self.now[b] if v else not_(self.now[b]) for b, v in sorted(cube)]

    def next_cube(self, cube: Iterable[Literal]) -> list[Guard]:
        """The conditions of a cube in the next state."""
        return [self.following[b] if v else not_(self.following[b]) for b, v in sorted(cube)]

    def clause(self, cube: Cube) -> Guard:
        """That the state is not in a cube."""
        return or_(*[not_(one) for one in self.cube(cube)])


def _bits(value: Operand) -> list[Guard]:
    if isinstance(value, BV | BitVecTerm):
        return [eq(extract(i, i, value), 1) for i in range(value.width)]
    assert isinstance(value, bool | BoolTerm)
    return [value]


@dataclass(order=True)
class _Obligation:
    """A cube to be shown unreachable in a frame; it leads to a bad state in `steps` steps."""

    frame: int
    number: int
    cube: Cube = field(compare=False)
    steps: int = field(compare=False)


class _Reached(Exception):
    """A bad state is reachable, in so many steps."""


class _Prover:
    def __init__(self, system: System, solver: str | None, deadline: Deadline) -> None:
        self.system = system
        self.deadline = deadline
        # One solver for frames and transitions, in which each frame has a switch.
        self.solver = Questions(solver, deadline)
        self.starting = Questions(solver, deadline)
        self.lifting = Questions(solver, deadline)
        self.starting.add(system.start)
        self.solver.add(system.constraint)
        self.switches: list[BoolTerm] = []
        self.frames: list[set[Cube]] = []
        self.numbers = itertools.count()
        self._new_frame()
        self.solver.add(implies(self.switches[0], system.start))

    def close(self) -> None:
        for one in (self.solver, self.starting, self.lifting):
            one.close()

    def _new_frame(self) -> None:
        self.switches.append(constant(Bool, "frame", fresh=True))
        self.frames.append(set())

    def _on(self, frame: int) -> list[BoolTerm]:
        """The switches that assert a frame: its own clauses and those of all later frames."""
        return self.switches[frame:]

    # --- the algorithm -----------------------------------------------------------------------

    def prove(self, most: int, progress: Progress | None) -> Guard | None:
        """An inductive invariant; None if there are more frames than allowed."""
        if self._satisfiable([self.system.start, self.system.constraint, self.system.bad]):
            raise _Reached(0)
        while len(self.frames) <= most:
            self._new_frame()
            top = len(self.frames) - 1
            if progress is not None:
                progress(top, 1)
            while True:
                cube = self._bad_cube(top)
                if cube is None:
                    break
                self._block(_Obligation(top, next(self.numbers), cube, 0))
            invariant = self._propagate()
            if invariant is not None:
                return invariant
        return None

    def _satisfiable(self, conditions: Sequence[Guard]) -> bool:
        goal = and_(*conditions)
        return goal is not False and self.starting.satisfiable(goal)

    def _bad_cube(self, top: int) -> Cube | None:
        """States of the last frame that are bad, whatever else they are."""
        bad = self.system.bad
        if bad is False or not self.solver.satisfiable(*self._on(top), bad):
            return None
        return self._lift(bad)

    def _lift(self, target: Guard) -> Cube:
        """A cube of states from which the inputs of the last model lead to a target."""
        model = self.solver.model()
        system = self.system
        whole = [
            (bit, bool(model.evaluate(term)) if isinstance(term, Term) else bool(term))
            for bit, term in enumerate(system.now)
        ]
        fixed = [eq(one, model[one]) for one in system.inputs]
        wanted = and_(system.constraint, target)
        missed = not_(wanted)
        if missed is False:
            return frozenset()
        assumed = {c: literal for literal, c in zip(whole, system.cube(whole), strict=True)}
        if self.lifting.satisfiable(*fixed, missed, *assumed):
            raise InternalError("a predecessor does not lead where it should")
        return frozenset(assumed[one] for one in self.lifting.core() if one in assumed)

    def _block(self, first: _Obligation) -> None:
        queue = [first]
        while queue:
            self.deadline.check()
            one = heapq.heappop(queue)
            if self._starts_in(one.cube) or one.frame == 0:
                raise _Reached(one.steps)
            predecessor = self._predecessor(one.cube, one.frame)
            if predecessor is None:
                continue
            if isinstance(predecessor, _Blocked):
                cube = self._generalise(predecessor.cube, one.frame)
                self._add(cube, one.frame)
                if one.frame < len(self.frames) - 1:
                    heapq.heappush(
                        queue, _Obligation(one.frame + 1, one.number, one.cube, one.steps)
                    )
            else:
                heapq.heappush(queue, one)
                heapq.heappush(
                    queue,
                    _Obligation(one.frame - 1, next(self.numbers), predecessor, one.steps + 1),
                )

    def _starts_in(self, cube: Cube) -> bool:
        return self._satisfiable([self.system.start, *self.system.cube(cube)])

    def _predecessor(self, cube: Cube, frame: int) -> Cube | _Blocked | None:
        """States of the frame before that lead into a cube, or a cube around it without any."""
        system = self.system
        if any(cube >= known for later in self.frames[frame:] for known in later):
            return None
        literals = sorted(cube)
        after = system.next_cube(literals)
        by_term: dict[Guard, list[Literal]] = {}
        for literal, term in zip(literals, after, strict=True):
            by_term.setdefault(term, []).append(literal)
        outside = system.clause(cube)
        if self.solver.satisfiable(*self._on(frame - 1), outside, *by_term):
            return self._lift(and_(*system.next_cube(literals)))
        core = [one for term in self.solver.core() for one in by_term.get(term, ())]
        return _Blocked(self._outside_start(frozenset(core), cube))

    def _outside_start(self, core: Cube, cube: Cube) -> Cube:
        """The core, with more of the cube if the start would be in it."""
        if not core or self._starts_in(core):
            rest = sorted(cube - core)
            while rest and (not core or self._starts_in(core)):
                core |= {rest.pop()}
        return core

    def _generalise(self, cube: Cube, frame: int) -> Cube:
        """Leave literals out as long as the cube stays unreachable."""
        for literal in sorted(cube):
            smaller = cube - {literal}
            if not smaller or literal not in cube or self._starts_in(smaller):
                continue
            found = self._unreachable(smaller, frame)
            if found is not None:
                cube = found
        return cube

    def _unreachable(self, cube: Cube, frame: int) -> Cube | None:
        literals = sorted(cube)
        after = self.system.next_cube(literals)
        outside = self.system.clause(cube)
        if self.solver.satisfiable(*self._on(frame - 1), outside, *after):
            return None
        by_term: dict[Guard, list[Literal]] = {}
        for literal, term in zip(literals, after, strict=True):
            by_term.setdefault(term, []).append(literal)
        core = frozenset(one for term in self.solver.core() for one in by_term.get(term, ()))
        return self._outside_start(core, cube)

    def _add(self, cube: Cube, frame: int) -> None:
        """Exclude a cube from a frame, and so from all before."""
        for earlier in self.frames[1 : frame + 1]:
            for known in [known for known in earlier if known >= cube]:
                earlier.remove(known)
        self.frames[frame].add(cube)
        self.solver.add(implies(self.switches[frame], self.system.clause(cube)))

    def _propagate(self) -> Guard | None:
        """Move clauses to later frames; if all of a frame could move, they are invariant."""
        for frame in range(1, len(self.frames) - 1):
            for cube in sorted(self.frames[frame], key=sorted):
                after = self.system.next_cube(cube)
                if not self.solver.satisfiable(*self._on(frame), *after):
                    self._add(cube, frame + 1)
            if not self.frames[frame]:
                clauses = [c for later in self.frames[frame + 1 :] for c in later]
                return and_(*[self.system.clause(c) for c in sorted(clauses, key=sorted)])
        return None


@dataclass
class _Blocked:
    """A cube that nothing leads into."""

    cube: Cube


def confirm(system: System, invariant: Guard, solver: str, deadline: Deadline) -> None:
    """Let another solver check that an invariant is one, and excludes the bad."""
    after = substitute(invariant, system.transition)
    goals = (
        and_(system.start, not_(invariant)),
        and_(invariant, system.constraint, not_(after)),
        and_(invariant, system.constraint, system.bad),
    )
    for goal in goals:
        if goal is False:
            continue
        questions = Questions(solver, deadline)
        try:
            if questions.satisfiable(goal):
                raise InternalError("the invariant that IC3 found is not one")
        finally:
            questions.close()


def ic3(
    model: Model | Evaluator,
    k: int = 0,
    *,
    most: int = 1000,
    solver: str | None = None,
    deadline: Deadline | None = None,
    progress: Progress | None = None,
) -> PropertyAnswer:
    """Prove one bad state unreachable, with an invariant, or reach it.

    >>> from solvent.btor2 import parse
    >>> model = parse('''1 sort bitvec 4
    ... 2 zero 1
    ... 3 state 1 n
    ... 4 init 1 3 2
    ... 5 constd 1 3
    ... 6 input 1 by
    ... 7 sort bitvec 1
    ... 8 ult 7 3 5
    ... 9 inc 1 3
    ... 10 ite 1 8 9 2
    ... 11 next 1 3 10
    ... 12 constd 1 9
    ... 13 eq 7 3 12
    ... 14 bad 13 nine''')
    >>> str(ic3(model))
    'b0 (nine) holds (IC3, the invariant is confirmed by z3)'
    """
    evaluator = model if isinstance(model, Evaluator) else Evaluator(model)
    deadline = deadline or Deadline(None)
    nothing = first_answer(evaluator.model, k, ENGINE)
    system = System(evaluator, k)
    prover = _Prover(system, solver, deadline)
    try:
        invariant = prover.prove(most, progress)
        if invariant is None:
            return replace(nothing, reason=f"there are more than {most} frames")
        second = GENERALIST if (solver or DEFAULT).partition(":")[0] != GENERALIST else DEFAULT
        confirm(system, invariant, second, deadline)
        reason = f"the invariant is confirmed by {second}"
        return replace(nothing, verdict=Verdict.HOLDS, reason=reason, invariant=invariant)
    except _Reached as reached:
        steps = reached.args[0]
        found = bmc(evaluator, steps, properties=[k], solver=solver, deadline=deadline)[0]
        if found.verdict is Verdict.BOUNDED:
            raise InternalError("IC3's counterexample cannot be executed") from None
        return replace(found, engine=ENGINE)
    except GaveUp as stop:
        return replace(nothing, reason=str(stop))
    finally:
        prover.close()
