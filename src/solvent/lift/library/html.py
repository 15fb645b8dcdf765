"""`html`: each character is escaped by itself, and what was escaped is known when it is read."""

from __future__ import annotations

import html
from functools import cache

from solvent.lift.calls import method
from solvent.lift.function import lift_function
from solvent.lift.registry import lifts
from solvent.lift.undone import are_texts, original_of, remember
from solvent.vm.values import Value

# As Python has them.
_ESCAPE: Value = html.escape
_UNESCAPE: Value = html.unescape

_ESCAPED = "&<>\"'"


@cache
def _table(quote: bool) -> dict[int, str]:
    """What the characters become that do not stay as they are."""
    return {
        ord(found): html.escape(found, quote)
        for found in _ESCAPED
        if html.escape(found, quote) != found
    }


@lifts(html.escape)
def escape(s: Value, quote: Value = True) -> Value:
    """`html.escape(s, quote)`."""
    if type(quote) is not bool or not are_texts(s):
        return lift_function(_ESCAPE)(s, quote)
    if type(s) is str:
        return html.escape(s, quote)
    return remember(("unescape",), s, method(s, "translate")(_table(quote)))


@lifts(html.unescape)
def unescape(s: Value) -> Value:
    """`html.unescape(s)`: each `&` of an escaped text begins what a character was escaped to."""
    found = original_of("unescape", s)
    return lift_function(_UNESCAPE)(s) if found is None else found
