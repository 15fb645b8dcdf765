"""The symbolic constants of inputs one by one: what each stands for, and which values it may have.

An assumption about a single constant, such as the bounds of a length, is asked of each value by
itself; those about several are asked of whole assignments.

>>> from solvent.queries.inputs import bind
>>> def f(items: list[int], word: str) -> None: ...
>>> for leaf in leaves_of(Program(f, bind(f, (), {}, 1))):
...     print(leaf.constant, leaf.role.value, leaf.low, leaf.high)
len(items) length 0 1
items[0] number None None
len(word) length 0 1
word[0] character 0 1114111
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field
from typing import Any

from solvent.lift.reflection import symbolics
from solvent.lift.values.protocol import guarded
from solvent.race.concrete import Program
from solvent.terms.arithmetic import LE
from solvent.terms.booleans import NOT
from solvent.terms.functions import FunctionSymbol
from solvent.terms.graph import applied_functions, constants, reachable
from solvent.terms.model import Constant, Model, evaluate
from solvent.terms.sorts import (
    BitVecSort,
    BoolSort,
    FloatSort,
    IntSort,
    RealSort,
    Sort,
    StringSort,
)
from solvent.terms.term import Term
from solvent.terms.texts import LAST_CODE
from solvent.vm.values import Guard


class Role(enum.Enum):
    """What a constant stands for."""

    LENGTH = "length"
    CHOICE = "choice"
    CHARACTER = "character"
    NUMBER = "number"
    FLOAT = "float"
    FRACTION = "fraction"
    BITS = "bits"
    TRUTH = "truth"
    TEXT = "text"
    FUNCTION = "function"
    OTHER = "other"


_ROLES: dict[type, Role] = {
    IntSort: Role.NUMBER,
    BoolSort: Role.TRUTH,
    FloatSort: Role.FLOAT,
    RealSort: Role.FRACTION,
    BitVecSort: Role.BITS,
    StringSort: Role.TEXT,
}

# How the spaces call lengths, and which one of several options is taken.
_LENGTH = re.compile(r"len\((.*)\)", re.DOTALL)
_CHOICE = re.compile(r".*(?:\.which| is)", re.DOTALL)


@dataclass(slots=True)
class Leaf:
    """A constant or function, with what is known of it alone."""

    constant: Constant
    role: Role
    low: int | None = None
    high: int | None = None
    # What else must hold of it.
    conditions: list[Guard] = field(default_factory=list)

    name: str = field(init=False)
    # The sort of its values, or of the results of a function.
    sort: Sort[Term] = field(init=False)

    def __post_init__(self) -> None:
        constant = self.constant
        self.name = constant.name
        self.sort = constant.range if isinstance(constant, FunctionSymbol) else constant.sort

    @property
    def owner(self) -> str:
        """What it is the length of, if it is one."""
        found = _LENGTH.fullmatch(self.name) if self.role is Role.LENGTH else None
        return found[1] if found else ""

    @property
    def may_be_character(self) -> bool:
        """Whether it is an item of something, and its bounds are such that it could be a code."""
        if self.low is None or self.high is None or not self.name.endswith("]"):
            return False
        return self.low >= 0 and self.high <= LAST_CODE

    def allows(self, value: Any) -> bool:
        """Whether nothing that is assumed of it alone excludes a value."""
        if self.low is not None and value < self.low:
            return False
        if self.high is not None and value > self.high:
            return False
        if not self.conditions:
            return True
        model = Model({self.constant: value})
        return all(evaluate(condition, model) is True for condition in self.conditions)

    def literals(self) -> list[int]:
        """The numbers that occur in what is assumed of it."""
        found = [bound for bound in (self.low, self.high) if bound is not None]
        for part in reachable(self.conditions):
            found += [arg for arg in part.key[1:] if type(arg) is int]
        return found


def leaves_of(program: Program) -> list[Leaf]:
    """The constants and functions of the inputs, in the order of the parameters."""
    inputs = program.inputs
    roots = (inputs.args, inputs.named, program.around)
    found: dict[Constant, None] = dict.fromkeys(symbolics(roots))
    # What is only in what made the inputs, or only in an assumption, has a say as well.
    found.update(dict.fromkeys(symbolics([recipe for _, recipe in inputs.made])))
    terms = [part for part in program.assumptions if isinstance(part, Term)]
    found.update(dict.fromkeys(constants(*terms)))
    found.update(dict.fromkeys(applied_functions(*terms, *terms_in(roots))))
    leaves = {constant: leaf_of(constant) for constant in found}
    for condition in program.assumptions:
        about = constants(condition)
        if len(about) == 1 and not applied_functions(condition):
            _limit(leaves[about[0]], condition)
    for leaf in leaves.values():
        if leaf.role is Role.NUMBER and (leaf.low, leaf.high) == (0, LAST_CODE):
            leaf.role = Role.CHARACTER
    return list(leaves.values())


def leaf_of(constant: Constant) -> Leaf:
    """A leaf of which nothing is known but its name and sort."""
    return Leaf(constant, _role(constant))


def several(program: Program) -> list[Guard]:
    """The assumptions that are not about a single constant."""
    return [
        condition
        for condition in program.assumptions
        if len(constants(condition)) != 1 or applied_functions(condition)
    ]


def terms_in(value: object) -> list[Term]:
    """The terms that a value holds somewhere."""
    found: list[Term] = []
    seen: dict[int, object] = {}
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, Term):
            found.append(part)
        elif id(part) not in seen and not isinstance(part, (int, str, float, bytes, type)):
            seen[id(part)] = part
            pending += guarded(part)
    return found


def _role(constant: Constant) -> Role:
    if isinstance(constant, FunctionSymbol):
        return Role.FUNCTION
    role = _ROLES.get(type(constant.sort), Role.OTHER)
    if role is Role.NUMBER and _LENGTH.fullmatch(constant.name):
        return Role.LENGTH
    if role is Role.NUMBER and _CHOICE.fullmatch(constant.name):
        return Role.CHOICE
    return role


def _limit(leaf: Leaf, condition: Guard) -> None:
    """Remember what is assumed of a leaf, as a bound if it is one."""
    assert isinstance(condition, Term)
    is_below = condition.op is not NOT
    inner = condition if is_below else condition.key[1]
    if isinstance(inner, Term) and inner.op is LE and isinstance(leaf.sort, IntSort):
        _, left, right = inner.key
        if left is leaf.constant and type(right) is int:
            if is_below:
                leaf.high = right if leaf.high is None else min(leaf.high, right)
            else:
                leaf.low = right + 1 if leaf.low is None else max(leaf.low, right + 1)
            return
        if right is leaf.constant and type(left) is int:
            if is_below:
                leaf.low = left if leaf.low is None else max(leaf.low, left)
            else:
                leaf.high = left - 1 if leaf.high is None else min(leaf.high, left - 1)
            return
    leaf.conditions.append(condition)
