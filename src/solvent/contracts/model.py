"""What a contract is, whoever wrote it: conditions with the place where each stands.

>>> condition = Condition("postcondition", "_ > x", "program.py", 3, lambda x, result: result > x)
>>> condition.place, condition.wanted
('program.py:3', ('x', 'result'))
>>> str(condition)
'postcondition `_ > x`'
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from solvent.contracts.violations import VIOLATIONS
from solvent.vm.values import Value

# How a function is called: in its lifted version, or as it is.
Run = Callable[[Callable[..., Value]], Callable[..., Value]]


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that must hold, as a function of some of the values of a call."""

    # "precondition", "postcondition" or "invariant".
    kind: str
    text: str
    file: str
    line: int
    function: Callable[..., Value]
    # The exception that the library raises where it does not hold, given the values of the call
    # and how functions are called.
    error: Callable[[Mapping[str, Any], Run], BaseException] | None = None
    # The names of the values that it takes; those with a default need not be there.
    wanted: tuple[str, ...] = ()
    # Whether it is given all arguments as the call has them, and the result by name.
    explicit: bool = False
    # Whether it is given one object with all values as attributes.
    bundled: bool = False
    # Turns what the function gives into whether the condition holds, if that is not its truth.
    judge: Callable[[Value], Value] | None = None
    # How an exception of the library's is known to be about this condition, and whether that is
    # only a guess, because a function of the program made it.
    is_raised: Callable[[BaseException], bool] | None = None
    is_vague: bool = False

    def __post_init__(self) -> None:
        if not self.wanted:
            names = tuple(inspect.signature(self.function).parameters)
            object.__setattr__(self, "wanted", names)

    @property
    def place(self) -> str:
        """File and line where it stands."""
        return f"{self.file}:{self.line}"

    def violation(self, values: Mapping[str, Any], run: Run) -> BaseException:
        """The exception for where it does not hold."""
        if self.error is not None:
            return self.error(values, run)
        return VIOLATIONS[self.kind](f"{self} is violated")

    def __str__(self) -> str:
        return f"{self.kind} `{self.text}`"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A value that is computed before the call, for the conditions after it."""

    name: str
    capture: Callable[..., Value]
    wanted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Raises:
    """Which exceptions may escape: others are turned into one of the library's."""

    classes: tuple[type[BaseException], ...]
    file: str
    line: int
    # Whether classes that derive from these are not allowed, as `deal` has it.
    exact: bool = False
    # What is raised instead of another exception; nothing if that escapes as it is.
    error: Callable[[], BaseException] | None = None
    is_raised: Callable[[BaseException], bool] | None = None
    # Who says so, for the answer.
    who: str = "the contract"

    def allows(self, error: BaseException) -> bool:
        """Whether an exception may escape."""
        if self.exact:
            return type(error) in self.classes
        return isinstance(error, self.classes)


@dataclass(frozen=True, slots=True)
class Reason:
    """A condition that must hold where an exception of a class escapes."""

    event: type[BaseException]
    condition: Condition


@dataclass(slots=True)
class Contract:
    """The contract of one function, or of one wrapper around it."""

    # The function that the program calls, and the one that it leads to.
    function: Callable[..., Value]
    body: Callable[..., Value]
    # "icontract", "deal", "PEP 316" or "annotated-types".
    library: str
    # Whether the library itself checks the contract while the program runs.
    is_enforced: bool
    # One group of these must hold; in a group, all.
    groups: list[list[Condition]] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)
    posts: list[Condition] = field(default_factory=list)
    raises: list[Raises] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)
    # The invariants of an instance, and whether they hold before the call already.
    invariants: Callable[[Value], list[Condition]] | None = None
    is_init: bool = False
    # Whether a program wrote the function, which only stores its arguments.
    is_generated: bool = False
    # Whether the check is over, so that nothing is asserted any more.
    is_over: bool = False
    # What each item of a generator must satisfy, and not the generator.
    each_item: bool = False
    # Whether a call inside of a call of the same function is not checked.
    skips_recursion: bool = False
    # How conditions call the result, and the bundle of snapshots.
    result_names: tuple[str, ...] = ("result",)
    old_name: str = "OLD"
    # The exceptions of the library itself, of which `raises` says nothing.
    own_errors: tuple[type[BaseException], ...] = ()

    @property
    def signature(self) -> inspect.Signature:
        """The parameters, as callers see them."""
        return inspect.signature(self.body)

    def conditions(self) -> list[Condition]:
        """All conditions that do not depend on an instance."""
        inside = [one for group in self.groups for one in group]
        return [*inside, *self.posts, *(reason.condition for reason in self.reasons)]


def named_values(
    signature: inspect.Signature, args: tuple[Value, ...], named: Mapping[str, Value]
) -> dict[str, Any]:
    """The arguments of a call by name, with defaults, as conditions see them.

    >>> def f(x, y=2, *rest): ...
    >>> named_values(inspect.signature(f), (1,), {})
    {'x': 1, 'y': 2, 'rest': ()}
    """
    bound = signature.bind(*args, **named)
    bound.apply_defaults()
    return dict(bound.arguments)
