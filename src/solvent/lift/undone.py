"""Functions that undo what another one did: `html.unescape(html.escape(s))` is `s`.

A text that was quoted is one of many lengths, and to read it back says again for each of them what
is known: that nothing has changed.  What a text was quoted from is remembered for as long as the
program runs, on the path on which it was, by the very object that came out.
"""

from __future__ import annotations

from typing import NamedTuple

from solvent.terms.texts import codes_of
from solvent.vm.machine import current
from solvent.vm.state import Path, is_below
from solvent.vm.union import choices_of
from solvent.vm.values import Value

# Under this key a machine remembers what was quoted.
_QUOTED = object()


def are_texts(value: Value) -> bool:
    """Whether a value is a text of known length, or one of several."""
    return all(codes_of(str, member) is not None for _, member in choices_of(value))


class _Quoted(NamedTuple):
    result: Value
    original: Value
    path: Path


def remember(ways: tuple[str, ...], original: Value, result: Value) -> Value:
    """The result of quoting a text, which is read back in any of some ways as the text."""
    machine = current()
    known: dict[tuple[str, int], _Quoted] = machine.notes.setdefault(_QUOTED, {})
    for way in ways:
        # The result is kept, so that no other object has its number.
        known[way, id(result)] = _Quoted(result, original, machine.state.path)
    return result


def original_of(way: str, result: Value) -> Value | None:
    """What a text was quoted from, if this way to read it back gives just that."""
    machine = current()
    found: _Quoted | None = machine.notes.get(_QUOTED, {}).get((way, id(result)))
    if found is None or not is_below(machine.state.path, found.path):
        return None
    return found.original
