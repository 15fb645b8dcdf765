"""What callers write to give a space: `lists(Int, max_len=4)`, `one_of(None, integers(1))`."""

from __future__ import annotations

from solvent.errors import InputSpaceError
from solvent.queries.spaces.annotations import of_annotation
from solvent.queries.spaces.base import DEFAULT_LENGTH, Space, check_lengths
from solvent.queries.spaces.characters import Binary, Texts
from solvent.queries.spaces.containers import Dicts, Lists, Sets, Tuples
from solvent.queries.spaces.objects import Objects
from solvent.queries.spaces.values import Sorted, choice_of
from solvent.terms import Int, Sort, Str
from solvent.vm.values import Value

# What describes a space: one, a sort, an annotation, or a list of the values to choose from.
SpaceLike = object


def space(value: SpaceLike) -> Space:
    """A space from a space, a sort, a type, or a list of the values to choose from.

    >>> print(space(Int), space(bool), space([1, 2]), sep="; ")
    any int; any bool; one of 1, 2
    """
    if isinstance(value, Space):
        return value
    if isinstance(value, Sort):
        return Sorted(value)
    if isinstance(value, (list, range)):
        return one_of(*value)
    return of_annotation(value)


def integers(low: int | None = None, high: int | None = None) -> Space:
    """Ints between bounds.

    >>> print(integers(0, 9))
    Int from 0 to 9
    """
    if low is not None and high is not None and low > high:
        raise InputSpaceError(f"there are no ints from {low} to {high}")
    return Sorted(Int, low, high)


def lists(items: SpaceLike, *, max_len: int = DEFAULT_LENGTH, min_len: int = 0) -> Space:
    """Lists of items from a space, a sort or a type, between two lengths.

    >>> print(lists(Int, max_len=4))
    lists of up to 4 items, each any int
    """
    check_lengths(min_len, max_len)
    return Lists(space(items), min_len, max_len)


def texts(*, max_len: int | None = DEFAULT_LENGTH, min_len: int = 0, alphabet: str = "") -> Space:
    """Texts between two lengths, of any characters or of those of an alphabet.

    With `max_len=None` they are strings of any length of the solvers' theory, which knows less of
    what Python does with text.

    >>> print(texts(max_len=8, alphabet="01"), texts(max_len=None), sep="; ")
    texts of up to 8 characters of '01'; any str
    """
    if max_len is None:
        if min_len or alphabet:
            raise InputSpaceError("texts of any length have no `min_len` and no `alphabet`")
        return Sorted(Str)
    check_lengths(min_len, max_len)
    return Texts(min_len, max_len, alphabet)


def binary(*, max_len: int = DEFAULT_LENGTH, min_len: int = 0) -> Space:
    """Bytes between two lengths, each of them from 0 to 255.

    >>> print(binary(max_len=8), binary(min_len=4, max_len=4), sep="; ")
    bytes of up to 8; bytes of 4
    """
    check_lengths(min_len, max_len)
    return Binary(min_len, max_len)


def tuples(*items: SpaceLike) -> Space:
    """Tuples with a space, a sort or a type for each item.

    >>> print(tuples(Int, bool))
    (any int, any bool)
    """
    return Tuples(tuple(map(space, items)))


def sets(items: SpaceLike, *, max_len: int = DEFAULT_LENGTH) -> Space:
    """Sets of elements from a space, a sort or a type.

    >>> print(sets(integers(0, 3), max_len=2))
    sets of up to 2 elements, each Int from 0 to 3
    """
    check_lengths(0, max_len)
    return Sets(space(items), max_len)


def dicts(keys: SpaceLike, values: SpaceLike, *, max_len: int = DEFAULT_LENGTH) -> Space:
    """Dictionaries with keys and values from spaces, sorts or types.

    >>> print(dicts(["a", "b"], Int, max_len=2))
    dicts of up to 2 entries, from one of 'a', 'b' to any int
    """
    check_lengths(0, max_len)
    return Dicts(space(keys), space(values), max_len)


def one_of(*options: Value) -> Space:
    """One of some values; options that are spaces stand for their values.

    >>> print(one_of(None, integers(1)))
    None or Int from 1
    """
    if not options:
        raise InputSpaceError("one_of() needs at least one value")
    return choice_of(options)


def objects(cls: type, /, **fields: SpaceLike) -> Space:
    """Instances of a class, made with these named arguments.

    >>> from types import SimpleNamespace
    >>> print(objects(SimpleNamespace, x=Int))
    SimpleNamespace(x: any int)
    """
    return Objects(cls, tuple((name, space(found)) for name, found in fields.items()))
