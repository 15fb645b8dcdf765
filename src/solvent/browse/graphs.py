"""A value as a graph of plain data: nodes by number, each once, with the numbers of its parts.

Kinds of nodes: `term` (an operator with arguments), `constant` (an unknown), `value` (something
concrete), `union` (guards and members), and `parts` (containers, objects, outcomes: named parts).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from enum import Enum
from fractions import Fraction
from numbers import Number
from types import MemberDescriptorType, ModuleType
from typing import TypeAlias

from solvent.depth import deep_recursion
from solvent.terms.graph import constants, reachable
from solvent.terms.softfloat import FP
from solvent.terms.sorts import BitVecSort, Bool, Int, Real, Sort, Str
from solvent.terms.term import CONSTANT, Term
from solvent.terms.texts import CodesTerm
from solvent.terms.values import BV, ArrayValue, Element, FunctionValue
from solvent.verdicts.texts import shown
from solvent.vm.buffers import shadow
from solvent.vm.machine import Outcome
from solvent.vm.slots import is_partial, opened
from solvent.vm.state import Failure
from solvent.vm.union import Union, choices_of, exclusive
from solvent.vm.values import Guard, Value

Json: TypeAlias = "dict[str, object]"

# How many nodes a page has at most; what is deeper is cut off, and says so.
MOST = 5_000
# From how many nodes on the size of each is not counted, which takes quadratic time.
_COUNTED = 1_500
# How much of a text is shown.
_LONGEST = 200
# How long the numbers are with which a page computes.
_MOST_BITS = 14_000


def concrete(value: object) -> Json | None:
    """A concrete value in the form in which a page computes with it, if it can.

    >>> concrete(3), concrete(Fraction(1, 2)), concrete("a")
    ({'int': '3'}, {'ratio': ['1', '2']}, {'text': [97]})
    """
    if isinstance(value, bool):
        return {"bool": value}
    number = value.value if isinstance(value, BV) else value
    if isinstance(number, int) and number.bit_length() > _MOST_BITS:
        # Python itself refuses to write numbers that are longer.
        return None
    if isinstance(value, int):
        return {"int": str(int(value))}
    if isinstance(value, BV):
        return {"bits": str(value.value), "width": value.width}
    if isinstance(value, Fraction):
        return {"ratio": [str(value.numerator), str(value.denominator)]}
    if isinstance(value, str):
        return {"text": [ord(character) for character in value]}
    return None


def sort_name(sort: Sort[Term]) -> Json:
    """A sort in the form in which a page reads what is typed in."""
    if isinstance(sort, BitVecSort):
        return {"name": str(sort), "reads": "bits", "width": sort.width}
    reads = {Bool: "bool", Int: "int", Real: "ratio", Str: "text"}.get(sort)
    return {"name": str(sort), "reads": reads}


class Graph:
    """The nodes of a value; `root` is the number of the value itself."""

    def __init__(self, value: Value, example: Callable[[Guard], str | None]) -> None:
        self.nodes: list[Json] = []
        # By identity; what is found is kept alive, so that identities stay theirs.
        self.numbers: dict[int, int] = {}
        self.kept: list[object] = []
        self.example = example
        self.cut = 0
        self.roots: list[Term] = []
        with deep_recursion():
            self.root = self.add(value, "")
        self.constants = constants(*self.roots)
        self._count_sizes()

    def _count_sizes(self) -> None:
        """How many different terms are below each node."""
        terms = [term for term in self.kept if isinstance(term, Term)]
        if len(terms) <= _COUNTED:
            for term in terms:
                self.nodes[self.numbers[id(term)]]["size"] = len(reachable([term]))

    def new(self, node: Json, value: object) -> int:
        """The number of a new node."""
        number = len(self.nodes)
        self.nodes.append(node)
        self.numbers[id(value)] = number
        self.kept.append(value)
        return number

    def add(self, value: Value, name: str) -> int:
        """The number of the node of a value."""
        known = self.numbers.get(id(value))
        if known is not None:
            return known
        if len(self.nodes) >= MOST:
            self.cut += 1
            return self.new({"kind": "value", "label": "… (cut off here)"}, object())
        if isinstance(value, CodesTerm):
            return self.parts("text", value, [(str(n), c) for n, c in enumerate(value.codes)])
        if isinstance(value, Term):
            self.roots.append(value)
            return self.term(value)
        if type(value) is Union:
            return self.union(value)
        parts = list(_parts_of(value))
        if parts or _is_container(value):
            return self.parts(_label(value), value, parts)
        return self.new({"kind": "value", "label": _short(value), "value": concrete(value)}, value)

    def term(self, root: Term) -> int:
        """The number of a term, after its arguments; nothing recurses on depth."""
        order = reachable([root])
        if len(self.nodes) + len(order) > MOST:
            # The top of the term is what people look at first.
            order = _top(root, max(MOST - len(self.nodes), 1))
        inside = {id(term) for term in order}
        for term in order:
            if id(term) in self.numbers:
                continue
            if term.op is CONSTANT:
                self.new(
                    {"kind": "constant", "label": term.name, "sort": sort_name(term.sort)}, term
                )
                continue
            arguments = [self.argument(arg, inside) for arg in term.key[1:]]
            node: Json = {
                "kind": "term",
                "op": term.op.name,
                "label": repr(term.op),
                "params": [str(parameter) for parameter in term.op.params],
                "sort": sort_name(term.sort),
                "args": arguments,
            }
            self.new(node, term)
        return self.numbers[id(root)]

    def argument(self, arg: object, inside: set[int]) -> int:
        """The number of an argument of a term."""
        if isinstance(arg, Term):
            known = self.numbers.get(id(arg))
            if known is not None:
                return known
            if id(arg) not in inside:
                self.cut += 1
                return self.new({"kind": "value", "label": "… (cut off here)"}, object())
        # Concrete arguments are not shared: each is shown where it stands.
        return self.new({"kind": "value", "label": _short(arg), "value": concrete(arg)}, _Held(arg))

    def union(self, value: Value) -> int:
        """A union: its members with their guards, and an example for each."""
        node: Json = {"kind": "union", "label": "union"}
        number = self.new(node, value)
        members = []
        choices = choices_of(value)
        for (guard, member), (only, _) in zip(choices, exclusive(choices), strict=True):
            members.append(
                {
                    "guard": self.add(guard, ""),
                    "value": self.add(member, ""),
                    "example": self.example(only),
                }
            )
        node["members"] = members
        return number

    def parts(self, label: str, value: object, parts: list[tuple[str, Value]]) -> int:
        """Something with named parts."""
        node: Json = {"kind": "parts", "label": label}
        number = self.new(node, value)
        node["parts"] = [{"name": name, "value": self.add(part, name)} for name, part in parts]
        return number


class _Held:
    """Stands for one occurrence of a concrete argument."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


def _top(root: Term, most: int) -> list[Term]:
    """The terms nearest to the top, arguments before what uses them."""
    found: dict[Term, None] = {root: None}
    queue = [root]
    for term in queue:
        if term.op is not CONSTANT:
            for arg in term.key[1:]:
                if isinstance(arg, Term) and arg not in found and len(found) < most:
                    found[arg] = None
                    queue.append(arg)
    return sorted(found, key=lambda term: term.id)


# Objects that are shown as they print themselves.
_WHOLE = (type, Number, FP, BV, ArrayValue, Element, FunctionValue, Enum, ModuleType)


def _is_container(value: object) -> bool:
    return isinstance(value, (list, tuple, dict, set, frozenset, deque))


def _parts_of(value: Value) -> Iterator[tuple[str, Value]]:
    """The parts of a container or object with their names."""
    if isinstance(value, Outcome):
        yield from (("value", value.value), ("assumes", value.assumes), ("asserts", value.asserts))
        yield from (("path", value.path.term), ("failures", list(value.failures)))
    elif isinstance(value, Failure):
        yield from (("condition", value.condition), ("exception", _short(value.exception)))
        yield "position", value.position
    elif is_partial(value):
        yield from zip(("guard", "value"), opened(value), strict=True)
    elif isinstance(value, tuple):
        names = getattr(type(value), "_fields", map(str, range(len(value))))
        yield from zip(names, value, strict=False)
    elif isinstance(value, (list, deque)):
        yield from ((str(place), part) for place, part in enumerate(value))
    elif isinstance(value, bytearray):
        # Only what it shows is plain; the symbolic contents are kept elsewhere.
        items = shadow(value)
        yield from ((str(place), part) for place, part in enumerate(items or ()))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield _short(key), part
    elif isinstance(value, (set, frozenset)):
        yield from (("", part) for part in value)
    elif not isinstance(value, _WHOLE) and not callable(value):
        yield from _attributes_of(value)


def _attributes_of(value: object) -> Iterator[tuple[str, Value]]:
    """The attributes of an object: those of its dictionary, and those in slots of its classes."""
    yield from getattr(value, "__dict__", {}).items()
    for cls in reversed(type(value).__mro__):
        # What types in C keep like that is not what users wrote.
        slots = vars(cls).items() if "__slots__" in vars(cls) else ()
        for name, found in slots:
            if isinstance(found, MemberDescriptorType) and hasattr(value, name):
                yield name, found.__get__(value)


def _label(value: object) -> str:
    name = type(value).__name__
    if _is_container(value):
        return f"{name} of {len(value)}"  # type: ignore[arg-type]
    return name


def _short(value: object) -> str:
    return shown(value, _LONGEST)
