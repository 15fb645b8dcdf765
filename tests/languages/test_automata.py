"""The automata of section 2 of the paper, with the paper's answers.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest

from solvent import debug, evaluate, solve, solve_all, synthesize, verify
from solvent.languages import cadr
from solvent.languages.automata import (
    AutomatonError,
    Transitions,
    automaton,
    letter,
    spec,
    word,
    word_up_to,
)
from solvent.lift import cardinality, execute, symbolics
from solvent.sketch import choose, complete

LETTERS = "cadr"
# Figure 1: Lisp-style identifiers, c(ad)*r.
CADR: dict[str, Transitions] = {
    "init": {"c": "more"},
    "more": {"a": "more", "d": "more", "r": "end"},
    "end": {},
}


def every_state(_: Transitions) -> bool:
    """The bug of figure 2: words may end anywhere."""
    return True


def words(most: int, alphabet: str = LETTERS) -> Iterator[tuple[str, ...]]:
    """All words up to a length."""
    for length in range(most + 1):
        yield from itertools.product(alphabet, repeat=length)


def test_figures_1_and_2() -> None:
    m = automaton("init", **CADR)
    assert m("cadaddr") is True
    assert m("cadaddrr") is False
    for given in words(5):
        assert m(given) is (re.fullmatch("c[ad]*r", "".join(given)) is not None)


def test_the_functions_have_readable_source() -> None:
    m = automaton("init", **CADR)
    assert inspect.getsource(m) == (
        "def init(word):\n"
        "    return (\n"
        "        False if not word else\n"
        "        more(word[1:]) if word[0] == 'c' else\n"
        "        False\n"
        "    )\n"
    )


@pytest.mark.parametrize("k", [0, 1, 3])
def test_symbolic_words_are_all_words(k: int) -> None:
    w = word(k, "ab")
    found = [tuple(row.inputs["w"]) for row in solve_all(lambda w: None, w)]
    assert sorted(found) == sorted(itertools.product("ab", repeat=k))
    w = word_up_to(k, "ab")
    found = [tuple(row.inputs["w"]) for row in solve_all(lambda w: None, w)]
    assert sorted(found) == sorted(words(k, "ab"))


def test_words_are_fresh() -> None:
    assert not set(symbolics(word(2, "ab"))) & set(symbolics(word(2, "ab")))


def test_letters() -> None:
    assert letter("a") == "a"
    assert cardinality(letter("cadr")) == 4
    with pytest.raises(AutomatonError, match="at least one letter"):
        letter("")


def test_angelic_execution_finds_the_empty_word() -> None:
    """Section 2.2: the buggy automaton accepts ()."""
    m = automaton("init", accepting=every_state, **CADR)
    w = word_up_to(4, LETTERS)

    def accepted() -> None:
        assert m(w)
        assert not spec("^c[ad]*r$", w)

    found = [row.inputs["w"] for row in solve_all(accepted)]
    expected = [list(given) for given in words(4) if re.fullmatch("|c[ad]*", "".join(given))]
    assert sorted(found) == sorted(expected)
    assert [] in found


def test_verification_against_re() -> None:
    """Section 2.2: no counterexample for words up to 4 after the fix."""
    m = automaton("init", **CADR)
    w = word_up_to(4, LETTERS)

    def same() -> None:
        assert m(w) == spec("^c[ad]*r$", w)

    assert verify(same).holds
    broken = automaton("init", accepting=every_state, **CADR)

    def same_as_broken() -> None:
        assert broken(w) == spec("^c[ad]*r$", w)

    result = verify(same_as_broken)
    assert result.confirmed
    found = "".join(result.inputs["w"])
    assert broken(found) != bool(re.fullmatch("c[ad]*r", found))


def test_the_specification_is_pythons_own_re() -> None:
    """Section 2.3: for all concrete members of a symbolic word."""
    w = word_up_to(3, "ab")
    value = execute(lambda: spec("^(ab?)+$", w)).value
    letters: list[Any] = symbolics(w)
    for choice in itertools.product(*[range(2**constant.sort.width) for constant in letters]):
        model = dict(zip(letters, choice, strict=True))
        concrete = "".join(evaluate(w, model))
        assert evaluate(value, model) is (re.search("^(ab?)+$", concrete) is not None)


def test_accepting_states() -> None:
    even = automaton(
        "even",
        accepting=lambda transitions: "b" in transitions,
        even={"a": "odd", "b": "even"},
        odd={"a": "even"},
    )
    for given in words(5, "ab"):
        text = "".join(given)
        assert even(text) is (re.fullmatch("(b|aa)*", text) is not None)


def test_what_is_no_automaton() -> None:
    bad: list[tuple[Any, str]] = [
        (lambda: automaton("start", init={}), "the initial state 'start' is not among init"),
        (lambda: automaton("init", init={"a": "nowhere"}), "which is no state"),
        (lambda: automaton("word", word={}), "a state cannot be called 'word'"),
        (lambda: automaton("reject", reject={}), "a state cannot be called 'reject'"),
    ]
    for make, message in bad:
        with pytest.raises(AutomatonError, match=message):
            make()


def test_long_words() -> None:
    m = automaton("init", **CADR)
    assert m("c" + "ad" * 100 + "r") is True
    w = word(12, "cr")

    def accepted() -> None:
        assert m(w)

    assert solve(accepted).status == "unsat"


def test_debugging_the_empty_word() -> None:
    """Section 2.2: the core consists of the conditional and the accepting `true`."""
    m = automaton("init", accepting=every_state, **CADR)

    def rejects_the_empty_word() -> None:
        assert not m([])

    result = debug(rejects_the_empty_word, select=bool, limit=10)
    assert len(result.cores) == 1
    texts = sorted(suspect.text for suspect in result.core)
    assert texts[0] == "True"
    assert texts[1].startswith("True if not word else")
    assert len(texts) == 2


def test_synthesis_of_the_sketch() -> None:
    """Figures 3 and 4: the completed automaton is c(ad)+r for all words up to the bound."""
    w = word_up_to(4, LETTERS)
    sketch = cadr.sketch()

    def correct() -> None:
        assert sketch(w) == spec("^c[ad]+r$", w)

    result = synthesize(correct, forall=[w])
    assert result.confirmed
    namespace: dict[str, Any] = dict(vars(cadr))
    source = complete(result, cadr.sketch)
    assert "choose" not in source
    exec(source, namespace)
    m = namespace["sketch"]()
    for given in words(4):
        assert m(given) is (re.fullmatch("c[ad]+r", "".join(given)) is not None)


def test_a_sketch_without_completion() -> None:
    def outline() -> Any:
        return automaton("one", one={"a": choose("one", "two")}, two={"b": "one"})

    w = word_up_to(3, "ab")
    m = outline()

    def correct() -> None:
        assert m(w) == spec("^(ab)+$", w)

    assert synthesize(correct, forall=[w]).status == "unsat"
