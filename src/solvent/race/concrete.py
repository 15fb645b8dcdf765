"""A program whose symbolic inputs are made concrete for one model after the other.

What is the same for all models is done once: which functions refer to symbolic variables, which
assumptions there are, and in which order the terms of the inputs are evaluated.

>>> from solvent.queries.inputs import bind
>>> from solvent.terms import Int
>>> def last(items: list[int]) -> int:
...     return items[-1]
>>> program = Program(last, bind(last, (), {}))
>>> program.text(Model({Int("len(items)"): 2, Int("items[1]"): 7}))
'([0, 7])'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType, MethodType
from typing import Any

from solvent.lift.reflection import symbolics
from solvent.lift.under_model import Evaluator
from solvent.queries.inputs import Inputs
from solvent.queries.recipes import Recipe, remade
from solvent.queries.replay import Concretizer, plain, symbolic_surroundings
from solvent.queries.spelling import Speller
from solvent.terms.booleans import conjuncts
from solvent.terms.functions import APPLY
from solvent.terms.graph import reachable
from solvent.terms.model import Model
from solvent.terms.model import evaluate as evaluate_term
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.softfloat import external
from solvent.terms.term import CONSTANT, Term
from solvent.vm.values import Guard, Value

# Positional arguments, named ones, and how some of what is in them was made.
Call = tuple[tuple[Value, ...], dict[str, Value], tuple[tuple[Value, Recipe], ...]]


class Orders:
    """In which order the parts of terms are evaluated, remembered for all models."""

    def __init__(self) -> None:
        self._known: dict[Term, tuple[Term, ...] | None] = {}

    def of(self, term: Term) -> tuple[Term, ...] | None:
        """The parts of a term, it the last of them; nothing if there are quantifiers."""
        if term not in self._known:
            found = tuple(reachable([term]))
            has_quantifiers = any(part.op.base in QUANTIFIERS for part in found)
            self._known[term] = None if has_quantifiers else found
        return self._known[term]


class UnderModel(Evaluator):
    """Evaluates terms that have parts in common, each part once."""

    def __init__(self, model: Model, orders: Orders) -> None:
        super().__init__(model)
        self.assigned = model
        self.orders = orders
        self.values: dict[Term, Any] = {}

    def term(self, term: Value) -> Value:
        if not isinstance(term, Term):
            return term
        values = self.values
        if term not in values:
            order = self.orders.of(term)
            if order is None:
                return evaluate_term(term, self.assigned)
            for part in order:
                if part not in values:
                    values[part] = self._value_of(part)
        return external(values[term])

    def _value_of(self, term: Term) -> Any:
        op, values = term.op, self.values
        if op is CONSTANT:
            return self.assigned.internal(term)
        args = [values[arg] if isinstance(arg, Term) else arg for arg in term.key[1:]]
        if op.base is APPLY:
            return term.sort.require(self.assigned.internal(op.params[0])(*args))
        return op.fold(*args)


class Program:
    """A function and its symbolic inputs."""

    def __init__(self, function: Callable[..., Value], inputs: Inputs) -> None:
        self.function = function
        self.inputs = inputs
        self.orders = Orders()
        # The symbolic variables around the function and those that it calls.
        self.around = _symbolic_around(function)
        self._unchanged = plain(function) if self._is_concrete() else None
        self.assumptions = _parts(inputs.assumptions)

    def _is_concrete(self) -> bool:
        function = plain(self.function)
        if isinstance(function, MethodType):
            if symbolics(function.__self__):
                return False
            function = function.__func__
        if not isinstance(function, FunctionType):
            return False
        return not Concretizer(Model()).to_replace(function)

    def under(self, model: Model) -> UnderModel:
        """What finds the values of terms under a model."""
        return UnderModel(model, self.orders)

    def call(self, model: Model, under: UnderModel | None = None) -> Call:
        """The arguments under a model; what holds nothing symbolic is the caller's own."""
        inputs = self.inputs
        found: Call = (under or self.under(model)).value((inputs.args, inputs.named, inputs.made))
        return found

    def made(self, call: Call) -> tuple[tuple[Value, ...], dict[str, Value]]:
        """New arguments, with which the program may do what it likes."""
        args, named, recipes = call
        found: tuple[tuple[Value, ...], dict[str, Value]] = remade((args, named), recipes)
        return found

    def function_under(self, model: Model) -> Callable[..., Value]:
        """The plain function, which refers to nothing symbolic."""
        if self._unchanged is not None:
            return self._unchanged  # type: ignore[no-any-return]
        return Concretizer(model).function(self.function)  # type: ignore[no-any-return]

    def text(self, model: Model) -> str:
        """The inputs as text, the same for the same inputs."""
        under = self.under(model)
        return self.text_of(self.call(model, under), under)

    def text_of(self, call: Call, under: UnderModel) -> str:
        """The inputs as text, once they are known."""
        args, named, made = call
        around = under.value(self.around) if self.around else {}
        speller = Speller([*args, *named.values(), *around.values()], made)
        texts = [speller.text(value) for value in args]
        others = (*named.items(), *around.items())
        texts += [f"{name}={speller.text(value)}" for name, value in others]
        return f"({', '.join(texts)})"


def _symbolic_around(function: Callable[..., Value]) -> dict[str, Value]:
    """The symbolic variables around a function and around those that it leads to."""
    found = plain(function)
    result: dict[str, Value] = {}
    if isinstance(found, MethodType):
        if symbolics(found.__self__):
            result["self"] = found.__self__
        found = found.__func__
    if not isinstance(found, FunctionType):
        return {"itself": found} if symbolics(found) else result
    for user in Concretizer(Model()).to_replace(found):
        result |= symbolic_surroundings(user)
    return result


def _parts(assumptions: Iterable[Guard]) -> list[Guard]:
    """Different conditions that are not taken apart any further."""
    result: dict[Guard, None] = {}
    for assumption in assumptions:
        result.update(dict.fromkeys(conjuncts(assumption)))
    return list(result)
