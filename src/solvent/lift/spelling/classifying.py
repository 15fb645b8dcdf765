"""Methods that ask what characters are: `isalpha`, `istitle`, `isidentifier` and the like."""

from __future__ import annotations

from solvent.lift.spelling.alphabets import as_ranges, characters, is_in
from solvent.lift.spelling.kinds import METHODS, Kind, method
from solvent.lift.spelling.spans import Codes
from solvent.terms.booleans import and_, not_, or_
from solvent.terms.classes import Alphabet
from solvent.vm.values import Guard


def class_of_bytes(name: str) -> Alphabet:
    test = getattr(bytes, name)
    return as_ranges(code for code in range(256) if test(bytes((code,))))


def class_of(kind: Kind, name: str) -> Alphabet:
    """The single characters of which a method such as `isalpha` is true."""
    return characters(getattr(str, name)) if kind.native is str else class_of_bytes(name)


def _all_in(name: str, empty: bool) -> None:
    def method(kind: Kind, codes: Codes) -> Guard:
        if not codes:
            return empty
        alphabet = class_of(kind, name)
        return and_([is_in(code, alphabet) for code in codes])

    METHODS[name] = method


for _name in ("isalnum", "isalpha", "isdecimal", "isdigit", "isnumeric", "isspace"):
    _all_in(_name, False)
for _name in ("isascii", "isprintable"):
    _all_in(_name, True)


def _cased(name: str) -> None:
    def method(kind: Kind, codes: Codes) -> Guard:
        other = "isupper" if name == "islower" else "islower"
        wanted, unwanted = class_of(kind, name), class_of(kind, other)
        bad = [is_in(code, unwanted) for code in codes]
        if kind.native is str:
            bad += [is_in(code, characters(_is_title_only)) for code in codes]
        return and_(or_([is_in(code, wanted) for code in codes]), not_(or_(bad)))

    METHODS[name] = method


def _is_title_only(character: str) -> bool:
    return character.istitle() and not character.isupper()


_cased("islower")
_cased("isupper")


@method
def istitle(kind: Kind, codes: Codes) -> Guard:
    """`text.istitle()`."""
    high, low = class_of(kind, "istitle"), class_of(kind, "islower")
    inside: Guard = False
    wrong: Guard = False
    some: Guard = False
    for code in codes:
        upper, lower = is_in(code, high), is_in(code, low)
        wrong = or_(wrong, or_(and_(upper, inside), and_(lower, not_(or_(upper, inside)))))
        inside = or_(upper, lower)
        some = or_(some, inside)
    return and_(some, not_(wrong))


def _continues(character: str) -> bool:
    return f"a{character}".isidentifier()


@method
def isidentifier(kind: Kind, codes: Codes) -> Guard:
    """`text.isidentifier()`."""
    if not codes:
        return False
    first = is_in(codes[0], characters(str.isidentifier))
    return and_(first, and_([is_in(code, characters(_continues)) for code in codes[1:]]))
