"""Texts and bytes: what is different between them, and the table of their methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from solvent.lift.spelling.alphabets import as_ranges, characters
from solvent.lift.spelling.spans import Maker
from solvent.terms.classes import Alphabet
from solvent.terms.texts import BytesTerm, CodesTerm, TextTerm, octets, text
from solvent.vm.values import Value


class Kind(NamedTuple):
    """What is different between texts and bytes."""

    native: type[str] | type[bytes]
    made: Maker
    term: type[CodesTerm]

    def spaces(self) -> Alphabet:
        """The characters that count as white space."""
        return characters(str.isspace) if self.native is str else _BYTE_SPACES

    def sample(self, size: int) -> str | bytes:
        """A text of a length, to see what Python does with wrong arguments."""
        return "x" * size if self.native is str else b"x" * size


TEXTS = Kind(str, text, TextTerm)
OCTETS = Kind(bytes, octets, BytesTerm)

_BYTE_SPACES = as_ranges(code for code in range(256) if bytes((code,)).isspace())

Method = Callable[..., Value]
METHODS: dict[str, Method] = {}


def method(function: Method) -> Method:
    METHODS[function.__name__.rstrip("_")] = function
    return function
