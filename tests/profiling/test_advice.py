"""Every advice has its anti-pattern in the manual."""

from __future__ import annotations

import re
from pathlib import Path

from solvent.profiling import advice
from solvent.profiling.patterns import anchor, sections

PAGE = Path(__file__).parents[2] / "docs" / "antipatterns.md"


def test_every_advice_is_in_the_manual() -> None:
    told = {found.anchor for found in vars(advice).values() if isinstance(found, advice.Advice)}
    assert len(told) == 7
    headings = re.findall(r"^## (.+)$", PAGE.read_text(), re.MULTILINE)
    assert told == {anchor(heading) for heading in headings} == set(sections())


def test_sections_are_shown_with_their_programs() -> None:
    for found in sections().values():
        assert "<h3 id=" in found
        assert found.count("<pre>") >= 1
        assert "&gt;&gt;&gt; def " in found
        assert "```" not in found
