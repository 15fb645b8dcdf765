"""Spaces of functions: a table from arguments to results, and a result for all others.

So equal arguments give equal results.  Written as Python such a function is a lambda over a dict,
`lambda a: {0: 1}.get(a, 2)`, and what it does is what that does: each call gives a new result, and
arguments are compared as keys are.  What a dict refuses as a key, and objects with an equality of
their own, are refused.
"""

from __future__ import annotations

import enum
import string
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from types import FunctionType, NoneType

from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.identity import same
from solvent.queries.recipes import Recipe
from solvent.queries.spaces.base import DEFAULT_LENGTH, Described, Making, Space
from solvent.queries.spaces.containers import Tuples, listed
from solvent.queries.spelling import TEXT_OF_FUNCTION, Write, spelled
from solvent.terms import and_, not_, or_
from solvent.terms.term import Term
from solvent.vm.kinds import StandIn, type_name
from solvent.vm.slots import opened
from solvent.vm.spread import combine
from solvent.vm.union import choices_of
from solvent.vm.values import Choice, Guard, Value

# The arguments of a call, and its result.
Entry = tuple[tuple[Value, ...], Value]

# What is compared by its value, as keys are.
_KEYS = (NoneType, bool, int, float, str, bytes)


@dataclass
class Table:
    """What a function is: a table of its results."""

    name: str
    # How many arguments it takes; with `None` any, and the results are all the same.
    arity: int | None
    # Entries that only some inputs have are partial.
    entries: list[Value]
    default: Value

    def rows(self) -> Iterator[tuple[Guard, tuple[Value, ...], Value]]:
        """Where each entry is there, its arguments and its result."""
        for content in self.entries:
            guard, (key, result) = opened(content)
            yield guard, key, result

    def result(self, args: tuple[Value, ...]) -> Value:
        """What belongs to some arguments."""
        return self.found(args, [result for _, _, result in self.rows()], self.default)

    def found(self, args: tuple[Value, ...], results: Iterable[Value], default: Value) -> Value:
        """The one of some results that belongs to the arguments."""
        rows: list[Choice] = []
        for (guard, key, _), result in zip(self.rows(), results, strict=True):
            is_it = and_(guard, same(key, args))
            if is_it is not False:
                rows.append((is_it, result))
        return combine([*rows, (True, default)])

    def new_result(self, args: tuple[Value, ...]) -> Value:
        """What a call gives: of what is mutable, a new object each time."""
        copied = call(deepcopy)
        results = [copied(result) for _, _, result in self.rows()]
        return self.found(args, results, copied(self.default))

    def same_as(self, other: Table) -> Guard:
        """Whether this is the same function as another one, which is concrete."""
        conditions = [same(self.default, other.default)]
        for guard, key, _ in (*self.rows(), *other.rows()):
            conditions.append(or_(not_(guard), same(self.result(key), other.result(key))))
        return and_(*conditions)


class TableFunction(StandIn):
    """A function that is given by a table, for the symbolic run."""

    # An unusual name, since the program may look for any.
    __slots__ = ("_solvent_table",)
    _solvent_table: Table

    __name__ = "<lambda>"

    def __init__(self, table: Table) -> None:
        object.__setattr__(self, "_solvent_table", table)

    def __setattr__(self, name: str, value: object) -> None:
        raise NotLiftedError(
            f"the function `{self._solvent_table.name}` is an input, so its attribute `{name}` "
            "cannot be set; keep the value elsewhere"
        )

    def python_type(self) -> type:
        return FunctionType

    def __deepcopy__(self, memo: object) -> TableFunction:
        return self

    def __call__(self, *args: Value, **named: Value) -> Value:
        table = self._solvent_table
        if table.arity is None:
            return table.new_result(())
        if named:
            raise NotLiftedError(
                f"the function `{table.name}` is called with `{next(iter(named))}=`, but its "
                "annotation gives its parameters no names; call it by position"
            )
        if len(args) != table.arity:
            # Python's own message.
            return as_function(table.arity, [], None)(*args)
        for value in args:
            _check_key(table.name, value)
        return table.new_result(args)


def table_of(function: TableFunction) -> Table:
    """The table of a function."""
    return function._solvent_table


def _check_key(name: str, value: Value) -> None:
    """Refuse arguments that a dict would not find by their value."""
    for _, member in choices_of(value):
        if type(member) is tuple:
            for item in member:
                _check_key(name, item)
        elif not (type(member) in _KEYS or isinstance(member, (Term, enum.Enum))):
            raise NotLiftedError(
                f"the function `{name}` is an input and knows its arguments by their value, so it "
                f"cannot be called with a {type_name(member)}; pass a function of your own for "
                f"`{name}`"
            )


def as_function(
    arity: int | None, entries: Iterable[Entry], default: Value
) -> Callable[..., Value]:
    """The plain Python function that a table stands for.

    >>> as_function(2, [((1, 2), "x")], "y")(1, 2), as_function(1, [], [])(3)
    ('x', [])
    """
    rows = list(entries)
    table: dict[Value, Value] = {}
    for key, result in rows:
        # A NaN is not equal to itself, and would be found by its identity.
        if all(value == value for value in key):
            table.setdefault(key, result)
    parameters = _parameters(arity)
    key_text = "()" if arity is None else f"({parameters}{',' * (arity == 1)})"
    text = f"lambda {parameters}: copied(table.get({key_text}, default))"
    found: Value = eval(text, {"copied": deepcopy, "table": table, "default": default})
    setattr(found, TEXT_OF_FUNCTION, lambda_text(arity, rows, default, spelled))
    return found  # type: ignore[no-any-return]


def _parameters(arity: int | None) -> str:
    return "*args, **named" if arity is None else ", ".join(string.ascii_lowercase[:arity])


def lambda_text(arity: int | None, entries: Iterable[Entry], default: Value, write: Write) -> str:
    """The lambda that a table stands for, given how values are written.

    >>> lambda_text(2, [((1, 2), "x"), ((1, 2), "y"), ((3, 4), "z")], "z", repr)
    "lambda a, b: {(1, 2): 'x'}.get((a, b), 'z')"
    """
    parameters = _parameters(arity)
    table: dict[str, str] = {}
    for key, result in entries:
        table.setdefault(write(key[0] if arity == 1 else key), write(result))
    other = write(default)
    rows = ", ".join(f"{key}: {result}" for key, result in table.items() if result != other)
    head = f"lambda {parameters}".rstrip()
    if not rows:
        return f"{head}: {other}"
    return f"{head}: {{{rows}}}.get({parameters if arity == 1 else f'({parameters})'}, {other})"


@dataclass(frozen=True)
class FunctionRecipe(Recipe):
    """A function as a lambda."""

    def spelled(self, write: Write) -> str:
        """The text of the lambda."""
        arity, entries, default = self.args
        return lambda_text(arity, entries, default, write)


@dataclass(frozen=True)
class Functions(Described):
    """Functions with tables of at most so many entries."""

    # The spaces of the arguments; with `None` there may be any.
    arguments: tuple[Space, ...] | None
    results: Space
    max_len: int = DEFAULT_LENGTH

    def make(self, name: str, making: Making) -> Value:
        arguments = self.arguments
        with making.apart():
            default = self.results.make(f"{name}(...)", making)
            entries: list[Value] = []
            if arguments:
                row = Tuples((Tuples(arguments), self.results))
                entries = listed(row, name, 0, self.max_len, making)
        arity = None if arguments is None else len(arguments)
        result = TableFunction(Table(name, arity, entries, default))
        making.made.append((result, FunctionRecipe(as_function, (arity, entries, default))))
        return result

    def nouns(self) -> tuple[str, str]:
        return "functions", "a function"

    def contents(self) -> str:
        if not self.arguments:
            return f"with one result for all calls, {self.results.one()}"
        arguments = ", ".join(space.one() for space in self.arguments)
        return (
            f"from ({arguments}) to {self.results.one()}, by a table of up to {self.max_len} "
            "entries and one result for all others"
        )
