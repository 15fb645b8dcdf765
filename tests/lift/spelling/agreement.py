"""Methods of texts and bytes against CPython, on all short texts of a small alphabet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from solvent.terms.texts import octets, text
from solvent.vm.merge import gathered
from tests.lift.differential import agree

# Characters whose case, class or width is special: a letter, a sharp s (two letters when capital),
# a capital I with a dot (two when small), a combining mark, a digit that is not ASCII, a lone
# surrogate, a line break of one byte, a title-case letter, a capital sigma, a character beyond
# the theory of strings.
HOSTILE = "aßİ\u0301٣\ud800\x85ǅΣ\U0010fffd"
PLAIN = "aB1 "


def _choice(made: Callable[[Sequence[Any]], Any]) -> Callable[..., Any]:
    def make(length: Any, *codes: Any) -> Any:
        if type(length) is int:
            return made(codes[:length])
        return gathered([(length == n, made(codes[:n])) for n in range(len(codes) + 1)])

    return make


def texts_agree(
    function: Callable[..., Any],
    *others: Sequence[Any],
    alphabet: str | bytes = PLAIN,
    longest: int = 3,
    messages: bool = True,
) -> None:
    """A function of a text, and of others from their domains, is the same on all short texts."""
    codes = sorted(map(ord, alphabet) if isinstance(alphabet, str) else alphabet)
    made = _choice(text if isinstance(alphabet, str) else octets)

    def make(length: Any, *rest: Any) -> tuple[Any, ...]:
        return (made(length, *rest[:longest]), *rest[longest:])

    def matters(length: int, *rest: Any) -> bool:
        # Behind the end of a text, one character stands for all.
        return set(rest[length:longest]) <= {codes[0]}

    agree(
        function,
        range(longest + 1),
        *[codes] * longest,
        *others,
        make=make,
        messages=messages,
        only=matters,
    )
