"""Transition systems over terms, and the models that they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from solvent.btor2.builder import Builder, node_sort, of_sort
from solvent.btor2.errors import ModelError
from solvent.btor2.printer import print_model
from solvent.btor2.syntax import Model
from solvent.terms.arrays import CONST_ARRAY
from solvent.terms.graph import constants
from solvent.terms.kinds import Guard, Operand
from solvent.terms.term import Term
from solvent.terms.values import ArrayValue

ConditionT = TypeVar("ConditionT")


@dataclass(slots=True)
class State:
    """A state: the constant that stands for it now, its first value and its next one.

    Without `init` it starts with any value; without `next` it may have any value at any time.
    """

    now: Term
    init: Operand | None = None
    next: Operand | None = None


@dataclass(slots=True)
class Property(Generic[ConditionT]):
    """A named condition, several (for `justice`), or any value (for an output)."""

    name: str
    condition: ConditionT


@dataclass(slots=True)
class TransitionSystem:
    """States, inputs and properties, all terms over the constants of states and inputs.

    >>> from solvent.terms import BitVec
    >>> n = BitVec("n", 8)
    >>> system = TransitionSystem([State(n, 0, n + 3)], bads=[Property("wraps", n == 1)])
    >>> print(system.to_text(), end="")
    1 sort bitvec 8
    2 zero 1
    3 state 1 n
    4 init 1 3 2
    5 constd 1 3
    6 add 1 3 5
    7 next 1 3 6
    8 one 1
    9 sort bitvec 1
    10 eq 9 3 8
    11 bad 10 wraps
    """

    states: list[State] = field(default_factory=list)
    inputs: list[Term] = field(default_factory=list)
    constraints: list[Guard] = field(default_factory=list)
    bads: list[Property[Guard]] = field(default_factory=list)
    fairs: list[Guard] = field(default_factory=list)
    justices: list[Property[list[Guard]]] = field(default_factory=list)
    outputs: list[Property[Operand]] = field(default_factory=list)

    def to_model(self, name: str = "<terms>") -> Model:
        """This system as a model."""
        return _model(self, name)

    def to_text(self) -> str:
        """This system as BTOR2 text."""
        return print_model(self.to_model())


def _model(system: TransitionSystem, name: str) -> Model:
    """A transition system as a model; states are declared in an order in which they can start."""
    builder = Builder(name)
    for now in system.inputs:
        builder.input(now)
    for position in _order(system):
        state = system.states[position]
        if state.init is None:
            builder.state(state.now)
            continue
        # What a state starts with stands before it.
        first = _first(state.now, state.init)
        builder.node(first)
        builder.state(state.now)
        builder.init(state.now, first)
    for state in system.states:
        if state.next is not None:
            builder.next(state.now, state.next)
    for condition in system.constraints:
        builder.constraint(condition)
    for one in system.bads:
        builder.bad(one.condition, one.name)
    for condition in system.fairs:
        builder.fair(condition)
    for several in system.justices:
        builder.justice(several.condition, several.name)
    for shown in system.outputs:
        builder.output(shown.condition, shown.name)
    return builder.model


def _first(now: Term, value: Operand) -> Operand:
    sort = node_sort(now)
    if isinstance(value, int) and not isinstance(value, bool):
        return of_sort(value, sort)
    if isinstance(value, ArrayValue) and not value.items:
        value = value.default
    elif isinstance(value, Term) and value.op.base is CONST_ARRAY:
        value = value.key[1]
    return value


def _order(system: TransitionSystem) -> list[int]:
    """The positions of the states such that a state starts with what stands before it."""
    places = {state.now: position for position, state in enumerate(system.states)}
    if all(not isinstance(state.init, Term) for state in system.states):
        return list(range(len(system.states)))
    needs = []
    for state in system.states:
        used = constants(state.init) if isinstance(state.init, Term) else []
        needs.append([places[one] for one in used if one in places])
    order: list[int] = []
    done: dict[int, bool] = {}
    for root in range(len(needs)):
        stack = [root]
        while stack:
            top = stack[-1]
            if done.get(top):
                stack.pop()
                continue
            done.setdefault(top, False)
            open_ones = [other for other in needs[top] if not done.get(other)]
            if any(other in done for other in open_ones):
                raise ModelError(f"{system.states[top].now.name} starts with a value of its own")
            if open_ones:
                stack.extend(open_ones)
                continue
            done[top] = True
            order.append(top)
            stack.pop()
    return order
