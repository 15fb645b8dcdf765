"""The variables of a sequential program that stand for contexts, and how they change."""

from __future__ import annotations

from dataclasses import dataclass, field

from solvent.reach.positions import Position
from solvent.reach.program import Assign, Assume, Command, Expression, Havoc, Variable
from solvent.reach.threads.primitives import Bound
from solvent.reach.threads.source import Source
from solvent.terms import (
    BitVecSort,
    Bool,
    BoolTerm,
    Int,
    IntTerm,
    and_,
    bv,
    eq,
    implies,
    ite,
    not_,
    or_,
)

# No identifier of a program contains a blank.
NOW, NEXT = Int("context now"), Int("context next")
STOPPED, FAILED, FAILURE = Bool("thread stopped"), Bool("thread failed"), Int("context failed")
ATOMIC = Bool("atomic now")


@dataclass(frozen=True, slots=True)
class Identities:
    """Which thread runs, how many have been started, and which one was started last by this one."""

    now: Variable
    count: Variable
    child: Variable

    def number(self, value: int) -> Expression:
        """A number of a thread."""
        sort = self.now.sort
        return bv(value, sort.width) if isinstance(sort, BitVecSort) else value


@dataclass(slots=True)
class Contexts:
    """The contexts of a program within a bound."""

    source: Source
    bound: Bound
    identities: Identities | None = field(init=False, default=None)
    # The shared variables, and for each one what it is in each context.
    shared: list[Variable] = field(init=False)
    copies: dict[Variable, list[Variable]] = field(init=False)
    # If switches are counted: whether some thread has taken a context for itself.
    claimed: list[BoolTerm] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.shared = self.source.shared
        sort = self.source.id_sort
        if sort is not None:
            names = ("thread now", "threads so far", "child now")
            self.identities = Identities(*(sort(name) for name in names))
            self.shared.append(self.identities.count)
        every = range(self.bound.contexts)
        self.copies = {v: [v.sort(f"{v.name} in context {i}") for i in every] for v in self.shared}
        if self.bound.switches is not None:
            self.claimed = [Bool(f"context {i} claimed") for i in every]

    @property
    def _who(self) -> tuple[Variable, ...]:
        found = self.identities
        return () if found is None else (found.now, found.child)

    @property
    def control(self) -> tuple[Variable, ...]:
        """The variables that are there whatever the program is about."""
        return (NOW, STOPPED, FAILED, FAILURE, ATOMIC, *self.claimed, *self._who)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables that a sequential program has."""
        copies = (copy for found in self.copies.values() for copy in found)
        return (*self.shared, *self.control, *copies)

    @property
    def own(self) -> tuple[Variable, ...]:
        """The variables that each thread has for itself."""
        return (ATOMIC, *self._who, *self.source.program.thread_local)

    def first_identity(self) -> dict[Variable, Expression]:
        """The identities at the start: the first thread is 1."""
        found = self.identities
        if found is None:
            return {}
        one = found.number(1)
        return {found.now: one, found.count: one, found.child: found.number(0)}

    def put_away(self, where: Position) -> list[Command]:
        """Leave the shared variables in the context that runs now."""
        new = {
            copy: ite(eq(NOW, index), variable, copy)
            for variable, copies in self.copies.items()
            for index, copy in enumerate(copies)
        }
        return [Assign(tuple(new), tuple(new.values()), where)] if new else []

    def go_to(self, context: IntTerm, where: Position) -> list[Command]:
        """Take the shared variables of a context; those of the last one have been put away."""
        new: dict[Variable, Expression] = {NOW: context}
        for variable, copies in self.copies.items():
            value: Expression = copies[-1]
            for index, copy in enumerate(copies[:-1]):
                value = ite(eq(context, index), copy, value)
            new[variable] = value
        return [Assign(tuple(new), tuple(new.values()), where)]

    def next_after(self, context: IntTerm, where: Position, *, strict: bool) -> list[Command]:
        """Choose a later context, or perhaps the same, and claim it if contexts are claimed."""
        later = context < NEXT if strict or self.claimed else context <= NEXT
        commands: list[Command] = [
            Havoc((NEXT,), where),
            Assume(and_([later, self.bound.contexts > NEXT]), where),
        ]
        if self.claimed:
            here = [eq(NEXT, index) for index in range(len(self.claimed))]
            free = [
                implies(chosen, not_(claimed))
                for chosen, claimed in zip(here, self.claimed, strict=True)
            ]
            taken = [
                or_([claimed, chosen]) for chosen, claimed in zip(here, self.claimed, strict=True)
            ]
            commands.append(Assume(and_(free), where))
            commands.append(Assign(tuple(self.claimed), tuple(taken), where))
        return commands
