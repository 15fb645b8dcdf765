"""`solvent tour`: section 2 of "A Lightweight Symbolic Virtual Machine", each answer checked."""

from __future__ import annotations

import argparse
import inspect
import itertools
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.syntax import Syntax
from rich.text import Text

import solvent
from solvent.cli.common import Commands, add_json_option
from solvent.cli.demo import DemoFailure, expect
from solvent.cli.envelope import told
from solvent.cli.measuring import add_profile_option, profiled
from solvent.cli.terminal import console as console_of
from solvent.languages import cadr
from solvent.languages.automata import spec, word_up_to
from solvent.sketch import complete
from solvent.verdicts import DONE, VIOLATION, Finding, Stated, Verdict
from solvent.verdicts.rendering import Json

Say = Callable[[RenderableType], None]

# How long the words are that are checked.
BOUND = 4


def words(most: int) -> Iterator[str]:
    """All words up to a length."""
    for length in range(most + 1):
        for letters in itertools.product(cadr.ALPHABET, repeat=length):
            yield "".join(letters)


def code(text: str) -> RenderableType:
    """Source text, coloured."""
    return Syntax(text.rstrip(), "python", background_color="default", word_wrap=True)


def run_automaton(say: Say) -> None:
    """An automaton for c(ad)*r is a few Python functions"""
    say(code(inspect.getsource(cadr.broken)))
    say(f"m('cadaddr') = {cadr.broken('cadaddr')}, m('cadaddrr') = {cadr.broken('cadaddrr')}")
    expect(cadr.broken("cadaddr") and not cadr.broken("cadaddrr"), "the automaton is wrong")


def angelic_execution(say: Say) -> None:
    """Angelic execution: run it in reverse, to find the shortest word that it accepts"""
    word = word_up_to(BOUND, cadr.ALPHABET)

    def accepted() -> None:
        assert cadr.broken(word)

    result = solvent.optimize(accepted, minimize=lambda _: len(word))
    say(result)
    expect(result.confirmed, "CPython does not confirm the word")
    expect(result.inputs["word"] == [], "the shortest word is ()")
    expect(cadr.broken([]) is True, "the automaton accepts ()")
    say("A bug: () is not in the language.")


def debugging(say: Say) -> None:
    """Debugging: which expressions are responsible?"""

    def rejects_the_empty_word() -> None:
        assert not cadr.broken([])

    result = solvent.debug(rejects_the_empty_word, select=bool)
    say(result)
    texts = sorted(suspect.text for suspect in result.core)
    expect(len(texts) == 2 and texts[0] == "True", f"the core is {texts}")
    expect(texts[1].startswith("True if not word else"), f"the core is {texts}")


def verification(say: Say) -> None:
    """Verification: with the right accepting states it agrees with Python's re"""
    for bound in (BOUND, BOUND + 2):
        word = word_up_to(bound, cadr.ALPHABET)

        def correct() -> None:
            assert cadr.M(word) == spec("^c[ad]*r$", word)  # noqa: B023

        result = solvent.verify(correct)
        expect(result.holds, str(result))
        say(f"no counterexample among the words of up to {bound} letters ({result.stats})")
    for text in words(BOUND):
        expect(cadr.M(text) == bool(re.fullmatch("c[ad]*r", text)), f"wrong for {text!r}")


def synthesis(say: Say) -> None:
    """Synthesis: complete the sketch of an automaton for c(ad)+r"""
    say(code(inspect.getsource(cadr.sketch)))
    word = word_up_to(BOUND, cadr.ALPHABET)
    sketch = cadr.sketch()

    def correct() -> None:
        assert sketch(word) == spec("^c[ad]+r$", word)

    result = solvent.synthesize(correct, forall=[word])
    expect(result.found, str(result))
    expect(result.confirmed, "CPython does not confirm the holes")
    source = complete(result, cadr.sketch)
    say(f"completed in {result.stats.seconds:.1f} s:")
    say(code(source))
    namespace: dict[str, Any] = dict(vars(cadr))
    exec(source, namespace)
    completed = namespace["sketch"]()
    for text in words(BOUND):
        expect(completed(text) == bool(re.fullmatch("c[ad]+r", text)), f"wrong for {text!r}")
    say(f"checked on all words of up to {BOUND} letters")


def optimisation(say: Say) -> None:
    """Optimisation: the most valuable load of at most 15 kg"""
    names = ["tent", "stove", "rope", "food", "water"]
    weights, values = [7, 3, 4, 6, 5], [9, 5, 3, 8, 6]

    def load(taken: list[bool]) -> int:
        weight = value = 0
        for take, kilos, worth in zip(taken, weights, values, strict=True):
            if take:
                weight += kilos
                value += worth
        assert weight <= 15
        return value

    result = solvent.optimize(load, [solvent.Bool(name) for name in names], maximize=True)
    chosen = [name for name, take in zip(names, result.inputs["taken"], strict=True) if take]
    best = max(
        sum(itertools.compress(values, taken))
        for taken in itertools.product([False, True], repeat=5)
        if sum(itertools.compress(weights, taken)) <= 15
    )
    expect(result.objectives == (best,), f"brute force finds {best}")
    say(f"{', '.join(chosen)}: value {result.value}, as brute force finds")


def insert(items: list[int], item: int) -> None:
    """Insert an item into a sorted list."""
    place = len(items)
    while place > 0 and items[place - 1] > item:
        place -= 1
    items.insert(place, item)


def wrong_insert(items: list[int], item: int) -> None:
    """The same, with a mistake."""
    place = len(items)
    while place > 1 and items[place - 1] > item:
        place -= 1
    items.insert(place, item)


def ordinary_python(say: Say) -> None:
    """Ordinary Python: a function that changes a list"""

    def stays_sorted(items: list[int], item: int) -> None:
        solvent.assume(all(a <= b for a, b in itertools.pairwise(items)))
        inserting(items, item)
        assert all(a <= b for a, b in itertools.pairwise(items))
        assert item in items

    inserting: Callable[[list[int], int], None] = wrong_insert
    say(code(inspect.getsource(wrong_insert)))
    result = solvent.verify(stays_sorted, max_len=4)
    say(result)
    expect(result.confirmed, "CPython does not confirm the counterexample")
    inserting = insert
    say("with `place > 0` instead of `place > 1`:")
    result = solvent.verify(stays_sorted, max_len=4)
    expect(result.holds, str(result))
    say(result)


STEPS: tuple[Callable[[Say], None], ...] = (
    run_automaton,
    angelic_execution,
    debugging,
    verification,
    synthesis,
    optimisation,
    ordinary_python,
)


def run(options: argparse.Namespace) -> int:
    """Run all steps and check each answer."""
    with profiled(options, "the tour"):
        return _run(options)


def _run(options: argparse.Namespace) -> int:
    console = console_of(quiet=options.json)
    done: list[Json] = []
    for step in STEPS:
        title = (step.__doc__ or "").strip()
        console.print(f"\n[bold]{escape(title)}[/bold]")
        started = time.perf_counter()

        def say(shown: RenderableType) -> None:
            text = Text(shown) if isinstance(shown, str) else shown
            console.print(Padding(Group(text), (0, 0, 0, 2)))

        try:
            step(say)
        except DemoFailure as failure:
            console.print(f"  [red]✗[/red] {escape(str(failure))}")
            wrong = Stated((Finding(str(failure)),), verdict=Verdict.VIOLATED, reason=str(failure))
            told(options, {"steps": done, "failed": title}, wrong)
            return VIOLATION
        seconds = time.perf_counter() - started
        done.append({"step": title, "seconds": round(seconds, 3)})
        console.print(f"  [green]✓ checked[/green] [dim]{seconds:.1f} s[/dim]")
    console.print("\nEvery answer was checked. Next: docs/tour.md.")
    told(options, {"steps": done})
    return DONE


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("tour", help="verify, debug and synthesize automata, and more")
    add_profile_option(parser)
    add_json_option(parser)
    parser.set_defaults(run=run)
