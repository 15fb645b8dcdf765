"""From types as written to what they mean: user types, synonyms and type variables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.literals import WIDTH_LIMIT
from solvent.boogie.symbols import Reporter, Tables
from solvent.boogie.tokens import TYPE_NESTING_LIMIT
from solvent.boogie.types import (
    BOOL,
    INT,
    REAL,
    REGEX,
    RMODE,
    STRING,
    UNKNOWN,
    Type,
    TypeVariable,
    bitvec_type,
    constructor_type,
    float_type,
    map_type,
    polymorphic_map,
    substitute,
    type_variable,
)

_KEYWORD_TYPES: dict[str, Type] = {"bool": BOOL, "int": INT, "real": REAL}
_OTHER_TYPES: dict[str, Type] = {"rmode": RMODE, "string": STRING, "regex": REGEX}
_SIZED = re.compile(r"bv([0-9]{1,9})\Z|float([0-9]{1,9})e([0-9]{1,9})\Z")

TypeScope = Mapping[str, TypeVariable]
EMPTY: TypeScope = {}


class TypeResolver:
    """Knows the declared types of a program, and resolves types that use them."""

    def __init__(self, tables: Tables, reporter: Reporter) -> None:
        self._constructors = tables.constructors
        self._error = reporter.error
        self._synonyms: dict[str, st.TypeDecl] = {}
        self._expanded: dict[str, tuple[tuple[TypeVariable, ...], Type]] = {}
        self._expanding: dict[str, None] = {}
        self._plain: dict[str, Type] = dict(_KEYWORD_TYPES)

    def declare(self, declarations: Iterable[st.TypeDecl]) -> None:
        """Enter all declared types, then expand the synonyms."""
        for each in declarations:
            if each.name in self._constructors or each.name in self._synonyms:
                self._error(each.position, f"more than one declaration of type name: {each.name}")
            elif _SIZED.match(each.name):
                self._error(each.position, f"{each.name} is the name of a built-in type")
            elif each.synonym is None:
                self._constructors[each.name] = len(each.parameters)
                # As in `type Pair _ _`, parameters that nothing names may have one name.
                self.parameters(one for one in each.parameters if one.name != "_")
            else:
                self._synonyms[each.name] = each
        for each in self._synonyms.values():
            self._expand(each)

    def parameters(self, parameters: Iterable[s.TypeParameter]) -> dict[str, TypeVariable]:
        """New type variables for parameters."""
        found: dict[str, TypeVariable] = {}
        for each in parameters:
            if each.name in found:
                message = f"more than one declaration of type variable: {each.name}"
                self._error(each.position, message)
            found.setdefault(each.name, type_variable(each.name))
        return found

    def _expand(self, synonym: st.TypeDecl) -> tuple[tuple[TypeVariable, ...], Type]:
        """The parameters and the meaning of a synonym."""
        name = synonym.name
        if name in self._expanded:
            return self._expanded[name]
        if name in self._expanding:
            names = [*self._expanding, name]
            cycle = " -> ".join(names[names.index(name) :])
            self._error(synonym.position, f"type synonym is defined by itself: {cycle}")
            return tuple(type_variable(each.name) for each in synonym.parameters), UNKNOWN
        self._expanding[name] = None
        scope = self.parameters(synonym.parameters)
        assert synonym.synonym is not None
        meaning = self._limited(self.resolve(synonym.synonym, scope), synonym)
        del self._expanding[name]
        return self._expanded.setdefault(name, (tuple(scope.values()), meaning))

    def resolve(self, written: s.TypeExpr, scope: TypeScope = EMPTY) -> Type:
        """What a type means where the type variables of `scope` are known."""
        if isinstance(written, s.NamedTypeExpr):
            if written.name in scope:
                if written.arguments:
                    message = f"type variable has no arguments: {written.name}"
                    self._error(written.position, message)
                return scope[written.name]
            if not written.arguments and written.name in self._plain:
                return self._plain[written.name]
            return self._named(written, scope)
        assert isinstance(written, s.MapTypeExpr)
        return self._map(written, scope)

    def _named(self, written: s.NamedTypeExpr, scope: TypeScope) -> Type:
        name = written.name
        arguments = tuple([self.resolve(argument, scope) for argument in written.arguments])
        if name in self._constructors:
            if len(arguments) != self._constructors[name]:
                self._wrong_count("type constructor", written)
                return UNKNOWN
            meaning: Type = constructor_type(name, arguments)
        elif name in self._synonyms:
            variables, body = self._expand(self._synonyms[name])
            if len(arguments) != len(variables):
                self._wrong_count("type synonym", written)
                return UNKNOWN
            meaning = substitute(body, dict(zip(variables, arguments, strict=True)))
            meaning = self._limited(meaning, written)
        else:
            return self._builtin(written)
        if not arguments and not self._expanding:
            self._plain[name] = meaning
        return meaning

    def _limited(self, meaning: Type, place: s.Node) -> Type:
        """The type itself, unless synonyms have piled it up too high."""
        if meaning.depth <= TYPE_NESTING_LIMIT + 1:
            return meaning
        message = f"the type is nested more than {TYPE_NESTING_LIMIT} levels deep"
        self._error(place.position, message)
        return UNKNOWN

    def _wrong_count(self, what: str, written: s.NamedTypeExpr) -> None:
        message = f"{what} received wrong number of arguments: {written.name}"
        self._error(written.position, message)

    def _builtin(self, written: s.NamedTypeExpr) -> Type:
        name, sized = written.name, _SIZED.match(written.name)
        meaning = _KEYWORD_TYPES.get(name) or _OTHER_TYPES.get(name)
        if sized:
            numbers = [int(each) for each in sized.groups() if each is not None]
            if max(numbers) > WIDTH_LIMIT:
                self._error(written.position, f"the width of type {name} is too large")
                return UNKNOWN
            if len(numbers) == 2 and min(numbers) < 2:
                message = "a float type needs at least two bits of significand and of exponent"
                self._error(written.position, f"{message}: {name}")
                return UNKNOWN
            is_bits = len(numbers) == 1
            meaning = bitvec_type(*numbers) if is_bits else float_type(*numbers)
        if meaning is None:
            self._error(written.position, f"undeclared type: {name}")
            return UNKNOWN
        if written.arguments:
            self._wrong_count("type constructor", written)
        else:
            self._plain[name] = meaning
        return meaning

    def _map(self, written: s.MapTypeExpr, scope: TypeScope) -> Type:
        own = self.parameters(written.parameters)
        inner = {**scope, **own} if own else scope
        arguments = tuple([self.resolve(argument, inner) for argument in written.arguments])
        result = self.resolve(written.result, inner)
        if not own:
            return map_type(arguments, result)
        variables = list(own.values())
        meaning, missing = polymorphic_map(variables, arguments, result)
        if missing and UNKNOWN not in arguments:
            for each in missing:
                message = f"type variable must occur in map arguments: {each.name}"
                self._error(written.position, message)
        return meaning
