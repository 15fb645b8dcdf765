"""One symbolic run of the function that a query is about.

The run leaves no trace: whatever it writes to lists, objects, globals or closures of the caller is
journaled in a layer of its own and undone, so that the inputs can be evaluated as they were, the
function can be replayed, and a query inside of a lifted program does not disturb it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from types import GeneratorType

from solvent.lift.calls import call
from solvent.lift.execution import adopt
from solvent.lift.function import UNLIFTED
from solvent.lift.longer import noting_lengths
from solvent.lift.reflection import assume
from solvent.lift.under_model import evaluate
from solvent.lift.varying import Record, recording
from solvent.queries.guarding import telling_limits
from solvent.terms.booleans import and_
from solvent.terms.model import Model
from solvent.vm.bounds import bounded
from solvent.vm.journal import Layer, apply, undo
from solvent.vm.machine import Machine, Outcome, path_of_run
from solvent.vm.report import Listener
from solvent.vm.values import Guard, Value


@dataclass(frozen=True, slots=True)
class Run:
    """What a run came to, and what it would leave behind."""

    outcome: Outcome
    # The path of the lifted program that makes the query, `True` outside of any.
    context: Guard
    # What was computed from the result before the run ended.
    extra: Value = None
    # Where the run first used a value that differs from run to run, if it did.
    varying: str = ""
    # Where it first walked a set whose order depends on more than the inputs, if it did.
    walked: str = ""
    # Lengths that its texts would have to have for what the program looks for in them.
    asked: frozenset[int] = frozenset()

    def value(self, model: Model) -> Value:
        """The result under a model, with what the run made of the objects in it."""
        layer: Layer = {}
        apply(self.outcome.effects, layer)
        try:
            value = evaluate(self.outcome.value, model)
            # What holds nothing symbolic is not copied by that, and is about to be undone.
            with suppress(Exception):
                value = copy.deepcopy(value) if layer else value
            return value
        finally:
            undo(layer)

    @property
    def assumes(self) -> Guard:
        """The assumptions made, and the path on which the query is made."""
        return and_(self.context, self.outcome.assumes)


def run(
    function: Callable[..., Value],
    args: tuple[Value, ...],
    named: dict[str, Value],
    *,
    assumptions: Iterable[Guard] = (),
    bound: int | None = None,
    unwinding: str = "assert",
    listener: Listener | None = None,
    then: Callable[[Value], Value] | None = None,
    machine: Machine | None = None,
    any_order: bool = False,
    on_doubt: Callable[[Guard], None] | None = None,
) -> Run:
    """Run a function on symbolic values and undo what it wrote; `then` is run on its result.

    With `any_order` sets are walked in any order, as a proof must have it.  `on_doubt` is told of
    the first condition on which it depends whether the function fails, as soon as there is one.
    """
    context = path_of_run()
    machine = machine or Machine()
    machine.state.on_doubt = on_doubt

    def action() -> Value:
        adopt(args, named)
        for assumption in assumptions:
            assume(assumption)
        with ExitStack() as limits:
            if bound is not None:
                limits.enter_context(bounded(bound, unwinding))
            value = (function if UNLIFTED else call(function))(*args, **named)
            if isinstance(value, GeneratorType):
                # Calling a generator function runs nothing of it yet.
                value = call(list)(value)
        if then is not None:
            extra.append(then(value))
        return value

    extra: list[Value] = []
    record = Record(any_order)
    asked: set[int] = set()
    with telling_limits(function), recording(record), noting_lengths(asked):
        outcome = machine.run(action, context=context, undo=True, listener=listener)
    found = extra[0] if extra else None
    return Run(outcome, context, found, record.varying, record.walked, frozenset(asked))
