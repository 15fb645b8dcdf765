"""Values of all types in one sort, where a program is polymorphic.

That a value can be taken out of its box again, and which type it has then, is a *fact*.  Facts are
stated for the values that occur; what depends on bound variables needs an axiom for all values.

A map of an open type, such as `[a]bool`, is in a box as well: it is read and written by functions
that agree with the arrays that are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from solvent.boogie.sorts import (
    ANY,
    UnsupportedError,
    hidden_parameters,
    is_open,
    open_sort,
    sort_of,
)
from solvent.boogie.type_terms import (
    TypeTerms,
    TypeValues,
    constructor_name,
    number_of,
    type_of_value,
)
from solvent.boogie.types import (
    ConstructorType,
    MapType,
    Type,
    constructor_type,
    resolved,
    type_variable,
)
from solvent.reach.positions import NOWHERE, Position
from solvent.terms import Function, and_, constants, eq, forall, implies, not_, select, store
from solvent.terms.functions import APPLY, FunctionSymbol
from solvent.terms.kinds import Guard, Operand
from solvent.terms.sorts import Sort
from solvent.terms.term import Term


@dataclass(frozen=True, slots=True)
class Step:
    """One box around values of a sort: into that of their constructor, or that of all values."""

    inner: Sort[Term]
    outer: Sort[Term]
    # The type of the values inside; if it has variables, only its constructor is known.
    type: Type

    @property
    def into(self) -> FunctionSymbol:
        """The function that puts values into their boxes."""
        return Function(f"box {self.inner} in {self.outer}", [self.inner], self.outer)

    @property
    def out(self) -> FunctionSymbol:
        """The function that takes values out of their boxes."""
        return Function(f"unbox {self.inner} from {self.outer}", [self.outer], self.inner)

    def box(self, value: Operand) -> Term:
        """A value in its box."""
        return _undone(value, self.out, self.into)  # type: ignore[return-value]

    def unbox(self, value: Operand) -> Operand:
        """The value in a box."""
        return _undone(value, self.into, self.out)


def _undone(value: Operand, inverse: FunctionSymbol, function: FunctionSymbol) -> Operand:
    """A function applied to a value, or what its inverse was applied to."""
    found: Operand
    if isinstance(value, Term) and value.op.base is APPLY and value.op.params[0] is inverse:
        found = value.key[1]
    else:
        found = function(value)
    return found


def steps_from(type_: Type, position: Position) -> list[Step]:
    """The boxes around values of a type, up to the sort of all values."""
    found, sort = resolved(type_), sort_of(type_, position)
    if sort is ANY:
        return []
    if not isinstance(found, ConstructorType) or not found.arguments:
        return [Step(sort, ANY, found)]
    general = open_sort(found.name)
    first = [Step(sort, general, found)] if sort is not general else []
    anything = constructor_type(found.name, tuple(type_variable("a") for _ in found.arguments))
    return [*first, Step(general, ANY, anything)]


class Boxes:
    """Converts between types; `facts` collects what is known of boxed values."""

    def __init__(self, axioms: list[Guard], typed: bool) -> None:
        self.axioms = axioms
        # Whether the types of values matter anywhere.
        self.typed = typed
        self.types = TypeTerms(axioms)
        # Each with what states it for all values.
        self.facts: dict[Guard, Callable[[], None]] = {}
        # The boxes about which facts are stated in general: for all values in, and out of them.
        self.general: set[tuple[Sort[Term], Sort[Term]]] = set()
        self.reverse: set[tuple[Sort[Term], Sort[Term]]] = set()
        # The types of maps that were boxed, and by how many indices maps in boxes are read.
        self.maps: dict[MapType, None] = {}
        self.read: set[int] = set()
        self.written: set[int] = set()

    # --- conversions ---

    def converted(
        self, value: Operand, actual: Type, declared: Type, position: Position
    ) -> Operand:
        """A value of an actual type where one of a declared type is wanted."""
        own, wanted = sort_of(actual, position), sort_of(declared, position)
        if own is wanted:
            return value
        up = _until(steps_from(actual, position), wanted)
        if up is not None:
            return reduce(self.boxed_once, up, value)
        down = _until(steps_from(declared, position), own)
        if down is not None:
            return reduce(self.unboxed_once, reversed(down), value)
        problem = f"a value of type {actual} cannot be used as one of type {declared}"
        raise UnsupportedError(position, problem)

    def boxed(self, value: Operand, type_: Type, position: Position) -> Operand:
        """A value of a type in the sort of all values."""
        return reduce(self.boxed_once, steps_from(type_, position), value)

    def unboxed(self, value: Operand, type_: Type, position: Position) -> Operand:
        """The value of a type that one in the sort of all values is."""
        return reduce(self.unboxed_once, reversed(steps_from(type_, position)), value)

    def boxed_once(self, value: Operand, step: Step) -> Operand:
        """A value in one box more."""
        self.note_map(step.type)
        made = step.box(value)
        if made is step.into(value):
            for fact in self.box_facts(made, value, step):
                self.facts[fact] = lambda: self.for_all(step)
        return made

    def unboxed_once(self, value: Operand, step: Step) -> Operand:
        """A value in one box less."""
        self.note_map(step.type)
        made = step.unbox(value)
        if made is step.out(value):
            self.facts[eq(step.into(made), value)] = lambda: self.for_all_boxes(step)
        return made

    def note_map(self, type_: Type) -> None:
        """Remember the type of a map that is in a box somewhere."""
        if isinstance(type_, MapType) and not hidden_parameters(type_):
            self.maps[type_] = None

    def box_facts(self, made: Term, value: Operand, step: Step) -> list[Guard]:
        """What is known of a boxed value: what is inside, and its type."""
        same = eq(step.out(made), value)
        if not is_open(step.type):
            return [same, self.type_fact(made, step.type, {}, NOWHERE)]
        if not self.typed:
            return [same]
        # What has an open type is in a box itself, and so is a term.
        assert isinstance(value, Term)
        return [same, eq(type_of_value(made), type_of_value(value))]

    def for_all(self, step: Step) -> None:
        """State the facts of a box for all values in it."""
        key = (step.inner, step.outer)
        if key not in self.general:
            self.general.add(key)
            x = step.inner("x!box")
            made = step.into(x)
            facts = self.box_facts(made, x, step) if self.typed else [eq(step.out(made), x)]
            self.axioms.append(forall([x], and_(facts), [made]))

    def for_all_boxes(self, step: Step) -> None:
        """State that what is taken out of a box can be put into it again."""
        key = (step.inner, step.outer)
        if key not in self.reverse:
            self.reverse.add(key)
            x = step.outer("x!box")
            made = step.out(x)
            same = implies(self.inside(x, step), eq(step.into(made), x))
            self.axioms.append(forall([x], same, [made]))

    def inside(self, value: Term, step: Step) -> Guard:
        """That a value is in a box of a kind."""
        if not is_open(step.type):
            return self.types.has_type(value, step.type, {}, NOWHERE)
        assert isinstance(step.type, ConstructorType)
        number = self.types.number(constructor_name(step.type))
        return eq(number_of(type_of_value(value)), number)

    def type_fact(self, value: Term, type_: Type, known: TypeValues, position: Position) -> Guard:
        """That a boxed value has a type, as something that is known."""
        term = self.types.term(type_, known, position)
        return and_([eq(type_of_value(value), term), *self.types.facts(type_, known, position)])

    # --- facts ---

    def since(self, outside: dict[Guard, Callable[[], None]], bound: Iterable[Term]) -> None:
        """Leave a binder: facts about bound variables are stated for all values, others stay."""
        names = set(bound)
        inside, self.facts = self.facts, outside
        for fact, general in inside.items():
            if names.isdisjoint(constants(fact)):
                self.facts[fact] = general
            else:
                general()

    # --- maps in boxes ---

    def select(self, array: Operand, indices: Sequence[Operand]) -> Term:
        """An element of a map in a box; indices and element are in boxes too."""
        self.read.add(len(indices))
        found: Term = _reader(len(indices))(array, *indices)
        return found

    def store(self, array: Operand, indices: Sequence[Operand], value: Operand) -> Term:
        """A map in a box with another element."""
        self.read.add(len(indices))
        self.written.add(len(indices))
        made: Term = _writer(len(indices))(array, *indices, value)
        return made

    def map_axioms(self) -> Iterable[Guard]:
        """Maps in boxes are the arrays that they were made of."""
        # Boxing one kind of map may box another, which is then one more.
        done: set[MapType] = set()
        while left := [type_ for type_ in self.maps if type_ not in done]:
            for type_ in left:
                done.add(type_)
                if len(type_.arguments) in self.read:
                    yield from self.array_axioms(type_)
        for size in sorted(self.written):
            yield from _update_axioms(size)

    def array_axioms(self, type_: MapType) -> Iterable[Guard]:
        """What reading and writing a boxed array of a type is."""
        (step,) = steps_from(type_, NOWHERE)
        array, any_ = step.inner("m!box"), ANY("a!box")
        names = [sort_of(t, NOWHERE)(f"i{n}!box") for n, t in enumerate(type_.arguments)]
        indices = [self.general_box(i, t) for i, t in zip(names, type_.arguments, strict=True)]
        read = _reader(len(names))(step.into(array), *indices)
        element = self.general_box(element_of(array, names), type_.result)
        yield forall([array, *names], eq(read, element), [read])
        unboxed = element_of(step.out(any_), names)
        same = eq(_reader(len(names))(any_, *indices), self.general_box(unboxed, type_.result))
        yield forall([any_, *names], implies(self.inside(any_, step), same), [unboxed])
        if len(names) in self.written:
            value = sort_of(type_.result, NOWHERE)("v!box")
            written = _writer(len(names))(
                step.into(array), *indices, self.general_box(value, type_.result)
            )
            new = step.into(updated(array, names, value))
            yield forall([array, *names, value], eq(written, new), [written])

    def general_box(self, value: Operand, type_: Type) -> Operand:
        """A value in the sort of all values, inside of an axiom."""
        for step in steps_from(type_, NOWHERE):
            self.note_map(step.type)
            self.for_all(step)
            value = step.into(value)
        return value


def _until(steps: list[Step], sort: Sort[Term]) -> list[Step] | None:
    """The first steps, up to a sort; None if they do not lead there."""
    for place, step in enumerate(steps):
        if step.outer is sort:
            return steps[: place + 1]
    return None


def element_of(array: Any, indices: Iterable[Operand]) -> Operand:
    """An element of an array of arrays."""
    found: Operand = reduce(select, indices, array)
    return found


def updated(array: Any, indices: Sequence[Operand], value: Operand) -> Operand:
    """An array of arrays with another element."""
    if not indices:
        return value
    first, *rest = indices
    return store(array, first, updated(select(array, first), rest, value))


def _reader(size: int) -> FunctionSymbol:
    return Function(f"element {size}", [ANY] * (size + 1), ANY)


def _writer(size: int) -> FunctionSymbol:
    return Function(f"update {size}", [ANY] * (size + 2), ANY)


def _update_axioms(size: int) -> Iterable[Guard]:
    """What reading a map in a box gives after it was written; it keeps its type."""
    array, value = ANY("a!box"), ANY("v!box")
    at, other = ([ANY(f"{name}{n}!box") for n in range(size)] for name in "ij")
    new = _writer(size)(array, *at, value)
    yield forall([array, *at, value], eq(_reader(size)(new, *at), value), [new])
    yield forall([array, *at, value], eq(type_of_value(new), type_of_value(array)), [new])
    read = _reader(size)(new, *other)
    same = and_([eq(i, j) for i, j in zip(at, other, strict=True)])
    kept = eq(read, _reader(size)(array, *other))
    if size:
        yield forall([array, *at, *other, value], implies(not_(same), kept), [read])
