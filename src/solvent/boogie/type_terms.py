"""Types as terms: where the type of a value matters, but is not known.

A boxed value has a type.  A quantifier over values of `a` and `Field a` is about those pairs only
whose types fit together; what `a` is there is the type of one value, or an argument of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from solvent.boogie import syntax as s
from solvent.boogie.checking import TypedProgram
from solvent.boogie.sorts import ANY, TYPE, UnsupportedError, is_open
from solvent.boogie.types import (
    ConstructorType,
    MapType,
    Type,
    TypeVariable,
    constructor_type,
    map_type,
    resolved,
    type_name,
    variables_in,
)
from solvent.reach.positions import Position
from solvent.terms import Function, Int, and_, eq
from solvent.terms.kinds import Guard
from solvent.terms.term import Term

TypeValues = Mapping[TypeVariable, Term]

number_of = Function("number of type", [TYPE], Int)


def type_of_value(value: Term) -> Term:
    """The type of a boxed value."""
    found: Term = Function(f"type of {value.sort}", [value.sort], TYPE)(value)
    return found


def argument_of(index: int, type_: Term) -> Term:
    """An argument of a type."""
    found: Term = Function(f"argument {index} of type", [TYPE], TYPE)(type_)
    return found


class TypeTerms:
    """Makes terms of types; `axioms` gets what is known of those without variables."""

    def __init__(self, axioms: list[Guard]) -> None:
        self.axioms = axioms
        self.numbers: dict[str, int] = {}
        self.closed: dict[Type, Term] = {}

    def term(self, type_: Type, known: TypeValues, position: Position) -> Term:
        """The term of a type whose variables have known values."""
        found = resolved(type_)
        if not is_open(found):
            return self.closed_term(found, position)
        if isinstance(found, TypeVariable):
            if found not in known:
                problem = f"the type {found.name} cannot be told from the values of this context"
                raise UnsupportedError(position, problem)
            return known[found]
        name, parts = _parts(found, position)
        return _made(name, [self.term(part, known, position) for part in parts])

    def closed_term(self, type_: Type, position: Position) -> Term:
        """The term of a type without variables."""
        if type_ not in self.closed:
            name, parts = _parts(type_, position)
            arguments = [self.closed_term(resolved(part), position) for part in parts]
            self.closed[type_] = made = _made(name, arguments)
            self.axioms += _facts(made, self.number(name), arguments)
        return self.closed[type_]

    def has_type(self, value: Term, type_: Type, known: TypeValues, position: Position) -> Guard:
        """That a boxed value has a type; its constructor may be known by its sort."""
        found, own = resolved(type_), type_of_value(value)
        if value.sort is ANY:
            return eq(own, self.term(found, known, position))
        assert isinstance(found, ConstructorType)
        return and_(
            eq(argument_of(index, own), self.term(part, known, position))
            for index, part in enumerate(found.arguments)
        )

    def facts(self, type_: Type, known: TypeValues, position: Position) -> list[Guard]:
        """What is known of the term of an open type: its arguments are its parts."""
        found = resolved(type_)
        if not is_open(found) or isinstance(found, TypeVariable):
            return []
        name, parts = _parts(found, position)
        arguments = [self.term(part, known, position) for part in parts]
        inner = [fact for part in parts for fact in self.facts(part, known, position)]
        return [*_facts(_made(name, arguments), self.number(name), arguments), *inner]

    def number(self, name: str) -> int:
        """The number of a constructor: different ones make different types."""
        return self.numbers.setdefault(name, len(self.numbers))


def constructor_name(type_: ConstructorType) -> str:
    """What the constructor of a type is called here."""
    return f"{type_.name}/{len(type_.arguments)}"


def _made(name: str, arguments: Sequence[Term]) -> Term:
    """A constructor applied to terms of types."""
    if not arguments:
        return TYPE(f"type {name}")
    found: Term = Function(f"type {name}", [TYPE] * len(arguments), TYPE)(*arguments)
    return found


def _facts(type_: Term, number: int, arguments: Sequence[Term]) -> list[Guard]:
    return [
        eq(number_of(type_), number),
        *(eq(argument_of(index, type_), one) for index, one in enumerate(arguments)),
    ]


def _parts(type_: Type, position: Position) -> tuple[str, tuple[Type, ...]]:
    """The name of the constructor of a type, and its arguments."""
    if isinstance(type_, ConstructorType):
        return constructor_name(type_), type_.arguments
    if isinstance(type_, MapType):
        return _shape(type_)
    if is_open(type_):
        problem = f"the type {type_name(type_)} cannot be an argument of a polymorphic type"
        raise UnsupportedError(position, problem)
    return type_name(type_), ()


def _shape(type_: MapType) -> tuple[str, tuple[Type, ...]]:
    """A map type as a constructor: what has nothing to do with its own variables are arguments.

    So the type with a variable and the one with something in its place have the same constructor.

    >>> from solvent.boogie.types import INT, bound_type, constructor_type, map_type
    >>> field = constructor_type("Field", (bound_type(0, 0),))
    >>> name, parts = _shape(map_type((field, INT), map_type((INT,), bound_type(1, 0)), 1))
    >>> name, list(map(str, parts))
    ('<a>[Field a,*][*]a', ['int', 'int'])
    """
    if not type_.parameters:
        return f"[{len(type_.arguments)}]", (*type_.arguments, type_.result)
    parts: list[Type] = []

    def hollow(part: Type) -> Type:
        if not part.loose:
            parts.append(part)
            return constructor_type("*")
        if isinstance(part, ConstructorType):
            return constructor_type(part.name, tuple(map(hollow, part.arguments)))
        if isinstance(part, MapType):
            return map_type(
                tuple(map(hollow, part.arguments)), hollow(part.result), part.parameters
            )
        return part

    arguments = tuple(map(hollow, type_.arguments))
    return type_name(map_type(arguments, hollow(type_.result), type_.parameters)), tuple(parts)


# --- what values tell ----------------------------------------------------------------------------


def _told_by(type_: Type, variable: TypeVariable, term: Term) -> Term | None:
    """What a type variable is, if a term is a type of this form; None if it does not occur."""
    found = resolved(type_)
    if found is variable:
        return term
    parts: tuple[Type, ...] = ()
    if isinstance(found, ConstructorType):
        parts = found.arguments
    elif isinstance(found, MapType):
        parts = _shape(found)[1]
    for index, part in enumerate(parts):
        told = _told_by(part, variable, argument_of(index, term))
        if told is not None:
            return told
    return None


def told_by_values(
    variables: Sequence[TypeVariable], values: Mapping[Term, Type]
) -> dict[TypeVariable, Term]:
    """What type variables are, as far as the types of some boxed values tell."""
    found: dict[TypeVariable, Term] = {}
    for variable in variables:
        for value, type_ in values.items():
            told = _told_by(type_, variable, type_of_value(value))
            if told is not None:
                found[variable] = told
                break
    return found


def types_matter(program: TypedProgram) -> bool:
    """Whether some quantifier is about values only whose types fit together.

    Otherwise facts about types that are not known are of no use, and make it hard to find models.
    """
    tables = program.tables
    return any(
        _has_guards([tables.symbols[variable].type for variable in e.variables], own)
        for e, own in tables.binders.items()
        if isinstance(e, s.Quantifier)
    ) or any(
        function.type_parameters and function.declaration.body is not None
        for function in program.functions.values()
    )


def _has_guards(types: Sequence[Type], own: Sequence[TypeVariable]) -> bool:
    """Whether values of these types are restricted by more than their sorts."""
    seen: list[Type] = []
    for type_ in types:
        found = resolved(type_)
        if is_open(found):
            seen += found.arguments if isinstance(found, ConstructorType) else [found]
    return len(set(seen)) < len(seen) or any(
        not isinstance(part, TypeVariable) or part not in own or not variables_in([part])
        for part in seen
    )
