"""Operators: what a term's head is, how it is evaluated, printed and rebuilt.

An operator with parameters, such as `extract` with its two bit positions, is a family: `at`
gives the operator for some parameters, and `base` leads back to the family.  For an operator
without parameters `base` is the operator itself, so that rules can always dispatch on `op.base`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    from solvent.terms.sorts import Sort
    from solvent.terms.term import Term

# What the applications of an operator are: `Op[Guard]` makes conditions, `Op[Bits]` bitvectors.
ResultT = TypeVar("ResultT", covariant=True)

# A rule takes the operands, and returns the simplified result or None.  What they are depends on
# the operator, which a table of the rules of all operators cannot say.
RuleFunction = Callable[..., Any]
# What triggers a rule: the head of an operand, the class of its sort, or None for any.
Head: TypeAlias = "Op[object] | type[Sort[Term]] | None"
RuleTable: TypeAlias = "dict[Head, list[RuleFunction]]"

OPERATORS: dict[str, Op[Any]] = {}


class Op(Generic[ResultT]):
    """One operator.

    * `fold` computes the concrete value from concrete arguments;
    * `construct` builds the simplified term from arguments at least one of which is a term;
    * `builds` says that there is a term even for concrete arguments: of functions without meaning;
    * `result` tells the sort of an application from its arguments;
    * the lists of rules are its rewriting rules by the head that triggers them, see
      `solvent.terms.rules`; the head None means any;
    * `tables` are `rules` without those that need something of the operands, by what is there (the
      bits `SHARED` and `VALUE`): the last is `rules` itself.
    """

    __slots__ = (
        "_instances",
        "_smt",
        "base",
        "builds",
        "constant_rules",
        "construct",
        "fold",
        "left_constant_rules",
        "name",
        "params",
        "result",
        "right_rules",
        "rules",
        "same_rules",
        "tables",
    )

    construct: Callable[..., ResultT]
    base: Op[ResultT]
    rules: RuleTable
    tables: tuple[RuleTable, RuleTable, RuleTable, RuleTable]
    right_rules: RuleTable
    constant_rules: RuleTable
    left_constant_rules: RuleTable
    same_rules: list[RuleFunction]

    def __init__(
        self,
        name: str,
        fold: Callable[..., ResultT],
        result: Callable[..., Sort[Term]],
        smt: str | Callable[..., str] | None = None,
        base: Op[ResultT] | None = None,
        params: tuple[Any, ...] = (),
    ) -> None:
        self.name = name
        self.fold = fold
        self.result = result
        self._smt = name if smt is None else smt
        self.base = base if base is not None else self
        self.builds: bool = base is not None and base.builds
        self.params = params
        for table in ("rules", "right_rules", "constant_rules", "left_constant_rules"):
            setattr(self, table, {} if base is None else getattr(base, table))
        self.tables = ({}, {}, {}, self.rules) if base is None else base.tables
        self.same_rules = [] if base is None else base.same_rules
        self._instances: dict[tuple[object, ...], Op[ResultT]] = {}
        if base is None:
            OPERATORS[name] = self

    def at(self, *params: object) -> Op[ResultT]:
        """The operator of this family with the given parameters."""
        found = self._instances.get(params)
        if found is None:
            op = Op(
                self.name,
                partial(self.fold, *params),
                partial(self.result, *params),
                self._smt,
                self,
                params,
            )
            op.construct = partial(self.construct, *params)
            found = self._instances.setdefault(params, op)
        return found

    @property
    def parameter_count(self) -> int:
        """How many parameters the operators of this family have; 0 if it is no family."""
        return len(next(iter(self._instances), ()))

    @property
    def smt(self) -> str:
        """The head of an application in SMT-LIB, such as `bvadd` or `(_ extract 7 0)`."""
        if isinstance(self._smt, str):
            if not self.params:
                return self._smt
            return f"(_ {self._smt} {' '.join(map(str, self.params))})"
        return self._smt(*self.params)

    def __call__(self, *args: object) -> ResultT:
        """Apply to terms or concrete values of the right sorts, simplifying."""
        for arg in args:
            if hasattr(arg, "op"):
                return self.construct(*args)
        return self.construct(*args) if self.builds else self.fold(*args)

    def __repr__(self) -> str:
        if not self.params:
            return self.name
        return f"{self.name}[{', '.join(map(str, self.params))}]"

    def __reduce__(self) -> tuple[object, ...]:
        if self.base is self:
            return (_operator, (self.name,))
        return (_instance, (self.name, self.params))


def _operator(name: str) -> Op[object]:
    return OPERATORS[name]


def _instance(name: str, params: tuple[object, ...]) -> Op[object]:
    return OPERATORS[name].at(*params)
