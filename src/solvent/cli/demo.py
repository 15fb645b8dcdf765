"""`solvent demo`: a few formulas solved, proved and refuted, each answer checked."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from rich.markup import escape

from solvent.cli.common import Commands, add_json_option
from solvent.cli.envelope import told, wants_json
from solvent.cli.terminal import console as console_of
from solvent.errors import SolventError
from solvent.solvers import Solver, Status, portfolio
from solvent.terms import (
    BitVec,
    Bool,
    Float,
    Int,
    Model,
    Str,
    and_,
    bv,
    distinct,
    implies,
    in_re,
    ite,
    length,
    not_,
    regex,
    ult,
)
from solvent.terms.kinds import Guard, Integer
from solvent.verdicts import DONE, VIOLATION, Finding, Stated, Verdict


class DemoFailure(SolventError):
    """An answer of the demonstration is not what it must be."""


def expect(condition: bool, message: str) -> None:
    """Stop the demonstration if an answer is wrong."""
    if not condition:
        raise DemoFailure(message)


def solved(*formulas: Guard) -> Model:
    """A model of formulas, checked by evaluating them under it."""
    with Solver(timeout=60) as solver:
        solver.add(*formulas)
        status = solver.check()
        expect(status == Status.SAT, f"expected sat, got {status} {solver.reason}")
        model = solver.model()
    for formula in formulas:
        expect(model.evaluate(formula) is True, f"the model does not satisfy {formula}")
    return model


def refuted(claim: Guard) -> Model | None:
    """A counterexample to a claim, or None if it is proved."""
    with Solver(timeout=60) as solver:
        solver.add(not_(claim))
        status = solver.check()
        expect(status != Status.UNKNOWN, f"no answer: {solver.reason}")
        return solver.model() if status == Status.SAT else None


def puzzle(say: Callable[[str], None]) -> None:
    """Solve: find values."""
    letters = {letter: Int(letter) for letter in "SENDMORY"}

    def number(word: str) -> Integer:
        value: Integer = 0
        for letter in word:
            value = value * 10 + letters[letter]
        return value

    digits = [and_(letter >= 0, letter <= 9) for letter in letters.values()]
    equation = number("SEND") + number("MORE") == number("MONEY")
    nonzero = and_(letters["S"] > 0, letters["M"] > 0)
    model = solved(*digits, equation, nonzero, distinct(letters.values()))
    words = [model.evaluate(number(word)) for word in ("SEND", "MORE", "MONEY")]
    expect(words[0] + words[1] == words[2], "the sum is wrong")
    say(f"SEND + MORE = MONEY: {words[0]} + {words[1]} = {words[2]}")


def bit_trick(say: Callable[[str], None]) -> None:
    """Verify: prove a claim for all inputs, refute another."""
    x = BitVec("x", 32)
    lowest = x & -x
    claim = implies(x != 0, and_(lowest & (lowest - 1) == 0, x & lowest == lowest, lowest != 0))
    expect(refuted(claim) is None, "the lowest set bit was not isolated")
    say("x & -x is the lowest set bit of x, for all 32-bit x: proved")
    counterexample = refuted(abs(x) >= 0)
    expect(counterexample is not None, "abs overflows for the smallest number")
    assert counterexample is not None
    value = counterexample[x]
    expect(abs(value) == value and bool(value < 0), "the counterexample does not hold in Python")
    say(f"abs(x) >= 0 for all 32-bit x: refuted by x = {value.signed} = abs(x)")


def average(say: Callable[[str], None]) -> None:
    """Verify: an overflow in the middle of binary search, and its repair."""
    low, high = BitVec("low", 32), BitVec("high", 32)
    bounds = and_(low >= 0, low <= high)
    broken = refuted(implies(bounds, (low + high) // 2 >= low))
    expect(broken is not None, "the overflow was not found")
    assert broken is not None
    numbers = f"low = {broken[low].signed}, high = {broken[high].signed}"
    say(f"(low + high) // 2 >= low: refuted by {numbers}")
    repaired = low + (high - low) // 2
    expect(
        refuted(implies(bounds, and_(repaired >= low, repaired <= high))) is None, "not repaired"
    )
    say("low <= low + (high - low) // 2 <= high: proved")


def floats(say: Callable[[str], None]) -> None:
    """Python's own floats: a counterexample that Python confirms."""
    x, y = Float("x"), Float("y")
    small = and_(x > 0.0, x < 1.0, y > 0.0, y < 1.0)
    model = refuted(implies(small, (x + y) - y == x))
    expect(model is not None, "addition of floats is not associative")
    assert model is not None
    a, b = model[x], model[y]
    expect((a + b) - b != a, "Python does not confirm the counterexample")
    say(
        f"(x + y) - y == x for floats: refuted by x = {a!r}, y = {b!r}, where it is {(a + b) - b!r}"
    )


def strings(say: Callable[[str], None]) -> None:
    """Strings and regular expressions."""
    import re

    s = Str("s")
    pattern = "(ab|ba)+c{2,3}"
    model = solved(in_re(s, regex(pattern)), length(s) == 9)
    expect(re.fullmatch(pattern, model[s]) is not None, "Python's re disagrees")
    say(f"a string of length 9 that matches {pattern}: {model[s]!r}")


def best(say: Callable[[str], None]) -> None:
    """Optimise: the most valuable load of at most 15 kg."""
    items = [("tent", 7, 9), ("stove", 3, 5), ("rope", 4, 3), ("food", 6, 8), ("water", 5, 6)]
    taken = [Bool(name) for name, _, _ in items]
    weight: Integer = sum(ite(t, kilos, 0) for t, (_, kilos, _) in zip(taken, items, strict=True))
    value: Integer = sum(ite(t, worth, 0) for t, (_, _, worth) in zip(taken, items, strict=True))
    with Solver(timeout=60) as solver:
        solver.add(weight <= 15)
        solver.maximize(value)
        expect(solver.check() == Status.SAT, "no load found")
        model = solver.model()
    brute = max(
        sum(items[k][2] for k in range(5) if chosen >> k & 1)
        for chosen in range(32)
        if sum(items[k][1] for k in range(5) if chosen >> k & 1) <= 15
    )
    expect(model.evaluate(value) == brute, "brute force finds a better load")
    names = [name for t, (name, _, _) in zip(taken, items, strict=True) if model[t]]
    say(f"the best load of at most 15 kg: {', '.join(names)} (value {brute}, as brute force finds)")


def core(say: Callable[[str], None]) -> None:
    """Explain: which requirements contradict each other."""
    days = Int("days")
    wishes = {"at most a week": days <= 7, "at least three days": days >= 3, "ten days": days == 10}
    with Solver(timeout=60) as solver:
        expect(solver.check(*wishes.values()) == Status.UNSAT, "the wishes contradict each other")
        found = solver.unsat_core()
    named = [name for name, wish in wishes.items() if any(wish is term for term in found)]
    expect(named == ["at most a week", "ten days"], f"the core is {named}")
    say(f"these wishes contradict each other: {' and '.join(named)}")


def race(say: Callable[[str], None]) -> None:
    """Several solvers at once."""
    x, y = BitVec("p", 24), BitVec("q", 24)
    with portfolio(["bitwuzla", "z3", "z3:QF_BV"], timeout=60) as solver:
        solver.add(x * y == bv(13_580_513, 24), ult(1, x), ult(x, y), ult(y, 1 << 12))
        expect(solver.check() == Status.SAT, "no factors found")
        model = solver.model()
        a, b = int(model[x]), int(model[y])
    expect(a * b % (1 << 24) == 13_580_513, "the factors are wrong")
    say(f"13580513 = {a} * {b} modulo 2**24, found first by {solver.name}")


STEPS = (puzzle, bit_trick, average, floats, strings, best, core, race)


def run(options: argparse.Namespace) -> int:
    """Run all steps and check each answer."""
    console = console_of(quiet=wants_json(options))
    done: list[str] = []
    for step in STEPS:
        title = (step.__doc__ or "").strip().partition("\n")[0]
        console.print(f"\n[bold]{escape(title)}[/bold]")
        try:
            step(lambda text: console.print(f"  [green]✓[/green] {escape(text)}", soft_wrap=True))
        except DemoFailure as failure:
            console.print(f"  [red]✗[/red] {escape(str(failure))}")
            wrong = Stated((Finding(str(failure)),), verdict=Verdict.VIOLATED)
            told(options, {"steps": done, "failed": title}, wrong)
            return VIOLATION
        done.append(title)
    console.print("\nEvery answer was checked. Next: docs/tour.md.")
    told(options, {"steps": done})
    return DONE


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("demo", help="solve and prove a few formulas")
    add_json_option(parser)
    parser.set_defaults(run=run)
