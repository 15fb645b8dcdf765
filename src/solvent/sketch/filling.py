"""What a model says about the holes in some source."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeVar

from solvent.errors import SketchError
from solvent.lift.registry import Place
from solvent.lift.rewrite.macros import NOTHING, Lookup
from solvent.sketch import scopes
from solvent.sketch.choices import DOMAINS, Chooser, Domain, Hole, test_name
from solvent.sketch.grammars import Expansion, options_of
from solvent.sketch.literals import Knows, literal
from solvent.sketch.places import where
from solvent.terms import Bool
from solvent.terms.kinds import Concrete, Operand
from solvent.terms.model import Model
from solvent.terms.softfloat import external
from solvent.terms.sorts import as_sort
from solvent.terms.term import Term

Found = TypeVar("Found")


class Filling:
    """The choices and values of a model."""

    def __init__(self, model: object) -> None:
        found = model if isinstance(model, Model) else getattr(model, "model", None)
        if not isinstance(found, Model):
            raise SketchError(f"there is no model to complete a sketch with in {model!r}")
        self.model = found
        self.names = {key.name for key in found if isinstance(key, Term)}

    def option(
        self, node: ast.Call, chooser: Chooser, place: Place, scope: Expansion | None
    ) -> ast.expr:
        """The option that a choice stands for."""
        options = options_of(node)
        if not options:
            raise SketchError(
                f"{where(place)}: the options of this {chooser.name} are not in the source, "
                "so it cannot be completed; write them out"
            )
        if len(options) == 1:
            return options[0]
        allowed = range(len(options)) if scope is None else scope.allowed(place, len(options))
        label = scopes.label_in(scope, chooser.name, place)
        found = {self.choice(each, allowed) for each in self.labels(label, chooser.fresh)}
        which: int = _only(found, chooser.name, place)
        return options[which]

    def choice(self, label: str, allowed: Sequence[int]) -> int:
        """Which option is chosen."""
        for which in allowed[:-1]:
            if self.model[Bool(test_name(label, which))] is False:
                return which
        return allowed[-1]

    def labels(self, label: str, fresh: bool) -> list[str]:
        """A label, or those of its executions that the model knows."""
        if not fresh:
            return [label]
        start = f"{label}#"
        known = {n[len(start) :].split(".")[0] for n in self.names if n.startswith(start)}
        return [start + number for number in sorted(known)] or [label]

    def literal(
        self,
        node: ast.Call,
        hole: Hole,
        place: Place,
        scope: Expansion | None,
        find: Lookup,
        knows: Knows,
    ) -> str:
        """An expression for the value of a hole."""
        label = scopes.label_in(scope, hole.name, place)
        domain = _domain(label, node, place, find)
        texts = {
            literal(self.value(each, domain), ast.unparse(_sort(node)), knows)
            for each in self.labels(label, hole.fresh)
        }
        return str(_only(texts, hole.name, place))

    def value(self, label: str, domain: Domain) -> Operand:
        """The value of a constant, between the bounds."""
        return external(domain.limited(self.model[domain.sort(label)]))


def _only(found: set[Found], name: str, place: Place) -> Found:
    if len(found) > 1:
        raise SketchError(
            f"{where(place)}: this {name} is not the same each time it is executed, so that "
            "no expression stands for it"
        )
    return found.pop()


def _sort(node: ast.Call) -> ast.expr:
    named = [keyword.value for keyword in node.keywords if keyword.arg == "sort"]
    return (node.args or named)[0]


def _domain(label: str, node: ast.Call, place: Place, find: Lookup) -> Domain:
    """The domain of a hole: the one it was made with, or what its arguments say."""
    known = DOMAINS.get(label)
    if known is None:
        # It was not executed here.
        code = compile(ast.Expression(_call_of_domain(node)), place[0], "eval")
        try:
            known = [eval(code, {}, _Namespace(find))]
        except Exception as error:
            raise SketchError(
                f"{where(place)}: this hole was never made, and its sort is not known either "
                f"({type(error).__name__}: {error})"
            ) from None
    if len(known) > 1:
        raise SketchError(
            f"{where(place)}: this hole was made with different sorts or bounds, so that no "
            "literal stands for it"
        )
    return known[0]


def _made_domain(sort: object, low: Concrete | None = None, high: Concrete | None = None) -> Domain:
    return Domain(as_sort(sort), low, high)


def _call_of_domain(node: ast.Call) -> ast.expr:
    function = ast.copy_location(ast.Name("\0domain", ast.Load()), node)
    return ast.copy_location(ast.Call(function, node.args, node.keywords), node)


class _Namespace(dict[str, object]):
    """The names around a hole, for evaluating its arguments."""

    def __init__(self, find: Lookup) -> None:
        super().__init__({"\0domain": _made_domain})
        self.find = find

    def __missing__(self, name: str) -> object:
        found = self.find(name)
        if found is NOTHING:
            raise KeyError(name)
        return found
