"""Between texts that are spelled out and strings of the solvers' theory."""

from __future__ import annotations

from solvent.errors import NotLiftedError
from solvent.terms.booleans import or_
from solvent.terms.kinds import Text
from solvent.terms.strings import MAX_CODE, from_code, str_concat
from solvent.terms.term import Term
from solvent.terms.texts import TextTerm
from solvent.vm.machine import current
from solvent.vm.values import Value


def as_string(value: Value) -> Text:
    """A text as a string of the theory, which has no characters beyond U+2FFFF."""
    if type(value) is not TextTerm:
        found: Text = value
        return found
    ranges = current().ranges
    beyond = [
        code > MAX_CODE
        for code in value.codes
        if isinstance(code, Term) and (ranges.of(code)[1] or MAX_CODE + 1) > MAX_CODE
    ]
    current().fail_if(
        or_(beyond),
        NotLiftedError("a symbolic character beyond U+2FFFF is not in the theory of strings"),
    )
    return str_concat(*[from_code(code) for code in value.codes])
