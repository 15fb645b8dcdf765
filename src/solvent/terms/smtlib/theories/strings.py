"""The theory of strings and regular expressions."""

from __future__ import annotations

from collections.abc import Callable

from solvent.terms import regexes as _regexes  # noqa: F401  (registers its operators)
from solvent.terms import strings as _strings  # noqa: F401  (registers its operators)
from solvent.terms.ops import OPERATORS
from solvent.terms.smtlib.signatures import (
    Argument,
    Head,
    Indexed,
    all_of,
    chainable,
    fixed,
    left_associative,
)
from solvent.terms.sorts import Int, Regex, Sort, Str
from solvent.terms.term import Term

_STRING_DOMAINS: dict[str, tuple[Sort[Term], ...]] = {
    "str.len": (Str,),
    "str.at": (Str, Int),
    "str.substr": (Str, Int, Int),
    "str.prefixof": (Str, Str),
    "str.suffixof": (Str, Str),
    "str.contains": (Str, Str),
    "str.indexof": (Str, Str, Int),
    "str.replace": (Str, Str, Str),
    "str.replace_all": (Str, Str, Str),
    "str.replace_re": (Str, Regex, Str),
    "str.replace_re_all": (Str, Regex, Str),
    "str.is_digit": (Str,),
    "str.to_code": (Str,),
    "str.from_code": (Int,),
    "str.to_int": (Str,),
    "str.from_int": (Int,),
    "str.to_re": (Str,),
    "str.in_re": (Str, Regex),
    "re.range": (Str, Str),
    "re.comp": (Regex,),
    "re.*": (Regex,),
    "re.+": (Regex,),
    "re.opt": (Regex,),
}
_STRING_CHAINS: dict[str, Sort[Term]] = {"str.<": Str, "str.<=": Str}
_STRING_LISTS: dict[str, Sort[Term]] = {
    "str.++": Str,
    "re.++": Regex,
    "re.union": Regex,
    "re.inter": Regex,
    "re.diff": Regex,
}

HEADS: dict[str, Head] = {
    **{name: fixed(name, OPERATORS[name], *domain) for name, domain in _STRING_DOMAINS.items()},
    **{
        name: chainable(name, OPERATORS[name], all_of(sort))
        for name, sort in _STRING_CHAINS.items()
    },
    **{
        name: left_associative(name, OPERATORS[name], all_of(sort))
        for name, sort in _STRING_LISTS.items()
    },
}
VALUES: dict[str, Argument] = {
    name: OPERATORS[name]() for name in ("re.none", "re.all", "re.allchar")
}


def _repeated(name: str) -> Callable[..., Head]:
    return lambda *counts: fixed(name, OPERATORS[name].at(*counts), Regex)


INDEXED: dict[str, Indexed] = {"re.^": (1, _repeated("re.^")), "re.loop": (2, _repeated("re.loop"))}
