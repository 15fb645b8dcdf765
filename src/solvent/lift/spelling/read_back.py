"""What `repr` wrote of a float is read back as that float: nobody has to compute it from the text.

Texts are remembered for the time of a run, with the condition under which they are what was
written.
"""

from __future__ import annotations

from solvent.lift.facts import on_path
from solvent.terms.floats import FloatTerm
from solvent.terms.texts import CodesTerm, TextTerm
from solvent.vm.machine import current
from solvent.vm.union import choices_of
from solvent.vm.values import Guard, Value

# Under this key a machine remembers texts, by identity.
_WRITTEN = object()

# Each with the conditions under which it is an earlier text of the union, and its own.
_Written = dict[int, tuple[TextTerm, list[Guard], Guard, FloatTerm]]


def remember(value: FloatTerm, written: Value) -> None:
    """Take note of the text of a float, which may be a union of texts."""
    machine = current()
    if machine.ambient:
        # It never ends, and would remember all texts for ever.
        return
    notes: _Written = machine.notes.setdefault(_WRITTEN, {})
    earlier: list[Guard] = []
    for guard, member in choices_of(written):
        if type(member) is TextTerm:
            notes[id(member)] = member, list(earlier), guard, value
        earlier.append(guard)


def written_from(text: CodesTerm) -> FloatTerm | None:
    """The float of which a text was written, if the path says that it is that text."""
    known: _Written = current().notes.get(_WRITTEN, {})
    found = known.get(id(text))
    if found is None:
        return None
    _, earlier, guard, value = found
    is_it = on_path(guard) is True and all(on_path(other) is False for other in earlier)
    return value if is_it else None
