"""Executable automata: the running example of "A Lightweight Symbolic Virtual Machine", section 2.

A specification of states and labelled transitions (figure 1) becomes mutually recursive functions
(figure 2), one per state, whose source is ordinary Python; the automaton is the function of its
initial state.  A transition may lead to a choice of states, so that an automaton may be a sketch
(figures 3 and 4).

>>> m = automaton("init", init={"c": "more"}, more={"a": "more", "d": "more", "r": "end"}, end={})
>>> m("cadaddr"), m("cadaddrr")
(True, False)
"""

from __future__ import annotations

import itertools
import linecache
import re
from collections.abc import Callable, Mapping, Sequence
from weakref import WeakKeyDictionary

from solvent import BitVec, lifted
from solvent.errors import SolventError
from solvent.lift import for_all, is_union, members
from solvent.pages.graphs import Edge, graph
from solvent.terms import ugt
from solvent.terms.bitvectors import BitVecTerm
from solvent.vm.slots import slot
from solvent.vm.spread import combine
from solvent.vm.values import Guard, Value

Word = Sequence[Value]
Automaton = Callable[[Word], Value]
Transitions = Mapping[Value, Value]


class AutomatonError(SolventError, ValueError):
    """A specification that is not an automaton."""


# The state that rejects all words; a transition may lead to it without naming it as a state.
REJECT = "reject"


def no_way_out(transitions: Transitions) -> bool:
    """A state accepts if it has no outgoing transitions: the paper's repaired automata."""
    return not transitions


def automaton(
    initial: str,
    /,
    *,
    accepting: Callable[[Transitions], bool] = no_way_out,
    **states: Transitions,
) -> Automaton:
    """The function that says whether an automaton accepts a word.

    Each state is a mapping from labels to the names of states, or to choices between names.
    `accepting` says of the transitions of a state whether words may end in it.

    >>> even = automaton("even", accepting=lambda transitions: "b" in transitions,
    ...                  even={"a": "odd", "b": "even"}, odd={"a": "even"})
    >>> even("aab"), even("ab")
    (True, False)
    """
    _check(initial, states)
    namespace: dict[str, Value] = {}
    source = "\n\n".join(
        _state(name, transitions, accepting(transitions), namespace)
        for name, transitions in [*states.items(), (REJECT, {})]
    )
    filename = f"automaton_{next(_numbers)}.py"
    lines = source.splitlines(keepends=True)
    # Tracebacks, debuggers and the symbolic virtual machine read the source from here.
    linecache.cache[filename] = (len(source), None, lines, filename)
    exec(compile(source, filename, "exec"), namespace)
    for name, target in list(namespace.items()):
        if isinstance(target, _Choice):
            namespace[name] = for_all(target.names, namespace.__getitem__)
    result: Automaton = namespace[initial]
    edges = [
        Edge(name, option, str(label), certain=not is_union(target))
        for name, transitions in states.items()
        for label, target in transitions.items()
        for _, option in members(target)
    ]
    final = frozenset(name for name, transitions in states.items() if accepting(transitions))
    _GRAPHS[result] = initial, edges, final
    return result


# What automata were made from, for as long as they are there.
_GRAPHS: WeakKeyDictionary[Automaton, tuple[str, list[Edge], frozenset[str]]] = WeakKeyDictionary()


def graph_of(function: Automaton) -> str | None:
    """The graph of an automaton as SVG, or None for any other function.

    >>> m = automaton("init", init={"c": "more"}, more={"a": "more", "r": "end"}, end={})
    >>> print(graph_of(m)[:4], graph_of(len))
    <svg None
    """
    found = _GRAPHS.get(function)
    return None if found is None else graph(*found)


_numbers = itertools.count(1)


class _Choice:
    """A target that is not one state."""

    def __init__(self, names: Value) -> None:
        self.names = names


def _check(initial: str, states: Mapping[str, Transitions]) -> None:
    if initial not in states:
        raise AutomatonError(f"the initial state {initial!r} is not among {', '.join(states)}")
    for name, transitions in states.items():
        if not name.isidentifier() or name in ("word", REJECT):
            raise AutomatonError(f"a state cannot be called {name!r}")
        for label, target in transitions.items():
            for _, option in members(target):
                if option not in states and option != REJECT:
                    raise AutomatonError(
                        f"state {name!r} goes to {option!r} on {label!r}, which is no state"
                    )


def _state(name: str, transitions: Transitions, accepts: bool, namespace: dict[str, Value]) -> str:
    """The source of the function of one state."""
    lines = [f"def {name}(word):", "    return (", f"        {accepts and name != REJECT}"]
    test = "not word"
    for place, (label, target) in enumerate(transitions.items()):
        lines[-1] += f" if {test} else"
        variable = target
        if is_union(target):
            variable = f"{name}_{place}"
            namespace[variable] = _Choice(target)
        lines.append(f"        {variable}(word[1:])")
        test = f"word[0] == {label!r}"
    lines[-1] += f" if {test} else"
    lines += ["        False", "    )", ""]
    return "\n".join(lines)


# --- words -------------------------------------------------------------------------------------


def letter(alphabet: Sequence[Value], name: str = "letter") -> Value:
    """A symbolic letter of an alphabet.

    >>> from solvent.lift import cardinality
    >>> cardinality(letter("cadr"))
    4
    """
    if not alphabet:
        raise AutomatonError("an alphabet needs at least one letter")
    index = _number(name, len(alphabet) - 1)
    rows = [(index == place, found) for place, found in enumerate(alphabet)]
    # Any other index is the last letter, so that no assumption about it is needed.
    return combine([*rows[:-1], (True, rows[-1][1])])


def word(k: int, alphabet: Sequence[Value], name: str = "w") -> list[Value]:
    """A symbolic word of `k` letters.

    >>> len(word(3, "ab"))
    3
    """
    return [letter(alphabet, f"{name}[{place}]") for place in range(k)]


def word_up_to(k: int, alphabet: Sequence[Value], name: str = "w") -> list[Value]:
    """A symbolic word of at most `k` letters.

    >>> from solvent.lift import cardinality
    >>> cardinality(word_up_to(4, "ab"))
    5
    """
    length = _number(f"len({name})", k)
    return [slot(ugt(length, place), found) for place, found in enumerate(word(k, alphabet, name))]


def _number(name: str, most: int) -> BitVecTerm:
    """A symbolic number, at least up to a limit: of few bits, which solvers like better."""
    return BitVec.fresh(name, max(1, most.bit_length()))


@lifted
def spec(regex: str, word: Word) -> Guard:
    """Whether a regular expression matches a word, by Python's own `re` on each concrete word.

    >>> spec("^c[ad]*r$", "cadr"), spec("^c[ad]*r$", "car car")
    (True, False)
    """
    text = "".join(word)
    matched: Guard = for_all(text, lambda found: re.search(regex, found) is not None)
    return matched
