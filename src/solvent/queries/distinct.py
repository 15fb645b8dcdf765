"""When two models give a function the same inputs.

Two models may differ in constants that do not matter, such as the items behind the end of a list,
so solutions are told apart by the values of the inputs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from types import MappingProxyType

from solvent.errors import SortError
from solvent.lift.identity import same
from solvent.lift.under_model import evaluate
from solvent.lift.values.sequences import alternatives
from solvent.queries.problem import Problem
from solvent.queries.recipes import Recipe
from solvent.queries.replay import symbolic_surroundings
from solvent.queries.spaces.functions import TableFunction, table_of
from solvent.terms import eq
from solvent.terms.booleans import and_, or_
from solvent.terms.model import Model
from solvent.terms.term import Term
from solvent.terms.texts import CodesTerm, codes_of, same_codes
from solvent.vm.shapes import record_fields
from solvent.vm.union import Union, choices_of, exclusive
from solvent.vm.values import Guard, Value

# What walks over something else.
_VIEWS = (iter, memoryview, range, slice)


def same_inputs(problem: Problem, model: Model) -> Guard:
    """The condition under which the inputs are those under a model."""
    inputs = (
        list(symbolic_surroundings(problem.function).values()),
        problem.inputs.args,
        problem.inputs.named,
    )
    made = problem.inputs.made
    values, values_made = evaluate((inputs, made), model)
    return same_value(inputs, values, {id(found): how for found, how in (*made, *values_made)})


# How some objects were made, by their identity.
Recipes = Mapping[int, Recipe]


def same_value(symbolic: Value, value: Value, recipes: Recipes = MappingProxyType({})) -> Guard:
    """The condition under which a symbolic value is a concrete one.

    >>> from solvent import Int
    >>> same_value([Int("x"), 2], [1, 2]), same_value((Int("x"),), ())
    (x == 1, False)
    """
    if symbolic is value:
        return True
    if isinstance(symbolic, CodesTerm):
        codes = codes_of(symbolic.native, value)
        return codes is not None and same_codes(symbolic.codes, codes)
    if isinstance(symbolic, Term):
        try:
            # Not `==`, which tells a NaN from itself.
            return eq(symbolic, value)
        except SortError:
            return False
    if type(symbolic) is Union:
        return or_(
            [
                and_(guard, same_value(member, value, recipes))
                for guard, member in exclusive(choices_of(symbolic))
            ]
        )
    if id(symbolic) in recipes and recipes[id(symbolic)].function in _VIEWS:
        # They say nothing of what they were made of.
        other = recipes.get(id(value))
        return other is not None and same_value(recipes[id(symbolic)].args, other.args, recipes)
    if type(symbolic) is not type(value):
        return False
    if isinstance(symbolic, TableFunction):
        return table_of(symbolic).same_as(table_of(value))
    if isinstance(symbolic, (list, deque)):
        return or_(
            [
                and_(guard, _items(items, value, recipes))
                for guard, items in exclusive(tuple(alternatives(symbolic)))
            ]
        )
    if isinstance(symbolic, tuple):
        return _items(symbolic, value, recipes)
    if isinstance(symbolic, (dict, set, frozenset)) or (
        record_fields(type(symbolic)) is None and not hasattr(symbolic, "__dict__")
    ):
        found: Guard = same(symbolic, value)
        return found
    names = record_fields(type(symbolic)) or tuple(vars(symbolic))
    return and_(
        *[
            same_value(getattr(symbolic, name), getattr(value, name, None), recipes)
            for name in names
            if hasattr(symbolic, name)
        ]
    )


def _items(symbolic: Value, value: Value, recipes: Recipes) -> Guard:
    if len(symbolic) != len(value):
        return False
    return and_(*[same_value(a, b, recipes) for a, b in zip(symbolic, value, strict=True)])
