"""Programs on symbolic text: how long evaluating and deciding takes, and how terms grow."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable
from itertools import pairwise

from benchmarks.figure import Figure
from benchmarks.vm import times_slower
from solvent import Options, assume, lifted, texts, verify
from solvent.queries.results import Verification

PAIR = re.compile(r"\s*(\w+)\s*=\s*(\d+)\s*")


def tokens(text: str) -> list[str]:
    """Words, numbers and single characters of a text; white space separates them."""
    found = []
    at = 0
    while at < len(text):
        first = text[at]
        end = at + 1
        if first.isdigit():
            while end < len(text) and text[end].isdigit():
                end += 1
        elif first.isalpha():
            while end < len(text) and text[end].isalnum():
                end += 1
        if not first.isspace():
            found.append(text[at:end])
        at = end
    return found


def tokenizer(text: str) -> None:
    """The tokens have all characters but white space."""
    assert sum(map(len, tokens(text))) == sum(not c.isspace() for c in text)


def filter_and_join(text: str) -> None:
    """What a filter keeps of a text has nothing else."""
    kept = "".join(c for c in text if c.isalnum())
    assert len(kept) <= len(text)
    assert " " not in kept


def split(text: str) -> None:
    """The parts of a text are those between the commas, and all of them."""
    parts = text.split(",")
    assert len(parts) == text.count(",") + 1
    assert all("," not in part for part in parts)
    assert sum(map(len, parts)) + len(parts) - 1 == len(text)


def number(text: str) -> None:
    """What `int` reads is what its digits say."""
    assume(all("0" <= c <= "9" for c in text))
    value = 0
    for c in text:
        value = 10 * value + ord(c) - ord("0")
    assert int(text) == value


def groups(text: str) -> None:
    """Both groups of a match are there and apart."""
    found = PAIR.fullmatch(text)
    if found:
        assert found[1]
        assert found[2].isdigit()
        assert found.end(1) < found.start(2)


def wording(rounds: int) -> int:
    """Text as programs of every day have it, all of it known."""
    total = 0
    for count in range(rounds):
        line = f" name{count % 7} = {count:>6} ; size={count * 3:x},kind={'ab'[count % 2]!r} "
        fields = [part.strip().partition("=") for part in line.replace(";", ",").split(",")]
        for key, _, value in fields:
            word = key.strip().title()
            if word.startswith("N") and value.strip().isdigit():
                total += int(value)
            elif word[::-1].lower() in ("ezis", "dnik"):
                total += len(value) + ord(value[-1])
        found = PAIR.match(line)
        if found:
            total += int(found[2]) + line.count("=") + line.index("=")
        total += sum(c.isalpha() for c in line)
    return total


# How much slower than plain it was before texts could be symbolic.
OVERHEAD = 13.2

# Programs with the length of their text for which seconds are measured.
PROGRAMS: tuple[tuple[Callable[[str], None], int], ...] = (
    (tokenizer, 12),
    (filter_and_join, 24),
    (split, 16),
    (number, 9),
    (groups, 12),
)
EVALUATED, DECIDED = 0.5, 5.0
# From each of these lengths to the next, terms grow by no more than this: below the fourth power.
SIZES, GROWTH = (4, 8, 16), 16


def verified(program: Callable[[str], None], length: int) -> Verification:
    """Verify a program for all texts of one length, of any characters."""
    # Terms of earlier rounds would be found again instead of made.
    gc.collect()
    return verify(
        program, texts(max_len=length, min_len=length), options=Options(timeout=20 * DECIDED)
    )


def program_figures(program: Callable[[str], None], length: int) -> list[Figure]:
    """Seconds for one length, and how terms grow with it."""
    name = f"{program.__name__}, {length} characters"
    # A first question pays for tables of Unicode and the start of the solvers.
    verified(program, 1)
    terms = [verified(program, size).stats.run.terms for size in SIZES]
    growth = max(after / before for before, after in pairwise(terms))
    stats = verified(program, length).stats
    # Evaluation is of this process alone, so that its processor time says more on a busy machine.
    evaluated, decided = stats.run.cpu_seconds, stats.seconds
    return [
        Figure(f"{name}: evaluated", evaluated, "CPU s", f"< {EVALUATED} s", evaluated < EVALUATED),
        Figure(f"{name}: decided", decided, "s", f"< {DECIDED} s", decided < DECIDED),
        Figure(
            f"{program.__name__}: terms for {SIZES} characters, {terms}: growth",
            growth,
            "times",
            f"< {GROWTH} times",
            growth < GROWTH,
        ),
    ]


def concrete_figure() -> Figure:
    """What lifting costs where all texts are known."""
    ratio = times_slower(lifted(wording), wording, 300)
    limit = 1.5 * OVERHEAD
    return Figure("text on concrete values", ratio, "times plain", f"< {limit:.1f}", ratio < limit)


def run() -> list[Figure]:
    """All figures on text."""
    figures = [figure for one in PROGRAMS for figure in program_figures(*one)]
    return [*figures, concrete_figure()]
