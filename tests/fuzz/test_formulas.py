"""Random formulas: every engine answers as Z3 does on the text itself, and models satisfy it.

A model is checked twice: by Solvent's evaluator, and by Z3 with the values in place of the
declarations.  An engine may give up, which is counted.  The engines run in this process, as their
worker processes run them: what is compared is what they are told and what they tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest
import z3

from solvent.solvers.encode import Encoder, decode_function, decode_value
from solvent.solvers.engines.base import Unsupported
from solvent.solvers.script import model_text
from solvent.solvers.worker import engine_class
from solvent.terms import Model
from solvent.terms.smtlib import commands, read_script
from tests.fuzz.grammars.formulas import THEORIES, Theory
from tests.fuzz.harness import INPUTS, Tally, source

COUNT = max(15, INPUTS * 3 // 20)
# What Z3 may spend on a text, by its own measure, and any engine in seconds: more is unknown.
RESOURCES = 3_000_000
SECONDS = 10.0
# So many texts are read in one context of Z3.
CONTEXT_USES = 200


@dataclass
class Reference:
    """Z3 as its own parser reads a text."""

    context: Any = None
    uses: int = 0

    def __call__(self, text: str) -> str:
        if self.uses % CONTEXT_USES == 0:
            self.context = z3.Context()
        self.uses += 1
        solver = z3.Solver(ctx=self.context)
        solver.set("rlimit", RESOURCES)
        solver.set("timeout", int(1000 * SECONDS))
        solver.from_string(text)
        return str(solver.check())


reference = Reference()


def asked(name: str, formulas: list[Any]) -> tuple[str, Model | None]:
    """What an engine says to formulas, and its model."""
    engine = engine_class(name)()
    encoder = Encoder()
    numbers = encoder.encode(formulas)
    try:
        engine.define(*encoder.take())
        for number in numbers:
            engine.assert_formula(number)
        status, _ = engine.check([], SECONDS)
        if status != "sat":
            return status, None
        constants, functions, _ = engine.model()
    except Unsupported:
        return "unsupported", None
    finally:
        engine.forget()
    values: dict[Any, Any] = {}
    for number, data in constants:
        constant = encoder.constants[number]
        values[constant] = decode_value(constant.sort, data)
    for called, data in functions:
        function = encoder.functions[called]
        values[function] = decode_function(function, data)
    return status, Model(values)


def with_values(text: str, model: Model, declared: list[Any]) -> str:
    """The text with the values of a model for what it declares."""
    complete = Model({one: model.internal(one) for one in declared})
    definitions = model_text(complete).removeprefix("(").removesuffix(")")
    lines = [line for line in text.splitlines() if not line.startswith("(declare-")]
    return "\n".join([lines[0], definitions, *lines[1:]])


def mistakes(theory: Theory, text: str, counts: Counter[str]) -> list[str]:
    """How engines differ from Z3 on one text."""
    script = read_script(text)
    formulas = [one.term for one in script.commands if isinstance(one, commands.Assert)]
    declared = [
        one.constant if isinstance(one, commands.DeclareConst) else one.function
        for one in script.commands
        if isinstance(one, (commands.DeclareConst, commands.DeclareFun))
    ]
    expected = reference(text)
    counts[f"z3 on the text: {expected}"] += 1
    found = []
    for name in theory.solvers:
        status, model = asked(name, formulas)
        counts[f"{name}: {status}"] += 1
        if {status, expected} == {"sat", "unsat"}:
            found.append(f"{name} says {status}, Z3 {expected}")
        if model is not None:
            found += wrong_values(name, text, model, formulas, declared)
    return found


def wrong_values(
    name: str, text: str, model: Model, formulas: list[Any], declared: list[Any]
) -> list[str]:
    """What is wrong with a model of the formulas of a text."""
    found = []
    if not all(model.evaluate(formula) is True for formula in formulas):
        found.append(f"{name} gives {model}, which is none as Solvent evaluates it")
    # What SMT-LIB leaves open is a function to Solvent, which the text has no name for.
    if not any(str(one).startswith("@") for one in model):
        text = with_values(text, model, declared)
        if reference(text) == "unsat":
            found.append(f"{name} gives {model}, which is none as Z3 evaluates it")
    return found


def compared(name: str, numbers: Iterable[int]) -> Tally:
    """What engines say to formulas of a theory, beside Z3 on their text."""
    theory = THEORIES[name]
    tally = Tally(f"{name}, formulas")
    for number in numbers:
        text = theory.script(source("formula", name, number))
        for one in mistakes(theory, text, tally.counts):
            tally.fail(f"{number}: {one}", f"{number}: {one}\n{text}")
    return tally


@pytest.mark.parametrize("name", THEORIES)
def test_engines_agree_with_z3_on_the_text(name: str) -> None:
    compared(name, range(COUNT)).check()
