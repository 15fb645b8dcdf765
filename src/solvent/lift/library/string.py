"""The parts of `string.Formatter` that are in C, with iterators that can be taken back."""

from __future__ import annotations

import _string  # type: ignore[import-not-found]

from solvent.errors import NotLiftedError
from solvent.lift.reflection import is_symbolic
from solvent.lift.registry import lifts
from solvent.lift.values.iterators import SequenceIterator
from solvent.vm.values import Value


@lifts(_string.formatter_parser)
def formatter_parser(template: Value, /) -> Value:
    """The pieces of a template: text, name of a field, format, conversion."""
    _check_known(template)
    return SequenceIterator(tuple(_string.formatter_parser(template)))


@lifts(_string.formatter_field_name_split)
def formatter_field_name_split(field: Value, /) -> Value:
    """The first part of the name of a field, and what follows."""
    _check_known(field)
    first, rest = _string.formatter_field_name_split(field)
    return first, SequenceIterator(tuple(rest))


def _check_known(template: Value) -> None:
    if is_symbolic(template):
        raise NotLiftedError("`string.Formatter` with a symbolic template is not lifted")
