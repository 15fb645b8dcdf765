"""Changes to a text that is well formed, at random places."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_NUMBER = re.compile(r"\d+")

# Numbers at which something may be wrong by one, or by very much.
NUMBERS = (
    "0",
    "1",
    "2",
    "-1",
    "7",
    "31",
    "32",
    "63",
    "64",
    "65",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1000000000",
    "1" + "0" * 40,
    "9" * 5000,
    "00",
    "0x10",
    "1.5",
    "1e9",
)
# Characters that formats give a meaning to, or that no format expects.
CHARACTERS = "()[]{}<>|&;:,.#@!?'\"\\`~^%$*+-/=_ \t\n\r\0\x7fé\u2028\u3000\U0001f600\ud800"

# A repeated token becomes no longer.
LONGEST = 50_000


def _place(random: Random, text: str) -> int:
    return random.randrange(len(text) + 1)


def _cut(random: Random, text: str, words: Sequence[str]) -> str:
    """Only the beginning, or without the beginning."""
    place = _place(random, text)
    return text[:place] if random.random() < 0.8 else text[place:]


def _without(random: Random, text: str, words: Sequence[str]) -> str:
    start = _place(random, text)
    return text[:start] + text[start + random.choice((1, 2, 5, 20)) :]


def _character(random: Random, text: str, words: Sequence[str]) -> str:
    place = _place(random, text)
    removed = random.randrange(2)
    return text[:place] + random.choice(CHARACTERS) + text[place + removed :]


def _word(random: Random, text: str, words: Sequence[str]) -> str:
    """A word of the format in place of some token."""
    tokens = _WORD.findall(text)
    if tokens:
        tokens[random.randrange(len(tokens))] = random.choice(words)
    return "".join(tokens)


def _exchanged(random: Random, text: str, words: Sequence[str]) -> str:
    tokens = _WORD.findall(text)
    if len(tokens) > 1:
        a, b = random.randrange(len(tokens)), random.randrange(len(tokens))
        tokens[a], tokens[b] = tokens[b], tokens[a]
    return "".join(tokens)


def _number(random: Random, text: str, words: Sequence[str]) -> str:
    """Another number in place of one."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return _word(random, text, words)
    match = random.choice(found)
    return text[: match.start()] + random.choice(NUMBERS) + text[match.end() :]


def _line(random: Random, text: str, words: Sequence[str]) -> str:
    """A line left out, written twice, or moved."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    line = lines[random.randrange(len(lines))]
    if random.random() < 0.5:
        lines.remove(line)
    if random.random() < 0.7:
        lines.insert(random.randrange(len(lines) + 1), line)
    return "".join(lines)


def _part_again(random: Random, text: str, words: Sequence[str]) -> str:
    """A part copied to another place."""
    start = _place(random, text)
    part = text[start : start + random.choice((3, 10, 40))]
    place = _place(random, text)
    return text[:place] + part + text[place:]


def _nested(random: Random, text: str, words: Sequence[str]) -> str:
    """A token very often at one place, as brackets in brackets are."""
    tokens = _WORD.findall(text)
    if not tokens:
        return text
    place = random.randrange(len(tokens))
    times = random.choice((2, 10, 300, 3000))
    # Nothing is learned from megabytes.
    tokens[place] *= min(times, 1 + LONGEST // len(tokens[place]))
    return "".join(tokens)


_CHANGES: tuple[Callable[[Random, str, Sequence[str]], str], ...] = (
    _cut,
    _without,
    _character,
    _word,
    _word,
    _word,
    _exchanged,
    _exchanged,
    _number,
    _number,
    _line,
    _part_again,
    _nested,
)


def mutated(random: Random, text: str, words: Sequence[str]) -> str:
    """The text with one change or a few; `words` are those of its format."""
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 5))):
        text = random.choice(_CHANGES)(random, text, words)
    return text


def words_of(texts: Sequence[str]) -> list[str]:
    """The words and signs that occur in texts, each once."""
    found = {word for text in texts for word in _WORD.findall(text) if not word.isspace()}
    return sorted(found)
