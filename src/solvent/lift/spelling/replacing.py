"""`replace` and `expandtabs`."""

from __future__ import annotations

from solvent.errors import NotLiftedError
from solvent.lift.facts import possible
from solvent.lift.spelling.alphabets import is_code
from solvent.lift.spelling.arguments import count_of, fail_as_python, text_or_none, whole
from solvent.lift.spelling.choosing import all_of
from solvent.lift.spelling.kinds import Kind, method
from solvent.lift.spelling.spans import Codes, Places, occurrences, taken
from solvent.terms.booleans import and_, eq, not_, or_
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.merge import gathered
from solvent.vm.union import choices_of, exclusive
from solvent.vm.values import Choice, Value


@method
def replace(kind: Kind, codes: Codes, old: Value, new: Value, /, count: Value = -1) -> Value:
    """`text.replace(old, new, count)`, which has a name for texts from Python 3.13 on."""
    wanted, found = text_or_none(kind, old), text_or_none(kind, new)
    if wanted is None or found is None:
        fail_as_python(kind, "replace", old, new)
    instead = kind.made(found)
    most = count_of(kind, "replace", count, old, new)
    size = len(wanted)
    if not size:
        return _interspersed(kind, codes, instead, most)
    here = taken(occurrences(codes, wanted), size, most)
    parts: list[Value] = []
    for place, code in enumerate(codes):
        starts = here[place] if place < len(here) else False
        covered = or_(here[max(0, place - size + 1) : place])
        stays = not_(or_(starts, covered))
        rows = [(starts, instead), (covered, kind.native()), (stays, kind.made((code,)))]
        parts.append(gathered([row for row in rows if row[0] is not False]))
    return all_of(kind, parts)


def _interspersed(kind: Kind, codes: Codes, new: Value, limit: Integer) -> Value:
    """A text with another between all characters, and before and after them."""
    parts: list[Value] = []
    for place in range(len(codes) + 1):
        here = or_(limit < 0, place < limit)
        rows = [(here, new), (not_(here), kind.native())]
        parts.append(gathered([row for row in rows if row[0] is not False]))
        if place < len(codes):
            parts.append(kind.made((codes[place],)))
    return all_of(kind, parts)


@method
def expandtabs(kind: Kind, codes: Codes, tabsize: Value = 8) -> Value:
    """`text.expandtabs(tabsize)`."""
    width = whole(tabsize)
    if width is None:
        fail_as_python(kind, "expandtabs", tabsize)
    if not isinstance(width, Term):
        kind.native().expandtabs(width)
        return _expanded(kind, codes, width)
    sizes = possible(width)
    if sizes is None:
        raise NotLiftedError(
            "`expandtabs` with a symbolic size that may be many is not lifted; give it bounds"
        )
    rows: list[Choice] = []
    for size in sizes:
        here = eq(width, size)
        try:
            # Whether Python takes a number of this size.
            kind.native().expandtabs(size)
        except OverflowError as error:
            current().fail_if(here, error)
            continue
        found = exclusive(choices_of(_expanded(kind, codes, size)))
        rows += [(and_(here, guard), value) for guard, value in found]
    return gathered([row for row in rows if row[0] is not False] or [(True, kind.native())])


def _expanded(kind: Kind, codes: Codes, width: int) -> Value:
    """The text with spaces up to the next column in place of each tab."""
    column: Places = {0: True}
    parts: list[Value] = []
    for code in codes:
        tab = is_code(code, 9)
        line = or_(is_code(code, 10), is_code(code, 13))
        rows: list[Choice] = [(not_(tab), kind.made((code,)))]
        after: Places = {0: or_(line, and_(tab, width > 0))}
        for place, guard in column.items():
            spaces = kind.made((32,) * (width - place)) if width > 0 else kind.native()
            rows.append((and_(tab, guard), spaces))
            onward = and_(guard, not_(or_(tab, line)))
            following = (place + 1) % width if width > 0 else 0
            after[following] = or_(after.get(following, False), onward)
        parts.append(gathered([row for row in rows if row[0] is not False]))
        column = {place: guard for place, guard in after.items() if guard is not False}
    return all_of(kind, parts)
