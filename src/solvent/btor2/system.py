"""From a model to a transition system over terms.

One bit is a Boolean here; longer bitvectors and arrays are what they are in `solvent.terms`.
"""

from __future__ import annotations

from collections.abc import Sequence

from solvent.btor2.evaluator import Evaluator
from solvent.btor2.guards import AsBuilt
from solvent.btor2.memory import Memory
from solvent.btor2.symbolic import Value, lift, term_sort
from solvent.btor2.syntax import Model, label
from solvent.btor2.transitions import Property, State, TransitionSystem
from solvent.terms.kinds import ArrayLike, Bits, Guard, Operand
from solvent.terms.sorts import ArraySort, BitVecSort, Sort
from solvent.terms.term import Term, constant


def as_term(value: Value, sort: Sort[Term]) -> Guard | Bits | ArrayLike:
    """A value of an evaluator as a term or as a concrete value of `solvent.terms`."""
    if isinstance(value, Memory):
        return value.value() if value.is_concrete else value.term()
    assert isinstance(sort, BitVecSort)
    lifted: Guard | Bits = lift(value, sort.width)
    return lifted


def leaf_constant(sort: Sort[Term], name: str) -> Value:
    """A symbolic constant for an input or a state, as a value of an evaluator."""
    found = constant(term_sort(sort), name)
    return Memory(sort, found) if isinstance(sort, ArraySort) else found


def to_system(model: Model) -> TransitionSystem:
    """The transition system that a model describes.

    >>> from solvent.btor2 import parse
    >>> system = to_system(parse('''1 sort bitvec 4
    ... 2 state 1 n
    ... 3 inc 1 2
    ... 4 next 1 2 3
    ... 5 sort bitvec 1
    ... 6 redand 5 2
    ... 7 bad 6 full'''))
    >>> system.states[0].next, system.bads
    (n + 1, [Property(name='full', condition=n == 15)])
    """
    evaluator = Evaluator(model)
    values = evaluator.start[:]
    for node in (*model.inputs, *model.states):
        assert node.sort is not None
        place = evaluator.places[node.id]
        values[place] = leaf_constant(node.sort, evaluator.names[node.id])

    def term(place: int) -> Operand:
        return as_term(values[place], evaluator.sorts[place])

    def condition(place: int) -> Guard:
        return term(place)  # type: ignore[return-value]

    parts = (evaluator.bads, evaluator.constraints, evaluator.fairs, evaluator.outputs)
    roots = [place for part in parts for place in part]
    roots += [place for places in evaluator.justices for place in places]
    roots += [*evaluator.inits.values(), *evaluator.nexts.values()]
    evaluator.run(values, roots, _no_leaf, AsBuilt())
    system = TransitionSystem(inputs=[_now(values[place]) for place in evaluator.inputs])
    for place in evaluator.states:
        state = State(_now(values[place]))
        if place in evaluator.inits:
            state.init = _initial(evaluator, values, place)
        if place in evaluator.nexts:
            state.next = term(evaluator.nexts[place])
        system.states.append(state)
    for position, place in enumerate(evaluator.bads):
        name = label(model.bads[position], "bad", position)
        system.bads.append(Property(name, condition(place)))
    system.constraints = [condition(place) for place in evaluator.constraints]
    system.fairs = [condition(place) for place in evaluator.fairs]
    for position, places in enumerate(evaluator.justices):
        name = label(model.justices[position], "justice", position)
        system.justices.append(Property(name, [condition(place) for place in places]))
    for position, place in enumerate(evaluator.outputs):
        name = label(model.outputs[position], "output", position)
        system.outputs.append(Property(name, term(place)))
    return system


def _now(value: Value) -> Term:
    now: Term = value.base if isinstance(value, Memory) else value
    return now


def _initial(evaluator: Evaluator, values: Sequence[Value], state: int) -> Operand:
    init = evaluator.inits[state]
    sort = evaluator.sorts[state]
    if isinstance(sort, ArraySort) and evaluator.sorts[init] is sort.element:
        return as_term(Memory.everywhere(sort, values[init]), sort)
    return as_term(values[init], evaluator.sorts[init])


def _no_leaf(place: int) -> Value:
    raise AssertionError("all inputs and states have a constant")
