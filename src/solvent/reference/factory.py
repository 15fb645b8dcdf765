"""The symbolic factory interface of figure 4: types, and what a factory must provide.

A factory has its own symbolic Booleans and values.  Everything else of the figure is defined here
from its operations: guarded choices, states, results, and what they are under a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from solvent.reference.concrete import Abt, Ans, Closure, Err, Outcome, Value
from solvent.reference.syntax import Expression
from solvent.terms.model import Model as TermModel

# Symbolic Booleans and symbolic values are whatever a factory makes of them.
SymBool = Any
SymValue = Any
# A model of Solvent, or values of variables by name.
Model = TermModel | Mapping[str, bool | int]
SymEnvironment = Mapping[str, SymValue]


@dataclass(frozen=True, eq=False)
class SymClosure:
    """A procedure with a symbolic environment."""

    variable: str
    body: Expression
    environment: SymEnvironment


# A guard and a choice, in a list.
Guarded = tuple[SymBool, SymValue]


@dataclass(frozen=True, slots=True)
class State:
    """The pair of assumptions and assertions."""

    assumes: SymBool
    asserts: SymBool


@dataclass(frozen=True, slots=True)
class Out:
    """Normal, erroneous or aborted, as the state says; normal ones have the value."""

    state: State
    value: SymValue


@dataclass(frozen=True, slots=True)
class Halt:
    """Normal under no model."""

    state: State


Result = Out | Halt


class Factory(Protocol):
    """What a symbolic factory provides (figure 4)."""

    # --- symbolic Booleans ---

    tt: SymBool
    ff: SymBool

    def not_(self, b: SymBool) -> SymBool:
        """Negation."""

    def and_(self, a: SymBool, b: SymBool) -> SymBool:
        """Conjunction."""

    def or_(self, a: SymBool, b: SymBool) -> SymBool:
        """Disjunction."""

    def imp(self, a: SymBool, b: SymBool) -> SymBool:
        """Implication."""

    def is_tt(self, b: SymBool) -> bool:
        """Whether a symbolic Boolean is the constant tt itself."""

    def is_ff(self, b: SymBool) -> bool:
        """Whether a symbolic Boolean is the constant ff itself."""

    def bool_under(self, model: Model, b: SymBool) -> bool:
        """The interpretation of a symbolic Boolean."""

    # --- symbolic values ---

    def symbolic(self, name: str, sort: str) -> SymValue:
        """The symbolic variable of a name; `sort` is `"int"` or `"bool"`."""

    def lift(self, value: bool | int | tuple[()] | SymClosure) -> SymValue:
        """The symbolic value that is a constant, or a symbolic closure."""

    def truth(self, v: SymValue) -> SymBool:
        """Where a value is not `#f`."""

    def merge(self, choices: Sequence[Guarded]) -> SymValue:
        """A value that is the choice with the true guard, if there is exactly one."""

    def cast(self, v: SymValue) -> list[tuple[SymBool, SymClosure]]:
        """The closures that a value may be; no guard holds where it is none."""

    def op(self, operator: str, values: Sequence[SymValue]) -> Result:
        """The operators, from an unconstrained state."""

    def value_under(self, model: Model, v: SymValue) -> Value:
        """The interpretation of a symbolic value."""

    def size(self, *booleans: SymBool) -> int:
        """The number of nodes of symbolic Booleans, as table 1 counts them."""


# --- derived notions ---------------------------------------------------------------------------


def initial(factory: Factory) -> State:
    """The state that a program starts in."""
    return State(factory.tt, factory.tt)


def result(factory: Factory, state: State, value: SymValue) -> Result:
    """`Result` of figure 4: halted if a component of the state is the constant ff."""
    if factory.is_ff(state.assumes) or factory.is_ff(state.asserts):
        return Halt(state)
    return Out(state, value)


def closure_under(factory: Factory, model: Model, closure: SymClosure) -> Closure:
    """The interpretation of a symbolic closure."""
    return Closure(
        closure.variable, closure.body, environment_under(factory, model, closure.environment)
    )


def environment_under(
    factory: Factory, model: Model, environment: SymEnvironment
) -> dict[str, Value]:
    """The interpretation of a symbolic environment."""
    return {name: factory.value_under(model, value) for name, value in environment.items()}


def outcome_under(factory: Factory, model: Model, found: Result) -> Outcome:
    """The interpretation of a symbolic result."""
    return outcome_with(factory, model, found, bits_under(factory, model, found.state))


def bits_under(factory: Factory, model: Model, state: State) -> tuple[bool, bool]:
    """The interpretation of a state."""
    assumes = factory.bool_under(model, state.assumes)
    return assumes, factory.bool_under(model, state.asserts)


def outcome_with(factory: Factory, model: Model, found: Result, bits: tuple[bool, bool]) -> Outcome:
    """The interpretation of a symbolic result whose state has been interpreted."""
    assumes, asserts = bits
    if isinstance(found, Out) and assumes and asserts:
        return Ans(factory.value_under(model, found.value))
    return Abt() if not assumes and asserts else Err()


def legal_under(factory: Factory, model: Model, found: Result) -> bool:
    """Whether a result is legal under a model."""
    return legal_with(found, bits_under(factory, model, found.state))


def legal_with(found: Result, bits: tuple[bool, bool]) -> bool:
    """Whether a result whose state has been interpreted is legal."""
    assumes, asserts = bits
    if isinstance(found, Halt) and assumes and asserts:
        return False
    return assumes or asserts


def lift_value(factory: Factory, value: Value) -> SymValue:
    """The symbolic value that is a concrete one under all models (definition 5)."""
    if isinstance(value, Closure):
        environment = lift_environment(factory, value.environment)
        return factory.lift(SymClosure(value.variable, value.body, environment))
    if isinstance(value, tuple) and value:
        rest = lift_value(factory, value[1:])
        made = factory.op("cons", [lift_value(factory, value[0]), rest])
        assert isinstance(made, Out)
        return made.value
    assert not isinstance(value, tuple) or value == ()
    return factory.lift(value)


def lift_environment(factory: Factory, environment: Mapping[str, Value]) -> dict[str, SymValue]:
    """A concrete environment, lifted."""
    return {name: lift_value(factory, value) for name, value in environment.items()}
