"""Functions on whole maps, as Z3 has them: `{:builtin "MapConst"}`, `"MapAnd"` and others.

A constant map is one of the theory of arrays.  The others work element by element: each is a
function with an axiom about every element of what it gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from solvent.boogie.boxes import element_of
from solvent.boogie.operations import binary
from solvent.boogie.sorts import UnsupportedError, is_open, sort_of
from solvent.boogie.symbols import FunctionSymbol
from solvent.boogie.types import MapType, Type, TypeVariable, resolved, substitute
from solvent.reach.positions import Position
from solvent.terms import BoolTerm, Function, const_array, eq, forall, ite, not_
from solvent.terms.kinds import Guard, Operand
from solvent.terms.term import Term
from solvent.terms.values import sort_of as value_sort

CONSTANT = "MapConst"
_OPERATORS = {
    "MapAnd": "&&",
    "MapOr": "||",
    "MapImp": "==>",
    "MapIff": "==",
    "MapEq": "==",
    "MapAdd": "+",
    "MapSub": "-",
    "MapMul": "*",
    "MapDiv": "div",
    "MapMod": "mod",
    "MapGt": ">",
    "MapGe": ">=",
    "MapLt": "<",
    "MapLe": "<=",
}
# How many maps each of them takes.
_ARITY = {**dict.fromkeys(_OPERATORS, 2), "MapNot": 1, "MapIte": 3}
NAMES = frozenset((CONSTANT, *_ARITY))


class Pointwise:
    """The functions on maps that a program uses; what is known of them goes to `axioms`."""

    def __init__(self, axioms: list[Guard]) -> None:
        self.axioms = axioms
        self.known: dict[str, Callable[..., Term]] = {}

    def apply(
        self,
        function: FunctionSymbol,
        name: str,
        actual: dict[TypeVariable, Type],
        values: Sequence[Operand],
        position: Position,
    ) -> Operand:
        """The function on values, with the types that its type parameters have here."""
        types = [substitute(parameter.type, actual) for parameter in function.parameters]
        result = _map(substitute(function.result, actual), function, name, position)
        if name == CONSTANT:
            return _constant(function, result, types, values, position)
        # A polymorphic one is a function for each of its types.
        own = " ".join([function.name, *map(str, map(resolved, actual.values()))])
        if own not in self.known:
            self.known[own] = self.declared(function, own, name, types, result, position)
        return self.known[own](*values)

    def declared(
        self,
        function: FunctionSymbol,
        own: str,
        name: str,
        types: Sequence[Type],
        result: MapType,
        position: Position,
    ) -> Callable[..., Term]:
        """The function, after its axiom."""
        maps = [_map(type_, function, name, position) for type_ in types]
        indices = [sort_of(type_, position) for type_ in result.arguments]
        same = all([sort_of(t, position) for t in one.arguments] == indices for one in maps)
        if len(maps) != _ARITY[name] or not same:
            problem = f"{name} of {function.name} needs {_ARITY[name]} maps with the same indices"
            raise UnsupportedError(position, problem)
        formals = [sort_of(type_, position)(f"map {place}") for place, type_ in enumerate(types)]
        names = [sort(f"index {place}") for place, sort in enumerate(indices)]
        made = Function(own, [one.sort for one in formals], sort_of(result, position))
        found = element_of(made(*formals), names)
        try:
            body = _element(name, [element_of(one, names) for one in formals], position)
            fits = value_sort(body) is value_sort(found)
        except (TypeError, ValueError, AssertionError):
            fits = False
        if not fits:
            problem = f"{name} does not fit the types of {function.name}"
            raise UnsupportedError(position, problem)
        self.axioms.append(forall([*formals, *names], eq(found, body), [found]))
        return made


def _element(name: str, parts: Sequence[Operand], position: Position) -> Operand:
    """What an element is made of."""
    match parts:
        case [bool() | BoolTerm() as one]:
            return not_(one)
        case [bool() | BoolTerm() as test, then, otherwise]:
            found: Operand = ite(test, then, otherwise)
            return found
        case [left, right]:
            return binary(_OPERATORS[name], left, right, position)
    raise TypeError(name)


def _map(type_: Type, function: FunctionSymbol, name: str, position: Position) -> MapType:
    """A map type that is an array."""
    found = resolved(type_)
    if not isinstance(found, MapType) or found.parameters or is_open(found):
        problem = f"{name} of {function.name} is about maps whose types are known, not {found}"
        raise UnsupportedError(position, problem)
    return found


def _constant(
    function: FunctionSymbol,
    result: MapType,
    types: Sequence[Type],
    values: Sequence[Operand],
    position: Position,
) -> Operand:
    """The map with the same value everywhere."""
    if len(types) != 1 or sort_of(types[0], position) is not sort_of(result.result, position):
        problem = f"{CONSTANT} of {function.name} needs one value, of the type of the elements"
        raise UnsupportedError(position, problem)
    sorts = [sort_of(type_, position) for type_ in result.arguments]
    return reduce(lambda inner, sort: const_array(sort, inner), reversed(sorts), values[0])
