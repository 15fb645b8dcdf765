"""Methods that make a text wider: `ljust`, `center`, `zfill` and the like."""

from __future__ import annotations

from collections.abc import Callable

from solvent.errors import NotLiftedError
from solvent.lift.facts import bounds
from solvent.lift.messages import raised
from solvent.lift.spelling.alphabets import is_code
from solvent.lift.spelling.arguments import count_of, wanted_codes
from solvent.lift.spelling.kinds import Kind, method
from solvent.lift.spelling.spans import Codes
from solvent.terms.booleans import eq, ite, or_
from solvent.terms.kinds import Integer
from solvent.terms.term import Term
from solvent.vm.merge import gathered
from solvent.vm.values import Choice, Guard, Value

# A text is padded to at most so many characters where its width is symbolic.
WIDEST = 64


def _widths(kind: Kind, name: str, size: int, width: Value) -> list[tuple[Guard, int]]:
    """The numbers of characters that a text lacks."""
    wanted = count_of(kind, name, width)
    if not isinstance(wanted, Term):
        return [(True, max(0, wanted - size))]
    _, most = bounds(wanted)
    if most is None or most > WIDEST:
        raise NotLiftedError(
            f"`{name}` with a symbolic width that may be greater than {WIDEST} is not lifted; "
            "assume a bound on it"
        )
    rows: list[tuple[Guard, int]] = [(wanted <= size, 0)]
    return rows + [(eq(wanted, size + lack), lack) for lack in range(1, most - size + 1)]


def _padded(
    kind: Kind, name: str, codes: Codes, width: Value, fill: Value, left: Callable[[int], int]
) -> Value:
    filling = wanted_codes(kind, name, fill, width)
    if len(filling) != 1:
        raise raised(getattr(kind.native, name), kind.sample(1), 1, kind.native())
    rows: list[Choice] = []
    for guard, lack in _widths(kind, name, len(codes), width):
        before = left(lack)
        padded = (*filling * before, *codes, *filling * (lack - before))
        rows.append((guard, kind.made(padded)))
    return gathered(rows)


def _blank(kind: Kind) -> Value:
    return kind.made((32,))


@method
def ljust(kind: Kind, codes: Codes, width: Value, fill: Value = None, /) -> Value:
    """`text.ljust(width, fill)`."""
    return _padded(kind, "ljust", codes, width, _blank(kind) if fill is None else fill, lambda _: 0)


@method
def rjust(kind: Kind, codes: Codes, width: Value, fill: Value = None, /) -> Value:
    """`text.rjust(width, fill)`."""
    filling = _blank(kind) if fill is None else fill
    return _padded(kind, "rjust", codes, width, filling, lambda lack: lack)


@method
def center(kind: Kind, codes: Codes, width: Value, fill: Value = None, /) -> Value:
    """`text.center(width, fill)`."""
    size = len(codes)
    filling = _blank(kind) if fill is None else fill
    # Of an odd number, the larger half is on the left exactly if the width is odd.
    return _padded(
        kind, "center", codes, width, filling, lambda lack: lack // 2 + (lack & (size + lack) & 1)
    )


@method
def zfill(kind: Kind, codes: Codes, width: Value, /) -> Value:
    """`text.zfill(width)`."""
    signed = or_(is_code(codes[0], 43), is_code(codes[0], 45)) if codes else False
    rows: list[Choice] = []
    for guard, lack in _widths(kind, "zfill", len(codes), width):
        filled: list[Integer] = [*(48,) * lack, *codes]
        if lack and codes:
            filled[0] = ite(signed, codes[0], 48)
            filled[lack] = ite(signed, 48, codes[0])
        rows.append((guard, kind.made(filled)))
    return gathered(rows)
