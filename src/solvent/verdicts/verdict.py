"""What is known about a property."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Verdict(Enum):
    """What is known about a property, whichever engine found it out.

    A property that holds up to a bound may be violated beyond it: who asked whether it holds does
    not know, so that it counts as unknown where there are only three answers.

    >>> Verdict.HOLDS.holds, Verdict.VIOLATED.holds, Verdict.BOUNDED.holds
    (True, False, None)
    """

    HOLDS = "holds"
    BOUNDED = "holds up to the bound"
    VIOLATED = "violated"
    UNKNOWN = "unknown"

    @property
    def holds(self) -> bool | None:
        """Whether the property holds; `None` if that is not known for certain."""
        return {Verdict.HOLDS: True, Verdict.VIOLATED: False}.get(self)

    @property
    def is_definite(self) -> bool:
        """Whether more work cannot change it."""
        return self in (Verdict.HOLDS, Verdict.VIOLATED)

    @classmethod
    def worst(cls, verdicts: Iterable[Verdict]) -> Verdict:
        """One verdict for all: the worst of them, and that nothing is wrong if there are none.

        >>> Verdict.worst([Verdict.HOLDS, Verdict.UNKNOWN, Verdict.BOUNDED])
        <Verdict.UNKNOWN: 'unknown'>
        >>> Verdict.worst([])
        <Verdict.HOLDS: 'holds'>
        """
        known = set(verdicts)
        order = (cls.VIOLATED, cls.UNKNOWN, cls.BOUNDED)
        return next((one for one in order if one in known), cls.HOLDS)
