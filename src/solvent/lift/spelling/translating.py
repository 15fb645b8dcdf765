"""`translate`, by a table that may hold symbolic values."""

from __future__ import annotations

from solvent.errors import NotLiftedError
from solvent.lift.messages import raised
from solvent.lift.spelling.arguments import sample_of, wanted_codes, whole
from solvent.lift.spelling.choosing import all_of
from solvent.lift.spelling.kinds import Kind, method
from solvent.lift.spelling.spans import Codes
from solvent.terms.booleans import and_, eq, ite, not_, or_
from solvent.terms.kinds import Integer
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.terms.texts import CodesTerm, codes_of, text
from solvent.vm.kinds import python_type
from solvent.vm.machine import current
from solvent.vm.merge import gathered
from solvent.vm.slots import opened
from solvent.vm.union import choices_of, exclusive
from solvent.vm.values import Choice, Guard, Value


@method
def translate(kind: Kind, codes: Codes, table: Value, /, delete: Value = b"") -> Value:
    """`text.translate(table)`."""
    if kind.native is bytes:
        return _translated_bytes(kind, codes, table, delete)
    if type(table) is not dict:
        raise NotLiftedError(
            "`translate` of a symbolic text by a table that is no dict is not lifted"
        )
    parts: list[Value] = []
    for code in codes:
        rows: list[Choice] = []
        stays: Guard = True
        for key, new in table.items():
            there, value = opened(new)
            here = and_(there, _is_key(code, key))
            if here is False:
                continue
            for guard, one in exclusive(choices_of(value)):
                rows.append((and_(here, guard), _translation(and_(here, guard), one)))
            stays = and_(stays, not_(here))
        rows.append((stays, text((code,))))
        parts.append(gathered([row for row in rows if row[0] is not False]))
    return all_of(kind, parts)


def _is_key(code: Integer, key: Value) -> Guard:
    """Where a code point is a key of a table: numbers of other types are equal to it too."""
    if issubclass(python_type(key), int):
        found = whole(key)
        return False if found is None else eq(code, found)
    if isinstance(key, Term) and not isinstance(key, CodesTerm):
        raise NotLiftedError(f"`translate` by a table with the key {key!r} is not lifted; use ints")
    return eq(code, int(key)) if isinstance(key, float) and key.is_integer() else False


def _translation(here: Guard, new: Value) -> Value:
    """The text for a character, where `here` holds; a wrong one matters nowhere else."""
    if new is None:
        return ""
    if codes_of(str, new) is not None:
        return new
    if isinstance(new, StringTerm):
        raise NotLiftedError(
            "`translate` to a string of the solvers' theory is not lifted; use a text of known "
            "length"
        )
    if not issubclass(python_type(new), int):
        current().fail_if(here, raised("a".translate, {97: sample_of(new)}))
        return ""
    code = whole(new)
    assert code is not None
    for wrong, sample in ((code < 0, -1), (code > 0x10FFFF, 0x110000)):
        current().fail_if(and_(here, wrong), raised("a".translate, {97: sample}))
    return text((code,)) if isinstance(code, Term) or 0 <= code <= 0x10FFFF else ""


def _translated_bytes(kind: Kind, codes: Codes, table: Value, delete: Value) -> Value:
    gone = wanted_codes(kind, "translate", delete, None)
    wanted = None if table is None else wanted_codes(kind, "translate", table)
    if wanted is not None and len(wanted) != 256:
        raise raised(b"".translate, b"")
    parts: list[Value] = []
    for code in codes:
        new = code
        if wanted is not None:
            for byte, other in enumerate(wanted):
                if isinstance(other, Term) or other != byte:
                    new = ite(eq(code, byte), other, new)
        dropped = or_([eq(code, one) for one in gone])
        rows = [(not_(dropped), kind.made((new,))), (dropped, b"")]
        parts.append(gathered([row for row in rows if row[0] is not False]))
    return all_of(kind, parts)
