"""The transition relation of a program, with an explicit program counter (section 3).

Every command has a location.  A branch has one too, unless its conditions are tested at the end of
what comes before; blocks that do nothing have none.  So figure 1 has the locations 0 to 8 and err.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from solvent.logic import notation
from solvent.logic.branches import Branches
from solvent.logic.flat import Flat, Step, Unwind
from solvent.reach.program import Assert, Assign, Assume, Call, Havoc, Variable
from solvent.terms import not_
from solvent.terms.kinds import Guard, Operand

# The location after an assertion has failed.
ERROR = -1


@dataclass(frozen=True, slots=True)
class Transition:
    """From one location to another: what must hold, and the values of variables afterwards.

    A variable that gets any value is in `havoc`; all others stay as they are.
    """

    source: int
    target: int
    guard: Guard = True
    updates: Mapping[Variable, Operand] = field(default_factory=dict)
    havoc: tuple[Variable, ...] = ()
    # A recursive call, which no relation over these variables describes.
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class System:
    """The transition relation; it starts at a location, with any values."""

    flat: Flat
    transitions: tuple[Transition, ...]
    start: int
    end: int

    @property
    def recursive(self) -> bool:
        """Whether there are calls that could not be inlined."""
        return any(one.call is not None for one in self.transitions)

    def after(self, location: int) -> list[Transition]:
        """The transitions from a location."""
        return [one for one in self.transitions if one.source == location]

    def lines(self) -> list[str]:
        """The relation as in section 3: one disjunct for each transition."""
        found = [f"({notation.conjunction(self.literals(one))})" for one in self.transitions]
        return [f"{'∨ ' if k else '  '}{line}" for k, line in enumerate(found)] or ["false"]

    def literals(self, one: Transition) -> Iterator[str]:
        """What a transition says about program counter and variables, before and after."""
        target = "err" if one.target == ERROR else str(one.target)
        yield f"pc = {one.source}"
        yield f"pc' = {target}"
        if one.call is not None:
            yield str(one.call).removesuffix(";")
        if one.guard is not True:
            yield notation.literal(one.guard)
        for variable, value in one.updates.items():
            yield notation.equation(f"{variable}'", value)
        changed = {*one.updates, *one.havoc}
        for variable in self.flat.variables:
            if variable not in changed:
                yield f"{variable}' = {variable}"


def transitions(flat: Flat) -> System:
    """The transition relation of a flat program.

    >>> from solvent.logic.flat import flatten
    >>> from solvent.reach.program import Block, Procedure, Program
    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> body = {"a": Block("a", (Assign((x,), (x + 1,)), Assert(x > 0)), ())}
    >>> found = transitions(flatten(Program((), {"p": Procedure("p", (), (), (x,), body)}), "p"))
    >>> print("\\n".join(found.lines()))
      ((pc = 0) ∧ (pc' = 1) ∧ (x' = x + 1))
    ∨ ((pc = 1) ∧ (pc' = err) ∧ (x ≤ 0) ∧ (x' = x))
    ∨ ((pc = 1) ∧ (pc' = 2) ∧ (x > 0) ∧ (x' = x))
    """
    return _Builder(flat).run()


class _Builder:
    def __init__(self, flat: Flat) -> None:
        self.flat = flat
        self.branches = Branches(flat.blocks)
        self.bodies: dict[str, list[Step]] = {}
        # The location of the first command of a block, and of its branch.
        self.first: dict[str, int] = {}
        self.branch: dict[str, int] = {}
        self.found: list[Transition] = []
        self.end = 0

    def run(self) -> System:
        self.number()
        for label, block in self.flat.blocks.items():
            body = self.bodies[label]
            for place, step in enumerate(body):
                here = self.first[label] + place
                after = here + 1 if place + 1 < len(body) else self.leave(label)
                self.found += self.step(step, here, after)
            if label in self.branch:
                self.found += [
                    Transition(
                        self.branch[label],
                        self.enter(edge.target),
                        True if edge.chosen else edge.condition,
                    )
                    for edge in self.branches.edges(label)
                ]
                if not block.targets:
                    self.found.append(Transition(self.branch[label], self.end))
        ordered = sorted(self.found, key=lambda one: one.source)
        return System(self.flat, tuple(ordered), self.enter(self.flat.entry), self.end)

    def number(self) -> None:
        """Give locations to commands and branches, in the order of the blocks."""
        location = 0
        for label, block in self.flat.blocks.items():
            skip = self.branches.is_test(label)
            body = block.commands[1:] if skip else block.commands
            self.bodies[label] = body
            if body:
                self.first[label] = location
                location += len(body)
            if len(block.targets) > 1 or (not body and self.must_stay(label)):
                self.branch[label] = location
                location += 1
        self.end = location

    def must_stay(self, label: str) -> bool:
        """Whether a block that does nothing needs a location: it is part of an endless loop."""
        seen = {label}
        here = label
        while len(targets := self.flat.blocks[here].targets) == 1:
            here = targets[0]
            if here in seen:
                return True
            seen.add(here)
        return False

    def enter(self, label: str) -> int:
        """The location at which a block begins, or what follows it if it does nothing."""
        while label not in self.first and label not in self.branch:
            targets = self.flat.blocks[label].targets
            if not targets:
                return self.end
            (label,) = targets
        return self.first.get(label, self.branch.get(label, self.end))

    def leave(self, label: str) -> int:
        """The location behind the last command of a block."""
        if label in self.branch:
            return self.branch[label]
        targets = self.flat.blocks[label].targets
        return self.enter(targets[0]) if targets else self.end

    def step(self, step: Step, here: int, after: int) -> list[Transition]:
        match step:
            case Assume(condition):
                return [Transition(here, after, condition)]
            case Assert(condition):
                return [
                    Transition(here, ERROR, not_(condition)),
                    Transition(here, after, condition),
                ]
            case Assign(targets, values):
                return [Transition(here, after, True, dict(zip(targets, values, strict=True)))]
            case Havoc(variables):
                return [Transition(here, after, havoc=variables)]
            case Call(outputs=outputs):
                modified = self.flat.source.procedure(step.procedure).modifies
                return [Transition(here, after, havoc=(*outputs, *modified), call=step)]
            case Unwind():
                return []
            case _:
                return [Transition(here, after)]
