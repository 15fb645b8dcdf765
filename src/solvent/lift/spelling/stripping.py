"""`strip`, `lstrip` and `rstrip`."""

from __future__ import annotations

from solvent.lift.spelling.alphabets import is_code, is_in
from solvent.lift.spelling.arguments import wanted_codes
from solvent.lift.spelling.kinds import Kind, method
from solvent.lift.spelling.spans import Codes, Places, cut, first_of
from solvent.terms.booleans import not_, or_
from solvent.vm.values import Value


def _stripped(kind: Kind, name: str, codes: Codes, chars: Value, left: bool, right: bool) -> Value:
    if chars is None:
        gone = [is_in(code, kind.spaces()) for code in codes]
    else:
        wanted = wanted_codes(kind, name, chars)
        gone = [or_([is_code(code, one) for one in wanted]) for code in codes]
    size = len(codes)
    starts: Places = {0: True}
    stops: Places = {size: True}
    kept = [(place, not_(guard)) for place, guard in enumerate(gone)]
    if left:
        starts, none = first_of(kept)
        starts[size] = or_(starts.get(size, False), none)
    if right:
        stops, none = first_of([(place + 1, guard) for place, guard in reversed(kept)])
        rest = size if left else 0
        stops[rest] = or_(stops.get(rest, False), none)
    return cut(kind.made, codes, starts, stops)


@method
def strip(kind: Kind, codes: Codes, chars: Value = None, /) -> Value:
    """`text.strip(chars)`."""
    return _stripped(kind, "strip", codes, chars, True, True)


@method
def lstrip(kind: Kind, codes: Codes, chars: Value = None, /) -> Value:
    """`text.lstrip(chars)`."""
    return _stripped(kind, "lstrip", codes, chars, True, False)


@method
def rstrip(kind: Kind, codes: Codes, chars: Value = None, /) -> Value:
    """`text.rstrip(chars)`."""
    return _stripped(kind, "rstrip", codes, chars, False, True)
