"""Bounded model checking: section 4 of "From Program to Logic", with k-induction.

Calls are inlined and loops unrolled up to a bound, and the bounded program is encoded in SSA form
without merge nodes (`ssa`).  The bound increases until an assertion fails, or no execution is
longer (the unwinding assertions hold), or k-induction shows that no later round of a loop can be
the first one that fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solvent.logic import notation
from solvent.logic.flat import Flat, TooLarge, flatten
from solvent.logic.layers import inductive_step, unroll
from solvent.logic.method import (
    Decision,
    Failure,
    Limits,
    Questions,
    Report,
    Section,
    clipped,
)
from solvent.logic.ssa import Encoding, Line, encode
from solvent.logic.witnesses import failure
from solvent.reach.program import Assume, Program
from solvent.solvers.status import Status
from solvent.terms import constants
from solvent.terms.kinds import Guard
from solvent.verdicts import OutOfTime, Verdict

# What is printed is an encoding with at most so many rounds.
PRINTED_ROUNDS = 1
# Induction over more rounds than this hardly ever helps.
MOST_INDUCTION = 5
# The part of the time, and the most of it, for one step of induction.
INDUCTION_SHARE, INDUCTION_SECONDS = 0.1, 5.0


class BoundedModelChecking:
    """The method of section 4; `induction` may prove loops of any length."""

    name = "bmc"

    def __init__(self, induction: bool = True) -> None:
        self.induction = induction

    def analyse(self, program: Program, main: str, limits: Limits) -> Report:
        """Unroll with increasing bounds."""
        questions = Questions(limits)
        encoding = encode(unroll(flatten(program, main), 0))
        if encoding.unwinds is not False:
            encoding = encode(unroll(flatten(program, main), PRINTED_ROUNDS))
        sections = printed(encoding, limits)
        found = self.search(program, main, limits, questions)
        return questions.report(self.name, found, sections, {"bound": found.bound})

    def search(self, program: Program, main: str, limits: Limits, questions: Questions) -> Decision:
        """Increase the bound until there is a verdict."""
        bound, reason = 0, "the bound is reached"
        try:
            for bound in bounds(limits.bound):
                flat = flatten(program, main, bound + 1)
                decided = self.bounded(flat, bound, questions)
                if decided is None and self.induction and bound:
                    decided = self.inductive(flat, bound, questions)
                if decided is not None:
                    return decided
        except (OutOfTime, TooLarge) as problem:
            reason = f"{problem} with {_rounds(bound)}"
        return Decision(reason=reason, bound=bound)

    def bounded(self, flat: Flat, bound: int, questions: Questions) -> Decision | None:
        """Check C ==> P for one bound, then the unwinding assertions; None if a loop goes on."""
        encoding = encode(unroll(flat, bound))
        status, model = questions.ask([*flat.source.axioms, encoding.fails])
        if model is not None:
            found = failure(encoding.witness(model))
            if isinstance(found, Failure):
                reason = f"found with {_rounds(bound)}"
                return Decision(verdict=Verdict.VIOLATED, bound=bound, reason=reason, failure=found)
            return Decision(bound=bound, reason=f"an error is not confirmed: {found}")
        if status is Status.UNKNOWN:
            return Decision(bound=bound, reason=f"the solver gave up with {_rounds(bound)}")
        if encoding.unwinds is False:
            return _safe(bound, "there is nothing to unwind")
        status, _ = questions.ask([*flat.source.axioms, encoding.unwinds])
        if status is Status.UNSAT:
            return _safe(bound, f"no execution is longer than {_rounds(bound)}")
        return None

    def inductive(self, flat: Flat, rounds: int, questions: Questions) -> Decision | None:
        """Whether no round can be the first one that fails after so many that did not."""
        step = inductive_step(flat, rounds)
        if step is None or flat.is_cut or rounds > MOST_INDUCTION:
            return None
        formulas = [*flat.source.axioms, *_always(flat), encode(step).fails]
        seconds = questions.deadline.share(INDUCTION_SHARE, INDUCTION_SECONDS)
        status, _ = questions.ask(formulas, seconds)
        if status is Status.UNSAT:
            return _safe(rounds, f"by induction over {_rounds(rounds)}")
        return None


def bounds(most: int) -> Iterator[int]:
    """The bounds that are tried, each about half as large again as the one before.

    >>> list(bounds(30))
    [0, 1, 2, 3, 4, 6, 9, 13, 19, 28, 30]
    """
    bound = 0
    while bound < most:
        yield bound
        bound = max(bound + 1, bound * 3 // 2)
    yield most


def _safe(bound: int, reason: str) -> Decision:
    return Decision(verdict=Verdict.HOLDS, bound=bound, reason=reason)


def _rounds(bound: int) -> str:
    return f"{bound} round{'s' * (bound != 1)}"


def _always(flat: Flat) -> list[Guard]:
    """What is assumed at the start about what never changes."""
    changing = set(flat.variables)
    return [
        step.condition
        for step in flat.blocks[flat.entry].steps
        if isinstance(step, Assume) and changing.isdisjoint(constants(step.condition))
    ]


# --- the figure --------------------------------------------------------------------------------


def printed(encoding: Encoding, limits: Limits) -> tuple[Section, ...]:
    """Figure 3: the SSA form, C, P, and the verification condition."""
    return (
        Section("SSA form", clipped(list(_nested(encoding.lines, 0)), limits)),
        Section("C(s,true)", clipped(assumption_lines(encoding), limits)),
        Section("P(s,true)", clipped(assertion_lines(encoding), limits)),
        Section("VC", "C ==> P"),
    )


def _nested(lines: Sequence[Line], depth: int) -> Iterator[str]:
    """The statements, with `if`s around those that have the same conditions."""
    pad = "    " * depth
    place = 0
    while place < len(lines):
        line = lines[place]
        if len(line.conditions) == depth:
            yield f"{pad}{_statement(line)}"
            place += 1
            continue
        test = line.conditions[depth]
        end = place
        while (
            end < len(lines)
            and len(lines[end].conditions) > depth
            and lines[end].conditions[depth] is test
        ):
            end += 1
        inside = lines[place:end]
        if len(inside) == 1 and len(inside[0].conditions) == depth + 1:
            yield f"{pad}if({notation.code(test)}) {_statement(inside[0])}"
        else:
            yield f"{pad}if({notation.code(test)}) {{"
            yield from _nested(inside, depth + 1)
            yield f"{pad}}}"
        place = end


def _statement(line: Line) -> str:
    if line.asserted is None:
        return f"{line.version} := {notation.code(line.value)};"
    note = " // unwinding" if line.unwinding else ""
    return f"assert({notation.code(line.asserted)});{note}"


def _guard(line: Line) -> str:
    """The conditions of the `if`s around a statement, from the outside."""
    if len(line.conditions) == 1:
        return notation.grouped(line.conditions[0])
    return f"({' && '.join(map(notation.part, line.conditions))})"


def assumption_lines(encoding: Encoding) -> list[str]:
    """C(s, true) as in figure 3."""
    found = []
    for line in encoding.lines:
        if line.version is None:
            continue
        value = notation.code(line.value)
        if line.guard is True:
            found.append(f"({line.version} == {value})")
        else:
            test = _guard(line)
            found.append(f"{line.version} == ({test} ? {value} : {line.before})")
    return _conjunction("C := ", found)


def assertion_lines(encoding: Encoding) -> list[str]:
    """P(s, true) as in figure 3."""
    found = []
    for line in encoding.lines:
        if line.asserted is None:
            continue
        condition = notation.code(line.asserted)
        if line.guard is not True:
            condition = f"{_guard(line)} ==> {notation.grouped(line.asserted)}"
        note = " /* unwinding */" if line.unwinding else ""
        found.append(f"{condition}{note}")
    if len(found) > 1:
        found = [f"({one})" for one in found]
    return _conjunction("P := ", found)


def _conjunction(name: str, parts: list[str]) -> list[str]:
    if not parts:
        return [f"{name}true"]
    pad = " " * len(name)
    return [
        f"{name if not place else pad}{part}{' &&' if place + 1 < len(parts) else ''}"
        for place, part in enumerate(parts)
    ]
