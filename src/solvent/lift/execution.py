"""Running a function symbolically, without asking a question yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import NoneType

from solvent.lift.calls import call
from solvent.lift.function import UNLIFTED
from solvent.lift.origins import claim
from solvent.lift.values.objects import Objects, attributes_of
from solvent.lift.values.protocol import behaviour_of
from solvent.terms.term import Term
from solvent.vm.machine import Machine, Outcome
from solvent.vm.report import Listener
from solvent.vm.slots import guard_of, is_partial
from solvent.vm.union import Union
from solvent.vm.values import Value

# What holds no containers, most often found in them.
_ATOMS = (Term, int, str, bytes, float, NoneType)
_PLAIN = frozenset((int, bool, str, bytes, float, NoneType))

_OURS = ("solvent.terms.", "solvent.vm.", "solvent.lift.")


def adopt(args: Iterable[Value], named: Mapping[str, Value]) -> None:
    """Bring what arguments hold, and plain Python made, into the form of lifted values."""
    seen: dict[int, Value] = {}
    ways: dict[type, _Way | None] = {}
    known = ways.get
    atoms = set(_PLAIN)
    # Flat: arguments may hold hundreds of thousands of objects of a few classes.
    stack = [*args, *named.values()]
    stack.reverse()
    while stack:
        value = stack.pop()
        cls = type(value)
        if cls in atoms or id(value) in seen:
            continue
        way = known(cls)
        if way is None and cls not in ways:
            if isinstance(value, _ATOMS):
                atoms.add(cls)
                continue
            way = ways[cls] = None if _represents(cls) else _way(cls)
        if way is None:
            # What represents contents has its form already, or holds nothing of the program's.
            if not is_partial(value) or guard_of(value) is False:
                continue
            way = _way(cls)
        seen[id(value)] = value
        bring, parts = way
        if bring is not None:
            bring(value)
        stack += [part for part in parts(value) if type(part) not in atoms]


# How a value is brought into its form, None if it always has it, and what it holds.
_Way = tuple[Callable[[Value], None] | None, Callable[[Value], Iterable[Value]]]


def _represents(cls: type) -> bool:
    """Whether objects of a class represent contents, and are no values themselves."""
    return cls.__module__.startswith(_OURS) and cls is not Union


def _way(cls: type) -> _Way:
    behaviour = behaviour_of(cls)
    bring = behaviour.adopt
    is_needed = getattr(bring, "__func__", None) is not Objects.adopt
    by_class = getattr(behaviour.parts, "__func__", None) is Objects.parts
    return bring if is_needed else None, attributes_of(cls) if by_class else behaviour.parts


def execute(
    function: Callable[..., Value], *args: Value, listener: Listener | None = None, **named: Value
) -> Outcome:
    """Run a function on symbolic values; it is lifted if it is not yet.

    >>> from solvent import Int
    >>> def invert(x):
    ...     assert x >= 0
    ...     return 10 // x
    >>> outcome = execute(invert, Int("x"))
    >>> outcome.asserts, [type(failure.exception).__name__ for failure in outcome.failures]
    (x > -1 and x != 0, ['AssertionError', 'ZeroDivisionError'])
    """
    claim(function)

    def action() -> Value:
        adopt(args, named)
        return (function if UNLIFTED else call(function))(*args, **named)

    return Machine().run(action, listener=listener)
