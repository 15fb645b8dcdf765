"""Two profiles side by side: what became better or worse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solvent.profiling.entries import SCORED
from solvent.profiling.measures import shown
from solvent.profiling.profile import Profile
from solvent.profiling.summary import short

_MEASURES = (*SCORED, "forks", "questions")


@dataclass(frozen=True, slots=True)
class Change:
    """What one function did before and after; `None` where it did not run."""

    name: str
    position: str
    before: Mapping[str, int] | None
    after: Mapping[str, int] | None

    def difference(self, measure: str) -> int:
        """How much more of something it did."""
        return (self.after or {}).get(measure, 0) - (self.before or {}).get(measure, 0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The totals of two profiles, and the functions that changed most."""

    before: Mapping[str, int]
    after: Mapping[str, int]
    changes: tuple[Change, ...]

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "before": dict(self.before),
            "after": dict(self.after),
            "changes": [
                {
                    "name": change.name,
                    "position": change.position,
                    "before": change.before and dict(change.before),
                    "after": change.after and dict(change.after),
                }
                for change in self.changes
            ],
        }

    def __str__(self) -> str:
        rows = [("", "before", "after", "ratio")]
        for name in _MEASURES:
            old, new = self.before.get(name, 0), self.after.get(name, 0)
            ratio = f"{new / old:.2f}" if old else "-"
            rows.append((name.replace("_", " "), shown(name, old), shown(name, new), ratio))
        widths = [max(len(row[place]) for row in rows) for place in range(4)]
        lines = [
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
            for row in rows
        ]
        for change in self.changes[:8]:
            told = ", ".join(
                f"{name.replace('_', ' ')} {'+' if change.difference(name) > 0 else ''}"
                f"{shown(name, change.difference(name))}"
                for name in ("time", "terms", "joins")
                if change.difference(name)
            )
            gone = " (gone)" if change.after is None else " (new)" if change.before is None else ""
            lines.append(f"{short(change.position)}  {change.name}{gone}: {told or 'the same'}")
        return "\n".join(lines)

    __repr__ = __str__


def _functions(profile: Mapping[str, object]) -> dict[tuple[str, str], Mapping[str, object]]:
    rows = profile.get("functions")
    result: dict[tuple[str, str], Mapping[str, object]] = {}
    for row in rows if isinstance(rows, list) else ():
        result[str(row["file"]), str(row["name"])] = row
    return result


def _numbers(row: Mapping[str, object] | None, key: str) -> Mapping[str, int] | None:
    found = None if row is None else row.get(key)
    return found if isinstance(found, Mapping) else None


def compare(
    before: Profile | Mapping[str, object], after: Profile | Mapping[str, object]
) -> Comparison:
    """Compare two profiles, or what `as_dict` made of them; functions are matched by name.

    >>> compare(Profile(), Profile()).changes
    ()
    """
    old, new = (p.as_dict() if isinstance(p, Profile) else p for p in (before, after))
    rows_old, rows_new = _functions(old), _functions(new)
    changes = []
    for key in {**rows_new, **rows_old}:
        row = rows_new.get(key) or rows_old[key]
        changes.append(
            Change(
                key[1],
                f"{key[0]}:{row['line']}",
                _numbers(rows_old.get(key), "exclusive"),
                _numbers(rows_new.get(key), "exclusive"),
            )
        )
    changes.sort(key=lambda change: -abs(change.difference("terms")))
    return Comparison(_numbers(old, "totals") or {}, _numbers(new, "totals") or {}, tuple(changes))
