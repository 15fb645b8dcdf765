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

from solvent.btor2.answers import PropertyAnswer
from solvent.btor2.bmc import Progress, bmc, first_answer
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.literals import CADICAL, fits
from solvent.btor2.step_literals import LiteralStep, numbers_of_slots
from solvent.btor2.step_terms import TermStep
from solvent.btor2.steps import Cube, Literal, Part, Seen, Step
from solvent.btor2.symbolic import Value
from solvent.btor2.syntax import Model
from solvent.errors import InternalError
from solvent.verdicts import Deadline, GaveUp, Verdict

ENGINE = "IC3"


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
    def __init__(self, step: Step, solver: str | None, deadline: Deadline) -> None:
        self.step = step
        self.deadline = deadline
        # One solver for frames and transitions, in which each frame has a switch.
        self.solver = step.questions(solver, deadline)
        self.starting = step.questions(solver, deadline)
        self.lifting = step.questions(solver, deadline)
        self.starting.add(step.start)
        self.solver.add(step.constraint)
        self.switches: list[Value] = []
        self.frames: list[set[Cube]] = []
        self.numbers = itertools.count()
        self._new_frame()
        self.solver.add_either([self._not(self.switches[0]), step.start])

    def close(self) -> None:
        for one in (self.solver, self.starting, self.lifting):
            one.close()

    def _new_frame(self) -> None:
        self.switches.append(self.step.switch())
        self.frames.append(set())

    def _not(self, condition: Value) -> Value:
        return self.solver.negation(condition)

    def _cube(self, cube: Iterable[Literal]) -> list[Value]:
        """The conditions of a cube now."""
        now = self.step.now
        return [now[b] if v else self._not(now[b]) for b, v in sorted(cube)]

    def _next_cube(self, cube: Iterable[Literal]) -> list[Value]:
        """The conditions of a cube in the next state."""
        after = self.step.following
        return [after[b] if v else self._not(after[b]) for b, v in sorted(cube)]

    def _on(self, frame: int) -> list[Value]:
        """The switches that assert a frame: its own clauses and those of all later frames."""
        return self.switches[frame:]

    # --- the algorithm -----------------------------------------------------------------------

    def prove(self, most: int, progress: Progress | None) -> list[Cube] | None:
        """Cubes that no state is ever in; None if there are more frames than allowed."""
        if self._satisfiable([self.step.constraint, self.step.bad]):
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

    def _satisfiable(self, conditions: Sequence[Value]) -> bool:
        """Whether some conditions can hold at the start."""
        impossible = any(one is False for one in conditions)
        return not impossible and self.starting.satisfiable(*conditions)

    def _bad_cube(self, top: int) -> Cube | None:
        """States of the last frame that are bad, whatever else they are."""
        bad = self.step.bad
        if bad is False or not self.solver.satisfiable(*self._on(top), bad):
            return None
        return self._lift([bad])

    def _lift(self, target: Sequence[Value]) -> Cube:
        """A cube of states from which the inputs of the last model lead to a target."""
        seen = self.step.seen(self.solver)
        parts = self._needed([self.step.constraint, *target], seen)
        return seen.cube(parts, lambda wanted: self._needed(wanted, seen))

    def _needed(self, wanted: Sequence[Value], seen: Seen) -> set[Part]:
        """What of a state makes some conditions hold, with the inputs as they are."""
        missed = self.lifting.assumable([[self._not(one) for one in wanted]])
        if missed is False:
            return set()
        if self.lifting.satisfiable(*seen.fixed, missed, *seen.said):
            raise InternalError("a predecessor does not lead where it should")
        core = {part for key in self.lifting.core() for part in seen.said.get(key, ())}
        self.lifting.retire(missed)
        return core

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
        return self._satisfiable(self._cube(cube))

    def _predecessor(self, cube: Cube, frame: int) -> Cube | _Blocked | None:
        """States of the frame before that lead into a cube, or a cube around it without any."""
        if any(cube >= known for later in self.frames[frame:] for known in later):
            return None
        # Why it is so has rarely to do with certain addresses.
        anywhere = cube.difference(*self.step.bundles(cube))
        if anywhere and anywhere != cube and not self._starts_in(anywhere):
            found = self._unreachable(anywhere, frame)
            if found is not None:
                return _Blocked(found)
        found = self._unreachable(cube, frame)
        if found is None:
            return self._lift(self._next_cube(cube))
        return _Blocked(found)

    def _outside_start(self, core: Cube, cube: Cube) -> Cube:
        """The core, with more of the cube if the start would be in it."""
        if not core or self._starts_in(core):
            rest = sorted(cube - core)
            while rest and (not core or self._starts_in(core)):
                core |= {rest.pop()}
        return core

    def _generalise(self, cube: Cube, frame: int) -> Cube:
        """Leave literals out as long as the cube stays unreachable."""
        alone = (frozenset({literal}) for literal in sorted(cube))
        for part in (*self.step.bundles(cube), *alone):
            smaller = cube - part
            if not smaller or smaller == cube or self._starts_in(smaller):
                continue
            found = self._unreachable(smaller, frame)
            if found is not None:
                cube = found
        return cube

    def _unreachable(self, cube: Cube, frame: int) -> Cube | None:
        """A part of a cube, if nothing outside of it leads into it from the frame before."""
        by_condition: dict[Value, list[Literal]] = {}
        literals = sorted(cube)
        for literal, condition in zip(literals, self._next_cube(literals), strict=True):
            by_condition.setdefault(condition, []).append(literal)
        outside = self.solver.assumable(self.step.outside(cube))
        reached = self.solver.satisfiable(*self._on(frame - 1), outside, *by_condition)
        core = [] if reached else self.solver.core()
        self.solver.retire(outside)
        if reached:
            return None
        kept = frozenset(one for key in core for one in by_condition.get(key, ()))
        return self._outside_start(kept, cube)

    def _add(self, cube: Cube, frame: int) -> None:
        """Exclude a cube from a frame, and so from all before."""
        for earlier in self.frames[1 : frame + 1]:
            for known in [known for known in earlier if known >= cube]:
                earlier.remove(known)
        self.frames[frame].add(cube)
        for clause in self.step.outside(cube):
            self.solver.add_either([self._not(self.switches[frame]), *clause])

    def _propagate(self) -> list[Cube] | None:
        """Move clauses to later frames; if all of a frame could move, they are invariant."""
        for frame in range(1, len(self.frames) - 1):
            for cube in sorted(self.frames[frame], key=sorted):
                after = self._next_cube(cube)
                if not self.solver.satisfiable(*self._on(frame), *after):
                    self._add(cube, frame + 1)
            if not self.frames[frame]:
                return sorted((c for later in self.frames[frame + 1 :] for c in later), key=sorted)
        return None


@dataclass
class _Blocked:
    """A cube that nothing leads into."""

    cube: Cube


def ic3(
    model: Model | Evaluator,
    k: int = 0,
    *,
    most: int = 1000,
    solver: str | None = None,
    deadline: Deadline | None = None,
    progress: Progress | None = None,
    lemmas: Sequence[int] = (),
) -> PropertyAnswer:
    """Prove one bad state unreachable, with an invariant, or reach it.

    `lemmas` are other properties, by their positions, that are known to hold.

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
    lemmas = _relevant(evaluator, k, lemmas)
    if solver != CADICAL:
        step = TermStep(evaluator, k, lemmas)
        return _on_step(evaluator, k, step, (most, solver, deadline, progress))
    answer = first_answer(evaluator.model, k, ENGINE)
    for slots in numbers_of_slots(evaluator, k, lemmas):
        try:
            on_literals = LiteralStep(evaluator, k, slots, lemmas)
        except GaveUp as stop:
            answer = replace(answer, reason=str(stop))
            continue
        found = _on_step(evaluator, k, on_literals, (most, solver, deadline, progress))
        if found.verdict is not Verdict.BOUNDED:
            return found
        reason = "the memories are too complicated"
        answer = replace(found, verdict=Verdict.UNKNOWN, reason=reason)
    return answer


def _relevant(evaluator: Evaluator, k: int, lemmas: Sequence[int]) -> list[int]:
    """Those properties that speak only of states of which another one speaks, too."""
    states = set(evaluator.states)
    cone = evaluator.cone([evaluator.bads[k], *evaluator.constraints])
    return [one for one in lemmas if evaluator.cone([evaluator.bads[one]]) & states <= cone]


def _on_step(
    evaluator: Evaluator,
    k: int,
    step: TermStep | LiteralStep,
    settings: tuple[int, str | None, Deadline, Progress | None],
) -> PropertyAnswer:
    """What IC3 says of one step of a model; up to a bound, if the step only allows for too much."""
    most, solver, deadline, progress = settings
    nothing = first_answer(evaluator.model, k, ENGINE)
    prover = _Prover(step, solver, deadline)
    try:
        cubes = prover.prove(most, progress)
        if cubes is None:
            return replace(nothing, reason=f"there are more than {most} frames")
        invariant, second = step.confirmed(cubes, solver, deadline)
        reason = f"the invariant is confirmed by {second}"
        if step.lemmas:
            reason += f", given {', '.join(f'b{one}' for one in step.lemmas)}"
        return replace(nothing, verdict=Verdict.HOLDS, reason=reason, invariant=invariant)
    except _Reached as reached:
        steps = reached.args[0]
        if solver == CADICAL and not fits(evaluator, [evaluator.bads[k], *evaluator.constraints]):
            # Large memories are compared, which only terms can do.
            solver = None
        found = bmc(evaluator, steps, properties=[k], solver=solver, deadline=deadline)[0]
        if found.verdict is Verdict.BOUNDED and step.is_exact:
            raise InternalError("IC3's counterexample cannot be executed") from None
        return replace(found, engine=ENGINE)
    except GaveUp as stop:
        return replace(nothing, reason=str(stop))
    finally:
        prover.close()
