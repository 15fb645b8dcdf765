"""A transition system over terms as a model."""

from __future__ import annotations

from typing import Any

from solvent.btor2.builder import Builder, node_sort, of_sort
from solvent.btor2.errors import ModelError
from solvent.btor2.syntax import Model
from solvent.btor2.system import TransitionSystem
from solvent.terms.arrays import CONST_ARRAY
from solvent.terms.graph import constants
from solvent.terms.term import Term
from solvent.terms.values import ArrayValue


def build(system: TransitionSystem, name: str = "<terms>") -> Model:
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
        builder.node(_first(state))
        builder.state(state.now)
        builder.init(state.now, _first(state))
    for state in system.states:
        if state.next is not None:
            builder.next(state.now, state.next)
    for condition in system.constraints:
        builder.constraint(condition)
    for one in system.bads:
        builder.bad(one.condition, one.name)
    for condition in system.fairs:
        builder.fair(condition)
    for one in system.justices:
        builder.justice(one.condition, one.name)
    for one in system.outputs:
        builder.output(one.condition, one.name)
    return builder.model


def _first(state: Any) -> Any:
    value = state.init
    sort = node_sort(state.now)
    if isinstance(value, int) and not isinstance(value, bool):
        return of_sort(value, sort)
    if isinstance(value, ArrayValue) and not value.items:
        return value.default
    if isinstance(value, Term) and value.op.base is CONST_ARRAY:
        return value.key[1]
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
