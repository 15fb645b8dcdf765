"""Justice and fairness: from liveness to safety (Biere, Artho, Schuppan).

A justice property asks for an execution in which each of its conditions, and each fairness
constraint, holds again and again.  In a finite system that is one which comes back to a state.  The
transformed model may save its state once, then watches the conditions, and is in a bad state when
it is back in the saved state and all conditions have been seen.
"""

from __future__ import annotations

from dataclasses import replace

from solvent.btor2.answers import PropertyAnswer
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.simulate import Simulator
from solvent.btor2.syntax import Model
from solvent.btor2.system import to_system
from solvent.btor2.traces import Execution, lasso
from solvent.btor2.transitions import Property, State, TransitionSystem
from solvent.btor2.witness import Witness
from solvent.errors import InternalError
from solvent.terms import and_, eq, ite, not_, or_
from solvent.terms.kinds import Guard
from solvent.terms.sorts import Bool, Sort
from solvent.terms.term import TermT, constant
from solvent.verdicts import Verdict


def to_safety(model: Model, justice: int) -> Model:
    """A model whose only bad state is reachable if and only if a justice property can be had.

    Its inputs and states are those of the original, in their order, and some more after them.
    """
    system = to_system(model)
    save, saved = _fresh(Bool, "save"), _fresh(Bool, "saved")
    now_saved = or_(saved, save)
    conditions = [*system.justices[justice].condition, *system.fairs]
    states = list(system.states)
    back: list[Guard] = [saved]
    for state in system.states:
        if state.next is None:
            # It can be chosen again as it was.
            continue
        copy = _fresh(state.now.sort, f"saved {state.now.name}")
        taken = ite(and_(save, not_(saved)), state.now, copy)
        states.append(State(copy, None, taken))
        back.append(eq(copy, state.now))
    states.append(State(saved, False, now_saved))
    for position, condition in enumerate(conditions):
        seen = _fresh(Bool, f"seen {position}")
        states.append(State(seen, False, and_(now_saved, or_(seen, condition))))
        back.append(seen)
    changed = TransitionSystem(
        states,
        [*system.inputs, save],
        system.constraints,
        [Property(system.justices[justice].name, and_(*back))],
    )
    return changed.to_model(model.name)


def _fresh(sort: Sort[TermT], name: str) -> TermT:
    return constant(sort, name, fresh=True)


def back_to(model: Model, justice: int, changed: Model, answer: PropertyAnswer) -> PropertyAnswer:
    """An answer about the transformed model as one about the original."""
    result = replace(
        answer, label=f"j{justice}", symbol=model.justices[justice].symbol, witness=None
    )
    if answer.witness is None:
        return result
    witness = _witness(model, justice, changed, answer.witness)
    if witness is not None:
        return replace(result, witness=witness)
    reason = "an execution was found whose large arrays no witness can tell"
    return replace(result, verdict=Verdict.UNKNOWN, time=None, bound=None, reason=reason)


def _witness(model: Model, justice: int, changed: Model, witness: Witness) -> Witness | None:
    """The execution of the original model that a witness of the transformed one shows.

    None if it is not the whole execution: a witness tells arrays element by element.
    """
    from solvent.btor2.replay import replay

    evaluator = Evaluator(model)
    replayed = replay(changed, witness)
    if not replayed.holds and model.has_arrays:
        return None
    steps = replayed.steps
    # The states of the original come first, whatever the others are called.
    states = {node.symbol: k for k, node in reversed(list(enumerate(changed.states)))}
    names = [states[evaluator.names[node.id]] for node in model.states]
    simulator = Simulator(
        evaluator,
        lambda position, time: steps[time].inputs[position],
        lambda position, time: steps[time].states[names[position]] if time < len(steps) else None,
    )
    execution = Execution.of(evaluator, list(simulator.run(len(steps))))
    if lasso(evaluator, execution.steps, justice) is None:
        raise InternalError("the execution that was found does not repeat itself")
    return execution.witness([f"j{justice}"])
