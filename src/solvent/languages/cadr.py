"""The automata of section 2 of "A Lightweight Symbolic Virtual Machine", word for word.

>>> M("cadaddr"), broken("")
(True, True)
"""

from __future__ import annotations

from solvent.languages.automata import REJECT, Automaton, Transitions, automaton, no_way_out
from solvent.sketch import choose

ALPHABET = "cadr"

# Figure 1: Lisp-style identifiers.
STATES: dict[str, Transitions] = {
    "init": {"c": "more"},
    "more": {"a": "more", "d": "more", "r": "end"},
    "end": {},
}

M = automaton("init", accepting=no_way_out, **STATES)

# Figure 2 as it was first written: every state accepts the end of the word.
broken = automaton("init", accepting=lambda transitions: True, **STATES)


def sketch() -> Automaton:
    """Figure 3: an outline of an automaton for c(ad)+r."""
    return automaton(
        "init",
        init={"c": choose("s1", "s2")},
        s1={
            "a": choose("s1", "s2", "end", REJECT),
            "d": choose("s1", "s2", "end", REJECT),
            "r": choose("s1", "s2", "end", REJECT),
        },
        s2={
            "a": choose("s1", "s2", "end", REJECT),
            "d": choose("s1", "s2", "end", REJECT),
            "r": choose("s1", "s2", "end", REJECT),
        },
        end={},
    )
