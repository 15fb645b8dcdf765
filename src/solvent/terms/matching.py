"""Where a regex without symbolic parts matches in a concrete string.

For each part of the regex, the positions of the string at which it can end are computed from
those at which it can start.  Sets of positions are the bits of an int.  Nothing is unfolded: the
work stays polynomial in the length of the string, for intersections and complements, too.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from solvent.errors import EvaluationError

if TYPE_CHECKING:
    from solvent.terms.regexes import RegexTerm

# A set of positions in a string: bit i is set if i is in it.
Positions = int
# What a part of a regex wants to know: the ends of an inner regex from some starts.
Request: TypeAlias = "tuple[RegexTerm, Positions]"
Steps: TypeAlias = "Generator[Request, Positions, Positions]"

# Sets of so many bits in all are looked at for one string, some seconds of work.
MOST_BITS = 1 << 34

# So many results are remembered, in case the same regex is asked about the same starts again.
REMEMBERED = 4096


def lowest(positions: Positions) -> int:
    """The first position of a set that is not empty.

    >>> lowest(0b1100)
    2
    """
    return (positions & -positions).bit_length() - 1


class Matcher:
    """Where concrete regexes match in one string.

    >>> from solvent.terms import re_star
    >>> bin(Matcher("aab").ends(re_star("a"), 0))
    '0b111'
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.everywhere: Positions = (2 << len(text)) - 1
        self.remembered: dict[Request, Positions] = {}
        self.occurrences: dict[str | tuple[str, str], Positions] = {}
        self.looked_at = 0

    def ends(self, regex: RegexTerm, start: int) -> Positions:
        """The positions at which a match that begins at `start` can end."""
        # The computations that wait for the next answer: a list, as regexes may be deep.
        waiting: list[tuple[Request, Steps]] = []
        request: Request = (regex, 1 << start)
        while True:
            # None is what starts a new computation.
            self.looked_at += len(self.text)
            if self.looked_at > MOST_BITS:
                raise EvaluationError(
                    f"matching a regular expression in {len(self.text)} characters takes too long"
                )
            answer: Any = self.at_once(request)
            if answer is None:
                waiting.append((request, _COMPOSED[request[0].op.name](self, *request)))
            while waiting:
                asked, steps = waiting[-1]
                try:
                    request = steps.send(answer)
                    break
                except StopIteration as done:
                    waiting.pop()
                    answer = self.remember(asked, done.value)
            else:
                return int(answer)

    def at_once(self, request: Request) -> Positions | None:
        """The answer to a request that needs no other ones."""
        regex, starts = request
        if not starts:
            return 0
        leaf = _LEAVES.get(regex.op.name)
        if leaf is None:
            return self.remembered.get(request)
        return leaf(self, starts, *regex.args)

    def remember(self, request: Request, answer: Positions) -> Positions:
        """Keep an answer for a while."""
        if len(self.remembered) >= REMEMBERED:
            self.remembered.clear()
        self.remembered[request] = answer
        return answer

    def occurring(self, literal: str) -> Positions:
        """The positions at which a string occurs."""
        positions = self.occurrences.get(literal)
        if positions is None:
            text = self.text
            positions = _positions(text.startswith(literal, i) for i in range(len(text) + 1))
            self.occurrences[literal] = positions
        return positions

    def in_range(self, low: str, high: str) -> Positions:
        """The positions of the characters in a range."""
        if len(low) != 1 or len(high) != 1:
            return 0
        positions = self.occurrences.get((low, high))
        if positions is None:
            positions = _positions(low <= character <= high for character in self.text)
            self.occurrences[low, high] = positions
        return positions

    def from_lowest(self, starts: Positions) -> Positions:
        """The first of some positions and all that follow it."""
        return self.everywhere & -(starts & -starts)

    def after_characters(self, positions: Positions) -> Positions:
        """The positions one further on."""
        return (positions << 1) & self.everywhere


def _positions(tests: Iterable[bool]) -> Positions:
    """The positions at which a test holds."""
    return int("".join("01"[test] for test in tests)[::-1] or "0", 2)


_LEAVES: dict[str, Callable[..., Positions]] = {
    "re.none": lambda matcher, starts: 0,
    "re.all": Matcher.from_lowest,
    "re.allchar": Matcher.after_characters,
    "str.to_re": lambda matcher, starts, s: (starts & matcher.occurring(s)) << len(s),
    "re.range": lambda matcher, starts, a, b: (starts & matcher.in_range(a, b)) << 1,
}


def _concat_ends(matcher: Matcher, regex: RegexTerm, starts: Positions) -> Steps:
    middle: Positions = yield regex.key[1], starts
    ends: Positions = yield regex.key[2], middle
    return ends


def _union_ends(matcher: Matcher, regex: RegexTerm, starts: Positions) -> Steps:
    first: Positions = yield regex.key[1], starts
    second: Positions = yield regex.key[2], starts
    return first | second


def _from_each(
    combine: Callable[..., Positions],
) -> Callable[[Matcher, RegexTerm, Positions], Steps]:
    """Ends that depend on which start they belong to: those of each start are combined."""

    def ends(matcher: Matcher, regex: RegexTerm, starts: Positions) -> Steps:
        result = 0
        while starts:
            start = starts & -starts
            starts ^= start
            inner = []
            for part in regex.args:
                inner.append((yield part, start))
            result |= combine(matcher.from_lowest(start), *inner)
        return result

    return ends


def _repeated(regex: RegexTerm, starts: Positions, times: int) -> Steps:
    """The ends of exactly so many repetitions."""
    for _ in range(times):
        further = yield regex, starts
        # Either the empty string matches and the set grows, or its lowest position does.
        if further == starts:
            break
        starts = further
    return starts


def _repeated_at_most(regex: RegexTerm, starts: Positions, times: int | None) -> Steps:
    """The ends of at most so many repetitions, or of any number."""
    reached = new = starts
    while new and times != 0:
        new = (yield regex, new) & ~reached
        reached |= new
        times = None if times is None else times - 1
    return reached


def _repetition(least: int, most: int | None) -> Callable[[Matcher, RegexTerm, Positions], Steps]:
    def ends(matcher: Matcher, regex: RegexTerm, starts: Positions) -> Steps:
        starts = yield from _repeated(regex.key[1], starts, least)
        more = None if most is None else most - least
        return (yield from _repeated_at_most(regex.key[1], starts, more))

    return ends


def _power_ends(matcher: Matcher, regex: RegexTerm, starts: Positions) -> Steps:
    return (yield from _repeated(regex.key[1], starts, regex.op.params[0]))


def _loop_ends(matcher: Matcher, regex: RegexTerm, starts: Positions) -> Steps:
    least, most = regex.op.params
    if least > most:
        return 0
    return (yield from _repetition(least, most)(matcher, regex, starts))


_COMPOSED: dict[str, Callable[[Matcher, RegexTerm, Positions], Steps]] = {
    "re.++": _concat_ends,
    "re.union": _union_ends,
    "re.inter": _from_each(lambda later, a, b: a & b),
    "re.diff": _from_each(lambda later, a, b: a & ~b),
    "re.comp": _from_each(lambda later, a: later & ~a),
    "re.*": _repetition(0, None),
    "re.+": _repetition(1, None),
    "re.opt": _repetition(0, 1),
    "re.^": _power_ends,
    "re.loop": _loop_ends,
}
