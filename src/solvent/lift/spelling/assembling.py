"""Making texts of matches: what is between them, and what replaces them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from solvent.lift.spelling.outcomes import add_rows
from solvent.lift.spelling.scanning import PossibleMatch
from solvent.lift.spelling.spans import Codes, Maker, Places
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.terms.kinds import Integer
from solvent.vm.merge import gathered
from solvent.vm.values import Guard, Value

# Code points that are there under a guard.
Piece = tuple[Guard, Codes]


def assembled(made: Maker, parts: Iterable[Piece]) -> Value:
    """The text of those pieces whose guards hold, in their order.

    >>> from solvent.terms import Bool
    >>> from solvent.terms.texts import text
    >>> assembled(text, [(True, (97,)), (Bool("p"), (98,))])
    Union('a' if not p, 'ab')
    """
    counts: Places = {0: True}
    columns: dict[int, list[tuple[Guard, Integer]]] = {}
    for guard, codes in parts:
        if guard is False or not codes:
            continue
        after: Places = {}
        add_rows(after, not_(guard), counts)
        for size, exactly in counts.items():
            here = and_(guard, exactly)
            if here is not False:
                after[size + len(codes)] = or_(after.get(size + len(codes), False), here)
                for offset, code in enumerate(codes):
                    columns.setdefault(size + offset, []).append((here, code))
        counts = after
    characters = [_chosen(columns[place]) for place in sorted(columns)]
    return gathered([(guard, made(characters[:size])) for size, guard in counts.items()])


def _chosen(rows: list[tuple[Guard, Integer]]) -> Integer:
    result = rows[-1][1]
    for guard, code in reversed(rows[:-1]):
        if code is not result:
            result = ite(guard, code, result)
    return result


def between(codes: Codes, guard: Guard, starts: Places, ends: Places) -> Iterator[Piece]:
    """The characters from one position to another, each where it is one of those between them."""
    if not starts or not ends:
        return
    begun: Guard = False
    ended: Guard = False
    for place in range(min(starts), max(ends)):
        begun = or_(begun, starts.get(place, False))
        ended = or_(ended, ends.get(place, False))
        yield and_([guard, begun, not_(ended)]), (codes[place],)


def uncovered(size: int, found: Sequence[PossibleMatch]) -> list[Guard]:
    """For each character whether no match contains it."""
    covered: list[list[Guard]] = [[] for _ in range(size)]
    for each in found:
        (start,) = each.starts
        going_on: Guard = True
        for place in range(start, size):
            going_on = and_(going_on, not_(each.ends.get(place, False)))
            if going_on is False:
                break
            covered[place].append(and_(each.guard, going_on))
    return [not_(or_(guards)) for guards in covered]


def template_parts(template: Any, pattern: re.Pattern[Any]) -> list[Any]:
    """What a template of `sub` consists of: texts, and the numbers of groups.

    >>> template_parts(r"<\\1>", re.compile("(a)"))
    ['<', 1, '>']
    """
    parsed = _parser.parse_template(template, pattern)
    if isinstance(parsed, tuple):
        numbers, texts = parsed
        result = list(texts)
        for place, number in numbers:
            result[place] = number
    else:
        result = list(parsed)
    return [part for part in result if part is not None and part != template[:0]]
