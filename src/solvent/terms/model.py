"""Models: assignments of values to constants and functions, and evaluation under them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

from solvent.errors import EvaluationError, SortError, UnknownConstantError
from solvent.terms.functions import APPLY, FunctionSymbol, UninterpretedTerm
from solvent.terms.graph import KeyT, applied_functions, by_constant, constants, reachable
from solvent.terms.quantifiers import FORALL, QUANTIFIERS
from solvent.terms.softfloat import FP, external
from solvent.terms.sorts import Sort, describe, readable
from solvent.terms.term import CONSTANT, Term
from solvent.terms.values import BV, ArrayValue, Element, FunctionValue, bv, finite_size

if TYPE_CHECKING:
    from solvent.terms.arrays import ArrayTerm
    from solvent.terms.bitvectors import BitVecTerm
    from solvent.terms.booleans import BoolTerm
    from solvent.terms.floats import FloatTerm
    from solvent.terms.integers import IntTerm
    from solvent.terms.kinds import (
        ArrayLike,
        Bits,
        Concrete,
        Floating,
        Guard,
        Integer,
        Operand,
        Rational,
        Text,
    )
    from solvent.terms.reals import RealTerm
    from solvent.terms.strings import StringTerm

# What a model gives a value to.
Constant: TypeAlias = "Term | FunctionSymbol"
ConstantT = TypeVar("ConstantT", bound="Term | FunctionSymbol")


class Model(Mapping["Constant", Any]):
    """An assignment of concrete values to constants and uninterpreted functions.

    A model is complete: a constant that it does not list has the default value of its sort.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> m = Model({x: 3})
    >>> m[x], m["x"], m[y], m.evaluate(x * x + y)
    (3, 3, 0, 9)
    """

    __slots__ = ("_values", "inexact")

    def __init__(
        self,
        values: Mapping[ConstantT, Concrete | FunctionValue] = {},
        inexact: Iterable[Constant] = (),
    ) -> None:
        # Constants whose exact value is irrational: a close fraction stands for it.
        self.inexact = tuple(inexact)
        self._values: dict[Constant, Any] = {}
        for key, value in values.items():
            if isinstance(key, FunctionSymbol):
                if not callable(value):
                    raise SortError(f"the function {key} needs a FunctionValue, not {value!r}")
                self._values[key] = value
            elif isinstance(key, Term) and key.op is CONSTANT:
                self._values[key] = required = key.sort.require(value)
                if isinstance(required, Term):
                    raise SortError(f"{key} needs a concrete value, not the term {describe(value)}")
            else:
                raise SortError(f"a model assigns constants and functions, not {describe(key)}")

    @overload
    def __getitem__(self, key: BoolTerm) -> bool: ...
    @overload
    def __getitem__(self, key: IntTerm) -> int: ...
    @overload
    def __getitem__(self, key: RealTerm) -> Fraction: ...
    @overload
    def __getitem__(self, key: BitVecTerm) -> BV: ...
    @overload
    def __getitem__(self, key: FloatTerm) -> float | FP: ...
    @overload
    def __getitem__(self, key: StringTerm) -> str: ...
    @overload
    def __getitem__(self, key: ArrayTerm) -> ArrayValue: ...
    @overload
    def __getitem__(self, key: UninterpretedTerm) -> Element: ...
    @overload
    def __getitem__(self, key: FunctionSymbol) -> FunctionValue: ...
    @overload
    def __getitem__(self, key: Constant | str) -> Any: ...

    def __getitem__(self, key: Constant | str) -> Any:
        return external(self.internal(key))

    def internal(self, key: Constant | str) -> Any:
        """The value as it occurs inside terms (floats as bit patterns)."""
        if isinstance(key, str):
            key = self._named(key)
        if key in self._values:
            return self._values[key]
        if isinstance(key, FunctionSymbol):
            return FunctionValue(key.range, key.range.default)
        if isinstance(key, Term) and key.op is CONSTANT:
            return key.sort.default
        raise UnknownConstantError(
            f"{describe(key)} is not a constant of the model; use model.evaluate(...) for terms"
        )

    def _named(self, name: str) -> Constant:
        found = [key for key in self._values if key.name == name]
        if len(found) == 1:
            return found[0]
        if found:
            listed = " and ".join(str(key.sort) for key in found if isinstance(key, Term))
            raise UnknownConstantError(f"the name {name!r} is ambiguous ({listed})")
        known = ", ".join(sorted(key.name for key in self._values)) or "none"
        raise UnknownConstantError(f"the model has no constant {name!r}; it has: {known}")

    def __contains__(self, key: object) -> bool:
        if isinstance(key, str):
            return any(known.name == key for known in self._values)
        return key in self._values

    def __iter__(self) -> Iterator[Constant]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, Model) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._values))

    def to_dict(self) -> dict[str, Any]:
        """The values by name.

        >>> from solvent.terms import Int
        >>> Model({Int("x"): 3}).to_dict()
        {'x': 3}
        """
        return {key.name: self[key] for key in self._values}

    @overload
    def evaluate(self, term: Guard) -> bool: ...
    @overload
    def evaluate(self, term: Integer) -> int: ...
    @overload
    def evaluate(self, term: Rational) -> Fraction: ...
    @overload
    def evaluate(self, term: Bits) -> BV: ...
    @overload
    def evaluate(self, term: Floating) -> float | FP: ...
    @overload
    def evaluate(self, term: Text) -> str: ...
    @overload
    def evaluate(self, term: ArrayLike) -> ArrayValue: ...
    @overload
    def evaluate(self, term: Operand) -> Any: ...

    def evaluate(self, term: Operand) -> Any:
        """The concrete value of a term."""
        return evaluate(term, self)

    __call__ = evaluate

    def __repr__(self) -> str:
        items = ", ".join(f"{key.name}: {readable(self[key])}" for key in self._values)
        return f"Model({{{items}}})"

    def __str__(self) -> str:
        return "\n".join(
            f"{key.name} {'≈' if self._is_inexact(key) else '='} {readable(self[key])}"
            for key in self._values
        )

    def _is_inexact(self, key: Constant) -> bool:
        return any(key is constant for constant in self.inexact)

    def __reduce__(self) -> tuple[object, ...]:
        return (Model, (dict(self._values), self.inexact))


@overload
def evaluate(term: Guard, model: Model | Mapping[KeyT, Concrete | FunctionValue]) -> bool: ...
@overload
def evaluate(term: Integer, model: Model | Mapping[KeyT, Concrete | FunctionValue]) -> int: ...
@overload
def evaluate(
    term: Rational, model: Model | Mapping[KeyT, Concrete | FunctionValue]
) -> Fraction: ...
@overload
def evaluate(term: Bits, model: Model | Mapping[KeyT, Concrete | FunctionValue]) -> BV: ...
@overload
def evaluate(
    term: Floating, model: Model | Mapping[KeyT, Concrete | FunctionValue]
) -> float | FP: ...
@overload
def evaluate(term: Text, model: Model | Mapping[KeyT, Concrete | FunctionValue]) -> str: ...
@overload
def evaluate(
    term: ArrayLike, model: Model | Mapping[KeyT, Concrete | FunctionValue]
) -> ArrayValue: ...
@overload
def evaluate(term: Operand, model: Model | Mapping[KeyT, Concrete | FunctionValue]) -> Any: ...


def evaluate(term: Operand, model: Model | Mapping[KeyT, Concrete | FunctionValue]) -> Any:
    """The concrete value of a term under a model or a mapping of constants or names to values.

    A mapping must give a value to each free constant and each function of the term.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> evaluate(x * x + 1, {"x": 3})
    10
    """
    if not isinstance(term, Term):
        return term
    if term.op is CONSTANT and isinstance(model, Model):
        return external(model.internal(term))
    terms = reachable([term])
    if not isinstance(model, Model):
        given = model
        model = Model(by_constant(model, terms))
        # Bound variables need no value, but whether there are some is only asked if one is missing.
        if any(leaf is not None and leaf not in model for leaf in map(_leaf, terms)):
            missing = [c for c in (*constants(term), *applied_functions(term)) if c not in model]
            if missing:
                listed = ", ".join(str(constant) for constant in missing)
                known = ", ".join(map(str, given)) or "none"
                raise UnknownConstantError(f"no value is given for {listed}; given: {known}")
    return external(_evaluate(term, model, terms))


def _leaf(term: Term) -> Term | FunctionSymbol | None:
    """What a model gives a value to: a constant, or the function that is applied."""
    if term.op is CONSTANT:
        return term
    return term.op.params[0] if term.op.base is APPLY else None


class _Unknown:
    """The value of what depends on a variable that is only bound, outside of its quantifier."""


_UNKNOWN = _Unknown()


def _evaluate(root: Term, model: Model, terms: list[Term]) -> Any:
    bound: set[Term] = set()
    for term in terms:
        if term.op.base in QUANTIFIERS:
            bound.update(term.op.params[0])
    if bound:
        bound.difference_update(constants(root))
    values: dict[Term, Any] = {}
    for term in terms:
        op = term.op
        if op is CONSTANT:
            hidden = term in bound and term not in model
            values[term] = _UNKNOWN if hidden else model.internal(term)
            continue
        if op.base in QUANTIFIERS:
            values[term] = _expand(term, model)
            continue
        args = [values[arg] if isinstance(arg, Term) else arg for arg in term.key[1:]]
        if bound and any(arg is _UNKNOWN for arg in args):
            values[term] = _UNKNOWN
        elif op.base is APPLY:
            result = model.internal(op.params[0])(*args)
            values[term] = term.sort.require(result)
        else:
            values[term] = op.fold(*args)
    return values[root]


# A quantifier over at most this many assignments is evaluated by trying them all.
EXPANSION_LIMIT = 1 << 16


def domain(sort: Sort[Term]) -> Sequence[bool | BV]:
    """All values of a small finite sort."""
    size = finite_size(sort)
    if size is None or size > EXPANSION_LIMIT:
        raise EvaluationError(
            f"a quantifier over {sort} cannot be evaluated; ask a solver about it"
        )
    if size == 2 and not isinstance(sort.default, BV):
        return [False, True]
    return [bv(value, sort.default.width) for value in range(size)]


def _expand(quantified: Term, model: Model) -> bool:
    variables = quantified.op.params[0]
    domains = [domain(variable.sort) for variable in variables]
    total = 1
    for values in domains:
        total *= len(values)
    if total > EXPANSION_LIMIT:
        raise EvaluationError(f"a quantifier over {total} assignments cannot be evaluated")
    universal = quantified.op.base is FORALL
    body = quantified.key[1]
    terms = reachable([body])
    for assignment in itertools.product(*domains):
        inner = Model({**dict(model._values), **dict(zip(variables, assignment, strict=True))})
        if _evaluate(body, inner, terms) is not universal:
            return not universal
    return universal
