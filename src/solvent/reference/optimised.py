"""The factory over Solvent's own terms, unions and merging, as the virtual machine uses them.

>>> factory = OptimisedFactory()
>>> p, z = factory.symbolic("p", "bool"), factory.symbolic("z", "int")
>>> v = factory.merge([(p, z), (factory.not_(p), False)])
>>> v, factory.op("+", [v, 1])
(Union(False if not p, z), Out(state=State(assumes=True, asserts=p), value=z + 1))
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from solvent.depth import deep_recursion
from solvent.reference.concrete import Closure, Value
from solvent.reference.expressions import WRONG, looked_at
from solvent.reference.factory import (
    Guarded,
    Halt,
    Model,
    Result,
    State,
    SymBool,
    SymClosure,
    SymValue,
    result,
)
from solvent.terms.booleans import BoolTerm, and_, eq, implies, not_, or_
from solvent.terms.graph import reachable
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Guard, Integer
from solvent.terms.model import Model as TermModel
from solvent.terms.sorts import Bool, Int
from solvent.terms.term import CONSTANT, Term
from solvent.vm.merge import merge
from solvent.vm.union import Union, choices_of, exclusive


class Procedure:
    """A symbolic closure as a value: like a function of Python it merges only with itself."""

    __slots__ = ("closure",)

    def __init__(self, closure: SymClosure) -> None:
        self.closure = closure

    def __repr__(self) -> str:
        return f"<procedure of {self.closure.variable}>"


class OptimisedFactory:
    """Symbolic Booleans are terms and Python's Booleans; values are those of lifted code."""

    # --- symbolic Booleans ---

    tt: SymBool = True
    ff: SymBool = False

    def not_(self, b: SymBool) -> SymBool:
        """Negation."""
        return not_(b)

    def and_(self, a: SymBool, b: SymBool) -> SymBool:
        """Conjunction."""
        return and_(a, b)

    def or_(self, a: SymBool, b: SymBool) -> SymBool:
        """Disjunction."""
        return or_(a, b)

    def imp(self, a: SymBool, b: SymBool) -> SymBool:
        """Implication."""
        return implies(a, b)

    def is_tt(self, b: SymBool) -> bool:
        """Whether a symbolic Boolean is the constant tt itself."""
        return b is True

    def is_ff(self, b: SymBool) -> bool:
        """Whether a symbolic Boolean is the constant ff itself."""
        return b is False

    def bool_under(self, model: Model, b: SymBool) -> bool:
        """The interpretation of a symbolic Boolean."""
        found: bool = _term_model(model).evaluate(b)
        return found

    def term(self, b: SymBool) -> Guard:
        """A symbolic Boolean, which is a term or constant of Solvent already."""
        term: Guard = b
        return term

    def size(self, *booleans: SymBool) -> int:
        """The number of different terms and constants, shared ones counted once."""
        terms = reachable(booleans)
        leaves = [b for b in booleans if not isinstance(b, Term)]
        for term in terms:
            if term.op is not CONSTANT:
                leaves += [operand for operand in term.key[1:] if not isinstance(operand, Term)]
        return len(terms) + len({(type(leaf), leaf) for leaf in leaves})

    # --- symbolic values ---

    def symbolic(self, name: str, sort: str) -> SymValue:
        """The symbolic variable of a name."""
        return Int(name) if sort == "int" else Bool(name)

    def lift(self, value: bool | int | tuple[()] | SymClosure) -> SymValue:
        """A constant, which is a symbolic value itself, or a closure."""
        return Procedure(value) if isinstance(value, SymClosure) else value

    def truth(self, v: SymValue) -> SymBool:
        """Where a value is not `#f`: only a Boolean can be."""
        failing = [and_(b, not_(w)) for b, w in exclusive(choices_of(v)) if _is_boolean(w)]
        return not_(or_(failing))

    def merge(self, choices: Sequence[Guarded]) -> SymValue:
        """The merged value of the choices; the last one where no other guard holds."""
        kept = [(guard, value) for guard, value in choices if guard is not False]
        if not kept:
            return False
        merged = kept[-1][1]
        for guard, value in reversed(kept[:-1]):
            merged = value if guard is True else merge(guard, value, merged)
        return merged

    def cast(self, v: SymValue) -> list[tuple[SymBool, SymClosure]]:
        """The closures that a value may be."""
        return [
            (guard, member.closure)
            for guard, member in exclusive(choices_of(v))
            if isinstance(member, Procedure) and guard is not False
        ]

    def op(self, operator: str, values: Sequence[SymValue]) -> Result:
        """The operators, on all combinations of the members of the operands."""
        places = looked_at(operator, values)
        rows, wrong = [], False
        for combination in product(*(exclusive(choices_of(values[place])) for place in places)):
            operands = list(values)
            for place, (_, v) in zip(places, combination, strict=True):
                operands[place] = v
            guard = and_([b for b, _ in combination])
            found = plain_op(operator, operands)
            if found is WRONG:
                wrong = True
            elif guard is not False:
                rows.append((guard, found))
        if not rows:
            return Halt(State(True, False))
        asserts = or_([guard for guard, _ in rows]) if wrong else True
        return result(self, State(True, asserts), self.merge(rows))

    def value_under(self, model: Model, v: SymValue) -> Value:
        """The interpretation of a symbolic value."""
        with deep_recursion():
            return _Interpretation(_term_model(model)).value(v)

    def parts(self, v: SymValue) -> list[tuple[Guard, SymValue]]:
        """The values that are no unions, each with its guard."""
        return [
            (guard, part.closure if isinstance(part, Procedure) else part)
            for guard, part in exclusive(choices_of(v))
        ]


def _is_boolean(value: SymValue) -> bool:
    return type(value) is bool or isinstance(value, BoolTerm)


def _is_integer(value: SymValue) -> bool:
    return type(value) is int or isinstance(value, IntTerm)


def plain_op(operator: str, values: Sequence[SymValue]) -> SymValue:
    """An operator on values that are no unions; `WRONG` if it is an error."""
    match operator, list(values):
        case "cons", [a, tuple(rest)]:
            return (a, *rest)
        case "car", [tuple(items)] if items:
            return items[0]
        case "cdr", [tuple(items)] if items:
            return items[1:]
        case "null?", [tuple(items)]:
            return not items
        case (("+" | "*" | "=" | "<"), [a, b]) if _is_integer(a) and _is_integer(b):
            return _arithmetic(operator, a, b)
        case "-", [a] if _is_integer(a):
            return -a
        case _:
            return WRONG


def _arithmetic(operator: str, a: Integer, b: Integer) -> Guard | Integer:
    match operator:
        case "+":
            return a + b
        case "*":
            return a * b
        case "<":
            return a < b
        case _:
            return eq(a, b)


def _term_model(model: Model) -> TermModel:
    if isinstance(model, TermModel):
        return model
    constants = {Bool(x) if isinstance(v, bool) else Int(x): v for x, v in model.items()}
    return TermModel(constants)


class _Interpretation:
    """What values are under one model; what is shared is interpreted once."""

    def __init__(self, model: TermModel) -> None:
        self.model = model
        self.values: dict[int, Value] = {}

    def value(self, v: SymValue) -> Value:
        if id(v) not in self.values:
            self.values[id(v)] = self.new_value(v)
        return self.values[id(v)]

    def new_value(self, v: SymValue) -> Value:
        if isinstance(v, Union):
            for guard, member in choices_of(v):
                if self.model.evaluate(guard):
                    return self.value(member)
        if isinstance(v, tuple):
            return tuple([self.value(item) for item in v])
        if isinstance(v, Procedure):
            closure = v.closure
            environment = {x: self.value(inner) for x, inner in closure.environment.items()}
            return Closure(closure.variable, closure.body, environment)
        found: Value = self.model.evaluate(v)
        return found
