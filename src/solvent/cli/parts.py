"""The places of a slow function, each asked about by itself, and what they amount to together.

A check that has come to a place that is hard, while others are open, is divided: each hard place is
a part, and so is all else of the function.  A failure that a part has found is one of the function.
The function holds only if all parts do, and if each of them has met the places that it is about.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from solvent.cli.answers import Unanswered
from solvent.cli.limits import marked
from solvent.cli.reported import Reported
from solvent.queries.coverage import Coverage, Decided, Level
from solvent.race.levels import Places
from solvent.verdicts import Answer, Finding, Verdict
from solvent.verdicts.rendering import Json

# Hard places beyond these share the parts.
MOST_PARTS = 32

# How lines of an answer begin that the parts together tell anew.
_TOLD_ANEW = ("reason: ", "covered: ", "open: ")

Kind = tuple[str, str]
Found = Sequence[Answer] | Unanswered


@dataclass(slots=True)
class Parts:
    """A function that was divided: what was known before, and what its parts have come to."""

    first: Reported
    budget: float
    # Whether a failure at each place is wanted, and not only the first.
    everything: bool
    places: list[Places]
    found: dict[int, Found] = field(default_factory=dict)

    @classmethod
    def of(cls, answers: Found, budget: float, share: float, *, everything: bool) -> Parts | None:
        """The parts of a function, if its check has ended before its time to be divided.

        There are none if less than a share of its budget is left.
        """
        if isinstance(answers, Unanswered) or len(answers) != 1:
            return None
        first = answers[0]
        if not isinstance(first, Reported) or first.verdict is not Verdict.UNKNOWN:
            return None
        if first.seconds > budget - share:
            return None
        kinds = [_kind(row) for row in _rows(first, "undecided")]
        if not kinds:
            return None
        groups = [kinds[number::MOST_PARTS] for number in range(min(MOST_PARTS, len(kinds)))]
        hard = [Places(frozenset(group)) for group in groups]
        return cls(first, budget, everything, [*hard, Places(frozenset(kinds), only=False)])

    def seconds_each(self, width: int) -> float:
        """The budget of each part where so many are asked about at a time.

        Together they have what is left of the budget of the function.
        """
        rounds = math.ceil(len(self.places) / width)
        return (self.budget - self.first.seconds) / rounds

    @property
    def failures(self) -> list[Reported]:
        """The failures that parts have found, a place once."""
        kinds: dict[object, Reported] = {}
        for answer in self._answers():
            if answer.verdict is Verdict.VIOLATED:
                kinds.setdefault(tuple(map(_place, answer.findings)), answer)
        confirmed = [one for one in kinds.values() if all(f.confirmed for f in one.findings)]
        return confirmed or list(kinds.values())

    @property
    def is_over(self) -> bool:
        """Whether no other part can change anything."""
        if len(self.found) == len(self.places):
            return True
        confirmed = any(all(f.confirmed for f in one.findings) for one in self.failures)
        return (confirmed and not self.everything) or self._by_paths is not None

    def together(self) -> list[Reported]:
        """What is known about the function."""
        failures = self.failures
        if failures:
            return failures if self.everything else failures[:1]
        proof = self._by_paths
        if proof is not None:
            return [proof]
        still_open = [number for number in range(len(self.places)) if not self._closed(number)]
        if not still_open:
            return [self._proved()]
        return [self._unknown(still_open)]

    # --- parts -----------------------------------------------------------------------------------

    def _answers(self) -> Iterator[Reported]:
        for number in sorted(self.found):
            found = self.found[number]
            if not isinstance(found, Unanswered):
                yield from (one for one in found if isinstance(one, Reported))

    def _answer(self, number: int) -> Reported | None:
        found = self.found.get(number)
        if found is None or isinstance(found, Unanswered) or len(found) != 1:
            return None
        return found[0] if isinstance(found[0], Reported) else None

    @property
    def _by_paths(self) -> Reported | None:
        """The proof of the part about all else, if that has followed all paths: of everything."""
        last = self._answer(len(self.places) - 1)
        if last is None or last.verdict is not Verdict.HOLDS:
            return None
        return last if _coverage(last).get("proved") == "path by path" else None

    def _closed(self, number: int) -> bool:
        """Whether it is known that no input fails at the places of a part."""
        answer, places = self._answer(number), self.places[number]
        if answer is None or answer.verdict is not Verdict.HOLDS:
            return False
        met = {_kind(row) for row in _rows(answer, "decided")}
        return not places.only or places.kinds <= met

    # --- together --------------------------------------------------------------------------------

    def _proved(self) -> Reported:
        last = self._answer(len(self.places) - 1)
        assert last is not None, "all parts are closed"
        how = str(_coverage(last)["proved"]).removesuffix(", at some places")
        proved = f"{how}, {len(self.places) - 1} places by themselves"
        return self._told(last, replace(self._covered(), proved=proved, open=(), undecided=()))

    def _unknown(self, still_open: list[int]) -> Reported:
        parts = [self.places[number] for number in still_open]
        names = [f"{at}: {what}" for one in parts if one.only for at, what in sorted(one.kinds)]
        names += ["all other places" for one in parts if not one.only]
        reason = marked(self._reason(still_open, names))
        covered = replace(self._covered(), open=tuple(names))
        found = self._told(self.first, covered, f"reason: {reason}")
        return replace(found, reason=reason, row={**found.row, "reason": reason})

    def _reason(self, still_open: list[int], names: list[str]) -> str:
        """Why there is no answer: the time, unless something else keeps a part from one."""
        for number in still_open:
            found = self.found.get(number)
            answer = found if isinstance(found, Unanswered) else self._answer(number)
            if answer is not None and answer.reason and "budget of" not in answer.reason:
                return answer.reason
        return (
            f"the budget of {self.budget:g} s is spent; of {len(self.places)} parts that were "
            f"asked about by themselves {len(still_open)} are open, such as {names[0]}; try an "
            f"assumption about the inputs, or --budget {2 * self.budget:g}"
        )

    def _covered(self) -> Coverage:
        """What was covered by all parts."""
        rows = {_kind(row): row for one in self._answers() for row in _rows(one, "decided")}
        before = _coverage(self.first)
        return Coverage(
            probes=int(str(before.get("probes", 0))),
            drawn=int(str(before.get("drawn", 0))),
            no_probes=str(before.get("no_probes", "")),
            seen=tuple(map(str, _list(before.get("seen")))),
            decided=tuple(_decided(row) for row in rows.values()),
        )

    def _told(self, answer: Reported, covered: Coverage, *more: str) -> Reported:
        """An answer in the words of one part, with what was covered by all of them."""
        seconds = self.first.seconds + sum(one.seconds for one in self._answers())
        kept = [text for text in answer.texts[1:] if not text.startswith(_TOLD_ANEW)]
        spaces = [text for text in kept if text.startswith("inputs tried: ")]
        others = [text for text in kept if text not in spaces]
        return replace(
            answer,
            seconds=seconds,
            texts=(answer.texts[0], *spaces, *more, *covered.lines(), *others),
            row={**answer.row, "coverage": covered.as_dict()},
            stats=f"{seconds:.2f} s in {len(self.places)} parts and before them",
        )


def _coverage(answer: Reported) -> Mapping[str, object]:
    found = answer.row.get("coverage")
    return found if isinstance(found, dict) else {}


def _rows(answer: Reported, name: str) -> list[Json]:
    """The rows of a list in what an answer has covered."""
    return [row for row in _list(_coverage(answer).get(name)) if isinstance(row, dict)]


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, (list, tuple)) else []


def _kind(row: Json) -> Kind:
    return str(row["position"]), str(row["exception"])


def _place(finding: Finding) -> tuple[str, int, str]:
    return finding.file, finding.line, finding.kind


def _decided(row: Json) -> Decided:
    level: Any = row["level"]
    return Decided(*_kind(row), Level(level["length"], level["bound"]), str(row["by"]))
