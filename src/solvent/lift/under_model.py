"""The concrete value of anything under a model; what each type does is in `values`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solvent.lift.survey import Survey
from solvent.lift.values.protocol import behaviour_of
from solvent.lift.values.sequences import ATOMIC
from solvent.terms.graph import KeyT
from solvent.terms.kinds import Concrete
from solvent.terms.model import Model
from solvent.terms.model import evaluate as evaluate_term
from solvent.terms.term import Term
from solvent.terms.values import FunctionValue
from solvent.vm import hidden
from solvent.vm.streams import Held
from solvent.vm.union import choices_of
from solvent.vm.values import Value

# Packages whose objects stand for values of the program.
_REPRESENTING = ("solvent.lift", "solvent.vm")


def evaluate(term: Value, model: Model | Mapping[KeyT, Concrete | FunctionValue]) -> Value:
    """The concrete value of a term, union, container or object under a model or a mapping.

    Containers and objects that hold nothing symbolic are returned as they are, others are copied;
    aliases stay aliases.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> evaluate([x, (x + 1, "a")], {x: 3})
    [3, (4, 'a')]
    """
    return Evaluator(model).value(term)


class Evaluator:
    """Evaluates values under one model; everything symbolic in them comes to `term`."""

    def __init__(self, model: Model | Mapping[Any, Concrete | FunctionValue]) -> None:
        self.model = model
        # What is done or being done, by identity; the objects are kept alive beside it.
        self.done: dict[int, tuple[Value, Value]] = {}
        # What hangs together with something symbolic, which is looked at part by part.
        self.surveyed: set[int] = set()

    def term(self, term: Value) -> Value:
        """The value of a term or guard."""
        return evaluate_term(term, self.model) if isinstance(term, Term) else term

    def started(self, value: Value, result: Value) -> None:
        """What stands for an object from now on, also inside of itself."""
        self.done[id(value)] = (value, result)

    def is_known(self, value: Value) -> bool:
        """Whether an object and all that it holds are known to be the same under all models.

        Asked once for all that hangs together, without recursion: an object may know a whole
        program, as a test case knows its test runner.
        """
        if id(value) in self.surveyed:
            return False
        survey = Survey()
        survey.look(value)
        found = survey.values
        if not survey.symbolic and survey.divided is None:
            classes = set(map(type, found.values()))
            if not any(cls.__module__.startswith(_REPRESENTING) for cls in classes):
                return True
        self.surveyed.update(found)
        return False

    def value(self, value: Value) -> Value:
        """The value of anything."""
        cls = type(value)
        if cls in ATOMIC:
            return value
        known = self.done.get(id(value))
        if known is not None:
            return known[1]
        if isinstance(value, Term):
            # As the behaviour of all terms says, without its calls: they are most of what is asked.
            result = self.term(value)
        elif hidden.ELSEWHERE and id(value) in hidden.ELSEWHERE:
            result = self.divided(value)
        else:
            result = behaviour_of(cls).under(value, self)
        self.done[id(value)] = (value, result)
        return result

    def divided(self, value: Value) -> Value:
        """An object of a C type with the state that it has."""
        states = hidden.states_of(value)
        if hidden.is_held(value):
            state: Value = Held(*map(self.value, hidden.held(value)))
        elif states is None:
            state = hidden.version_of(value)
        else:
            state = next(state for guard, state in choices_of(states) if self.term(guard))
        return hidden.made_from(value, state)
