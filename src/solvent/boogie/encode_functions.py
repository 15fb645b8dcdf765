"""Applications of functions.

Functions with bodies are expanded where they are used, unless they are recursive or triggers need
them: then their meaning is an axiom.  Those of SMT-LIB are what that says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solvent.boogie import attributes
from solvent.boogie import syntax as s
from solvent.boogie.builtins import Builtins, builtin_text
from solvent.boogie.checking import TypedProgram
from solvent.boogie.encode_base import proper
from solvent.boogie.encode_maps import MapEncoder
from solvent.boogie.pointwise import NAMES as POINTWISE
from solvent.boogie.pointwise import Pointwise
from solvent.boogie.scopes import Scope, Values
from solvent.boogie.sorts import TYPE, UnsupportedError, is_open, sort_of
from solvent.boogie.symbols import FunctionSymbol
from solvent.boogie.type_terms import TypeValues
from solvent.boogie.types import Type, TypeVariable, substitute, variables_in
from solvent.boogie.walking import nodes_of
from solvent.errors import shortened
from solvent.reach.graphs import components
from solvent.reach.positions import Position
from solvent.terms import Function, and_, eq, forall, implies
from solvent.terms.kinds import Guard, Operand
from solvent.terms.sorts import Sort
from solvent.terms.term import Term

# Facts, each with what states it for all values.
Facts = list[tuple[Guard, Callable[[], None]]]

# Functions that use each other twice grow without end.
MOST_EXPANSIONS = 20_000


class FunctionEncoder(MapEncoder):
    """Functions by their bodies, by axioms, or without meaning."""

    def __init__(self, program: TypedProgram) -> None:
        super().__init__(program)
        self.functions: dict[str, Callable[..., Term]] = {}
        # The functions the types of whose results are stated.
        self.typed: set[str] = set()
        self.builtins = Builtins()
        self.pointwise = Pointwise(self.axioms)
        self.opaque = _opaque(program)
        # What applications of functions with bodies come to, and the facts that they need.
        self.expanded: dict[tuple[object, ...], tuple[Operand, Facts]] = {}
        # How many bodies the current one is inside of, and how many there are in the outermost.
        self.expanding = self.expansions = 0

    def _Apply(self, e: s.Apply, scope: Scope) -> Operand:
        function = self.program.function(e)
        values = self.all(e.arguments, scope)
        builtin = builtin_text(function)
        if builtin is not None and builtin not in POINTWISE:
            return self.builtins.apply(function, builtin, values, e.position)
        actual = dict(zip(function.type_parameters, self.instances_of(e, scope), strict=True))
        if builtin is not None:
            return self.pointwise.apply(function, builtin, actual, values, e.position)
        if function.declaration.body is not None and function.name not in self.opaque:
            return self.expansion(function, values, actual, scope)
        type_ = substitute(function.result, actual)
        return proper(self.application(function, values, actual, scope, e.position), type_)

    def expansion(
        self,
        function: FunctionSymbol,
        values: Sequence[Operand],
        actual: dict[TypeVariable, Type],
        scope: Scope,
    ) -> Operand:
        """The body of a function, with values for its parameters."""
        known = tuple(map(_key, values))
        types = tuple(scope.types.items())
        place = (scope.assumed, scope.mixed) if self.touching.function(function.name) else None
        key = (function.name, known, tuple(actual.values()), types, place)
        if key not in self.expanded:
            self.expansions = self.expansions + 1 if self.expanding else 0
            if self.expansions > MOST_EXPANSIONS:
                raise UnsupportedError(
                    function.declaration.position,
                    f"{shortened(function.name)} and other functions are expanded more than "
                    f"{MOST_EXPANSIONS:,} times for one application",
                )
            body = function.declaration.body
            assert body is not None
            inner = Scope(
                dict(zip(function.parameters, values, strict=True)),
                assumed=scope.assumed,
                mixed=scope.mixed,
                actual=actual,
                types=scope.types,
            )
            outside, self.boxes.facts = self.boxes.facts, {}
            before = len(self.choices)
            self.expanding += 1
            found = self.encode(body, inner)
            self.expanding -= 1
            self.expanded[key] = found, list(self.boxes.facts.items())
            self.boxes.facts = outside
            if len(self.choices) > before:
                # Each application chooses for itself.
                found, facts = self.expanded.pop(key)
                self.boxes.facts.update(facts)
                return found
        found, facts = self.expanded[key]
        self.boxes.facts.update(facts)
        return found

    def application(
        self,
        function: FunctionSymbol,
        values: Sequence[Operand],
        actual: dict[TypeVariable, Type],
        scope: Scope,
        position: Position,
    ) -> Operand:
        """A function without a body on terms."""
        boxes = self.boxes
        given = [
            boxes.converted(value, substitute(p.type, actual), p.type, position)
            for value, p in zip(values, function.parameters, strict=True)
        ]
        hidden = [
            boxes.types.term(actual[variable], scope.types, position)
            for variable in _hidden(function)
        ]
        found = self.symbol(function, position)(*hidden, *given)
        result = substitute(function.result, actual)
        is_known = all(variable in scope.types for variable in variables_in([result]))
        if boxes.typed and is_known and is_open(function.result):
            fact = boxes.type_fact(found, result, scope.types, position)
            boxes.facts[fact] = lambda: self.state_type(function, position)
        return boxes.converted(found, function.result, result, position)

    def symbol(self, function: FunctionSymbol, position: Position) -> Callable[..., Term]:
        """The function symbol of a function; if it has a body, with an axiom."""
        if function.name not in self.functions:
            domain: list[Sort[Term]] = [TYPE] * len(_hidden(function))
            domain += [sort_of(p.type, position) for p in function.parameters]
            range_ = sort_of(function.result, position)
            if not domain:
                # A variable may have the same name.
                made = range_(f"{function.name}()")
                self.functions[function.name] = lambda: made
            else:
                self.functions[function.name] = Function(function.name, domain, range_)
            self.define(function, position)
        return self.functions[function.name]

    def define(self, function: FunctionSymbol, position: Position) -> None:
        """The axiom of a function that is not expanded."""
        body = function.declaration.body
        if body is None:
            return
        parts = self.general(function, position)
        outside, self.boxes.facts = self.boxes.facts, {}
        inner = Scope(parts.values, mixed=True, types=parts.types)
        meaning = self.decided(
            lambda: self.encode(body, inner), position, f"the body of {function.name}"
        )
        self.boxes.since(outside, parts.variables)
        self.state(parts, eq(parts.applied, meaning))

    def state_type(self, function: FunctionSymbol, position: Position) -> None:
        """State the type of all results of a function."""
        if function.name not in self.typed:
            self.typed.add(function.name)
            parts = self.general(function, position)
            fact = self.boxes.type_fact(parts.applied, function.result, parts.types, position)
            self.state(parts, fact)

    def general(self, function: FunctionSymbol, position: Position) -> _General:
        """A function applied to bound variables."""
        values = {p: self.bound(p, position, Scope({})) for p in function.parameters}
        hidden = {
            variable: TYPE(f"{variable.name}!{next(self.numbers)}")
            for variable in _hidden(function)
        }
        left = [one for one in function.type_parameters if one not in hidden]
        types = {**hidden, **self.told(left, values, Scope({}))}
        guards = self.guards(values, Scope(values, types=types), position)
        applied = self.symbol(function, position)(*hidden.values(), *values.values())
        return _General(values, [*hidden.values(), *values.values()], types, guards, applied)

    def state(self, parts: _General, fact: Guard) -> None:
        """State something about all applications of a function."""
        fact = implies(and_(parts.guards), fact)
        if parts.variables:
            fact = forall(parts.variables, fact, [parts.applied])
        self.axioms.append(fact)


@dataclass(frozen=True, slots=True)
class _General:
    """A function applied to variables, for axioms about all its applications."""

    values: Values
    variables: list[Term]
    types: TypeValues
    guards: list[Guard]
    applied: Term


def _hidden(function: FunctionSymbol) -> list[TypeVariable]:
    """The type parameters of a function that its arguments do not tell: they are arguments too."""
    told = variables_in([parameter.type for parameter in function.parameters])
    return [variable for variable in function.type_parameters if variable not in told]


def _key(value: Operand) -> object:
    """Something that is equal for the same values only: True is not 1, and the zeros differ."""
    if isinstance(value, Term):
        return value
    return (type(value), value.hex() if isinstance(value, float) else value)


def _opaque(program: TypedProgram) -> set[str]:
    """The functions with bodies that are not expanded: what they mean is an axiom.

    Bodies that lead back to their function cannot be, and triggers need the function itself.
    """
    in_triggers = {
        found.function
        for e in program.tables.binders
        if isinstance(e, s.Quantifier)
        for trigger in e.triggers
        for expression in trigger.expressions
        for found in nodes_of(expression)
        if isinstance(found, s.Apply)
    }
    return _recursive(program) | {
        name
        for name in in_triggers
        if not attributes.flag(program.functions[name].declaration.attributes, "inline")
    }


def _recursive(program: TypedProgram) -> set[str]:
    """The functions whose bodies lead back to them."""
    graph = {
        name: [
            found.function
            for found in nodes_of(function.declaration.body)
            if isinstance(found, s.Apply)
        ]
        if function.declaration.body is not None
        else []
        for name, function in program.functions.items()
    }
    return {
        name
        for component in components(graph)
        for name in component
        if len(component) > 1 or name in graph[name]
    }
