"""Quantifiers, lambdas and lets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from solvent.boogie import syntax as s
from solvent.boogie.boxes import element_of
from solvent.boogie.encode_functions import FunctionEncoder
from solvent.boogie.scopes import Scope
from solvent.boogie.sorts import ANY, TYPE, is_open, sort_of
from solvent.boogie.types import MapType
from solvent.terms import (
    Function,
    and_,
    const_array,
    constants,
    eq,
    exists,
    forall,
    implies,
)
from solvent.terms.kinds import Operand
from solvent.terms.sorts import Sort
from solvent.terms.term import Term


class BinderEncoder(FunctionEncoder):
    """Expressions that bind variables."""

    def _Quantifier(self, e: s.Quantifier, scope: Scope) -> Operand:
        symbols = [self.program.symbol_of(v) for v in e.variables]
        values = {symbol: self.bound(symbol, e.position, scope) for symbol in symbols}
        own = self.program.tables.binders[e]
        types = self.told(own, values, scope)
        # What no value tells is bound itself.
        loose = {
            variable: TYPE(f"{variable.name}!{next(self.numbers)}")
            for variable in own
            if variable not in types
        }
        inner = replace(scope.inside(values, {**types, **loose}), runs=None)
        guards = self.guards(values, inner, e.position)
        outside, self.boxes.facts = self.boxes.facts, {}
        body = self.condition(e.body, inner)
        patterns: list[tuple[Operand, ...]] = self.decided(
            lambda: [
                tuple(self.all(trigger.expressions, inner))
                for trigger in e.triggers
                if not trigger.negative
            ],
            e.position,
            "a trigger",
        )
        names = [*loose.values(), *values.values()]
        self.boxes.since(outside, names)
        if guards:
            make = and_ if e.kind == "exists" else implies
            body = make(and_(guards), body)
        if not names:
            return body
        quantify = forall if e.kind == "forall" else exists
        usable = [p for p in patterns if all(isinstance(term, Term) for term in p)]
        return quantify(names, body, usable)

    def _Lambda(self, e: s.Lambda, scope: Scope) -> Operand:
        symbols = [self.program.symbol_of(v) for v in e.variables]
        values = {symbol: self.bound(symbol, e.position, scope) for symbol in symbols}
        types = self.told(self.program.tables.binders[e], values, scope)
        names = list(values.values())
        type_ = self.type_of(e, scope)
        outside, self.boxes.facts = self.boxes.facts, {}
        inner = replace(scope.inside(values, types), runs=None)
        body = self.decided(lambda: self.value(e.body, inner), e.position, "a lambda")
        if is_open(type_):
            assert isinstance(type_, MapType)
            body = self.boxes.boxed(body, type_.result, e.position)
            indices = self.boxed_all(names, type_.arguments, e.position)
        self.boxes.since(outside, names)
        bound = dict.fromkeys(names)
        free = [one for one in constants(body) if one not in bound]
        if is_open(type_):
            return self.lifted(names, body, free, ANY, lambda m: self.boxes.select(m, indices))
        if len(free) == len(constants(body)):
            return reduce(lambda inner, one: const_array(one.sort, inner), reversed(names), body)
        sort = sort_of(type_, e.position)
        return self.lifted(names, body, free, sort, lambda m: element_of(m, names))

    def lifted(
        self,
        names: list[Term],
        body: Operand,
        free: list[Term],
        sort: Sort[Term],
        read: Callable[[Term], Operand],
    ) -> Term:
        """A lambda as a function of its free variables, with an axiom."""
        title = f"lambda {next(self.numbers)}"
        made: Term = sort(title)
        if free:
            made = Function(title, [one.sort for one in free], sort)(*free)
        found = read(made)
        self.axioms.append(forall([*free, *names], eq(found, body), [found]))
        return made

    def _Let(self, e: s.Let, scope: Scope) -> Operand:
        values = self.all(e.values, scope)
        symbols = [self.program.symbol_of(v) for v in e.variables]
        return self.encode(e.body, scope.inside(dict(zip(symbols, values, strict=True))))
