"""What annotations mean: what is found is confirmed by CPython, also as it is printed.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

import collections
import enum
import importlib.util
import sys
import typing
from collections import Counter, defaultdict, deque
from collections.abc import (
    Callable,
    Collection,
    Generator,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    MutableSequence,
    Sequence,
)
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Protocol,
    Required,
    TypedDict,
    TypeVar,
)

import pytest

from solvent import integers, verify
from solvent.errors import InputSpaceError
from solvent.queries.inputs import bind
from solvent.queries.spaces.annotations import SPACES_BY_CLASS, of_annotation
from solvent.queries.spaces.values import Exactly
from tests.queries.spaces.enumerated import fails, holds, values

T = TypeVar("T")
Bounded = TypeVar("Bounded", bound=int)
Constrained = TypeVar("Constrained", bool, str)
UserId = NewType("UserId", int)
Rows = list[tuple[int, bool]]


class Color(enum.Enum):
    """An enumeration."""

    RED = 1
    GREEN = 2


class Access(enum.IntFlag):
    """Flags, which can be combined."""

    READ = 1
    WRITE = 2


class Feature(enum.Flag):
    """More flags than are combined in all ways."""

    A, B, C, D, E, F = (1 << place for place in range(6))


class Pair(NamedTuple):
    """A named tuple."""

    left: int
    right: str


class Movie(TypedDict):
    """A record."""

    title: str
    year: NotRequired[int]


class Partial(TypedDict, total=False):
    """A record of which most may be missing."""

    title: Required[str]
    year: int


@dataclass
class Box(Generic[T]):
    """A generic class."""

    item: T


class Shape:
    """A class from which others derive."""


class Circle(Shape):
    """One of them."""


TEXT = "a text of up to 3 characters"
ANY = f"any int or {TEXT}"
INTS = "of up to 3 items, each any int"


def sequence(xs: Sequence[int]) -> None:
    assert len(xs) < 2 or xs[1] != 5


def iterable(xs: Iterable[int]) -> None:
    assert sum(xs) != 5


def collection(xs: Collection[int]) -> None:
    assert 5 not in xs or len(xs) != 2


def changed(xs: MutableSequence[int]) -> None:
    xs.append(1)
    assert xs != [5, 1]


def iterator(xs: Iterator[int]) -> None:
    next(xs, None)
    assert next(xs, 0) != 5


def mapping(xs: Mapping[str, int]) -> None:
    assert xs.get("k") != 5


def changed_mapping(xs: MutableMapping[int, int]) -> None:
    xs[1] = 2
    assert len(xs) < 3


def abstract_set(xs: AbstractSet[int]) -> None:
    assert not {3, 5} <= xs


def frozen(xs: frozenset[int]) -> None:
    assert xs | {1} != {1, 5}


def bare_list(xs: list) -> None:  # type: ignore[type-arg]
    assert xs != [5, "b"]


def bare_tuple(xs: tuple) -> None:  # type: ignore[type-arg]
    assert xs != ("b", 5)


def empty_tuple(xs: tuple[()]) -> None:
    assert xs


def bare_dict(xs: dict) -> None:  # type: ignore[type-arg]
    assert xs.get("k") != 5


def bare_set(xs: set) -> None:  # type: ignore[type-arg]
    assert not ("b" in xs and 5 in xs)


def older_list(xs: typing.List) -> None:  # type: ignore[type-arg]  # noqa: UP006
    assert xs != [5, "b"]


def anything(x: Any, y: object, z: Hashable) -> None:
    assert (x, y, z) != (5, "b", 7)


def variable(x: T, y: list[T]) -> None:
    assert not y or x != y[0] or x != "b"


def bounded(x: Bounded) -> None:
    assert x != 5


def constrained(x: Constrained, y: Constrained) -> None:
    assert x is not True or y is True


def class_of(cls: type[Shape]) -> None:
    assert cls is not Circle


def class_of_anything(cls: type) -> None:
    assert cls is not str


def movie(x: Movie) -> None:
    assert x["title"] != "b" or x.get("year") != 5


def untitled(x: Movie) -> None:
    assert "year" in x


def partial(x: Partial) -> None:
    assert x["title"] != "b" or x["year"] == 5


def pair(x: Pair) -> None:
    assert x != (5, "b")


def literal(x: Literal[1, "b", None]) -> None:
    assert x != "b"


def optional(x: int | None, y: typing.Optional[bool]) -> None:  # noqa: UP045
    assert x is not None or y is not None


def annotated(x: Annotated[int, integers(4, 6)]) -> None:
    assert x != 5


def final(x: Final[int]) -> None:  # type: ignore[valid-type]
    assert x != 5


def new_type(x: UserId) -> None:
    assert x != 5


def alias(rows: Rows) -> None:
    assert rows != [(5, True)]


def allowed(x: Access) -> None:
    assert x != Access.READ | Access.WRITE


def all_features(x: Feature) -> None:
    assert len(x) < 6


def member(x: Color) -> None:
    assert x is not Color.GREEN


def number(x: float) -> None:
    assert x == x


def buffer(x: bytearray) -> None:
    assert x != b"ab"


def view(x: memoryview) -> None:
    assert bytes(x) != b"ab"


def queue(xs: deque[int]) -> None:
    xs.rotate(1)
    assert len(xs) < 3 or xs[0] != 5


def counter(xs: Counter[str]) -> None:
    assert xs["b"] != 5


def grouped(xs: defaultdict[str, list[int]]) -> None:
    xs["a"].append(1)
    assert xs["a"] != [5, 1]


def numbers(xs: range) -> None:
    assert list(xs) != [7, 6]


def part(xs: list[int], found: slice) -> None:
    assert len(xs) != 3 or xs[found] != [xs[2], xs[1]] or xs[1] == 0


def boxed(x: Box[int], y: Box[bool]) -> None:
    assert x.item != 5 or not y.item


FAILING: list[tuple[Callable[..., Any], dict[str, str]]] = [
    (sequence, {"xs": f"lists {INTS}"}),
    (iterable, {"xs": f"lists {INTS}"}),
    (collection, {"xs": f"lists {INTS}"}),
    (changed, {"xs": f"lists {INTS}"}),
    (iterator, {"xs": f"iterators over lists {INTS}"}),
    (mapping, {"xs": f"dicts of up to 3 entries, from {TEXT} to any int"}),
    (changed_mapping, {"xs": "dicts of up to 3 entries, from any int to any int"}),
    (abstract_set, {"xs": "sets of up to 3 elements, each any int"}),
    (frozen, {"xs": "frozensets of up to 3 elements, each any int"}),
    (bare_list, {"xs": f"lists of up to 3 items, each {ANY}"}),
    (bare_tuple, {"xs": f"tuples of up to 3 items, each {ANY}"}),
    (empty_tuple, {"xs": "()"}),
    (bare_dict, {"xs": f"dicts of up to 3 entries, from {ANY} to {ANY}"}),
    (bare_set, {"xs": f"sets of up to 3 elements, each {ANY}"}),
    (older_list, {"xs": f"lists of up to 3 items, each {ANY}"}),
    (anything, {"x": ANY, "y": ANY, "z": ANY}),
    (
        variable,
        {
            "x": f"{ANY} (one type for T)",
            "y": f"lists of up to 3 items, each {ANY} (one type for T)",
        },
    ),
    (bounded, {"x": "any int"}),
    (constrained, dict.fromkeys("xy", f"any bool or {TEXT} (one type for Constrained)")),
    (class_of, {"cls": "one of Shape, Circle"}),
    (class_of_anything, {"cls": "one of int, str"}),
    (movie, {"x": f"dicts {{'title': {TEXT}, 'year': any int or missing}}"}),
    (untitled, {"x": f"dicts {{'title': {TEXT}, 'year': any int or missing}}"}),
    (partial, {"x": f"dicts {{'title': {TEXT}, 'year': any int or missing}}"}),
    (pair, {"x": f"(any int, {TEXT})"}),
    (literal, {"x": "one of 1, 'b', None"}),
    (optional, {"x": "any int or None", "y": "any bool or None"}),
    (annotated, {"x": "Int from 4 to 6"}),
    (final, {"x": "any int"}),
    (new_type, {"x": "any int"}),
    (alias, {"rows": "lists of up to 3 items, each (any int, any bool)"}),
    (member, {"x": "one of Color.RED, Color.GREEN"}),
    (allowed, {"x": "one of Access.READ, Access.WRITE, Access(0), Access.READ | Access.WRITE"}),
    (
        all_features,
        {
            "x": "one of Feature.A, Feature.B, Feature.C, Feature.D, Feature.E, Feature.F, "
            "Feature(0), Feature.A | Feature.B | Feature.C | Feature.D | Feature.E | Feature.F"
        },
    ),
    (number, {"x": "any float"}),
    (buffer, {"x": "bytearray of up to 3"}),
    (view, {"x": "memoryviews over bytes of up to 3"}),
    (queue, {"xs": f"deques {INTS}"}),
    (counter, {"xs": f"counters of up to 3 elements, each {TEXT}, with any counts"}),
    (
        grouped,
        {
            "xs": f"defaultdicts by `list` of up to 3 entries, from {TEXT} to a list {INTS}",
            "the same object twice": "not tried",
        },
    ),
    (numbers, {"xs": "ranges of up to 3 numbers, with step 1, 2 or -1"}),
    (
        part,
        {
            "xs": f"lists {INTS}",
            "found": "slices whose ends are None or any int, with step None, 2 or -1",
        },
    ),
    (boxed, {"x": "Box(item: any int)", "y": "Box(item: any bool)"}),
]


@pytest.mark.parametrize(
    ("function", "derived"), FAILING, ids=lambda found: getattr(found, "__name__", "")
)
def test_inputs_are_found_as_they_are_told(
    function: Callable[..., Any], derived: dict[str, str]
) -> None:
    assert fails(function).derived == derived


def same_type(x: T, y: T, z: list[T]) -> None:
    assert type(x) is type(y)
    assert all(type(item) is type(x) for item in z)


def same_class(cls: type[T], x: T) -> None:
    assert type(x) is cls


def same_constraint(x: Constrained, y: tuple[Constrained]) -> None:
    assert isinstance(x, bool) == isinstance(y[0], bool)


def titled(x: Partial) -> None:
    assert type(x["title"]) is str
    assert set(x) <= {"title", "year"}


def at_most_three(
    a: range, b: Iterator[int], c: deque[int], d: Counter[int], e: memoryview
) -> None:
    assert len(a) <= 3
    assert len(list(b)) <= 3
    assert len(c) <= 3
    assert len(d) <= 3
    assert len(e) <= 3


def is_a_type(a: slice, b: range) -> None:
    assert type(a) is slice
    assert type(b) is range
    assert a.step in (None, 2, -1)
    assert b.step in (1, 2, -1)


@pytest.mark.parametrize(
    "function", [same_type, same_class, same_constraint, titled, at_most_three, is_a_type]
)
def test_no_other_inputs_are_tried(function: Callable[..., Any]) -> None:
    holds(function)


def test_type_variables_of_one_name_are_told_apart() -> None:
    def differ(x: Any, y: Any) -> None:
        assert type(x) is type(y)

    differ.__annotations__ = {"x": TypeVar("T"), "y": TypeVar("T")}  # type: ignore[misc]
    assert verify(differ).confirmed


def test_a_class_may_be_registered() -> None:
    class Even:
        pass

    SPACES_BY_CLASS[Even] = lambda max_len: Exactly(max_len)
    try:
        assert values(of_annotation(list[Even], max_len=1)) == [[], [1]]
    finally:
        del SPACES_BY_CLASS[Even]


# --- what cannot be ----------------------------------------------------------------------------


class Walks(Protocol):
    """A protocol."""

    def walk(self) -> int: ...


class Unsaid:
    """A class whose constructor says nothing."""

    def __init__(self, x) -> None:  # type: ignore[no-untyped-def]
        self.x = x


@dataclass
class Base:
    """A class with an annotation that can be read."""

    a: int


@dataclass
class Derived(Base):
    """And one with one that cannot."""

    b: Unknown  # type: ignore[name-defined]  # noqa: F821


class Nothing(enum.Enum):
    """No members."""


def takes_walks(x: Walks) -> None: ...
def takes_unsaid(x: Unsaid) -> None: ...
def takes_nothing(x: Nothing) -> None: ...
def takes_generator(x: Generator[int, None, None]) -> None: ...
def takes_never(x: typing.Never) -> None: ...
def takes_unknown(x: Unknown) -> None: ...  # type: ignore[name-defined]  # noqa: F821
def takes_made_by_c(x: type(enum)) -> None: ...  # type: ignore[valid-type]
def takes_abstract(x: collections.abc.Sized) -> None: ...
def takes_defaults(x: defaultdict[int, Color]) -> None: ...
def takes_pattern(x: typing.Pattern[str]) -> None: ...
def takes_set_of_lists(x: set[list[int]]) -> None: ...
def takes_keys(x: dict[set[int], int]) -> None: ...
def takes_derived(x: Derived) -> None: ...


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (takes_walks, "the protocol `Walks` does not say how its objects are made; give them with"),
        (
            takes_unsaid,
            r"the parameter `x` of `Unsaid\(\)` has no annotation; annotate it, or give",
        ),
        (takes_nothing, "the enumeration `Nothing` has no members"),
        (takes_generator, "no generator can be made as an input; take an Iterator, or a list"),
        (takes_never, "there is no value of the type `Never`"),
        (takes_unknown, "the annotation `Unknown` cannot be read, since its names are not known"),
        (takes_made_by_c, "no input can be made for the class `module`, whose constructor has no"),
        (takes_abstract, "`Sized` is abstract, so there are no instances; annotate a class that"),
        (takes_defaults, "no function is known that makes the values of a defaultdict of `Color`"),
        (takes_set_of_lists, "making it raises TypeError: unhashable type: 'list'; annotate"),
        (takes_keys, "making it raises TypeError: unhashable type: 'set'; annotate another type"),
        (takes_derived, "the annotation `Unknown` cannot be read"),
        (takes_pattern, "no input can be made for the class `Pattern`, whose constructor has no"),
    ],
    ids=lambda found: getattr(found, "__name__", ""),
)
def test_what_cannot_be_an_input(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(InputSpaceError, match=f"{function.__name__}: parameter `x`: {message}"):
        bind(function, (), {})


# --- what newer versions of Python can read ------------------------------------------------------

NEWER = """
type Pair[A] = tuple[A, A]
type Number = int

def same_type[T](x: T, y: T):
    assert type(x) is type(y)

def bounded[T: bool](x: T):
    assert not x

def constrained[T: (bool, str)](x: T, y: T):
    assert type(x) is type(y)

def aliased(x: Pair[bool], y: Number):
    assert x != (True, False) or y != 5
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="new in Python 3.12")
def test_type_parameters(tmp_path: Path) -> None:
    path = tmp_path / "newer_annotations.py"
    path.write_text(NEWER)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    holds(module.same_type)
    holds(module.constrained)
    fails(module.bounded)
    fails(module.aliased)


def test_aliases_with_parameters() -> None:
    # What `type Pair[A] = tuple[A, A]` makes in newer versions.
    extensions = pytest.importorskip("typing_extensions")
    variable = TypeVar("variable")
    pairs = extensions.TypeAliasType("Pair", tuple[variable, variable], type_params=(variable,))
    found = values(of_annotation(pairs[bool]))
    assert sorted(found) == [(a, b) for a in (False, True) for b in (False, True)]
